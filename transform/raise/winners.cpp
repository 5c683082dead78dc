#include "transform/raise/winners.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "transform/ir/print.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::raise {

using namespace ir;

namespace {

constexpr int far_tag = 1'000'000'000;  // of names that no program has

/// The comparison that decides: `y < x` for the smallest.
const CmpOp* deciding(const Reduce& reduce) {
  return reduce.op.body.stms.empty() ? nullptr : std::get_if<CmpOp>(&reduce.op.body.stms[0].exp);
}

bool fits(Raiser& raiser, const Stm& stm, const Reduce& reduce) {
  if (stm.origin.rule != "reverse_reduce_min" || reduce.arrays.size() != 2 || !literal_in(reduce.neutral[0])) return false;
  const Stm* numbers = raiser.definition_of(reduce.arrays[1]);
  const auto* iota = numbers ? std::get_if<Iota>(&numbers->exp) : nullptr;
  const CmpOp* decides = deciding(reduce);
  return iota && iota->width == reduce.width && reduce.neutral[1] == int_atom(-1) && decides && decides->kind == CmpOpKind::lt &&
         free_names(reduce.op).empty();
}

/// def argmin [n] (xs: [n]t) = the reduction
Function function_of(const Reduce& reduce, const Type& element, bool with_element, std::string doc) {
  const Name n{"n", far_tag}, xs{"xs", far_tag + 1}, indices{"indices", far_tag + 2};
  const Name least{"x", far_tag + 3}, place{"i", far_tag + 4};
  Function function;
  function.name = {"argmin", far_tag + 5};
  function.params = {{n, scalar(PrimType::i64)}, {xs, array_of(n, element)}};
  function.size_params = 1;
  Reduce own = reduce;
  own.width = n;
  own.arrays = {xs, indices};
  function.body.stms.push_back({{{indices, array(PrimType::i64, {n})}}, Iota{n}, {}, {}});
  function.body.stms.push_back({{{least, element}, {place, scalar(PrimType::i64)}}, std::move(own), {}, {}});
  function.body.result = {place};
  function.result_types = {scalar(PrimType::i64)};
  if (with_element) {
    function.body.result.insert(function.body.result.begin(), least);
    function.result_types.insert(function.result_types.begin(), element);
  }
  function.doc = std::move(doc);
  for (Stm& stm : function.body.stms)
    map_bodies(stm.exp, [](Body& body) {
      for (Stm& inner : body.stms) inner.origin = {};
    });
  return function;
}

std::string doc_of(bool smallest, const PrimValue& neutral, bool with_element) {
  return fmt::format("{} the {} element, {}; -1 if none is {} {}.", with_element ? "The value and the index of" : "The index of",
                     smallest ? "smallest" : "largest", "the first of several", smallest ? "below" : "above", values::to_string(neutral));
}

}  // namespace

std::optional<Binding> winner(Raiser& raiser, const Stm& stm) {
  const auto* reduce = std::get_if<Reduce>(&stm.exp);
  if (!reduce || !fits(raiser, stm, *reduce)) return std::nullopt;
  const bool smallest = deciding(*reduce)->lhs == Atom(reduce->op.params.at(2).name);
  const bool with_element = raiser.is_used(stm.pattern.at(0).name);
  const Type& element = stm.pattern[0].type;
  Function function = function_of(*reduce, element, with_element, doc_of(smallest, *literal_in(reduce->neutral[0]), with_element));
  const std::string& name = helper_named(raiser.surroundings(), smallest ? "argmin" : "argmax", function);
  ast::Exp call = applied(name, {raiser.array(reduce->arrays[0])});
  if (with_element) return Binding{raiser.names_of(stm.pattern), std::move(call)};
  return Binding{named(tagged(stm.pattern.at(1).name)), std::move(call)};
}

}  // namespace boustro::raise
