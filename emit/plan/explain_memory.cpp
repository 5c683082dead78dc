// What translate --memory prints: the scratch memory of each entry.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "emit/plan/build.hpp"
#include "emit/plan/planner.hpp"

namespace boustro::plan {
namespace {

/// How many sizes are multiplied in it.
int degree(const Expr& expr) {
  if (std::holds_alternative<Literal>(expr.head)) return 0;
  const auto* op = std::get_if<Op>(&expr.head);
  if (!op) return expr.args.empty() || std::holds_alternative<Call>(expr.head) ? 1 : degree(expr.args[0]);
  int result = 0;
  for (const Expr& arg : expr.args) result = *op == Op::mul ? result + degree(arg) : std::max(result, degree(arg));
  return result;
}

std::string bytes_of(const Piece& piece) {
  const std::string element = piece.elem.name.empty() ? fmt::to_string(values::byte_size(piece.elem.prim)) : fmt::format("sizeof({})", piece.elem.name);
  if (const auto count = int_value(piece.count); count && piece.elem.name.empty()) return fmt::to_string(*count * values::byte_size(piece.elem.prim));
  return fmt::format("{} * {}", element, to_string(piece.count));
}

/// `reverse_map|kmeans.fut:9`
std::string origin_of(const Piece& piece) {
  const std::string& text = piece.origin.text;
  const std::size_t bar = text.find('|');
  if (bar == std::string::npos) return text;
  const std::string rule = text.substr(0, bar), line = text.substr(bar + 1);
  return rule.empty() || line.empty() ? rule + line : line + ", " + rule;
}

std::string explained(const Entry& entry) {
  const std::vector<Piece>& pieces = entry.scratch.pieces;
  std::vector<const Piece*> owners;
  for (const Piece& piece : pieces)
    if (piece.place_of.empty()) owners.push_back(&piece);
  if (owners.empty()) return fmt::format("{} needs no arrays of its own\n", entry.name);
  std::stable_sort(owners.begin(), owners.end(), [](const Piece* x, const Piece* y) { return degree(x->count) > degree(y->count); });
  std::size_t width = 0, names = 0;
  for (const Piece* piece : owners) {
    width = std::max(width, bytes_of(*piece).size());
    names = std::max(names, piece->name.size());
  }
  std::string text = fmt::format("{} needs scratch memory, in bytes, the largest first:\n", entry.name);
  for (const Piece* piece : owners) {
    text += fmt::format("  {:{}}  {:{}}  {}\n", bytes_of(*piece), width, piece->name, names, origin_of(*piece));
    std::vector<std::string> later;
    for (const Piece& other : pieces)
      if (other.place_of == piece->name) later.push_back(other.name);
    if (!later.empty()) text += fmt::format("  {:{}}  and, at other times, {}\n", "", width, fmt::join(later, ", "));
  }
  if (!entry.scratch.library.empty()) text += "  and what the library asks for\n";
  if (entry.allocates) text += "  and what the allocator gives for arrays whose size is known late\n";
  return text;
}

}  // namespace

std::string explain_memory(const Program& program) {
  std::string text;
  for (const Entry& entry : program.entries) text += explained(entry);
  return text;
}

}  // namespace boustro::plan
