#include "emit/plan/build.hpp"

#include <algorithm>
#include <array>

#include "frontend/source/diagnostics.hpp"

namespace boustro::plan {

using source::internal_check;

Stm Stm::with_above(std::string comment) && {
  above = std::move(comment);
  return std::move(*this);
}

Stm Stm::with_beside(std::string comment) && {
  beside = std::move(comment);
  return std::move(*this);
}

Stm Stm::after_gap() && {
  gap = true;
  return std::move(*this);
}

Expr Expr::operator[](const Expr& index) const {
  return {.head = Element{}, .args = {*this, index}, .type = elem_of(type)};
}

// ---- Types

Type type(PrimType prim) { return {.prim = prim}; }
Type struct_type(std::string name) { return {.name = std::move(name)}; }
Type size_type() { return struct_type("std::size_t"); }

Type pointer_to(Type elem) {
  internal_check(!elem.pointer && !elem.reference, "plan: pointer to a pointer");
  elem.pointer = true;
  return elem;
}

Type const_pointer_to(Type elem) {
  Type result = pointer_to(std::move(elem));
  result.read_only = true;
  return result;
}

Type pointer_to(PrimType elem) { return pointer_to(type(elem)); }
Type const_pointer_to(PrimType elem) { return const_pointer_to(type(elem)); }

Type const_reference_to(Type of) {
  of.reference = true;
  of.read_only = true;
  return of;
}

Type restricted(Type pointer) {
  internal_check(pointer.pointer, "plan: __restrict__ without a pointer");
  pointer.restricted = true;
  return pointer;
}

Type elem_of(const Type& pointer) {
  internal_check(pointer.pointer, "plan: element of what is no pointer");
  return {.prim = pointer.prim, .name = pointer.name};
}

bool is_integer(const Type& type) {
  return type.name.empty() && !type.pointer && values::is_integer(type.prim);
}
bool is_bool(const Type& type) {
  return type.name.empty() && !type.pointer && type.prim == PrimType::boolean;
}

// ---- Expressions

namespace {

/// What an expression of the type yields: references read as values.
Type value_type(Type type) {
  if (type.reference) type.reference = type.read_only = false;
  return type;
}

Expr like(const Expr& other, std::int64_t value) { return lit(value, other.type.prim); }

/// As C++ converts the operands of an operator, among integers of 32 bits and more: to the wider
/// type.
Type common_type(const Type& x, const Type& y) {
  if (!is_integer(x) || !is_integer(y)) return x;
  const int difference = values::byte_size(x.prim) - values::byte_size(y.prim);
  if (difference != 0) return difference > 0 ? x : y;
  return values::is_unsigned(x.prim) ? x : y;
}

bool compares(Op op) {
  return op == Op::lt || op == Op::le || op == Op::gt || op == Op::ge || op == Op::eq ||
         op == Op::ne || op == Op::logical_and || op == Op::logical_or;
}

}  // namespace

Expr var(std::string name, Type type) {
  return {.head = Var{std::move(name)}, .type = value_type(std::move(type))};
}
Expr var(std::string name, PrimType prim) { return var(std::move(name), type(prim)); }
Expr var(const Param& param) { return var(param.name, param.type); }
Expr lit(PrimValue value) { return {.head = Literal{value}, .type = type(value.type)}; }
Expr lit(std::int64_t value, PrimType prim) { return lit(PrimValue::of_int(prim, value)); }
Expr lit_float(double value, PrimType prim) { return lit(PrimValue::of_float(prim, value)); }
Expr true_lit() { return lit(PrimValue::of_bool(true)); }
Expr false_lit() { return lit(PrimValue::of_bool(false)); }
Expr null_pointer(Type type) { return {.head = NullPointer{}, .type = std::move(type)}; }
Expr position(Position position) { return {.head = position, .type = type(PrimType::u32)}; }

Expr op(Op op, Expr x) {
  Type result = op == Op::dereference ? elem_of(x.type)
                : op == Op::address   ? pointer_to(x.type)
                                      : x.type;
  return {.head = op, .args = {std::move(x)}, .type = std::move(result)};
}

Expr op(Op op, Expr x, Expr y) {
  Type result = compares(op) ? type(PrimType::boolean) : common_type(x.type, y.type);
  result.restricted = false;
  return {.head = op, .args = {std::move(x), std::move(y)}, .type = std::move(result)};
}

Expr select(Expr condition, Expr x, Expr y) {
  Type result = x.type;
  return {.head = Op::select,
          .args = {std::move(condition), std::move(x), std::move(y)},
          .type = std::move(result)};
}

Expr operator+(const Expr& x, const Expr& y) { return op(Op::add, x, y); }
Expr operator-(const Expr& x, const Expr& y) { return op(Op::sub, x, y); }
Expr operator*(const Expr& x, const Expr& y) { return op(Op::mul, x, y); }
Expr operator/(const Expr& x, const Expr& y) { return op(Op::div, x, y); }
Expr operator%(const Expr& x, const Expr& y) { return op(Op::rem, x, y); }
Expr operator<(const Expr& x, const Expr& y) { return op(Op::lt, x, y); }
Expr operator<=(const Expr& x, const Expr& y) { return op(Op::le, x, y); }
Expr operator>(const Expr& x, const Expr& y) { return op(Op::gt, x, y); }
Expr operator>=(const Expr& x, const Expr& y) { return op(Op::ge, x, y); }
Expr operator&&(const Expr& x, const Expr& y) { return op(Op::logical_and, x, y); }
Expr operator||(const Expr& x, const Expr& y) { return op(Op::logical_or, x, y); }
Expr operator!(const Expr& x) { return op(Op::logical_not, x); }
Expr operator-(const Expr& x) { return op(Op::neg, x); }
Expr operator+(const Expr& x, std::int64_t y) { return x + like(x, y); }
Expr operator-(const Expr& x, std::int64_t y) { return x - like(x, y); }
Expr operator*(const Expr& x, std::int64_t y) { return x * like(x, y); }
Expr operator<(const Expr& x, std::int64_t y) { return x < like(x, y); }
Expr operator<=(const Expr& x, std::int64_t y) { return x <= like(x, y); }
Expr operator>(const Expr& x, std::int64_t y) { return x > like(x, y); }
Expr operator>=(const Expr& x, std::int64_t y) { return x >= like(x, y); }
Expr equal(Expr x, Expr y) { return op(Op::eq, std::move(x), std::move(y)); }
Expr not_equal(Expr x, Expr y) { return op(Op::ne, std::move(x), std::move(y)); }

Expr address_of(Expr target) { return op(Op::address, std::move(target)); }
Expr element(const Expr& array, const Expr& row, const Expr& column) {
  return {.head = Element{}, .args = {array, row, column}, .type = elem_of(array.type)};
}

Expr field(Expr of, std::string name, Type type) {
  return {.head = Field{std::move(name), {}}, .args = {std::move(of)}, .type = std::move(type)};
}

Expr cast(Type to, Expr x) {
  if (x.type == to) return x;
  return {.head = Cast{}, .args = {std::move(x)}, .type = std::move(to)};
}

Expr cast(PrimType to, Expr x) { return cast(type(to), std::move(x)); }

Expr convert(PrimType to, Expr x) {
  const PrimType from = x.type.prim;
  return {.head = Convert{from}, .args = {std::move(x)}, .type = type(to)};
}

Expr call(std::string function, Type result, std::vector<Expr> args) {
  return {.head = Call{std::move(function)}, .args = std::move(args), .type = std::move(result)};
}

Expr construct(std::string name, std::vector<Expr> args) {
  return {.head = Construct{}, .args = std::move(args), .type = struct_type(std::move(name))};
}

Expr zero_of(const Type& type) {
  return type.name.empty() ? lit(PrimValue::zero(type.prim)) : construct(type.name, {});
}

Expr intrinsic(ir::UnOpKind fn, Expr x) {
  const Type result = x.type;
  return {.head = Intrinsic{fn, result.prim}, .args = {std::move(x)}, .type = result};
}

Expr intrinsic(ir::BinOpKind fn, Expr x, Expr y) {
  const Type result = x.type;
  return {.head = Intrinsic{fn, result.prim}, .args = {std::move(x), std::move(y)}, .type = result};
}

Expr intrinsic(ir::MathFn fn, PrimType of, Type result, std::vector<Expr> args) {
  return {.head = Intrinsic{fn, of}, .args = std::move(args), .type = std::move(result)};
}

Expr size_of(Type of) { return {.head = SizeOf{std::move(of)}, .type = size_type()}; }

std::optional<std::int64_t> int_value(const Expr& expr) {
  const auto* literal = std::get_if<Literal>(&expr.head);
  if (!literal || !values::is_integer(literal->value.type)) return std::nullopt;
  return literal->value.as_int();
}

// ---- The runtime

namespace runtime {

namespace {
constexpr std::array constants{"block_size", "max_int_size", "max_shared_bytes",
                               "max_lanes", "max_parts", "max_threads", "tile_width", "tile_depth", "tile_threads", "Order::summands", "Order::results"};
constexpr std::array functions{"load_lanes", "store_lanes", "add_products", "begin_of_part", "store_columns", "order_stores", "sort_by_bits",
                               "blocks_for", "few_blocks_for", "grid_height_for", "parts_for", "small_parts_for", "most_parts",
                               "row_threads_for", "slab_size_for", "tiles_pay", "rows_of_tiles_pay", "sums_block",
                               "row_operand", "column_operand", "accumulate", "all_summands", "summands_up_to_row", "summands_from_row",
                               "summands_up_to_column", "summands_from_column", "set_all", "set_rows", "add_matrix_product", "row_pitch", "staged_rows_for", "stage_rows", "copies_for",
                               "rows_per_copy", "copies_pay", "combine_row", "combine_column",
                               "scan_before", "scan_up_to", "reduce_all", "warp_peers", "min", "max", "check_index",
                               "check_divisor", "has_failed"};

template <typename Names>
bool contains(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}
}  // namespace

Type block_type() { return struct_type("dim3"); }
Expr block_size() { return var("block_size", PrimType::i32); }
Expr max_int_size() { return var("max_int_size", PrimType::i64); }
Expr max_shared_bytes() { return var("max_shared_bytes", size_type()); }
Expr max_lanes() { return var("max_lanes", PrimType::i64); }
Expr max_parts() { return var("max_parts", PrimType::i64); }
Expr tile_width() { return var("tile_width", PrimType::i32); }
Expr tile_depth() { return var("tile_depth", PrimType::i32); }
Expr tile_threads() { return var("tile_threads", PrimType::i32); }
Expr max_threads() { return var("max_threads", PrimType::i64); }

Expr sort_by_bits(Expr to, Expr from, Expr other, Expr count, Expr first_bit, Expr end_bit) {
  return call("sort_by_bits", {},
              {std::move(to), std::move(from), std::move(other), std::move(count), std::move(first_bit), std::move(end_bit)});
}
Expr begin_of_part(Expr part, Expr points, Expr parts) {
  return call("begin_of_part", type(PrimType::i64), {std::move(part), std::move(points), std::move(parts)});
}

Expr blocks_for(Expr size, Expr per_block) {
  return call("blocks_for", type(PrimType::u32), {std::move(size), std::move(per_block)});
}

Expr few_blocks_for(Expr size, Expr per_block, std::optional<Expr> beside) {
  std::vector<Expr> args{std::move(size), std::move(per_block)};
  if (beside) args.push_back(std::move(*beside));
  return call("few_blocks_for", type(PrimType::u32), std::move(args));
}

Expr grid_height_for(Expr size, std::optional<Expr> per_block) {
  std::vector<Expr> args{std::move(size)};
  if (per_block) args.push_back(std::move(*per_block));
  return call("grid_height_for", type(PrimType::u32), std::move(args));
}

Expr parts_for(Expr points, Expr work, std::optional<Expr> cells, std::optional<Expr> room) {
  std::vector<Expr> args{std::move(points), std::move(work)};
  if (cells || room) args.push_back(cells.value_or(lit(0)));
  if (room) args.push_back(std::move(*room));
  return call("parts_for", type(PrimType::i64), std::move(args));
}

Expr small_parts_for(Expr points, Expr work) {
  return call("small_parts_for", type(PrimType::i64), {std::move(points), std::move(work)});
}

Expr most_parts(Expr room) {
  return call("most_parts", type(PrimType::i64), {std::move(room)});
}

Expr row_threads_for(Expr width, Expr rows) {
  return call("row_threads_for", type(PrimType::u32), {std::move(width), std::move(rows)});
}

Expr slab_size_for(Expr summands, Expr sums) {
  return call("slab_size_for", type(PrimType::i64), {std::move(summands), std::move(sums)});
}

Expr tiles_pay(Expr rows, Expr columns, Expr summands, Expr matrices) {
  return call("tiles_pay", type(PrimType::boolean), {std::move(rows), std::move(columns), std::move(summands), std::move(matrices)});
}

Expr rows_of_tiles_pay(Expr rows, Expr columns, Expr summands, Expr matrices) {
  return call("rows_of_tiles_pay", type(PrimType::boolean),
              {std::move(rows), std::move(columns), std::move(summands), std::move(matrices)});
}

Type thread_tile(int rows, bool shallow) {
  return struct_type("ThreadTile<" + std::to_string(rows) + (shallow ? ", tile_depth>" : ">"));
}
Type matrix_tile() { return struct_type("MatrixTile"); }
Extents block_of_tile(const Type& tile) {
  return {var(tile.name + "::column_threads", PrimType::i32), var(tile.name + "::row_threads", PrimType::i32)};
}
Expr rows_of_thread(const Alias& tile) { return var(tile.name + "::rows", PrimType::i32); }
Expr columns_of_thread(const Alias& tile) { return var(tile.name + "::columns", PrimType::i32); }
Expr row_of_tile(const Alias& tile, Expr row) { return call(tile.name + "::row", type(PrimType::i32), {std::move(row)}); }
Expr column_of_tile(const Alias& tile, Expr column) { return call(tile.name + "::column", type(PrimType::i32), {std::move(column)}); }

Expr tile_operand(const Alias& tile, bool of_rows, bool neighbouring_summands, Expr first, Expr size, Expr load) {
  const std::string function = of_rows ? "row_operand" : "column_operand", order = neighbouring_summands ? "summands" : "results";
  return call(function + "<" + tile.name + ", Order::" + order + ">", struct_type("TileOperand"), {std::move(first), std::move(size), std::move(load)});
}

Expr accumulate(const Alias& tile, Expr summands, Expr add, std::vector<Expr> operands) {
  std::vector<Expr> args{std::move(summands), std::move(add)};
  args.insert(args.end(), operands.begin(), operands.end());
  return call("accumulate<" + tile.name + ">", {}, std::move(args));
}

Expr all_summands(Expr count) { return call("all_summands", struct_type("Summands"), {std::move(count)}); }

Expr summands_to_diagonal(Expr count, Expr first, bool of_rows) {
  return call(of_rows ? "summands_up_to_row" : "summands_up_to_column", struct_type("Summands"), {std::move(count), std::move(first)});
}

Expr summands_from_diagonal(Expr count, Expr first, bool of_rows) {
  return call(of_rows ? "summands_from_row" : "summands_from_column", struct_type("Summands"), {std::move(count), std::move(first)});
}

Expr set_all(Expr values, Expr value) { return call("set_all", {}, {std::move(values), std::move(value)}); }
Expr set_rows(Expr values, Expr value) { return call("set_rows", {}, {std::move(values), std::move(value)}); }

Expr add_matrix_product(Expr upper, Expr lower, Expr row_elements, Expr column_element) {
  return call("add_matrix_product", {}, {std::move(upper), std::move(lower), std::move(row_elements), std::move(column_element)});
}

Expr sums_block(Expr width, Expr rows, Expr summands, bool neighbouring_summands) {
  return call("sums_block", block_type(),
              {std::move(width), std::move(rows), std::move(summands), var(neighbouring_summands ? "Order::summands" : "Order::results", struct_type("Order"))});
}

const Expr* shape_of(const Extents& block) {
  const auto is_field = [](const Expr& expr, const char* name) {
    const auto* field = std::get_if<Field>(&expr.head);
    return field && field->name == name && expr.args[0].type == block_type();
  };
  const bool fields = block.y && !block.z && is_field(block.x, "x") && is_field(*block.y, "y") && block.x.args == block.y->args;
  return fields ? block.x.args.data() : nullptr;
}

namespace {

Expr replaced(Expr expr, const Expr& value, const Expr& variable) {
  if (expr == value) return variable;
  for (Expr& arg : expr.args) arg = replaced(std::move(arg), value, variable);
  return expr;
}

}  // namespace

Extents with_variable(Extents grid, const Expr& value, const Expr& variable) {
  grid.x = replaced(std::move(grid.x), value, variable);
  for (std::optional<Expr>* more : {&grid.y, &grid.z})
    if (*more) **more = replaced(std::move(**more), value, variable);
  return grid;
}

Expr rows_per_copy(Expr rows, Expr cells) {
  return call("rows_per_copy", type(PrimType::i64), {std::move(rows), std::move(cells)});
}

Expr copies_pay(Expr rows, Expr rows_per_block, Expr copy_bytes) {
  return call("copies_pay", type(PrimType::boolean), {std::move(rows), std::move(rows_per_block), std::move(copy_bytes)});
}

Expr row_pitch(Expr width, Expr elem_bytes) {
  return call("row_pitch", type(PrimType::i64), {std::move(width), std::move(elem_bytes)});
}

Expr staged_rows_for(Expr row_bytes) { return call("staged_rows_for", type(PrimType::u32), {std::move(row_bytes)}); }

Expr stage_rows(Expr staged, Expr elements, Expr rows, Expr width, Expr pitch) {
  return call("stage_rows", {}, {std::move(staged), std::move(elements), std::move(rows), std::move(width), std::move(pitch)});
}

Expr copies_for(Expr copy_bytes, Expr cells, Expr rows_per_block, Expr rows_at_a_time) {
  return call("copies_for", type(PrimType::i32),
              {std::move(copy_bytes), std::move(cells), std::move(rows_per_block), std::move(rows_at_a_time)});
}

Expr combine_row(Expr value, Expr op) {
  const Type result = value.type;
  return call("combine_row", result, {std::move(value), std::move(op)});
}

Expr combine_column(Expr value, Expr op) {
  const Type result = value.type;
  return call("combine_column", result, {std::move(value), std::move(op)});
}

Type peers_type() { return struct_type("WarpPeers"); }
Expr warp_peers(Expr cell) { return call("warp_peers", peers_type(), {std::move(cell)}); }
Expr* call_of_peers(Stm& stm) {
  auto* let = std::get_if<Let>(&stm.what);
  return let && let->value && let->type == peers_type() ? &*let->value : nullptr;
}

Expr scan_values(Expr values, Expr start, Expr op, bool inclusive) {
  return call(inclusive ? "scan_up_to" : "scan_before", {}, {std::move(values), std::move(start), std::move(op)});
}

Expr reduce_values(Expr values, Expr start, Expr op) {
  const Type result = start.type;
  return call("reduce_all", result, {std::move(values), std::move(start), std::move(op)});
}

bool is_combination(const std::string& function) {
  return function == "combine_row" || function == "combine_column" || function == "scan_before" || function == "scan_up_to" ||
         function == "reduce_all";
}

bool has_barriers(const std::string& function) { return is_combination(function) || without_arguments(function) == "accumulate"; }

Expr min(Expr x, Expr y) {
  const Type result = x.type;
  return call("min", result, {std::move(x), std::move(y)});
}

Expr max(Expr x, Expr y) {
  const Type result = x.type;
  return call("max", result, {std::move(x), std::move(y)});
}

Expr check_index(Expr failure, int site, Expr index, Expr size) {
  return call("check_index", type(PrimType::boolean),
              {std::move(failure), lit(site, PrimType::i32), std::move(index), std::move(size)});
}

Expr check_divisor(Expr failure, int site, Expr divisor) {
  return call("check_divisor", type(PrimType::boolean),
              {std::move(failure), lit(site, PrimType::i32), std::move(divisor)});
}

Expr has_failed(Expr failure) {
  return call("has_failed", type(PrimType::boolean), {std::move(failure)});
}

bool is_check(const std::string& function) {
  return function == "check_index" || function == "check_divisor";
}

bool is_constant(const std::string& name) {
  const std::string owner = without_arguments(name.substr(0, name.find("::")));
  return contains(constants, name) || (owner != name && (owner == "ThreadTile" || owner == matrix_tile().name));
}
bool is_function(const std::string& name) { return contains(functions, without_arguments(name)); }
std::string without_arguments(const std::string& function) { return function.substr(0, function.find('<')); }

}  // namespace runtime

Op swapped(Op relation) {
  switch (relation) {
    case Op::lt:
      return Op::gt;
    case Op::le:
      return Op::ge;
    case Op::gt:
      return Op::lt;
    case Op::ge:
      return Op::le;
    default:
      return relation;
  }
}

Expr scratch_field(std::string name, Type type) {
  return field(var("buffers", struct_type("Scratch")), std::move(name), std::move(type));
}

}  // namespace boustro::plan
