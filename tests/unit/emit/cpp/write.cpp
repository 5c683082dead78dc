// Programs planned for the CPU, printed: valid plans, and text equal to the golden files.
#include "emit/cpp/write.hpp"

#include <boost/test/unit_test.hpp>

#include "../golden.hpp"
#include "exemplars.hpp"

namespace {

void check(const boustro::plan::Program& program) {
  golden::check(program, boustro::cpp::write_cpp(program), "cpp", ".cpp");
}

}  // namespace

BOOST_AUTO_TEST_CASE(prints_growth) { check(exemplars::growth()); }
BOOST_AUTO_TEST_CASE(prints_bins) { check(exemplars::bins()); }
