#include "emit/cuda/write.hpp"

#include <fmt/format.h>

#include "emit/cuda/parts.hpp"
#include "emit/format/format.hpp"
#include "emit/text/comment.hpp"
#include "emit/text/function.hpp"
#include "emit/text/origins.hpp"
#include "frontend/source/diagnostics.hpp"

namespace boustro::cuda {
namespace {

std::string target_statement(const plan::Stm& stm, const Place& place) {
  return place.side == text::Side::device ? device_statement(stm, place)
                                          : host_statement(stm, place);
}

const text::Dialect dialect{.language = templates::Language::cuda,
                            .extension = ".cu",
                            .device_function = "__device__ ",
                            .short_function = "__device__ ",
                            .shared_function = "__host__ __device__ ",
                            .table = "__device__ const ",
                            .error_type = "cudaError_t",
                            .success = "cudaSuccess",
                            .invalid = "cudaErrorInvalidValue",
                            .allocator = "allocator, stream",
                            .memory = "device memory",
                            .has_stream = true,
                            .target_statement = target_statement};

std::string kernels(const plan::Entry& entry, const Place& place) {
  std::string result;
  const plan::Kernel* first = nullptr;  // of those that do the same in different ways, which follow one another
  for (const plan::Kernel& kernel : entry.kernels) {
    if (!first || !text::say_the_same(first->comment, kernel.comment)) first = &kernel;
    result += kernel_text(kernel, first == &kernel ? "" : first->name, place);
  }
  return result.empty() ? "" : text::ruler("Kernels of " + entry.name) + result;
}

std::string entry_parts(const plan::Entry& entry, const Place& place) {
  return text::functions(entry.definitions, entry.name, place) +
         kernels(entry, place) + libraries_text(entry, place) +
         text::scratch_struct(entry, place);
}

std::string opening(const plan::Program& program) {
  const bool allocates = text::allocates(program);
  bool waits = false;
  for (const plan::Entry& entry : program.entries) waits = waits || entry.waits;
  return text::comment(fmt::format(
      "All functions: arrays are on the current device, dense and row-major; an output overlaps no "
      "other argument. "
      "Work is queued on `stream`; {}, {}. Calls from several threads are safe with separate "
      "scratch{}.\nResult: cudaErrorInvalidValue if a size is negative or too large or scratch too "
      "small, in which "
      "case nothing was queued; otherwise the first error that the CUDA runtime reports.",
      allocates ? "only what takes an Allocator allocates" : "nothing is allocated",
      waits ? "and only functions that say so wait: calls of the others may be captured in a CUDA "
              "graph"
            : "nothing waits, so calls may be captured in a CUDA graph",
      allocates ? ", and as far as the Allocator is" : ""));
}

}  // namespace

Emitted write_cuda(const plan::Program& program, const Options& options) {
  source::internal_check(program.target == plan::Target::gpu,
                         "printer: this plan is not for a GPU");
  const text::Unmarked source = text::take_marks(text::source_file(program, options, dialect, "C++17, CUDA 12.8 or later", entry_parts));
  Emitted emitted{format::format_cpp(source.text),
                  format::format_cpp(text::header(program, dialect, opening(program), "#include <cuda_runtime_api.h>\n"))};
  if (options.origins) emitted.origins = text::origins_of_lines(source, emitted.source);
  return emitted;
}

}  // namespace boustro::cuda
