// What can be said of one expression or operator: whether it is on scalars, may fail, which simple operator a lambda is. Declared in
// traversal.hpp.
#include <algorithm>

#include "transform/ir/traversal.hpp"

namespace boustro::ir {
namespace {

// ---- Failure -------------------------------------------------------------------------------------

bool body_may_fail(const Body& body) {
  return std::any_of(body.stms.begin(), body.stms.end(),
                     [](const Stm& stm) { return may_fail(stm.exp); });
}

bool any_body_may_fail(const Exp& exp) {
  bool any = false;
  for_each_body(exp, [&](const Body& body) { any = any || body_may_fail(body); });
  return any;
}

bool binop_may_fail(const BinOp& e) {
  if (!values::is_integer(e.type)) return false;
  const PrimValue* rhs = literal_in(e.rhs);
  switch (e.kind) {
    case BinOpKind::div:
    case BinOpKind::mod:
    case BinOpKind::quot:
    case BinOpKind::rem:
      return !rhs || rhs->is_zero();
    case BinOpKind::pow:
      return values::is_signed(e.type) && (!rhs || rhs->as_int() < 0);
    default:
      return false;
  }
}

// ---- Simple operators ----------------------------------------------------------------------------

/// A body as its only statement that is not a copy, all copies followed.
struct SingleStatement {
  const Stm* stm = nullptr;
  Substitution copies;
  Atom follow(const Atom& atom) const { return substitute(atom, copies); }
};

std::optional<SingleStatement> single_statement(const Body& body) {
  SingleStatement single;
  for (const Stm& stm : body.stms) {
    if (const auto* copy = std::get_if<AtomExp>(&stm.exp); copy && stm.pattern.size() == 1) {
      single.copies.emplace(stm.pattern[0].name, single.follow(copy->atom));
    } else if (single.stm) {
      return std::nullopt;
    } else {
      single.stm = &stm;
    }
  }
  const bool is_result = single.stm && body.result.size() == 1 && single.stm->pattern.size() == 1 &&
                         single.follow(body.result[0]) == Atom(single.stm->pattern[0].name);
  if (!is_result) return std::nullopt;
  return single;
}

/// `if x then y else false` is `x && y`, `if x then true else y` is `x || y`.
std::optional<BinOpKind> as_logical(const If& e, const SingleStatement& single, const Atom& x,
                                    const Atom& y) {
  const auto yields = [&](const Body& body, const Atom& atom) {
    return body.stms.empty() && body.result.size() == 1 && single.follow(body.result[0]) == atom;
  };
  if (single.follow(e.condition) != x) return std::nullopt;
  if (yields(e.then_body, y) && yields(e.else_body, PrimValue::of_bool(false))) {
    return BinOpKind::bit_and;
  }
  if (yields(e.then_body, PrimValue::of_bool(true)) && yields(e.else_body, y)) {
    return BinOpKind::bit_or;
  }
  return std::nullopt;
}

/// True if the operands are the two parameters, in order or, where that is the same, swapped.
bool are_params(const Atom& lhs, const Atom& rhs, const Lambda& op, BinOpKind kind) {
  const Atom x = op.params[0].name, y = op.params[1].name;
  return (lhs == x && rhs == y) || (commutes(kind) && lhs == y && rhs == x);
}

}  // namespace

bool is_scalar_operation(const Exp& exp) {
  return std::holds_alternative<AtomExp>(exp) || std::holds_alternative<UnOp>(exp) ||
         std::holds_alternative<BinOp>(exp) || std::holds_alternative<CmpOp>(exp) ||
         std::holds_alternative<Convert>(exp) || std::holds_alternative<MathOp>(exp);
}

bool all_scalar(const std::vector<Type>& types) {
  return std::all_of(types.begin(), types.end(), [](const Type& type) { return type.is_scalar(); });
}

bool all_scalar(const std::vector<Param>& params) {
  return std::all_of(params.begin(), params.end(),
                     [](const Param& param) { return param.type.is_scalar(); });
}

bool slice_fits(std::int64_t start, std::int64_t count, std::int64_t stride, std::int64_t size) {
  const auto is_inside = [&](std::int64_t i) { return 0 <= i && i < size; };
  if (count < 0) return false;
  if (count == 0) return -1 <= start && start <= size;
  std::int64_t reach = 0, last = 0;
  if (__builtin_mul_overflow(count - 1, stride, &reach)) return false;
  if (__builtin_add_overflow(start, reach, &last)) return false;
  return is_inside(start) && is_inside(last);
}

std::optional<Atom> operator_width(const Exp& exp) {
  return match(
      exp, [](const Map& e) { return std::optional(e.width); },
      [](const Reduce& e) { return std::optional(e.width); },
      [](const Scan& e) { return std::optional(e.width); },
      [](const MapReduce& e) { return std::optional(e.width); },
      [](const MapScan& e) { return std::optional(e.width); },
      [](const ReduceByIndex& e) { return std::optional(e.width); },
      [](const Scatter& e) { return std::optional(e.width); },
      [](const Concat& e) { return std::optional(e.width); },
      [](const Iota& e) { return std::optional(e.width); },
      [](const auto&) { return std::optional<Atom>(); });
}

bool may_fail(const Exp& exp) {
  return match(
      exp,  //
      [](const BinOp& e) { return binop_may_fail(e); }, [](const Assert&) { return true; },
      [](const Coerce&) { return true; }, [](const Call&) { return true; },
      [](const Index& e) { return e.checked; }, [](const Update& e) { return e.checked; },
      [&](const auto&) { return any_body_may_fail(exp); });
}

bool is_scalar_code(const Body& body, const std::function<bool(const Exp&)>& is_allowed) {
  return std::all_of(body.stms.begin(), body.stms.end(), [&](const Stm& stm) {
    const bool loops = std::holds_alternative<Loop>(stm.exp) || std::holds_alternative<Nest>(stm.exp);
    bool result = !loops && all_scalar(stm.pattern) && is_allowed(stm.exp);
    for_each_body(stm.exp, [&](const Body& inner) { result = result && is_scalar_code(inner, is_allowed); });
    return result;
  });
}

bool is_scalar_code(const Body& body) {
  return is_scalar_code(body, [](const Exp&) { return true; });
}

bool is_safe_scalar_code(const Body& body) {
  return is_scalar_code(body, [](const Exp& exp) { return !may_fail(exp); });
}

std::optional<BinOpKind> as_binop(const Lambda& op) {
  if (op.params.size() != 2) return std::nullopt;
  const auto single = single_statement(op.body);
  if (!single) return std::nullopt;
  const Atom x = op.params[0].name, y = op.params[1].name;
  if (const auto* e = std::get_if<If>(&single->stm->exp)) {
    const auto kind = as_logical(*e, *single, x, y);
    return kind ? kind : as_logical(*e, *single, y, x);
  }
  const auto* e = std::get_if<BinOp>(&single->stm->exp);
  if (!e || !are_params(single->follow(e->lhs), single->follow(e->rhs), op, e->kind)) {
    return std::nullopt;
  }
  return e->kind;
}

std::optional<VectorisedOp> as_vectorised_binop(const Lambda& op) {
  if (const auto kind = as_binop(op)) return VectorisedOp{*kind, 0};
  if (op.params.size() != 2) return std::nullopt;
  const auto single = single_statement(op.body);
  if (!single) return std::nullopt;
  const auto* map = std::get_if<Map>(&single->stm->exp);
  if (!map || map->arrays.size() != 2 || !map->accumulators.empty()) return std::nullopt;
  const auto inner = as_vectorised_binop(map->fn);
  if (!inner || !are_params(single->follow(map->arrays[0]), single->follow(map->arrays[1]), op,
                            inner->kind)) {
    return std::nullopt;
  }
  return VectorisedOp{inner->kind, inner->depth + 1};
}

bool is_identity(const Lambda& fn) {
  Substitution copies;
  for (const Stm& stm : fn.body.stms) {
    const auto* copy = std::get_if<AtomExp>(&stm.exp);
    if (!copy || stm.pattern.size() != 1) return false;
    copies.emplace(stm.pattern[0].name, substitute(copy->atom, copies));
  }
  return std::equal(fn.params.begin(), fn.params.end(), fn.body.result.begin(),
                    fn.body.result.end(), [&](const Param& param, const Atom& result) {
                      return substitute(result, copies) == Atom(param.name);
                    });
}

bool is_size_arithmetic(const Exp& exp) {
  if (const auto* convert = std::get_if<Convert>(&exp))
    return values::is_integer(convert->from) && values::is_integer(convert->to);
  const auto* op = std::get_if<BinOp>(&exp);
  if (!op) return std::holds_alternative<AtomExp>(exp);
  if (!values::is_integer(op->type)) return false;
  switch (op->kind) {
    case BinOpKind::add:
    case BinOpKind::sub:
    case BinOpKind::mul:
    case BinOpKind::min:
    case BinOpKind::max:
      return true;
    case BinOpKind::div:
    case BinOpKind::quot: {
      const PrimValue* divisor = literal_in(op->rhs);
      return divisor && divisor->as_int() > 0;
    }
    default:
      return false;
  }
}

}  // namespace boustro::ir
