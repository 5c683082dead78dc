// Entries for the cpu target: one sequence of loops, which workers share.
#include "emit/plan/planner/entry.hpp"
#include "frontend/source/diagnostics.hpp"

namespace boustro::plan::planner {
namespace {

/// Arrays of up to this many elements live on the stack.
constexpr std::int64_t max_stack_elements = 64;

/// A piece of scratch memory in which each part of a loop that workers share has an array for itself.
View array_of_part(Context& context, Identifiers& identifiers, Parts& parts, const std::string& base,
                   PrimType elem, const std::vector<Scalar>& extents) {
  const Expr room = upper_size(extents);
  std::vector<Scalar> all = extents;
  all.insert(all.begin(), parts.count);
  all[0].upper = parts.most(room);
  const View whole = allocate_piece(context, identifiers, base, elem, all);
  const Expr& piece = whole.memory()->base;
  const std::string name = std::get<Field>(piece.head).name;
  const Type pointer = pointer_to(elem);
  parts.room = parts.room ? plus(*parts.room, room) : room;
  parts.memory.push_back(
      Let{.name = name, .type = pointer, .value = piece + times(parts.part, room)});
  return dense_view(var(name, pointer), elem, extents);
}

View allocate(Context& context, Identifiers& identifiers, Code& code, const std::string& base,
              PrimType elem, const std::vector<Scalar>& extents) {
  std::int64_t count = 1;
  for (const Scalar& extent : extents) {
    const auto size = int_value(extent.expr);
    count = size && count <= max_stack_elements ? count * *size : max_stack_elements + 1;
  }
  if (count > max_stack_elements && code.parts() && is_bounded(context, extents))
    return array_of_part(context, identifiers, *code.parts(), base, elem, extents);
  if (count > max_stack_elements)
    return allocate_array(context, identifiers, code, base, elem, extents);
  const std::string name = identifiers.fresh(base);
  code.emit(LocalArray{name, type(elem), lit(std::max<std::int64_t>(count, 1), PrimType::i32)});
  return dense_view(var(name, pointer_to(elem)), elem, extents);
}

/// `if (has_failed(failure)) return ...;`
bool asks_for_failure(const Stm& stm) {
  const auto* branch = std::get_if<If>(&stm.what);
  const auto* call = branch ? std::get_if<Call>(&branch->condition.head) : nullptr;
  return call && call->function == "has_failed";
}

}  // namespace

void plan_cpu_entry(Context& context, const ir::Function& function) {
  Identifiers identifiers = context.file_names;
  identifiers.outermost_moves();
  Interface interface = plan_interface(context, function, identifiers);
  Surroundings around;
  Code* current = nullptr;
  around.import = [](const ir::Name&) -> Value {
    source::internal_error("plan: name is not defined");
  };
  around.allocate = [&](const std::string& base, PrimType elem,
                        const std::vector<Scalar>& extents) {
    return allocate(context, identifiers, *current, base, elem, extents);
  };
  around.failure = [] { return var("failure", pointer_to(struct_type("Failure"))); };
  around.parallel = true;
  around.host = true;
  around.leave = Return{.failed = true};
  Code code(context, identifiers, around);
  current = &code;
  for (auto& [name, value] : interface.values) code.bind(name, value);
  code.open_late_results(interface);
  const Results results = code.body(function.body, interface.destinations);
  for (std::size_t i = 0; i < interface.scalars.size(); ++i) {
    const bool scalar = function.result_types[i].is_scalar();
    if (scalar && i >= static_cast<std::size_t>(function.size_results)) {
      code.assign(interface.scalars[i][lit(0, PrimType::i32)], code.value(function.body.result[i]));
    }
  }
  code.close_late_results(interface, results);
  context.entry.body = code.take();
  // At the end the entry tells by its result.
  if (!context.entry.body.empty() && asks_for_failure(context.entry.body.back()))
    context.entry.body.pop_back();
  context.entry.order_note = "The results are the same in every run, whatever the number of threads.";
  hoist_prologue(context.entry);
}

}  // namespace boustro::plan::planner
