// The source file as a whole: what all targets have in common.
#include <fmt/format.h>

#include "emit/text/comment.hpp"
#include "emit/text/file.hpp"
#include "emit/text/function.hpp"

namespace boustro::text {
namespace {

/// What stands in the unnamed namespace, behind the runtime.
std::string internals(const plan::Program& program, EntryParts parts, const Place& place) {
  std::string result = functions(program.definitions, "", place);
  for (const plan::Entry& entry : program.entries) result += parts(entry, place);
  return result;
}

std::string entries(const plan::Program& program, const Place& place) {
  std::string result = ruler("Entry points");
  for (const plan::Entry& entry : program.entries) {
    result += scratch_query(entry, place) + entry_function(entry, place);
  }
  return result + failure_text(program);
}

}  // namespace

std::string functions(const std::vector<plan::Definition>& definitions, std::string_view of,
                      const Place& place) {
  std::string result;
  for (const plan::Definition& definition : definitions)
    result += definition_text(definition, place);
  if (result.empty()) return "";
  const std::string_view kind =
      place.dialect.device_function.empty() ? "Functions" : "Device functions";
  return ruler(fmt::format("{}{}{}", kind, of.empty() ? "" : " of ", of)) + result;
}

std::string source_file(const plan::Program& program, const Options& options,
                        const Dialect& dialect, std::string_view language, EntryParts parts) {
  Needs needs;
  Place place{dialect, needs};
  place.marks = options.origins;
  const std::string inside = internals(program, parts, place);
  const std::string outside = entries(program, place);
  const std::string runtime = text::runtime(needs, dialect);  // adds headers to `needs`
  const bool any = !(runtime + inside).empty();
  return fmt::format("{}{}namespace {} {{\n{}{}{}{}{}}}  // namespace {}\n",
                     head_comment(program, options, dialect, language),
                     includes(program, needs, dialect), program.name_space,
                     any ? "namespace {\n" : "", runtime, inside, any ? "\n}  // namespace\n" : "",
                     outside, program.name_space);
}

}  // namespace boustro::text
