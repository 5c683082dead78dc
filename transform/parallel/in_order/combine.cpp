// Accumulators by operators that no thread can apply while others do: on rows, or with variables or failures of their own. What
// adds to them runs in order, on arrays.
//
// Before:   let bins = with_acc bins by op (\acc -> map (\acc i v -> acc[i] op= v) is vs)
// After:    let bins = loop bins for j < n do let i = is[j]  let v = vs[j]
//                        in if 0 <= i && i < k then bins with [i] = op bins[i] v else bins
// Applies   to all accumulators of a with_acc, if one of them is of this kind
#include <algorithm>
#include <unordered_map>

#include "transform/ir/elementwise.hpp"
#include "transform/ir/traversal.hpp"
#include "transform/parallel/functor.hpp"
#include "transform/parallel/in_order/as_loop.hpp"
#include "transform/parallel/in_order/cell.hpp"
#include "transform/parallel/in_order/sort_loops.hpp"
#include "transform/parallel/parallel.hpp"

namespace boustro::parallel {
namespace {

using namespace ir;

Lambda addition(Builder& builder, const Type& type) {
  return operator_on(builder, type.elem == PrimType::boolean ? BinOpKind::bit_or : BinOpKind::add, type);
}

class InOrder {
 public:
  InOrder(const facts::Callees& callees, Names& names, Machine machine, const NameSet& others)
      : callees_(callees), names_(names), machine_(machine), others_(others) {}

  void body(Body& body) {
    std::vector<Stm> stms;
    Substitution results;  // of what was opened
    for (Stm& stm : body.stms) {
      substitute(stm, results);
      auto* with = std::get_if<WithAcc>(&stm.exp);
      const bool is_asked_for = std::any_of(stm.pattern.begin(), stm.pattern.end(), [&](const Param& p) { return others_.contains(p.name); });
      if (with && (is_asked_for || needs_order(*with))) {
        opened(stm, std::move(*with), stms, results);
        continue;
      }
      map_bodies(stm.exp, [&](Body& inner) { this->body(inner); });
      stms.push_back(std::move(stm));
    }
    body.stms = std::move(stms);
    for (Atom& atom : body.result) atom = substitute(atom, results);
  }

 private:
  bool needs_order(const WithAcc& with) const {
    return std::any_of(with.inputs.begin(), with.inputs.end(), [&](const AccumulatorInput& input) {
      const auto* combine = std::get_if<Combine>(&input.kind);
      return combine && !is_shareable(combine->op);
    });
  }

  bool is_shareable(const Lambda& op) const {
    return machine_ == Machine::cpu ? all_scalar(op.result_types) : is_functor(op, callees_);
  }

  /// The statements of the with_acc, on arrays.
  void opened(const Stm& stm, WithAcc with, std::vector<Stm>& to, Substitution& results) {
    Substitution arrays;
    for (std::size_t k = 0; k < with.inputs.size(); ++k) {
      kinds_.emplace(with.inputs[k].destination, with.inputs[k].kind);
      arrays.emplace(with.fn.params[k].name, with.inputs[k].destination);
    }
    substitute(with.fn.body, arrays);
    on_arrays(with.fn.body);
    body(with.fn.body);
    to.insert(to.end(), with.fn.body.stms.begin(), with.fn.body.stms.end());
    for (std::size_t k = 0; k < stm.pattern.size(); ++k)
      results.emplace(stm.pattern[k].name, with.fn.body.result[k]);
  }

  /// The name becomes an array that stands for what `from` stood for.
  void take_over(Param& to, const Atom& from) {
    const Name* name = name_in(from);
    const auto found = name ? kinds_.find(*name) : kinds_.end();
    if (found == kinds_.end()) return;
    const AccumulatorKind kind = found->second;
    kinds_.emplace(to.name, kind);
    to.type.accumulator = false;
    names_.bind(to.name, to.type);
  }

  bool is_ours(const Name& name) const { return kinds_.contains(name); }

  void on_arrays(Body& body) {
    std::vector<Stm> stms;
    for (Stm& stm : body.stms) {
      for (Stm& part : in_order(std::move(stm))) {
        on_arrays(part);
        stms.push_back(std::move(part));
      }
    }
    body.stms = std::move(stms);
  }

  /// Without additions, and without operators that make some.
  std::vector<Stm> in_order(Stm stm) {
    const auto adds = [&](const std::vector<Name>& accumulators) {
      return std::any_of(accumulators.begin(), accumulators.end(), [&](const Name& name) { return is_ours(name); });
    };
    if (const auto* e = std::get_if<UpdateAcc>(&stm.exp); e && is_ours(e->accumulator)) return updated(stm, *e);
    if (const auto* e = std::get_if<Map>(&stm.exp); e && adds(e->accumulators)) return *as_loop(stm, names_);
    if (const auto* e = std::get_if<MapReduce>(&stm.exp); e && adds(e->accumulators)) return *as_loop(stm, names_);
    return {std::move(stm)};
  }

  void on_arrays(Stm& stm) {
    if (auto* e = std::get_if<Loop>(&stm.exp)) {
      for (std::size_t k = 0; k < e->params.size(); ++k) {
        take_over(e->params[k].param, e->params[k].init);
        take_over(stm.pattern[k], e->params[k].init);
        if (is_ours(e->params[k].param.name)) e->params[k].param.unique = true;
      }
    }
    if (const auto* e = std::get_if<AtomExp>(&stm.exp)) take_over(stm.pattern[0], e->atom);
    map_bodies(stm.exp, [&](Body& inner) { on_arrays(inner); });
    if (const auto* e = std::get_if<If>(&stm.exp)) {
      for (std::size_t k = 0; k < stm.pattern.size(); ++k)
        if (stm.pattern[k].type.accumulator) take_over(stm.pattern[k], e->then_body.result[k]);
    }
  }

  /// The array with the value combined with what is there, if that is in the array.
  std::vector<Stm> updated(const Stm& stm, const UpdateAcc& e) {
    Param result = stm.pattern[0];
    take_over(result, e.accumulator);
    Builder builder(names_, stm.origin);
    update_cell(builder, {result}, {{e.accumulator}, e.indices, e.in_bounds}, operator_of(builder, e), {e.value});
    return std::move(builder.stms);
  }

  /// Nothing for what overwrites.
  std::optional<Lambda> operator_of(Builder& builder, const UpdateAcc& e) {
    const AccumulatorKind& kind = kinds_.at(e.accumulator);
    if (std::holds_alternative<Overwrite>(kind)) return std::nullopt;
    const auto* combine = std::get_if<Combine>(&kind);
    return combine ? rename(combine->op, names_) : addition(builder, names_.type_of(e.value));
  }

  const facts::Callees& callees_;
  Names& names_;
  Machine machine_;
  const NameSet& others_;
  std::unordered_map<Name, AccumulatorKind> kinds_;  // of what stands for accumulators
};

}  // namespace

Program combine_in_order(Program program, Machine machine, const NameSet& others) {
  const Program original = program;
  const facts::Callees callees(original);
  Names names(program);
  for (Function& function : program.functions) InOrder(callees, names, machine, others).body(function.body);
  sort_by_loops(program, false);
  return program;
}

}  // namespace boustro::parallel
