// Expressions of a plan for people: `⌈n / 256⌉`, `8 · n · k`.
#pragma once

#include <string>

#include "emit/plan/plan.hpp"

namespace boustro::explain {

/// Without conversions between integers, with signs of mathematics, and with names of parts of structs alone.
std::string in_signs(const plan::Expr& expr);
/// The blocks of a grid, or the threads of a block. That a grid is at most 65535 high is left out.
std::string in_signs(const plan::Extents& extents);

/// What `count` elements take; a product without parentheses.
std::string bytes_of(const plan::Expr& count, const plan::Type& elem);
/// Of an array of these extents.
std::string bytes_of(const std::vector<std::string>& shape, const plan::Type& elem);

/// f32, i64, .., or the name of a struct.
std::string element_name(const plan::Type& elem);

}  // namespace boustro::explain
