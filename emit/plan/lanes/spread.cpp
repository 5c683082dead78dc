#include "emit/plan/lanes/spread.hpp"

#include <algorithm>
#include <utility>

#include "emit/plan/lanes/unique.hpp"
#include "emit/plan/planner/arithmetic.hpp"
#include "emit/plan/walk.hpp"

namespace boustro::plan::lanes {
namespace {

using planner::is_zero;
using planner::mentions;
using planner::plus;
using planner::times;

const Expr lane = var("lane", PrimType::i64), lanes_now = var("lanes", PrimType::i64);

/// What is added to, where points share it: the same element at each of them.
bool adds_to_shared(const Assign& assign, const Variation& variation) {
  if (assign.op != Op::add || !std::holds_alternative<Element>(assign.target.head)) return false;
  const Type& type = assign.target.type;
  return !variation.is_temporary(base_of(assign.target.args[0])) && !variation.varies(assign.target) && type.name.empty() &&
         !is_bool(type);
}

/// The index of the element where the loop begins, if it goes along the array element by element.
std::optional<Expr> begin_along(const Expr& element, const Expr& index) {
  if (!std::holds_alternative<Element>(element.head)) return std::nullopt;
  const Expr& at = element.args[1];
  if (at == index) return lit(0);
  const bool sum = at.head == Head(Op::add) && at.args[1] == index;
  const std::string& name = std::get<Var>(index.head).name;
  return sum && !mentions(at.args[0], name) ? std::optional(at.args[0]) : std::nullopt;
}

void replace(Expr& expr, const std::string& name, const Expr& value) {
  if (is_variable(expr, name)) {
    expr = value;
    return;
  }
  for (Expr& arg : expr.args) replace(arg, name, value);
}

/// The last statement with the constants before it in their places.
std::optional<Assign> folded_into_one(const Stms& stms) {
  const auto* last = std::get_if<Assign>(&stms.back().what);
  if (!last) return std::nullopt;
  Assign result = *last;
  for (std::size_t at = stms.size() - 1; at-- > 0;) {
    const auto* let = std::get_if<Let>(&stms[at].what);
    if (!let || !let->value || let->changes) return std::nullopt;
    replace(result.target, let->name, *let->value);
    replace(result.value, let->name, *let->value);
  }
  return result;
}

void visit_exprs(const Expr& expr, const std::function<void(const Expr&)>& visit) {
  visit(expr);
  for (const Expr& arg : expr.args) visit_exprs(arg, visit);
}

}  // namespace

std::string rows_of(const std::string& array) { return array + "_rows"; }

bool is_sum_loop(const Stm& stm, const Variation& variation) {
  const auto* loop = std::get_if<For>(&stm.what);
  if (!loop) return false;
  bool along = false;
  for (const Stm& inner : loop->body) {
    if (std::holds_alternative<Let>(inner.what)) continue;
    const auto* assign = std::get_if<Assign>(&inner.what);
    if (!assign || !adds_to_shared(*assign, variation)) return false;
    along = along || mentions(assign->target, loop->name);
  }
  return along;
}

bool reads_along(const For& sum_loop, const std::string& array) {
  bool result = false;
  for_each_stm(sum_loop.body, [&](const Stm& stm) {
    for_each_expr(stm, [&](const Expr& whole) {
      visit_exprs(whole, [&](const Expr& expr) {
        result = result || (std::holds_alternative<Element>(expr.head) && is_variable(expr.args[0], array) &&
                            mentions(expr.args[1], sum_loop.name));
      });
    });
  });
  return result;
}

ForLanes Spread::run() {
  return {.name = points_.name, .type = points_.type, .from = points_.from, .to = points_.to, .body = block(points_.body)};
}

/// Statements that are the same for all points stay as they are, loops and branches that all points take go around those over
/// lanes, and what is left between them is done lane by lane.
Stms Spread::block(const Stms& stms) {
  const auto outer = expanded_;
  Stms result, group;
  const auto append = [&](Stms more) { std::move(more.begin(), more.end(), std::back_inserter(result)); };
  for (std::size_t at = 0; at <= stms.size(); ++at) {
    const Stm* stm = at < stms.size() ? &stms[at] : nullptr;
    const bool differs = stm && variation_.differs(*stm);
    const auto* branch = stm ? std::get_if<If>(&stm->what) : nullptr;
    const bool compound = stm && (std::holds_alternative<For>(stm->what) || (branch && !variation_.varies(branch->condition)));
    const bool declares = stm && std::holds_alternative<LocalArray>(stm->what);
    const bool vector = stm && vectors_.is_operation(*stm) && !stores_rows(*stm);
    if (stm && differs && !compound && !declares && !vector) {
      group.push_back(*stm);
      continue;
    }
    const bool constant = stm && !differs && std::holds_alternative<Let>(stm->what);
    if (!group.empty() && !constant && !declares) {
      const std::set<std::string> later = names_in(Stms(stms.begin() + static_cast<std::ptrdiff_t>(at), stms.end()));
      append(loop_over_lanes(std::exchange(group, {}), later));
    }
    if (stm) append(vector ? Stms{vectors_.operation(*stm)} : differs ? around_lanes(*stm) : Stms{*stm});
  }
  expanded_ = outer;
  return result;
}

/// What is stored in rows, too, goes there lane by lane.
bool Spread::stores_rows(const Stm& stm) const {
  const auto* assign = std::get_if<Assign>(&stm.what);
  if (!assign || !std::holds_alternative<Element>(assign->target.head)) return false;
  const auto layout = layouts_.find(base_of(assign->target.args[0]));
  return layout != layouts_.end() && layout->second.rows;
}

Stms Spread::around_lanes(const Stm& stm) {
  if (auto products = as_products(stm)) return {*products};
  Stm result = stm;
  if (const auto* array = std::get_if<LocalArray>(&stm.what)) {
    const Layout& layout = layouts_.at(array->name);
    Stms arrays;
    arrays.push_back(LocalArray{array->name, array->elem, times(array->size, lanes_now)});
    if (layout.lanes && layout.rows) arrays.push_back(LocalArray{rows_of(array->name), array->elem, times(array->size, lanes_now)});
    return arrays;
  }
  if (auto* branch = std::get_if<If>(&result.what)) {
    branch->then_body = block(branch->then_body);
    branch->else_body = block(branch->else_body);
  }
  if (auto* loop = std::get_if<For>(&result.what)) {
    const std::string outer = std::exchange(along_, is_sum_loop(stm, variation_) ? loop->name : "");
    loop->body = block(loop->body);
    along_ = outer;
  }
  return {result};
}

/// `for (s ...) sums[at + s] += x * xs[s];`, x being a temporary or variable of the points: one call.
std::optional<Stm> Spread::as_products(const Stm& stm) const {
  if (!is_sum_loop(stm, variation_)) return std::nullopt;
  const auto& loop = std::get<For>(stm.what);
  const auto folded = folded_into_one(loop.body);
  const Assign* assign = folded ? &*folded : nullptr;
  const bool counts_up = is_zero(loop.from) && !loop.step && !loop.down;
  if (!assign || !counts_up || !is_number(assign->target.type) || assign->value.head != Head(Op::mul)) return std::nullopt;
  const Expr index = var(loop.name, loop.type);
  const auto place = begin_along(assign->target, index);
  for (const bool swapped : {false, true}) {
    const Expr &x = assign->value.args[swapped ? 1 : 0], &row = assign->value.args[swapped ? 0 : 1];
    const auto* variable = std::get_if<Var>(&x.head);
    const auto layout = std::holds_alternative<Element>(row.head) ? layouts_.find(base_of(row.args[0])) : layouts_.end();
    const auto from = begin_along(row, index);
    if (!place || !from || !variable || !expanded_.contains(variable->name) || layout == layouts_.end() || !layout->second.rows) continue;
    const std::string rows = layout->second.lanes ? rows_of(base_of(row.args[0])) : base_of(row.args[0]);
    const Expr first = plus(var(rows, row.args[0].type), *from);
    return Do{call("add_products<lanes>", {}, {plus(assign->target.args[0], *place), loop.to,
                                               var(variable->name, pointer_to(x.type)), first, layout->second.size})};
  }
  return std::nullopt;
}

Stms Spread::loop_over_lanes(Stms group, const std::set<std::string>& later) {
  Stms result = expand(group, later), after;
  sum_up(group, result, after);
  if (group.empty()) return result;  // variables that are set further below
  rewrite(group);
  const bool gap = !group.empty() && std::exchange(group.front().gap, false);
  result.push_back(For{.name = "lane", .type = type(PrimType::i64), .from = lit(0), .to = lanes_now, .body = std::move(group)});
  result.front().gap = gap;
  std::move(after.begin(), after.end(), std::back_inserter(result));
  return result;
}

/// Variables that outlive the loop over lanes become arrays.
Stms Spread::expand(Stms& group, const std::set<std::string>& later) {
  Stms arrays, rest;
  for (Stm& stm : group) {
    auto* let = std::get_if<Let>(&stm.what);
    if (!let || vectors_.contains(let->name) || !later.contains(let->name)) {
      rest.push_back(std::move(stm));
      continue;
    }
    arrays.push_back(LocalArray{let->name, let->type, lanes_now});
    expanded_.insert(let->name);
    if (!let->value) continue;
    Stm set = Assign{var(let->name, let->type), *let->value};
    set.above = stm.above;
    set.beside = stm.beside;
    rest.push_back(std::move(set));
  }
  group = std::move(rest);
  return arrays;
}

bool Spread::is_sum(const Stm& stm) const {
  const auto* assign = std::get_if<Assign>(&stm.what);
  return assign && adds_to_shared(*assign, variation_);
}

/// What all points add to the same element is summed up first.
void Spread::sum_up(Stms& group, Stms& before, Stms& after) {
  for (Stm& stm : group) {
    if (!is_sum(stm)) continue;
    auto& assign = std::get<Assign>(stm.what);
    const Expr sum = var(fresh("added", taken_), assign.target.type);
    before.push_back(Let{.name = std::get<Var>(sum.head).name, .type = sum.type, .value = zero_of(sum.type), .changes = true});
    after.push_back(Assign{assign.target, sum, Op::add});
    assign = Assign{sum, assign.value, Op::add};
  }
}

void Spread::rewrite(Stms& stms) {
  const auto outer = own_;
  Stms result;
  for (Stm& stm : stms) {
    if (const auto* array = std::get_if<LocalArray>(&stm.what)) own_.insert(array->name);
    const auto* assign = std::get_if<Assign>(&stm.what);
    const bool element = assign && std::holds_alternative<Element>(assign->target.head);
    const std::string base = element ? base_of(assign->target.args[0]) : "";
    const auto layout = layouts_.find(base);
    const bool twice = layout != layouts_.end() && !own_.contains(base) && layout->second.lanes && layout->second.rows;
    std::optional<Expr> index;
    if (twice) {
      index = assign->target.args[1];
      rewrite(*index);
    }
    for_each_expr(stm, [&](Expr& expr) { rewrite(expr); });
    for_each_body(stm, [&](Stms& body) { rewrite(body); });
    result.push_back(std::move(stm));
    if (!twice) continue;
    const Expr array = var(base, pointer_to(std::get<Assign>(result.back().what).target.type));
    result.push_back(Assign{element_of(array, *index, true), element_of(array, *index, false)});
  }
  own_ = outer;
  stms = std::move(result);
}

void Spread::rewrite(Expr& expr) {
  if (const auto* variable = std::get_if<Var>(&expr.head)) {
    if (variable->name == points_.name) {
      expr = plus(expr, lane);
    } else if (vectors_.contains(variable->name)) {
      const Type number = expr.type;
      expr.type = lanes_of(number);
      expr = {.head = Element{}, .args = {expr, lane}, .type = number};
    } else if (expanded_.contains(variable->name)) {
      expr = var(variable->name, pointer_to(expr.type))[lane];
    }
    return;
  }
  if (!std::holds_alternative<Element>(expr.head)) {
    for (Expr& arg : expr.args) rewrite(arg);
    return;
  }
  const std::string base = base_of(expr.args[0]);
  if (base.empty()) rewrite(expr.args[0]);
  const bool along = !along_.empty() && mentions(expr.args[1], along_);
  rewrite(expr.args[1]);
  const auto layout = layouts_.find(base);
  if (layout == layouts_.end() || own_.contains(base)) return;
  expr = element_of(expr.args[0], expr.args[1], !layout->second.lanes || (along && layout->second.rows));
}

Expr Spread::element_of(const Expr& array, const Expr& index, bool in_rows) const {
  if (!in_rows) return array[plus(times(index, lanes_now), lane)];
  const std::string name = base_of(array);
  const Layout& layout = layouts_.at(name);
  return var(layout.lanes ? rows_of(name) : name, array.type)[plus(times(lane, layout.size), index)];
}

}  // namespace boustro::plan::lanes
