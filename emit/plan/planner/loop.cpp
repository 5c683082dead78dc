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

const std::string& variable_of(const Expr& expr) { return std::get<Var>(expr.head).name; }

/// In the type of a loop's index.
Expr bound(const Expr& expr, const Type& type) {
  return int_value(expr) ? lit(*int_value(expr), type.prim) : cast(type, expr);
}

}  // namespace

void Code::loop(const Scalar& extent, std::string_view base,
                const std::function<void(const Scalar&)>& fill, const LoopForm& form) {
  if (const auto count = int_value(extent.expr); count && *count <= 0) return;
  std::string letter(base);
  for (const char* other : {"j", "l", "t", "s", "u"}) {
    const bool taken = identifiers_.taken(letter) || context_.entry_sizes.contains(letter);
    if (letter.size() == 1 && taken) letter = other;
  }
  const bool narrow =
      extent.expr.type.prim == PrimType::i32 || (int_value(extent.expr) && fits_int(extent.range));
  const Type index_type = type(narrow ? PrimType::i32 : PrimType::i64);
  std::string name;
  const std::size_t pieces = context_.entry.scratch.pieces.size();
  std::optional<Parts> parts;
  if (form.work && is_shareable(*form.work) && !is_little(extent, *form.work))
    parts = parts_of(extent, *form.work, std::nullopt);
  if (parts) parts_ = &*parts;
  Stms body = collect_loop(parts.has_value(), [&] {
    assume_nonzero(extent.expr);
    name = identifiers_.fresh(letter);
    const std::int64_t most = extent.range ? extent.range->high - 1 : size_range.high;
    std::optional<Expr> upper;
    if (extent.upper) upper = minus(*extent.upper, lit(1));
    Scalar index{var(name, index_type), upper, Range{0, std::max<std::int64_t>(most, 0)}};
    index.end = extent.expr;
    fill(index);
  });
  if (parts) parts_ = nullptr;
  if (parts && parts->memory.empty()) release(*parts);
  if (body.empty()) return;
  For loop{.name = name,
           .type = index_type,
           .from = bound(form.from.value_or(lit(0)), index_type),
           .to = form.to || int_value(extent.expr)
                     ? bound(form.to.value_or(extent.expr), index_type)
                     : extent.expr,
           .body = std::move(body)};
  if (parts && !parts->memory.empty()) {
    define(*parts);
    return loop_over(*parts, 0, [&] {
      const LoopForm range = points_of(*parts, extent.expr, "");
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

// ---- Parts

Parts Code::parts_of(const Scalar& points, const Scalar& work, const std::optional<Scalar>& cells) {
  const std::string name = identifiers_.fresh("parts");
  const Expr count = var(name, PrimType::i64);
  Parts parts{.count = {count, std::nullopt, Range{1, 64}},
              .part = var(identifiers_.fresh("part"), PrimType::i64),
              .points = wide(points.expr),
              .work = wide(work.expr)};
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

LoopForm Code::points_of(const Parts& parts, const Expr& points, std::string above) {
  const auto begin = [&](const Expr& part) { return times(part, wide(points)) / parts.count.expr; };
  const Expr from = named("begin", begin(parts.part), std::move(above));
  return {.from = from, .to = named("end", begin(plus(parts.part, lit(1))))};
}

void Code::loop_over(Parts& parts, std::int64_t first, const std::function<void()>& fill) {
  parts_ = &parts;
  Stms body = collect_loop(true, fill);
  parts_ = nullptr;
  // It depends on how much room they need.
  std::get<Let>(out_.at(*parts.defined).what).value = parts.value();
  const bool apart = !allocates(body);
  if (!body.empty() && only_continues(body.back())) body.pop_back();
  body.insert(body.begin(), std::make_move_iterator(parts.memory.begin()),
              std::make_move_iterator(parts.memory.end()));
  parts.memory.clear();
  emit_loop(For{.name = variable_of(parts.part),
                .type = type(PrimType::i64),
                .from = lit(first),
                .to = parts.count.expr,
                .parallel = apart,
                .worth = apart ? std::optional(parts.count.expr > 1) : std::nullopt,
                .body = std::move(body)});
}

void Code::after_first(const Parts& parts, const std::function<void()>& fill) {
  emit_loop(For{.name = variable_of(parts.part),
                .type = type(PrimType::i64),
                .from = lit(1),
                .to = parts.count.expr,
                .body = collect_loop(false, fill)});
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

void Code::release(const Parts& parts) {
  identifiers_.release(variable_of(parts.count.expr));
  identifiers_.release(variable_of(parts.part));
  context_.early_variables.erase(variable_of(parts.count.expr));
}

Scalar Code::work_of_copy(const View& array) const {
  const Scalar element = size_literal(facts::memory_work);
  if (array.rank() == 1) return element;
  return product(element, elements({array.extents.begin() + 1, array.extents.end()}));
}

}  // namespace boustro::plan::planner
