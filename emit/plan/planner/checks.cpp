// What is checked while the program runs: indices, sizes, divisors, assertions. A check that fails
// is recorded, and the thread does nothing more: what follows relies on it.
#include <algorithm>

#include "emit/plan/planner/code.hpp"
#include "transform/ir/nest.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::plan::planner {

using ir::BinOpKind;

void Code::fail_if(const Expr& wrong, const ir::Provenance& origin, std::string message,
                   const std::vector<Expr>& values) {
  if (rejects() && !context_.is_late(wrong)) return emit(RejectIf{wrong});
  Fail fail{surroundings_.failure(), context_.check_site(origin, std::move(message)), {}};
  for (const Expr& value : values) fail.values.push_back(cast(PrimType::i64, value));
  leave_if(wrong, {std::move(fail)});
}

void Code::leave_if(const Expr& wrong, Stms before) {
  if (leave_) before.push_back(*leave_);
  if (rejects()) before.push_back(Return{.failed = true});
  left_ = left_ || (leave_ && !std::holds_alternative<Return>(leave_->what));
  emit(If{wrong, std::move(before)});
  peers_.reset();
}

void Code::emit_loop(Stm loop) {
  emit(std::move(loop));
  if (std::exchange(loop_left_, false)) leave_if(runtime::has_failed(surroundings_.failure()));
}

Scalar Code::named_operand(std::string_view base, const ir::Atom& atom) {
  Scalar operand = scalar(atom);
  operand.expr = named(base, operand.expr);
  if (const ir::Name* name = ir::name_in(atom)) rebind(*name, operand);
  return operand;
}

// ---- Assertions and sizes

/// Sizes that were compared before, in either order.
bool Code::has_been_checked(const Expr& condition) const {
  if (condition.head != Head(Op::eq)) return false;
  const Expr &x = condition.args[0], &y = condition.args[1];
  return checked_.contains(not_equal(x, y)) || checked_.contains(not_equal(y, x));
}

void Code::assert_(const ir::Stm& stm, const ir::Assert& assertion) {
  if (!checks()) return;
  const Expr condition = value(assertion.condition);
  if (condition == true_lit() || has_been_checked(condition)) return;
  std::vector<Expr> values;
  for (const ir::Atom& arg : assertion.args) {
    const Expr shown = value(arg);
    if (is_integer(shown.type)) values.push_back(shown);
  }
  fail_if(!condition, stm.origin, assertion.message, values);
}

namespace {

/// The conjunction says that this size, or the next number, is above 0.
bool is_not_negative_where(const Expr& conjunction, const Expr& size) {
  if (conjunction.head == Head(Op::logical_and))
    return is_not_negative_where(conjunction.args[0], size) || is_not_negative_where(conjunction.args[1], size);
  const Expr& other = conjunction.args[0];  // other > 0
  const auto difference = known_difference(size, other);
  return difference == 0 || difference == -1;
}

bool has_condition(const Expr& conjunction, const Expr& condition) {
  if (conjunction.head == Head(Op::logical_and))
    return has_condition(conjunction.args[0], condition) || has_condition(conjunction.args[1], condition);
  return conjunction == condition;
}

/// Memory is laid out before the check.
Scalar not_negative_size(Scalar size) {
  size.range = size_range;
  if (size.upper) size.upper = at_least_zero(*size.upper);
  return size;
}

}  // namespace

void Code::check_sizes(const ir::Stm& stm, const ir::Shape& shape) {
  for (const ir::Atom& size : shape) check_size(stm, size);
}

void Code::check_space(const ir::Stm& stm, const ir::Shape& space, std::optional<Expr> reached) {
  for (const ir::Atom& size : space) {
    reached ? check_size_where(*reached, stm, size) : check_size(stm, size);
    reached = reached_inside(reached, size);
  }
}

std::optional<Expr> Code::reached_inside(const std::optional<Expr>& reached, const ir::Atom& extent) {
  const Expr size = scalar(extent).expr;
  if (int_value(size).value_or(0) > 0 || (reached && has_condition(*reached, size > 0))) return reached;
  return reached ? *reached && size > 0 : size > 0;
}

void Code::at_points(const ir::Shape& space, const std::function<void()>& fill) {
  std::vector<std::pair<ir::Name, Scalar>> before;
  for (const ir::Atom& size : space) {
    const ir::Name* const name = ir::name_in(size);
    if (!name || !checks() || not_negative(scalar(size).range)) continue;
    before.emplace_back(*name, scalar(size));
    bind(*name, not_negative_size(scalar(size)));
  }
  fill();
  for (const auto& [name, extent] : before) bind(name, extent);
}

