// Loops that compute several points at a time.
#pragma once

#include <cstdint>
#include <type_traits>

#include "templates/max_lanes.hpp"

/// Calls body(lanes, i) for the points i, i + 1, ..., i + lanes - 1, until all from `begin` up to
/// `end` are covered: max_lanes at a time, and the last ones one by one. `lanes` is a constant, so
/// that loops over lanes become vector instructions.
template <typename Body>
void for_lanes(int64_t begin, int64_t end, const Body& body) {
  int64_t i = begin;
  for (; i + max_lanes <= end; i += max_lanes) body(std::integral_constant<int64_t, max_lanes>(), i);
  for (; i < end; ++i) body(std::integral_constant<int64_t, 1>(), i);
}
