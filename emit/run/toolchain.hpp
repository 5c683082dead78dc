// Compiles emitted files, and programs around them, for the targets that run on this machine.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "emit/verify/verify.hpp"

namespace boustro::run {

/// How emitted CUDA is run on the CPU; see templates/cuda_on_cpu. `asan` applies to the cpp target
/// too, `counts` there to files with watched nests.
enum class Mode { plain, asan, races, counts };

/// A compiler rejected what we emitted. The text is its output. If one is missing, the functions below throw Missing (own_files.hpp).
struct CompileError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Rewrites a .cu file to C++ and compiles it to an object file. Throws CompileError.
void compile_cuda_for_cpu(const verify::CudaText& text, Mode mode,
                          const std::filesystem::path& object);

/// Compiles a C++ file that uses the CUDA runtime's host functions, but has no kernels.
void compile_cuda_host(const std::filesystem::path& source, Mode mode,
                       const std::filesystem::path& object);

/// Compiles a C++ file with CUDA's headers and nothing of ours, but what it includes from its own folder.
void compile_cuda_host_alone(const std::filesystem::path& source, const std::filesystem::path& object);

/// Links objects of the functions above with the runtime to a program.
void link_for_cpu(const std::vector<std::filesystem::path>& objects, Mode mode,
                  const std::filesystem::path& program);

/// Compiles and links C++17 files for the cpp target. `flags`: such as -O3.
void compile_cpp(const std::vector<std::filesystem::path>& sources, Mode mode,
                 const std::vector<std::string>& flags, const std::filesystem::path& program);

/// ... for Mode::counts: `source` is a file with watched nests (verify::time_nests), of which it counts what
/// they do.
void compile_counted_cpp(const std::filesystem::path& source, const std::filesystem::path& harness,
                         const std::filesystem::path& program);

/// Compiles .cu and .cpp files with nvcc, warnings being errors. `flags`: such as -c, -o, ... For a virtual architecture, such as compute_90,
/// kernels become PTX only, without the assembler.
void compile_nvcc(const std::vector<std::filesystem::path>& sources, const std::vector<std::string>& flags, const std::string& architecture = "sm_90");

/// Compiles the kernels of a .cu file with nvcc for an architecture, such as sm_90. The result is what the
/// assembler says of each, see emit/profile/registers.hpp.
std::string assemble_nvcc(const std::filesystem::path& source, const std::string& architecture);

/// Where nvcc is: $CUDA_PATH/bin, the default installation, or PATH; empty if nowhere.
std::string nvcc_path();

}  // namespace boustro::run
