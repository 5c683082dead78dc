#include "templates/embedded.hpp"

#include <map>
#include <set>
#include <sstream>

namespace boustro::templates {

/// One file; the table is written by CMake.
struct EmbeddedFile {
  std::string_view name, extension, text;
};
extern const std::vector<EmbeddedFile> embedded_files;

namespace {

/// `"templates/wrapping_neg.hpp"` or `<cstdint>` without its quotes.
void add_include(Template& result, const std::string& quoted) {
  const std::string inner = quoted.substr(1, quoted.size() - 2);
  if (quoted.front() == '<') {
    result.system_headers.push_back(inner);
  } else {
    const auto begin = inner.find('/') + 1;
    result.templates.push_back(inner.substr(begin, inner.rfind('.') - begin));
  }
}

/// Functions of `.hpp` files are `inline` there; a copy is in an unnamed namespace, and CUDA may
/// call it anywhere.
std::string in_language(std::string line, Language language) {
  constexpr std::string_view specifier = "inline ";
  if (!line.starts_with(specifier)) return line;
  return (language == Language::cuda ? "__host__ __device__ " : "") + line.substr(specifier.size());
}

/// What stands before the text that is copied: the opening comment, of which `///` is no part.
bool is_opening(const std::string& line) {
  return line.empty() || line == "#pragma once" || line == "//" || line.starts_with("// ") || line.starts_with("# ");
}

Template take_apart(const EmbeddedFile& file, Language language) {
  Template result{file.name, {}, {}, {}};
  std::istringstream lines{std::string(file.text)};
  bool in_text = false;
  constexpr std::string_view include = "#include ";
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(include)) {
      add_include(result, line.substr(include.size()));
    } else if (in_text || !is_opening(line)) {
      in_text = true;
      result.text += in_language(line, language) + "\n";
    }
  }
  return result;
}

std::map<std::string_view, Template> all_of(Language language) {
  const std::string_view preferred = language == Language::cuda ? "cuh" : language == Language::cpp ? "hpp" : "py";
  std::map<std::string_view, Template> result;
  for (const EmbeddedFile& file : embedded_files) {
    const bool serves = file.extension == preferred || (language == Language::cuda && file.extension == "hpp");
    if (!serves) continue;
    if (file.extension == preferred || !result.contains(file.name)) {
      result.insert_or_assign(file.name, take_apart(file, language));
    }
  }
  return result;
}

}  // namespace

const Template* find(std::string_view name, Language language) {
  static const auto for_cuda = all_of(Language::cuda);
  static const auto for_cpp = all_of(Language::cpp);
  static const auto for_python = all_of(Language::python);
  const auto& all = language == Language::cuda ? for_cuda : language == Language::cpp ? for_cpp : for_python;
  const auto found = all.find(name);
  return found == all.end() ? nullptr : &found->second;
}

std::vector<std::string_view> all_names() {
  std::set<std::string_view> names;
  for (const EmbeddedFile& file : embedded_files) names.insert(file.name);
  return {names.begin(), names.end()};
}

}  // namespace boustro::templates
