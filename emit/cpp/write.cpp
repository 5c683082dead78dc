#include "emit/cpp/write.hpp"

#include <fmt/format.h>

#include "emit/cpp/statement.hpp"
#include "emit/format/format.hpp"
#include "emit/text/comment.hpp"
#include "emit/text/function.hpp"
#include "frontend/source/diagnostics.hpp"

namespace boustro::cpp {
namespace {

using text::Place;

const text::Dialect dialect{.language = templates::Language::cpp,
                            .extension = ".cpp",
                            .device_function = "",
                            .error_type = "Status",
                            .success = "Status::success",
                            .invalid = "Status::invalid_value",
                            .memory = "host memory",
                            .has_stream = false,
                            .target_statement = target_statement};

std::string functions(const std::vector<plan::Definition>& definitions, const std::string& title,
                      const Place& place) {
  std::string result;
  for (const plan::Definition& definition : definitions)
    result += text::definition_text(definition, place);
  return result.empty() ? "" : text::ruler(title) + result;
}

Place in_entry(const plan::Program& program, const plan::Entry& entry, Place place) {
  place.first_check = text::first_check(program, entry);
  return place;
}

/// What stands in the unnamed namespace, behind the runtime.
std::string internals(const plan::Program& program, const Place& place) {
  std::string result = functions(program.definitions, "Functions", place);
  for (const plan::Entry& entry : program.entries) {
    const Place here = in_entry(program, entry, place);
    result += functions(entry.definitions, "Functions of " + entry.name, here);
    result += text::scratch_struct(entry, "", here);
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
  return fmt::format(
      "{}{}namespace {} {{\n{}{}{}{}{}}}  // namespace {}\n",
      text::head_comment(program, options, dialect, "C++17; `-fopenmp` uses all cores"),
      text::includes(program, needs, dialect), program.name_space, any ? "namespace {\n" : "",
      runtime, inside, any ? "\n}  // namespace\n" : "", outside, program.name_space);
}

std::string opening() {
  return text::comment(
      "All functions: arrays are dense and row-major; an output overlaps no other argument. "
      "Nothing is allocated and "
      "nothing thrown. Calls from several threads are safe with separate scratch.");
}

std::string status_type(const plan::Program& program) {
  return fmt::format(
      "/// What became of a call.\nenum class Status {{\nsuccess,\n"
      "invalid_value,  // a size is negative or too large, or scratch too small; nothing was "
      "done\n{}}};\n\n",
      text::has_checks(program)
          ? "check_failed,  // the function's Failure says which, and results are undefined\n"
          : "");
}

}  // namespace

Emitted write_cpp(const plan::Program& program, const Options& options) {
  source::internal_check(program.target == plan::Target::cpu,
                         "printer: this plan is not for a CPU");
  return {format::format_cpp(source_text(program, options)),
          format::format_cpp(text::header(program, dialect, opening(), "", status_type(program)))};
}

}  // namespace boustro::cpp
