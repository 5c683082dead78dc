// Operands and scalar expressions.
#include "emit/plan/planner/code.hpp"
#include "emit/plan/planner/entry.hpp"
#include "emit/plan/walk.hpp"
#include "frontend/source/messages.hpp"
#include "transform/ir/print.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::plan::planner {

using ir::BinOpKind;
using ir::UnOpKind;
using source::internal_check;

Type scalar_type(PrimType prim) { return type(prim); }

const Value& Code::value_of(const ir::Name& name) {
  const auto found = values_.find(name);
  if (found != values_.end()) return found->second;
  return values_.emplace(name, surroundings_.import(name)).first->second;
}

Scalar Code::scalar(const ir::Atom& atom) {
  const ir::Name* name = ir::name_in(atom);
  if (!name) return literal(*ir::literal_in(atom));
  const Value& value = value_of(*name);
  if (const auto* view = std::get_if<View>(&value)) return load(*view);
  if (std::holds_alternative<Cell>(value)) {  // the host, which does not wait for it
    source::refuse(source::Message::plan_cannot_translate, context_.place(),
                   "what the host decides by a number that is known only while it runs");
  }
  const auto* scalar = std::get_if<Scalar>(&value);
  internal_check(scalar, "plan: no scalar: " + ir::to_string(*name));
  if (!outside_) return *scalar;
  Scalar known = *scalar;
  known.expr = *known.upper;
  known.end.reset();  // is of the kernel
  return known;
}

namespace {

/// An i64 that an `int` holds, as an i64.
Expr widened(const Expr& expr, PrimType to) {
  if (const auto value = int_value(expr)) return lit(*value, to);
  return cast(to, expr);
}

}  // namespace

Expr Code::value(const ir::Atom& atom) {
  const Expr expr = scalar(atom).expr;
  const PrimType prim =
      ir::name_in(atom) ? context_.names.type_of(atom).elem : ir::literal_in(atom)->type;
  return expr.type.prim == prim ? expr : widened(expr, prim);
}

Expr Code::final_value(const ir::Atom& atom) {
  const Expr expr = value(atom);
  const ir::Name* name = ir::name_in(atom);
  const auto* variable = std::get_if<Var>(&expr.head);
  const auto* let = out_.empty() ? nullptr : std::get_if<Let>(&out_.back().what);
  const bool just_computed = name && variable && let && let->name == variable->name && let->value &&
                             !let->changes && context_.uses.once(*name);
  if (!just_computed) return expr;
  const Expr result = *let->value;
  identifiers_.release(let->name);
  out_.pop_back();
  return result;
}

View Code::view(const ir::Name& name) {
  const auto* view = std::get_if<View>(&value_of(name));
  internal_check(view, "plan: no array: " + ir::to_string(name));
  return *view;
}

Accumulator Code::accumulator(const ir::Name& name) {
  const auto* accumulator = std::get_if<Accumulator>(&value_of(name));
  internal_check(accumulator, "plan: no accumulator: " + ir::to_string(name));
  return *accumulator;
}

std::vector<Scalar> Code::extents(const ir::Shape& shape) {
  std::vector<Scalar> result;
  for (const ir::Atom& size : shape) {
    const ir::Name* name = ir::name_in(size);
    if (name && std::holds_alternative<Cell>(value_of(*name)))
      refuse_unknown_size(context_.place());
    Scalar extent = scalar(size);
    // In code that does not run a size, or what bounds it, may be negative, while memory is laid out for it: n - 1 bounds the index of a loop.
    const bool value_bounds = extent.exact && not_negative(extent.range);
    if (extent.upper && !value_bounds && !context_.is_never_negative(*extent.upper))
      extent.upper = at_least_zero(*extent.upper);
    if (!extent.range) extent.range = size_range;
    result.push_back(std::move(extent));
  }
  return result;
}

// ---- Names for values

bool Code::says_more(const ir::Name& name, const Expr& expr) const {
  const int most_nodes = 12, most_operations = 2;
  if (node_count(expr) > most_nodes) return true;
  const Use use = context_.uses.of(name);
  if (!values::is_float(expr.type.prim) || !use.has_meaning || !use.is_operand) return false;
  const bool element = std::holds_alternative<Element>(expr.head);
  return operation_count(element ? expr.args[1] : expr) > most_operations;
}

