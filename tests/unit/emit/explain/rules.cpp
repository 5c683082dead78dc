#include "emit/explain/rules.hpp"

#include <set>

#include <boost/test/unit_test.hpp>

#include "emit/explain/rule_head.hpp"
#include "emit/explain/rule_rows.hpp"

namespace boustro::explain {

BOOST_AUTO_TEST_CASE(heads_are_taken_apart) {
  const RuleHead head = read_rule_head(
      "// Reverse mode: reduce of\n// numbers.\n//\n// Rule      y = x    gives    x_adj += y_adj,\n//             where it fits\n"
      "// Applies   everywhere\n// Cost      none\n// Source    [AD], 5\n//\n// Before:      def f (x: f64) = x\n"
      "// After vjp:   def f_vjp (x: f64) =\n//                x\n");
  BOOST_TEST(head.title == "reduce of numbers");
  BOOST_TEST(head.formula == "y = x    gives    x_adj += y_adj,\n  where it fits");
  BOOST_TEST(head.applies == "everywhere");
  BOOST_TEST(head.cost == "none");
  BOOST_TEST(head.source == "[AD], 5");
  BOOST_TEST(head.before == "def f (x: f64) = x");
  BOOST_TEST(head.after == "def f_vjp (x: f64) =\n  x");
  BOOST_TEST(head.after_what == "vjp");
}

BOOST_AUTO_TEST_CASE(a_file_without_a_head_has_none) { BOOST_TEST(read_rule_head("").formula.empty()); }

BOOST_AUTO_TEST_CASE(rows_are_read) {
  const auto rows = read_rule_rows(
      "## Scalars\n\n| y = | is |\n|---|---|\n| -x | -1 |\n\n## Forward mode\n\n| file | what | cost | source | tests |\n|---|---|---|---|---|\n"
      "| [forward/fold.cpp](forward/fold.cpp) | pairs (`forward_fold`); the same (`forward_sum`) | none | [AD] 3 | `scans`, `sums` |\n"
      "### Again\n\n| name | what | cost | test |\n|---|---|---|---|\n| `keep` | stored: [keep.cpp](keep.cpp) | its size | `maps` |\n");
  BOOST_REQUIRE(rows.size() == 2U);
  BOOST_TEST(rows[0].file == "forward/fold.cpp");
  BOOST_TEST(rows[0].mode == "Forward mode");
  BOOST_TEST(rows[0].names == (std::vector<std::string>{"forward_fold", "forward_sum"}), boost::test_tools::per_element());
  BOOST_TEST(rows[0].brief == "pairs; the same");
  BOOST_TEST(rows[0].tests == "scans, sums");
  BOOST_TEST(rows[1].names.at(0) == "keep");
  BOOST_TEST(rows[1].brief == "stored: keep.cpp");
}

BOOST_AUTO_TEST_CASE(rules_with_files_are_stated_in_full) {
  std::set<std::string> names;
  for (const Rule& rule : all_rules()) {
    for (const std::string& name : rule.names) BOOST_TEST(names.insert(name).second, name << " is there twice");
    BOOST_TEST(!rule.brief.empty(), rule.names[0]);
    BOOST_TEST(!rule.cost.empty(), rule.names[0]);
    if (rule.file.empty()) continue;
    for (const std::string* part : {&rule.title, &rule.formula, &rule.applies, &rule.source}) BOOST_TEST(!part->empty(), rule.file);
    const bool has_example = rule.file.ends_with(".cpp");  // what is stated in a header has none
    BOOST_TEST((!has_example || (!rule.before.empty() && !rule.after.empty())), rule.file);
  }
}

BOOST_AUTO_TEST_CASE(rules_are_found_by_name_and_by_first_words) {
  BOOST_TEST(find_rule("reverse_scan_vectorised")->file == "reverse/vectorised.cpp");
  BOOST_TEST(find_rule("reverse_scan") == nullptr);
  BOOST_TEST(rules_called("reverse_scan").size() == 4U);
  BOOST_TEST(rules_called("reverse_map").size() == 1U);
  BOOST_TEST(rules_called("reverse_sca").empty());
}

}  // namespace boustro::explain
