// The files of a program: the main one and those that it imports, parsed.
//
// Futhark's rule: `import "a/b"` is the file a/b.fut next to the file that says so. Two paths to
// the same place are the same file, which is read once.
#pragma once

#include <deque>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "frontend/ast/syntax.hpp"
#include "frontend/source/diagnostics.hpp"

namespace boustro::imports {

struct File {
  source::FileId id;
  std::filesystem::path path;  // absolute, without `.` and `..`
  ast::Program syntax;
  std::map<std::string, const File*> imports = {};  // what each path between quotes stands for
};

/// `main` imports the others, directly or not; no file imports itself. An import that failed is in
/// no File::imports.
struct Program {
  std::deque<File> files;
  const File* main = nullptr;
};

/// Parses the main file, whose text is `text`, and all that it imports. `path` says where it lies
/// (a file that need not exist). Files outside the folder of `path` are read only if they lie in
/// one of `folders`. Everything wrong is reported.
Program read_program(const std::string& path, source::FileId main,
                     const std::vector<std::string>& folders, source::SourceMap& sources,
                     source::Diagnostics& diagnostics);

}  // namespace boustro::imports
