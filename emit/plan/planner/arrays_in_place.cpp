#include "emit/plan/planner/arrays_in_place.hpp"

#include <algorithm>

#include "emit/plan/build.hpp"
#include "emit/plan/planner/arithmetic.hpp"
#include "emit/plan/planner/tidy.hpp"
#include "emit/plan/polish/renamed.hpp"
#include "emit/plan/walk.hpp"

namespace boustro::plan::planner {
namespace {

/// array[index]
bool is_element_at(const Expr& expr, const std::string& array, const std::string& index) {
  return std::holds_alternative<Element>(expr.head) && is_variable(expr.args[0], array) && is_variable(expr.args[1], index);
}

/// Nothing but elements with this index.
bool uses_only_at(const Expr& expr, const std::string& array, const std::string& index) {
  if (is_element_at(expr, array, index)) return true;
  if (is_variable(expr, array)) return false;
  return std::all_of(expr.args.begin(), expr.args.end(), [&](const Expr& arg) { return uses_only_at(arg, array, index); });
}

/// for (i ..) to[i] = from[i];
struct CopyLoop {
  std::string to, from;
  Expr count;
};
std::optional<CopyLoop> as_copy(const Stm& stm) {
  const auto* loop = std::get_if<For>(&stm.what);
  const auto* assign = loop && loop->body.size() == 1 ? std::get_if<Assign>(&loop->body[0].what) : nullptr;
  if (!assign || assign->op || loop->step || loop->down || int_value(loop->from) != 0) return std::nullopt;
  const auto array_of = [&](const Expr& element) -> const std::string* {
    const auto* array = std::holds_alternative<Element>(element.head) ? std::get_if<Var>(&element.args[0].head) : nullptr;
    return array && is_element_at(element, array->name, loop->name) ? &array->name : nullptr;
  };
  const std::string *to = array_of(assign->target), *from = array_of(assign->value);
  return to && from && *to != *from ? std::optional(CopyLoop{*to, *from, loop->to}) : std::nullopt;
}

/// Whether `next`, once it is written to, can be `array` from there on.
class ArrayPath {
 public:
  ArrayPath(const std::string& next, const std::string& array) : next_(next), array_(array) {}

  bool allows(const Stms& stms) {
    return std::all_of(stms.begin(), stms.end(), [&](const Stm& stm) { return allows(stm); });
  }

 private:
  bool allows(const Stm& stm) {
    if (std::holds_alternative<Return>(stm.what) || std::holds_alternative<Continue>(stm.what) || std::holds_alternative<Break>(stm.what)) return false;
    if (const auto* branch = std::get_if<If>(&stm.what)) return allows(*branch);
    const bool is_next = uses_variable(stm, next_), is_old = uses_variable(stm, array_);
    if (!is_next) return leaves_nothing(stm) && !(is_written_ && is_old);
    if (is_old && (is_written_ || !overwrites_what_it_reads(stm))) return false;
    return is_written_ = leaves_nothing(stm);
  }

  bool allows(const If& branch) {
    if (uses_variable(branch.condition, next_) || (is_written_ && uses_variable(branch.condition, array_))) return false;
    const bool before = is_written_;
    const bool yes = allows(branch.then_body), after_yes = std::exchange(is_written_, before);
    const bool no = allows(branch.else_body);
    is_written_ = is_written_ || after_yes;
    return yes && no;
  }

  /// Nothing in there leaves more than itself.
  static bool leaves_nothing(const Stm& stm) {
    bool result = true;
    for_each_stm({stm}, [&](const Stm& inner) {
      result = result && !std::holds_alternative<Return>(inner.what) && !std::holds_alternative<Continue>(inner.what) &&
               !std::holds_alternative<Break>(inner.what) && !std::holds_alternative<Closure>(inner.what);
    });
    return result;
  }

  /// A loop over elements, each of which it writes last.
  bool overwrites_what_it_reads(const Stm& stm) const {
    const auto* loop = std::get_if<For>(&stm.what);
    if (!loop || loop->body.empty()) return false;
    const auto* last = std::get_if<Assign>(&loop->body.back().what);
    if (!last || !is_element_at(last->target, next_, loop->name) || uses_variable(last->value, next_)) return false;
    bool result = true;
    for_each_stm(loop->body, [&](const Stm& inner) {
      for_each_expr(inner, [&](const Expr& expr) { result = result && uses_only_at(expr, array_, loop->name); });
      result = result && (&inner == &loop->body.back() || !uses_array_itself(inner));
    });
    return result;
  }
  bool uses_array_itself(const Stm& stm) const {
    bool result = false;
    for_each_expr(stm, [&](const Expr& expr) { result = result || uses_variable(expr, next_); });
    return result;
  }

