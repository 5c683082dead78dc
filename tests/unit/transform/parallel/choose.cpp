// How additions are made, where no source program leads there; what source programs become is in programs/methods.fut.
#include "tests/unit/transform/inspect.hpp"
#include "transform/parallel/parallel.hpp"

namespace choose_tests {

using namespace boustro::ir;
using namespace boustro::ir::testing;
using boustro::parallel::Machine;

namespace {

/// with_acc over an array to which a map adds the elements of xs.
struct Additions : TestProgram {
  FunctionMaker f = function("main");
  Name n = f.size("n");
  Name xs = f.param("xs", integers({n}));

  Method chosen(Machine machine, const AccumulatorKind& kind) {
    const Name start = f.let("start", Replicate{{n}, i64(1)});
    Type accumulator = integers({n});
    accumulator.accumulator = true;
    const Lambda fn = f.lambda({{"acc", accumulator}}, [&](Builder& b, const std::vector<Name>& accs) {
      const Lambda each =
          b.lambda({{"acc", accumulator}, {"x", integer}}, [&](Builder& c, const std::vector<Name>& p) {
            return std::vector<Atom>{c.let("acc", UpdateAcc{p[0], {p[1]}, p[1], false})};
          });
      return std::vector<Atom>{b.let("acc", Map{n, each, {xs}, accs})};
    });
    f.returns({f.let("sums", WithAcc{{{start, kind}}, fn})});
    const Program q = boustro::parallel::choose(boustro::parallel::flatten(program, machine));
    BOOST_TEST(verify(q).empty());
    for (const Stm& stm : q.functions[0].body.stms) {
      const auto* with = std::get_if<WithAcc>(&stm.exp);
      if (with) return std::get<Nest>(with->fn.body.stms.at(0).exp).additions;
    }
    return Method::open;
  }

  /// The same for a nest of workers whose points add at their own places; with a sum over all of them, or without.
  Method of_workers(bool sums, std::int64_t start_value, const AccumulatorKind& kind) {
    Type accumulator = integers({n});
    accumulator.accumulator = true;
    const Name start = f.let("start", Replicate{{n}, i64(start_value)});
    const Lambda fn = f.lambda({{"acc", accumulator}}, [&](Builder& b, const std::vector<Name>& accs) {
      Nest nest{Level::workers, Level::thread, {n}, {}, accs, {}, {}};
      nest.point = b.lambda({{"acc", accumulator}, {"i", integer}}, [&](Builder& c, const std::vector<Name>& p) {
        std::vector<Atom> results{c.let("acc", UpdateAcc{p[0], {p[1]}, p[1], false})};
        if (sums) results.emplace_back(p[1]);
        return results;
      });
      Out total;
      total.kind = OutKind::reduce;
      total.op = Operator{binop_lambda(f, BinOpKind::add, PrimType::i64), {i64(0)}};
      if (sums) nest.outs.push_back(total);
      std::vector<Param> pattern{names.fresh_param("acc", accumulator)};
      if (sums) pattern.push_back(names.fresh_param("total", integer));
      b.add({pattern, nest, {}, {}});
      return std::vector<Atom>{pattern[0].name};
    });
    f.returns({f.let("sums", WithAcc{{{start, kind}}, fn})});
    BOOST_TEST(verify(program).empty());
    const Program q = boustro::parallel::choose(program);
    BOOST_TEST(verify(q).empty());
    return std::get<Nest>(std::get<WithAcc>(q.functions[0].body.stms.back().exp).fn.body.stms.at(0).exp).additions;
  }

  Combine product() {
    return {binop_lambda(f, BinOpKind::mul, PrimType::i64), i64(1)};
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(choose)

BOOST_AUTO_TEST_CASE(sums_of_a_grid_have_copies) {
  BOOST_TEST((Additions().chosen(Machine::gpu, AddUp{}) == Method::copies));
}

BOOST_AUTO_TEST_CASE(other_operators_do_not) {
  Additions p;
  BOOST_TEST((p.chosen(Machine::gpu, p.product()) == Method::atomic));
  BOOST_TEST((Additions().chosen(Machine::gpu, Overwrite{}) == Method::atomic));
}

BOOST_AUTO_TEST_CASE(of_values_that_overwrite_the_last_stays) {
  Additions p;
  BOOST_TEST((p.chosen(Machine::cpu, p.product()) == Method::parts));
  BOOST_TEST((Additions().chosen(Machine::cpu, Overwrite{}) == Method::direct));
}

BOOST_AUTO_TEST_CASE(parts_that_share_a_sum_have_copies_too) {
  BOOST_TEST((Additions().of_workers(false, 1, AddUp{}) == Method::apart));
  BOOST_TEST((Additions().of_workers(true, 1, AddUp{}) == Method::parts));
}

BOOST_AUTO_TEST_CASE(one_addition_to_zero_is_stored) {
  BOOST_TEST((Additions().of_workers(false, 0, AddUp{}) == Method::once));
  Additions p;
  BOOST_TEST((p.of_workers(false, 0, p.product()) == Method::apart));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace choose_tests
