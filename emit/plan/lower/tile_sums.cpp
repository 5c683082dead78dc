// What is added to the results of a tile, or multiplied by warps, without what is zero.
#include "emit/plan/lower/tiles.hpp"

#include "transform/ir/needed.hpp"

namespace boustro::plan::planner {

/// Of a sum: its summands are compared with rows or columns. The nest's own statements may be new.
void Tiles::find_diagonal(facts::Zeros zeros) {
  if (sums().outs.size() != 1 || ir::as_binop(sums().outs[0].op->op) != ir::BinOpKind::add) return;
  zeros.note(nest_.point.body);
  const auto part = zeros.of(sums().point.body.result[0]);
  if (!part) return;
  const facts::Coordinate summand = ir::Atom(sums().point.params[0].name);
  for (const Along* along : {&rows_, &columns_}) {
    const facts::Coordinate index = ir::Atom(along->index);
    if (part->low == index && part->high == summand) diagonal_ = {along, true};
    if (part->low == summand && part->high == index) diagonal_ = {along, false};
  }
}

/// All that are not zero for some row or column.
Expr Tiles::summands() const {
  const Expr& count = summands_.extent.expr;
  if (!diagonal_) return runtime::all_summands(count);
  const bool of_rows = diagonal_->along == &rows_;
  const Expr& first = diagonal_->along->first;
  return diagonal_->zero_behind ? runtime::summands_to_diagonal(count, first, of_rows) : runtime::summands_from_diagonal(count, first, of_rows);
}

void Tiles::start_sums() {
  totals_.clear();
  for (std::size_t out = 0; out < sums().outs.size(); ++out) {
    const ir::Param& result = sums_stm().pattern[out];
    totals_.push_back(declare_own(result.name.base, scalar_type(result.type.elem), code_.value(sums().outs[out].op->neutral[0]), false));
  }
}

/// A closure of a row of the thread, or of two on tensor cores, one of its groups of columns, and what these have of the operands.
Expr Tiles::define_addition() {
  identifiers_.open();
  std::vector<Param> params{{identifiers_.fresh("r"), int_type}, {identifiers_.fresh(is_product_ ? "group" : "c"), int_type}};
  for (const Operand& operand : operands_) params.push_back({identifiers_.fresh(operand.value.base), is_product_ && operand.of_rows ? struct_type("double2") : operand.elem});
  Stms body = code_.collect_loop(false, [&] {
    std::vector<Expr> own;
    for (std::size_t i = 2; i < params.size(); ++i) own.push_back(var(params[i]));
    add(var(params[0]), var(params[1]), own);
  });
  identifiers_.close();
  const std::string name = identifiers_.fresh("add");
  code_.emit(Closure{name, std::move(params), std::move(body)});
  return var(name, struct_type("auto"));
}

void Tiles::add(const Expr& row, const Expr& group, const std::vector<Expr>& own) {
  if (is_product_) {
    const Expr column = lit(2, PrimType::i32) * group;
    const Expr upper = element(totals_[0], row, column), lower = element(totals_[0], row + lit(1, PrimType::i32), column);
    return code_.emit(Do{runtime::add_matrix_product(address_of(upper), address_of(lower), own[0], own[1])});
  }
  for (std::size_t i = 0; i < own.size(); ++i) code_.bind(operands_[i].value, Scalar{own[i]});
  code_.bind(rows_.index, index(rows_, rows_.first + runtime::row_of_tile(shape_, row)));
  code_.bind(columns_.index, index(columns_, columns_.first + runtime::column_of_tile(shape_, group)));
  emit_all(of_summand());
  for (std::size_t out = 0; out < totals_.size(); ++out) {
    Results running{total(out, row, group)};
    code_.step(*sums().outs[out].op, running, {code_.scalar(sums().point.body.result[out])});
  }
}

std::vector<ir::Stm> Tiles::of_summand() const {
  ir::NameSet staged;
  for (const Operand& operand : operands_) staged.insert(operand.value);
  std::vector<ir::Stm> stms = of_point();
  std::erase_if(stms, [&](const ir::Stm& stm) { return staged.contains(stm.pattern[0].name); });
  return computing(ir::names_among(sums().point.body.result), stms);
}

Scalar Tiles::total(std::size_t out, const Expr& row, const Expr& column) const {
  return Scalar{element(totals_[out], row, column)};
}

}  // namespace boustro::plan::planner
