#include "emit/plan/lanes/vectors.hpp"

#include <algorithm>

#include "emit/plan/planner/arithmetic.hpp"
#include "emit/plan/walk.hpp"

namespace boustro::plan::lanes {
namespace {

bool is_arithmetic(const Head& head) {
  const Op* op = std::get_if<Op>(&head);
  return op && (*op == Op::neg || *op == Op::add || *op == Op::sub || *op == Op::mul || *op == Op::div);
}

}  // namespace

bool is_number(const Type& type) {
  return !type.pointer && type.name.empty() && values::is_float(type.prim) && type.prim != PrimType::f16;
}

Type lanes_of(const Type& number) {
  Type result = number;
  result.lanes = true;
  return result;
}

Expr lanes_at(const Expr& array, const Expr& index) {
  return planner::plus(array, planner::times(index, var("lanes", PrimType::i64)));
}

Vectors::Vectors(const For& points, const Variation& variation, const Layouts& layouts) : points_(points.name), variation_(variation), layouts_(layouts) {
  collect(points.body, false);
  while (drop(points.body, false) || drop_unread(points.body)) {
  }
}

/// At first all variables that might be.
void Vectors::collect(const Stms& stms, bool guarded) {
  for (const Stm& stm : stms) {
    const auto* let = std::get_if<Let>(&stm.what);
    if (let && !guarded && is_number(let->type) && variation_.varies(let->name)) vectors_.insert(let->name);
    const auto* branch = std::get_if<If>(&stm.what);
    const bool differs = guarded || (branch && variation_.varies(branch->condition));
    for_each_body(stm, [&](const Stms& body) { collect(body, differs); });
  }
}

/// Those that are not set by operations on vectors alone.
bool Vectors::drop(const Stms& stms, bool guarded) {
  bool dropped = false;
  for (const Stm& stm : stms) {
    const auto* let = std::get_if<Let>(&stm.what);
    const auto* assign = std::get_if<Assign>(&stm.what);
    const std::string name = let ? let->name : assign ? base_of(assign->target) : "";
    if (vectors_.contains(name) && (guarded || !is_operation(stm))) dropped = vectors_.erase(name) > 0;
    const auto* branch = std::get_if<If>(&stm.what);
    const bool differs = guarded || (branch && variation_.varies(branch->condition));
    for_each_body(stm, [&](const Stms& body) { dropped = drop(body, differs) || dropped; });
  }
  return dropped;
}

/// Those that no other operation reads, and that sums over lanes do, which want arrays.
bool Vectors::drop_unread(const Stms& stms) {
  std::set<std::string> read, changing, lane_by_lane;
  for_each_stm(stms, [&](const Stm& stm) {
    const auto* assign = std::get_if<Assign>(&stm.what);
    if (assign && assign->op && vectors_.contains(base_of(assign->target))) changing.insert(base_of(assign->target));
    std::set<std::string> names;
    for_each_expr(stm, [&](const Expr& expr) { add_names(expr, names); });
    if (is_operation(stm)) read.insert(names.begin(), names.end());
    if (assign && variation_.has_effect(stm) && !is_operation(stm)) lane_by_lane.insert(names.begin(), names.end());
  });
  std::set<std::string> useless;
  for (const std::string& name : vectors_)
    if (!changing.contains(name) && (!read.contains(name) || lane_by_lane.contains(name))) useless.insert(name);
  return drop_all(useless);
}

bool Vectors::drop_all(const std::set<std::string>& names) {
  for (const std::string& name : names) vectors_.erase(name);
  return !names.empty();
}

bool Vectors::is_operation(const Stm& stm) const {
  if (const auto* let = std::get_if<Let>(&stm.what))
    return vectors_.contains(let->name) && (!let->value || is_value(*let->value));
  const auto* assign = std::get_if<Assign>(&stm.what);
  return assign && is_place(assign->target) && is_value(assign->value) &&
         (!assign->op || *assign->op == Op::add || *assign->op == Op::sub || *assign->op == Op::mul);
}

/// A vector, or a number for all lanes.
bool Vectors::is_value(const Expr& expr) const { return is_number(expr.type) && (!variation_.varies(expr) || is_vector(expr)); }

bool Vectors::is_vector(const Expr& expr) const {
  if (const auto* variable = std::get_if<Var>(&expr.head)) return vectors_.contains(variable->name);
  if (std::holds_alternative<Element>(expr.head)) return is_place(expr);
  return is_arithmetic(expr.head) && std::all_of(expr.args.begin(), expr.args.end(), [&](const Expr& arg) {
           return arg.type == expr.type && is_value(arg);
         });
}

/// A vector in a variable or in memory.
bool Vectors::is_place(const Expr& target) const {
  if (const auto* variable = std::get_if<Var>(&target.head)) return vectors_.contains(variable->name);
  if (!std::holds_alternative<Element>(target.head) || !is_number(target.type)) return false;
  if (goes_along_points(target)) return true;
  const auto layout = layouts_.find(base_of(target.args[0]));
  return layout != layouts_.end() && layout->second.lanes && !variation_.varies(target.args[1]);
}

/// The elements of neighbouring points are neighbours: xs[i], or xs[i] of a row that is the same for all points.
bool Vectors::goes_along_points(const Expr& element) const {
  const Expr& index = element.args[1];
  if (variation_.varies(element.args[0]) || variation_.is_temporary(base_of(element.args[0]))) return false;
  if (is_variable(index, points_)) return true;
  return index.head == Head(Op::add) && is_variable(index.args[1], points_) && !variation_.varies(index.args[0]);
}

Stm Vectors::operation(const Stm& stm) const {
  Stm result = stm;
  if (auto* let = std::get_if<Let>(&result.what)) {
    let->type = lanes_of(let->type);
    if (let->value) let->value = vector_of(*let->value);
    return result;
  }
  auto& assign = std::get<Assign>(result.what);
  const Expr target = vector_of(assign.target), value = vector_of(assign.value);
  if (std::holds_alternative<Var>(target.head)) {
    assign.target = target;
    assign.value = value;
    return result;
  }
  Expr stored = value;
  if (assign.op) stored = {.head = *assign.op, .args = {target, value}, .type = target.type};
  result.what = Do{call("store_lanes<lanes>", {}, {target.args[0], stored})};
  return result;
}

Expr Vectors::vector_of(const Expr& expr) const {
  if (!variation_.varies(expr)) return expr;
  Expr result = expr;
  result.type = lanes_of(expr.type);
  if (std::holds_alternative<Element>(expr.head)) {
    result.head = Call{"load_lanes<lanes>"};
    result.args = {goes_along_points(expr) ? planner::plus(expr.args[0], expr.args[1]) : lanes_at(expr.args[0], expr.args[1])};
  } else {
    for (Expr& arg : result.args) arg = vector_of(arg);
  }
  return result;
}

}  // namespace boustro::plan::lanes
