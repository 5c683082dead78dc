#include "emit/plan/polish/common_names.hpp"

#include <boost/test/unit_test.hpp>

#include "emit/plan/build.hpp"

namespace boustro::plan::common_names_tests {
namespace {

/// x_sums[cell] = x_sums_parts[cells], with a variable of its own.
Kernel sums(const std::string& local = "total") {
  const Expr to = var("x_sums", pointer_to(PrimType::f64)), from = var("x_sums_parts", const_pointer_to(PrimType::f64)), cells = var("cells", PrimType::i64);
  Kernel kernel{.name = "x_sums_kernel",
                .params = {{.name = "x_sums", .type = pointer_to(PrimType::f64), .shape = {"cells"}, .access = Access::written},
                           {.name = "x_sums_parts", .type = const_pointer_to(PrimType::f64), .shape = {"x_slabs", "cells"}, .access = Access::read},
                           {.name = "cells", .type = type(PrimType::i64)}},
                .body = {Let{local, type(PrimType::f64), from[cells]}, Assign{to[lit(0)], var(local, PrimType::f64)}}};
  kernel.comment.formula = {"x_sums[cell] = sum_{slab} x_sums_parts[slab, cell]"};
  return kernel;
}

std::vector<std::string> names_of(const Kernel& kernel) {
  std::vector<std::string> names;
  for (const Param& param : kernel.params) names.push_back(param.name);
  return names;
}

const std::vector<std::string> unchanged{"x_sums", "x_sums_parts", "cells"};

}  // namespace

BOOST_AUTO_TEST_SUITE(common_names)

BOOST_AUTO_TEST_CASE(endings_are_words) {
  BOOST_TEST(common_ending({"means_adj_sums", "qs_adj_sums"}) == "adj_sums");
  BOOST_TEST(common_ending({"means_adj_sums", "adj_sums"}) == "adj_sums");
  BOOST_TEST(common_ending({"xs", "xs"}) == "xs");
  BOOST_TEST(common_ending({"axs", "xs"}) == "");
  BOOST_TEST(common_ending({"xs", "axs"}) == "");
  BOOST_TEST(common_ending({"a_xs", "b_xs", "c_ys"}) == "");
  BOOST_TEST(common_ending({"a_xs", "c_ys", "b_xs"}) == "");
  BOOST_TEST(common_ending({"a_b_c", "b_c", "d_c"}) == "c");
}

BOOST_AUTO_TEST_CASE(parameters_have_what_is_common) {
  Kernel kernel = sums();
  use_common_names(kernel, {{"y_sums", "y_sums_parts", "cells"}});
  BOOST_TEST(names_of(kernel) == (std::vector<std::string>{"sums", "sums_parts", "cells"}), boost::test_tools::per_element());
  BOOST_TEST(kernel.comment.formula[0] == "sums[cell] = sum_{slab} sums_parts[slab, cell]");
  BOOST_TEST(to_string(std::get<Let>(kernel.body[0].what).value.value()) == "sums_parts[cells]");
  BOOST_TEST(to_string(std::get<Assign>(kernel.body[1].what).target) == "sums[0]");
}

BOOST_AUTO_TEST_CASE(without_anything_in_common_nothing_changes) {
  Kernel kernel = sums();
  use_common_names(kernel, {{"y_sums", "others", "cells"}});
  BOOST_TEST(names_of(kernel) == unchanged, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(no_name_stands_for_two) {
  Kernel local = sums("sums");
  use_common_names(local, {{"y_sums", "y_sums_parts", "cells"}});
  BOOST_TEST(names_of(local) == unchanged, boost::test_tools::per_element());
  Kernel twice = sums();
  use_common_names(twice, {{"y_sums", "y_sums_parts", "y_sums"}});
  BOOST_TEST(names_of(twice) == unchanged, boost::test_tools::per_element());
  Kernel both = sums();
  both.params[1].name = "a_sums";
  use_common_names(both, {{"y_sums", "b_sums", "cells"}});
  BOOST_TEST(names_of(both) == (std::vector<std::string>{"x_sums", "a_sums", "cells"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace boustro::plan::common_names_tests
