#include "frontend/source/source.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace boustro::source {

SourceRange join(SourceRange a, SourceRange b) {
  if (!a.valid()) return b;
  if (!b.valid() || a.file != b.file) return a;
  return {a.file, std::min(a.begin, b.begin), std::max(a.end, b.end)};
}

FileId SourceMap::add(std::string name, std::string text, bool is_prelude) {
  File file{std::move(name), std::move(text), {0}, is_prelude};
  for (std::uint32_t i = 0; i < file.text.size(); ++i) {
    if (file.text[i] == '\n') file.line_starts.push_back(i + 1);
  }
  files_.push_back(std::move(file));
  return FileId{static_cast<std::int32_t>(files_.size()) - 1};
}

const std::string& SourceMap::name(FileId file) const {
  return files_.at(static_cast<std::size_t>(file.index)).name;
}

std::string_view SourceMap::text(FileId file) const {
  return files_.at(static_cast<std::size_t>(file.index)).text;
}

std::string_view SourceMap::text(SourceRange range) const {
  if (!range.valid()) return {};
  return text(range.file).substr(range.begin, range.end - range.begin);
}

Position SourceMap::position(SourceRange range) const {
  if (!range.valid()) return {};
  const auto& starts = files_.at(static_cast<std::size_t>(range.file.index)).line_starts;
  const auto after = std::upper_bound(starts.begin(), starts.end(), range.begin);
  const auto line = static_cast<int>(after - starts.begin());
  return {line, static_cast<int>(range.begin - *(after - 1)) + 1};
}

std::string_view SourceMap::line_at(SourceRange range) const {
  if (!range.valid()) return {};
  const std::string_view all = text(range.file);
  const std::size_t begin = range.begin - static_cast<std::size_t>(position(range).column - 1);
  std::size_t end = all.find('\n', begin);
  if (end == std::string_view::npos) end = all.size();
  if (end > begin && all[end - 1] == '\r') --end;
  return all.substr(begin, end - begin);
}

std::string SourceMap::file_and_line(SourceRange range) const {
  if (!range.valid()) return "<no source>";
  return fmt::format("{}:{}", name(range.file), position(range).line);
}

SourceRange SourceMap::shown(const std::vector<SourceRange>& at) const {
  const auto found = std::find_if(at.begin(), at.end(), [this](SourceRange range) { return range.valid() && !is_prelude(range); });
  if (found != at.end()) return *found;
  return at.empty() ? SourceRange{} : at.front();
}

bool SourceMap::is_prelude(SourceRange range) const {
  return files_.at(static_cast<std::size_t>(range.file.index)).is_prelude;
}

}  // namespace boustro::source
