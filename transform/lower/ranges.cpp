// Ranges: a...b, a..<b, a..>b and those with a second element a..s...b.
//
// The distance between two elements is second - first, or 1 (-1 for `..>`). It is an error if it is
// 0, points away from the end, or if the end lies before the first element.
#include "transform/lower/arrays.hpp"
#include "transform/lower/expression.hpp"
#include "transform/lower/sizes.hpp"

namespace boustro::lower {
namespace {

using ir::BinOpKind;
using ir::CmpOpKind;

/// All in i64; the elements are converted at the end.
struct Bounds {
  Atom first, step, last;
  check::RangeEnd kind;
};

class RangeLowering {
 public:
  RangeLowering(Context& context, const Bounds& bounds) : context_(context), b_(bounds) {}

  Atom count() {
    if (const PrimValue* step = ir::literal_in(b_.step);
        step && (step->as_int() == 1 || step->as_int() == -1)) {
      return count_of(step->as_int() > 0);
    }
    const Atom down = compare(CmpOpKind::lt, b_.step, ir::int_atom(0));
    context_.check(compare(CmpOpKind::ne, b_.step, ir::int_atom(0)),
                   "the first two elements of a range are equal");
    if (b_.kind == check::RangeEnd::below) return check_direction(down, false), count_of(true);
    if (b_.kind == check::RangeEnd::above) return check_direction(down, true), count_of(false);
    ir::If choice{down, context_.body([&] { return std::vector{count_of(false)}; }),
                  context_.body([&] { return std::vector{count_of(true)}; })};
    std::vector<ir::Param> pattern{context_.names.fresh_param("n", ir::scalar(PrimType::i64))};
    const Atom result = pattern.front().name;
    context_.emit(std::move(pattern), std::move(choice));
    return result;
  }

 private:
  void check_direction(const Atom& down, bool wanted) {
    const Atom ok = context_.emit(
        "inside", ir::CmpOp{CmpOpKind::eq, PrimType::boolean, down, PrimValue::of_bool(wanted)});
    context_.check(ok, "a range from {} by steps of {} leads away from its end {}",
                   {b_.first, b_.step, b_.last});
  }

  /// How many elements there are; `up`: the step is positive.
  Atom count_of(bool up) {
    const Atom from = up ? b_.first : b_.last, to = up ? b_.last : b_.first;
    const bool inclusive = b_.kind == check::RangeEnd::inclusive;
    if (!is_known_order(from, to)) {
      context_.check(compare(CmpOpKind::le, from, to),
                     "range from {} to {} is empty the wrong way round", {b_.first, b_.last});
    }
    const Atom distance = context_.size_op(BinOpKind::sub, to, from);
    const PrimValue* step = ir::literal_in(b_.step);
    const bool unit = step && (step->as_int() == 1 || step->as_int() == -1);
    if (unit) return inclusive ? plus(distance, ir::int_atom(1)) : distance;
    const Atom size = up ? b_.step : context_.size_op(BinOpKind::sub, ir::int_atom(0), b_.step);
    if (inclusive) return plus(quotient(distance, size), ir::int_atom(1));
    return quotient(plus(distance, context_.size_op(BinOpKind::sub, size, ir::int_atom(1))), size);
  }

  static bool is_known_order(const Atom& from, const Atom& to) {
    const PrimValue *a = ir::literal_in(from), *b = ir::literal_in(to);
    return from == to || (a && b && a->as_int() <= b->as_int());
  }

  Atom plus(const Atom& x, const Atom& y) { return context_.size_op(BinOpKind::add, x, y); }
  Atom quotient(const Atom& x, const Atom& y) {
    return context_.emit("n", ir::BinOp{BinOpKind::quot, PrimType::i64, x, y});
  }
  Atom compare(CmpOpKind kind, const Atom& x, const Atom& y) {
    return context_.emit("inside", ir::CmpOp{kind, PrimType::i64, x, y});
  }

  Context& context_;
  const Bounds b_;
};

/// first + i * step for every i, as elements of `type`.
Atom elements(Context& context, const Bounds& bounds, const Atom& count, PrimType type) {
  const ir::Name indices = context.emit("is", ir::Iota{count});
  if (bounds.first == ir::int_atom(0) && bounds.step == ir::int_atom(1) && type == PrimType::i64)
    return indices;
  ir::Lambda fn;
  const ir::Name i = context.names.bind_fresh("i", ir::scalar(PrimType::i64));
  fn.params = {{i, ir::scalar(PrimType::i64), false}};
  fn.body = context.body([&] {
    const Atom offset = context.size_op(BinOpKind::mul, i, bounds.step);
    const Atom element = context.size_op(BinOpKind::add, offset, bounds.first);
    if (type == PrimType::i64) return std::vector<Atom>{element};
    return std::vector<Atom>{context.emit("element", ir::Convert{PrimType::i64, type, element})};
  });
  fn.result_types = {ir::scalar(type)};
  return context.emit("range", ir::Map{count, std::move(fn), {indices}, {}});
}

}  // namespace

Value lower_range(Context& context, Scope& scope, const check::Exp& exp, const check::Range& e) {
  const Atom first = atom_of(lower_exp(context, scope, *e.first));
  const PrimType type = context.names.type_of(first).elem;
  Bounds bounds{to_i64(context, first), ir::int_atom(e.kind == check::RangeEnd::above ? -1 : 1),
                first, e.kind};
  if (e.second) {
    const Atom second = to_i64(context, atom_of(lower_exp(context, scope, **e.second)));
    bounds.step = context.size_op(BinOpKind::sub, second, bounds.first);
  }
  bounds.last = to_i64(context, atom_of(lower_exp(context, scope, *e.last)));
  const Atom count = RangeLowering(context, bounds).count();
  const Value range{elements(context, bounds, count, type)};
  bind_sizes(context, scope, e.existentials, exp.type, range);
  return coerce(context, range, evaluate_type(context, scope, exp.type));
}

}  // namespace boustro::lower
