// What nvcc's assembler says of kernels: registers, spills, shared memory.
#pragma once

#include <map>
#include <string>

#include "emit/run/program.hpp"

namespace boustro::profile {

/// Of several instances of a template, the largest numbers.
struct KernelNeeds {
  int registers = 0;    // of a thread
  int spill_bytes = 0;  // of a thread, stored and loaded once each
  int static_shared_bytes = 0;
};

/// `kernel` of `kernel<float>`, or of a whole declaration as demanglers print it.
std::string kernel_name(const std::string& text);

/// Reads what `ptxas -v` prints, by kernel_name. Lines that it does not know it skips.
std::map<std::string, KernelNeeds> parse_ptxas(const std::string& output);

/// Compiles the text by nvcc for an architecture, such as sm_90; this takes seconds. Throws run::CompileError
/// if nvcc is missing or refuses the text.
std::map<std::string, KernelNeeds> kernel_needs(const run::EmittedProgram& program,
                                                const std::string& architecture);

}  // namespace boustro::profile
