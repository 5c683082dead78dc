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

/// Every name by which a rule, or a special case inside of one, says that it fired.
std::set<std::string> rules_in_sources() {
  std::set<std::string> rules;
  const std::regex says(R"re((?:builder\(\w+|trace\()[^;]*;)re"), name(R"re("((?:forward|reverse|keep|restore)\w*)")re");
  for (const auto& file : std::filesystem::recursive_directory_iterator(std::string(BOUSTRO_SOURCE_DIR) + "/transform/ad")) {
    if (file.path().extension() != ".cpp") continue;
    std::ifstream stream(file.path());
    const std::string text(std::istreambuf_iterator<char>(stream), {});
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

BOOST_AUTO_TEST_CASE(rules_say_that_they_fire) {
  const std::set<std::string> rules = rules_in_sources();
  BOOST_TEST(rules.size() >= 50U);
  for (const auto& [rule, count] : rule_counts()) BOOST_TEST(rules.contains(rule), rule << " is not found in the sources");
}

}  // namespace boustro::ad::testing
