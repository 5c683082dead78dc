#include "emit/cpp/statement.hpp"

#include <fmt/format.h>

#include "emit/plan/walk.hpp"
#include "emit/text/expression.hpp"
#include "emit/text/statement.hpp"
#include "emit/text/types.hpp"
#include "frontend/source/diagnostics.hpp"

namespace boustro::cpp {
namespace {

using namespace plan;
using text::expression;
using text::Place;

/// Without the condition, compilers that run without OpenMP warn of unknown pragmas.
std::string pragma(std::string_view directive) {
  return fmt::format("#ifdef _OPENMP\n#pragma omp {}\n#endif\n", directive);
}

/// Iterations that take turns are handed out one after the other: who would get many in a row would keep others waiting.
std::string parallel_for(For loop, const Place& place) {
  loop.parallel = false;
  std::string clauses;
  for_each_stm(loop.body, [&](const Stm& stm) {
    if (std::holds_alternative<Ordered>(stm.what)) clauses = " ordered schedule(dynamic)";
  });
  if (loop.worth) clauses += fmt::format(" if ({})", expression(*loop.worth, place));
  return pragma("parallel for" + clauses) + text::statement(loop, place);
}

std::string independent_for(For loop, const Place& place) {
  place.need_template("independent_loops");
  loop.independent = false;
  return "INDEPENDENT_ITERATIONS\n" + text::statement(loop, place);
}

std::string for_lanes(const ForLanes& loop, const Place& place) {
  place.need_template("for_lanes");
  const std::string head = fmt::format("for_lanes({}, {}, [&](auto lanes, {})", expression(loop.from, place),
                                       expression(loop.to, place), text::variable_text(loop.type, loop.name, place));
  return fmt::format("{} {{\n{}}});\n", head, text::statements(loop.body, place.inner()));
}

std::string ordered(const Ordered& ordered, const Place& place) {
  const bool block = ordered.body.size() != 1 || !ordered.body[0].above.empty() ||
                     std::holds_alternative<Let>(ordered.body[0].what);
  const std::string body = text::statements(ordered.body, block ? place.inner() : place);
  return pragma("ordered") + (block ? text::braces(body) : body);
}

/// target = combined(target, value), by one thread at a time.
std::string critical(const Atomic& atomic, const Expr& combined, const Place& place) {
  return pragma("critical") +
         text::braces(text::statement(Assign{atomic.target, combined}, place.inner()));
}

std::string atomic_extremum(const Atomic& atomic, ir::BinOpKind kind, const Place& place) {
  const plan::Type& type = atomic.target.type;
  return critical(atomic, Expr{Intrinsic{kind, type.prim}, {atomic.target, atomic.value}, type},
                  place);
}

std::string atomic(const Atomic& atomic, const Place& place) {
  const plan::Type& type = atomic.target.type;
  switch (atomic.kind) {
    case AtomicKind::add:
      return pragma("atomic") +
             text::statement(Assign{atomic.target, atomic.value, Op::add}, place);
    case AtomicKind::min:
      return atomic_extremum(atomic, ir::BinOpKind::min, place);
    case AtomicKind::max:
      return atomic_extremum(atomic, ir::BinOpKind::max, place);
    case AtomicKind::exchange:
      return pragma("atomic write") +
             text::statement(Assign{atomic.target, atomic.value}, place);
    case AtomicKind::combine:
      return critical(
          atomic, Expr{Call{atomic.functor + "{}"}, {atomic.target, atomic.value}, type}, place);
  }
  source::internal_error("printer: no such atomic");
}

std::string fill(const Fill& fill, const Place& place) {
  place.need_header("algorithm");
  const plan::Type& type = fill.pointer.type;
  const std::string zero =
      type.name.empty()
          ? text::literal_text(values::PrimValue::zero(type.prim), text::Literals::exact, place)
          : type.name + "{}";
  return fmt::format("std::fill_n({}, {}, {});\n", expression(fill.pointer, place),
                     expression(fill.count, place), zero);
}

std::string copy(const Copy& copy, const Place& place) {
  place.need_header("algorithm");
  return fmt::format("std::copy_n({}, {}, {});\n", expression(copy.from, place),
                     expression(copy.count, place), expression(copy.to, place));
}

std::string allocate(const Allocate& allocate, const Place& place) {
  return fmt::format("if (!{}.allocate({{{}}})) return Status::out_of_memory;\n", allocate.buffer,
                     text::expressions(allocate.extents, place));
}

std::string fail(const Fail& fail, const Place& place) {
  place.need_template("record_failure");
  const std::string values = text::expressions(fail.values, place);
  return fmt::format("record_failure({}, {}{}{});\n", expression(fail.failure, place),
                     text::first_check + fail.site, values.empty() ? "" : ", ", values);
}

}  // namespace

std::string target_statement(const Stm& stm, const Place& place) {
  return ir::match(
      stm.what, [&](const For& x) { return x.parallel ? parallel_for(x, place) : independent_for(x, place); },
      [&](const ForLanes& x) { return for_lanes(x, place); },
      [&](const Ordered& x) { return ordered(x, place); },
      [&](const Atomic& x) { return atomic(x, place); },
      [&](const Fill& x) { return fill(x, place); }, [&](const Copy& x) { return copy(x, place); },
      [&](const Allocate& x) { return allocate(x, place); },
      [&](const Fail& x) { return fail(x, place); },
      [](const auto&) -> std::string {
        source::internal_error("printer: not a statement of the cpu target");
      });
}

}  // namespace boustro::cpp
