// Which values have names that tell a reader something.
#include "emit/plan/planner/uses.hpp"

#include <boost/test/unit_test.hpp>

#include "transform/ir/builder.hpp"

namespace boustro::plan::planner::uses_tests {
namespace {

const ir::Type real = ir::scalar(ir::PrimType::f64);
const ir::Name x{"x", 1}, y{"y", 2}, forget{"forget", 3}, product{"product", 4}, part{"x_adj", 5}, whole{"x_adj", 6}, stored{"stored", 7}, cell{"cell", 8};

ir::Stm let(const ir::Name& name, ir::BinOpKind kind, const ir::Name& a, const ir::Name& b) {
  ir::Stm stm;
  stm.pattern = {{name, real}};
  stm.exp = ir::BinOp{kind, ir::PrimType::f64, a, b};
  return stm;
}

/// forget = x + y; product = x * y; cell = forget * product; part = x * cell; whole = part + cell; stored = x * y
Uses example() {
  using enum ir::BinOpKind;
  ir::Body body;
  body.stms = {let(forget, add, x, y),   let(product, mul, x, y),   let(cell, mul, forget, product),
               let(part, mul, x, cell), let(whole, add, part, cell), let(stored, mul, x, y)};
  body.result = {whole, stored};
  Uses uses;
  uses.add(body);
  return uses;
}

}  // namespace

BOOST_AUTO_TEST_CASE(words_for_what_a_value_is_have_a_meaning) {
  BOOST_TEST(example().of(forget).has_meaning);
  BOOST_TEST(!example().of(product).has_meaning);
}

BOOST_AUTO_TEST_CASE(operands_are_what_other_values_are_computed_from) {
  BOOST_TEST(example().of(forget).is_operand);
  BOOST_TEST(!example().of(stored).is_operand, "a result is stored");
  BOOST_TEST(!example().of(part).is_operand, "it is part of a sum of the same name");
}

/// steps = t - 1, last = t + (-2), next = 1 + t, of 32 bits: narrow = t - 2.
BOOST_AUTO_TEST_CASE(numbers_are_compared_by_how_far_they_are_from_the_same_name) {
  using enum ir::BinOpKind;
  const ir::Name t{"t", 11}, steps{"steps", 12}, last{"last", 13}, next{"next", 14}, narrow{"narrow", 15};
  const auto number = [](std::int64_t value) { return ir::Atom(ir::PrimValue::of_int(ir::PrimType::i64, value)); };
  const auto define = [](const ir::Name& name, ir::BinOpKind kind, ir::Atom a, ir::Atom b, ir::PrimType type = ir::PrimType::i64) {
    ir::Stm stm;
    stm.pattern = {{name, ir::scalar(type)}};
    stm.exp = ir::BinOp{kind, type, std::move(a), std::move(b)};
    return stm;
  };
  ir::Body body;
  body.stms = {define(steps, sub, t, number(1)), define(last, add, t, number(-2)), define(next, add, number(1), t),
               define(narrow, sub, t, ir::Atom(ir::PrimValue::of_int(ir::PrimType::i32, 2)), ir::PrimType::i32)};
  Uses uses;
  uses.add(body);
  BOOST_TEST(uses.is_last_of(last, steps));
  BOOST_TEST(uses.is_last_of(steps, t));
  BOOST_TEST(uses.is_last_of(t, next));
  BOOST_TEST(uses.is_last_of(number(4), number(5)));
  BOOST_TEST(!uses.is_last_of(last, t));
  BOOST_TEST(!uses.is_last_of(steps, last));
  BOOST_TEST(!uses.is_last_of(narrow, steps));
  BOOST_TEST(!uses.is_last_of(x, t));
  BOOST_TEST(!uses.is_last_of(number(4), t));
}

}  // namespace boustro::plan::planner::uses_tests
