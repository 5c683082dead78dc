#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include <fmt/format.h>

#include "emit/text/comment.hpp"
#include "emit/text/file.hpp"
#include "frontend/source/diagnostics.hpp"

namespace boustro::text {
namespace {

/// What a reader meets first; all others follow by name.
constexpr std::array<std::string_view, 19> first_of_runtime{
    "scratch",         "buffer",    "fill_zeros",  "copy_array",    "copy_to_host", "blocks_for", "few_blocks_for", "grid_height_for", "row_threads_for", "slab_size_for", "order", "sum_threads_for", "sums_block",
    "staged_rows_for", "row_pitch", "stage_rows", "rows_per_copy", "copies_for",   "copies_pay"};
constexpr std::array<std::string_view, 16> of_tiles{
    "tiles_pay",     "rows_of_tiles_pay",   "thread_tile",           "matrix_place",         "matrix_tile",  "add_matrix_product", "summands",       "all_summands",
    "summands_up_to_row", "summands_from_row", "summands_up_to_column", "summands_from_column", "tile_operand", "row_operand",        "column_operand", "accumulate"};

bool is_among(std::span<const std::string_view> names, std::string_view name) { return std::find(names.begin(), names.end(), name) != names.end(); }

/// Those that are wanted, in the order of the lists above, then all others by name.
std::vector<std::string> in_order(const Names& wanted) {
  std::vector<std::string_view> first(first_of_runtime.begin(), first_of_runtime.end());
  first.insert(first.end(), of_tiles.begin(), of_tiles.end());
  std::vector<std::string> result(wanted.begin(), wanted.end());
  std::stable_sort(result.begin(), result.end(), [&](const std::string& x, const std::string& y) {
    return std::find(first.begin(), first.end(), x) < std::find(first.begin(), first.end(), y);
  });
  return result;
}

/// Templates in the order in which they are to stand: constants first, others after those that they
/// use. Those of tiles stand apart.
struct Order {
  Names done;
  struct Section {
    std::string constants, functions;
  } general, tiles;

  void add(std::string_view name, Needs& needs, const Dialect& dialect) {
    const bool in_header = name == "failure" || name == "allocator";
    if (in_header || !done.insert(std::string(name)).second) return;
    const auto* found = templates::find(name, dialect.language);
    source::internal_check(found != nullptr, fmt::format("printer: no template `{}`", name));
    for (const std::string& used : found->templates) add(used, needs, dialect);
    needs.headers.insert(found->system_headers.begin(), found->system_headers.end());
    const bool constant = found->text.starts_with("constexpr") ||
                          found->text.find("\nconstexpr") != std::string::npos;
    Section& section = is_among(of_tiles, name) || name.starts_with("tile_") ? tiles : general;
    (constant ? section.constants : section.functions) += found->text + "\n";
  }
};

std::string section_text(const std::string& title, const Order::Section& section) {
  const std::string text = section.constants + section.functions;
  return text.empty() ? "" : ruler(title) + text;
}

/// CUB and Thrust stand apart from the standard library.
bool is_library_header(const std::string& header) { return header.find('/') != std::string::npos; }

/// In every header that we write already.
bool in_our_header(const std::string& header) { return header == "cstddef" || header == "cstdint"; }

}  // namespace

std::string runtime(Needs& needs, const Dialect& dialect) {
  Order order;
  const Names wanted = needs.templates;
  for (const std::string& name : in_order(wanted)) order.add(name, needs, dialect);
  return section_text("Runtime", order.general) + section_text("Tiles of results", order.tiles);
}

std::string includes(const plan::Program& program, const Needs& needs, const Dialect&) {
  std::string standard, library;
  for (const std::string& header : needs.headers) {
    if (in_our_header(header)) continue;
    (is_library_header(header) ? library : standard) += fmt::format("#include <{}>\n", header);
  }
  return fmt::format("#include \"{}.hpp\"\n\n{}\n{}\n", program.name, standard, library);
}

}  // namespace boustro::text
