// Loops over extents: by one thread, or shared by the workers of a cpu, as they are or in parts.
#include "emit/plan/lower/work.hpp"
#include "emit/plan/planner/code.hpp"
#include "emit/plan/walk.hpp"
#include "transform/facts/work.hpp"

namespace boustro::plan::planner {
namespace {

/// As parts_for has it.
constexpr std::int64_t least_shared_work = 1 << 16;

bool allocates(const Stms& stms) {
  bool result = false;
  for_each_stm(
      stms, [&](const Stm& stm) { result = result || std::holds_alternative<Allocate>(stm.what); });
  return result;
}

/// Too little to be worth sharing, whatever sizes there are.
bool is_little(const Scalar& points, const Scalar& work) {
  const auto n = int_value(points.expr), each = int_value(work.expr);
  return n && each && *n < least_shared_work / std::max<std::int64_t>(*each, 1);
}

/// `if (...) continue;`, at the end of a loop.
bool only_continues(const Stm& stm) {
  const auto* branch = std::get_if<If>(&stm.what);
  return branch && branch->else_body.empty() && branch->then_body.size() == 1 &&
         std::holds_alternative<Continue>(branch->then_body[0].what);
}

/// In a loop that is not parallel, what is done in order is done at once.
Stms without_turns(Stms stms) {
  Stms result;
  for (Stm& stm : stms) {
    if (auto* ordered = std::get_if<Ordered>(&stm.what)) {
      std::move(ordered->body.begin(), ordered->body.end(), std::back_inserter(result));
    } else {
      for_each_body(stm, [](Stms& body) { body = without_turns(std::move(body)); });
      result.push_back(std::move(stm));
    }
  }
  return result;
}

const std::string& variable_of(const Expr& expr) { return std::get<Var>(expr.head).name; }

/// In the type of a loop's index.
Expr bound(const Expr& expr, const Type& type) {
  return int_value(expr) ? lit(*int_value(expr), type.prim) : cast(type, expr);
}

}  // namespace

void Code::loop(const Scalar& extent, std::string_view base,
                const std::function<void(const Scalar&)>& fill, const LoopForm& form) {
  if (const auto count = int_value(extent.expr); count && *count <= 0) return;
  const std::string letter = identifiers_.letter_for(base, context_.entry_sizes);
  const bool narrow =
      extent.expr.type.prim == PrimType::i32 || (int_value(extent.expr) && fits_int(extent.range));
  const Type index_type = type(narrow ? PrimType::i32 : PrimType::i64);
  std::string name;
  const std::size_t pieces = context_.entry.scratch.pieces.size(), shared = shared_pieces();
  std::optional<Parts> parts;
  if (form.work && is_shareable(*form.work) && !is_little(extent, *form.work))
    parts = parts_of(extent, *form.work, std::nullopt);
  if (parts) parts_ = &*parts;
  Stms body = collect_loop(parts.has_value(), [&] {
    assume_nonzero(extent.expr);
    name = identifiers_.fresh(letter);
    std::optional<Expr> upper;
    if (extent.upper) upper = minus(*extent.upper, lit(1));
    Scalar index{var(name, index_type), upper, indices_below(extent.range.value_or(size_range))};
    index.end = extent.expr;
    fill(index);
  });
  const bool has_own_memory = shared_pieces() == shared && !allocates(body);
  if (parts) parts_ = nullptr;
  if (parts && parts->memory.empty()) release(*parts);
  if (body.empty()) return;
  For loop{.name = name,
           .type = index_type,
           .from = bound(form.from.value_or(lit(0)), index_type),
           .to = form.to || int_value(extent.expr)
                     ? bound(form.to.value_or(extent.expr), index_type)
                     : extent.expr,
           .step = form.step,
           .body = std::move(body)};
  if (loop.step) loop.step = bound(*loop.step, index_type);
  loop.in_point = form.in_point;
  loop.points = (form.in_point || form.any_order) && has_own_memory;
  loop.own_memory = form.in_point && pieces != context_.entry.scratch.pieces.size();
  if (parts && !parts->memory.empty()) {
    define(*parts);
    return loop_over(*parts, [&] {
      const LoopForm range = points_of(*parts, extent.expr);
      loop.from = bound(*range.from, index_type);
      loop.to = bound(*range.to, index_type);
      emit_loop(std::move(loop));
    });
  }
  // Iterations that share memory run in order.
  loop.parallel = parts && pieces == context_.entry.scratch.pieces.size() && !allocates(loop.body);
  if (loop.parallel) loop.worth = parts->value() > 1;
  emit_loop(std::move(loop));
}

/// Pieces of scratch memory that are not each part's own.
std::size_t Code::shared_pieces() const {
  return context_.entry.scratch.pieces.size() - (parts_ ? parts_->memory.size() : 0);
}

// ---- Parts

Parts Code::parts_of(const Scalar& points, const Scalar& work, const std::optional<Scalar>& cells, bool small) {
  const std::string name = identifiers_.fresh_outside("parts");
  const Expr count = var(name, PrimType::i64);
  Parts parts{.count = {count, std::nullopt, Range{1, std::int64_t{1} << 20}},
              .part = var(identifiers_.fresh("part"), PrimType::i64),
              .points = wide(points.expr),
              .work = wide(work.expr),
              .small = small};
  if (cells) parts.cells = wide(cells->expr);
  if (points.exact && work.exact && (!cells || cells->exact) && !context_.is_late(parts.value())) {
    parts.count.upper = count;
    parts.count.exact = true;
    context_.early_variables.insert(name);
  }
  return parts;
}

void Code::define(Parts& parts) {
  parts.defined = out_.size();
  emit(Let{
      .name = variable_of(parts.count.expr), .type = type(PrimType::i64), .value = parts.value()});
}

LoopForm Code::points_of(Parts& parts, const Expr& points) {
  return between(parts, [&](const Expr& part) { return times(part, wide(points)) / parts.count.expr; });
}

LoopForm Code::tiles_of(Parts& parts, const Expr& points) {
  return between(parts, [&](const Expr& part) { return runtime::begin_of_part(part, wide(points), parts.count.expr); });
}

/// Their names stand around code that may have been made before.
LoopForm Code::between(Parts& parts, const std::function<Expr(const Expr&)>& begin) {
  const Expr from = named_early("begin", begin(parts.part));
  const Expr to = named_early("end", begin(plus(parts.part, lit(1))));
  parts.bounds = {variable_of(from), variable_of(to)};
  return {.from = from, .to = to};
}

void Code::loop_over(Parts& parts, const std::function<void()>& fill) {
  parts_ = &parts;
  Stms body = collect_loop(true, fill);
  parts_ = nullptr;
  // It depends on how much room they need.
  std::get<Let>(out_.at(*parts.defined).what).value = parts.value();
  const bool apart = !allocates(body);
  if (!apart) body = without_turns(std::move(body));
  if (!body.empty() && only_continues(body.back())) body.pop_back();
  body.insert(body.begin(), std::make_move_iterator(parts.memory.begin()),
              std::make_move_iterator(parts.memory.end()));
  parts.memory.clear();
  emit_loop(For{.name = variable_of(parts.part),
                .type = type(PrimType::i64),
                .from = lit(0),
                .to = parts.count.expr,
                .parallel = apart,
                .worth = apart ? std::optional(parts.count.expr > 1) : std::nullopt,
                .body = std::move(body)});
  for (const std::string& name : parts.bounds) identifiers_.release_outside(name);
  parts.bounds.clear();
  identifiers_.release(variable_of(parts.part));
}

void Code::after_first(const Parts& parts, const std::function<void()>& fill) {
  const std::string part = variable_of(parts.part);
  identifiers_.reserve(part);
  emit_loop(For{.name = part,
                .type = type(PrimType::i64),
                .from = lit(1),
                .to = parts.count.expr,
                .body = collect_loop(false, fill)});
  identifiers_.release(part);
}

View Code::array_of_parts(const std::string& base, const ir::Type& value, const Parts& parts) {
  const std::string name = base + "_of_parts";
  std::vector<Scalar> extents{parts.count};
  const std::vector<Scalar> row = this->extents(value.shape);
  extents[0].upper = parts.most(row.empty() ? lit(1) : elements(row).expr);
  extents.insert(extents.end(), row.begin(), row.end());
  if (!value.is_scalar()) return temporary(name, value.elem, extents);
  const std::string array = identifiers_.fresh(name);
  emit(LocalArray{array, type(value.elem), runtime::max_parts()});
  return dense_view(var(array, pointer_to(value.elem)), value.elem, extents);
}

/// Nothing can jump out of a turn: what a failed check ends there is a loop of one round.
void Code::in_order_of_iterations(const std::function<void()>& fill) {
  const std::optional<Stm> outer = leave_;
  const bool outer_left = std::exchange(left_, false);
  if (leave_) leave_ = Break{};
  Stms body = collect(fill);
  leave_ = outer;
  const bool left = std::exchange(left_, outer_left);
  if (left) {
    body.push_back(Break{});
    body = {Stm(While{true_lit(), std::move(body)})};
  }
  if (body.empty()) return;
  // They may come to stand here themselves.
  for (const Stm& stm : body)
    if (const auto* let = std::get_if<Let>(&stm.what)) identifiers_.reserve(let->name);
  emit(Ordered{std::move(body)});
  if (left) leave_if(runtime::has_failed(surroundings_.failure()));
}

void Code::release(const Parts& parts) {
  identifiers_.release_outside(variable_of(parts.count.expr));
  identifiers_.release(variable_of(parts.part));
  context_.early_variables.erase(variable_of(parts.count.expr));
}

Scalar Code::work_of_copy(const View& array) const {
  const Scalar element = size_literal(facts::memory_work);
  if (array.rank() == 1) return element;
  return product(element, elements({array.extents.begin() + 1, array.extents.end()}));
}

}  // namespace boustro::plan::planner
