#include "transform/ir/verify.hpp"

#include <boost/test/unit_test.hpp>

#include "frontend/source/diagnostics.hpp"
#include "tests/unit/transform/program_builder.hpp"

namespace verify_tests {

using namespace boustro::ir;
using namespace boustro::ir::testing;

namespace {

const Type int_type = scalar(PrimType::i64);
const Type pair_type = array(PrimType::f64, {i64(2)});

void accepts(const TestProgram& p) {
  for (const std::string& violation : verify(p.program)) BOOST_ERROR(violation);
}

/// One violation at least says `text`.
void rejects(const TestProgram& p, const std::string& text) {
  const auto violations = verify(p.program);
  const bool found = std::any_of(violations.begin(), violations.end(), [&](const std::string& violation) {
    return violation.find(text) != std::string::npos;
  });
  BOOST_TEST(found, "expected: " << text << "\nfound: " << (violations.empty() ? "nothing" : violations[0]));
}

/// ys = xs with [0] = 9
Name updated(Builder& b, const Name& xs) { return b.let("ys", Update{xs, {i64(0)}, f64(9), true}); }

Type accumulator_type() {
  Type type = pair_type;
  type.accumulator = true;
  return type;
}

/// A function whose body is that of a with_acc over a fresh array.
template <typename Fill>
TestProgram with_accumulator(Fill fill) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name xs = f.let("xs", Scratch{PrimType::f64, {i64(2)}});
  const Lambda fn = f.lambda({{"acc", accumulator_type()}}, [&](Builder& b, const std::vector<Name>& q) {
    return std::vector<Atom>{fill(b, q[0])};
  });
  f.returns({f.let("sums", WithAcc{{{xs, AddUp{}}}, fn})});
  return p;
}

Name add_once(Builder& b, const Name& acc) {
  return b.let("acc", UpdateAcc{acc, {i64(0)}, f64(1), false});
}

}  // namespace

BOOST_AUTO_TEST_SUITE(verify_scopes)

BOOST_AUTO_TEST_CASE(keys_of_points_are_integers) {
  const auto with_keys = [](const Type& type, bool in_scope) {
    TestProgram p;
    FunctionMaker f = p.function("main");
    const Name keys = f.param("keys", type), xs = f.param("xs", pair_type);
    const Lambda fn = f.lambda({{"x", scalar(PrimType::f64)}}, [](Builder&, const std::vector<Name>& x) { return std::vector<Atom>{x[0]}; });
    const Name ys = f.let("ys", Map{i64(2), fn, {xs}, {}});
    f.stms.back().attributes.push_back({"reorder", {in_scope ? keys : ys}});
    f.returns({ys});
    return p;
  };
  accepts(with_keys(array(PrimType::u8, {i64(2)}), true));
  rejects(with_keys(pair_type, true), "something else than an array of integers");
  rejects(with_keys(array(PrimType::i32, {i64(2), i64(2)}), true), "something else than an array of integers");
  rejects(with_keys(int_type, true), "something else than an array of integers");
  rejects(with_keys(array(PrimType::u8, {i64(2)}), false), "not in scope");
}

BOOST_AUTO_TEST_CASE(a_name_is_bound_once) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name x = f.param("x", int_type);
  f.let({{x, int_type}}, AtomExp{i64(1)});
  f.returns({x});
  rejects(p, "is bound a second time");
}

BOOST_AUTO_TEST_CASE(a_name_is_used_in_its_scope) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  Builder branch(p.names);
  const Atom inner = branch.binop("inner", BinOpKind::add, i64(1), i64(2));
  const Name y = f.let("y", If{PrimValue::of_bool(true), {branch.stms, {inner}}, {{}, {i64(0)}}});
  f.let("z", BinOp{BinOpKind::add, PrimType::i64, y, inner});
  f.returns({y});
  rejects(p, "the statement that binds z_4: inner_2 is not in scope");
}