void Code::check_size(const ir::Stm& stm, const ir::Atom& size) {
  Scalar extent = scalar(size);
  if (!checks() || not_negative(extent.range) || sizes_.contains(extent.expr)) return;
  extent = named_operand("size", size);
  fail_if(extent.expr < 0, stm.origin, "negative array size {}", {extent.expr});
  sizes_.add(extent.expr);
  // In all that follows, kernels included.
  const ir::Name* const name = ir::name_in(size);
  if (name && sizes_.outermost()) bind(*name, not_negative_size(extent));
}

/// It may be negative elsewhere.
void Code::check_size_where(const Expr& reached, const ir::Stm& stm, const ir::Atom& size) {
  const Scalar extent = scalar(size);
  if (!checks() || not_negative(extent.range) || sizes_.contains(extent.expr) || is_not_negative_where(reached, extent.expr)) return;
  const Expr wrong = reached && extent.expr < 0;
  if (checked_.contains(wrong)) return;
  checked_.add(wrong);
  fail_if(wrong, stm.origin, "negative array size {}", {extent.expr});
}

// ---- Indices

namespace {

bool is_below(const Scalar& index, const Scalar& extent) {
  const auto size = int_value(extent.expr), at = int_value(index.expr);
  if (size && at) return *at < *size;
  if (size && index.range && index.range->high < *size) return true;
  return index.end && known_difference(extent.expr, *index.end).value_or(-1) >= 0;
}

bool is_at_least_zero(const Scalar& index) {
  return not_negative(index.range) || int_value(index.expr).value_or(-1) >= 0;
}

bool is_inside(const Scalar& index, const Scalar& extent) {
  return is_at_least_zero(index) && is_below(index, extent);
}

bool is_slice_inside(const Expr& start, const Expr& count, const Expr& step, const Expr& size) {
  if (is_zero(count) || (is_zero(start) && is_one(step) && count == size)) return true;
  const auto first = int_value(start), length = int_value(count), stride = int_value(step), end = int_value(size);
  return first && length && stride && end && ir::slice_fits(*first, *length, *stride, *end);
}

/// True if the index, which is not known to be inside, is not. Compilers take it for a mistake that a number is compared with
/// itself, or with 0 from both sides.
Expr outside(const Scalar& index, const Scalar& extent) {
  if (int_value(extent.expr) == 0) return true_lit();
  if (index.expr == extent.expr) return extent.expr >= 0;
  if (is_at_least_zero(index)) return index.expr >= extent.expr;
  if (is_below(index, extent)) return index.expr < 0;
  return index.expr < 0 || index.expr >= extent.expr;
}

}  // namespace

std::optional<Expr> Code::inside(const std::vector<Scalar>& indices,
                                 const std::vector<Scalar>& extents) {
  std::optional<Expr> inside;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    if (is_inside(indices[i], extents[i])) continue;
    const Expr &index = indices[i].expr, &size = extents[i].expr;
    if (int_value(size) == 0 || index == size) return false_lit();
    const Expr test =
        not_negative(indices[i].range) ? index < size : index >= 0 && index < size;
    inside = inside ? *inside && test : test;
  }
  return inside;
}

bool Code::needs_check(const ir::Update& update, const View& array) {
  if (!update.checked || !context_.options.checks) return false;
  for (std::size_t i = 0; i < update.indices.size(); ++i) {
    const ir::Atom* atom = std::get_if<ir::Atom>(&update.indices[i]);
    if (!atom || !is_inside(scalar(*atom), array.extents[i])) return true;
  }
  return false;
}

void Code::check_access(const std::vector<ir::DimIndex>& indices, const View& array,
                        const ir::Provenance& origin) {
  if (!checks()) return;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const ir::Atom* atom = std::get_if<ir::Atom>(&indices[i]);
    if (!atom || is_inside(scalar(*atom), array.extents[i])) continue;
    const Scalar at = rejects() ? scalar(*atom) : named_operand("index", *atom), extent = array.extents[i];
    const Expr wrong = outside(at, extent);
    if (checked_.contains(wrong)) continue;
    checked_.add(wrong);
    if (rejects()) {
      fail_if(wrong, origin, "index {} is out of bounds for size {}", {at.expr, extent.expr});
      continue;
    }
    const Expr index = cast(PrimType::i64, at.expr), size = cast(PrimType::i64, extent.expr);
    const int site = context_.check_site(origin, "index {} is out of bounds for size {}");
    leave_if(!runtime::check_index(surroundings_.failure(), site, index, size));
  }
  check_slices(indices, array, origin);
}

