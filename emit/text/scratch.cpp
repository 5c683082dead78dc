#include <fmt/format.h>
#include <fmt/ranges.h>

#include "emit/plan/walk.hpp"
#include "emit/text/comment.hpp"
#include "emit/text/expression.hpp"
#include "emit/text/file.hpp"
#include "emit/text/function.hpp"
#include "emit/text/types.hpp"

namespace boustro::text {
namespace {

using namespace plan;

std::string field_texts(const Scratch& scratch, const Dialect& dialect, const Place& place) {
  std::vector<Param> sizes;
  for (const Let& size : scratch.sizes) sizes.push_back({size.name, size.type});
  std::string result = field_list(sizes, place);
  for (const Piece& piece : scratch.pieces) {
    const std::string shape =
        piece.shape.empty() ? "" : fmt::format("  // [{}]", fmt::join(piece.shape, "]["));
    result += fmt::format("{}* {};{}\n", type_text(piece.elem, place), piece.name, shape);
  }
  if (!scratch.library.empty()) {
    result += fmt::format(
        "std::byte* library_scratch;  // for one library call after the other\n"
        "std::size_t library_bytes;\n{} status;  // of asking for library_bytes\n",
        dialect.error_type);
  }
  return result + "std::size_t bytes;\n";
}

Names names_in(const Scratch& scratch) {
  Names names;
  for (const Let& size : scratch.sizes) add_names(Stm(size), names);
  for (const Piece& piece : scratch.pieces) add_names(piece.count, names);
  for (const Run& run : scratch.library) add_names(Stm(run), names);
  return names;
}

/// The values of the parameters by name, as arguments of `query_library`.
std::string param_names(const std::vector<Param>& params) {
  std::vector<std::string> names;
  for (const Param& param : params) names.push_back(param.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

/// Pieces that are needed when others are not.
std::string in_the_memory_of_others(const Scratch& scratch) {
  std::string result;
  for (const Piece& piece : scratch.pieces)
    if (!piece.place_of.empty()) result += fmt::format("{} = {};\n", piece.name, piece.place_of);
  return result.empty() ? "" : "// One after the other in the same memory:\n" + result;
}

std::string constructor_body(const Scratch& scratch, const Place& place) {
  std::string result;
  for (const Let& size : scratch.sizes) {
    result += fmt::format("{} = {};\n", size.name, expression(*size.value, place));
  }
  if (!scratch.library.empty())
    result += fmt::format("status = query_library({});\n", param_names(scratch.params));
  result += (result.empty() ? "" : "\n") + std::string("Scratch scratch(memory);\n");
  for (const Piece& piece : scratch.pieces) {
    if (!piece.place_of.empty()) continue;
    result += fmt::format("{} = scratch.take<{}>({});\n", piece.name, type_text(piece.elem, place),
                          expression(piece.count, place));
  }
  result += in_the_memory_of_others(scratch);
  if (!scratch.library.empty()) {
    result += "library_scratch = scratch.take<std::byte>(static_cast<int64_t>(library_bytes));\n";
  }
  return result + "bytes = scratch.bytes();\n";
}

}  // namespace

std::string scratch_struct(const Entry& entry, const std::string& query_library,
                           const Place& place) {
  const Scratch& scratch = entry.scratch;
  if (scratch.empty()) return "";
  place.need_template("scratch");
  const Names used = names_in(scratch);
  std::string params = "void* memory";
  for (const Param& param : scratch.params) params += ", " + param_text(param, used, place);
  return fmt::format("{}struct {} {{\n{}\n{}({}) {{\n{}}}\n{}}};\n",
                     ruler(fmt::format("Scratch memory of {}", entry.name)), scratch.name,
                     field_texts(scratch, place.dialect, place), scratch.name, params,
                     constructor_body(scratch, place),
                     query_library.empty() ? "" : "\n" + query_library);
}

}  // namespace boustro::text
