// What is written about the command line: manual pages and completions. All of it follows from the definition of the options.
#pragma once

#include <string>

#include "emit/pages/command.hpp"

namespace boustro::pages {

/// boustro.1: the program as a whole, for man.
std::string manual(const Command& program, const std::string& version);

/// boustro-translate.1 and so on: one of its sub-commands.
std::string manual(const Command& program, const Command& command, const std::string& version);

/// Scripts that complete words of command lines.
std::string bash_completion(const Command& program);
std::string zsh_completion(const Command& program);
std::string fish_completion(const Command& program);

}  // namespace boustro::pages
