#include "emit/plan/planner/arithmetic.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace boustro::plan::planner {

bool is_zero(const Expr& expr) { return int_value(expr) == 0; }
bool is_one(const Expr& expr) { return int_value(expr) == 1; }

Expr fitted(const Expr& x, const Expr& other) {
  const auto value = int_value(x);
  if (!value || !is_integer(other.type) || int_value(other)) return x;
  const bool small = *value >= INT32_MIN && *value <= INT32_MAX;
  return small || other.type.prim != PrimType::i32 ? lit(*value, other.type.prim) : x;
}

namespace {

/// Of few sizes.
constexpr std::int64_t most_of_sum = size_range.high << 6;
/// Of one array.
constexpr std::int64_t most_elements = std::int64_t{1} << 44;
/// Of two sums of sizes.
constexpr std::int64_t most_of_product = std::int64_t{1} << 58;

bool lies_within(std::int64_t bound, __int128 low, __int128 high) { return low >= -bound && high <= bound; }

bool is_int_or_size(const Range& range) { return range.size || lies_within(std::int64_t{1} << 31, range.low, range.high); }

bool are_sizes(const Range& x, const Range& y) { return (x.size || y.size) && is_int_or_size(x) && is_int_or_size(y); }

/// The bounds of what is computed from x and y, unless it may overflow.
std::optional<Range> bounded(const Range& x, const Range& y, __int128 low, __int128 high) {
  if (low < INT64_MIN || high > INT64_MAX) return std::nullopt;
  const bool size = are_sizes(x, y) && lies_within(most_of_sum, low, high);
  return Range{static_cast<std::int64_t>(low), static_cast<std::int64_t>(high), size};
}

/// What 0 - x takes away.
const Expr* taken_away(const Expr& expr) {
  return expr.head == Head(Op::sub) && is_zero(expr.args[0]) ? &expr.args[1] : nullptr;
}

/// x + constant where x is a sum that has a constant, which then takes it up: n - 1 - i + 1 is n - i.
std::optional<Expr> taken_up(const Expr& x, std::int64_t constant) {
  const Op* kind = std::get_if<Op>(&x.head);
  if (!kind || !is_integer(x.type) || values::is_unsigned(x.type.prim) || (*kind != Op::add && *kind != Op::sub)) return std::nullopt;
  if (const auto own = int_value(x.args[1])) return plus(x.args[0], lit(constant + (*kind == Op::add ? *own : -*own)));
  const auto first = taken_up(x.args[0], constant);
  if (!first) return std::nullopt;
  return *kind == Op::add ? plus(*first, x.args[1]) : minus(*first, x.args[1]);
}

}  // namespace

Expr plus(const Expr& x, const Expr& y) {
  if (is_zero(x)) return y;
  if (is_zero(y)) return x;
  const auto a = int_value(x), b = int_value(y);
  if (a && b) return lit(*a + *b);
  if (const Expr* less = taken_away(x)) return minus(y, *less);
  if (b) {
    if (const auto sum = taken_up(x, *b)) return *sum;
  }
  if (b && *b < 0) return x - fitted(lit(-*b), x);
  // x + y * -1
  const Op* op = std::get_if<Op>(&y.head);
  if (op && *op == Op::mul && int_value(y.args[1]) == -1) return minus(x, y.args[0]);
  return fitted(x, y) + fitted(y, x);
}

Expr minus(const Expr& x, const Expr& y) {
  if (is_zero(y)) return x;
  const auto a = int_value(x), b = int_value(y);
  if (a && b) return lit(*a - *b);
  if (b) {
    if (const auto sum = taken_up(x, -*b)) return *sum;
  }
  if (x == y && !reads_changing(x)) return lit(0);
  return fitted(x, y) - fitted(y, x);
}

Expr times(const Expr& x, const Expr& y) {
  if (is_zero(x) || is_one(y)) return x;
  if (is_zero(y) || is_one(x)) return y;
  const auto a = int_value(x), b = int_value(y);
  if (a && b) return lit(*a * *b);
  // A sign stands last, where a sum or a stride shows it.
  if (a == -1) return times(y, x);
  if (is_negated(y)) return times(times(x, y.args[0]), y.args[1]);
  return fitted(x, y) * fitted(y, x);
}

