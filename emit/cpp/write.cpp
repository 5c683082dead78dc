#include "emit/cpp/write.hpp"

#include <fmt/format.h>

#include "emit/cpp/statement.hpp"
#include "emit/format/format.hpp"
#include "emit/text/comment.hpp"
#include "emit/text/function.hpp"
#include "emit/text/origins.hpp"
#include "frontend/source/diagnostics.hpp"

namespace boustro::cpp {
namespace {

using text::Place;

const text::Dialect dialect{.language = templates::Language::cpp,
                            .extension = ".cpp",
                            .device_function = "",
                            .short_function = "[[gnu::always_inline]] inline ",
                            .shared_function = "",
                            .table = "constexpr ",
                            .error_type = "Status",
                            .success = "Status::success",
                            .invalid = "Status::invalid_value",
                            .allocator = "allocator",
                            .memory = "host memory",
                            .has_stream = false,
                            .target_statement = target_statement};

std::string entry_parts(const plan::Entry& entry, const Place& place) {
  return text::functions(entry.definitions, entry.name, place) +
         text::scratch_struct(entry, place);
}

std::string opening(const plan::Program& program) {
  return text::comment(fmt::format(
      "All functions: arrays are dense and row-major; an output overlaps no other argument. {}. "
      "Calls from several threads are safe with separate scratch{}.",
      text::allocates(program) ? "Only what takes an Allocator allocates, and nothing throws"
                               : "Nothing is allocated and nothing thrown",
      text::allocates(program) ? ", and as far as the Allocator is" : ""));
}

std::string status_type(const plan::Program& program) {
  return fmt::format(
      "/// What became of a call.\nenum class Status {{\nsuccess,\n"
      "invalid_value,  // a size is negative or too large, or scratch too small; nothing was "
      "done\n{}{}}};\n\n",
      text::has_checks(program)
          ? "check_failed,  // the function's Failure says which, and results are undefined\n"
          : "",
      text::allocates(program) ? "out_of_memory,  // the Allocator has not enough\n" : "");
}

}  // namespace

Emitted write_cpp(const plan::Program& program, const Options& options) {
  source::internal_check(program.target == plan::Target::cpu,
                         "printer: this plan is not for a CPU");
  text::Dialect chosen = dialect;
  chosen.vector_math = options.vector_math;
  const text::Unmarked source = text::take_marks(text::source_file(program, options, chosen, "C++17; `-fopenmp` uses all cores", entry_parts));
  Emitted emitted{format::format_cpp(source.text), format::format_cpp(text::header(program, chosen, opening(program), "", status_type(program)))};
  if (options.origins) emitted.origins = text::origins_of_lines(source, emitted.source);
  return emitted;
}

}  // namespace boustro::cpp
