#include "emit/plan/polish/shared.hpp"

#include <boost/test/unit_test.hpp>

#include "emit/plan/build.hpp"

namespace boustro::plan::shared_tests {
namespace {

/// ys[i] = xs[i] op xs[i], under names that say nothing.
Kernel kernel(const std::string& name, const std::string& in, const std::string& local, Op op = Op::add) {
  const Expr xs = var(in, const_pointer_to(PrimType::f64)), ys = var("ys", pointer_to(f64)), x = var(local, f64);
  return {.name = name,
          .params = {{.name = "ys", .type = pointer_to(f64), .access = Access::written},
                     {.name = in, .type = const_pointer_to(PrimType::f64), .access = Access::read}},
          .body = {Let{local, type(f64), xs[lit(0)]}, Assign{ys[lit(0)], Expr{op, {x, x}, type(f64)}}}};
}

Functor functor(const std::string& name, Op op) {
  const Expr x = var("x", f64), y = var("y", f64);
  return {.name = name, .result = type(f64), .params = {{"x", type(f64)}, {"y", type(f64)}}, .body = {Return{Expr{op, {x, y}, type(f64)}}}};
}

Entry entry(const std::string& name, std::vector<Kernel> kernels) {
  Entry result;
  result.name = name;
  for (const Kernel& kernel : kernels) result.body.push_back(Launch{kernel.name, {lit(1)}, {lit(1)}, {}, {}});
  result.kernels = std::move(kernels);
  return result;
}

std::string launched(const Entry& entry, std::size_t i) { return std::get<Launch>(entry.body[i].what).kernel; }

}  // namespace

BOOST_AUTO_TEST_CASE(a_kernel_of_two_entries_stands_once) {
  Program plan;
  plan.entries = {entry("f", {kernel("k", "xs", "x")}), entry("g", {kernel("k_2", "as", "a"), kernel("l", "xs", "x", Op::mul)})};
  share_equal(plan);
  BOOST_TEST(plan.entries[0].kernels.size() == 1u);
  BOOST_TEST(plan.entries[1].kernels.size() == 1u);
  BOOST_TEST(launched(plan.entries[1], 0) == "k");
  BOOST_TEST(launched(plan.entries[1], 1) == "l");
  BOOST_TEST(plan.entries[0].kernels[0].comment.notes == std::vector<std::string>{"Also called by g."}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_kernel_of_one_entry_has_the_names_that_its_arrays_have_in_common) {
  Program plan;
  plan.entries = {entry("f", {kernel("k", "a_xs", "x"), kernel("k_2", "b_xs", "x")})};
  share_equal(plan);
  BOOST_REQUIRE(plan.entries[0].kernels.size() == 1u);
  BOOST_TEST(plan.entries[0].kernels[0].params[1].name == "xs");
  plan.entries = {entry("f", {kernel("k", "a_xs", "x")}), entry("g", {kernel("k_2", "b_xs", "x")})};
  share_equal(plan);
  BOOST_TEST(plan.entries[0].kernels[0].params[1].name == "a_xs");
}

BOOST_AUTO_TEST_CASE(what_is_about_something_else_stays_apart) {
  Program plan;
  const auto about = [](Kernel kernel, const std::string& source, ir::Sweep sweep = ir::Sweep::forward) {
    kernel.comment.source = source;
    kernel.comment.sweep = sweep;
    return kernel;
  };
  plan.entries = {entry("f", {about(kernel("k", "xs", "x"), "a.fut:1, `f`")}),
                  entry("g", {about(kernel("l", "xs", "x"), "a.fut:2, `g`"), about(kernel("m", "xs", "x"), "a.fut:1, `f`", ir::Sweep::reverse)}),
                  entry("h", {about(kernel("n", "xs", "x"), "a.fut:1, `f x`", ir::Sweep::none)})};
  share_equal(plan);
  BOOST_TEST(plan.entries[1].kernels.size() == 2u);
  BOOST_TEST(plan.entries[2].kernels.empty());
}

BOOST_AUTO_TEST_CASE(what_uses_equal_functors_is_equal) {
  Program plan;
  const auto with_atomic = [](Kernel kernel, const std::string& functor) {
    kernel.body.push_back(Atomic{AtomicKind::combine, var("ys", pointer_to(f64))[lit(0)], lit_float(1, f64), functor});
    return kernel;
  };
  plan.entries = {entry("f", {with_atomic(kernel("k", "xs", "x"), "Add")}), entry("g", {with_atomic(kernel("l", "xs", "x"), "Plus")}),
                  entry("h", {with_atomic(kernel("m", "xs", "x"), "Times")})};
  plan.entries[0].definitions = {functor("Add", Op::add)};
  plan.entries[1].definitions = {functor("Plus", Op::add)};
  plan.entries[2].definitions = {functor("Times", Op::mul)};
  share_equal(plan);
  BOOST_TEST(plan.entries[1].definitions.empty());
  BOOST_TEST(plan.entries[1].kernels.empty());
  BOOST_TEST(plan.entries[2].kernels.size() == 1u);
}

BOOST_AUTO_TEST_CASE(what_fails_otherwise_stays_apart) {
  Program plan;
  const auto failing = [](Kernel kernel, int check) {
    kernel.body.push_back(Fail{var("failure", struct_type("Failure")), check, {}});
    return kernel;
  };
  plan.entries = {entry("f", {failing(kernel("k", "xs", "x"), 0)}), entry("g", {failing(kernel("l", "xs", "x"), 0)}), entry("h", {failing(kernel("m", "xs", "x"), 1)})};
  share_equal(plan);
  BOOST_TEST(plan.entries[1].kernels.empty());
  BOOST_TEST(plan.entries[2].kernels.size() == 1u);
}

}  // namespace boustro::plan::shared_tests
