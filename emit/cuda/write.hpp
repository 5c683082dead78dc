// The planned program as CUDA C++: a .cu file and its header, laid out as a person would write
// them.
#pragma once

#include "emit/plan/plan.hpp"
#include "emit/text/file.hpp"

namespace boustro::cuda {

using text::Emitted;
using text::Options;

/// Prints a plan made for the gpu target; formatted. Decides nothing: what a plan may contain and
/// how it is written down says emit/plan/plan.hpp.
Emitted write_cuda(const plan::Program& program, const Options& options = {});

}  // namespace boustro::cuda
