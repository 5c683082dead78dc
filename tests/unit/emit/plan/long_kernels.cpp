#include "emit/plan/long_kernels.hpp"

#include <boost/test/unit_test.hpp>

#include "../shorthand.hpp"

namespace exemplars::long_kernels_tests {
namespace {

const Expr i = var("i");

Stms assignments(int count) {
  return Stms(static_cast<std::size_t>(count), Assign{var("ys", pointer_to(f32))[i], lit_float(0, f32)});
}

/// Whether a kernel with such a body is long, beside a function `f` of 50 statements.
bool is_long(Stms body, const std::string& threads = "block_size") {
  Program program;
  program.definitions.push_back(Function{.name = "f", .result = type(f32), .body = assignments(50)});
  program.entries.push_back(Entry{.name = "main", .kernels = {Kernel{.name = "k", .body = std::move(body), .threads = threads}}});
  mark_long_kernels(program);
  return program.entries[0].kernels[0].is_long;
}

/// Calls of `f`.
Stms calls(int count) {
  return Stms(static_cast<std::size_t>(count), Assign{var("ys", pointer_to(f32))[i], call("f", type(f32), {lit_float(0, f32)})});
}

}  // namespace

BOOST_AUTO_TEST_SUITE(long_kernels)

BOOST_AUTO_TEST_CASE(statements_are_counted_at_any_depth) {
  BOOST_TEST(!is_long(assignments(200)));
  BOOST_TEST(is_long(assignments(201)));
  BOOST_TEST(is_long({If{i < 3, assignments(200), {}}}));
}

BOOST_AUTO_TEST_CASE(a_function_counts_wherever_it_is_called) {
  BOOST_TEST(!is_long(calls(3)));
  BOOST_TEST(is_long(calls(4)));
}

BOOST_AUTO_TEST_CASE(tiles_have_registers_of_their_own) { BOOST_TEST(!is_long(assignments(300), "tile_threads")); }

BOOST_AUTO_TEST_SUITE_END()

}  // namespace exemplars::long_kernels_tests
