#include "emit/plan/lanes/strides.hpp"

#include <algorithm>
#include <map>

#include "emit/plan/lanes/loops.hpp"
#include "emit/plan/walk.hpp"

namespace boustro::plan::lanes {
namespace {

/// Of an address or index, from one point to the next.
enum class Stride { none, one, other };

Stride sum_of(Stride x, Stride y) { return x == Stride::none ? y : y == Stride::none ? x : Stride::other; }

/// The strides of variables that are declared behind the loop's index, and of the index itself.
using Strides = std::map<std::string, Stride>;

Stride stride_of(const Expr& expr, const Strides& known) {
  if (const auto* variable = std::get_if<Var>(&expr.head)) {
    const auto found = known.find(variable->name);
    return found == known.end() ? Stride::none : found->second;
  }
  if (expr.head == Head(Op::add)) return sum_of(stride_of(expr.args[0], known), stride_of(expr.args[1], known));
  const auto varies = [&](const Expr& arg) { return stride_of(arg, known) != Stride::none; };
  if (expr.head == Head(Op::sub)) return varies(expr.args[1]) ? Stride::other : stride_of(expr.args[0], known);
  return std::any_of(expr.args.begin(), expr.args.end(), varies) ? Stride::other : Stride::none;
}

Strides strides_in(const Stms& stms, const std::string& index) {
  Strides known = {{index, Stride::one}};
  for_each_stm(stms, [&](const Stm& stm) {
    if (const auto* let = std::get_if<Let>(&stm.what))
      known[let->name] = let->value && !let->changes ? stride_of(*let->value, known) : Stride::none;
  });
  return known;
}

void count_gathers(const Expr& expr, const Strides& known, int& count) {
  if (std::holds_alternative<Element>(expr.head) &&
      sum_of(stride_of(expr.args[0], known), stride_of(expr.args[1], known)) == Stride::other)
    ++count;
  for (const Expr& arg : expr.args) count_gathers(arg, known, count);
}

bool is_innermost(const For& loop) {
  bool inner = false;
  for_each_stm(loop.body, [&](const Stm& stm) { inner = inner || std::holds_alternative<For>(stm.what); });
  return !inner;
}

/// Loops over points in the body that have sums of their own, outermost first.
std::vector<const For*> inner_points_in(const Stms& stms) {
  std::vector<const For*> found;
  for_each_stm(stms, [&](const Stm& stm) {
    const auto* loop = std::get_if<For>(&stm.what);
    if (loop && loop->points && has_sums_in_order(loop->body, Variation(*loop, {}))) found.push_back(loop);
  });
  return found;
}

int sum_loops_in(const Stms& stms) {
  int count = 0;
  for_each_stm(stms, [&](const Stm& stm) {
    const auto* loop = std::get_if<For>(&stm.what);
    count += loop && !loop->points && is_innermost(*loop) ? 1 : 0;
  });
  return count;
}

}  // namespace

int count_gathers(const Stms& stms, const std::string& index, const Stms& own) {
  const Strides known = strides_in(own, index);
  int count = 0;
  for_each_stm(stms, [&](const Stm& stm) {
    const auto* loop = std::get_if<For>(&stm.what);
    if (!loop || !is_innermost(*loop)) return;
    for_each_stm(loop->body, [&](const Stm& inner) {
      for_each_expr(inner, [&](const Expr& expr) { count_gathers(expr, known, count); });
    });
  });
  return count;
}

bool inner_points_are_closer(const For& points) {
  int inner_gathers = 0, outer_gathers = 0, sums = 0;
  for (const For* inner : inner_points_in(points.body)) {
    if (!inner_points_in(inner->body).empty()) continue;  // it is for the innermost ones
    inner_gathers += count_gathers(inner->body, inner->name, inner->body);
    outer_gathers += count_gathers(inner->body, points.name, points.body);
    sums += sum_loops_in(inner->body);
  }
  return inner_gathers < outer_gathers && sums == sum_loops_in(points.body);
}

}  // namespace boustro::plan::lanes
