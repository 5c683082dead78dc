// The exemplars, printed: valid plans, and text equal to the golden files, which people have read.
// With BOUSTRO_UPDATE_GOLDEN set (scripts/update_golden), writes these files instead.
#include "emit/cuda/write.hpp"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "emit/plan/verify.hpp"
#include "exemplars.hpp"

namespace {

using boustro::plan::Program;

std::string read(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

void compare(const std::string& path, const std::string& text) {
  if (std::getenv("BOUSTRO_UPDATE_GOLDEN")) std::ofstream(path) << text;
  BOOST_TEST(text == read(path), path << " differs: read the difference, then run scripts/update_golden");
}

void check(const Program& program) {
  const auto violations = boustro::plan::verify(program);
  BOOST_TEST(violations.empty(), fmt::format("{}", fmt::join(violations, "\n")));

  const auto emitted = boustro::cuda::write_cuda(program);
  const std::string stem = std::string(BOUSTRO_SOURCE_DIR) + "/tests/golden/cuda/" + program.name;
  compare(stem + ".cu", emitted.source);
  compare(stem + ".hpp", emitted.header);
}

}  // namespace

BOOST_AUTO_TEST_CASE(prints_kmeans) { check(exemplars::kmeans()); }
BOOST_AUTO_TEST_CASE(prints_recurrence) { check(exemplars::recurrence()); }
BOOST_AUTO_TEST_CASE(prints_ode) { check(exemplars::ode()); }
