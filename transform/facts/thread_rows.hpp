// How an array lies that threads make row by row, each its own: rows one after the other would keep neighbouring threads apart.
//
// Before:   let xss = nest n (\i -> let xs = loop .. in xs)     let ys = nest n (\i -> .. xss[i] ..)     (xss: [n][m]t)
// After:    xss lies as [m][n]
// Applies   to rows of the last dimension of a nest of the grid, if threads alone read the array, each what is at its innermost index in
//           that dimension, or, where several threads compute a sum, at the index of its summands; or if it is made only to be seen with its
//           dimensions in another order, which is then how it lies
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "transform/ir/ir.hpp"

namespace boustro::facts {

/// How often a function uses a name, sizes in types apart.
using UseCount = std::function<int(const ir::Name&)>;

/// The dimensions of the array that statement number `at` makes, as they are to lie, outermost first; nothing if in their order.
std::optional<std::vector<int>> order_in_memory(const std::vector<ir::Stm>& stms, std::size_t at, const ir::Name& made, const UseCount& uses);

}  // namespace boustro::facts
