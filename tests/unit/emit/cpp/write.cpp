// Programs planned for the CPU, printed: valid plans, and text equal to the golden files.
#include "emit/cpp/write.hpp"

#include <boost/test/unit_test.hpp>

#include "../golden.hpp"
#include "../scalars.hpp"
#include "exemplars.hpp"

namespace {

void check(const boustro::plan::Program& program) {
  golden::check(program, boustro::cpp::write_cpp(program), "cpp", ".cpp");
}

}  // namespace

BOOST_AUTO_TEST_CASE(prints_growth) { check(exemplars::growth()); }
BOOST_AUTO_TEST_CASE(prints_bins) { check(exemplars::bins()); }

BOOST_AUTO_TEST_CASE(prints_every_function_of_every_type) {
  const auto program = exemplars::scalars(boustro::plan::Target::cpu);
  const auto emitted = boustro::cpp::write_cpp(program);
  BOOST_TEST(!emitted.source.empty());
  golden::write(program, emitted, ".cpp");
}
