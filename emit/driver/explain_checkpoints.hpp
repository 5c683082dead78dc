// What `derive --explain-checkpoints` prints.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "emit/driver/load.hpp"

namespace boustro::driver {

/// For how many steps of each loop, and how many states where the program does not say that in numbers.
struct ScheduleSizes {
  std::int64_t steps = 0;
  std::optional<std::int64_t> states;
};

/// For each loop of the program with `#[checkpoint]` or one of its kin: place, attribute, the schedule move by move, what it costs. A sentence
/// if there is none. Throws std::invalid_argument, naming the loop, where the number of states is not known.
std::string explained_checkpoints(const Session& session, const ir::Program& program, const ScheduleSizes& sizes);

}  // namespace boustro::driver
