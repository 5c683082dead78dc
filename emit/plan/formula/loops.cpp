// What the loops of a cpu's entry compute, and where they come from, as comments over them.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "emit/plan/build.hpp"
#include "emit/plan/formula.hpp"
#include "emit/plan/formula/stores.hpp"
#include "emit/plan/walk.hpp"

namespace boustro::plan {
namespace {

/// More are harder to read than the loop.
constexpr std::size_t most_lines = 4;
/// Loops around fewer statements say themselves what they do.
constexpr int enough_statements = 2;

/// Pieces of scratch memory are arrays like parameters.
void name_pieces(Expr& expr) {
  if (const auto* piece = std::get_if<Field>(&expr.head)) {
    expr = var(std::string(piece->name), Type(expr.type));
    return;
  }
  for (Expr& arg : expr.args) name_pieces(arg);
}

std::vector<Param> arrays_of(const Entry& entry) {
  std::vector<Param> result = entry.params;
  for (const Piece& piece : entry.scratch.pieces)
    result.push_back({.name = piece.name, .type = pointer_to(piece.elem), .shape = piece.shape, .access = Access::written});
  return result;
}

int statements_in(const Stm& loop) {
  int count = 0;
  for_each_stm({loop}, [&](const Stm& stm) { count += std::holds_alternative<Let>(stm.what) || std::holds_alternative<Assign>(stm.what); });
  return count;
}

std::vector<std::string> formulas_of(const Stm& loop, const std::vector<Param>& arrays) {
  Stms alone{loop};
  for_each_stm(std::span(alone), [](Stm& inner) { for_each_expr(inner, name_pieces); });
  std::vector<std::string> lines = formula::formulas_of(alone, arrays);
  const bool says_all = lines.size() <= most_lines && (lines.empty() || !lines.back().ends_with(step_by_step));
  return says_all ? lines : std::vector<std::string>{};
}

/// `gmm.fut:56, return sweep of `..`: reverse_map`
std::string source_of(const MadeFor& origin, const SourceLine& source_line) {
  const std::string line = source_line(origin), rule = origin.text.substr(0, origin.text.find('|'));
  return rule.empty() || line.empty() ? line + rule : line + ": " + rule;
}

void say(Stms& stms, const std::vector<Param>& arrays, const SourceLine& source_line) {
  for (Stm& stm : stms) {
    const auto* loop = std::get_if<For>(&stm.what);
    if (!loop || loop->in_turn) {
      for_each_body(stm, [&](Stms& inside) { say(inside, arrays, source_line); });
    } else if (stm.above.empty() && statements_in(stm) >= enough_statements) {
      std::vector<std::string> lines = formulas_of(stm, arrays);
      const std::string source = source_of(stm.origin, source_line);
      if (!source.empty()) lines.push_back(lines.empty() ? source : "  " + source);
      stm.above = fmt::format("{}", fmt::join(lines, "\n"));
      stm.gap = true;
    }
  }
}

}  // namespace

void say_loops(Entry& entry, const SourceLine& source_line) { say(entry.body, arrays_of(entry), source_line); }

}  // namespace boustro::plan
