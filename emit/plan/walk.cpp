#include "emit/plan/walk.hpp"

#include <algorithm>

#include <utility>

namespace boustro::plan {

void for_each_body(const Stm& stm, const std::function<void(const Stms&)>& visit) {
  if (const auto* loop = std::get_if<For>(&stm.what)) visit(loop->body);
  if (const auto* loop = std::get_if<ForLanes>(&stm.what)) visit(loop->body);
  if (const auto* loop = std::get_if<While>(&stm.what)) visit(loop->body);
  if (const auto* ordered = std::get_if<Ordered>(&stm.what)) visit(ordered->body);
  if (const auto* closure = std::get_if<Closure>(&stm.what)) visit(closure->body);
  if (const auto* branch = std::get_if<If>(&stm.what)) {
    visit(branch->then_body);
    visit(branch->else_body);
  }
}

void for_each_body(Stm& stm, const std::function<void(Stms&)>& visit) {
  // The bodies of a statement are as little constant as it is.
  for_each_body(std::as_const(stm), [&](const Stms& body) { visit(const_cast<Stms&>(body)); });
}

void for_each_stm(const Stms& stms, const std::function<void(const Stm&)>& visit) {
  for (const Stm& stm : stms) {
    visit(stm);
    for_each_body(stm, [&](const Stms& body) { for_each_stm(body, visit); });
  }
}

void for_each_expr(const Stm& stm, const std::function<void(const Expr&)>& visit) {
  const auto maybe = [&](const std::optional<Expr>& expr) {
    if (expr) visit(*expr);
  };
  const auto all = [&](const std::vector<Expr>& exprs) {
    for (const Expr& expr : exprs) visit(expr);
  };
  ir::match(
      stm.what, [&](const Let& s) { maybe(s.value); },
      [&](const Assign& s) { visit(s.target), visit(s.value); },
      [&](const Do& s) { visit(s.call); }, [&](const LocalArray& s) { visit(s.size), maybe(s.columns), all(s.values); },
      [](const Closure&) {}, [](const Alias&) {},
      [&](const SharedArray& s) { maybe(s.size); }, [](const Barrier&) {},
      [&](const Atomic& s) { visit(s.target), visit(s.value), maybe(s.peers); },
      [&](const For& s) { visit(s.from), visit(s.to), maybe(s.step), maybe(s.worth); },
      [&](const ForLanes& s) { visit(s.from), visit(s.to); },
      [&](const While& s) { visit(s.condition); }, [](const Ordered&) {}, [&](const If& s) { visit(s.condition); },
      [&](const Return& s) { maybe(s.value); }, [](const Continue&) {}, [](const Break&) {},
      [&](const Fail& s) { visit(s.failure), all(s.values); },
      [&](const RejectIf& s) { visit(s.condition); },
      [&](const Launch& s) {
        visit(s.grid.x), maybe(s.grid.y), maybe(s.grid.z), visit(s.block.x), maybe(s.block.y),
            maybe(s.shared_bytes), all(s.args);
      },
      [&](const Run& s) { all(s.args); }, [&](const Fill& s) { visit(s.pointer), visit(s.count); },
      [&](const Copy& s) { visit(s.to), visit(s.from), visit(s.count); },
      [&](const Read& s) { visit(s.pointer); }, [](const Buffer&) {},
      [&](const Allocate& s) { all(s.extents); }, [](const Swap&) {}, [](const Release&) {},
      [](const EndIfFailed&) {});
}

void for_each_stm(std::span<Stm> stms, const std::function<void(Stm&)>& visit) {
  for (Stm& stm : stms) {
    visit(stm);
    for_each_body(stm, [&](Stms& body) { for_each_stm(std::span(body), visit); });
  }
}

void for_each_expr(Stm& stm, const std::function<void(Expr&)>& visit) {
  // What the walk over a statement finds is as little constant as the statement.
  for_each_expr(std::as_const(stm), [&](const Expr& expr) { visit(const_cast<Expr&>(expr)); });
}

bool is_op(const Expr& expr, Op op) { return expr.head == Head(op) && expr.args.size() == 2; }

bool is_index_arithmetic(const Expr& expr) {
  const bool arithmetic = std::holds_alternative<Var>(expr.head) || std::holds_alternative<Literal>(expr.head) || std::holds_alternative<Position>(expr.head) ||
                          std::holds_alternative<Cast>(expr.head) || is_op(expr, Op::add) || is_op(expr, Op::sub) || is_op(expr, Op::mul);
  return arithmetic && std::all_of(expr.args.begin(), expr.args.end(), is_index_arithmetic);
}

bool is_variable(const Expr& expr, const std::string& name) {
  const auto* v = std::get_if<Var>(&expr.head);
  return v && v->name == name;
}

std::optional<ir::BinOpKind> extremum_of(const Expr& expr) {
  if (expr.args.size() != 2) return std::nullopt;
  if (const auto* call = std::get_if<Call>(&expr.head)) {
    if (call->function == "min") return ir::BinOpKind::min;
    if (call->function == "max") return ir::BinOpKind::max;
  }
  const auto* intrinsic = std::get_if<Intrinsic>(&expr.head);
  const auto* kind = intrinsic ? std::get_if<ir::BinOpKind>(&intrinsic->fn) : nullptr;
  const bool extremum = kind && (*kind == ir::BinOpKind::min || *kind == ir::BinOpKind::max);
  return extremum ? std::optional(*kind) : std::nullopt;
}

void add_names(const Expr& expr, std::set<std::string>& names) {
  if (const auto* v = std::get_if<Var>(&expr.head)) names.insert(v->name);
  for (const Expr& arg : expr.args) add_names(arg, names);
}

void add_names(const Stm& stm, std::set<std::string>& names) {
  for_each_stm({stm}, [&](const Stm& inner) {
    for_each_expr(inner, [&](const Expr& expr) { add_names(expr, names); });
  });
}

std::set<std::string> names_in(const Stms& stms) {
  std::set<std::string> names;
  for (const Stm& stm : stms) add_names(stm, names);
  return names;
}

namespace {

int uses_in(const Expr& expr, const std::string& name) {
  int count = is_variable(expr, name) ? 1 : 0;
  for (const Expr& arg : expr.args) count += uses_in(arg, name);
  return count;
}

}  // namespace

int uses_of(const std::string& name, const Stms& stms, std::size_t from) {
  int count = 0;
  const Stms rest(stms.begin() + static_cast<std::ptrdiff_t>(from), stms.end());
  for_each_stm(rest, [&](const Stm& stm) { for_each_expr(stm, [&](const Expr& expr) { count += uses_in(expr, name); }); });
  return count;
}

bool uses_variable(const Expr& expr, const std::string& name) {
  return is_variable(expr, name) || std::any_of(expr.args.begin(), expr.args.end(), [&](const Expr& arg) { return uses_variable(arg, name); });
}

bool uses_variable(const Stm& stm, const std::string& name) {
  bool result = false;
  for_each_stm({stm}, [&](const Stm& inner) {
    for_each_expr(inner, [&](const Expr& expr) { result = result || uses_variable(expr, name); });
  });
  return result;
}

bool assigns_any(const Stm& stm, const std::set<std::string>& names) {
  bool result = false;
  for_each_stm({stm}, [&](const Stm& inner) {
    const auto* assign = std::get_if<Assign>(&inner.what);
    const auto* target = assign ? std::get_if<Var>(&assign->target.head) : nullptr;
    result = result || (target && names.contains(target->name));
  });
  return result;
}

void for_each_code(Entry& entry, bool with_own, const std::function<void(Stms&)>& visit) {
  for (Definition& definition : entry.definitions) {
    if (auto* function = std::get_if<Function>(&definition)) visit(function->body);
    if (auto* functor = std::get_if<Functor>(&definition)) visit(functor->body);
  }
  for (Kernel& kernel : entry.kernels) visit(kernel.body);
  if (with_own) visit(entry.body);
}

}  // namespace boustro::plan
