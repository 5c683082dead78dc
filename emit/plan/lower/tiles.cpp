#include "emit/plan/lower/tiles.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "transform/ir/needed.hpp"

namespace boustro::plan::planner {

using runtime::tile_width;

Expr Tiles::threads_of_block(const ir::Nest& nest, const facts::Tiling& tiling) {
  const auto [columns, rows] = threads_along(nest, tiling);
  return columns * rows == 128 ? runtime::tile_threads() : runtime::block_size();
}

/// On an H200 blocks of 128 threads with 32 results each were faster than those of 64 or 256 with 64 or 16: by the one what results share is
/// read more often, by the other there are too few warps to wait for memory.
Tiles::Shape Tiles::threads_along(const ir::Nest& nest, const facts::Tiling& tiling) {
  if (facts::is_matrix_product(nest, tiling)) return {4, 32};
  int bytes = 0;
  for (const ir::Type& type : facts::sums_of(nest, tiling).point.result_types) bytes += values::byte_size(type.elem);
  return bytes <= values::byte_size(PrimType::f64) ? Shape{16, 8} : Shape{16, 16};
}

Tiles::Tiles(Code& code, Identifiers& identifiers, const ir::Nest& nest, const facts::Tiling& tiling, const facts::Zeros& zeros,
             std::vector<Scalar> extents, const std::vector<OutPlace>& places)
    : code_(code), identifiers_(identifiers), nest_(nest), tiling_(tiling), places_(places), is_product_(facts::is_matrix_product(nest, tiling)),
      shape_{identifiers.fresh("Tile"), runtime::matrix_tile()} {
  const auto dimension = [&](std::size_t d) -> Along& { return d == tiling.rows ? rows_ : d == tiling.columns ? columns_ : matrices_.emplace(); };
  for (const Scalar& extent : extents) code.assume_nonzero(extent.expr);  // there are no tiles otherwise
  for (std::size_t d = 0; d < nest.space.size(); ++d) dimension(d) = along(nest.point.params[d].name, extents[d], d == 0);
  if (fold()) columns_ = along(fold()->point.params[0].name, code.extents(fold()->space)[0], false);
  for (const ir::Name& value : tiling.of_rows) operands_.push_back(operand(value, true));
  for (const ir::Name& value : tiling.of_columns) operands_.push_back(operand(value, false));
  if (!is_product_) shape_.type = runtime::thread_tile(64 / threads_along(nest, tiling).rows, !fits_twice());
  find_diagonal(zeros);
}

/// The index of the summand may become an operand, too. What folds combine needs the rest.
bool Tiles::fits_twice() const {
  constexpr int most_bytes = 32 * 1024, summands = 16, width = 64;
  const auto staged_bytes = [](int elem) { return summands * (width * elem + 16); };
  int bytes = staged_bytes(values::byte_size(PrimType::i64));
  for (const Operand& operand : operands_) bytes += staged_bytes(values::byte_size(operand.elem.prim));
  return bytes <= most_bytes;
}

std::string Tiles::reason() const {
  std::string reason = facts::reason_for(tiling_);
  if (is_product_) reason += ", on tensor cores";
  if (diagonal_) reason += diagonal_->zero_behind ? ", without zeros behind the diagonal" : ", without zeros before the diagonal";
  return reason;
}

std::string Tiles::grid() const {
  if (fold())
    return fmt::format("one block per {}tile_width points `{}` (blockIdx.x, threadIdx.y), tile after tile of `{}` (threadIdx.x)",
                       matrices_ ? fmt::format("`{}` (blockIdx.y) and ", matrices_->name) : "", rows_.name, columns_.name);
  return fmt::format("one block per tile of results: `{}` to blockIdx.x and threadIdx.y, `{}` to blockIdx.y and threadIdx.x{}", rows_.name, columns_.name,
                     matrices_ ? fmt::format(", `{}` to blockIdx.z", matrices_->name) : "");
}

Tiles::Along Tiles::along(const ir::Name& index, const Scalar& extent, bool wide) {
  const std::string name = identifiers_.fresh(identifiers_.letter_for(index.base));
  const Type of_index = wide ? type(PrimType::i64) : int_value(extent.expr) ? int_type : extent.expr.type;
  return {index, extent, name, of_index, {}};
}

Scalar Tiles::index(const Along& along, const Expr& value) const {
  Scalar result{value, {}, indices_below(along.type.prim == PrimType::i32 ? int_size_range : size_range)};
  result.end = along.extent.expr;
  return result;
}

Stms Tiles::run() {
  return code_.collect([&] {
    declare();
    if (!matrices_) {
      count_summands();
      define_operands();
      return over_columns();
    }
    Stms matrix = code_.collect_loop(false, [&] {
      count_summands();
      define_operands();
      over_columns();
    });
    code_.emit(Stm(For{.name = matrices_->name,
                       .type = matrices_->type,
                       .from = cast(matrices_->type, position(fold() ? Position::block_y : Position::block_z)),
                       .to = matrices_->extent.expr,
                       .step = cast(matrices_->type, position(fold() ? Position::grid_width_y : Position::grid_width_z)),
                       .body = std::move(matrix)})
                   .after_gap());
  });
}

/// Blocks take turns with tiles of columns, unless each needs all of them.
void Tiles::over_columns() {
  if (fold()) start_folds();
  const Type type = columns_.type;
  const std::string first = identifiers_.fresh("first_" + columns_.name);
  columns_.first = var(first, type);
  Stms body = code_.collect_loop(false, [&] { tile(); });
  const Expr width = cast(type, tile_width());
  code_.emit(Stm(For{.name = first,
                     .type = type,
                     .from = fold() ? lit(0, type.prim) : cast(type, position(Position::block_y)) * width,
                     .to = columns_.extent.expr,
                     .step = fold() ? width : cast(type, position(Position::grid_width_y)) * width,
                     .body = std::move(body)})
                 .after_gap());
  if (fold()) store_folds();
}

/// And what else is the same for the whole matrix.
void Tiles::count_summands() {
  const auto compute = [&](const std::vector<ir::Stm>& stms, std::size_t end) {
    for (std::size_t i = 0; i < end; ++i) {
      const ir::Name& name = stms[i].pattern[0].name;
      const auto with = tiling_.varies_with.find(name);
      const bool varies = with == tiling_.varies_with.end() || with->second.contains(rows_.index) || with->second.contains(columns_.index);
      if (varies || !shared_.insert(name).second) continue;
      code_.stm(stms[i]);
    }
  };
  if (fold()) compute(nest_.point.body.stms, tiling_.fold);
  compute(around_sums().stms, tiling_.sums);
  Scalar count = code_.extents(sums().space)[0];
  count.expr = code_.named("count", count.expr);
  summands_ = along(sums().point.params[0].name, count, false);
}

std::vector<ir::Stm> Tiles::computing(ir::NameSet wanted, std::vector<ir::Stm> stms) const {
  std::erase_if(stms, [&](const ir::Stm& stm) { return std::holds_alternative<ir::Nest>(stm.exp) || shared_.contains(stm.pattern[0].name); });
  return ir::statements_for(wanted, stms);
}

std::vector<ir::Stm> Tiles::outside_sums() const {
  std::vector<ir::Stm> stms = nest_.point.body.stms;
  if (fold()) stms.insert(stms.end(), around_sums().stms.begin(), around_sums().stms.end());
  return stms;
}

std::vector<ir::Stm> Tiles::of_point() const {
  std::vector<ir::Stm> stms = outside_sums();
  stms.insert(stms.end(), sums().point.body.stms.begin(), sums().point.body.stms.end());
  return stms;
}

void Tiles::declare() {
  code_.emit(shape_);
  const std::string name = identifiers_.fresh("first_" + rows_.name);
  code_.emit(Let{.name = name, .type = rows_.type, .value = cast(rows_.type, position(Position::block_x)) * tile_width()});
  rows_.first = var(name, rows_.type);
  if (matrices_) code_.bind(matrices_->index, index(*matrices_, var(matrices_->name, matrices_->type)));
}

Expr Tiles::declare_own(const std::string& base, const Type& elem, const Expr& start, bool of_rows) {
  const Expr values = var(identifiers_.fresh(base), pointer_to(elem));
  LocalArray array{.name = name_of(values), .elem = elem, .size = runtime::rows_of_thread(shape_)};
  if (!of_rows) array.columns = runtime::columns_of_thread(shape_);
  const auto* literal = std::get_if<Literal>(&start.head);
  array.zero = literal && literal->value == values::PrimValue::zero(elem.prim);
  code_.emit(array);
  if (!array.zero) code_.emit(Do{of_rows ? runtime::set_all(values, start) : runtime::set_rows(values, start)});
  return values;
}

void Tiles::tile() {
  start_sums();
  const Expr add = define_addition();
  std::vector<Expr> operands;
  for (const Operand& operand : operands_) operands.push_back(staged(operand));
  code_.emit(Do{runtime::accumulate(shape_, summands(), add, std::move(operands))});
  use_sums();
}

/// What comes of the sums of the tile, which are complete.
void Tiles::use_sums() {
  each_result([&](const Expr& row, const Expr& column) {
    const Expr in_rows = define(rows_, runtime::row_of_tile(shape_, row));
    const Expr in_columns = define(columns_, runtime::column_of_tile(shape_, column));
    Stms inside = code_.collect([&] {
      for (std::size_t out = 0; out < totals_.size(); ++out) code_.bind(sums_stm().pattern[out].name, total(out, row, column));
      emit_all(computing(ir::names_among(around_sums().result), outside_sums()));
      fold() ? fold_columns(row) : store();
    });
    code_.emit(If{in_rows && in_columns, std::move(inside)});
  });
}

/// The index of a thread's row or column; whether it is there.
Expr Tiles::define(const Along& along, const Expr& offset) {
  code_.emit(Let{.name = along.name, .type = along.type, .value = cast(along.type, along.first + offset)});
  const Expr here = var(along.name, along.type);
  code_.bind(along.index, index(along, here));
  return here < along.extent.expr;
}

void Tiles::store() {
  for (std::size_t out = 0; out < places_.size(); ++out) {
    View cell = places_[out].arrays[0];
    for (std::size_t d = 0; d < nest_.space.size(); ++d) cell = code_.row(cell, code_.index(nest_.point.params[d].name));
    code_.store(cell, code_.final_value(nest_.point.body.result[out]));
  }
}

void Tiles::each_result(const std::function<void(const Expr&, const Expr&)>& fill) {
  const std::string r = identifiers_.fresh("r"), c = identifiers_.fresh("c");
  Stms body = code_.collect_loop(false, [&] { fill(var(r, int_type), var(c, int_type)); });
  Stm columns = over_own(c, runtime::columns_of_thread(shape_), std::move(body));
  code_.emit(Stm(over_own(r, runtime::rows_of_thread(shape_), {std::move(columns)})).after_gap());
  identifiers_.release(r), identifiers_.release(c);
}

void Tiles::emit_all(const std::vector<ir::Stm>& stms) {
  for (const ir::Stm& stm : stms) code_.stm(stm);
}

}  // namespace boustro::plan::planner
