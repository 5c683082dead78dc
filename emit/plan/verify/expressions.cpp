// Expressions: their types, and what they call.
#include "emit/plan/verify/verifier.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace boustro::plan {
namespace {

/// The types of values that C++ converts to each other without loss: integers of 32 and 64 bits,
/// pointers to const.
bool converts(const Type& from, const Type& to) {
  if (from.pointer != to.pointer || from.name != to.name) return false;
  if (from.lanes || to.lanes) return to.lanes && from.prim == to.prim;  // the same for all of them
  if (from.pointer) return from.prim == to.prim && (to.read_only || !from.read_only);
  if (!from.name.empty() || from.prim == to.prim) return true;
  return values::is_integer(from.prim) && values::is_integer(to.prim) &&
         values::byte_size(from.prim) <= values::byte_size(to.prim);
}

}  // namespace

Type Verifier::check(const Expr& expr, Scope& scope) {
  const bool only_address = std::exchange(takes_address_, false);
  for (const Expr& arg : expr.args) {
    const auto* op = std::get_if<Op>(&expr.head);
    takes_address_ = op && *op == Op::address;
    check(arg, scope);
  }
  takes_address_ = false;
  const auto args_are = [&](std::size_t count) {
    require(expr.args.size() == count,
            fmt::format("wrong number of operands in `{}`", to_string(expr)));
    return expr.args.size() == count;
  };
  ir::match(
      expr.head,
      [&](const Var& v) {
        if (runtime::is_constant(v.name) || scope.is_member(v.name)) return;
        if (scope.where == Where::entry && v.name == "buffers") return;
        if (const auto table = callables_.tables.find(v.name); table != callables_.tables.end()) {
          require(program_.target == Target::cpu || scope.where != Where::entry, fmt::format("the host uses the table `{}`", v.name));
          return expect_type(const_pointer_to(type(table->second->elem)), expr.type, v.name);
        }
        const Variable* variable = scope.find(v.name);
        require(variable, fmt::format("`{}` is not defined", v.name));
        if (variable) {
          expect_type(variable->type, expr.type, v.name);
        }
      },
      [&](const Literal& l) {
        require(expr.type == type(l.value.type),
                fmt::format("type of literal `{}`", to_string(expr)));
      },
      [&](const NullPointer&) { require(expr.type.pointer, "a null pointer of another type"); },
      [&](const Position&) { check_kernel_only(scope, "a position"); },
      [&](const Op& op) { check_operator(op, expr); }, [](const Intrinsic&) {},
      [&](const Call& call) { check_call(call, expr, scope); }, [&](const Cast&) { args_are(1); },
      [&](const Convert&) { args_are(1); },
      [&](const Element&) {
        if (!args_are(!expr.args.empty() && scope.is_matrix(expr.args[0]) ? 3 : 2)) return;
        require(only_address || !is_on_device(expr, scope),
                fmt::format("the host uses `{}`, which is memory of the device", to_string(expr)));
        require(expr.args[0].type.pointer || expr.args[0].type.lanes,
                fmt::format("`{}` is no array", to_string(expr.args[0])));
        for (std::size_t i = 1; i < expr.args.size(); ++i)
          require(is_integer(expr.args[i].type), fmt::format("index `{}` is no integer", to_string(expr.args[i])));
      },
      [&](const Field&) { args_are(1); },
      [&](const Construct&) {
        const auto s = callables_.structs.find(expr.type.name);
        const auto f = callables_.functors.find(expr.type.name);
        const bool zeros = expr.args.empty();  // all of a value
        if (s != callables_.structs.end() && !zeros) args_are(s->second->fields.size());
        if (f != callables_.functors.end()) args_are(f->second->fields.size());
        require(s != callables_.structs.end() || f != callables_.functors.end(),
                fmt::format("`{}` is not defined", expr.type.name));
      },
      [](const SizeOf&) {});
  return expr.type;
}

void Verifier::check_call(const Call& call, const Expr& expr, Scope& scope) {
  if (runtime::has_barriers(call.function)) {
    check_kernel_only(scope, "a combination of what threads have");
    require(!scope.divided, "a combination where some threads do not come");
  }
  if (runtime::is_function(call.function) || scope.is_member(call.function)) return;
  const auto found = callables_.functions.find(call.function);
  require(found != callables_.functions.end(),
          fmt::format("function `{}` is not defined", call.function));
  if (found == callables_.functions.end()) return;
  check_args(call.function, found->second->params, expr.args, scope);
  require(program_.target == Target::cpu || !(scope.host || scope.where == Where::entry) || found->second->host,
          fmt::format("the host calls the device function `{}`", call.function));
}

void Verifier::check_args(const std::string& callee, const std::vector<Param>& params,
                          const std::vector<Expr>& args, Scope& scope) {
  require(params.size() == args.size(),
          fmt::format("`{}` takes {} arguments, not {}", callee, params.size(), args.size()));
  for (std::size_t i = 0; i < std::min(params.size(), args.size()); ++i) {
    Type type = params[i].type;
    type.restricted = type.reference = false;
    expect_type(check(args[i], scope), type,
                fmt::format("argument `{}` of `{}`", params[i].name, callee));
  }
}

void Verifier::check_operator(Op op, const Expr& expr) {
  const bool unary = op <= Op::dereference;
  const std::size_t count = unary ? 1 : op == Op::select ? 3 : 2;
  require(expr.args.size() == count,
          fmt::format("wrong number of operands in `{}`", to_string(expr)));
  if (expr.args.size() != count || unary) return;
  const Type x = expr.args[count - 2].type, y = expr.args[count - 1].type;
  const bool offset = x.pointer && is_integer(y) && (op == Op::add || op == Op::sub);
  require(offset || converts(x, y) || converts(y, x) || x.name == "std::size_t" ||
              y.name == "std::size_t",
          fmt::format("operands of `{}` are of types {} and {}", to_string(expr), to_string(x),
                      to_string(y)));
}

void Verifier::check_condition(const Expr& condition, Scope& scope) {
  require(is_bool(check(condition, scope)),
          fmt::format("condition `{}` is no bool", to_string(condition)));
}

bool Verifier::varies(const Expr& expr, const Scope& scope) const {
  if (const auto* p = std::get_if<Position>(&expr.head)) {
    return *p == Position::thread_x || *p == Position::thread_y || *p == Position::block_x ||
           *p == Position::block_y || *p == Position::block_z;
  }
  if (const auto* v = std::get_if<Var>(&expr.head)) {
    const Variable* variable = scope.find(v->name);
    return variable && variable->varies;
  }
  for (const Expr& arg : expr.args) {
    if (varies(arg, scope)) return true;
  }
  return false;
}

bool Verifier::varies_in_block(const Expr& expr, const Scope& scope) const {
  if (const auto* p = std::get_if<Position>(&expr.head)) return *p == Position::thread_x || *p == Position::thread_y;
  if (const auto* v = std::get_if<Var>(&expr.head)) {
    const Variable* variable = scope.find(v->name);
    return variable && variable->varies_in_block;
  }
  return std::any_of(expr.args.begin(), expr.args.end(), [&](const Expr& arg) { return varies_in_block(arg, scope); });
}

void Verifier::expect_type(const Type& from, const Type& to, std::string_view what) {
  require(converts(from, to),
          fmt::format("`{}` is of type {}, not {}", what, to_string(from), to_string(to)));
}

}  // namespace boustro::plan
