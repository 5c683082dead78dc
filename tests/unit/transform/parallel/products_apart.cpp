// Nests that combine products, as they may come to flatten/products_apart.hpp; which programs it is for is in programs/products_apart.fut.
#include "transform/parallel/flatten/products_apart.hpp"

#include "tests/dumps/read_dump.hpp"
#include "tests/unit/transform/inspect.hpp"

namespace products_apart_tests {

using namespace boustro::ir;
using namespace boustro::ir::testing;
namespace parallel = boustro::parallel;

namespace {

std::string dot(const std::string& result, const std::string& x, const std::string& y) {
  return "let x = #[unsafe] " + x + "[i] let y = #[unsafe] " + y + "[j] let (" + result +
         ": i64) = #[thread_thread] core.nest k (\\(l: i64) -> let p = #[unsafe] x[l] let q = #[unsafe] y[l] let r = p * q in r) (core.reduce 0 (+) 0i64) ";
}
const std::string products = dot("s", "as", "bs") + dot("t", "bs", "as");

/// How many nests come of the first one in the body; the program has the same values then.
std::size_t parts(const std::string& type, const std::string& body) {
  std::string reasons;
  auto program = boustro::tests::lowered("entry main [n] [k] (as: [n][k]i64) (bs: [n][k]i64) (ps: *[n][n]i64) : " + type + " =\n  " + body + "\n", "program.fut", true, reasons);
  BOOST_REQUIRE_MESSAGE(program, reasons);
  std::size_t count = 1;
  const auto apart = [&](Program p) {
    Names names(p);
    for (const Function& function : p.functions) names.bind_function(function);
    const std::function<void(Body&)> visit = [&](Body& inner) {
      for (std::size_t k = 0; k < inner.stms.size(); ++k) {
        if (!std::holds_alternative<Nest>(inner.stms[k].exp)) {
          map_bodies(inner.stms[k].exp, visit);
          continue;
        }
        if (const auto found = parallel::products_apart(inner.stms[k], names)) {
          count = found->size();
          inner.stms.erase(inner.stms.begin() + static_cast<std::ptrdiff_t>(k));
          inner.stms.insert(inner.stms.begin() + static_cast<std::ptrdiff_t>(k), found->begin(), found->end());
        }
        return;
      }
    };
    visit(p.functions[0].body);
    return p;
  };
  const auto run = [](std::int64_t n, std::int64_t k) { return Arguments{some_i64s({n, k}, 9, 1), some_i64s({n, k}, 9, 2), some_i64s({n, n}, 9, 3)}; };
  after(apart, *program, {run(3, 2), run(2, 4), run(2, 0), run(0, 2)});
  return count;
}

std::string nest(const std::string& result, const std::string& combine, const std::string& outs, const std::string& levels = "grid_thread") {
  return "let (" + result + ") = #[" + levels + "] core.nest (n, n) (\\(i: i64, j: i64) -> " + products + combine + ") (" + outs + ")\n";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(products_apart)

BOOST_AUTO_TEST_CASE(points_that_store_a_scalar) {
  BOOST_TEST(parts("[n][n]i64", nest("zs: [n][n]i64", "let z = s - t in z", "core.store 2") + "  in zs") == 2);
  BOOST_TEST(parts("([n][n]i64, [n][n]i64)", nest("zs: [n][n]i64, ws: [n][n]i64", "let z = s - t let w = s * t in (z, w)", "core.store 2, core.store 2") + "  in (zs, ws)") == 2);
  BOOST_TEST(parts("([n][n]i64, [n][n]i64)", nest("zs: [n][n]i64, ws: [n][n]i64", "in (s, t)", "core.store 2, core.store 2") + "  in (zs, ws)") == 2);
}

BOOST_AUTO_TEST_CASE(points_that_fold_stay) {
  BOOST_TEST(parts("i64", nest("z: i64", "let z = s - t in z", "core.reduce 0 (+) 0i64") + "  in z") == 1);
  BOOST_TEST(parts("[n][n]i64", nest("zs: [n][n]i64", "let z = s - t in (i, j, z)", "core.scatter 2 ps") + "  in zs") == 1);
}

BOOST_AUTO_TEST_CASE(points_that_store_rows_stay) {
  BOOST_TEST(parts("[n][n][k]i64", nest("zs: [n][n][k]i64", "let z = s - t let row = replicate k z in row", "core.store 2") + "  in zs") == 1);
}

BOOST_AUTO_TEST_CASE(points_that_add_stay) {
  BOOST_TEST(parts("([n][n]i64, [n][n]i64)",
                   "let (zs, ys) = core.with_add ps (\\(a: *core.acc ([n][n]i64)) ->\n    let (a, (ys: [n][n]i64)) = #[grid_thread] core.nest_acc (n, n) (\\(a: *core.acc ([n][n]i64)) (i: i64, j: i64) -> " +
                       products + "let a = core.update_2d a i j s let z = s - t in (a, z)) a (core.store 2)\n    in (core.finish a, ys))\n  in (zs, ys)") == 1);
}

BOOST_AUTO_TEST_CASE(nests_of_others_stay) {
  BOOST_TEST(parts("[n][n]i64", nest("zs: [n][n]i64", "let z = s - t in z", "core.store 2", "workers_thread") + "  in zs") == 1);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace products_apart_tests