BOOST_AUTO_TEST_CASE(all_violations_are_reported) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name x = f.param("x", int_type);
  f.let("a", BinOp{BinOpKind::add, PrimType::f64, x, x});
  f.let("b", UnOp{UnOpKind::neg, PrimType::i32, x});
  f.returns({x});
  BOOST_TEST(verify(p.program).size() == 3u);
}

BOOST_AUTO_TEST_CASE(the_pass_is_named) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name x = f.param("x", int_type);
  f.let("b", UnOp{UnOpKind::neg, PrimType::i32, x});
  f.returns({x});
  BOOST_CHECK_EXCEPTION(verify_or_throw(p.program, "fuse"), boustro::source::InternalError, [](const auto& error) {
    return std::string(error.what()).starts_with("fuse broke the program:");
  });
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(verify_types)

BOOST_AUTO_TEST_CASE(operators_that_a_type_lacks) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name x = f.param("x", scalar(PrimType::f64));
  f.let("y", BinOp{BinOpKind::shl, PrimType::f64, x, x});
  f.returns({x});
  rejects(p, "shl is not defined for f64");
}

BOOST_AUTO_TEST_CASE(sizes_are_equal_only_as_atoms) {
  for (const bool coerced : {true, false}) {
    TestProgram p;
    FunctionMaker f = p.function("main");
    const Name n = f.size("n"), m = f.size("m");
    const Name xs = f.param("xs", array(PrimType::f64, {n}));
    const Name ys = f.param("ys", array(PrimType::f64, {m}));
    const Name zs = coerced ? f.let("zs", Coerce{{n}, ys}) : ys;
    f.let("sums", Map{n, binop_lambda(f, BinOpKind::add, PrimType::f64), {xs, zs}, {}});
    f.returns({n});
    if (coerced) accepts(p);
    else rejects(p, "ys_5 has type [m_3]f64, but the width is n_2");
  }
}

BOOST_AUTO_TEST_CASE(patterns_have_the_types_of_results) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  f.let({p.names.fresh_param("xs", array(PrimType::f64, {i64(3)}))}, Iota{i64(3)});
  f.returns({});
  rejects(p, "number 1 has type [3]f64, but [3]i64 is expected");
}

BOOST_AUTO_TEST_CASE(branches_may_yield_sizes_of_their_own) {
  for (const bool honest : {true, false}) {
    TestProgram p;
    FunctionMaker f = p.function("main");
    const Name c = f.param("c", scalar(PrimType::boolean));
    Builder small(p.names), large(p.names);
    const Name two = small.let("two", Iota{i64(2)}), three = large.let("three", Iota{i64(3)});
    const Param k = p.names.fresh_param("k", int_type);
    const Param is = p.names.fresh_param("is", array(PrimType::i64, {k.name}));
    f.let({k, is}, If{c, {small.stms, {i64(2), two}}, {large.stms, {i64(honest ? 3 : 4), three}}});
    f.returns({k.name, is.name}, 1);
    if (honest) accepts(p);
    else rejects(p, "a result of a branch is three_4 of type [3]i64, but [4]i64 is expected");
  }
}

BOOST_AUTO_TEST_CASE(lambda_results_mention_outer_sizes_only) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name ns = f.param("ns", array(PrimType::i64, {i64(2)}));
  const Lambda fn = f.lambda({{"n", int_type}}, [](Builder& b, const std::vector<Name>& q) {
    return std::vector<Atom>{b.let("is", Iota{q[0]})};
  });
  f.let({p.names.fresh_param("iss", array(PrimType::i64, {i64(2), i64(2)}))}, Map{i64(2), fn, {ns}, {}});
  f.returns({ns});
  rejects(p, "n_3 is not in scope");
}

BOOST_AUTO_TEST_CASE(calls_match_signatures) {
  TestProgram p;
  FunctionMaker g = p.function("g");
  const Name x = g.param("x", int_type);
  const Name callee = g.returns({x});
  FunctionMaker f = p.function("main");
  f.let({p.names.fresh_param("y", int_type)}, Call{callee, {f64(1)}});
  f.returns({});
  rejects(p, "an argument is 1.0f64 of type f64, but i64 is expected");
}

