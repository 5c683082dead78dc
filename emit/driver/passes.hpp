// Runs the passes for a command, and keeps the program at hand in case one of them breaks.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "emit/driver/load.hpp"
#include "emit/driver/options.hpp"
#include "transform/pipeline.hpp"

namespace boustro::driver {

/// `derive`: to the derivative in its simplest form; `gpu`, `cpu`: down to what the planner takes for that machine.
enum class Goal { derive, gpu, cpu };

/// May products change places with sums, and must additions come in the same order in every run?
struct OrderOfSums {
  bool reassociate = true, fixed = false;
};

/// Sees each pass, with the program before and after it.
using WatchPass = std::function<void(const Pass& pass, const ir::Program& before, const ir::Program& after)>;

/// Runs the passes with the dumps and traces that were asked for, on stderr. Nothing if a pass
/// refused the program; the session then has the reason.
std::optional<ir::Program> run_passes(Session& session, ir::Program program, Goal goal,
                                      const LookInside& look = {}, const OrderOfSums& order = {}, const WatchPass& watch = {});

/// Writes the program on which a pass broke to `boustro-broken.fut` in the current folder; a
/// sentence that says so, or nothing if none broke.
std::string save_broken_program();

}  // namespace boustro::driver
