// From a file's name to a core program: reading, parsing, checking, lowering.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "emit/driver/options.hpp"
#include "frontend/check/typed.hpp"
#include "frontend/source/diagnostics.hpp"
#include "transform/ir/ir.hpp"

namespace boustro::driver {

/// A program on its way, with all that was said about it.
struct Session {
  source::SourceMap sources;
  source::Diagnostics diagnostics;
  std::vector<std::string> folders;  // that imports may also come from
  std::string appendix;              // definitions that are read behind those of the file
  source::FileId main;
  std::string path;  // as given; "-" for standard input
  std::string name;  // of the program: `kmeans` for a/kmeans.fut, `stdin` for standard input
  std::vector<std::filesystem::path> files;  // that the program was read from, absolute: the main one and those that it imports
  std::vector<source::FileId> file_ids;      // the same, the main one first, also where it is standard input

  /// Prints the diagnostics to stderr. True if there is no error among them.
  bool report() const;
  /// Why the program was refused.
  std::string first_error() const;
};

/// Reads and parses a file with all that it imports and checks it. Nothing if there were errors;
/// the session has them.
std::optional<check::TypedProgram> load_typed(Session& session, const std::string& path);

/// What to make of a program besides what it says.
struct LoadSettings {
  std::vector<std::string> entries = {};        // keep only these; empty: all
  std::vector<std::string> extra_entries = {};  // functions that become entries
  bool printed = false;                         // the file is a dump
  std::vector<Derivative> derivatives = {};     // each becomes an entry: f_vjp or f_jvp
};

/// The same, lowered.
std::optional<ir::Program> load_core(Session& session, const std::string& path,
                                     const LoadSettings& settings = {});

}  // namespace boustro::driver
