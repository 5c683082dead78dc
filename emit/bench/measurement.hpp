// What was measured of a function and its derivatives.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace boustro::bench {

/// Of one function on one data set.
struct Measurement {
  std::string failure = {};          // why there are no times, or why the results are wrong; empty if there are and they are right
  std::vector<double> seconds = {};  // of each call
  std::uint64_t scratch_bytes = 0;   // of the caller's memory, beside arguments and results
  bool compared = false;             // with results that were expected
  std::map<std::string, double> kernels = {};  // seconds of each kernel and function of CUB in one call, where they were asked for
};

/// One of the functions that stand side by side: the function itself first, then its derivatives.
struct Variant {
  std::string label;  // `vjp`, `jvp`, or an entry's name; of the function itself, `primal`
  std::string entry;
};

/// A data set: a measurement for each variant.
struct Row {
  std::string data_set;
  std::vector<Measurement> measurements;
};

/// A function with its derivatives on its data sets.
struct Table {
  std::string program;  // the path of the file
  std::vector<Variant> variants;
  std::vector<Row> rows;
};

}  // namespace boustro::bench
