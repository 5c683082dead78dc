#include "emit/plan/polish/slab_loops.hpp"

#include <boost/test/unit_test.hpp>

#include "emit/plan/build.hpp"
#include "emit/plan/formula.hpp"

namespace boustro::plan::slab_loops_tests {
namespace {

const Expr n = var("n", i64), size = var("size", i64), slab = var("slab", i64), first = var("first", i64), i = var("i", i64), end = var("end", i64);
const Expr xs = var("xs", const_pointer_to(f64)), total = var("total", f64);

Expr smaller(const Expr& x, const Expr& y) { return call("min", type(i64), {x, y}); }

For loop(Expr to, Stms body) { return {.name = "i", .type = type(i64), .from = lit(0), .to = std::move(to), .body = std::move(body)}; }
Stm add(const Expr& element) { return Assign{total, element, Op::add}; }
Let let(const Expr& variable, Expr value) { return {std::get<Var>(variable.head).name, variable.type, std::move(value)}; }

/// A kernel of one slab, whose first element is `start`, with the loop and what stands before it.
Stms polished(For loop, Expr start = slab * size, Stms before = {}) {
  Entry entry;
  Kernel kernel{.name = "f_kernel"};
  kernel.params = {{.name = "xs", .type = const_pointer_to(f64), .shape = {"n"}}, {.name = "n", .type = type(i64)}, {.name = "size", .type = type(i64)}};
  kernel.body = {let(first, std::move(start))};
  for (Stm& stm : before) kernel.body.push_back(std::move(stm));
  kernel.body.push_back(Let{.name = "total", .type = type(f64), .value = lit_float(0, f64), .changes = true});
  kernel.body.push_back(std::move(loop));
  entry.kernels = {std::move(kernel)};
  loop_over_slabs(entry);
  return entry.kernels[0].body;
}

const Expr rest = smaller(n - first, size);

bool is_left_alone(const Stms& stms, const For& loop) {
  const auto* last = std::get_if<For>(&stms.back().what);
  return last && *last == loop && stms.size() < 5;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(slab_loops)

BOOST_AUTO_TEST_CASE(elements_are_counted_as_in_the_array) {
  const Stms stms = polished(loop(rest, {add(xs[first + i])}));
  BOOST_TEST(stms.size() == 4u);
  BOOST_TEST((stms.at(1) == Stm(let(end, smaller(first + size, n)))));
  const auto& changed = std::get<For>(stms.at(3).what);
  BOOST_TEST((changed.from == first));
  BOOST_TEST((changed.to == end));
  BOOST_TEST((changed.body.at(0) == add(xs[i])));
}

BOOST_AUTO_TEST_CASE(threads_share_them) {
  For together = loop(smaller(size, n - first), {let(var("global_i"), i + first), add(xs[var("global_i")])});
  together.from = position(Position::thread_x);
  together.step = position(Position::block_width_x);
  const auto changed = std::get<For>(polished(together).back().what);
  BOOST_TEST((changed.from == first + cast(i64, position(Position::thread_x))));
  BOOST_TEST(changed.body.size() == 1u);
  BOOST_TEST((changed.body.at(0) == add(xs[i])));
}

BOOST_AUTO_TEST_CASE(two_loops_end_at_the_same_element) {
  const For other = loop(rest, {add(xs[first + i])});
  const Stms stms = polished(other, slab * size, {other});
  BOOST_TEST(stms.size() == 5u);
  BOOST_TEST((std::get<For>(stms.at(2).what).to == end));
  BOOST_TEST((std::get<For>(stms.at(4).what).to == end));
}

/// The second is not said to end where the first does.
BOOST_AUTO_TEST_CASE(of_two_arrays_one_has_its_end) {
  const For longer = loop(smaller(size - first, size), {add(xs[first + i])});
  const Stms stms = polished(longer, slab * size, {loop(rest, {add(xs[first + i])})});
  BOOST_TEST((std::get<For>(stms.back().what) == longer));
}

BOOST_AUTO_TEST_CASE(numbers_of_slabs_have_a_name) {
  const Stms stms = polished(loop(rest, {add(xs[first + i])}), var("block") / lit(3) * size);
  BOOST_TEST((stms.at(0) == Stm(let(slab, var("block") / lit(3)))));
  BOOST_TEST((stms.at(1) == Stm(let(first, slab * size))));
  BOOST_TEST(std::get<Let>(stms.at(2).what).name == "end");
}

BOOST_AUTO_TEST_CASE(an_index_that_is_used_otherwise_stays) {
  for (const Expr& element : {xs[first + i] * cast(f64, i), xs[i], xs[first], xs[n + i]}) {
    const For other = loop(rest, {add(element)});
    BOOST_TEST(is_left_alone(polished(other), other));
  }
}

BOOST_AUTO_TEST_CASE(other_ends_stay) {
  for (const Expr& to : {smaller(n, size), smaller(n - slab, size), smaller(n - first, n), n - first, call("max", type(i64), {n - first, size})}) {
    const For other = loop(to, {add(xs[first + i])});
    BOOST_TEST(is_left_alone(polished(other), other));
  }
}

/// The end stands before what it is computed from.
BOOST_AUTO_TEST_CASE(sizes_that_are_no_parameters_stay) {
  const Expr count = var("count", i64);
  const For other = loop(smaller(count - first, size), {add(xs[first + i])});
  BOOST_TEST(is_left_alone(polished(other, slab * size, {let(count, n * n)}), other));
  const For reads = loop(smaller(cast(i64, xs[lit(0)]) - first, size), {add(xs[first + i])});
  BOOST_TEST(is_left_alone(polished(reads), reads));
}

BOOST_AUTO_TEST_CASE(sizes_that_change_stay) {
  const For other = loop(rest, {add(xs[first + i]), Assign{n, n - 1}});
  BOOST_TEST(is_left_alone(polished(other), other));
}

BOOST_AUTO_TEST_CASE(a_first_element_that_changes_stays) {
  const For other = loop(rest, {add(xs[first + i]), Assign{first, first + 1}});
  BOOST_TEST(is_left_alone(polished(other), other));
}

/// What it is called, the slab's name says.
BOOST_AUTO_TEST_CASE(formulas_say_that_it_is_a_slab) {
  Entry entry;
  Kernel kernel{.name = "sums_kernel"};
  kernel.params = {{.name = "sums", .type = pointer_to(f64), .shape = {"slabs"}, .access = Access::written},
                   {.name = "xs", .type = const_pointer_to(f64), .shape = {"n"}}, {.name = "n", .type = type(i64)}, {.name = "size", .type = type(i64)},
                   {.name = "blocks", .type = type(i64)}};
  const Expr block = var("block", i64);
  kernel.body = {For{.name = "block", .type = type(i64), .from = lit(0), .to = var("blocks"),
                     .body = {let(first, block / lit(3) * size), Let{.name = "total", .type = type(f64), .value = lit_float(0, f64), .changes = true},
                              loop(rest, {add(xs[first + i])}), Assign{var("sums", pointer_to(f64))[block], total}}}};
  entry.kernels = {std::move(kernel)};
  loop_over_slabs(entry);
  std::vector<Definition> definitions;
  add_formulas(entry, definitions);
  const std::vector<std::string> lines = entry.kernels[0].comment.formula;
  BOOST_TEST(lines == (std::vector<std::string>{"sums[block] = sum_{i in slab} xs[i]", "  where slab = block / 3"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace boustro::plan::slab_loops_tests
