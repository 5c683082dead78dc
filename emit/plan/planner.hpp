// From the core IR to the plan.
#pragma once

#include <map>
#include <string>

#include "emit/plan/plan.hpp"
#include "frontend/source/diagnostics.hpp"

namespace boustro::plan {

struct Options {
  Target target = Target::gpu;
  std::string name = "program";  // of the emitted files, without extension
  std::string name_space = {};   // as `name` if empty
  std::string source = {};       // name of the source file, for comments
  const source::SourceMap* sources = nullptr;
  bool deterministic = false;  // no float atomics, no library scans of floats
  bool wide_index = false;     // int64_t for all indices, and no limit of 2^30
  bool checks = true;          // of indices at run time
  bool reassociate = true;     // sums leave out what is zero by construction
  /// Values of sizes and integer parameters of entries, as these call them, for which kernels are chosen (planner/versions.hpp). Results are
  /// right whatever the sizes.
  std::map<std::string, std::int64_t> typical = {};
};

/// Plans all entry points. `program` is verified and simplified, without derivatives. What cannot
/// be planned is reported as `unsupported`; the entry is then left out.
Program plan_program(const ir::Program& program, const Options& options,
                     source::Diagnostics& diagnostics);

/// What --explain-plan prints: kernels with their extents, shared memory and scratch, atomics,
/// library calls, reads.
std::string explain(const Program& program);

/// What --memory prints: arrays of each entry that have scratch memory, with their bytes as a formula in sizes, the largest first, as far
/// as the numbers of factors tell; what they were made for, and which others are there at other times.
std::string explain_memory(const Program& program);

/// What --explain-plan adds to the plan of a deterministic program: the scratch and steps of each entry that `any`, the same program
/// with the order of additions left open, does not have, and those of `any` that they stand for.
std::string explain_price(const Program& fixed, const Program& any);

/// What to call it to people: "radix sort".
std::string_view word_for(LibraryKind kind);

}  // namespace boustro::plan
