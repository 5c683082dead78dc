#include "emit/plan/verify.hpp"

#include "emit/plan/verify/verifier.hpp"
#include "frontend/source/diagnostics.hpp"

namespace boustro::plan {

std::vector<std::string> verify(const Program& program) { return Verifier(program).run(); }

void verify_or_throw(const Program& program) {
  std::string text;
  for (const std::string& violation : verify(program)) text += "\n  " + violation;
  source::internal_check(text.empty(), "the plan is not valid:" + text);
}

}  // namespace boustro::plan