BOOST_AUTO_TEST_CASE(functions_stand_before_their_callers) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  f.let({p.names.fresh_param("y", int_type)}, Call{Name{"later", 0}, {}});
  f.returns({});
  rejects(p, "calls later, which no function before is");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(verify_consumption)

BOOST_AUTO_TEST_CASE(no_use_after_consumption) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name xs = f.param("xs", pair_type, true);
  const Name ys = updated(f, xs);
  f.returns({ys, xs});
  rejects(p, "xs_2 is used after it, or an alias of it, was consumed by the statement that binds ys_3");
}

BOOST_AUTO_TEST_CASE(no_use_of_an_alias_after_consumption) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name xs = f.param("xs", pair_type, true);
  const Name tail = f.let("tail", Index{xs, {Slice{i64(1), i64(1), i64(1)}}, true});
  updated(f, xs);
  f.returns({tail});
  rejects(p, "tail_3 is used after");
}

BOOST_AUTO_TEST_CASE(aliases_go_through_branches_and_calls) {
  TestProgram p;
  FunctionMaker g = p.function("same");
  const Name zs = g.param("zs", pair_type);
  const Name same = g.returns({zs});
  FunctionMaker f = p.function("main");
  const Name c = f.param("c", scalar(PrimType::boolean));
  const Name xs = f.param("xs", pair_type, true);
  const Name other = f.let("other", Copy{xs});
  const Name either = f.let("either", If{c, {{}, {xs}}, {{}, {other}}});
  const Name again = f.let("again", Call{same, {either}});
  updated(f, xs);
  f.returns({again});
  rejects(p, "again_8 is used after");
}

BOOST_AUTO_TEST_CASE(only_unique_parameters_are_consumed) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name xs = f.param("xs", pair_type);
  f.returns({updated(f, xs)});
  rejects(p, "consumes xs_2, which may be xs_2, a parameter that is not unique");
}

BOOST_AUTO_TEST_CASE(a_copy_may_be_consumed) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name xs = f.param("xs", pair_type);
  f.returns({updated(f, f.let("copy", Copy{xs})), xs});
  accepts(p);
}

BOOST_AUTO_TEST_CASE(either_branch_may_consume) {
  for (const bool used_later : {false, true}) {
    TestProgram p;
    FunctionMaker f = p.function("main");
    const Name c = f.param("c", scalar(PrimType::boolean));
    const Name xs = f.param("xs", pair_type, true);
    Builder consuming(p.names);
    const Name ys = updated(consuming, xs);
    const Name zs = f.let("zs", If{c, {consuming.stms, {ys}}, {{}, {xs}}});
    f.returns({used_later ? xs : updated(f, zs)});
    if (used_later) rejects(p, "xs_3 is used after it");
    else accepts(p);
  }
}

BOOST_AUTO_TEST_CASE(a_map_does_not_consume_what_is_free_in_it) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name xs = f.param("xs", pair_type, true);
  const Lambda fn = f.lambda({{"i", int_type}}, [&](Builder& b, const std::vector<Name>&) {
    return std::vector<Atom>{updated(b, xs)};
  });
  const Name is = f.let("is", Iota{i64(2)});
  f.returns({f.let("yss", Map{i64(2), fn, {is}, {}})});
  rejects(p, "consumes xs_2, which comes from outside of the loop or lambda");
}

BOOST_AUTO_TEST_CASE(a_loop_consumes_its_unique_parameter_only) {
  for (const bool unique : {true, false}) {
    TestProgram p;
    FunctionMaker f = p.function("main");
    const Name xs = f.param("xs", pair_type, true);
    const Param ys = p.names.fresh_param("ys", pair_type, unique);
    const Name i = p.names.bind_fresh("i", int_type);
    Builder body(p.names);
    const Name next = updated(body, ys.name);
    f.returns({f.let("last", Loop{{{ys, xs}}, ForLoop{i, PrimType::i64, i64(3)}, {body.stms, {next}}})});
    if (unique) accepts(p);
    else rejects(p, "consumes ys_3, which may be ys_3, a parameter that is not unique");
  }
}

