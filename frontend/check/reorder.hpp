// #[reorder(key)] at a map: its points run in the order of an integer, which is a variable that the map's function binds, or comes from
// an array.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "frontend/check/typed.hpp"

namespace boustro::check {

/// An application of map, map2, ... or tabulate to all of its arguments.
struct MapUse {
  const Exp* application = nullptr;
  const Exp* last = nullptr;         // argument: an array, or the function of tabulate
  const Lambda* function = nullptr;  // null if it is not written here as `\x -> ..`
  std::size_t function_argument = 0; // its place among the arguments
  bool is_tabulate = false;
};

/// The map that makes the value of the expression; nothing if none does.
std::optional<MapUse> map_of(const Exp& exp);

/// The variable of that name which the function binds for each point: the last of the definitions that its body begins with, or else a
/// parameter.
std::optional<std::pair<Name, Type>> variable_of(const Lambda& function, const std::string& text);

}  // namespace boustro::check
