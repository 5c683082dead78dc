// Statements of kernels that are CUDA's own.
#include <cctype>

#include <fmt/format.h>

#include "emit/cuda/parts.hpp"
#include "emit/plan/build.hpp"
#include "emit/plan/walk.hpp"
#include "emit/text/expression.hpp"
#include "emit/text/function.hpp"
#include "emit/text/statement.hpp"
#include "emit/text/types.hpp"
#include "frontend/source/diagnostics.hpp"

namespace boustro::cuda {
namespace {

using namespace plan;
using text::expression;
using text::Literals;

std::string shared_array(const SharedArray& array, const Place& place) {
  const std::string variable = text::variable_text(array.elem, array.name, place);
  return array.size ? fmt::format("__shared__ {}[{}];\n", variable, expression(*array.size, place))
                    : fmt::format("extern __shared__ {}[];\n", variable);
}

std::string barrier(const Barrier& barrier) {
  return barrier.why.empty() ? "__syncthreads();\n"
                             : fmt::format("__syncthreads();  // {}\n", barrier.why);
}

std::string closure(const Closure& closure, const Place& place) {
  std::string params;
  for (const Param& param : closure.params) params += (params.empty() ? "" : ", ") + text::param_text(param, names_in(closure.body), place);
  return fmt::format("const auto {} = [&]({}) {{\n{}}};\n", closure.name, params, text::statements(closure.body, place.inner()));
}

/// The class is a template named like it: ThreadTile stands in thread_tile.
std::string alias(const Alias& alias, const Place& place) {
  std::string name;
  for (const char c : runtime::without_arguments(alias.type.name)) {
    if (std::isupper(c) && !name.empty()) name += '_';
    name += static_cast<char>(std::tolower(c));
  }
  place.need_template(name);
  return fmt::format("using {} = {};\n", alias.name, alias.type.name);
}

std::string address(const Expr& target, const Place& place) {
  const auto* op = std::get_if<Op>(&target.head);
  if (op && *op == Op::dereference) return expression(target.args.at(0), place);
  return "&" + text::enclosed(text::bound_expression(target, Literals::converted, place),
                              text::Binding::unary);
}

/// CUDA's own atomic if it has one, else a template.
std::string atomic_function(const Atomic& atomic, const Place& place) {
  const PrimType type = atomic.target.type.prim;
  const bool word = type == PrimType::i32 || type == PrimType::u32;
  const bool is_float = type == PrimType::f16 || type == PrimType::f32 || type == PrimType::f64;
  const auto from_template = [&](std::string_view name) {
    place.need_template(name);
    return std::string(name);
  };
  switch (atomic.kind) {
    case AtomicKind::add:
      return word || is_float ? "atomicAdd" : from_template("atomic_add");
    case AtomicKind::min:
      return word ? "atomicMin" : from_template("atomic_min");
    case AtomicKind::max:
      return word ? "atomicMax" : from_template("atomic_max");
    case AtomicKind::exchange:
      return from_template("atomic_store");
    case AtomicKind::combine:
      return from_template("atomic_update");
  }
  source::internal_error("printer: no such atomic");
}

/// The template for what lanes of a warp do together.
std::string function_of_peers(AtomicKind kind, const Place& place) {
  const std::string_view name = kind == AtomicKind::add   ? "add_with_peers"
                                : kind == AtomicKind::min ? "min_with_peers"
                                : kind == AtomicKind::max ? "max_with_peers"
                                                          : "update_with_peers";
  place.need_template(name);
  return std::string(name);
}

std::string atomic(const Atomic& atomic, const Place& place) {
  const std::string op =
      atomic.kind == AtomicKind::combine ? fmt::format(", {}{{}}", atomic.functor) : "";
  const std::string peers = atomic.peers ? expression(*atomic.peers, place) + ", " : "";
  return fmt::format("{}({}{}, {}{});\n", atomic.peers ? function_of_peers(atomic.kind, place) : atomic_function(atomic, place),
                     peers, address(atomic.target, place),
                     expression(atomic.value, place, Literals::exact), op);
}

std::string fail(const Fail& fail, const Place& place) {
  place.need_template("record_failure");
  const std::string values = text::expressions(fail.values, place);
  return fmt::format("record_failure({}, {}{}{});\n", expression(fail.failure, place),
                     text::first_check + fail.site, values.empty() ? "" : ", ", values);
}

}  // namespace

std::string device_statement(const Stm& stm, const Place& place) {
  return ir::match(
      stm.what, [&](const SharedArray& x) { return shared_array(x, place); },
      [](const Barrier& x) { return barrier(x); }, [&](const Closure& x) { return closure(x, place); },
      [&](const Alias& x) { return alias(x, place); },
      [&](const Atomic& x) { return atomic(x, place); },
      [&](const Fail& x) { return fail(x, place); },
      [](const auto&) -> std::string {
        source::internal_error("printer: not a statement of a kernel");
      });
}

}  // namespace boustro::cuda
