#include "tests/source_folder.hpp"
#include "tests/unit/transform/ad/rule_counts.hpp"

#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <regex>
#include <set>

namespace boustro::ad::testing {

namespace {

std::string text_of(const std::filesystem::path& path) {
  std::ifstream stream(path);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// Every name by which a rule, or a special case inside of one, says that it fired.
std::set<std::string> rules_in_sources() {
  std::set<std::string> rules;
  const std::regex says(R"re((?:builder\(\w+|trace\()[^;]*;)re"), name(R"re("((?:forward|reverse|keep|restore)\w*)")re");
  for (const auto& file : std::filesystem::recursive_directory_iterator(std::string(boustro::tests::source_folder) + "/transform/ad")) {
    if (file.path().extension() != ".cpp") continue;
    const std::string text = text_of(file.path());
    for (std::sregex_iterator call(text.begin(), text.end(), says), end; call != end; ++call) {
      const std::string inside = call->str();
      for (std::sregex_iterator found(inside.begin(), inside.end(), name); found != end; ++found) rules.insert(found->str(1));
    }
  }
  return rules;
}

/// Prints the table. If there were enough random programs, demands that every rule fired often.
struct RuleTable {
  void teardown() {
    for (const auto& [rule, count] : rule_counts())
      BOOST_TEST_MESSAGE(std::left << std::setw(36) << rule << std::right << std::setw(8) << count.fired << std::setw(8) << count.nonzero);
    const char* programs = std::getenv("BOUSTRO_RANDOM_PROGRAMS");
    if (!programs || std::atol(programs) < 1000) return;
    for (const std::string& rule : rules_in_sources()) {
      const RuleCount count = rule_counts()[rule];
      BOOST_TEST(count.fired >= 20, rule << " fired " << count.fired << " times");
      BOOST_TEST(count.nonzero >= 20, rule << " had a derivative that is not zero " << count.nonzero << " times");
    }
  }
};

BOOST_TEST_GLOBAL_FIXTURE(RuleTable);

}  // namespace

/// RULES.md has a line for each file of rules and each name by which one says that it fired, and the tests that it names exist.
BOOST_AUTO_TEST_CASE(page_lists_all_rules) {
  const std::filesystem::path root = boustro::tests::source_folder;
  const std::string page = text_of(root / "transform/ad/RULES.md");
  for (const std::string folder : {"forward", "reverse"})
    for (const auto& file : std::filesystem::directory_iterator(root / "transform/ad" / folder)) {
      if (file.path().extension() != ".cpp") continue;
      const std::string name = file.path().filename().string();
      const bool is_rule = text_of(file.path()).find("// Rule ") != std::string::npos;
      const std::string link = "(" + folder + "/" + name + ")";
      BOOST_TEST((page.find(is_rule ? link : "`" + name + "`") != std::string::npos || name == "bundle.cpp"), folder << "/" << name << " is not on the page");
    }
  for (const std::string& rule : rules_in_sources()) {
    const std::string file = std::regex_replace(rule, std::regex("_"), "/", std::regex_constants::format_first_only) + ".cpp";
    BOOST_TEST((page.find("`" + rule + "`") != std::string::npos || page.find("(" + file + ")") != std::string::npos), rule << " is not on the page");
  }
  std::string tests;
  for (const auto& file : std::filesystem::directory_iterator(root / "tests/unit/transform/ad")) tests += text_of(file.path());
  const std::regex cell("\\| (`[a-z_`, ]+`) \\|\n"), name("`([a-z_]+)`");
  int named = 0;
  for (std::sregex_iterator last(page.begin(), page.end(), cell), end; last != end; ++last) {
    const std::string names = last->str(1);
    for (std::sregex_iterator test(names.begin(), names.end(), name); test != end; ++test, ++named)
      BOOST_TEST(tests.find("BOOST_AUTO_TEST_CASE(" + test->str(1) + ")") != std::string::npos, test->str(1) << " is no test");
  }
  BOOST_TEST(named >= 80);
}

BOOST_AUTO_TEST_CASE(rules_say_that_they_fire) {
  const std::set<std::string> rules = rules_in_sources();
  BOOST_TEST(rules.size() >= 50U);
  for (const auto& [rule, count] : rule_counts())  // share_primal is no rule: it puts together what rules have made
    BOOST_TEST((rules.contains(rule) || rule == "share_primal"), rule << " is not found in the sources");
}

}  // namespace boustro::ad::testing
