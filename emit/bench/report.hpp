// What is shown of measurements.
#pragma once

#include <string>
#include <vector>

#include "emit/bench/measurement.hpp"

namespace boustro::bench {

/// The name of a function in reports, as `futhark bench` makes it: `a/b.fut:entry`, of `main` the file alone.
std::string full_name(const std::string& program, const std::string& entry);

/// A line for each data set, functions side by side, with the ratio of each derivative's mean to that of the function
/// itself; then a line for each failure.
std::string table_text(const Table& table);

/// All of them in the format of `futhark bench --json`: for each function the data sets, of each the `runtimes` in whole
/// microseconds and `bytes` of memory, or a text if it failed. Besides, `nanoseconds`, whether results were
/// `compared`, nanoseconds of `kernels` where they were measured, and of derivatives `primal` and `ratio`.
std::string json_text(const std::vector<Table>& tables);

/// Whether something failed.
bool has_failures(const Table& table);

}  // namespace boustro::bench
