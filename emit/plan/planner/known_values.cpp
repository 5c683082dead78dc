#include "emit/plan/planner/known_values.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <vector>

#include "emit/plan/build.hpp"

namespace boustro::plan::planner {

/// What an emitted file asks when it runs, asked by its own text.
namespace emitted {
#include "templates/copies_pay.cuh"
#include "templates/max_threads.cuh"
#include "templates/row_pitch.cuh"
#include "templates/row_threads_for.cuh"
#include "templates/rows_of_tiles_pay.cuh"
#include "templates/rows_per_copy.cuh"
#include "templates/slab_size_for.cuh"
#include "templates/staged_rows_for.cuh"
#include "templates/tiles_pay.cuh"
}  // namespace emitted

namespace {

using Integers = std::vector<std::int64_t>;
using Integer = std::optional<std::int64_t>;

const std::map<std::string, std::int64_t>& constants() {
  static const std::map<std::string, std::int64_t> values{
      {"block_size", emitted::block_size}, {"max_threads", emitted::max_threads}, {"max_shared_bytes", emitted::max_shared_bytes},
      {"tile_depth", emitted::tile_depth}, {"tile_width", emitted::tile_width}};
  return values;
}

struct HostFunction {
  std::size_t arity;
  std::function<std::int64_t(const Integers&)> value;
};

std::size_t bytes(std::int64_t count) { return static_cast<std::size_t>(count); }

const std::map<std::string, HostFunction>& functions() {
  static const std::map<std::string, HostFunction> table{
      {"min", {2, [](const Integers& x) { return std::min(x[0], x[1]); }}},
      {"max", {2, [](const Integers& x) { return std::max(x[0], x[1]); }}},
      {"tiles_pay", {4, [](const Integers& x) { return emitted::tiles_pay(x[0], x[1], x[2], x[3]); }}},
      {"rows_of_tiles_pay", {4, [](const Integers& x) { return emitted::rows_of_tiles_pay(x[0], x[1], x[2], x[3]); }}},
      {"row_threads_for", {2, [](const Integers& x) { return emitted::row_threads_for(x[0], x[1]); }}},
      {"slab_size_for", {2, [](const Integers& x) { return emitted::slab_size_for(x[0], x[1]); }}},
      {"row_pitch", {2, [](const Integers& x) { return emitted::row_pitch(x[0], bytes(x[1])); }}},
      {"staged_rows_for", {1, [](const Integers& x) { return emitted::staged_rows_for(bytes(x[0])); }}},
      {"rows_per_copy", {2, [](const Integers& x) { return emitted::rows_per_copy(x[0], x[1]); }}},
      {"copies_pay", {3, [](const Integers& x) { return emitted::copies_pay(x[0], x[1], bytes(x[2])); }}}};
  return table;
}

Integer added(std::int64_t x, std::int64_t y) {
  std::int64_t sum = 0;
  return __builtin_add_overflow(x, y, &sum) ? Integer() : sum;
}
Integer subtracted(std::int64_t x, std::int64_t y) {
  std::int64_t difference = 0;
  return __builtin_sub_overflow(x, y, &difference) ? Integer() : difference;
}
Integer multiplied(std::int64_t x, std::int64_t y) {
  std::int64_t product = 0;
  return __builtin_mul_overflow(x, y, &product) ? Integer() : product;
}
/// As C++; -1 is no size.
Integer divided(std::int64_t x, std::int64_t y) { return y <= 0 ? Integer() : x / y; }
Integer remaining(std::int64_t x, std::int64_t y) { return y <= 0 ? Integer() : x % y; }

Integer applied(Op op, std::int64_t x, std::int64_t y) {
  switch (op) {
    case Op::mul: return multiplied(x, y);
    case Op::div: return divided(x, y);
    case Op::rem: return remaining(x, y);
    case Op::add: return added(x, y);
    case Op::sub: return subtracted(x, y);
    case Op::lt: return x < y;
    case Op::le: return x <= y;
    case Op::gt: return x > y;
    case Op::ge: return x >= y;
    case Op::eq: return x == y;
    case Op::ne: return x != y;
    case Op::bit_and: return x & y;
    case Op::bit_or: return x | y;
    default: return std::nullopt;
  }
}

/// The language's, which C++ has no operator for; towards minus infinity is towards 0 for what is not negative.
Integer applied(ir::BinOpKind kind, std::int64_t x, std::int64_t y) {
  using ir::BinOpKind;
  switch (kind) {
    case BinOpKind::add: return added(x, y);
    case BinOpKind::sub: return subtracted(x, y);
    case BinOpKind::mul: return multiplied(x, y);
    case BinOpKind::div: return x < 0 ? Integer() : divided(x, y);
    case BinOpKind::mod: return x < 0 ? Integer() : remaining(x, y);
    case BinOpKind::quot: return divided(x, y);
    case BinOpKind::rem: return remaining(x, y);
    case BinOpKind::min: return std::min(x, y);
    case BinOpKind::max: return std::max(x, y);
    default: return std::nullopt;
  }
}

bool counts(const Type& type) { return !type.pointer && (is_bool(type) || is_integer(type) || type == size_type()); }
bool is_unsigned(const Type& type) { return type == size_type() || values::is_unsigned(type.prim); }

/// That a type of fewer bits, or without a sign, has.
bool fits(std::int64_t value, const Type& type) {
  if (is_unsigned(type) && value < 0) return false;
  const bool narrow = type != size_type() && values::byte_size(type.prim) < 8;
  return !narrow || (value >= INT32_MIN && value <= INT32_MAX);
}

}  // namespace

std::optional<Known> KnownValues::of(const Expr& expr) const {
  if (!counts(expr.type)) return std::nullopt;
  const std::optional<Known> known = ir::match(
      expr.head,
      [&](const Var& variable) -> std::optional<Known> {
        if (const auto constant = constants().find(variable.name); constant != constants().end()) return Known{constant->second, true};
        const auto found = variables_.find(variable.name);
        return found == variables_.end() ? std::nullopt : std::optional(found->second);
      },
      [&](const Literal& literal) -> std::optional<Known> {
        return Known{is_bool(expr.type) ? static_cast<std::int64_t>(literal.value.bits != 0) : literal.value.as_int(), true};
      },
      [&](const SizeOf& size) -> std::optional<Known> {
        if (size.of.pointer || !size.of.name.empty()) return std::nullopt;
        return Known{values::byte_size(size.of.prim), true};
      },
      [&](const Cast&) { return is_bool(expr.type) ? std::nullopt : of(expr.args[0]); },
      [&](Op op) { return of_operator(op, expr); },
      [&](const Intrinsic& intrinsic) -> std::optional<Known> {
        const auto* kind = std::get_if<ir::BinOpKind>(&intrinsic.fn);
        if (!kind || expr.args.size() != 2) return std::nullopt;
        const auto x = of(expr.args[0]), y = of(expr.args[1]);
        const Integer value = x && y ? applied(*kind, x->value, y->value) : std::nullopt;
        return value ? std::optional(Known{*value, x->exact && y->exact}) : std::nullopt;
      },
      [&](const Call& call) { return of_function(call.function, expr); }, [](const auto&) -> std::optional<Known> { return std::nullopt; });
  return known && fits(known->value, expr.type) ? known : std::nullopt;
}

std::optional<Known> KnownValues::of_operator(Op op, const Expr& expr) const {
  if (op == Op::logical_and || op == Op::logical_or) return all_of(op == Op::logical_and, expr);
  std::vector<Known> args;
  for (const Expr& arg : expr.args) {
    const auto known = of(arg);
    if (!known) return std::nullopt;
    args.push_back(*known);
  }
  if (op == Op::logical_not) return Known{args[0].value == 0, args[0].exact};
  if (op == Op::neg) return Known{-args[0].value, args[0].exact};
  const Integer value = args.size() == 2 ? applied(op, args[0].value, args[1].value) : std::nullopt;
  return value ? std::optional(Known{*value, args[0].exact && args[1].exact}) : std::nullopt;
}

/// x && y, or else x || y: one of them may decide.
std::optional<Known> KnownValues::all_of(bool conjunction, const Expr& expr) const {
  const auto x = of(expr.args[0]), y = of(expr.args[1]);
  std::optional<Known> decided;
  for (const auto& known : {x, y})
    if (known && (known->value == 0) == conjunction && (!decided || known->exact)) decided = known;
  if (decided) return decided;
  return x && y ? std::optional(Known{conjunction, x->exact && y->exact}) : std::nullopt;
}

std::optional<Known> KnownValues::of_function(const std::string& function, const Expr& expr) const {
  const auto found = functions().find(function);
  if (found == functions().end() || found->second.arity != expr.args.size()) return std::nullopt;
  Integers args;
  bool exact = true;
  for (const Expr& arg : expr.args) {
    const auto known = of(arg);
    if (!known) return std::nullopt;
    args.push_back(known->value);
    exact = exact && known->exact;
  }
  return Known{found->second.value(args), exact};
}

}  // namespace boustro::plan::planner
