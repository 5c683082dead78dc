// Operators as loops, and accumulators that loops update.
#include "transform/parallel/in_order/as_loop.hpp"

#include "tests/unit/transform/inspect.hpp"
#include "transform/parallel/parallel.hpp"

namespace in_order_tests {

using namespace boustro::ir;
using namespace boustro::ir::testing;
namespace parallel = boustro::parallel;

namespace {

/// All statements of the entry that can be are loops.
Program looped(Program program) {
  Names names(program);
  std::vector<Stm> stms;
  for (const Stm& stm : program.functions[0].body.stms) {
    const auto loop = parallel::as_loop(stm, names);
    if (!loop) stms.push_back(stm);
    else stms.insert(stms.end(), loop->begin(), loop->end());
  }
  program.functions[0].body.stms = std::move(stms);
  return program;
}

struct Elements : TestProgram {
  FunctionMaker f = function("main");
  Name n = f.size("n");
  Name xs = f.param("xs", integers({n})), ys = f.param("ys", integers({n}));
  std::vector<Arguments> runs = {
      {i64s({2, 3, -1, 4}), i64s({1, 5, 2, 2})}, {i64s({7}), i64s({3})}, {i64s({}), i64s({})}};

  /// x -> a x + b, one after the other: does not commute.
  Operator affine() {
    const std::vector<std::pair<std::string, Type>> four(4, {"a", integer});
    return {f.lambda(four,
                     [](Builder& b, const std::vector<Name>& p) {
                       const Atom scaled = b.binop("s", BinOpKind::mul, p[1], p[2]);
                       return std::vector<Atom>{b.binop("a", BinOpKind::mul, p[0], p[2]),
                                                b.binop("b", BinOpKind::add, scaled, p[3])};
                     }),
            {i64(1), i64(0)},
            false};
  }

  /// x, y, 3 and x + y.
  Lambda fn() {
    return f.lambda({{"x", integer}, {"y", integer}}, [](Builder& b, const std::vector<Name>& p) {
      return std::vector<Atom>{p[0], p[1], i64(3), b.binop("sum", BinOpKind::add, p[0], p[1])};
    });
  }

  Operator sum() { return {binop_lambda(f, BinOpKind::add, PrimType::i64), {i64(0)}, true}; }

