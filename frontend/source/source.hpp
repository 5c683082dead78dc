// Source files and places in them. Every diagnostic, syntax tree node and core statement points at
// its text through a SourceRange.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace boustro::source {

/// Index of a file in a SourceMap.
struct FileId {
  std::int32_t index = -1;
  auto operator<=>(const FileId&) const = default;
};

/// Half-open range of byte offsets in one file. A default-constructed range points nowhere; code that
/// has no source, such as the result of a test's builder, carries that.
struct SourceRange {
  FileId file;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  bool valid() const { return file.index >= 0; }
  auto operator<=>(const SourceRange&) const = default;
};

/// The smallest range that covers both; the valid one if only one is.
SourceRange join(SourceRange a, SourceRange b);

/// Line and column, both counted from 1. A column counts bytes, as GCC and Clang do.
struct Position {
  int line = 0;
  int column = 0;
};

/// Owns the text of every file that was read. Append-only, so ranges and views stay valid as long as
/// the map lives.
class SourceMap {
 public:
  /// Adds a file under the name that diagnostics print. The text is kept as it is. `is_prelude`: it comes
  /// with the program, and is not what a user wrote.
  FileId add(std::string name, std::string text, bool is_prelude = false);

  const std::string& name(FileId file) const;
  std::string_view text(FileId file) const;
  /// The text of a range; empty if the range points nowhere.
  std::string_view text(SourceRange range) const;

  Position position(SourceRange range) const;  // of the range's begin
  /// The whole line in which the range begins, without its line break.
  std::string_view line_at(SourceRange range) const;
  /// `file.fut:7`, or `<no source>`.
  std::string file_and_line(SourceRange range) const;
  /// What to show of a place and the calls that led there, innermost first: the first one that is not in
  /// the prelude; if all are, the first. Points nowhere if there is none.
  SourceRange shown(const std::vector<SourceRange>& at) const;
  /// The range lies in a file of the prelude.
  bool is_prelude(SourceRange range) const;

 private:
  struct File {
    std::string name;
    std::string text;
    std::vector<std::uint32_t> line_starts;
    bool is_prelude = false;
  };
  std::vector<File> files_;
};

}  // namespace boustro::source