bool is_negated(const Expr& expr) {
  return expr.head == Head(Op::mul) && int_value(expr.args[1]) == -1;
}

namespace {

/// A conversion to an integer type that has all numbers of the operand's.
bool widens(const Expr& expr) {
  if (!std::holds_alternative<Cast>(expr.head) || !is_integer(expr.args[0].type)) return false;
  const PrimType from = expr.args[0].type.prim, to = expr.type.prim;
  if (values::is_signed(from) == values::is_signed(to))
    return values::byte_size(from) <= values::byte_size(to);
  return values::is_signed(to) && values::byte_size(from) < values::byte_size(to);
}

/// Arithmetic of unsigned types goes on after 0. Operators of the others stand where nothing overflows.
bool wraps(const Expr& expr) {
  return std::holds_alternative<Op>(expr.head) && values::is_unsigned(expr.type.prim);
}

/// The summands of an expression, each with how often it occurs, and the constant one.
class Sum {
 public:
  void add(const Expr& expr, std::int64_t times) {
    if (const auto value = int_value(expr)) {
      constant_ += times * *value;
    } else if (widens(expr)) {
      add(expr.args[0], times);
    } else if (wraps(expr)) {
      add_term(expr, times);
    } else if (expr.head == Head(Op::add) || expr.head == Head(Op::sub)) {
      add(expr.args[0], times);
      add(expr.args[1], expr.head == Head(Op::add) ? times : -times);
    } else if (const auto factor = expr.head == Head(Op::mul) ? int_value(expr.args[0]) : std::nullopt) {
      add(expr.args[1], times * *factor);
    } else if (const auto factor = expr.head == Head(Op::mul) ? int_value(expr.args[1]) : std::nullopt) {
      add(expr.args[0], times * *factor);
    } else {
      add_term(expr, times);
    }
  }

  std::optional<std::int64_t> value() const {
    const bool known = std::all_of(terms_.begin(), terms_.end(),
                                   [](const auto& term) { return term.second == 0; });
    return known ? std::optional(constant_) : std::nullopt;
  }

 private:
  void add_term(const Expr& expr, std::int64_t times) {
    for (auto& [term, count] : terms_) {
      if (term == expr) {
        count += times;
        return;
      }
    }
    terms_.emplace_back(expr, times);
  }

  std::int64_t constant_ = 0;
  std::vector<std::pair<Expr, std::int64_t>> terms_;
};

}  // namespace

std::optional<std::int64_t> known_difference(const Expr& x, const Expr& y) {
  Sum difference;
  difference.add(x, 1);
  difference.add(y, -1);
  return difference.value();
}

bool same_position(const Expr& x, const Expr& y) { return known_difference(x, y) == 0; }

Expr at_least_zero(const Expr& x) {
  const auto value = int_value(x);
  if (value) return *value >= 0 ? x : lit(0, x.type.prim);
  const Expr zero = lit(0, x.type.prim);
  const auto* call = std::get_if<Call>(&x.head);
  return call && call->function == "max" && x.args[1] == zero ? x : runtime::max(x, zero);
}

Expr product(const std::vector<Expr>& factors) {
  Expr result = lit(1);
  for (const Expr& factor : factors) result = times(result, factor);
  return result;
}

namespace {

/// The expression where the condition is known.
Expr given(const Expr& condition, bool holds, Expr expr) {
  if (expr.head == Head(Op::select) && expr.args[0] == condition)
    return given(condition, holds, expr.args[holds ? 1 : 2]);
  for (Expr& arg : expr.args) arg = given(condition, holds, std::move(arg));
  return expr;
}

}  // namespace

namespace {

std::optional<bool> decided(Op kind, std::int64_t x, std::int64_t y) {
  switch (kind) {
    case Op::eq: return x == y;
    case Op::ne: return x != y;
    case Op::lt: return x < y;
    case Op::le: return x <= y;
    default: return std::nullopt;
  }
}

}  // namespace

