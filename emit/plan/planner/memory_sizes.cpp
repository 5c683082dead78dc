#include "emit/plan/planner/memory_sizes.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "transform/ir/traversal.hpp"
#include "transform/parallel/flatten/memory.hpp"

namespace boustro::plan::planner {
namespace {

/// What a number inside of a statement is bounded by; by nothing, if nobody knows.
struct Origin {
  std::vector<ir::Atom> from;
  bool one_is_enough = false;
};

class Bounds {
 public:
  Bounds(const ir::Stm& stm, const std::function<bool(const ir::Name&)>& bounded) : bounded_(bounded) { inside(stm); }

  /// Adds what the number lacks.
  void need(const ir::Atom& atom) {
    const ir::Name* name = ir::name_in(atom);
    if (!name) return;
    const auto found = origins_.find(*name);
    if (found != origins_.end() && found->second.one_is_enough) {
      // A minimum that the pass `sizes` has made, since what it is taken of has no bound that the planner would find.
      for (const ir::Atom& each : found->second.from)
        if (is_outside(each)) return need(each);
    }
    if (has_bound(atom)) return;
    if (found == origins_.end()) {
      if (std::find(needed.begin(), needed.end(), *name) == needed.end()) needed.push_back(*name);
      return;
    }
    const Origin origin = std::exchange(found->second, {});  // that is enough, also in circles of loops
    for (const ir::Atom& each : origin.from) need(each);
  }

  std::vector<ir::Name> needed;

 private:
  bool is_outside(const ir::Atom& atom) const {
    const ir::Name* name = ir::name_in(atom);
    return name && !origins_.contains(*name);
  }

  bool has_bound(const ir::Atom& atom) {
    const ir::Name* name = ir::name_in(atom);
    if (!name) return true;
    const auto found = origins_.find(*name);
    if (found == origins_.end()) return bounded_(*name);
    const Origin origin = std::exchange(found->second, {});
    const auto has = [&](const ir::Atom& each) { return has_bound(each); };
    const auto [begin, end] = std::pair(origin.from.begin(), origin.from.end());
    const bool result = begin != end && (origin.one_is_enough ? std::any_of(begin, end, has) : std::all_of(begin, end, has));
    origins_.insert_or_assign(*name, origin);
    return result;
  }

  void inside(const ir::Stm& stm) {
    if (const auto* nest = std::get_if<ir::Nest>(&stm.exp)) {
      for (std::size_t i = 0; i < nest->space.size(); ++i)
        origins_[nest->point.params[nest->accumulators.size() + i].name] = {{nest->space[i]}};
    }
    if (const auto* loop = std::get_if<ir::Loop>(&stm.exp)) iterations(*loop);
    ir::for_each_lambda(stm.exp, [&](const ir::Lambda& fn) {
      for (const ir::Param& param : fn.params) origins_.try_emplace(param.name);
    });
    ir::for_each_body(stm.exp, [&](const ir::Body& body) {
      for (const ir::Stm& inner : body.stms) define(inner);
    });
  }

  void iterations(const ir::Loop& loop) {
    for (std::size_t i = 0; i < loop.params.size(); ++i)
      origins_[loop.params[i].param.name] = {{loop.params[i].init, loop.body.result[i]}};
    if (const auto* form = std::get_if<ir::ForLoop>(&loop.form)) origins_[form->index] = {{form->bound}};
  }

  void define(const ir::Stm& stm) {
    inside(stm);
    for (std::size_t i = 0; i < stm.pattern.size(); ++i) origins_[stm.pattern[i].name] = origin_of(stm.exp, i);
  }

  static Origin origin_of(const ir::Exp& exp, std::size_t result) {
    if (const auto* branch = std::get_if<ir::If>(&exp)) return {{branch->then_body.result[result], branch->else_body.result[result]}};
    if (const auto* loop = std::get_if<ir::Loop>(&exp)) return {{loop->params[result].init, loop->body.result[result]}};
    if (!ir::is_scalar_operation(exp)) return {};
    Origin origin;
    ir::for_each_atom(exp, [&](const ir::Atom& atom) { origin.from.push_back(atom); });
    const auto* operation = std::get_if<ir::BinOp>(&exp);
    origin.one_is_enough = operation && operation->kind == ir::BinOpKind::min;
    return origin;
  }

  const std::function<bool(const ir::Name&)>& bounded_;
  std::unordered_map<ir::Name, Origin> origins_;  // of all that the statement binds
};

}  // namespace

std::vector<ir::Name> needed_bounds(const ir::Stm& stm, const facts::Callees& callees,
                                    const std::function<bool(const ir::Name&)>& bounded) {
  Bounds bounds(stm, bounded);
  ir::for_each_body(stm.exp, [&](const ir::Body& body) {
    parallel::for_each_stored(body, callees, [&](const ir::Stm& inner) {
      for (const ir::Param& param : inner.pattern)
        for (const ir::Atom& size : param.type.shape) bounds.need(size);
    });
  });
  return bounds.needed;
}

}  // namespace boustro::plan::planner
