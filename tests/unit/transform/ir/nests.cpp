// Nests: what they mean, and what the verifier says of those that mean nothing.
#include <boost/test/unit_test.hpp>

#include "tests/unit/transform/program_builder.hpp"
#include "transform/ir/evaluate.hpp"
#include "transform/ir/verify.hpp"

namespace nests_tests {

using namespace boustro::ir;
using namespace boustro::ir::testing;
using boustro::values::Value;

namespace {

const Type real = scalar(PrimType::f64);
const Type integer = scalar(PrimType::i64);

Type reals(Shape shape) { return array(PrimType::f64, std::move(shape)); }

Out store(int rank) {
  Out out;
  out.rank = rank;
  return out;
}

Out fold(Builder& b, OutKind kind, int rank) {
  Out out;
  out.kind = kind;
  out.rank = rank;
  out.op = Operator{binop_lambda(b, BinOpKind::add, PrimType::f64), {f64(0)}, true};
  return out;
}

/// A program over `xss: [n][m]f64` whose result is one nest over both dimensions that reads every element.
struct OverMatrix : TestProgram {
  FunctionMaker f = function("main");
  Name n = f.size("n"), m = f.size("m");
  Name xss = f.param("xss", reals({n, m}));
  Nest nest;

  OverMatrix() {
    nest.space = {n, m};
    nest.point =
        f.lambda({{"i", integer}, {"j", integer}}, [&](Builder& b, const std::vector<Name>& at) {
          return std::vector<Atom>{b.index("x", xss, {at[0], at[1]})};
        });
  }

