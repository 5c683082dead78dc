#include "emit/profile/registers.hpp"

#include <fstream>
#include <iterator>

#include <boost/test/unit_test.hpp>

#include "tests/source_folder.hpp"

namespace boustro::profile::registers_tests {
namespace {

/// What nvcc 13.0 has printed.
std::string sample() {
  std::ifstream file(std::string(tests::source_folder) + "/tests/unit/emit/profile/ptxas.txt");
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace

BOOST_AUTO_TEST_CASE(kernels_have_the_names_that_launches_have) {
  BOOST_TEST(kernel_name("total_kernel") == "total_kernel");
  BOOST_TEST(kernel_name("total_kernel<float, 3>") == "total_kernel");
  BOOST_TEST(kernel_name("gmm::(anonymous namespace)::total_kernel(double*, int)") == "total_kernel");
  BOOST_TEST(kernel_name("void a::b::total_kernel<a::Sum<3> >(a::Sum<3>*)") == "total_kernel");
  BOOST_TEST(kernel_name("") == "");
}

BOOST_AUTO_TEST_CASE(what_the_assembler_prints_is_read) {
  const auto all = parse_ptxas(sample());
  const auto check = [&](const std::string& name, int registers, int spill_bytes, int shared_bytes) {
    BOOST_REQUIRE(all.contains(name));
    BOOST_TEST(all.at(name).registers == registers, name);
    BOOST_TEST(all.at(name).spill_bytes == spill_bytes, name);
    BOOST_TEST(all.at(name).static_shared_bytes == shared_bytes, name);
  };
  check("total_parts_kernel", 62, 0, 0);
  check("calculate_objective_qs_kernel", 38, 0, 0);
  check("crowded", 32, 5940, 0);
  check("staged", 14, 0, 8448);  // the larger of two instances
  check("DeviceReduceSingleTileKernel", 50, 0, 80);
  BOOST_TEST(all.size() == 5);
}

BOOST_AUTO_TEST_CASE(what_is_unknown_is_skipped) {
  BOOST_TEST(parse_ptxas("").empty());
  BOOST_TEST(parse_ptxas("nvcc fatal   : Don't know what to do with 'x'\nUsed 7 registers\n").empty());
  const auto all =
      parse_ptxas("ptxas info : Compiling entry function 'plain' for 'sm_90'\nUsed many registers\n");
  BOOST_TEST(all.at("plain").registers == 0);
}

}  // namespace boustro::profile::registers_tests
