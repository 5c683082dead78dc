#include "emit/driver/merge.hpp"

#include <git2.h>

#include "frontend/source/diagnostics.hpp"

namespace boustro::driver {
namespace {

const std::string first_mark = "<<<<<<< ";

/// libgit2 counts who uses it.
struct LibraryInUse {
  LibraryInUse() { git_libgit2_init(); }
  ~LibraryInUse() { git_libgit2_shutdown(); }
  LibraryInUse(const LibraryInUse&) = delete;
  LibraryInUse& operator=(const LibraryInUse&) = delete;
};

struct Result : git_merge_file_result {
  Result() : git_merge_file_result{} {}
  ~Result() { git_merge_file_result_free(this); }
  Result(const Result&) = delete;
  Result& operator=(const Result&) = delete;
  std::string text() const { return len == 0 ? "" : std::string(ptr, len); }
};

git_merge_file_input input(const std::string& text) {
  git_merge_file_input result = GIT_MERGE_FILE_INPUT_INIT;
  result.ptr = text.data();
  result.size = text.size();
  return result;
}

git_merge_file_options options() {
  git_merge_file_options result = GIT_MERGE_FILE_OPTIONS_INIT;
  result.our_label = "edited";
  result.ancestor_label = "emitted before";
  result.their_label = "emitted now";
  result.flags = GIT_MERGE_FILE_STYLE_ZDIFF3;
  return result;
}

/// Of text whose line ends are all "\n".
std::string merge_lines(const Versions& versions) {
  const LibraryInUse library;
  const git_merge_file_input edited = input(versions.edited), base = input(versions.base), emitted = input(versions.emitted);
  const git_merge_file_options how = options();
  Result result;
  const int error = git_merge_file(&result, &base, &edited, &emitted, &how);
  source::internal_check(error == 0, "merge: libgit2 cannot merge texts in memory");
  return result.text();
}

/// Some editors write "\r\n" at the end of each line, and so does git where it is told to.
bool ends_lines_with_crlf(const std::string& text) {
  for (std::size_t at = text.find('\n'); at != text.npos; at = text.find('\n', at + 1))
    if (at == 0 || text[at - 1] != '\r') return false;
  return text.find('\n') != text.npos;
}

std::string with_lf(const std::string& text) {
  if (!ends_lines_with_crlf(text)) return text;
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] != '\r' || i + 1 == text.size() || text[i + 1] != '\n') result += text[i];
  return result;
}

std::string with_crlf(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '\n') result += '\r';
    result += c;
  }
  return result;
}

}  // namespace

Merged merge(const Versions& versions) {
  const std::string text = merge_lines({with_lf(versions.edited), with_lf(versions.base), with_lf(versions.emitted)});
  Merged result{ends_lines_with_crlf(versions.edited) ? with_crlf(text) : text, {}};
  result.conflicts = conflicts_in(result.text);
  return result;
}

std::vector<std::size_t> conflicts_in(std::string_view text) {
  std::vector<std::size_t> result;
  for (std::size_t at = text.find(first_mark); at != text.npos; at = text.find(first_mark, at + 1))
    if (at == 0 || text[at - 1] == '\n') result.push_back(at);
  return result;
}

}  // namespace boustro::driver
