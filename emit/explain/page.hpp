// The page of `boustro explain`: one file that needs no other.
#pragma once

#include <string>
#include <vector>

#include "emit/run/program.hpp"

namespace boustro::explain {

struct SourceFile {
  std::string name, text;  // the name as in provenance
};

/// The program after a pass.
struct Dump {
  std::string pass, describe;
  bool changed = true;
  std::string text;  // empty if nothing changed
};

/// What the page is about. Origins are those of transform/raise/raise.hpp.
struct PageInput {
  std::string program;  // "kmeans"
  std::string command;  // that wrote the page, for its foot
  std::vector<SourceFile> files;  // the program first, then what it imports
  std::string derivative;
  std::vector<std::string> derivative_origins;  // of its lines
  run::EmittedProgram emitted;                  // with origins
  std::vector<Dump> dumps;
  std::string profile;  // as `boustro profile --json` printed it; empty: none
};

/// All that the page shows, as JSON.
std::string page_data(const PageInput& input);

/// The page: the template of templates/explain with its style, its scripts and the data in it.
std::string page(const PageInput& input);

/// What is wrong with a text that should be a report of `boustro profile --json`; empty if nothing is.
std::string complaint_about_profile(const std::string& text);

}  // namespace boustro::explain
