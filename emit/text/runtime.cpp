#include <algorithm>

#include <fmt/format.h>

#include "emit/text/comment.hpp"
#include "emit/text/file.hpp"
#include "frontend/source/diagnostics.hpp"

namespace boustro::text {
namespace {

/// Templates in the order in which they are to stand: constants first, others after those that they
/// use.
struct Order {
  Names done;
  std::string constants, functions;

  void add(std::string_view name, Needs& needs, const Dialect& dialect) {
    const bool in_header = name == "failure" || name == "allocator";
    if (in_header || !done.insert(std::string(name)).second) return;
    const auto* found = templates::find(name, dialect.language);
    source::internal_check(found != nullptr, fmt::format("printer: no template `{}`", name));
    for (const std::string& used : found->templates) add(used, needs, dialect);
    needs.headers.insert(found->system_headers.begin(), found->system_headers.end());
    const bool constant = found->text.starts_with("constexpr") ||
                          found->text.find("\nconstexpr") != std::string::npos;
    (constant ? constants : functions) += found->text + "\n";
  }
};

/// CUB and Thrust stand apart from the standard library.
bool is_library_header(const std::string& header) { return header.find('/') != std::string::npos; }

/// In every header that we write already.
bool in_our_header(const std::string& header) { return header == "cstddef" || header == "cstdint"; }

}  // namespace

std::string runtime(Needs& needs, const Dialect& dialect) {
  Order order;
  const Names wanted = needs.templates;
  for (const std::string& name : wanted) order.add(name, needs, dialect);
  const std::string text = order.constants + order.functions;
  return text.empty() ? "" : ruler("Runtime") + text;
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