  const std::string &next_, &array_;
  bool is_written_ = false;
};

bool sets_itself(const Stm& stm) {
  const auto* loop = std::get_if<For>(&stm.what);
  const auto* assign = loop && loop->body.size() == 1 ? std::get_if<Assign>(&loop->body[0].what) : nullptr;
  return assign && !assign->op && assign->target == assign->value;
}

Stms* body_of_loop(Stm& stm) {
  if (auto* loop = std::get_if<For>(&stm.what)) return &loop->body;
  if (auto* loop = std::get_if<While>(&stm.what)) return &loop->body;
  return nullptr;
}

/// An array of a thread that is declared before the statement: where.
std::optional<std::size_t> declared_before(const Stms& stms, std::size_t user, const std::string& name) {
  for (std::size_t k = 0; k < user; ++k)
    if (const auto* array = std::get_if<LocalArray>(&stms[k].what); array && array->name == name && !array->columns) return k;
  return std::nullopt;
}

/// Some pointer is to an element of it.
bool has_pointers(const Stms& stms, const std::string& array) {
  bool result = false;
  for_each_stm(stms, [&](const Stm& stm) {
    const auto* let = std::get_if<Let>(&stm.what);
    result = result || (let && (let->type.pointer || let->type.reference) && let->value && uses_variable(*let->value, array));
  });
  return result;
}

/// Where the array that is copied is declared, if this statement alone uses it, and copies all of it.
std::optional<std::size_t> declared_for(const Stms& stms, std::size_t user, const CopyLoop& copy) {
  const auto declared = declared_before(stms, user, copy.from), other = declared_before(stms, user, copy.to);
  if (!declared || !other || has_pointers(stms, copy.from) || has_pointers(stms, copy.to)) return std::nullopt;
  const auto& array = std::get<LocalArray>(stms[*declared].what);
  const auto size = int_value(array.size);
  if (!array.values.empty() || array.zero || !size || size != int_value(copy.count)) return std::nullopt;
  for (std::size_t k = *declared + 1; k < stms.size(); ++k)
    if (k != user && uses_variable(stms[k], copy.from)) return std::nullopt;
  return declared;
}

/// One array less; false if there is none in the loop.
bool one_less(Stms& stms, std::size_t at) {
  Stms* body = body_of_loop(stms[at]);
  if (!body) return false;
  for (std::size_t k = 0; k < body->size(); ++k) {
    const auto copy = as_copy((*body)[k]);
    const auto declared = copy ? declared_for(stms, at, *copy) : std::nullopt;
    if (!declared) continue;
    const Stms before(body->begin(), body->begin() + static_cast<std::ptrdiff_t>(k));
    const auto is_other = [&](const Stm& stm) { return !uses_variable(stm, copy->from); };
    if (!std::all_of(body->begin() + static_cast<std::ptrdiff_t>(k) + 1, body->end(), is_other) || !ArrayPath(copy->from, copy->to).allows(before)) continue;
    body->erase(body->begin() + static_cast<std::ptrdiff_t>(k));
    for_each_stm(std::span(*body), [&](Stm& stm) { for_each_expr(stm, [&](Expr& expr) { rename_variables(expr, {{copy->from, copy->to}}); }); });
    drop_statements(*body, sets_itself);
    stms.erase(stms.begin() + static_cast<std::ptrdiff_t>(*declared));
    return true;
  }
  return false;
}

}  // namespace

void write_in_place(Stms& stms) {
  for (std::size_t at = 0; at < stms.size(); ++at)
    while (at < stms.size() && one_less(stms, at)) --at;  // its declaration stood before
  for (Stm& stm : stms) for_each_body(stm, [](Stms& body) { write_in_place(body); });
}

void write_in_place(Entry& entry, Target target) {
  for_each_code(entry, target == Target::cpu, [](Stms& stms) { write_in_place(stms); });
}

}  // namespace boustro::plan::planner
