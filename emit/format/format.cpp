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
  // Read as an attribute, `__launch_bounds__(..)` may end a line, with the kernel's name on the
  // next.
  style.Macros.push_back("__launch_bounds__(threads)=[[threads]]");
  style.Macros.push_back("__launch_bounds__(threads, blocks)=[[threads]]");
  style.StatementMacros.push_back("INDEPENDENT_ITERATIONS");
  style.BreakAfterAttributes = clang::format::FormatStyle::ABS_Leave;
  return style;
}

}  // namespace

std::string format_cpp(std::string_view text, std::size_t columns) {
  const clang::tooling::Range everything(0, static_cast<unsigned>(text.size()));
  const auto edits = clang::format::reformat(emitted_style(columns),
                                             llvm::StringRef(text.data(), text.size()), everything);
  auto result =
      clang::tooling::applyAllReplacements(llvm::StringRef(text.data(), text.size()), edits);
  if (!result) source::internal_error("format: " + llvm::toString(result.takeError()));
  return std::move(*result);
}

}  // namespace boustro::format
