// Calls consume arguments, and their results share the others.
#include <algorithm>

#include "frontend/check/consumption.hpp"
#include "frontend/check/intrinsics.hpp"
#include "frontend/source/messages.hpp"

namespace boustro::check {

using source::Message;

// f x y: arguments are evaluated first, then consumed. The result shares what the function does
// not make itself.
Sharing Consumption::visit_apply(const Exp& exp) {
  std::vector<const Exp*> applications;
  const Exp* at = &exp;
  while (const auto* apply = std::get_if<Apply>(&at->node)) {
    applications.insert(applications.begin(), at);
    at = &*apply->function;
  }
  const auto* head = std::get_if<Var>(&at->node);
  const auto* once = head ? function_applied_once(*head, applications) : nullptr;
  if (once) return visit_with_accumulator(applications, *once);
  Roots roots = all_roots(visit(*at));
  bool fresh = head && fresh_functions_.count(head->name.id);
  std::vector<std::pair<Sharing, const Exp*>> consumed;
  std::vector<std::string> unique_fields;
  for (const Exp* application : applications) {
    const Apply& apply = std::get<Apply>(application->node);
    const auto* type = std::get_if<FunctionType>(&apply.function->type.node);
    const Sharing argument =
        type ? visit_given(*apply.argument, *type->from) : visit_kept(*apply.argument);
    if (type && (type->consumes || is_linear(*type->from)))
      consumed.emplace_back(argument, &*apply.argument);
    else
      roots.merge(all_roots(argument));
    if (application == &exp && type && type->unique_result) fresh = true;
    if (application == &exp && type) unique_fields = type->unique_fields;
  }
  for (const auto& [sharing, argument] : consumed) {
    if (const Roots shared = shared_by_parts(sharing); !shared.empty())
      diagnostics_.report(Message::consumes_shared, argument->at, roots_[*shared.begin()].text);
    for (const int root : all_roots(sharing)) {
      if (!roots.count(root)) continue;
      diagnostics_.report(Message::consumes_shared, argument->at, roots_[root].text);
      break;
    }
    use(sharing, "the argument", argument->at);
    consume(sharing, argument->at);
  }
  if (fresh && !std::holds_alternative<FunctionType>(exp.type.node)) return {};
  // What is not said to be unique may share memory with the rest of the result.
  if (std::holds_alternative<RecordType>(exp.type.node) && !(head && is_unzip(*head)))
    roots.insert(new_root("the result of a function"));
  Sharing result = everywhere(exp.type, roots);
  for (const std::string& field : unique_fields) result.fields[field] = {};
  return result;
}

Sharing Consumption::visit_given(const Exp& exp, const Type& expected) {
  std::size_t params = 0;
  const FunctionType* last = nullptr;
  for (const Type* at = &expected; const auto* function = std::get_if<FunctionType>(&at->node);
       at = &*function->to) {
    last = function;
    ++params;
  }
  if (!last || (!last->unique_result && last->unique_fields.empty())) return visit_kept(exp);
  const auto* lambda = std::get_if<Lambda>(&exp.node);
  if (lambda && lambda->params.size() == params) return visit_lambda(*lambda, last, exp.at);

  const auto* var = std::get_if<Var>(&exp.node);
  const bool is_fresh_function = var && fresh_functions_.count(var->name.id) > 0;
  const auto* own = function_type_after(exp.type, params);
  const auto is_unique = [&](const std::string& field) {
    return std::find(own->unique_fields.begin(), own->unique_fields.end(), field) !=
           own->unique_fields.end();
  };
  const bool fits = !own || own->unique_result || is_fresh_function || !holds_arrays(*own->to) ||
                    (!last->unique_result && std::all_of(last->unique_fields.begin(),
                                                         last->unique_fields.end(), is_unique));
  if (!fits)
    diagnostics_.report(Message::type_mismatch, exp.at, to_string(exp.type), to_string(expected))
        .notes.push_back({exp.at, "the result of the function may share memory with others"});
  return visit_kept(exp);
}

// The prelude's unzip, unzip3, ...: the parts share with each other only what those of the
// argument do. Their types cannot say so.
bool Consumption::is_unzip(const Var& head) {
  const bool renamed = is_intrinsic(head.name) && intrinsic_of(head.name) == Intrinsic::unzip;
  return renamed || (head.of_prelude && head.name.text.rfind("unzip", 0) == 0);
}

// The lambda that core.with_add or its like is applied to.
const Lambda* Consumption::function_applied_once(const Var& head,
                                                 const std::vector<const Exp*>& applications) {
  if (!is_intrinsic(head.name) || !opens_accumulator(intrinsic_of(head.name))) return nullptr;
  const auto arity = static_cast<std::size_t>(arity_of(intrinsic_of(head.name)));
  if (applications.size() != arity) return nullptr;
  return std::get_if<Lambda>(&std::get<Apply>(applications.back()->node).argument->node);
}

// The body runs exactly once, as if it stood here, so that it may consume accumulators from
// outside. What it yields is the result.
Sharing Consumption::visit_with_accumulator(const std::vector<const Exp*>& applications,
                                            const Lambda& function) {
  for (const Exp* application : applications) {
    const Apply& apply = std::get<Apply>(application->node);
    if (application == applications.back()) break;
    const Sharing argument = visit(*apply.argument);
    const auto* type = std::get_if<FunctionType>(&apply.function->type.node);
    if (!type || !type->consumes) continue;
    use(argument, "the argument", apply.argument->at);
    consume(argument, apply.argument->at);
  }
  return function_body(function.params, *function.body);
}

}  // namespace boustro::check
