// Parses emitted CUDA with Clang, for the host and for the device, and judges it; and rewrites it
// to plain C++ that templates/cuda_on_cpu runs. Nothing is read from or written to disk but CUDA's
// headers, which are kept precompiled (header_cache.hpp).
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace boustro::verify {

/// What is judged: a .cu file, and the header that it includes by `header_name`.
struct CudaText {
  std::string name;  // "kmeans.cu"
  std::string source;
  std::string header_name;  // "kmeans.hpp"; empty if there is none
  std::string header;
};

/// What an emitted file may do beyond launching kernels; its plan says so.
struct Permissions {
  std::vector<std::string> waiting_entries = {};     // may wait for the device
  std::vector<std::string> allocating_entries = {};  // may have memory of the caller's allocator
  std::vector<std::string> entries = {};             // the only functions with external linkage
};

/// One objection, as `name:line:column: text`.
using Problems = std::vector<std::string>;

/// True if the CUDA headers that parsing needs are there.
bool cuda_headers_available();

/// Problems forbid the file. Remarks are worth a look: a program may well divide 64-bit integers in
/// a kernel, but index arithmetic that does is slow.
struct Verdict {
  Problems problems;
  Problems remarks;
};

/// Parses for host and device at the same time. Any diagnostic of Clang, warnings included, is a
/// problem, and so is any breach of the rules for emitted files (checks.hpp).
Verdict verify_cuda(const CudaText& text, const Permissions& permissions);

/// The text with launches and `__shared__` declarations rewritten for templates/cuda_on_cpu, line
/// numbers kept; or problems. Launches and `__shared__` must not come from macros; `__shared__`
/// stands inside of functions only.
struct Rewritten {
  std::string source;
  Problems problems;
};
Rewritten rewrite_for_cpu(const CudaText& text);

/// The text of a C++17 file of the cpp target with watches of its outermost nests of loops
/// (templates/harness/nests.hpp), or problems.
Rewritten time_nests(const CudaText& text);

/// The text of a .cu file with watches of its launches (templates/harness/launches.hpp), or problems.
Rewritten time_launches(const CudaText& text);

/// Parses a C++17 file of the cpp target: problems are Clang's diagnostics under -Wall -Wextra
/// -Wconversion -Wshadow.
Problems verify_cpp(const CudaText& text);

}  // namespace boustro::verify
