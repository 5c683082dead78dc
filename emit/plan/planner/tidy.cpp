#include "emit/plan/planner/tidy.hpp"

#include <algorithm>

#include "emit/plan/build.hpp"
#include "emit/plan/planner/apart.hpp"
#include "emit/plan/planner/arithmetic.hpp"
#include "emit/plan/walk.hpp"

namespace boustro::plan::planner {
namespace {

/// Longer expressions keep the name of what they compute, unless they are returned.
constexpr int max_nodes = 24;
/// And so do longer sizes, and conditions.
constexpr int max_size_nodes = 5;

/// target = target + x as target += x, and target = 2 * target as target *= 2.
Assign shortened(Assign assign) {
  const Op* op = std::get_if<Op>(&assign.value.head);
  if (!op || assign.op || assign.value.args.size() != 2) return assign;
  const std::vector<Expr>& args = assign.value.args;
  const bool commutes = *op == Op::add || *op == Op::mul;
  if ((commutes || *op == Op::sub || *op == Op::div) && args[0] == assign.target) return {assign.target, Expr(args[1]), *op};
  if (commutes && args[1] == assign.target) return {assign.target, Expr(args[0]), *op};
  return assign;
}

/// What stands behind it begins a paragraph where it began one. True, as an answer of those that have done something.
bool take_out(Stms& stms, std::size_t at) {
  if (at + 1 < stms.size()) stms[at + 1].gap = stms[at + 1].gap || stms[at].gap;
  stms.erase(stms.begin() + static_cast<std::ptrdiff_t>(at));
  return true;
}

/// The place in the statement that takes the value of a variable as a whole.
Expr* taken_by(Stm& stm) {
  if (auto* assign = std::get_if<Assign>(&stm.what)) return &assign->value;
  if (auto* done = std::get_if<Return>(&stm.what)) return done->value ? &*done->value : nullptr;
  return nullptr;
}

/// `const T x = e; target = x;` as `target = e;`
bool store_at_once(Stms& stms, std::size_t at) {
  const Let* let = std::get_if<Let>(&stms[at].what);
  if (!let || let->changes || !let->value || at + 1 >= stms.size()) return false;
  Expr* value = taken_by(stms[at + 1]);
  if (!value || !is_variable(*value, let->name) || uses_of(let->name, stms, at + 1) != 1)
    return false;
  if (node_count(*let->value) > max_nodes && !std::holds_alternative<Return>(stms[at + 1].what)) return false;
  *value = *let->value;
  if (auto* assign = std::get_if<Assign>(&stms[at + 1].what)) *assign = shortened(*assign);
  return take_out(stms, at);
}

/// Where the variable occurs in the expression, once.
Expr* place_of(Expr& expr, const std::string& name) {
  if (is_variable(expr, name)) return &expr;
  for (Expr& arg : expr.args)
    if (Expr* found = place_of(arg, name)) return found;
  return nullptr;
}

/// The expression by which the statement begins.
Expr* first_expr(Stm& stm) {
  if (auto* branch = std::get_if<If>(&stm.what)) return &branch->condition;
  if (auto* let = std::get_if<Let>(&stm.what)) return let->value ? &*let->value : nullptr;
  return taken_by(stm);
}

/// `const bool c = y < x; if (c) ..` as `if (y < x) ..`
bool ask_at_once(Stms& stms, std::size_t at) {
  const Let* let = std::get_if<Let>(&stms[at].what);
  if (!let || let->changes || !let->value || let->type.pointer || let->type.prim != PrimType::boolean || at + 1 >= stms.size()) return false;
  Expr* expr = node_count(*let->value) <= max_size_nodes && uses_of(let->name, stms, at + 1) == 1 ? first_expr(stms[at + 1]) : nullptr;
  Expr* place = expr ? place_of(*expr, let->name) : nullptr;
  if (!place) return false;
  *place = Expr(*let->value);
  return take_out(stms, at);
}

/// `const T x = e; ...; T y = x;` as `...; T y = e;`, where only constants stand between.
bool begin_at_once(Stms& stms, std::size_t at) {
  const Let* let = std::get_if<Let>(&stms[at].what);
  if (!let || let->changes || !let->value || let->type.pointer || uses_of(let->name, stms, at + 1) != 1) return false;
  for (std::size_t end = at + 1; end < stms.size(); ++end) {
    auto* next = std::get_if<Let>(&stms[end].what);
    if (!next) return false;
    if (!next->value || !is_variable(*next->value, let->name)) continue;
    if (!next->changes || next->type != let->type) return false;
    next->value = Expr(*let->value);
    return take_out(stms, at);
  }
  return false;
}

/// `const T x = l * 2; ...; if (m != x) return ..;` as `if (m != l * 2) return ..;`, where only constants stand between: of an entry.
bool reject_at_once(Stms& stms, std::size_t at) {
  const Let* let = std::get_if<Let>(&stms[at].what);
  if (!let || let->changes || !let->value || node_count(*let->value) > max_size_nodes) return false;
  std::size_t end = at + 1;
  while (end < stms.size() && std::holds_alternative<Let>(stms[end].what)) ++end;
  RejectIf* reject = end < stms.size() ? std::get_if<RejectIf>(&stms[end].what) : nullptr;
  Expr* place = reject && uses_of(let->name, stms, at + 1) == 1 ? place_of(reject->condition, let->name) : nullptr;
  if (!place) return false;
  *place = Expr(*let->value);
  return take_out(stms, at);
}

/// The element, inside of the expression, that is read through this pointer.
Expr* element_of(Expr& expr, const std::string& pointer) {
  if (std::holds_alternative<Element>(expr.head) && is_variable(expr.args[0], pointer)) return &expr;
  for (Expr& arg : expr.args)
    if (Expr* found = element_of(arg, pointer)) return found;
  return nullptr;
}

/// `const T* const p = xs + i; ...; return p[j];` as `...; return xs[i + j];`, where only constants stand between.
bool read_at_once(Stms& stms, std::size_t at) {
  const Let* let = std::get_if<Let>(&stms[at].what);
  if (!let || let->changes || !let->value || !let->type.pointer || let->value->head != Head(Op::add)) return false;
  std::size_t end = at + 1;
  while (end < stms.size() && std::holds_alternative<Let>(stms[end].what)) ++end;
  Return* done = end < stms.size() ? std::get_if<Return>(&stms[end].what) : nullptr;
  Expr* element = done && done->value && uses_of(let->name, stms, at + 1) == 1 ? element_of(*done->value, let->name) : nullptr;
  if (!element) return false;
  const Expr &array = let->value->args[0], &row = let->value->args[1];
  *element = array[row + element->args[1]];
  return take_out(stms, at);
}

/// What x is added to, multiplied by, or diminished by; nothing if the value is of another form.
std::optional<Assign> change_by(const Expr& target, const Expr& value, const std::string& x) {
  const Op* op = std::get_if<Op>(&value.head);
  if (!op || value.args.size() != 2) return std::nullopt;
  const bool commutes = *op == Op::add || *op == Op::mul;
  if ((commutes || *op == Op::sub) && is_variable(value.args[0], x)) return Assign{target, value.args[1], *op};
  if (commutes && is_variable(value.args[1], x)) return Assign{target, value.args[0], *op};
  return std::nullopt;
}

/// A constant, or a store to another element of the array.
bool leaves(const Stm& stm, const Expr& element, const Signs& signs) {
  if (std::holds_alternative<Let>(stm.what)) return true;
  const auto* assign = std::get_if<Assign>(&stm.what);
  const bool same_array = assign && std::holds_alternative<Element>(assign->target.head) && assign->target.args.size() == 2 && assign->target.args[0] == element.args[0];
  return same_array && are_apart(assign->target.args[1], element.args[1], signs);
}

/// `const T x = a[i]; ...; a[i] = x + y;` as `...; a[i] += y;`, where only constants, and stores to other elements, stand between.
bool update_at_once(Stms& stms, std::size_t at, const Signs& signs) {
  const Let* let = std::get_if<Let>(&stms[at].what);
  if (!let || let->changes || !let->value || !std::holds_alternative<Element>(let->value->head) || let->value->args.size() != 2) return false;
  std::size_t end = at + 1;
  while (end < stms.size() && leaves(stms[end], *let->value, signs)) ++end;
  Assign* assign = end < stms.size() ? std::get_if<Assign>(&stms[end].what) : nullptr;
  if (!assign || assign->op || !(assign->target == *let->value) || uses_of(let->name, stms, at + 1) != 1) return false;
  auto changed = change_by(assign->target, assign->value, let->name);
  if (!changed) return false;
  *assign = std::move(*changed);
  return take_out(stms, at);
}

/// How many assignments of the variable the code may end with, one for each way through it; 0 if it may end otherwise.
int last_assignments(const Stms& stms, const std::string& name) {
  if (stms.empty()) return 0;
  if (const auto* branch = std::get_if<If>(&stms.back().what)) {
    const int yes = last_assignments(branch->then_body, name), no = last_assignments(branch->else_body, name);
    return yes > 0 && no > 0 ? yes + no : 0;
  }
  const auto* assign = std::get_if<Assign>(&stms.back().what);
  return assign && !assign->op && is_variable(assign->target, name) ? 1 : 0;
}

/// And uses it for nothing else.
bool ends_with_assignment(const Stms& stms, const std::string& name) {
  const int last = last_assignments(stms, name);
  return last > 0 && uses_of(name, stms, 0) == last;  // the targets alone
}

/// Elements whose address nothing in the branches can change.
bool is_steady(const Expr& target) { return !reads_changing(target) || target.args.empty(); }

bool has_steady_index(const Expr& target) {
  return std::holds_alternative<Var>(target.head) ||
         (std::holds_alternative<Element>(target.head) && std::all_of(target.args.begin(), target.args.end(), is_steady));
}

void begin_with_what_happens(If& branch) {
  if (!branch.then_body.empty() || branch.else_body.empty()) return;
  branch.condition = !branch.condition;
  std::swap(branch.then_body, branch.else_body);
}

/// The last value goes to the target, unless it is what stands there.
void store_last(Stms& body, const Expr& target) {
  if (auto* branch = std::get_if<If>(&body.back().what)) {
    for (Stms* inner : {&branch->then_body, &branch->else_body}) store_last(*inner, target);
    begin_with_what_happens(*branch);
    if (branch->then_body.empty()) body.pop_back();
    return;
  }
  Assign& last = std::get<Assign>(body.back().what);
  last.target = target;
  if (last.value == target) body.pop_back();
}

/// `T x; if (c) {...; x = a;} else {...; x = b;} target = x;` with target in the place of x.
bool store_in_branches(Stms& stms, std::size_t at) {
  if (at + 2 >= stms.size()) return false;
  const Let* let = std::get_if<Let>(&stms[at].what);
  If* branch = std::get_if<If>(&stms[at + 1].what);
  const Assign* after = std::get_if<Assign>(&stms[at + 2].what);
  if (!let || let->value || !branch || !after || after->op) return false;
  const std::string name = let->name;
  if (!is_variable(after->value, name) || uses_of(name, stms, at + 2) != 1) return false;
  if (!ends_with_assignment(branch->then_body, name) ||
      !ends_with_assignment(branch->else_body, name) || uses_variable(branch->condition, name))
    return false;
  const Expr target = after->target;
  if (!has_steady_index(target)) return false;
  for (Stms* body : {&branch->then_body, &branch->else_body}) store_last(*body, target);
  begin_with_what_happens(*branch);
  stms[at + 1].gap = stms[at + 1].gap || stms[at].gap;
  stms.erase(stms.begin() + static_cast<std::ptrdiff_t>(at) + 2);
  stms.erase(stms.begin() + static_cast<std::ptrdiff_t>(at));
  return true;
}

void rename_in(Expr& expr, const std::string& from, const std::string& to) {
  if (Var* var = std::get_if<Var>(&expr.head); var && var->name == from) var->name = to;
  for (Expr& arg : expr.args) rename_in(arg, from, to);
}

/// In all expressions of the statement and of those inside of it.
void rename_in(Stm& stm, const std::string& from, const std::string& to) {
  for_each_stm(std::span(&stm, 1), [&](Stm& inner) {
    for_each_expr(inner, [&](Expr& expr) { rename_in(expr, from, to); });
  });
}

/// Whether what follows may not be reached.
bool may_skip(const Stm& stm) {
  bool result = false;
  for_each_stm({stm}, [&](const Stm& inner) {
    result = result || std::holds_alternative<Continue>(inner.what) ||
             std::holds_alternative<Break>(inner.what);
  });
  return result;
}

/// `T x = y; ...; y = x;` without x, where neither is used for anything else: a loop inside of a
/// loop goes on with the variable of the outer one.
bool share_variable(Stms& stms, std::size_t at) {
  const Let* let = std::get_if<Let>(&stms[at].what);
  const Var* outer =
      let && let->changes && let->value ? std::get_if<Var>(&let->value->head) : nullptr;
  if (!outer || let->value->type != let->type) return false;
  const std::string x = let->name, y = outer->name;
  std::size_t end = at + 1;
  for (; end < stms.size(); ++end) {
    const Assign* assign = std::get_if<Assign>(&stms[end].what);
    if (assign && !assign->op && is_variable(assign->target, y) && is_variable(assign->value, x))
      break;
    if (uses_of(y, {stms[end]}, 0) > 0 || may_skip(stms[end])) return false;
  }
  if (end == stms.size() || uses_of(x, stms, end) != 1) return false;
  const bool gap = stms[at].gap;
  for (std::size_t i = at + 1; i < end; ++i) rename_in(stms[i], x, y);
  stms.erase(stms.begin() + static_cast<std::ptrdiff_t>(end));
  stms.erase(stms.begin() + static_cast<std::ptrdiff_t>(at));
  if (at < stms.size()) stms[at].gap = stms[at].gap || gap;
  return true;
}

/// The element of the array that the statement sets, and nothing more.
std::optional<std::int64_t> element_set(const Stm& stm, const LocalArray& array) {
  const auto* assign = std::get_if<Assign>(&stm.what);
  const bool element = assign && !assign->op && std::holds_alternative<Element>(assign->target.head);
  if (!element || !is_variable(assign->target.args[0], array.name) || assign->value.type != array.elem) return std::nullopt;
  return !uses_variable(assign->value, array.name) ? int_value(assign->target.args[1]) : std::nullopt;
}

/// `T xs[2]; ...; xs[0] = a; xs[1] = b;` as `...; T xs[2] = {a, b};`
bool initialise(Stms& stms, std::size_t at) {
  const auto* array = std::get_if<LocalArray>(&stms[at].what);
  const auto size = array ? int_value(array->size) : std::nullopt;
  if (!size || !array->values.empty()) return false;
  std::size_t first = at + 1;
  while (first < stms.size() && uses_of(array->name, {stms[first]}, 0) == 0) ++first;
  const auto count = static_cast<std::size_t>(*size);
  if (count == 0 || first + count > stms.size()) return false;
  LocalArray whole = *array;
  for (std::size_t i = 0; i < count; ++i) {
    if (element_set(stms[first + i], whole) != static_cast<std::int64_t>(i)) return false;
    whole.values.push_back(std::get<Assign>(stms[first + i].what).value);
  }
  stms[first].what = std::move(whole);
  const auto begin = stms.begin() + static_cast<std::ptrdiff_t>(first);
  stms.erase(begin + 1, begin + static_cast<std::ptrdiff_t>(count));
  return take_out(stms, at);
}

}  // namespace

void drop_statements(Stms& stms, const std::function<bool(const Stm&)>& does_nothing) {
  for (Stm& stm : stms) {
    auto* branch = std::get_if<If>(&stm.what);
    if (!branch) continue;
    drop_statements(branch->then_body, does_nothing);
    drop_statements(branch->else_body, does_nothing);
    begin_with_what_happens(*branch);
  }
  std::erase_if(stms, [&](const Stm& stm) {
    const auto* branch = std::get_if<If>(&stm.what);
    return does_nothing(stm) || (branch && branch->then_body.empty() && branch->else_body.empty());
  });
}

namespace {

void tidy(Stms& stms, Signs signs) {
  for (Stm& stm : stms)
    if (auto* assign = std::get_if<Assign>(&stm.what); assign && std::holds_alternative<Var>(assign->target.head)) *assign = shortened(*assign);
  // From the last statement to the first: what follows a statement is as it will be.
  for (std::size_t at = stms.size(); at-- > 0;) {
    if (at >= stms.size()) continue;
    if (store_at_once(stms, at) || ask_at_once(stms, at) || begin_at_once(stms, at) || read_at_once(stms, at) || update_at_once(stms, at, signs) || store_in_branches(stms, at) || initialise(stms, at)) continue;
    share_variable(stms, at);
  }
  for (Stm& stm : stms) {
    for_each_body(stm, [&](Stms& body) { tidy(body, signs.inside(stm)); });
    signs.learn(stm);
  }
}

}  // namespace

void tidy(Stms& stms) { tidy(stms, {}); }

namespace {

/// By the body, and by what says how much scratch memory there is.
std::set<std::string> needed_behind_prologue(const Entry& entry) {
  std::set<std::string> names = names_in(entry.body);
  for (const Let& size : entry.scratch.sizes) add_names(*size.value, names);
  for (const Piece& piece : entry.scratch.pieces) add_names(piece.count, names);
  for (const Run& run : entry.scratch.library)
    for (const Expr& arg : run.args) add_names(arg, names);
  for (const Param& param : entry.scratch.params) names.insert(param.name);
  return names;
}

}  // namespace

void tidy(Entry& entry, Target target) {
  for (std::size_t at = entry.body.size(); at-- > 0;) reject_at_once(entry.body, at);
  const std::set<std::string> needed = needed_behind_prologue(entry);
  for (std::size_t at = entry.prologue.size(); at-- > 0;) {
    const auto* let = std::get_if<Let>(&entry.prologue[at].what);
    if (let && !needed.contains(let->name)) reject_at_once(entry.prologue, at);
  }
  for_each_code(entry, target == Target::cpu, [](Stms& stms) { tidy(stms); });
}

}  // namespace boustro::plan::planner
