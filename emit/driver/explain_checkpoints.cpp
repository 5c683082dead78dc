#include "emit/driver/explain_checkpoints.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include <fmt/format.h>

#include "transform/ad/reverse/checkpoint_moves.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::driver {
namespace {

using ad::schedule::Move;
using ad::schedule::MoveKind;

struct Found {
  const ir::Stm* loop;
  const ir::Attribute* attribute;
};

void find_loops(const std::vector<ir::Stm>& stms, std::vector<Found>& found) {
  for (const ir::Stm& stm : stms) {
    for (const ir::Attribute& a : stm.attributes)
      if (std::holds_alternative<ir::Loop>(stm.exp) && a.name.starts_with("checkpoint")) found.push_back({&stm, &a});
    ir::for_each_body(stm.exp, [&](const ir::Body& body) { find_loops(body.stms, found); });
  }
}

std::string place_of(const ir::Stm& stm, const source::SourceMap& sources) {
  return stm.origin.at.empty() ? "a loop" : sources.file_and_line(sources.shown(stm.origin.at));
}

bool is_online(const Found& found) { return found.attribute->name == "checkpoint_online"; }

std::int64_t states_of(const Found& found, const std::string& place, const ScheduleSizes& sizes) {
  const bool has_none = found.attribute->args.empty();
  if (is_online(found) && has_none) return ad::schedule::default_online_states;
  if (has_none) return std::bit_width(static_cast<std::uint64_t>(std::max<std::int64_t>(sizes.steps, 0)));
  const bool is_number = found.attribute->name != "checkpoint_bytes";
  const values::PrimValue* number = is_number ? ir::literal_in(found.attribute->args[0]) : nullptr;
  if (number) return number->as_int();
  if (sizes.states) return *sizes.states;
  throw std::invalid_argument(place + ": how many states `#[" + found.attribute->name + "]` keeps is known when the program runs: give it as --explain-checkpoints STEPS,STATES");
}

std::string text_of(const Move& move) {
  switch (move.kind) {
    case MoveKind::keep: return fmt::format("keep {}", move.first);
    case MoveKind::advance: return move.last == move.first + 1 ? fmt::format("run {}", move.first) : fmt::format("run {} to {}", move.first, move.last - 1);
    case MoveKind::restore: return fmt::format("back to {}", move.first);
    case MoveKind::reverse: return fmt::format("adjoint of {}", move.first);
    case MoveKind::drop: return fmt::format("drop {}", move.first);
  }
  return "";
}

/// The forward sweep in a line, then each step of the return sweep.
std::string lines_of(const std::vector<Move>& moves) {
  std::string text = "  forward  ";
  bool is_first = true, in_return = false;
  for (const Move& move : moves) {
    const bool turns = !in_return && move.kind == MoveKind::restore;
    in_return = in_return || turns;
    text += turns ? "\n  return   " : is_first ? "" : "; ";
    text += text_of(move);
    is_first = move.kind == MoveKind::reverse;
    if (is_first) text += "\n           ";
  }
  const std::size_t end = text.find_last_not_of(" \n");
  return text.substr(0, end + 1) + "\n";
}

std::string explained(const Found& found, const std::string& place, const ScheduleSizes& sizes) {
  const std::int64_t states = states_of(found, place, sizes);
  const std::vector<Move> moves = is_online(found) ? ad::schedule::moves_online(sizes.steps, states) : ad::schedule::moves(sizes.steps, states);
  const ad::schedule::Cost cost = ad::schedule::cost_of(moves);
  const std::int64_t steps = std::max<std::int64_t>(sizes.steps, 0);
  return fmt::format("{}: #[{}], {} steps. A number is that of a step, or of the state before it.\n", place, found.attribute->name, steps) + lines_of(moves) +
         fmt::format("  {} states at a time at the most; steps are run {} times, {} of them again\n", cost.states, cost.runs, cost.runs - steps);
}

}  // namespace

std::string explained_checkpoints(const Session& session, const ir::Program& program, const ScheduleSizes& sizes) {
  std::vector<Found> found;
  for (const ir::Function& function : program.functions) find_loops(function.body.stms, found);
  if (found.empty()) return "no loop of this program has `#[checkpoint]`: what loops keep stands in transform/ad/MEMORY.md\n";
  std::string text;
  std::vector<std::string> seen;  // one loop may be part of several entries
  for (const Found& one : found) {
    const std::string place = place_of(*one.loop, session.sources);
    if (std::find(seen.begin(), seen.end(), place) != seen.end()) continue;
    seen.push_back(place);
    text += (text.empty() ? "" : "\n") + explained(one, place, sizes);
  }
  return text;
}

}  // namespace boustro::driver
