// How much memory neighbouring threads ask for, by the dimension of a nest that they are next to each other along.
//
// The 32 threads of a warp run points of that dimension. Elements that they read at one address come as one sector of 32 bytes,
// elements that lie next to each other as as many as they fill, any others as one each. Additions to one cell come one after
// the other, as if they were apart. What a point makes itself lies as its threads do, wherever that is, and does not count.
#pragma once

#include <functional>
#include <string>

#include "transform/ir/ir.hpp"

namespace boustro::facts {

/// What a warp asks for at a point: [k] in each iteration of k loops around each other. A loop of constant length is as many
/// accesses, and no loop.
using Sectors = std::vector<double>;
/// More loops outweigh everything.
bool is_less(const Sectors& x, const Sectors& y);
/// "66 sectors in 2 loops", of the innermost loops that differ; "as many sectors" if none does.
std::string difference(const Sectors& x, const Sectors& y);

/// From one element of a dimension to the next, where that is a constant.
using Stride = std::optional<std::int64_t>;
/// Of an array that is not made by points, or of a result of the nest: how it lies in memory. Nothing if it is not in memory.
using Layout = std::function<std::optional<std::vector<Stride>>(const ir::Name&)>;
/// The elements of each row one after the other, rows one after the other.
std::vector<Stride> row_major(std::size_t rank);

/// How many leading dimensions all outs keep: threads can share these out.
std::size_t kept_dimensions(const ir::Nest& nest);
/// For each of these, what warps ask for if neighbours are next to each other along it.
std::vector<Sectors> sectors_along(const ir::Stm& stm, const ir::Nest& nest, const Layout& layout);

}  // namespace boustro::facts
