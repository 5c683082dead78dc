// The planned program as standalone C++17: a .cpp file and its header, the same functions as the
// CUDA target has, on host memory and without a stream.
//
// An entry returns a `Status`, an enumeration that the header defines in the program's namespace
// and that must not be ignored: `success`; `invalid_value` if a size is negative or too large, or
// scratch too small, in which case nothing was done; `check_failed` if a check at run time failed,
// which the entry's Failure explains. No exceptions.
#pragma once

#include "emit/plan/plan.hpp"
#include "emit/text/file.hpp"

namespace boustro::cpp {

using text::Emitted;
using text::Options;

/// Prints a plan made for the cpu target; formatted. Loops that the plan calls parallel get OpenMP
/// pragmas, which are left out by compilers that run without OpenMP.
Emitted write_cpp(const plan::Program& program, const Options& options = {});

}  // namespace boustro::cpp
