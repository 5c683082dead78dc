#include "emit/text/library_needs.hpp"

#include <fmt/format.h>

#include "emit/text/expression.hpp"
#include "emit/text/statement.hpp"

namespace boustro::text {
namespace {

constexpr const char* largest_need_counts = "// The calls follow one another in the same memory, so the largest need counts.\n";

/// The call that sets `bytes`.
std::string question(const plan::Run& run, std::string_view bytes, const Place& place) {
  const std::string args = expressions(run.args, place);
  return fmt::format("{}(nullptr, {}{}{}, nullptr)", run.library, bytes, args.empty() ? "" : ", ", args);
}

}  // namespace

bool is_only_for_libraries(const plan::Scratch& scratch) { return !scratch.library.empty() && scratch.pieces.empty() && scratch.sizes.empty(); }

std::string ask_libraries(const plan::Scratch& scratch, const Place& place) {
  if (scratch.library.size() == 1) return fmt::format("return {};\n", question(scratch.library[0], "*bytes", place));
  place.need_header("algorithm");
  std::string result = fmt::format("{}*bytes = 0;\nstd::size_t needed = 0;\n", largest_need_counts);
  for (const plan::Run& run : scratch.library) result += checked(question(run, "needed", place), place) + "*bytes = std::max(*bytes, needed);\n";
  return result + fmt::format("return {};\n", place.dialect.success);
}

std::string library_query(const plan::Scratch& scratch, const Place& place) {
  if (scratch.library.empty()) return "";
  const std::string start = fmt::format("{} query_library() {{\n", place.dialect.error_type);
  if (scratch.library.size() == 1) return fmt::format("{}return {};\n}}\n", start, question(scratch.library[0], "library_bytes", place));
  place.need_header("algorithm");
  std::string calls;
  for (const plan::Run& run : scratch.library) calls += fmt::format("ask({});\n", question(run, "needed", place));
  return fmt::format(
      "{0}{1}{2} first_error = {3};\nstd::size_t needed = 0;\nconst auto ask = [&]({2} error) {{\nif (first_error == {3}) first_error = error;\n"
      "library_bytes = std::max(library_bytes, needed);\n}};\n{4}return first_error;\n}}\n",
      largest_need_counts, start, place.dialect.error_type, place.dialect.success, calls);
}

}  // namespace boustro::text