BOOST_AUTO_TEST_CASE(a_unique_loop_parameter_gets_memory_of_its_own) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name xs = f.param("xs", pair_type, true);
  const Name zs = f.param("zs", pair_type, true);
  const Param ys = p.names.fresh_param("ys", pair_type, true);
  const Name i = p.names.bind_fresh("i", int_type);
  Builder body(p.names);
  updated(body, ys.name);
  f.returns({f.let("last", Loop{{{ys, xs}}, ForLoop{i, PrimType::i64, i64(3)}, {body.stms, {zs}}})});
  rejects(p, "the next value zs_3 of the unique parameter ys_4 may share memory with zs_3");
}

BOOST_AUTO_TEST_CASE(an_update_does_not_write_an_alias) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name xs = f.param("xs", array(PrimType::f64, {i64(4)}), true);
  const Name tail = f.let("tail", Index{xs, {Slice{i64(2), i64(2), i64(1)}}, true});
  f.returns({f.let("ys", Update{xs, {Slice{i64(0), i64(2), i64(1)}}, tail, true})});
  rejects(p, "uses tail_3, which may share memory with xs_2 that it consumes");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(verify_accumulators)

BOOST_AUTO_TEST_CASE(used_once_is_right) {
  accepts(with_accumulator([](Builder& b, const Name& acc) { return add_once(b, add_once(b, acc)); }));
}

BOOST_AUTO_TEST_CASE(not_twice) {
  rejects(with_accumulator([](Builder& b, const Name& acc) {
            add_once(b, acc);
            return add_once(b, acc);
          }),
          "is used a second time");
}

BOOST_AUTO_TEST_CASE(not_never) {
  rejects(with_accumulator([](Builder& b, const Name& acc) {
            const Name first = add_once(b, acc);
            add_once(b, first);
            return first;
          }),
          "is never used");
}

BOOST_AUTO_TEST_CASE(not_in_one_branch_only) {
  rejects(with_accumulator([](Builder& b, const Name& acc) {
            Builder branch(b.names);
            const Name inner = add_once(branch, acc);
            b.stms.push_back({{b.names.fresh_param("acc", accumulator_type())},
                              If{PrimValue::of_bool(true), {branch.stms, {inner}}, {{}, {inner}}},
                              {},
                              {}});
            return b.stms.back().pattern[0].name;
          }),
          "is not in scope");
  rejects(with_accumulator([](Builder& b, const Name& acc) {
            Builder branch(b.names);
            branch.let("dropped", UpdateAcc{acc, {i64(0)}, f64(1), false});
            b.let("zero", If{PrimValue::of_bool(true), {branch.stms, {f64(0)}}, {{}, {f64(0)}}});
            return acc;
          }),
          "is used in one branch only");
}

BOOST_AUTO_TEST_CASE(not_captured) {
  rejects(with_accumulator([](Builder& b, const Name& acc) {
            const Lambda fn = b.lambda({{"i", int_type}}, [&](Builder& c, const std::vector<Name>& q) {
              add_once(c, acc);
              return std::vector<Atom>{q[0]};
            });
            const Name is = b.let("is", Iota{i64(2)});
            b.let("js", Map{i64(2), fn, {is}, {}});
            return acc;
          }),
          "is captured by a loop or lambda");
}

BOOST_AUTO_TEST_CASE(not_stored_or_read) {
  rejects(with_accumulator([](Builder& b, const Name& acc) {
            b.index("x", acc, {i64(0)});
            return acc;
          }),
          "is used as an array of rank 1 or more");
  rejects(with_accumulator([](Builder& b, const Name& acc) {
            b.stms.push_back({{b.names.fresh_param("copies", array(PrimType::f64, {i64(3), i64(2)}))},
                              Replicate{{i64(3)}, acc}, {}, {}});
            return acc;
          }),
          "an accumulator is stored in an array");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace verify_tests
