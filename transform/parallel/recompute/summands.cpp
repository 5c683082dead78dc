#include "transform/parallel/recompute/summands.hpp"

#include <algorithm>

#include "transform/ir/needed.hpp"
#include "transform/ir/operands.hpp"
#include "transform/parallel/recompute/element_reads.hpp"

namespace boustro::parallel {

using namespace ir;

namespace {

/// Scalars, elements and views, which cannot fail.
bool is_plain(const Stm& stm) {
  if (stm.pattern.size() != 1 || may_fail(stm.exp)) return false;
  return is_scalar_operation(stm.exp) || as_part(stm) || viewed_operand(stm.exp);
}

/// What a scalar multiplies, by the statements that lead to it.
Product product_of(const Atom& atom, const std::vector<Stm>& stms) {
  const Name* name = name_in(atom);
  const auto at = std::find_if(stms.begin(), stms.end(), [&](const Stm& stm) { return name && stm.pattern.size() == 1 && stm.pattern[0].name == *name; });
  const auto* op = at == stms.end() ? nullptr : std::get_if<BinOp>(&at->exp);
  const auto* sign = at == stms.end() ? nullptr : std::get_if<UnOp>(&at->exp);
  if (op && op->kind == BinOpKind::mul) {
    Product product = product_of(op->lhs, stms);
    const Product other = product_of(op->rhs, stms);
    product.factors.insert(product.factors.end(), other.factors.begin(), other.factors.end());
    product.negative = product.negative != other.negative;
    return product;
  }
  if (op && op->kind == BinOpKind::add && op->lhs == op->rhs) {
    Product product = product_of(op->lhs, stms);
    product.factors.emplace_back(PrimValue::of_float(op->type, 2.0));
    return product;
  }
  if (sign && sign->kind == UnOpKind::neg) {
    Product product = product_of(sign->operand, stms);
    product.negative = !product.negative;
    return product;
  }
  return {{atom}, false};
}

}  // namespace

const Nest* as_sum(const Stm& stm) {
  const auto* nest = std::get_if<Nest>(&stm.exp);
  const bool one = nest && nest->over == Level::thread && nest->space.size() == 1 && nest->accumulators.empty() && nest->outs.size() == 1;
  if (!one) return nullptr;
  const Out& out = nest->outs[0];
  const bool folds = out.kind == OutKind::reduce && out.rank == 0 && !out.epilogue && out.destinations.empty() && out.op->neutral.size() == 1;
  const PrimValue* start = folds ? literal_in(out.op->neutral[0]) : nullptr;
  const bool adds = start && values::is_float(start->type) && start->is_zero() && as_binop(out.op->op) == BinOpKind::add;
  return adds ? nest : nullptr;
}

std::vector<Stm> Summands::computing(const std::vector<Atom>& factors) const {
  NameSet wanted = names_among(factors);
  return statements_for(wanted, stms);
}

NameSet Summands::depends(const Atom& factor) const {
  NameSet wanted = names_among({factor});
  for (const Stm& stm : statements_for(wanted, stms)) wanted.merge(free_names(stm));
  return wanted;
}

std::optional<Summands> summands_of(const Nest& nest, std::size_t at) {
  const auto& stms = nest.point.body.stms;
  const Nest* sum = as_sum(stms[at]);
  if (!sum) return std::nullopt;
  Summands result{{stms.begin(), stms.begin() + static_cast<std::ptrdiff_t>(at)}, sum->point.params[0].name, sum->space[0], {}};
  const NameSet bound = bound_names(result.stms);
  const Name* extent = name_in(result.extent);
  const bool known = !extent || (!bound.contains(*extent) && std::none_of(nest.point.params.begin(), nest.point.params.end(), [&](const Param& p) { return p.name == *extent; }));
  result.stms.insert(result.stms.end(), sum->point.body.stms.begin(), sum->point.body.stms.end());
  if (!known || !std::all_of(result.stms.begin(), result.stms.end(), is_plain)) return std::nullopt;
  result.product = product_of(sum->point.body.result[0], result.stms);
  return result;
}

}  // namespace boustro::parallel
