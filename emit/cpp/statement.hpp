// The statements that other C++ writes otherwise than CUDA.
#pragma once

#include <string>

#include "emit/text/place.hpp"

namespace boustro::cpp {

/// Parallel loops, atomics, fills and copies.
std::string target_statement(const plan::Stm& stm, const text::Place& place);

}  // namespace boustro::cpp
