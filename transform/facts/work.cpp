#include "transform/facts/work.hpp"

#include <algorithm>

namespace boustro::facts {

using namespace ir;

namespace {

std::int64_t work_of(const BinOp& e) {
  switch (e.kind) {
    case BinOpKind::div:
    case BinOpKind::mod:
    case BinOpKind::quot:
    case BinOpKind::rem:
      // By a literal integer: a multiplication and shifts.
      return values::is_integer(e.type) && literal_in(e.rhs) ? 2 : division_work;
    case BinOpKind::pow: return power_work;
    default: return 1;
  }
}

std::int64_t work_of(MathFn fn) {
  switch (fn) {
    case MathFn::floor:
    case MathFn::ceil:
    case MathFn::trunc:
    case MathFn::round:
    case MathFn::copysign:
    case MathFn::fma:
    case MathFn::mad:
    case MathFn::isnan:
    case MathFn::isinf:
    case MathFn::to_bits:
    case MathFn::from_bits:
    case MathFn::popc:
    case MathFn::clz:
    case MathFn::ctz:
    case MathFn::mul_hi:
    case MathFn::mad_hi:
      return 1;
    case MathFn::lerp: return 2;
    case MathFn::sqrt:
    case MathFn::rsqrt:
    case MathFn::nextafter:
    case MathFn::ldexp:
    case MathFn::hypot:
      return division_work;
    case MathFn::gamma:
    case MathFn::lgamma:
    case MathFn::erf:
    case MathFn::erfc:
    case MathFn::atan2:
    case MathFn::atan2pi:
      return power_work;
    default: return function_work;
  }
}

/// Each term of either, with its larger coefficient.
Polynomial dearer(const Polynomial& x, const Polynomial& y) {
  Polynomial result = x;
  for (const auto& [product, coefficient] : y.terms()) {
    const auto found = x.terms().find(product);
    const std::int64_t known = found == x.terms().end() ? 0 : found->second;
    if (coefficient <= known) continue;
    Polynomial more = coefficient - known;
    for (const Name& name : product) more = more * Polynomial(name);
    result = result + more;
  }
  return result;
}

}  // namespace

Polynomial Works::of(const std::vector<Stm>& stms) {
  Polynomial sum;
  for (const Stm& stm : stms) {
    sizes_.define(stm);
    sum = sum + of(stm);
  }
  return sum;
}

Polynomial Works::of(const Stm& stm) {
  const auto result = [&] { return elements_of(stm.pattern.at(0).type) * memory_work; };
  return match(
      stm.exp,  //
      [](const UnOp&) { return Polynomial(1); }, [](const CmpOp&) { return Polynomial(1); },
      [](const Convert&) { return Polynomial(1); }, [](const BinOp& e) { return Polynomial(work_of(e)); },
      [](const MathOp& e) { return Polynomial(work_of(e.fn)); },
      [&](const Index&) { return stm.pattern.at(0).type.is_scalar() ? Polynomial(memory_work) : Polynomial(); },
      [&](const Update& e) {
        Polynomial elements = 1;
        for (std::size_t d = 0; d < stm.pattern.at(0).type.shape.size(); ++d) {
          const auto* slice = d < e.indices.size() ? std::get_if<Slice>(&e.indices[d]) : nullptr;
          if (slice) elements = elements * sizes_.value(slice->count);
          else if (d >= e.indices.size()) elements = elements * sizes_.value(stm.pattern[0].type.shape[d]);
        }
        return elements * memory_work;
      },
      [&](const ArrayLiteral&) { return result(); }, [&](const Copy&) { return result(); },
      [&](const Concat&) { return result(); }, [&](const Sort&) { return result() * Polynomial(sort_passes); },
      [](const UpdateAcc&) { return Polynomial(atomic_work); },
      [&](const auto&) { return inside(stm); });
}

/// What has bodies.
Polynomial Works::inside(const Stm& stm) {
  return match(
      stm.exp,  //
      [&](const If& e) { return dearer(of(e.then_body), of(e.else_body)); },
      [&](const Loop& e) { return of_loop(e); }, [&](const Call& e) { return of_call(e); },
      [&](const Map& e) { return times(e.width, e.fn); },
      [&](const Reduce& e) { return times(e.width, e.op); },
      [&](const Scan& e) { return times(e.width, e.op); },
      [&](const MapReduce& e) {
        Polynomial sum = times(e.width, e.fn);
        for (const Operator& each : e.operators) sum = sum + times(e.width, each.op);
        return sum;
      },
      [&](const MapScan& e) {
        Polynomial sum = times(e.width, e.fn);
        for (const Operator& each : e.operators) sum = sum + times(e.width, each.op);
        return sum;
      },
      [&](const ReduceByIndex& e) {
        Polynomial sum = times(e.width, e.fn);
        for (const Histogram& each : e.histograms)
          sum = sum + times(e.width, each.op) + sizes_.value(e.width) * atomic_work;
        return sum;
      },
      [&](const Nest& e) {
        Polynomial each = of(e.point.body), points = 1;
        for (const Out& out : e.outs) {
          if (out.op) each = each + of(out.op->op.body);
          if (out.kind == OutKind::histogram) each = each + Polynomial(atomic_work);
        }
        for (const Atom& extent : e.space) points = points * sizes_.value(extent);
        return points * each;
      },
      [&](const Scatter& e) {
        return sizes_.value(e.width) * Polynomial(memory_work * static_cast<std::int64_t>(e.values.size()));
      },
      [&](const WithAcc& e) { return of(e.fn.body); }, [&](const WithVjp& e) { return of(e.fn.body); },
      [](const auto&) { return Polynomial(); });
}

Polynomial Works::times(const Atom& width, const Lambda& fn) { return sizes_.value(width) * of(fn.body); }

Polynomial Works::of_loop(const Loop& e) {
  const auto* form = std::get_if<ForLoop>(&e.form);
  return (form ? sizes_.value(form->bound) : Polynomial(while_steps)) * of(e.body);
}

/// The function's work, its parameters being the arguments.
Polynomial Works::of_call(const Call& e) {
  const Function& function = callees_.function(e.function);
  Polynomial work = Works(callees_).of(function.body);
  for (std::size_t i = 0; i < e.args.size(); ++i)
    if (function.params.at(i).type == scalar(PrimType::i64))
      work = work.with(function.params[i].name, sizes_.value(e.args[i]));
  return work;
}

Polynomial Works::elements_of(const Type& type) const {
  Polynomial count = 1;
  for (const Atom& size : type.shape) count = count * sizes_.value(size);
  return count;
}

bool is_quick(const Exp& exp) {
  if (may_fail(exp) || std::holds_alternative<MathOp>(exp)) return false;
  const auto* op = std::get_if<BinOp>(&exp);
  return is_scalar_operation(exp) && (!op || (op->kind != BinOpKind::div && op->kind != BinOpKind::mod && op->kind != BinOpKind::pow));
}

bool is_repeatable(const Stm& stm) {
  const Exp& e = stm.exp;
  return is_scalar_operation(e) || viewed_operand(e) || std::holds_alternative<Iota>(e) ||
         std::holds_alternative<Replicate>(e);
}

bool is_cheap(const std::vector<Stm>& stms, std::size_t values) {
  const Callees none([](const Name&) { return nullptr; });
  return std::all_of(stms.begin(), stms.end(), is_repeatable) &&
         takes_at_most(Works(none).of(stms), static_cast<std::int64_t>(values) * less_than_a_load);
}

std::size_t values_for(const Stm& user, const std::vector<Stm>& stms) {
  const NameSet used = free_names(user);
  std::size_t count = 0;
  for (const Stm& stm : stms)
    for (const Param& param : stm.pattern) count += param.type.is_scalar() && used.contains(param.name);
  return std::max<std::size_t>(count, 1);
}

bool takes_at_most(const Polynomial& work, std::int64_t limit) {
  const auto constant = work.constant();
  return constant && *constant <= limit;
}

}  // namespace boustro::facts