  Program after_loops(Exp exp) {
    const auto results = f.let_all({"a", "b", "c", "zs"}, std::move(exp));
    f.returns({results.begin(), results.end()});
    return after(looped, program, runs);
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(in_order)

BOOST_AUTO_TEST_CASE(a_map_with_reductions_is_a_loop) {
  Elements p;
  const Program q = p.after_loops(MapReduce{p.n, {p.affine(), p.sum()}, p.fn(), {p.xs, p.ys}, {}});
  BOOST_TEST(count<MapReduce>(q) == 0);
  BOOST_TEST(count<Loop>(q) == 1);
}

BOOST_AUTO_TEST_CASE(a_map_with_scans_is_a_loop) {
  Elements p;
  const Program q = p.after_loops(MapScan{p.n, {p.affine(), p.sum()}, p.fn(), {p.xs, p.ys}});
  BOOST_TEST(count<MapScan>(q) == 0);
  BOOST_TEST(count<Loop>(q) == 1);
}

BOOST_AUTO_TEST_CASE(reductions_and_scans_are_loops) {
  for (const bool scans : {false, true}) {
    Elements p;
    const Operator op = p.affine();
    const std::vector<Name> arrays = {p.xs, p.ys};
    const auto results = p.f.let_all({"a", "b"}, scans ? Exp(Scan{p.n, op.op, op.neutral, arrays})
                                                       : Exp(Reduce{p.n, op.op, op.neutral, arrays}));
    p.f.returns({results[0], results[1]});
    const Program q = after(looped, p.program, p.runs);
    BOOST_TEST(count<Loop>(q) == 1);
  }
}

/// Indices are x and, for the second one, y and x; some are out of bounds.
BOOST_AUTO_TEST_CASE(histograms_are_a_loop) {
  Elements p;
  const auto start = [&](const Shape& shape) { return p.f.let("start", Replicate{shape, i64(1)}); };
  const Shape line = {i64(4)}, square = {i64(3), i64(4)};
  const Name a = start(line), b = start(line), c = start(square);
  const Operator op = p.affine(), sum = p.sum();
  const Lambda fn = p.f.lambda({{"x", integer}, {"y", integer}}, [](Builder&, const std::vector<Name>& q) {
    return std::vector<Atom>{q[0], q[0], q[1], q[1], q[0], q[1]};
  });
  const auto results = p.f.let_all(
      {"a", "b", "c"}, ReduceByIndex{p.n, {{line, {a, b}, op.op, op.neutral}, {square, {c}, sum.op, sum.neutral}}, fn, {p.xs, p.ys}});
  p.f.returns({results[0], results[1], results[2]});
  const Program q = after(looped, p.program, p.runs);
  BOOST_TEST(count<ReduceByIndex>(q) == 0);
  BOOST_TEST(count<Loop>(q) == 1);
}

BOOST_AUTO_TEST_CASE(other_statements_stay) {
  Elements p;
  p.f.returns({p.f.let("is", Iota{p.n})});
  BOOST_TEST((looped(p.program) == p.program));
}

BOOST_AUTO_TEST_SUITE_END()

namespace {

/// with_acc over arrays of n rows or numbers, one for each kind; in it a map that adds at 2 i - 1, which is not always in bounds,
/// in a branch.
struct Additions : TestProgram {
  FunctionMaker f = function("main");
  Name n = f.size("n"), m = f.param("m", integer);
  Name xs = f.param("xs", integers({n}));
  std::vector<Arguments> runs = {{i64_value(5), i64s({2, 3, 6, -1, 9})}, {i64_value(2), i64s({})}};

  Program after_pass(parallel::Machine machine, const Shape& row, const std::vector<AccumulatorKind>& kinds) {
    Type type = integers(row);
    type.shape.insert(type.shape.begin(), n);
    std::vector<AccumulatorInput> inputs;
    for (const AccumulatorKind& kind : kinds)
      inputs.push_back({f.let("start", Replicate{type.shape, i64(1)}), kind});
    Type accumulator = type;
    accumulator.accumulator = true;
    const std::vector<std::pair<std::string, Type>> params(kinds.size(), {"acc", accumulator});
    const Name is = f.let("is", Iota{n});
    const Lambda fn = f.lambda(params, [&](Builder& b, const std::vector<Name>& accs) {
      auto inner = params;
      inner.insert(inner.end(), {{"i", integer}, {"x", integer}});
      const Lambda each = b.lambda(inner, [&](Builder& c, const std::vector<Name>& q) {
        std::vector<Atom> changed;
        for (std::size_t k = 0; k < kinds.size(); ++k)
          changed.push_back(added(c, q[k], q[kinds.size()], q[kinds.size() + 1], row));
        return changed;
      });
      const auto done = b.let_all({"acc"}, Map{n, each, {is, xs}, accs});
      return std::vector<Atom>(done.begin(), done.end());
    });
    const auto sums = f.let_all({"sums"}, WithAcc{inputs, fn});
    f.returns({sums.begin(), sums.end()});
    return after([&](Program p) { return parallel::combine_in_order(std::move(p), machine); }, program, runs);
  }

  static Atom added(Builder& b, const Name& acc, const Atom& i, const Atom& x, const Shape& row) {
    const Atom twice = b.binop("twice", BinOpKind::add, i, i);
    const Atom place = b.binop("place", BinOpKind::sub, twice, i64(1));
    const Atom some = b.cmp("some", CmpOpKind::lt, i64(0), x);
    Builder then(b.names);
    const Atom value = row.empty() ? x : Atom(then.let("row", Replicate{row, x}));
    const Name changed = then.let("acc", UpdateAcc{acc, {place}, value, false});
    const Param result = b.names.fresh_param("acc", b.names.type_of(acc));
    b.let({result}, If{some, {then.stms, {changed}}, {{}, {acc}}});
    return result.name;
  }

  /// x + m y
  Combine with_variable() {
    return {f.lambda({{"x", integer}, {"y", integer}},
                     [&](Builder& b, const std::vector<Name>& p) {
                       return std::vector<Atom>{
                           b.binop("s", BinOpKind::add, p[0], b.binop("t", BinOpKind::mul, m, p[1]))};
                     }),
            i64(0)};
  }
  /// 60 x // y, which fails where y is 0
  Combine partial() {
    return {f.lambda({{"x", integer}, {"y", integer}},
                     [&](Builder& b, const std::vector<Name>& p) {
                       const Atom many = b.binop("m", BinOpKind::mul, p[0], i64(60));
                       return std::vector<Atom>{b.binop("q", BinOpKind::div, many, p[1])};
                     }),
            i64(1)};
  }
  /// x // y alone
  Combine quotient() { return {binop_lambda(f, BinOpKind::div, PrimType::i64), i64(1)}; }
  /// The first row.
  Combine on_rows(const Shape& row) {
    const Type type = integers(row);
    return {f.lambda({{"x", type}, {"y", type}},
                     [&](Builder& b, const std::vector<Name>& p) {
                       const Name last = b.index("last", p[1], {i64(1)});
                       return std::vector<Atom>{b.let("r", Replicate{row, last})};
                     }),
            f.let("neutral", Replicate{row, i64(0)})};
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(accumulators_in_order)

BOOST_AUTO_TEST_CASE(operators_with_variables_run_in_order_on_a_gpu) {
  Additions p;
  const Program q = p.after_pass(parallel::Machine::gpu, {}, {p.with_variable()});
  BOOST_TEST(count<WithAcc>(q) == 0);
  BOOST_TEST(count<UpdateAcc>(q) == 0);
  BOOST_TEST(count<Loop>(q) == 1);
}

/// No functor could record it.
BOOST_AUTO_TEST_CASE(operators_that_can_fail_run_in_order_on_a_gpu) {
  for (const bool one_operation : {false, true}) {
    Additions p;
    const Program q = p.after_pass(parallel::Machine::gpu, {}, {one_operation ? p.quotient() : p.partial()});
    BOOST_TEST(count<WithAcc>(q) == 0);
    BOOST_TEST(count<Loop>(q) == 1);
  }
}

BOOST_AUTO_TEST_CASE(those_of_cpus_know_variables_and_can_fail) {
  for (const bool fails : {false, true}) {
    Additions p;
    const Program q = p.after_pass(parallel::Machine::cpu, {}, {fails ? p.partial() : p.with_variable()});
    BOOST_TEST((q == p.program));
  }
}

BOOST_AUTO_TEST_CASE(operators_on_rows_run_in_order) {
  for (const auto machine : {parallel::Machine::gpu, parallel::Machine::cpu}) {
    Additions p;
    const Shape row = {i64(2)};
    const Program q = p.after_pass(machine, row, {p.on_rows(row), AddUp{}, Overwrite{}});
    BOOST_TEST(count<WithAcc>(q) == 0);
    BOOST_TEST(count<Loop>(q) == 1);
  }
}

BOOST_AUTO_TEST_CASE(what_threads_can_share_stays) {
  for (const AccumulatorKind& kind : {AccumulatorKind(AddUp{}), AccumulatorKind(Overwrite{})}) {
    Additions p;
    const Program q = p.after_pass(parallel::Machine::gpu, {i64(2)}, {kind});
    BOOST_TEST((q == p.program));
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace in_order_tests
