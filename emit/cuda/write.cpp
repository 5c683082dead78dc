#include "emit/cuda/write.hpp"

#include <fmt/format.h>

#include "emit/cuda/parts.hpp"
#include "emit/format/format.hpp"
#include "emit/text/comment.hpp"
#include "emit/text/function.hpp"
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
                            .error_type = "cudaError_t",
                            .success = "cudaSuccess",
                            .invalid = "cudaErrorInvalidValue",
                            .memory = "device memory",
                            .has_stream = true,
                            .target_statement = target_statement};

/// Definitions of the program or of one entry, then `more`.
std::string device_functions(const std::vector<plan::Definition>& definitions,
                             const std::string& title, const std::string& more,
                             const Place& place) {
  std::string result;
  for (const plan::Definition& definition : definitions)
    result += text::definition_text(definition, place);
  result += more;
  return result.empty() ? "" : text::ruler(title) + result;
}

std::string kernels(const plan::Entry& entry, const Place& place) {
  std::string result;
  for (const plan::Kernel& kernel : entry.kernels) result += kernel_text(kernel, place);
  return result.empty() ? "" : text::ruler("Kernels of " + entry.name) + result;
}

Place in_entry(const plan::Program& program, const plan::Entry& entry, Place place) {
  place.first_check = text::first_check(program, entry);
  return place;
}

/// What stands in the unnamed namespace, behind the runtime.
std::string internals(const plan::Program& program, const Place& place) {
  std::string result = device_functions(program.definitions, "Device functions", "", place);
  for (const plan::Entry& entry : program.entries) {
    const Place here = in_entry(program, entry, place);
    result += device_functions(entry.definitions, "Device functions of " + entry.name,
                               iterators_text(entry, here), here);
    result += kernels(entry, here);
    result += libraries_text(entry, here);
    result += text::scratch_struct(entry, library_query(entry, here), here);
  }
  return result;
}

std::string entries(const plan::Program& program, const Place& place) {
  std::string result = text::ruler("Entry points");
  for (const plan::Entry& entry : program.entries) {
    const Place here = in_entry(program, entry, place);
    result += text::scratch_query(entry, here) + text::entry_function(entry, here);
  }
  return result + text::failure_text(program);
}

std::string source_text(const plan::Program& program, const Options& options) {
  text::Needs needs;
  const Place place{dialect, needs};
  const std::string inside = internals(program, place);
  const std::string outside = entries(program, place);
  const std::string runtime = text::runtime(needs, dialect);  // adds headers to `needs`
  const bool any = !(runtime + inside).empty();
  return fmt::format("{}{}namespace {} {{\n{}{}{}{}{}}}  // namespace {}\n",
                     text::head_comment(program, options, dialect, "C++17, CUDA 12.8 or later"),
                     text::includes(program, needs, dialect), program.name_space,
                     any ? "namespace {\n" : "", runtime, inside, any ? "\n}  // namespace\n" : "",
                     outside, program.name_space);
}

std::string opening(const plan::Program& program) {
  bool waits = false;
  for (const plan::Entry& entry : program.entries) waits = waits || entry.waits;
  return text::comment(fmt::format(
      "All functions: arrays are on the current device, dense and row-major; an output overlaps no "
      "other argument. "
      "Work is queued on `stream`; nothing is allocated, {}. Calls from several threads are safe "
      "with separate "
      "scratch.\nResult: cudaErrorInvalidValue if a size is negative or too large or scratch too "
      "small, in which "
      "case nothing was queued; otherwise the first error that the CUDA runtime reports.",
      waits ? "and only functions that say so wait: calls of the others may be captured in a CUDA "
              "graph"
            : "nothing waits, so calls may be captured in a CUDA graph"));
}

}  // namespace

Emitted write_cuda(const plan::Program& program, const Options& options) {
  source::internal_check(program.target == plan::Target::gpu,
                         "printer: this plan is not for a GPU");
  return {format::format_cpp(source_text(program, options)),
          format::format_cpp(
              text::header(program, dialect, opening(program), "#include <cuda_runtime_api.h>\n"))};
}

}  // namespace boustro::cuda
