#include <cmath>

#include <nlohmann/json.hpp>

#include "emit/bench/report.hpp"
#include "templates/harness/statistics.hpp"

namespace boustro::bench {
namespace {

using nlohmann::ordered_json;

/// Whole numbers of a unit: of microseconds, 1e6. `futhark benchcmp` reads no others.
ordered_json times_in(double unit, const std::vector<double>& seconds) {
  ordered_json times = ordered_json::array();
  for (const double time : seconds) times.push_back(std::llround(time * unit));
  return times;
}

ordered_json measurement_json(const Measurement& measurement) {
  if (!measurement.failure.empty()) return measurement.failure;
  ordered_json json = {{"runtimes", times_in(1e6, measurement.seconds)},
                       {"bytes", {{"scratch", measurement.scratch_bytes}}},
                       {"nanoseconds", times_in(1e9, measurement.seconds)},
                       {"compared", measurement.compared}};
  for (const auto& [name, seconds] : measurement.kernels) json["kernels"][name] = std::llround(seconds * 1e9);
  return json;
}

/// Of a derivative, how it compares with the function.
void add_ratio(ordered_json& derivative, const Measurement& measurement, const Measurement& primal,
               const std::string& primal_name) {
  if (!measurement.failure.empty() || !primal.failure.empty()) return;
  const double mean = harness::statistics_of(primal.seconds).mean;
  derivative["primal"] = primal_name;
  if (mean > 0) derivative["ratio"] = harness::statistics_of(measurement.seconds).mean / mean;
}

}  // namespace

std::string json_text(const std::vector<Table>& tables) {
  ordered_json report = ordered_json::object();
  for (const Table& table : tables) {
    const std::string primal_name = full_name(table.program, table.variants.at(0).entry);
    for (std::size_t v = 0; v < table.variants.size(); ++v) {
      ordered_json& data_sets = report[full_name(table.program, table.variants[v].entry)]["datasets"];
      if (data_sets.is_null()) data_sets = ordered_json::object();
      for (const Row& row : table.rows) {
        ordered_json& entry = data_sets[row.data_set] = measurement_json(row.measurements.at(v));
        if (v > 0) add_ratio(entry, row.measurements[v], row.measurements[0], primal_name);
      }
    }
  }
  return report.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace boustro::bench
