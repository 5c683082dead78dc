#include "emit/plan/polish/parameters.hpp"

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "emit/plan/build.hpp"

namespace boustro::plan::parameters_tests {
namespace {

using Names = std::vector<std::string>;

Param array(const std::string& name, Access access = Access::read) {
  return {.name = name, .type = access == Access::read ? const_pointer_to(f64) : pointer_to(f64), .access = access};
}
Param number(const std::string& name, PrimType prim = i64) { return {.name = name, .type = type(prim)}; }

Expr of(const Param& param) { return var(param.name, param.type); }
Expr buffer(const std::string& name) { return field(var("buffers", struct_type("Scratch")), name, pointer_to(f64)); }

Launch launch(const std::string& kernel, std::vector<Expr> args) { return {.kernel = kernel, .grid = {lit(1)}, .block = {lit(1)}, .args = std::move(args)}; }

Names names(const std::vector<Param>& params) {
  Names result;
  for (const Param& param : params) result.push_back(param.name);
  return result;
}
Names texts(const std::vector<Expr>& args) {
  Names result;
  for (const Expr& arg : args) result.push_back(to_string(arg));
  return result;
}

/// Of an entry f(double* result, const double* xs, const double* ys, double c, int64_t n, int64_t m).
const Param result = array("result", Access::written), xs = array("xs"), ys = array("ys"), c = number("c", f64), n = number("n"), m = number("m");

Entry entry(std::vector<Param> params, Stms body) {
  Entry entry;
  entry.name = "f";
  entry.params = std::move(params);
  entry.body = std::move(body);
  return entry;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(parameters)

BOOST_AUTO_TEST_CASE(they_come_as_in_the_entry) {
  Program plan;
  plan.entries = {entry({result, xs, ys, c, n, m}, {launch("kernel", {buffer("sums"), of(result), of(ys), buffer("kept"), of(xs) + of(n), lit(3), cast(i32, of(m)), of(c), of(n)})})};
  plan.entries[0].kernels = {{.name = "kernel", .params = {array("sums", Access::scratch), array("zs", Access::written), array("ys"), array("kept"), array("xs_behind"), number("pitch"), number("m", i32), number("c", f64), number("n")}}};
  order_parameters(plan);
  BOOST_TEST(names(plan.entries[0].kernels[0].params) == (Names{"sums", "zs", "xs_behind", "ys", "kept", "c", "n", "m", "pitch"}), boost::test_tools::per_element());
  BOOST_TEST(texts(std::get<Launch>(plan.entries[0].body[0].what).args) ==
                 (Names{"buffers.sums", "result", "xs + n", "ys", "buffers.kept", "c", "n", "int(m)", "3"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(elements_of_an_array_come_one_after_the_other) {
  Program plan;
  plan.entries = {entry({result, xs, n}, {launch("kernel", {of(result), of(xs) + of(n), of(xs) + lit(2), of(xs) + lit(1), of(xs)})})};
  plan.entries[0].kernels = {{.name = "kernel", .params = {array("zs", Access::written), array("d"), array("c"), array("b"), array("a")}}};
  order_parameters(plan);
  BOOST_TEST(names(plan.entries[0].kernels[0].params) == (Names{"zs", "a", "b", "c", "d"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_first_entry_decides_for_others) {
  Program plan;
  plan.entries = {entry({result, xs, ys}, {launch("kernel", {of(result), of(ys), of(xs)})}),
                  entry({result, ys, xs}, {If{lit(true), {launch("kernel", {of(result), of(ys), of(xs)})}}})};
  plan.entries[0].kernels = {{.name = "kernel", .params = {array("zs", Access::written), array("a"), array("b")}}};
  order_parameters(plan);
  BOOST_TEST(names(plan.entries[0].kernels[0].params) == (Names{"zs", "b", "a"}), boost::test_tools::per_element());
  const auto& inside = std::get<If>(plan.entries[1].body[0].what).then_body;
  BOOST_TEST(texts(std::get<Launch>(inside[0].what).args) == (Names{"result", "xs", "ys"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(functions_follow_the_kernel_that_hands_them_all) {
  const auto calls = [](Expr cells) { return Do{call("add", {}, {std::move(cells), of(ys), of(xs)})}; };
  Program plan;
  plan.entries = {entry({result, xs, ys}, {launch("copies", {of(result), of(ys), of(xs)}), launch("plain", {of(result), of(ys), of(xs)})})};
  const std::vector<Param> params{array("result", Access::added_to), ys, xs};
  plan.entries[0].kernels = {{.name = "copies", .params = params, .body = {calls(var("copy", pointer_to(f64)))}}, {.name = "plain", .params = params, .body = {calls(of(result))}}};
  plan.entries[0].definitions = {Function{.name = "add", .params = params}};
  order_parameters(plan);
  BOOST_TEST(names(std::get<Function>(plan.entries[0].definitions[0]).params) == (Names{"result", "xs", "ys"}), boost::test_tools::per_element());
  BOOST_TEST(to_string(std::get<Do>(plan.entries[0].kernels[0].body[0].what).call) == "add(copy, xs, ys)");
  BOOST_TEST(to_string(std::get<Do>(plan.entries[0].kernels[1].body[0].what).call) == "add(result, xs, ys)");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace boustro::plan::parameters_tests
