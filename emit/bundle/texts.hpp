// The texts of a bundle that depend on its programs.
#pragma once

#include <string>
#include <vector>

#include "emit/run/program.hpp"

namespace boustro::bundle {

/// A file beside an emitted one, which is number `position` of the bundle: calls its entries on values.
std::string calls_text(const run::EmittedProgram& program, std::size_t position);

/// The main program, for emitted files of these names.
std::string main_text(const std::vector<std::string>& programs);

/// What the folder is and how to use it. `cases`: what it calls, as Markdown.
std::string readme_text(const std::string& cases);

}  // namespace boustro::bundle
