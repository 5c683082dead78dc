// How nests are computed: a method for each out, and for the additions to accumulators.
//
//   in a thread           direct: one point after the other
//   over the grid
//     store               direct: each thread has cells of its own
//     reduce              direct, if threads are left for the cells of the result; of all points by the library
//     scan                library
//     scatter             atomic
//     histogram, or       additions apart, if no two points add to the same cell; once, if none does it twice, in an array of zeros. Copies, if
//     additions           many threads may meet in a cell: all that a nest makes, of one type and with one neutral element, by threads that
//                         need no memory of their own (the shared memory of a block is for the copies); of additions, sums of what
//                         atomics add. Else atomic
//   over the workers
//     store               direct
//     additions           apart, like those of a grid, beside nothing but stores
//     what is combined    parts, if the nest divides: nothing that overwrites, nor scans of rows. Else direct: in order
//
// Simple counts so far; whether a copy pays is asked when the program runs (emit/plan/lower/block_copies.hpp).
#include <algorithm>
#include <unordered_map>

#include "transform/facts/history.hpp"
#include "transform/facts/sizes.hpp"
#include "transform/ir/nest.hpp"
#include "transform/ir/traversal.hpp"
#include "transform/parallel/flatten/cells_apart.hpp"
#include "transform/parallel/flatten/memory.hpp"
#include "transform/parallel/parallel.hpp"

namespace boustro::parallel {
namespace {

using namespace ir;

Method on_grid(const Out& out) {
  switch (out.kind) {
    case OutKind::store:
      return Method::direct;
    case OutKind::reduce:
      return out.rank > 0 ? Method::direct : Method::library;
    case OutKind::scan:
      return Method::library;
    case OutKind::histogram:
    case OutKind::scatter:
      return Method::atomic;
  }
  return Method::open;
}

/// Parts of the points may be worked on at once.
bool out_divides(const Out& out) {
  if (out.kind == OutKind::scatter) return false;
  if (!combines_all_points(out)) return true;
  return !out.epilogue && (out.kind == OutKind::reduce || all_scalar(out.op->op.result_types));
}

class Chooser {
 public:
  Chooser(const facts::Callees& callees, Names& names) : callees_(callees), names_(names) {}

  void function(Function& function) {
    for (const Param& param : function.params) sizes_.declare(param.type);
    body(function.body);
  }

 private:
  void body(Body& body) {
    for (Stm& stm : body.stms) {
      sizes_.enter(stm);
      if (const auto* equal = std::get_if<Replicate>(&stm.exp))
        if (const PrimValue* value = literal_in(equal->value); value && value->is_zero()) zero_.insert(stm.pattern[0].name);
      facts::accumulators_into(stm.exp, [&](const Name& from, const Name& to) { same_kind(from, to); });
      if (const auto* with = std::get_if<WithAcc>(&stm.exp)) {
        for (std::size_t i = 0; i < with->inputs.size(); ++i) {
          const AccumulatorInput& input = with->inputs[i];
          kinds_.emplace(with->fn.params[i].name, input.kind);
          if (std::holds_alternative<AddUp>(input.kind) && zero_.contains(input.destination)) zero_.insert(with->fn.params[i].name);
        }
      }
      map_bodies(stm.exp, [&](Body& inner) { this->body(inner); });
      if (auto* nest = std::get_if<Nest>(&stm.exp)) choose(*nest);
      facts::accumulators_out_of(stm, [&](const Name& from, const Name& to) { same_kind(from, to); });
    }
  }

  void choose(Nest& nest) {
    switch (nest.over) {
      case Level::grid:
        for (Out& out : nest.outs) out.method = on_grid(out);
        if (histograms_may_pay(nest))
          for (Out& out : nest.outs) out.method = Method::copies;
        if (!nest.accumulators.empty()) nest.additions = copies_may_pay(nest) ? Method::copies : Method::atomic;
        if (const auto method = apart(nest)) nest.additions = *method;
        return;
      case Level::workers:
        return choose_for_workers(nest);
      default:
        return set_all(nest, Method::direct);
    }
  }

  void choose_for_workers(Nest& nest) {
    const bool divisible = std::all_of(nest.outs.begin(), nest.outs.end(), out_divides) &&
                           std::all_of(nest.accumulators.begin(), nest.accumulators.end(),
                                       [&](const Name& name) { return additions_divide(name); });
    set_all(nest, divisible ? Method::parts : Method::direct);
    for (Out& out : nest.outs)
      if (has_own_cells(out)) out.method = Method::direct;
    if (!std::all_of(nest.outs.begin(), nest.outs.end(), has_own_cells)) return;
    if (const auto method = apart(nest)) nest.additions = *method;
  }

  /// Of additions to cells of which no two points have the same.
  std::optional<Method> apart(const Nest& nest) {
    if (nest.accumulators.empty()) return std::nullopt;
    const Meeting meeting = meeting_in_cells(nest, sizes_, names_);
    if (meeting == Meeting::of_points) return std::nullopt;
    const bool from_zero = std::all_of(nest.accumulators.begin(), nest.accumulators.end(), [&](const Name& name) { return zero_.contains(name); });
    return meeting == Meeting::never && from_zero ? Method::once : Method::apart;
  }

  static void set_all(Nest& nest, Method method) {
    for (Out& out : nest.outs) out.method = method;
    if (!nest.accumulators.empty()) nest.additions = method;
  }

  /// Of values for one cell the last stays, and a single cell has no copies.
  bool additions_divide(const Name& accumulator) const {
    return !std::holds_alternative<Overwrite>(kinds_.at(accumulator)) && !names_.type_of(accumulator).shape.empty();
  }

  bool histograms_may_pay(const Nest& nest) const {
    const auto is_like_first = [&](const Out& out) {
      return out.kind == OutKind::histogram && out.op->neutral == nest.outs[0].op->neutral && out.op->op.result_types == nest.outs[0].op->op.result_types;
    };
    return nest.accumulators.empty() && !nest.outs.empty() && std::all_of(nest.outs.begin(), nest.outs.end(), is_like_first) &&
           !needs_memory(nest.point.body, callees_);
  }

  bool copies_may_pay(const Nest& nest) const {
    const PrimType elem = names_.type_of(nest.accumulators[0]).elem;
    const auto is_sum = [&](const Name& name) { return std::holds_alternative<AddUp>(kinds_.at(name)) && names_.type_of(name).elem == elem; };
    return nest.outs.empty() && std::all_of(nest.accumulators.begin(), nest.accumulators.end(), is_sum) && has_atomic_addition(elem) &&
           !needs_memory(nest.point.body, callees_);
  }

  void same_kind(const Name& from, const Name& to) {
    const auto found = kinds_.find(from);
    if (found != kinds_.end()) kinds_.insert_or_assign(to, AccumulatorKind(found->second));
  }

  const facts::Callees& callees_;
  Names& names_;
  facts::Sizes sizes_;
  NameSet zero_;  // arrays of zeros, and accumulators as long as nothing has been added to them
  std::unordered_map<Name, AccumulatorKind> kinds_;  // of accumulators, under all of their names
};

}  // namespace

Program choose(Program program) {
  const Program original = program;
  const facts::Callees callees(original);
  Names names(program);
  for (const Function& function : program.functions) names.bind_function(function);
  for (Function& function : program.functions) Chooser(callees, names).function(function);
  return program;
}

}  // namespace boustro::parallel