void Code::bind_scalar(const ir::Name& name, Scalar scalar) {
  scalar.nonzero = is_integer(scalar.expr.type) && nonzero_.proves(scalar);
  // On the host, n - 1 is as good as a name for it.
  const Op* op = std::get_if<Op>(&scalar.expr.head);
  const bool short_size = surroundings_.host && scalar.exact && op &&
                          (*op == Op::add || *op == Op::sub) && is_integer(scalar.expr.type) &&
                          is_simple(scalar.expr.args[0]) && int_value(scalar.expr.args[1]);
  const bool fold = short_size || (context_.uses.once(name) && !reads_changing(scalar.expr) && !says_more(name, scalar.expr));
  const bool unused = context_.uses.of(name).count == 0 && context_.names.type_of(name).is_scalar();
  if (!is_simple(scalar.expr) && !fold && !unused) {
    const bool early = surroundings_.host && scalar.exact;
    const bool late = context_.is_late(scalar.expr);
    scalar.expr = early ? named_early(name.base, scalar.expr) : named(name.base, scalar.expr);
    if (early) scalar.upper = scalar.expr;
    if (early && !late) add_names(scalar.expr, context_.early_variables);
  }
  bind(name, std::move(scalar));
}

Expr Code::named(std::string_view base, const Expr& expr, std::string comment) {
  if (is_simple(expr)) return expr;
  // A row of an array of the same name.
  const bool row = expr.type.pointer && identifiers_.taken(identifier(base));
  const std::string name = identifiers_.fresh(row ? ir::with_ending(base, "_row") : std::string(base));
  emit(Stm(Let{.name = name, .type = expr.type, .value = expr}).with_above(std::move(comment)));
  return var(name, expr.type);
}

Expr Code::named_early(std::string_view base, const Expr& expr) {
  const std::string name = identifiers_.fresh_outside(base);
  emit(Let{.name = name, .type = expr.type, .value = expr});
  return var(name, expr.type);
}

Expr Code::variable(std::string_view base, Type type, std::optional<Expr> value, std::string comment) {
  const std::string name = identifiers_.fresh(base);
  if (value && value->type != type && int_value(*value)) value = lit(*int_value(*value), type.prim);
  emit(Stm(Let{.name = name, .type = type, .value = std::move(value), .changes = true})
           .with_above(std::move(comment)));
  return var(name, type);
}

void Code::assign(const Expr& target, const Expr& value) {
  if (target == value) return;
  const Op* op = std::get_if<Op>(&value.head);
  const bool accumulates =
      op && (*op == Op::add || *op == Op::sub || *op == Op::mul) && value.args.size() == 2;
  if (accumulates && value.args[0] == target) return emit(Assign{target, value.args[1], *op});
  if (accumulates && *op != Op::sub && value.args[1] == target)
    return emit(Assign{target, value.args[0], *op});
  if (int_value(value)) return emit(Assign{target, lit(*int_value(value), target.type.prim)});
  emit(Assign{target, value});
}

// ---- Scalar expressions

