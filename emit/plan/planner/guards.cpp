#include "emit/plan/planner/guards.hpp"

#include <algorithm>

#include "emit/plan/build.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::plan::planner {
namespace {

/// Work on the device, and constants for it: no variable of the host changes.
bool is_work(const Stm& stm) {
  return ir::match(
      stm.what, [](const Let& let) { return !let.changes && let.value.has_value(); },
      [](const Launch&) { return true; }, [](const Run&) { return true; },
      [](const Fill&) { return true; }, [](const Copy&) { return true; },
      [](const auto&) { return false; });
}

If* as_guard(Stm& stm) {
  auto* branch = std::get_if<If>(&stm.what);
  const bool guards = branch && branch->else_body.empty() &&
                      std::all_of(branch->then_body.begin(), branch->then_body.end(), is_work);
  return guards ? branch : nullptr;
}

bool is_constant(const Stm& stm) { return std::holds_alternative<Let>(stm.what) && is_work(stm); }

bool launches(const Stms& stms) {
  return std::any_of(stms.begin(), stms.end(), [](const Stm& stm) { return std::holds_alternative<Launch>(stm.what); });
}

/// Launches name the shapes of their grids: two of them in one scope would each need their own.
bool one_launches(const If& guard, const If& later) { return !launches(guard.then_body) || !launches(later.then_body); }
bool any(const If&, const If&) { return true; }

/// The earlier guard's work moves to the later one, if both may be one: what stands between them only names values.
template <typename MayBeOne>
void merge(Stms& stms, const MayBeOne& may_be_one) {
  Stms merged;
  for (std::size_t i = 0; i < stms.size(); ++i) {
    if (auto* loop = std::get_if<For>(&stms[i].what)) merge(loop->body, may_be_one);
    const If* guard = as_guard(stms[i]);
    std::size_t next = i + 1;
    while (guard && next < stms.size() && is_constant(stms[next])) ++next;
    If* later = guard && next < stms.size() ? as_guard(stms[next]) : nullptr;
    if (later && later->condition == guard->condition && may_be_one(*guard, *later)) {
      later->then_body.insert(later->then_body.begin(), guard->then_body.begin(),
                              guard->then_body.end());
    } else {
      merged.push_back(std::move(stms[i]));
    }
  }
  stms = std::move(merged);
}

/// The opposite of a condition on sizes, if it is one: n == 0 for n > 0.
std::optional<Expr> opposite(const Expr& condition, const std::set<std::string>& sizes) {
  const Op* op = std::get_if<Op>(&condition.head);
  if (!op) return std::nullopt;
  const auto* size = std::get_if<Var>(&condition.args[0].head);
  if (*op == Op::gt && size && sizes.contains(size->name) && int_value(condition.args[1]) == 0) {
    return equal(condition.args[0], condition.args[1]);
  }
  if (*op != Op::logical_and) return std::nullopt;
  const auto x = opposite(condition.args[0], sizes), y = opposite(condition.args[1], sizes);
  return x && y ? std::optional(*x || *y) : std::nullopt;
}

/// if (n > 0) everything   as   if (n == 0) return; everything
bool return_early(Stms& body, const std::set<std::string>& sizes) {
  if (body.empty()) return false;
  const bool alone = std::all_of(body.begin(), body.end() - 1, is_constant);
  const If* guard = as_guard(body.back());
  const auto nothing = alone && guard ? opposite(guard->condition, sizes) : std::nullopt;
  if (!nothing) return false;
  Stms work = guard->then_body;
  work.insert(work.begin(), body.begin(), body.end() - 1);
  work.front().gap = true;
  body = {Stm(If{*nothing, {Return{}}}).with_beside("the results have no elements").after_gap()};
  body.insert(body.end(), work.begin(), work.end());
  return true;
}

}  // namespace

void merge_guards(Entry& entry, const std::set<std::string>& sizes) {
  Stms all = entry.body;
  merge(all, any);
  if (return_early(all, sizes)) {
    entry.body = std::move(all);
  } else {
    merge(entry.body, one_launches);
  }
}

}  // namespace boustro::plan::planner
