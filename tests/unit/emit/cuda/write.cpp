// The exemplars, printed: valid plans, and text equal to the golden files.
#include "emit/cuda/write.hpp"

#include <boost/test/unit_test.hpp>

#include "../golden.hpp"
#include "../scalars.hpp"
#include "exemplars.hpp"

namespace {

void check(const boustro::plan::Program& program) {
  golden::check(program, boustro::cuda::write_cuda(program), "cuda", ".cu");
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