Expr compared(Op kind, const Expr& x, const Expr& y) {
  std::optional<bool> known;
  const auto a = int_value(x), b = int_value(y);
  if (a && b && !values::is_unsigned(x.type.prim)) known = decided(kind, *a, *b);
  if (is_integer(x.type) && x == y) known = decided(kind, 0, 0);
  return known ? lit(PrimValue::of_bool(*known)) : op(kind, x, y);
}

Expr opposite(const Expr& condition) {
  static const std::map<Op, Op> opposites = {{Op::lt, Op::ge}, {Op::ge, Op::lt}, {Op::gt, Op::le}, {Op::le, Op::gt}, {Op::eq, Op::ne}, {Op::ne, Op::eq}};
  const Op* kind = std::get_if<Op>(&condition.head);
  if (kind && *kind == Op::logical_not) return condition.args[0];
  const auto found = kind ? opposites.find(*kind) : opposites.end();
  // No float is less than a NaN, nor is it at least that.
  const bool flips = found != opposites.end() && (is_integer(condition.args[0].type) || *kind == Op::eq || *kind == Op::ne);
  return flips ? op(found->second, condition.args[0], condition.args[1]) : !condition;
}

Expr connected(Op kind, const Expr& x, const Expr& y) {
  const Expr neutral = lit(PrimValue::of_bool(kind == Op::logical_and));
  if (x == neutral) return y;
  if (y == neutral) return x;
  const Expr other = lit(PrimValue::of_bool(kind != Op::logical_and));
  return x == other || y == other ? other : op(kind, x, y);
}

Expr chosen(const Expr& condition, const Expr& x, const Expr& y) {
  return select(condition, given(condition, true, x), given(condition, false, y));
}

Scalar literal(PrimValue value) {
  Scalar result{.expr = lit(value), .upper = lit(value), .range = {}, .exact = true};
  if (values::is_integer(value.type)) result.range = Range{value.as_int(), value.as_int()};
  return result;
}

Scalar size_literal(std::int64_t value) { return literal(PrimValue::of_int(PrimType::i64, value)); }

std::optional<Range> add(const std::optional<Range>& x, const std::optional<Range>& y) {
  if (!x || !y) return std::nullopt;
  return bounded(*x, *y, __int128{x->low} + y->low, __int128{x->high} + y->high);
}

std::optional<Range> subtract(const std::optional<Range>& x, const std::optional<Range>& y) {
  if (!x || !y) return std::nullopt;
  return bounded(*x, *y, __int128{x->low} - y->high, __int128{x->high} - y->low);
}

std::optional<Range> multiply(const std::optional<Range>& x, const std::optional<Range>& y) {
  if (!x || !y) return std::nullopt;
  const __int128 corners[] = {__int128{x->low} * y->low, __int128{x->low} * y->high,
                              __int128{x->high} * y->low, __int128{x->high} * y->high};
  const __int128 low = *std::min_element(std::begin(corners), std::end(corners));
  const __int128 high = *std::max_element(std::begin(corners), std::end(corners));
  const bool known = x->low == x->high || y->low == y->high;
  if (known || !are_sizes(*x, *y)) return bounded(*x, *y, low, high);
  return Range{static_cast<std::int64_t>(std::max<__int128>(low, -most_of_product)),
               static_cast<std::int64_t>(std::min<__int128>(high, most_of_product))};
}

std::optional<Range> counted(const std::optional<Range>& x, const std::optional<Range>& y) {
  const auto may_count = [](const std::optional<Range>& range) { return range && lies_within(most_elements, range->low, range->high); };
  if (!may_count(x) || !may_count(y)) return multiply(x, y);
  const bool may_be_negative = x->low < 0 || y->low < 0;
  const Range product = multiply(x, y).value_or(Range{may_be_negative ? -most_elements : 0, most_elements});
  return Range{std::max(product.low, -most_elements), std::min(product.high, most_elements), true};
}

std::optional<Range> divide(const std::optional<Range>& x, const std::optional<Range>& y) {
  if (!x || !y || y->low <= 0) return std::nullopt;
  const auto rounded_down = [](std::int64_t a, std::int64_t b) {
    return a / b - (a % b != 0 && a < 0 ? 1 : 0);
  };
  return Range{std::min(rounded_down(x->low, y->low), rounded_down(x->low, y->high)),
               std::max(rounded_down(x->high, y->low), rounded_down(x->high, y->high)), x->size};
}

