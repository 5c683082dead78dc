#include "transform/ir/verify.hpp"

#include "frontend/source/diagnostics.hpp"
#include "transform/ir/verify/report.hpp"

namespace boustro::ir {

std::vector<std::string> verify(const Program& program) {
  verification::Report report;
  verification::verify_types(program, report);
  if (report.violations.empty()) {  // otherwise aliases mean little
    verification::verify_consumption(program, report);
    verification::verify_accumulators(program, report);
  }
  return std::move(report.violations);
}

void verify_or_throw(const Program& program, std::string_view pass) {
  const std::vector<std::string> violations = verify(program);
  if (violations.empty()) return;
  std::string text = fmt::format("{} broke the program:", pass);
  for (const std::string& violation : violations) text += "\n  " + violation;
  source::internal_error(text);
}

}  // namespace boustro::ir
