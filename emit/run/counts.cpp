#include "emit/run/counts.hpp"

#include <fstream>
#include <sstream>

#include "frontend/source/diagnostics.hpp"

namespace boustro::run {
namespace {

CountedWork parse_line(const std::string& line) {
  std::istringstream words(line);
  CountedWork result;
  std::getline(words, result.work, '\t');
  std::getline(words, result.name, '\t');
  for (const auto& counter : cuda_emulation::counters) words >> result.counts.*counter.number;
  source::internal_check(!words.fail(), "run: counts are incomplete");
  return result;
}

}  // namespace

std::vector<CountedWork> read_counts(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::vector<CountedWork> result;
  std::string line;
  std::getline(file, line);  // column names
  while (std::getline(file, line)) result.push_back(parse_line(line));
  return result;
}

Counts total_of(const std::vector<CountedWork>& all) {
  Counts total;
  for (const CountedWork& work : all) cuda_emulation::add(total, work.counts);
  return total;
}

}  // namespace boustro::run
