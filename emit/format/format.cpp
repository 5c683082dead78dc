#include "emit/format/format.hpp"

#include <clang/Format/Format.h>
#include <clang/Tooling/Core/Replacement.h>

#include "frontend/source/diagnostics.hpp"

namespace boustro::format {
namespace {

clang::format::FormatStyle emitted_style(std::size_t columns) {
  auto style = clang::format::getGoogleStyle(clang::format::FormatStyle::LK_Cpp);
  style.ColumnLimit = static_cast<unsigned>(columns);
  style.DerivePointerAlignment = false;
  style.IncludeStyle.IncludeBlocks = clang::tooling::IncludeStyle::IBS_Preserve;
  // Formulas and tables in comments are laid out by the printers.
  style.ReflowComments = clang::format::FormatStyle::RCS_Never;
  style.StatementMacros.push_back("INDEPENDENT_ITERATIONS");
  style.BreakAfterAttributes = clang::format::FormatStyle::ABS_Leave;
  return style;
}

// ---- Heads of kernels: clang-format, which does not know `__launch_bounds__(..)`, would break lines in there. A comment of our own stands for
// the first line of a head meanwhile; what is below reads as a constructor, whose parameters go below each other.

constexpr std::string_view kernel_head = "__global__ void __launch_bounds__(", stand_in = "//__launch_bounds__ ";

/// In each line that begins with `from` and ends with `end`, `to` and `new_end` instead.
std::string with_lines(std::string_view text, std::string_view from, std::string_view end, std::string_view to, std::string_view new_end) {
  std::string result;
  while (!text.empty()) {
    std::string_view line = text.substr(0, std::min(text.find('\n'), text.size() - 1) + 1);
    text.remove_prefix(line.size());
    const bool has_break = line.ends_with('\n');
    if (has_break) line.remove_suffix(1);
    if (line.starts_with(from) && line.ends_with(end)) {
      line.remove_prefix(from.size());
      line.remove_suffix(end.size());
      result += to;
      result += line;
      result += new_end;
    } else {
      result += line;
    }
    if (has_break) result += '\n';
  }
  return result;
}

}  // namespace

std::string format_cpp(std::string_view original, std::size_t columns) {
  const std::string text = with_lines(original, kernel_head, ")", stand_in, "");
  const clang::tooling::Range everything(0, static_cast<unsigned>(text.size()));
  const auto edits = clang::format::reformat(emitted_style(columns),
                                             llvm::StringRef(text.data(), text.size()), everything);
  auto result =
      clang::tooling::applyAllReplacements(llvm::StringRef(text.data(), text.size()), edits);
  if (!result) source::internal_error("format: " + llvm::toString(result.takeError()));
  return with_lines(*result, stand_in, "", kernel_head, ")");
}

}  // namespace boustro::format
