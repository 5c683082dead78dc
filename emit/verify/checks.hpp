// The rules that every emitted .cu file obeys, checked on its syntax tree:
//
//   launch      every kernel launch is followed at once by a check of cudaGetLastError(), or by its
//   return waiting     no function allocates or waits for the device, unless its plan says so;
//   nothing throws shared      dynamic shared arrays have names of their own (CUDA gives equal
//   names one type) linkage     only the entry points have external linkage macro       no macro is
//   defined include     only the file's own header, the standard library and CUDA are included
//   parameter   every kernel parameter is used
//
// Remarked upon: 64-bit integers divided in device code.
#pragma once

#include "emit/verify/parse.hpp"

namespace boustro::verify {

/// Reports breaches as errors to the tree's DiagnosticsEngine, and returns the remarks.
Problems check_rules(clang::ASTContext& context, const CudaText& text,
                     const Permissions& permissions);

}  // namespace boustro::verify
