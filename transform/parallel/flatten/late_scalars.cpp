#include "transform/parallel/flatten/late_scalars.hpp"

#include <algorithm>
#include <unordered_map>

#include "transform/facts/work.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::parallel {
namespace {

using namespace ir;

constexpr std::int64_t limit_of_kernel = 2 * facts::less_than_a_load;
constexpr std::int64_t limit_of_library = 2 * facts::memory_work;

Nest* as_grid(Stm& stm) {
  auto* nest = std::get_if<Nest>(&stm.exp);
  return nest && nest->over == Level::grid ? nest : nullptr;
}

bool is_of_library(const Nest& nest) {
  return std::any_of(nest.outs.begin(), nest.outs.end(), [](const Out& out) {
    return out.kind == OutKind::reduce || out.kind == OutKind::scan;
  });
}

/// Whether the statement, which is no grid's, or what the nest has besides the body of its points, needs the name.
bool needs_elsewhere(const Stm& stm, const Name& name) {
  Stm rest = stm;
  if (Nest* nest = as_grid(rest)) nest->point.body = {};
  return free_names(rest).contains(name);
}

class LateScalars {
 public:
  LateScalars(Names& names, const facts::Callees& callees) : names_(names), works_(callees) {}

  void run(Body& body) {
    for (Stm& stm : body.stms) {
      note(stm);
      if (auto* loop = std::get_if<Loop>(&stm.exp)) note_params(*loop);
      if (!as_grid(stm)) map_bodies(stm.exp, [&](Body& inner) { run(inner); });
    }
    for (std::size_t i = body.stms.size(); i-- > 0;) {
      const Stm stm = body.stms[i];
      if (stm.pattern.empty() || !arithmetic_.contains(stm.pattern[0].name)) continue;
      Body rest{{body.stms.begin() + static_cast<std::ptrdiff_t>(i) + 1, body.stms.end()}, body.result};
      if (!only_at_points(rest, stm.pattern[0].name)) continue;
      sink(rest, stm);
      body.stms.resize(i);
      body.stms.insert(body.stms.end(), rest.stms.begin(), rest.stms.end());
    }
  }

 private:
  bool is_of_device(const Exp& exp) const {
    const NameSet used = free_names(exp);
    return std::any_of(used.begin(), used.end(), [&](const Name& name) { return of_device_.contains(name); });
  }

  /// What only the device knows behind the statement.
  void note(const Stm& stm) {
    if (is_scalar_operation(stm.exp) && !is_of_device(stm.exp)) return;
    for (const Param& param : stm.pattern)
      if (param.type.is_scalar()) of_device_.insert(param.name);
    if (is_scalar_operation(stm.exp) && !may_fail(stm.exp)) arithmetic_.emplace(stm.pattern[0].name, stm);
  }

  /// The scalar, and the arithmetic that it follows from.
  facts::Polynomial cost(const Name& name) {
    facts::Polynomial sum = 0;
    NameSet seen;
    for (std::vector<Name> open{name}; !open.empty();) {
      const auto found = arithmetic_.find(open.back());
      open.pop_back();
      if (found == arithmetic_.end() || !seen.insert(found->first).second) continue;
      sum = sum + works_.of(found->second);
      for (const Name& operand : free_names(found->second.exp)) open.push_back(operand);
    }
    return sum;
  }

  /// What begins as a number of the device stays one.
  void note_params(const Loop& loop) {
    for (const LoopParam& p : loop.params) {
      const Name* init = name_in(p.init);
      if (p.param.type.is_scalar() && init && of_device_.contains(*init)) of_device_.insert(p.param.name);
    }
  }

  bool only_at_points(Body& body, const Name& name) {
    if (std::any_of(body.result.begin(), body.result.end(), [&](const Atom& atom) { return atom == Atom(name); })) return false;
    bool found = false, result = true;
    for (Stm& stm : body.stms) {
      if (!free_names(stm).contains(name)) continue;
      found = true;
      if (const Nest* nest = as_grid(stm)) {
        const std::int64_t limit = is_of_library(*nest) ? limit_of_library : limit_of_kernel;
        result = result && !needs_elsewhere(stm, name) && facts::takes_at_most(cost(name), limit);
      } else {
        result = false;
      }
    }
    return found && result;
  }

  /// A copy for each nest that needs it.
  void sink(Body& body, const Stm& scalar) {
    for (Stm& stm : body.stms) {
      if (!free_names(stm).contains(scalar.pattern[0].name)) continue;
      Body& point = as_grid(stm)->point.body;
      Substitution own;
      const std::vector<Stm> copy = rename({scalar}, names_, own);
      substitute(point, own);
      point.stms.insert(point.stms.begin(), copy.begin(), copy.end());
    }
  }

  Names& names_;
  facts::Works works_;
  NameSet of_device_;
  std::unordered_map<Name, Stm> arithmetic_;  // of it
};

}  // namespace

void compute_scalars_late(Body& body, Names& names, const facts::Callees& callees) {
  LateScalars(names, callees).run(body);
}

}  // namespace boustro::parallel
