// Which kernels of several that compute the same are written.
//
// Many nests have versions: tiles of results or a thread for each, rows staged in shared memory or read where they are, copies of cells for
// each block or none, summands in slabs or not. Which one pays depends on sizes, and the host asks when the program runs. Here it is asked
// when the file is written, where the answer is known: of what consists of literals, or of sizes that are said to be typical. One version is
// left then, if it is right for all sizes: tiles are, and so is what stands behind `else`; what needs room for a row or for copies is so
// only if its room is a literal, and else keeps the other version beside it.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "emit/plan/plan.hpp"

namespace boustro::plan::planner {

/// Of an entry whose prologue is still to be hoisted; `typical` has values of its sizes and integer parameters, by their names in the source.
/// What only versions used that are gone is gone, too: kernels, pieces of scratch memory, library calls.
void choose_versions(Entry& entry, const std::map<std::string, std::int64_t>& typical);

/// At the head of the file: which sizes its kernels were chosen for.
void say_typical(Program& program, const std::map<std::string, std::int64_t>& typical);

/// Functions and structs that nothing refers to any more.
void drop_unreferenced(Program& program);

}  // namespace boustro::plan::planner
