#include "transform/ir/closed.hpp"

#include "transform/ir/traversal.hpp"

namespace boustro::ir {
namespace {

using Functions = std::function<const Function&(const Name&)>;

bool can_fail(const Body& body, const Functions& function) {
  for (const Stm& stm : body.stms) {
    bool fails = false, has_bodies = false;
    for_each_body(stm.exp, [&](const Body& inner) {
      has_bodies = true;
      fails = fails || can_fail(inner, function);
    });
    const auto* call = std::get_if<Call>(&stm.exp);
    if (call) fails = can_fail(function(call->function).body, function);
    if (fails || (!call && !has_bodies && may_fail(stm.exp))) return true;
  }
  return false;
}

}  // namespace

bool is_closed(const Lambda& op, const Functions& function) {
  return free_names(op).empty() && !can_fail(op.body, function);
}

}  // namespace boustro::ir
