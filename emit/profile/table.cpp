#include "emit/profile/table.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace boustro::profile {

std::string aligned(const std::vector<Line>& lines) {
  std::vector<std::size_t> widths(lines.at(0).size());
  for (const Line& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
  }
  std::string text;
  for (const Line& line : lines) {
    std::string row = fmt::format("{:<{}}", line[0], widths[0]);
    for (std::size_t i = 1; i < line.size(); ++i) row += fmt::format("  {:>{}}", line[i], widths[i]);
    text += row.substr(0, row.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

std::string time_text(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.2f} us", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.2f} ms", seconds * 1e3);
  return fmt::format("{:.2f} s", seconds);
}

std::string percent_text(double part) { return fmt::format("{:.0f}%", part * 100); }

}  // namespace boustro::profile
