// Layout of emitted text: fixed points and the few properties that the printers rely on.
#include "emit/format/format.hpp"

#include <boost/test/unit_test.hpp>

using boustro::format::format_cpp;

BOOST_AUTO_TEST_CASE(breaks_lines_at_100_columns) {
  const auto text = format_cpp(
      "[[nodiscard]] cudaError_t f(float* centres_adj, const float* points, const float* centres, "
      "int64_t n, int64_t k);\n");
  BOOST_TEST(
      text ==
      "[[nodiscard]] cudaError_t f(float* centres_adj, const float* points, const float* centres,\n"
      "                            int64_t n, int64_t k);\n");
}

BOOST_AUTO_TEST_CASE(keeps_formulas_in_comments) {
  const std::string text =
      "//   return   rs_adj[i] = ys_adj[i] + xs[i+1] * rs_adj[i+1], and ys_adj[n-1] for i = n - 1\n"
      "//            xs_adj[i] = rs_adj[i] * ys[i-1],               and rs_adj[0]   for i = 0, and "
      "so on, and so on\n"
      "int x;\n";
  BOOST_TEST(format_cpp(text) == text);
}

BOOST_AUTO_TEST_CASE(aligns_comments_of_kernel_parameters) {
  const std::string text =
      "__global__ void __launch_bounds__(block_size)\n"
      "nearest_kernel(int* __restrict__ nearest,         // [n], written\n"
      "               const float* __restrict__ points,  // [n][d]\n"
      "               int64_t n, int k, int d) {\n"
      "  if (n < k) return;\n"
      "}\n";
  BOOST_TEST(format_cpp(text) == text);
}

BOOST_AUTO_TEST_CASE(leaves_launches_together) {
  const std::string text = "void f() { k<<<grid_size, block_size, 0, stream>>>(xs, n); }\n";
  BOOST_TEST(format_cpp(text) == text);
}

BOOST_AUTO_TEST_CASE(accepts_empty_text) { BOOST_TEST(format_cpp("") == ""); }
