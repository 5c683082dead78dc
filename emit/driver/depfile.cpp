#include "emit/driver/depfile.hpp"

namespace boustro::driver {
namespace fs = std::filesystem;
namespace {

std::string escaped(const fs::path& path) {
  std::string result;
  for (const char c : path.string()) {
    if (c == '$') result += '$';
    if (c == ' ' || c == '#') result += '\\';
    result += c;
  }
  return result;
}

}  // namespace

std::string depfile_text(const std::vector<fs::path>& outputs, const std::vector<fs::path>& inputs) {
  std::string text;
  for (const fs::path& output : outputs) text += (text.empty() ? "" : " ") + escaped(output);
  text += ":";
  for (const fs::path& input : inputs) text += " \\\n  " + escaped(input);
  return text + "\n";
}

}  // namespace boustro::driver