std::optional<Range> remainder(const std::optional<Range>& x, const std::optional<Range>& y) {
  if (!not_negative(x) || !y || y->low <= 0) return std::nullopt;
  return Range{0, std::min(x->high, y->high - 1), x->size || y->size};
}

std::optional<Range> rounded_range(ir::MathFn fn, const std::optional<Range>& x) {
  if (!x) return std::nullopt;
  switch (fn) {
    case ir::MathFn::sqrt: {
      if (x->low < 0) return std::nullopt;
      const auto root = [](std::int64_t number) { return std::sqrt(static_cast<double>(number)); };  // rounded as that of the program is
      return Range{static_cast<std::int64_t>(std::floor(root(x->low))), static_cast<std::int64_t>(std::ceil(root(x->high))), x->size};
    }
    case ir::MathFn::floor:
    case ir::MathFn::ceil:
    case ir::MathFn::trunc:
    case ir::MathFn::round:
      return x;
    default:
      return std::nullopt;
  }
}

std::optional<Range> smaller(const std::optional<Range>& x, const std::optional<Range>& y) {
  if (!x || !y) return x || y ? std::optional(Range{INT64_MIN, x ? x->high : y->high}) : std::nullopt;
  return Range{std::min(x->low, y->low), std::min(x->high, y->high), are_sizes(*x, *y)};
}

std::optional<Range> larger(const std::optional<Range>& x, const std::optional<Range>& y) {
  if (!x || !y) return x || y ? std::optional(Range{x ? x->low : y->low, INT64_MAX}) : std::nullopt;
  return Range{std::max(x->low, y->low), std::max(x->high, y->high), are_sizes(*x, *y)};
}

std::optional<Range> join(const std::optional<Range>& x, const std::optional<Range>& y) {
  if (!x || !y) return std::nullopt;
  return Range{std::min(x->low, y->low), std::max(x->high, y->high), are_sizes(*x, *y)};
}

Range indices_below(const Range& size) { return {0, std::max<std::int64_t>(size.high - 1, 0), size.size}; }

Range as_size(const Range& range) {
  return {std::max<std::int64_t>(range.low, 0), std::max<std::int64_t>(range.high, 0), range.size};
}

bool fits(const std::optional<Range>& range, PrimType type) {
  if (!range || !values::is_integer(type)) return false;
  if (values::byte_size(type) == 8) return values::is_signed(type) || range->low >= 0;
  const std::int64_t count = std::int64_t{1} << (8 * values::byte_size(type));
  const std::int64_t low = values::is_signed(type) ? -count / 2 : 0;
  return range->low >= low && range->high < low + count;
}

bool fits_int(const std::optional<Range>& range) { return fits(range, PrimType::i32); }

bool not_negative(const std::optional<Range>& range) { return range && range->low >= 0; }

int node_count(const Expr& expr) {
  int count = 1;
  for (const Expr& arg : expr.args) count += node_count(arg);
  return count;
}

int operation_count(const Expr& expr) {
  if (std::holds_alternative<Element>(expr.head)) return 0;
  const bool is_step = std::holds_alternative<Op>(expr.head) || std::holds_alternative<Intrinsic>(expr.head) || std::holds_alternative<Call>(expr.head);
  int count = is_step ? 1 : 0;
  for (const Expr& arg : expr.args) count += operation_count(arg);
  return count;
}

bool is_simple(const Expr& expr) { return expr.args.empty(); }

bool reads_changing(const Expr& expr) {
  if (std::holds_alternative<Element>(expr.head) && !expr.args[0].type.read_only) return true;
  return std::any_of(expr.args.begin(), expr.args.end(), reads_changing);
}

bool mentions(const Expr& expr, const std::string& variable) {
  if (const auto* v = std::get_if<Var>(&expr.head)) return v->name == variable;
  return std::any_of(expr.args.begin(), expr.args.end(),
                     [&](const Expr& arg) { return mentions(arg, variable); });
}

}  // namespace boustro::plan::planner
