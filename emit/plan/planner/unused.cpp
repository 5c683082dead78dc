#include "emit/plan/planner/unused.hpp"

#include <algorithm>

#include "emit/plan/build.hpp"
#include "emit/plan/walk.hpp"

namespace boustro::plan::planner {
namespace {

using Names = std::set<std::string>;

/// Evaluating it does nothing else: it neither checks an index nor calls a function that might.
bool has_no_effect(const Expr& expr) {
  const auto* const call = std::get_if<Call>(&expr.head);
  if (call && (!runtime::is_function(call->function) || runtime::is_check(call->function)))
    return false;
  return std::all_of(expr.args.begin(), expr.args.end(), has_no_effect);
}

bool is_unused(const Stm& stm, const Names& mentioned) {
  const auto* const let = std::get_if<Let>(&stm.what);
  return let && !let->changes && let->value && !mentioned.contains(let->name) &&
         has_no_effect(*let->value);
}

void drop_from(Stms& stms);

void drop_inside(Stm& stm) {
  if (auto* loop = std::get_if<For>(&stm.what)) drop_from(loop->body);
  if (auto* loop = std::get_if<While>(&stm.what)) drop_from(loop->body);
  if (auto* branch = std::get_if<If>(&stm.what)) {
    drop_from(branch->then_body);
    drop_from(branch->else_body);
  }
}

/// From the last statement to the first, since a constant is visible in those behind it alone:
/// elsewhere another one may have its name.
void drop_from(Stms& stms) {
  Names mentioned;
  for (std::size_t i = stms.size(); i-- > 0;) {
    if (is_unused(stms[i], mentioned)) {
      stms.erase(stms.begin() + static_cast<std::ptrdiff_t>(i));
      continue;
    }
    drop_inside(stms[i]);
    mentioned.merge(names_in({stms[i]}));
  }
}

}  // namespace

void drop_unused(Stms& stms) { drop_from(stms); }

void drop_unused(Entry& entry) {
  for (Definition& definition : entry.definitions) {
    if (auto* function = std::get_if<Function>(&definition)) drop_from(function->body);
    if (auto* functor = std::get_if<Functor>(&definition)) drop_from(functor->body);
  }
  for (Kernel& kernel : entry.kernels) drop_from(kernel.body);
  drop_from(entry.body);
}

}  // namespace boustro::plan::planner
