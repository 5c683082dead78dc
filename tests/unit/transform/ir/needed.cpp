#include "transform/ir/needed.hpp"

#include "tests/unit/transform/inspect.hpp"

namespace needed_tests {

using namespace boustro::ir;
using namespace boustro::ir::testing;

namespace {

/// a = x + x, b = a * y, c = y + y, and a check of c.
struct Sums : TestProgram {
  FunctionMaker f = function("main");
  Name x = f.param("x", integer), y = f.param("y", integer);
  Atom a = f.binop("a", BinOpKind::add, x, x);
  Atom b = f.binop("b", BinOpKind::mul, a, y);
  Atom c = f.binop("c", BinOpKind::add, y, y);

  std::vector<Stm> stms() {
    f.assert_that(f.cmp("good", CmpOpKind::lt, c, i64(7)), "");
    return f.stms;
  }
};

std::vector<std::string> bases(const std::vector<Stm>& stms) {
  std::vector<std::string> result;
  for (const Stm& stm : stms) result.push_back(stm.pattern.empty() ? "" : stm.pattern[0].name.base);
  return result;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(needed)

BOOST_AUTO_TEST_CASE(what_a_result_needs_in_its_order) {
  Sums p;
  NameSet wanted = names_among({p.b, i64(3)});
  const std::vector<std::string> expected = {"a", "b"};
  BOOST_TEST(bases(statements_for(wanted, p.stms())) == expected, boost::test_tools::per_element());
  BOOST_TEST((wanted == NameSet{p.x, p.y}));
}

BOOST_AUTO_TEST_CASE(checks_and_what_they_need_if_they_are_asked_for) {
  Sums p;
  NameSet wanted = names_among({p.a});
  const std::vector<std::string> expected = {"a", "c", "good", ""};
  BOOST_TEST(bases(statements_for(wanted, p.stms(), true)) == expected, boost::test_tools::per_element());
  BOOST_TEST((wanted == NameSet{p.x, p.y}));
}

BOOST_AUTO_TEST_CASE(of_nothing_is_nothing) {
  Sums p;
  NameSet wanted = names_among({i64(3)});
  BOOST_TEST(statements_for(wanted, p.stms()).empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace needed_tests
