// How the threads of a block add up the results of a tile, or warps multiply, without what is zero.
#include "emit/plan/lower/tiles.hpp"

#include "transform/ir/needed.hpp"

namespace boustro::plan::planner {

using runtime::tile_depth, runtime::tile_width;

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
void Tiles::bound_summands() {
  begin_ = lit(0, summands_.type.prim), end_ = summands_.extent.expr;
  if (!diagonal_) return;
  const Expr first = cast(summands_.type, diagonal_->along->first);
  if (!diagonal_->zero_behind) {
    begin_ = first;
    return;
  }
  const Expr last = runtime::min(end_, first + cast(summands_.type, tile_width()));
  const std::string end = identifiers_.fresh("end");
  code_.emit(Stm(Let{.name = end, .type = summands_.type, .value = last}).with_beside("from there on all are zero"));
  end_ = var(end, summands_.type);
}

/// What a thread adds to its column number `group`, or a warp to its group of columns: not where all columns that are computed with it are
/// past the diagonal at this summand, or, for warps, these four. The same for the whole block.
Stms Tiles::where_not_zero(const Expr& group, const Expr& summand, Stms body) const {
  if (!diagonal_ || diagonal_->along != &columns_) return body;
  const Expr last = is_product_ ? runtime::matrix_place(group, lit(7, PrimType::i32)) : group * column_threads_ + (column_threads_ - lit(1, PrimType::i32));
  const Expr first = is_product_ ? runtime::matrix_place(group, lit(0, PrimType::i32)) : group * column_threads_;
  const auto column = [&](const Expr& place) { return cast(summands_.type, columns_.first + place); };
  // Of four summands of a warp the first, as groups of columns begin at multiples of four from where the sums do.
  Stm some(If{diagonal_->zero_behind ? summand <= column(last) : summand >= column(first), std::move(body)});
  Stms result;
  result.push_back(std::move(some).with_beside("else zero"));
  return result;
}

void Tiles::start_sums() {
  totals_.clear();
  Stms neutral;
  for (std::size_t out = 0; out < sums().outs.size(); ++out) {
    const ir::Param& result = sums_stm().pattern[out];
    const Type elem = scalar_type(result.type.elem);
    const std::string name = identifiers_.fresh(result.name.base);
    totals_.push_back(var(name, pointer_to(elem)));
    code_.emit(LocalArray{.name = name, .elem = elem, .size = row_results_ * column_results_});
    neutral.push_back(Assign{totals_.back()[cell_], code_.value(sums().outs[out].op->neutral[0])});
  }
  code_.emit(over_own(name_of(cell_), row_results_ * column_results_, std::move(neutral)));
}

/// The summands from `first` on.
void Tiles::add(const Expr& first) {
  if (is_product_) return multiply(first);
  const std::string count = identifiers_.fresh("steps");
  const Expr steps = var(count, summands_.type);
  code_.emit(Let{.name = count,
                 .type = summands_.type,
                 .value = runtime::min(cast(summands_.type, tile_depth()), cast(summands_.type, end_ - first))});
  const std::string name = identifiers_.fresh("step");
  const Expr step = var(name, int_type);
  Stms body = code_.collect_loop(false, [&] {
    read_own(step);
    ir::NameSet staged;
    for (const Operand& operand : operands_) staged.insert(operand.value);
    std::vector<ir::Stm> stms = of_point();
    std::erase_if(stms, [&](const ir::Stm& stm) { return staged.contains(stm.pattern[0].name); });
    stms = computing(ir::names_among(sums().point.body.result), stms);
    const auto add_result = [&](const Expr& row, const Expr& column) {
      for (const Operand& operand : operands_) code_.bind(operand.value, Scalar{operand.own[operand.of_rows ? row : column]});
      code_.bind(rows_.index, index(rows_, rows_.first + row_place(row)));
      code_.bind(columns_.index, index(columns_, columns_.first + column_place(column)));
      code_.bind(summands_.index, index(summands_, first + step));
      emit_all(stms);
      for (std::size_t out = 0; out < totals_.size(); ++out) {
        Results running{total(out, row, column)};
        const ir::Atom& value = sums().point.body.result[out];
        code_.step(*sums().outs[out].op, running, {code_.scalar(value)});
      }
    };
    if (!diagonal_ || diagonal_->along != &columns_) return each_result(add_result);
    const std::string r = identifiers_.fresh("r"), c = identifiers_.fresh("c");
    Stms rows = code_.collect_loop(false, [&] { add_result(var(r, int_type), var(c, int_type)); });
    code_.emit(over_own(c, column_results_, where_not_zero(var(c, int_type), first + step, {over_own(r, row_results_, std::move(rows))})));
    identifiers_.release(r), identifiers_.release(c);
  });
  code_.emit(For{.name = name, .type = int_type, .from = lit(0, PrimType::i32), .to = steps, .body = std::move(body)});
}

void Tiles::read_own(const Expr& step) {
  Stms body;
  for (const Operand& operand : operands_) {
    code_.emit(LocalArray{.name = name_of(operand.own), .elem = operand.elem, .size = row_results_});
    const Expr place = operand.of_rows ? row_place(cell_) : column_place(cell_);
    body.push_back(Assign{operand.own[cell_], operand.tile[step * pitch(operand) + place]});
  }
  code_.emit(over_own(name_of(cell_), row_results_, std::move(body)));
}

/// All summands that are staged, four at a time, of which a lane has one.
void Tiles::multiply(const Expr& first) {
  const std::string name = identifiers_.fresh("step"), r = identifiers_.fresh("r"), c = identifiers_.fresh("c");
  const Expr step = var(name, int_type), row = var(r, int_type), column = var(c, int_type);
  const Operand& of_rows = operands_[0];
  const Operand& of_columns = operands_[1];
  Stms body = code_.collect_loop(false, [&] {
    for (const Operand& operand : operands_) read_of_warp(operand, step);
    const Expr pair = totals_[0] + (row * column_results_ + column * 2);
    Stm rows = over_own(r, row_results_, {Do{runtime::add_matrix_product(pair, of_rows.own[row], of_columns.own[column])}});
    code_.emit(over_own(c, columns_of_warp(), where_not_zero(column, first + step, {std::move(rows)})));
  });
  code_.emit(For{.name = name, .type = int_type, .from = lit(0, PrimType::i32), .to = tile_depth(), .step = lit(4, PrimType::i32), .body = std::move(body)});
}

/// The lane's row, or column, of each matrix.
void Tiles::read_of_warp(const Operand& operand, const Expr& step) {
  const Expr count = operand.of_rows ? row_results_ : columns_of_warp();
  const Expr place = operand.of_rows ? row_place(cell_) : runtime::matrix_place(cell_, row_thread_ % eight);
  code_.emit(LocalArray{.name = name_of(operand.own), .elem = operand.elem, .size = count});
  code_.emit(over_own(name_of(cell_), count, {Assign{operand.own[cell_], operand.tile[(step + column_thread_) * pitch(operand) + place]}}));
}

Scalar Tiles::total(std::size_t out, const Expr& row, const Expr& column) const {
  return Scalar{totals_[out][row * column_results_ + column]};
}

}  // namespace boustro::plan::planner
