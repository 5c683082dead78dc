// What derivatives yield and consume, and what they leave alone.
#include "tests/unit/transform/ad/check_derivative.hpp"
#include "tests/unit/transform/ad/programs.hpp"

namespace boustro::ad::testing {

namespace {

/// Operations, and elements read and written, of the entry `f`.
Counts cost_of(const std::string& text, const std::vector<Value>& args) {
  Counts counts;
  run_entry(differentiated(compiled(text)), "f", args, {.counts = &counts});
  return counts;
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_does_not_depend_on_an_input_has_no_tangent) {
  const std::string g = "def g [n] (ys: [n]f64) (x: f64) = x * f64.sum (map f64.sin (copy (ys ++ ys)))\n";
  const std::vector<Value> args{f64_value(0.3), some_f64s(100)};
  const Counts primal = cost_of(g + "entry f [n] (x: f64) (ys: [n]f64) = g ys x", args);
  for (const char* by : {"jvp", "vjp"}) {
    const Counts derived = cost_of(g + "entry f [n] (x: f64) (ys: [n]f64) = " + by + " (g ys) x 1", args);
    BOOST_TEST(derived.operations <= primal.operations + 5);
    BOOST_TEST(derived.elements_written <= primal.elements_written + 5);
  }
}

BOOST_AUTO_TEST_CASE(adjoints_that_nobody_asks_for_are_not_computed) {
  const std::string g = "def g [n] (x: f64, ys: [n]f64) = x * f64.sum (map f64.sin ys)\n";
  const std::vector<Value> args{f64_value(0.3), some_f64s(100)};
  const Counts primal = cost_of(g + "entry f [n] (x: f64) (ys: [n]f64) = g (x, ys)", args);
  const Counts one = cost_of(g + "entry f [n] (x: f64) (ys: [n]f64) = (vjp g (x, ys) 1).0", args);
  const Counts both = cost_of(g + "entry f [n] (x: f64) (ys: [n]f64) = vjp g (x, ys) 1", args);
  BOOST_TEST(one.operations <= primal.operations + 5);
  BOOST_TEST(both.operations >= primal.operations + 200);
}

BOOST_AUTO_TEST_CASE(elements_of_maps_cost_one_application) {
  const Counts counts = cost_of("entry f [n] (xs: [n]f64) = vjp (\\xs -> (map f64.sin xs)[1]) xs 1", {some_f64s(100)});
  BOOST_TEST(counts.operations <= 105U);  // 100 for the primal
}

/// An adjoint may be the seed itself; whoever gets it may still update it.
BOOST_AUTO_TEST_CASE(adjoints_are_arrays_of_their_own) {
  TestProgram p;
  FunctionMaker f = p.function("f");
  const Name n = f.size("n");
  const Type type = ir::array(PrimType::f64, {n});
  const Name xs = f.param("xs", type), seed = f.param("seed", type);
  const Lambda fn = f.lambda({{"xs", type}}, [](Builder& b, const std::vector<Name>& q) { return std::vector<Atom>{b.let("ys", Copy{q[0]})}; });
  const Name xs_adj = f.let_all({"ys", "xs_adj"}, Vjp{fn, {xs}, {seed}, {}})[1];
  f.returns({f.let("updated", Update{xs_adj, {i64(0)}, f64(7), true}), seed});
  const auto results = run_entry(differentiated(p.program), "f", {f64s({1, 2}), f64s({3, 4})});
  BOOST_TEST((results.at(0) == f64s({7, 4})));
  BOOST_TEST((results.at(1) == f64s({3, 4})));
}

/// A function that consumes its argument does not consume the tangent.
BOOST_AUTO_TEST_CASE(tangents_are_not_consumed) {
  TestProgram p;
  FunctionMaker f = p.function("f");
  const Name n = f.size("n");
  const Type type = ir::array(PrimType::f64, {n});
  const Name xs = f.param("xs", type, true), tangent = f.param("tangent", type);
  Lambda fn = f.lambda({{"xs", type}}, [&](Builder& b, const std::vector<Name>& q) {
    const Name x = b.index("x", q[0], {i64(1)});
    return std::vector<Atom>{b.let("ys", Update{q[0], {i64(0)}, b.binop("y", BinOpKind::mul, x, x), true})};
  });
  fn.params[0].unique = true;
  const auto results = f.let_all({"ys", "ys_tan"}, Jvp{fn, {xs}, {tangent}, {}});
  f.returns({results[0], results[1], tangent});
  const auto values = run_entry(differentiated(p.program), "f", {f64s({2, 3}), f64s({10, 1})});
  BOOST_TEST((values.at(0) == f64s({9, 3})));
  BOOST_TEST((values.at(1) == f64s({6, 1})));
  BOOST_TEST((values.at(2) == f64s({10, 1})));
}

}  // namespace boustro::ad::testing
