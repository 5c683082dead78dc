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
  if (call && (!runtime::is_function(call->function) || call->function == "check_index"))
    return false;
  return std::all_of(expr.args.begin(), expr.args.end(), has_no_effect);
}

bool is_unused(const Stm& stm, const Names& mentioned) {
  const auto* const let = std::get_if<Let>(&stm.what);
  return let && !let->changes && let->value && !mentioned.contains(let->name) &&
         has_no_effect(*let->value);
}

/// Whether something was removed.
bool drop_from(Stms& stms, const Names& mentioned) {
  const std::size_t before = stms.size();
  std::erase_if(stms, [&](const Stm& stm) { return is_unused(stm, mentioned); });
  bool dropped = stms.size() != before;
  for (Stm& stm : stms) {
    if (auto* loop = std::get_if<For>(&stm.what)) dropped |= drop_from(loop->body, mentioned);
    if (auto* loop = std::get_if<While>(&stm.what)) dropped |= drop_from(loop->body, mentioned);
    if (auto* block = std::get_if<Block>(&stm.what)) dropped |= drop_from(block->body, mentioned);
    if (auto* branch = std::get_if<If>(&stm.what)) {
      dropped |= drop_from(branch->then_body, mentioned);
      dropped |= drop_from(branch->else_body, mentioned);
    }
  }
  return dropped;
}

/// What one constant mentioned may be unused once that is gone.
void drop_all(Stms& stms) {
  while (drop_from(stms, names_in(stms))) {
  }
}

}  // namespace

void drop_unused(Entry& entry) {
  for (Definition& definition : entry.definitions) {
    if (auto* function = std::get_if<Function>(&definition)) drop_all(function->body);
    if (auto* functor = std::get_if<Functor>(&definition)) drop_all(functor->body);
  }
  for (Kernel& kernel : entry.kernels) drop_all(kernel.body);
  drop_all(entry.body);
}

}  // namespace boustro::plan::planner
