// The exemplars, printed: valid plans, and text equal to the golden files.
#include "emit/cuda/write.hpp"

#include <fmt/ranges.h>
#include <boost/test/unit_test.hpp>

#include "../golden.hpp"
#include "../scalars.hpp"
#include "emit/plan/query_name.hpp"
#include "emit/verify/verify.hpp"
#include "exemplars.hpp"

namespace {

/// Clang accepts the text, for host and device, and it obeys the rules for emitted files.
void verify(const boustro::plan::Program& program, const boustro::text::Emitted& emitted) {
  boustro::verify::Permissions permissions;
  for (const auto& entry : program.entries) {
    permissions.entries.insert(permissions.entries.end(),
                               {entry.name, boustro::plan::query_name(entry.name)});
  }
  const auto verdict = boustro::verify::verify_cuda(
      {program.name + ".cu", emitted.source, program.name + ".hpp", emitted.header}, permissions);
  BOOST_TEST(verdict.problems.empty(), fmt::format("{}", fmt::join(verdict.problems, "\n")));
}

void check(const boustro::plan::Program& program) {
  const auto emitted = boustro::cuda::write_cuda(program);
  golden::check(program, emitted, "cuda", ".cu");
  if (boustro::verify::cuda_headers_available()) verify(program, emitted);
}

}  // namespace

BOOST_AUTO_TEST_CASE(prints_kmeans) { check(exemplars::kmeans()); }
BOOST_AUTO_TEST_CASE(prints_recurrence) { check(exemplars::recurrence()); }
BOOST_AUTO_TEST_CASE(prints_ode) { check(exemplars::ode()); }

BOOST_AUTO_TEST_CASE(prints_every_function_of_every_type) {
  const auto program = exemplars::scalars(boustro::plan::Target::gpu);
  const auto emitted = boustro::cuda::write_cuda(program);
  BOOST_TEST(!emitted.source.empty());
  golden::write(program, emitted, ".cu");
}

BOOST_AUTO_TEST_CASE(prints_every_statement_of_the_device) {
  const auto program = exemplars::parallel();
  const auto emitted = boustro::cuda::write_cuda(program);
  BOOST_TEST(!emitted.source.empty());
  golden::write(program, emitted, ".cu");
}