void Code::check_slices(const std::vector<ir::DimIndex>& indices, const View& array,
                        const ir::Provenance& origin) {
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const auto* range = std::get_if<ir::Slice>(&indices[i]);
    if (!range) continue;
    const Expr start = value(range->start), count = value(range->count),
               step = value(range->stride);
    const Expr size = cast(PrimType::i64, array.extents[i].expr);
    if (is_slice_inside(start, count, step, size)) continue;
    const Expr last = plus(start, times(minus(count, lit(1)), step));
    const Expr elements = start >= 0 && start < size && last >= 0 && last < size && count > 0;
    const Expr inside = start == size ? equal(count, lit(0)) : equal(count, lit(0)) || elements;
    const Expr wrong = !inside;
    if (checked_.contains(wrong)) continue;
    checked_.add(wrong);
    fail_if(!named("inside", inside), origin,
            "slice from {} of {} elements is out of bounds for size {}", {start, count, size});
  }
}

// ---- Division and powers

namespace {

bool divides(const ir::BinOp& e) {
  return values::is_integer(e.type) && (e.kind == BinOpKind::div || e.kind == BinOpKind::mod ||
                                        e.kind == BinOpKind::quot || e.kind == BinOpKind::rem);
}

bool is_signed_power(const ir::BinOp& e) {
  return e.kind == BinOpKind::pow && values::is_signed(e.type) && values::is_integer(e.type);
}

bool is_unsafe(const ir::Stm& stm) { return ir::has_attribute(stm, "unsafe"); }

std::string base_of(const ir::Atom& atom, std::string_view otherwise) {
  const ir::Name* name = ir::name_in(atom);
  return name ? name->base : std::string(otherwise);
}

}  // namespace

bool Code::divides_safely(const ir::BinOp& e, const std::vector<Scalar>& extents) {
  if (!divides(e)) return false;
  Nonzero known = nonzero_;
  for (const Scalar& extent : extents) known.add(extent.expr);
  return known.proves(scalar(e.rhs));
}

void Code::binary(const ir::Stm& stm, const ir::BinOp& e) {
  scalar(e.lhs);  // before the divisor: kernels have their parameters in this order
  const bool partial = divides(e) && !nonzero_.proves(scalar(e.rhs));
  const bool checked = checks() && !is_unsafe(stm);
  if (partial && checked) check_divisor(stm, e);
  if (is_signed_power(e) && checked) check_exponent(stm, e);
  Scalar result = scalar_of(stm);
  // A pass computed how many there are of something, so that it cannot be negative.
  if (ir::has_attribute(stm, "is_size")) result.range = as_size(result.range.value_or(size_range));
  if (partial && !checked && surroundings_.host) {
    // The process would end here.
    const Expr zero = lit(0, result.expr.type.prim);
    result.expr = select(equal(value(e.rhs), lit(0, e.type)), zero, result.expr);
    if (result.exact) result.upper = result.expr;
  }
  bind_scalar(stm.pattern[0].name, std::move(result));
}

void Code::check_divisor(const ir::Stm& stm, const ir::BinOp& e) {
  const Scalar divisor = named_operand(base_of(e.rhs, "divisor"), e.rhs);
  if (rejects()) {
    emit(RejectIf{equal(divisor.expr, lit(0, divisor.expr.type.prim))});
  } else {
    const int site = context_.check_site(stm.origin, "division by zero");
    leave_if(!runtime::check_divisor(surroundings_.failure(), site, divisor.expr));
  }
  nonzero_.add(divisor.expr);
}

void Code::check_exponent(const ir::Stm& stm, const ir::BinOp& e) {
  const Scalar known = scalar(e.rhs);
  if (not_negative(known.range) || int_value(known.expr).value_or(-1) >= 0) return;
  const Scalar exponent = named_operand(base_of(e.rhs, "exponent"), e.rhs);
  fail_if(exponent.expr < 0, stm.origin, "negative exponent of an integer power", {});
}

}  // namespace boustro::plan::planner
