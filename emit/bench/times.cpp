#include "emit/bench/times.hpp"

#include <fstream>
#include <string>

namespace boustro::bench {

Times read_times(const std::filesystem::path& path) {
  std::ifstream file(path);
  Times times;
  for (std::string line; std::getline(file, line) && !file.eof();) {
    if (line.starts_with("scratch ")) {
      times.scratch_bytes = std::stoull(line.substr(8));
    } else if (line == "again") {
      times.seconds.clear();
      times.again = true;
    } else {
      times.seconds.push_back(std::stod(line));
    }
  }
  return times;
}

}  // namespace boustro::bench
