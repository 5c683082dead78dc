#include "emit/plan/polish/sizes.hpp"

#include <boost/test/unit_test.hpp>

#include "emit/plan/build.hpp"
#include "emit/plan/walk.hpp"

namespace boustro::plan::sizes_tests {
namespace {

const Expr n = var("n", i64), m = var("m", i64), half = var("half", i64), rest = var("rest", i64);

Stm let(const std::string& name, Expr value) { return Let{name, type(i64), std::move(value)}; }

/// Of n and m, with an array of `rest` elements.
Entry entry_of(Stms prologue) {
  Entry entry;
  entry.params = {{.name = "n", .type = type(i64)}, {.name = "m", .type = type(i64)}};
  entry.prologue = std::move(prologue);
  entry.scratch.pieces = {{.name = "xs", .elem = type(f64), .count = rest}};
  entry.body = {let("twice", lit(2) * rest)};
  return entry;
}

std::vector<std::string> sizes_of(const Entry& entry) {
  std::vector<std::string> names;
  for (const Let& size : entry.scratch.sizes) names.push_back(size.name);
  return names;
}

std::vector<std::string> params_of(const Entry& entry) {
  std::vector<std::string> names;
  for (const Param& param : entry.scratch.params) names.push_back(param.name);
  return names;
}

using Texts = std::vector<std::string>;

}  // namespace

BOOST_AUTO_TEST_CASE(constants_become_fields) {
  Entry entry = entry_of({let("half", m / lit(2)), let("rest", n - half)});
  keep_sizes_with_scratch(entry, Target::gpu);
  BOOST_TEST(entry.prologue.empty());
  BOOST_TEST(sizes_of(entry) == (Texts{"half", "rest"}), boost::test_tools::per_element());
  BOOST_TEST(params_of(entry) == (Texts{"n", "m"}), boost::test_tools::per_element());
  BOOST_TEST(to_string(*std::get<Let>(entry.body[0].what).value) == "2 * buffers.rest");
}

BOOST_AUTO_TEST_CASE(what_checks_mention_stays) {
  Entry entry = entry_of({let("half", m / lit(2)), RejectIf{half < n}, let("rest", n - half)});
  keep_sizes_with_scratch(entry, Target::gpu);
  BOOST_TEST(entry.prologue.size() == 2u);
  BOOST_TEST(sizes_of(entry) == Texts{"rest"}, boost::test_tools::per_element());
  BOOST_TEST(params_of(entry) == (Texts{"n", "half"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(programs_for_the_cpu_read_their_own_constants) {
  Entry entry = entry_of({let("half", m / lit(2)), let("rest", n - half)});
  keep_sizes_with_scratch(entry, Target::cpu);
  BOOST_TEST(entry.prologue.size() == 2u);
  BOOST_TEST(params_of(entry) == Texts{"rest"}, boost::test_tools::per_element());
  entry = entry_of({let("half", m / lit(2)), let("rest", n - half)});
  entry.body.clear();
  keep_sizes_with_scratch(entry, Target::cpu);
  BOOST_TEST(sizes_of(entry) == (Texts{"half", "rest"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(variables_that_change_keep_all_behind) {
  Let changing{"most", type(i64), n};
  changing.changes = true;
  Entry entry = entry_of({changing, let("rest", n - m)});
  keep_sizes_with_scratch(entry, Target::gpu);
  BOOST_TEST(entry.prologue.size() == 2u);
}

}  // namespace boustro::plan::sizes_tests
