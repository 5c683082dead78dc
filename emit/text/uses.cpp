#include "emit/text/uses.hpp"

#include <algorithm>

#include "emit/plan/walk.hpp"

namespace boustro::text {
namespace {

using namespace plan;

/// The variable that an assignment changes, as a whole or in part.
std::string variable_of(const Expr& target) {
  if (const auto* var = std::get_if<Var>(&target.head)) return var->name;
  return target.args.empty() ? "" : variable_of(target.args.front());
}

/// What `stm` defines for later statements; empty if it does more than that.
std::string defined_by(const Stm& stm) {
  if (const auto* let = std::get_if<Let>(&stm.what)) return let->name;
  if (const auto* assign = std::get_if<Assign>(&stm.what)) return variable_of(assign->target);
  return "";
}

}  // namespace

Stms needed_part(const Stms& prologue, Names& names) {
  Stms result;
  for (auto stm = prologue.rbegin(); stm != prologue.rend(); ++stm) {
    const std::string defined = defined_by(*stm);
    if (!defined.empty() && !names.contains(defined)) continue;
    add_names(*stm, names);
    result.push_back(*stm);
  }
  std::reverse(result.begin(), result.end());
  return result;
}

}  // namespace boustro::text