  std::vector<Value> run(Value matrix) {
    std::vector<Name> results = f.let_all({"r"}, nest);
    f.returns({results.begin(), results.end()});
    for (const std::string& violation : verify(program)) BOOST_ERROR(violation);
    const Function& main = program.functions[0];
    return evaluate(program, main, bind_arguments(main, {std::move(matrix)}));
  }
};

void equals(const Value& found, const Value& wanted) {
  BOOST_TEST(boustro::values::type_string(found) == boustro::values::type_string(wanted));
  BOOST_REQUIRE(found.size() == wanted.size());
  for (std::int64_t i = 0; i < found.size(); ++i)
    BOOST_TEST(found.element(i).as_float() == wanted.element(i).as_float());
}

Value matrix() { return f64s({1, 2, 3, 4, 5, 6}, {2, 3}); }

}  // namespace

BOOST_AUTO_TEST_SUITE(nests)

BOOST_AUTO_TEST_CASE(store_every_value) {
  OverMatrix p;
  p.nest.outs = {store(2)};
  equals(p.run(matrix())[0], matrix());
}

BOOST_AUTO_TEST_CASE(reduce_all_dimensions_or_the_inner_ones) {
  OverMatrix whole, rows;
  whole.nest.outs = {fold(whole.f, OutKind::reduce, 0)};
  rows.nest.outs = {fold(rows.f, OutKind::reduce, 1)};
  equals(whole.run(matrix())[0], f64_value(21));
  equals(rows.run(matrix())[0], f64s({6, 15}));
}

BOOST_AUTO_TEST_CASE(rows_without_elements_are_neutral) {
  OverMatrix p;
  p.nest.outs = {fold(p.f, OutKind::reduce, 1)};
  equals(p.run(f64s({}, {2, 0}))[0], f64s({0, 0}));
}

BOOST_AUTO_TEST_CASE(scan_along_the_last_dimension) {
  OverMatrix p;
  p.nest.outs = {fold(p.f, OutKind::scan, 1)};
  equals(p.run(matrix())[0], f64s({1, 3, 6, 4, 9, 15}, {2, 3}));
}

BOOST_AUTO_TEST_CASE(an_epilogue_sees_the_kept_indices_and_what_was_combined) {
  const auto plus_index = [](Builder& b, std::size_t indices) {
    std::vector<std::pair<std::string, Type>> params(indices, {"i", integer});
    params.emplace_back("sum", real);
    return b.lambda(params, [](Builder& inner, const std::vector<Name>& p) {
      return std::vector<Atom>{
          inner.binop("r", BinOpKind::add, inner.convert("at", PrimType::f64, p[0]), p.back())};
    });
  };
  OverMatrix sums, scans;
  sums.nest.outs = {fold(sums.f, OutKind::reduce, 1)};
  sums.nest.outs[0].epilogue = plus_index(sums.f, 1);
  equals(sums.run(matrix())[0], f64s({6, 16}));
  scans.nest.outs = {fold(scans.f, OutKind::scan, 1)};
  scans.nest.outs[0].epilogue = plus_index(scans.f, 2);
  equals(scans.run(matrix())[0], f64s({1, 3, 6, 5, 10, 16}, {2, 3}));
}

BOOST_AUTO_TEST_CASE(histograms_and_scatters_ignore_indices_out_of_bounds) {
  for (const OutKind kind : {OutKind::histogram, OutKind::scatter}) {
    TestProgram p;
    FunctionMaker f = p.function("main");
    const Name n = f.size("n"), k = f.size("k");
    const Name is = f.param("is", array(PrimType::i64, {n}));
    const Name bins = f.param("bins", reals({k}), true);
    Nest nest;
    nest.space = {n};
    nest.point = f.lambda({{"i", integer}}, [&](Builder& b, const std::vector<Name>& at) {
      const Name bin = b.index("bin", is, {at[0]});
      return std::vector<Atom>{bin, b.convert("value", PrimType::f64, at[0])};
    });
    Out out = kind == OutKind::histogram ? fold(f, kind, 1) : store(1);
    out.kind = kind;
    out.bins = {k};
    out.destinations = {bins};
    nest.outs = {out};
    f.returns({f.let("r", nest)});
    BOOST_TEST(verify(p.program).empty());
    const Function& main = p.program.functions[0];
    const auto results = evaluate(
        p.program, main, bind_arguments(main, {i64s({0, 2, 5, 2, -1}), f64s({10, 20, 30})}));
    equals(results[0], kind == OutKind::histogram ? f64s({10, 20, 34}) : f64s({0, 20, 3}));
  }
}

BOOST_AUTO_TEST_CASE(results_keep_the_shape_of_the_space_without_points) {
  OverMatrix p;
  p.nest.outs = {store(2)};
  equals(p.run(f64s({}, {0, 3}))[0], f64s({}, {0, 3}));
}

BOOST_AUTO_TEST_CASE(levels_go_inwards) {
  OverMatrix p;
  p.nest.outs = {store(2)};
  p.nest.over = Level::thread;
  p.nest.each = Level::block;
  p.f.returns({p.f.let("r", p.nest)});
  const auto violations = verify(p.program);
  BOOST_REQUIRE(violations.size() == 1);
  BOOST_TEST(violations[0].find("run by who does not share them") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(methods_are_of_those_who_share_the_points) {
  for (const Method method : {Method::library, Method::apart, Method::once, Method::atomic, Method::copies, Method::parts}) {
    OverMatrix p;
    p.nest.outs = {store(2)};
    p.nest.outs[0].method = method;
    p.f.returns({p.f.let("r", p.nest)});
    const auto violations = verify(p.program);
    BOOST_REQUIRE(violations.size() == 1);
    BOOST_TEST(violations[0].find("by who cannot") != std::string::npos);
  }
  OverMatrix p;
  p.nest.outs = {store(2)};
  p.nest.additions = Method::copies;
  p.f.returns({p.f.let("r", p.nest)});
  BOOST_TEST(!verify(p.program).empty());
}

BOOST_AUTO_TEST_CASE(a_point_yields_what_the_outs_take) {
  OverMatrix p;
  p.nest.outs = {store(2), store(2)};
  p.f.returns({});
  p.program.functions[0].body.stms.push_back({{}, p.nest, {}, {}});
  const auto violations = verify(p.program);
  BOOST_REQUIRE(!violations.empty());
  BOOST_TEST(violations[0].find("yields too little") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace nests_tests
