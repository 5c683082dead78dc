// The list of what is to be called: cases.tsv, a line for each entry point on each data set.
#pragma once

#include <fstream>
#include <string>
#include <vector>

#include "give_up.hpp"

namespace bundle {

struct Case {
  std::string program;    // of programs/PROGRAM.cu
  std::string entry;      // a function of it
  std::string role;       // `primal`, `vjp`, `jvp`, or another name for a derivative
  std::string primal;     // the entry whose derivative this one is; for `primal`, itself
  std::string data_set;   // its name
  std::string arguments;  // files of values
  std::string expected;
  std::string last_digits;  // how exactly the expected values were written down; or `-`
};

/// The first line is the head.
inline std::vector<Case> read_cases(const std::string& path) {
  std::ifstream file(path);
  if (!file) harness::give_up(("cannot read " + path).c_str());
  std::vector<Case> cases;
  std::string line;
  for (std::getline(file, line); std::getline(file, line);) {
    std::vector<std::string> fields(1);
    for (const char c : line) {
      if (c == '\t')
        fields.emplace_back();
      else
        fields.back() += c;
    }
    if (fields.size() != 8) harness::give_up((path + " has a line that is none of 8 fields: " + line).c_str());
    cases.push_back({fields[0], fields[1], fields[2], fields[3], fields[4], fields[5], fields[6], fields[7]});
  }
  return cases;
}

}  // namespace bundle
