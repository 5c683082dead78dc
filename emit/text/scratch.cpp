#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "emit/plan/walk.hpp"
#include "emit/text/comment.hpp"
#include "emit/text/expression.hpp"
#include "emit/text/file.hpp"
#include "emit/text/function.hpp"
#include "emit/text/library_needs.hpp"
#include "emit/text/types.hpp"

namespace boustro::text {
namespace {

using namespace plan;

/// Of more than one dimension, of which the order is worth telling where it fits beside the size.
std::string shape_comment(const Piece& piece) {
  const bool is_plain = std::none_of(piece.shape.begin(), piece.shape.end(), [](const std::string& extent) { return extent.find('(') != std::string::npos; });
  return piece.shape.size() > 1 && is_plain ? fmt::format("  // [{}]", fmt::join(piece.shape, "][")) : "";
}

/// What the library asks for is known before the last piece is taken.
std::string library_fields(const Place& place) {
  return fmt::format(
      "\nstd::size_t library_bytes = 0;\n{} status = query_library();\n"
      "std::byte* library_scratch = take<std::byte>(static_cast<int64_t>(library_bytes));\n",
      place.dialect.error_type);
}

/// Pieces that are needed when others are not.
std::string in_the_memory_of_others(const Scratch& scratch, const Place& place) {
  std::string result;
  for (const Piece& piece : scratch.pieces)
    if (!piece.place_of.empty())
      result += fmt::format("{}* {} = {};{}\n", type_text(piece.elem, place), piece.name, piece.place_of, shape_comment(piece));
  return result.empty() ? "" : "// One after the other in the same memory:\n" + result;
}

/// In the order in which they are computed, each from those before.
std::string fields(const Scratch& scratch, const Place& place) {
  std::string result = field_list(scratch.params, place);
  if (!scratch.params.empty()) result += "\n";
  for (const Let& size : scratch.sizes)
    result += fmt::format("{} {} = {};\n", type_text(size.type, place), size.name, expression(*size.value, place));
  if (!scratch.sizes.empty()) result += "\n";
  for (const Piece& piece : scratch.pieces) {
    if (!piece.place_of.empty()) continue;
    const std::string elem = type_text(piece.elem, place);
    result += fmt::format("{0}* {1} = take<{0}>({2});{3}\n", elem, piece.name, expression(piece.count, place), shape_comment(piece));
  }
  result += in_the_memory_of_others(scratch, place);
  return scratch.library.empty() ? result : result + library_fields(place);
}

}  // namespace

std::string scratch_struct(const Entry& entry, const Place& place) {
  const Scratch& scratch = entry.scratch;
  if (scratch.empty() || is_only_for_libraries(scratch)) return "";
  place.need_template("scratch");
  const std::string query = library_query(scratch, place);
  return fmt::format("{}struct {} : Scratch {{\n{}{}}};\n", ruler(fmt::format("Scratch memory of {}", entry.name)), scratch.name, fields(scratch, place),
                     query.empty() ? "" : "\n" + query);
}

std::string scratch_value(const Scratch& scratch, const std::string& memory) {
  std::string sizes;
  for (const Param& param : scratch.params) sizes += ", " + param.name;
  return fmt::format("{{Scratch({}){}}}", memory, sizes);
}

}  // namespace boustro::text
