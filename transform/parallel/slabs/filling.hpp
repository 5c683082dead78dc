// How many threads sums have that are computed jointly, as templates/sum_threads_for.cuh gives them where neighbouring results lie next to each
// other: a test holds both against each other.
#pragma once

#include <cstdint>

namespace boustro::parallel::joint_sums {

constexpr std::int64_t enough_threads = 1 << 18;  // to keep a device busy: no sum has more threads than make so many
constexpr std::int64_t threads_of_sum = 32;       // at most
constexpr std::int64_t summands_of_thread = 8;    // at least

}  // namespace boustro::parallel::joint_sums