namespace {

/// Integers that C++ computes with in their own type, without promotion.
bool is_machine_integer(PrimType type) {
  return values::is_integer(type) && values::byte_size(type) >= 4;
}

bool cannot_fail_to_divide(const Expr& divisor) {
  const auto value = int_value(divisor);
  return value && *value > 0;
}

Scalar unop(const ir::UnOp& e, Expr x) {
  if (e.kind == UnOpKind::neg && values::is_float(e.type)) return {-x};
  if (e.kind == UnOpKind::complement && e.type == PrimType::boolean) return {!x};
  if (e.kind == UnOpKind::complement && is_machine_integer(e.type)) return {op(Op::complement, x)};
  return {intrinsic(e.kind, x)};
}

/// Operators that need no care: of floats, bool and unsigned integers, and comparisons.
std::optional<Op> plain_operator(BinOpKind kind, PrimType type, const Expr& y) {
  const bool is_float = values::is_float(type);
  const bool is_bool = type == PrimType::boolean;
  const bool wraps = values::is_unsigned(type) && is_machine_integer(type);
  const bool bits = is_machine_integer(type);
  switch (kind) {
    case BinOpKind::add:
      return is_float || wraps ? std::optional(Op::add) : std::nullopt;
    case BinOpKind::sub:
      return is_float || wraps ? std::optional(Op::sub) : std::nullopt;
    case BinOpKind::mul:
      return is_float || wraps ? std::optional(Op::mul) : std::nullopt;
    case BinOpKind::div:
      return is_float || (wraps && cannot_fail_to_divide(y)) ? std::optional(Op::div)
                                                             : std::nullopt;
    case BinOpKind::mod:
      return wraps && cannot_fail_to_divide(y) ? std::optional(Op::rem) : std::nullopt;
    case BinOpKind::quot:
      return bits && cannot_fail_to_divide(y) ? std::optional(Op::div) : std::nullopt;
    case BinOpKind::rem:
      return bits && cannot_fail_to_divide(y) ? std::optional(Op::rem) : std::nullopt;
    case BinOpKind::bit_and:
      return is_bool ? Op::logical_and : bits ? std::optional(Op::bit_and) : std::nullopt;
    case BinOpKind::bit_or:
      return is_bool ? Op::logical_or : bits ? std::optional(Op::bit_or) : std::nullopt;
    case BinOpKind::bit_xor:
      return is_bool ? Op::ne : bits ? std::optional(Op::bit_xor) : std::nullopt;
    default:
      return std::nullopt;
  }
}

/// An upper bound of the result from those of the operands.
std::optional<Expr> upper_of(BinOpKind kind, const Scalar& x, const Scalar& y) {
  const bool x_sign = not_negative(x.range), y_sign = not_negative(y.range);
  const bool monotone = kind == BinOpKind::add || kind == BinOpKind::max ||
                        kind == BinOpKind::min || (kind == BinOpKind::mul && (x_sign || y_sign));
  if (kind == BinOpKind::min && (x.upper || y.upper)) {
    // What may wrap around may be more than its bound, computed at the end of the indices, says.
    const auto may_wrap = [](const Scalar& number) { return !number.range && !number.exact; };
    if (!x.upper || (y.upper && may_wrap(x) && !may_wrap(y))) return y.upper;
    if (!y.upper || (may_wrap(y) && !may_wrap(x))) return x.upper;
  }
  if (!x.upper) return std::nullopt;
  if (kind == BinOpKind::sub && int_value(y.expr)) return minus(*x.upper, y.expr);
  if (kind == BinOpKind::sub && not_negative(y.range)) return x.upper;
  if ((kind == BinOpKind::div || kind == BinOpKind::quot) && not_negative(x.range) &&
      cannot_fail_to_divide(y.expr)) {
    return *x.upper / y.expr;
  }
  if (!y.upper || !monotone) return std::nullopt;
  if (kind == BinOpKind::add) return plus(*x.upper, *y.upper);
  if (kind == BinOpKind::mul)  // with a factor below 0 it is not above 0
    return times(y_sign && !x_sign ? at_least_zero(*x.upper) : *x.upper,
                 x_sign && !y_sign ? at_least_zero(*y.upper) : *y.upper);
  return kind == BinOpKind::min ? runtime::min(*x.upper, *y.upper)
                                : runtime::max(*x.upper, *y.upper);
}

/// Of x - y where y is an index, known to be less than its end, and x a few times that end: of 2 * d - j, and of d - 1 - j.
std::optional<std::int64_t> least_difference(const Scalar& x, const Scalar& y) {
  if (!y.end || !not_negative(y.range)) return std::nullopt;
  for (const std::int64_t count : {1, 2, 3, 4}) {
    // The end is at least 1, since y is less than it.
    if (const auto more = known_difference(x.expr, times(lit(count), *y.end))) return count + *more;
  }
  return std::nullopt;
}

/// The range without what is below that bound.
std::optional<Range> at_least(const std::optional<std::int64_t>& bound, const std::optional<Range>& range) {
  if (!bound || !range || *bound > range->high) return range;
  return Range{std::max(range->low, *bound), range->high, range->size};
}

std::optional<Range> range_of(BinOpKind kind, const Scalar& x, const Scalar& y) {
  const auto is_multiple_of = [](const Scalar& quotient, const Scalar& factor) {
    return quotient.at_most && quotient.at_most->divisor == factor.expr &&
           not_negative(quotient.range) && factor.range && factor.range->low > 0;
  };
  switch (kind) {
    case BinOpKind::add:
      return add(x.range, y.range);
    case BinOpKind::sub:
      return at_least(least_difference(x, y), subtract(x.range, y.range));
    case BinOpKind::mul:
      if (is_multiple_of(x, y)) return as_size(x.at_most->range);
      if (is_multiple_of(y, x)) return as_size(y.at_most->range);
      return multiply(x.range, y.range);
    case BinOpKind::min:
      return smaller(x.range, y.range);
    case BinOpKind::max:
      return larger(x.range, y.range);
    case BinOpKind::div:
      return divide(x.range, y.range);
    case BinOpKind::quot:
      return not_negative(x.range) ? divide(x.range, y.range) : std::nullopt;
    case BinOpKind::mod:
    case BinOpKind::rem:
      return remainder(x.range, y.range);
    default:
      return std::nullopt;
  }
}

bool divides(BinOpKind kind) { return kind == BinOpKind::div || kind == BinOpKind::mod || kind == BinOpKind::quot || kind == BinOpKind::rem; }

/// What is known of multiples of a quotient, or of one rounded up: (n - 1) / k + 1.
void note_multiples(const ir::BinOp& e, const Scalar& x, const Scalar& y, Scalar& result) {
  if (e.kind == BinOpKind::div && x.range && y.range && y.range->low > 0) {
    result.at_most = result.below = Multiple{y.expr, *x.range};
  }
  if (e.kind == BinOpKind::add && is_one(y.expr)) result.below = x.at_most;
}

}  // namespace

