// Additions to accumulators, and the maps that hand the accumulators on to them.
#pragma once

#include <optional>
#include <vector>

#include "transform/ir/ir.hpp"

namespace boustro::contract {

/// A map or reduction that passes accumulators on.
struct Adding {
  ir::Atom width;
  ir::Lambda* fn;
  std::vector<ir::Name>* arrays;
  std::vector<ir::Name>* accumulators;
};

std::optional<Adding> adding(ir::Stm& stm);

/// The maps around an addition, outermost first, and where it stands in the body of the last one.
struct Path {
  std::vector<ir::Stm*> maps;
  std::size_t position;
  ir::Body& last() const { return adding(*maps.back())->fn->body; }
  const ir::Stm& update() const { return last().stms[position]; }
};

/// Calls `visit` with each addition inside of the maps until it says that it has changed something.
template <typename Visit>
bool any_addition(Path& path, Visit&& visit) {
  ir::Body& body = path.last();
  for (std::size_t i = 0; i < body.stms.size(); ++i) {
    path.position = i;
    if (std::holds_alternative<ir::UpdateAcc>(body.stms[i].exp) && visit(path)) return true;
    if (!adding(body.stms[i])) continue;
    path.maps.push_back(&body.stms[i]);
    if (any_addition(path, visit)) return true;
    path.maps.pop_back();
  }
  return false;
}

/// Which of the accumulators of the with_acc the addition is to.
std::optional<std::size_t> input_of(const Path& path, const ir::WithAcc& with);

/// Whether nobody adds to the accumulator: maps of the path hand it on to each other, and what comes back is what they got. It is used
/// once on every path, so nothing else has it then.
bool is_untouched(const ir::WithAcc& with, std::size_t input, const Path& path);

}  // namespace boustro::contract
