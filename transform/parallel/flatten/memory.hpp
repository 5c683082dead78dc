// Whether a point needs memory of its own: then no library call can compute it while it combines.
#pragma once

#include <functional>

#include "transform/facts/aliases.hpp"

namespace boustro::parallel {

/// An array of so many elements, at most, is kept in registers if its size is constant.
inline constexpr std::int64_t max_register_elements = 64;

/// The body makes an array that is neither a view nor small, at any depth.
bool needs_memory(const ir::Body& body, const facts::Callees& callees);
/// The statements that make such arrays.
void for_each_stored(const ir::Body& body, const facts::Callees& callees, const std::function<void(const ir::Stm&)>& visit);

}  // namespace boustro::parallel