Scalar Code::scalar_exp(const ir::Exp& exp) {
  Scalar result = computed(exp);
  // What is computed from values that the host knows, the host can compute too.
  bool exact = true;
  ir::for_each_atom(exp, [&](const ir::Atom& atom) {
    const ir::Name* name = ir::name_in(atom);
    const Scalar* known = name ? std::get_if<Scalar>(&value_of(*name)) : nullptr;
    exact = exact && (!name || (known && known->exact));
  });
  if (!exact) return result;
  result.exact = true;
  if (surroundings_.host) {
    result.upper = result.expr;
  } else {
    outside_ = true;
    result.upper = computed(exp).expr;
    outside_ = false;
  }
  return result;
}

Scalar Code::scalar_of(const ir::Stm& stm) {
  counts_ = context_.counts.contains(stm.pattern[0].name);
  Scalar result = scalar_exp(stm.exp);
  counts_ = false;
  return result;
}

Scalar Code::computed(const ir::Exp& exp) {
  return ir::match(
      exp, [&](const ir::AtomExp& e) { return scalar(e.atom); },
      [&](const ir::UnOp& e) { return unop(e, value(e.operand)); },
      [&](const ir::BinOp& e) { return binop(e); },
      [&](const ir::CmpOp& e) {
        constexpr Op ops[] = {Op::eq, Op::ne, Op::lt, Op::le};
        const Op kind = ops[static_cast<int>(e.kind)];
        if (e.type != PrimType::i64) return Scalar{compared(kind, value(e.lhs), value(e.rhs))};
        // C++ compares an `int` with an int64_t as it should.
        const Expr x = index(e.lhs), y = index(e.rhs);
        return Scalar{compared(kind, fitted(x, y), fitted(y, x))};
      },
      [&](const ir::Convert& e) { return convert_(e); },
      [&](const ir::MathOp& e) {
        std::vector<Expr> args;
        for (const ir::Atom& arg : e.args) args.push_back(value(arg));
        const PrimType result = context_.names.types_of(exp).at(0).elem;
        const std::optional<Range> range = args.empty() ? std::nullopt : rounded_range(e.fn, scalar(e.args[0]).range);
        return Scalar{intrinsic(e.fn, e.type, type(result), std::move(args)), std::nullopt, range};
      },
      [](const auto&) -> Scalar { source::internal_error("plan: no scalar expression"); });
}

namespace {

/// What i + 1 or i - 1 is less than, if i is less than something and nothing overflows.
std::optional<Expr> end_of(BinOpKind kind, const Scalar& x, const Scalar& y) {
  if (kind == BinOpKind::add && x.end && int_value(y.expr)) return plus(*x.end, y.expr);
  if (kind == BinOpKind::add && y.end && int_value(x.expr)) return plus(*y.end, x.expr);
  if (kind == BinOpKind::sub && x.end && int_value(y.expr)) return minus(*x.end, y.expr);
  return std::nullopt;
}

}  // namespace

