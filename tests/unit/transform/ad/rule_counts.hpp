// How often each rule of differentiation fired in this run of the tests, and how often in a derivative that was then evaluated
// and was not zero. Printed at the end of the run: rule_counts.cpp.
#pragma once

#include <map>
#include <string>

#include "transform/ad/ad.hpp"

namespace boustro::ad::testing {

struct RuleCount {
  int fired = 0, nonzero = 0;
};

inline std::map<std::string, RuleCount>& rule_counts() {
  static std::map<std::string, RuleCount> counts;
  return counts;
}

/// How often each rule fired in one derivative.
using Fired = std::map<std::string, int>;

/// Options that count in `fired`, and in the table.
inline Options counting(Fired& fired) {
  Options options;
  options.trace = [&fired](const std::string& rule, source::SourceRange) {
    ++fired[rule];
    ++rule_counts()[rule].fired;
  };
  return options;
}

/// The derivative of these rules was evaluated, and was not zero.
inline void count_nonzero(const Fired& fired) {
  for (const auto& [rule, times] : fired) rule_counts()[rule].nonzero += times;
}

}  // namespace boustro::ad::testing
