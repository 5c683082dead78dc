#include "emit/plan/lower/tiles.hpp"

#include <algorithm>

#include "emit/plan/lower/combine_threads.hpp"
#include "emit/plan/planner/in_order.hpp"
#include "transform/ir/needed.hpp"

namespace boustro::plan::planner {
namespace {

using runtime::tile_depth, runtime::tile_place, runtime::tile_width;

const Type int_type = type(PrimType::i32);
const Expr eight = lit(8, PrimType::i32);  // rows and columns of matrices that a warp multiplies

const std::string& name_of(const Expr& variable) { return std::get<Var>(variable.head).name; }

/// A loop over elements of arrays that stay in registers.
For over_own(const std::string& name, const Expr& size, Stms body) {
  return {.name = name, .type = int_type, .from = lit(0, PrimType::i32), .to = size, .unrolled = true, .body = std::move(body)};
}

}  // namespace

Expr Tiles::threads_of_block(const ir::Nest& nest, const facts::Tiling& tiling) {
  const auto [columns, rows] = threads_along(nest, tiling);
  return columns * rows == 64 ? runtime::tile_threads() : runtime::block_size();
}

/// As few as there are registers for: the more results a thread has, the less often what they share is read.
Tiles::Shape Tiles::threads_along(const ir::Nest& nest, const facts::Tiling& tiling) {
  if (facts::is_matrix_product(nest, tiling)) return {4, 16};
  int bytes = 0;
  for (const ir::Type& type : facts::sums_of(nest, tiling).point.result_types) bytes += values::byte_size(type.elem);
  return bytes <= values::byte_size(PrimType::f64) ? Shape{8, 8} : Shape{16, 16};
}

Tiles::Tiles(Code& code, Identifiers& identifiers, const ir::Nest& nest, const facts::Tiling& tiling, const facts::Zeros& zeros,
             std::vector<Scalar> extents, const std::vector<OutPlace>& places)
    : code_(code), identifiers_(identifiers), nest_(nest), tiling_(tiling), places_(places), is_product_(facts::is_matrix_product(nest, tiling)),
      shape_(threads_along(nest, tiling)), cell_(var(identifiers.fresh("cell"), int_type)) {
  const auto dimension = [&](std::size_t d) -> Along& { return d == tiling.rows ? rows_ : d == tiling.columns ? columns_ : matrices_.emplace(); };
  for (std::size_t d = 0; d < nest.space.size(); ++d) dimension(d) = along(nest.point.params[d].name, extents[d], d == 0);
  if (fold()) columns_ = along(fold()->point.params[0].name, code.extents(fold()->space)[0], false);
  for (const ir::Name& value : tiling.of_rows) operands_.push_back(operand(value, true));
  for (const ir::Name& value : tiling.of_columns) operands_.push_back(operand(value, false));
  find_diagonal(zeros);
}

std::string Tiles::reason() const {
  std::string reason = facts::reason_for(tiling_);
  if (is_product_) reason += ", on tensor cores";
  if (diagonal_) reason += diagonal_->zero_behind ? ", without zeros behind the diagonal" : ", without zeros before the diagonal";
  return reason;
}

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

Tiles::Along Tiles::along(const ir::Name& index, const Scalar& extent, bool wide) {
  const std::string name = identifiers_.fresh(identifiers_.letter_for(index.base));
  const Type of_index = wide ? type(PrimType::i64) : int_value(extent.expr) ? int_type : extent.expr.type;
  return {index, extent, name, of_index, {}};
}

Tiles::Operand Tiles::operand(const ir::Name& value, bool of_rows) {
  const Type elem = scalar_type(code_.context().names.type_of(value).elem);
  const auto array = [&](const std::string& name) { return var(identifiers_.fresh(name), pointer_to(elem)); };
  return {value, elem, of_rows, false, array(value.base + "_tile"), array("next_" + value.base), array("own_" + value.base)};
}

/// Rows of summands in shared memory are 16 bytes further apart than they are long: where they begin is read at once, and neighbouring
/// summands are in different banks.
Expr Tiles::pitch(const Operand& operand) {
  return tile_width() + lit(16 / values::byte_size(operand.elem.prim), PrimType::i32);
}

Expr Tiles::row_place(const Expr& row) const {
  if (!is_product_) return runtime::tile_place(row_thread_, row_threads_, row);
  return row_thread_ / eight * lit(32, PrimType::i32) + runtime::matrix_place(row, row_thread_ % eight);
}

Expr Tiles::column_place(const Expr& column) const {
  if (!is_product_) return column_thread_ + column * column_threads_;
  const Expr two = lit(2, PrimType::i32);
  return runtime::matrix_place(column / two, column_thread_ * two + column % two);
}

Scalar Tiles::index(const Along& along, const Expr& value) const {
  Scalar result{value, {}, Range{0, (along.type.prim == PrimType::i32 ? int_size_range : size_range).high - 1}};
  result.end = along.extent.expr;
  return result;
}

Stms Tiles::run() {
  return code_.collect([&] {
    declare();
    if (!matrices_) {
      count_summands();
      return over_columns();
    }
    Stms matrix = code_.collect_loop(false, [&] {
      count_summands();
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

Expr Tiles::constant(const std::string& base, const Expr& value) {
  const std::string name = identifiers_.fresh(base);
  code_.emit(Let{.name = name, .type = value.type, .value = value});
  return var(name, value.type);
}

/// The threads of a block share the results of a tile.
void Tiles::share_results() {
  row_threads_ = constant("row_threads", lit(shape_.rows, PrimType::i32));
  column_threads_ = shape_.rows == shape_.columns ? row_threads_ : constant("column_threads", lit(shape_.columns, PrimType::i32));
  row_results_ = constant(shape_.rows == shape_.columns ? "results" : "row_results", tile_width() / row_threads_);
  column_results_ = shape_.rows == shape_.columns ? row_results_ : constant("column_results", tile_width() / column_threads_);
}

void Tiles::declare() {
  for (const Operand& operand : operands_)
    code_.emit(SharedArray{.name = name_of(operand.tile), .elem = operand.elem, .size = tile_depth() * pitch(operand), .aligned = true});
  share_results();
  loads_ = constant("loads", tile_depth() * tile_width() / threads_of_block(nest_, tiling_));
  column_thread_ = constant("column_thread", cast(PrimType::i32, position(Position::thread_x)));
  row_thread_ = constant("row_thread", cast(PrimType::i32, position(Position::thread_y)));
  thread_ = constant("thread_of_block", row_thread_ * column_threads_ + column_thread_);
  rows_.first = constant("first_" + rows_.name, cast(rows_.type, position(Position::block_x)) * tile_width());
  if (matrices_) code_.bind(matrices_->index, index(*matrices_, var(matrices_->name, matrices_->type)));
}

/// What the next step needs is loaded while the block adds what is in shared memory, one step behind.
void Tiles::tile() {
  start_sums();
  bound_summands();
  for (Operand& operand : operands_) operand.summands_first = has_neighbouring_summands(operand);
  const std::string first = identifiers_.fresh("first_" + summands_.name);
  summands_.first = var(first, summands_.type);
  const Expr depth = cast(summands_.type, tile_depth());
  Stms body = code_.collect_loop(false, [&] {
    for (const Operand& operand : operands_) load(operand);
    code_.emit(Stm(If{summands_.first > begin_, code_.collect([&] { add(summands_.first - depth); })}).with_beside("adds what is there so far"));
    code_.emit(Barrier{"nobody needs the tiles any more"});
    for (const Operand& operand : operands_) stage(operand);
    code_.emit(Barrier{"the tiles are complete"});
  });
  code_.emit(Stm(For{.name = first,
                     .type = summands_.type,
                     .from = begin_,
                     .to = select(end_ > begin_, end_ + depth, begin_),
                     .step = depth,
                     .body = std::move(body)})
                 .with_above("Each step loads what the next one adds.")
                 .after_gap());
  use_sums();
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

/// What a thread adds to some columns. They are as far apart as the rows of a tile that the block's threads take together; of sixteen
/// that warps multiply, each group has some before and some behind.
Stms Tiles::where_not_zero(const Expr& group, const Expr& summand, Stms body) const {
  if (!diagonal_ || diagonal_->along != &columns_) return body;
  const Expr last = is_product_ ? runtime::matrix_place(group, lit(7, PrimType::i32)) : group * column_threads_ + (column_threads_ - lit(1, PrimType::i32));
  const Expr first = is_product_ ? runtime::matrix_place(group, lit(0, PrimType::i32)) : group * column_threads_;
  const auto column = [&](const Expr& place) { return cast(summands_.type, columns_.first + place); };
  const Expr last_summand = is_product_ ? summand + cast(summands_.type, lit(3, PrimType::i32)) : summand;
  Stm some(If{diagonal_->zero_behind ? summand <= column(last) : last_summand >= column(first), std::move(body)});
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

/// Each thread computes some elements of the next tile. Behind the ends it has what is there last, which is not added or not stored.
void Tiles::load(const Operand& operand) {
  code_.emit(LocalArray{.name = name_of(operand.next), .elem = operand.elem, .size = loads_});
  over_loads([&](const Expr& number) {
    const auto [at, step] = place_of_load(operand);
    const auto clamped = [&](const Along& along, const Expr& offset) {
      const Expr last = cast(along.type, along.extent.expr - 1);
      const Expr value = runtime::min(cast(along.type, along.first + offset), last);
      code_.emit(Let{.name = along.name, .type = along.type, .value = value});
      code_.bind(along.index, index(along, var(along.name, along.type)));
    };
    clamped(operand.of_rows ? rows_ : columns_, at);
    clamped(summands_, step);
    emit_all(computing({operand.value}, of_point()));
    code_.emit(Assign{operand.next[number], cast(operand.elem, code_.value(operand.value))});
  });
}

/// Puts them into shared memory. Matrices have zeros behind the last summand.
void Tiles::stage(const Operand& operand) {
  over_loads([&](const Expr& number) {
    const auto [at, step] = place_of_load(operand);
    const Expr zero = lit(values::PrimValue::zero(operand.elem.prim)), next = operand.next[number];
    const Expr value = is_product_ ? select(summands_.first + step < summands_.extent.expr, next, zero) : next;
    code_.emit(Assign{operand.tile[step * pitch(operand) + at], value});
  });
}

/// Neighbouring threads take neighbours in memory.
std::pair<Expr, Expr> Tiles::place_of_load(const Operand& operand) const {
  if (operand.summands_first) return {cell_ / tile_depth(), cell_ % tile_depth()};
  return {cell_ % tile_width(), cell_ / tile_width()};
}

void Tiles::over_loads(const std::function<void(const Expr& number)>& fill) {
  const std::string name = identifiers_.fresh("number");
  Stms body = code_.collect_loop(false, [&] {
    const Expr number = var(name, int_type);
    code_.emit(Let{.name = name_of(cell_), .type = int_type, .value = thread_ + number * threads_of_block(nest_, tiling_)});
    fill(number);
  });
  code_.emit(over_own(name, loads_, std::move(body)));
  identifiers_.release(name);
}

/// Elements for neighbouring summands are next to each other in memory.
bool Tiles::has_neighbouring_summands(const Operand& operand) {
  ir::NameSet wanted{operand.value};
  const std::vector<ir::Stm> stms = ir::statements_for(wanted, of_point());
  for (const ir::Stm& stm : stms) {
    const auto* read = std::get_if<ir::Index>(&stm.exp);
    if (!read || !stm.pattern[0].type.is_scalar()) continue;
    // The dimension of the array outside, as views are seen through.
    ir::Name array = read->array;
    std::size_t dimension = read->indices.size();
    while (dimension-- > 0 && !varies_with_summand(read->indices[dimension])) {
    }
    if (dimension >= read->indices.size()) continue;
    for (auto view = stms.rbegin(); view != stms.rend(); ++view) {
      if (view->pattern[0].name != array) continue;
      if (const auto* row = std::get_if<ir::Index>(&view->exp)) {
        dimension += row->indices.size();
        array = row->array;
      } else if (const auto* rearranged = std::get_if<ir::Rearrange>(&view->exp)) {
        dimension = static_cast<std::size_t>(rearranged->permutation.at(dimension));
        array = rearranged->array;
      } else {
        return false;
      }
    }
    const View seen = code_.view(array);
    return seen.memory() && is_one(seen.memory()->strides.at(dimension));
  }
  return false;
}

bool Tiles::varies_with_summand(const ir::DimIndex& at) const {
  const auto* atom = std::get_if<ir::Atom>(&at);
  const ir::Name* name = atom ? ir::name_in(*atom) : nullptr;
  const auto with = name ? tiling_.varies_with.find(*name) : tiling_.varies_with.end();
  return with != tiling_.varies_with.end() && with->second.contains(summands_.index);
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

/// What comes of the sums of the tile, which are complete.
void Tiles::use_sums() {
  each_result([&](const Expr& row, const Expr& column) {
    const Expr in_rows = define(rows_, row_place(row));
    const Expr in_columns = define(columns_, column_place(column));
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

// ---- Columns that are folded

void Tiles::start_folds() {
  folds_.clear();
  Stms neutral;
  std::size_t next = 0;
  for (const ir::Out& out : fold()->outs) {
    folds_.emplace_back();
    for (const ir::Atom& start : out.op->neutral) {
      const ir::Param& result = nest_.point.body.stms[tiling_.fold].pattern[next++];
      const Type elem = scalar_type(result.type.elem);
      const std::string name = identifiers_.fresh("own_" + result.name.base);
      folds_.back().push_back(var(name, pointer_to(elem)));
      code_.emit(LocalArray{.name = name, .elem = elem, .size = row_results_});
      neutral.push_back(Assign{folds_.back().back()[cell_], code_.value(start)});
    }
  }
  code_.emit(over_own(name_of(cell_), row_results_, std::move(neutral)));
}

Results Tiles::own(std::size_t out, const Expr& row) const {
  Results result;
  for (const Expr& values : folds_[out]) result.push_back(Scalar{values[row]});
  return result;
}

/// A thread gets to its columns in their order.
void Tiles::fold_columns(const Expr& row) {
  const auto& results = fold()->point.body.result;
  std::size_t next = 0;
  for (std::size_t out = 0; out < fold()->outs.size(); ++out) {
    std::vector<bool> counts;
    Results values, running = own(out, row);
    for (std::size_t k = 0; k < running.size(); ++k, ++next) {
      counts.push_back(results[next] == ir::Atom(columns_.index));
      values.push_back(code_.scalar(results[next]));
    }
    code_.step(in_order(*fold()->outs[out].op, counts), running, values);
  }
}

void Tiles::store_folds() {
  const std::string name = identifiers_.fresh("r");
  const Expr row = var(name, int_type);
  Stms body = code_.collect_loop(false, [&] {
    const ir::Stm& stm = nest_.point.body.stms[tiling_.fold];
    auto next = stm.pattern.begin();
    for (std::size_t out = 0; out < folds_.size(); ++out) {
      const auto end = next + static_cast<std::ptrdiff_t>(folds_[out].size());
      combine_threads(code_, identifiers_, *fold()->outs[out].op, own(out, row), {next, end}, true);
      next = end;
    }
    const Expr in_rows = define(rows_, row_place(row));
    Stms inside = code_.collect([&] {
      emit_all(computing(ir::names_among(nest_.point.body.result), nest_.point.body.stms));
      store();
    });
    code_.emit(If{equal(column_thread_, lit(0, PrimType::i32)) && in_rows, std::move(inside)});
  });
  code_.emit(Stm(over_own(name, row_results_, std::move(body))).after_gap());
}

void Tiles::each_result(const std::function<void(const Expr&, const Expr&)>& fill) {
  const std::string r = identifiers_.fresh("r"), c = identifiers_.fresh("c");
  Stms body = code_.collect_loop(false, [&] { fill(var(r, int_type), var(c, int_type)); });
  Stm columns = over_own(c, column_results_, std::move(body));
  code_.emit(over_own(r, row_results_, {std::move(columns)}));
  identifiers_.release(r), identifiers_.release(c);
}

void Tiles::emit_all(const std::vector<ir::Stm>& stms) {
  for (const ir::Stm& stm : stms) code_.stm(stm);
}

Scalar Tiles::total(std::size_t out, const Expr& row, const Expr& column) const {
  return Scalar{totals_[out][row * column_results_ + column]};
}

}  // namespace boustro::plan::planner