Scalar Code::binop(const ir::BinOp& e) {
  const Scalar x = scalar(e.lhs);
  Scalar y = scalar(e.rhs);
  if (divides(e.kind) && not_negative(y.range) && nonzero_.proves(y)) y.range = at_least(1, y.range);
  std::optional<Range> range = e.type == PrimType::i64 ? range_of(e.kind, x, y) : std::nullopt;
  if (counts_) range = counted(x.range, y.range);
  const std::optional<Expr> upper = e.type == PrimType::i64 ? upper_of(e.kind, x, y) : std::nullopt;
  if (e.kind == BinOpKind::max && e.type == PrimType::i64) {  // of what is known to be larger
    if (x.range && y.range && x.range->low >= y.range->high) return x;
    if (x.range && y.range && y.range->low >= x.range->high) return y;
  }
  const auto result = [&](Expr expr) {
    Scalar made{std::move(expr), upper, range};
    if (e.type == PrimType::i64) note_multiples(e, x, y, made);
    if (range) made.end = end_of(e.kind, x, y);
    return made;
  };

  if (e.type == PrimType::i64 && range) {
    // What is derived from sizes and indices does not overflow; `int` as long as the result fits.
    const bool narrow = fits_int(range);
    const auto operand = [&](const Scalar& s) {
      return narrow ? s.expr : widened(s.expr, PrimType::i64);
    };
    const Expr a = operand(x), b = operand(y);
    const bool same = a.type == b.type || int_value(a) || int_value(b);
    const auto both = [&](const Expr& s) { return same ? s : widened(s, PrimType::i64); };
    switch (e.kind) {
      case BinOpKind::add:
        return result(plus(a, b));
      case BinOpKind::sub:
        return result(minus(a, b));
      case BinOpKind::mul:
        return result(times(a, b));
      case BinOpKind::min:
        return result(runtime::min(value(e.lhs), value(e.rhs)));
      case BinOpKind::max:
        return result(runtime::max(value(e.lhs), value(e.rhs)));
      case BinOpKind::div:
        if (!not_negative(x.range)) break;
        [[fallthrough]];
      case BinOpKind::quot:
        return result(op(Op::div, both(a), both(b)));
      case BinOpKind::mod:
      case BinOpKind::rem:
        return result(op(Op::rem, both(a), both(b)));
      default:
        break;
    }
  }
  const Expr a = value(e.lhs), b = value(e.rhs);
  const auto plain = plain_operator(e.kind, e.type, b);
  if (plain && (*plain == Op::logical_and || *plain == Op::logical_or)) return result(connected(*plain, a, b));
  // As a person writes it, and the same number.
  if (plain == Op::add && (e.type == PrimType::f32 || e.type == PrimType::f64) && a == b) return result(lit_float(2, e.type) * a);
  if (plain) return result(op(*plain, a, b));
  const bool extremum = e.kind == BinOpKind::min || e.kind == BinOpKind::max;
  if (extremum && is_machine_integer(e.type)) {
    return result(e.kind == BinOpKind::min ? runtime::min(a, b) : runtime::max(a, b));
  }
  return result(intrinsic(e.kind, a, b));
}

namespace {

/// All of the range are numbers that floats of 64 bits have; of larger ones that were converted to floats the bounds are not.
bool is_exact_in_f64(const std::optional<Range>& range) {
  constexpr std::int64_t most = std::int64_t{1} << 53;
  return range && range->low >= -most && range->high <= most;
}

}  // namespace

Scalar Code::convert_(const ir::Convert& e) {
  const Scalar x = scalar(e.operand);
  const auto result = [&](Expr expr, bool keeps) {
    return Scalar{std::move(expr), std::nullopt, keeps ? x.range : std::nullopt};
  };
  const Expr operand = value(e.operand);
  if (e.from == e.to) return x;
  if (e.from == PrimType::boolean && e.to == PrimType::i64)
    return {cast(e.to, operand), std::nullopt, Range{0, 1}};
  if (e.to == PrimType::boolean)
    return result(not_equal(operand, lit(PrimValue::zero(e.from))), false);
  if (values::is_float(e.from) && !values::is_float(e.to))
    return is_exact_in_f64(x.range) && fits(x.range, e.to) ? result(cast(e.to, operand), true) : result(convert(e.to, operand), false);
  if (x.expr.type.prim == e.to) return result(x.expr, fits(x.range, e.to));
  if (e.to == PrimType::i64 && e.from == PrimType::i32) {
    return {x.expr, std::nullopt, x.range ? x.range : std::optional(Range{INT32_MIN, INT32_MAX})};
  }
  if (e.to == PrimType::f64 && values::is_integer(e.from)) return result(cast(e.to, x.expr), values::is_signed(e.from));
  return result(cast(e.to, values::is_float(e.to) ? x.expr : operand),
                fits_int(x.range) && fits(x.range, e.to));
}

}  // namespace boustro::plan::planner
