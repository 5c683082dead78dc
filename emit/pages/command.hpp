// The command line as those see it who write about it: its sub-commands and options as plain values.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace boustro::pages {

/// What stands behind an option, or for a positional argument.
enum class Value { none, text, file, folder, choice, pass };

struct Option {
  std::vector<std::string> names;         // "-o", "--output"; of a positional argument "file"
  Value value = Value::none;
  std::string placeholder = {};           // "FILE", "cuda|cpp"; empty for a flag
  std::vector<std::string> choices = {};  // of Value::choice
  std::string standard = {};              // what it is if it is not given; empty: said in `help`, or nothing
  std::string help = {};
  std::string group = {};                 // a title: "Options", "Looking inside"
  bool positional = false, repeats = false;
};

struct Command {
  std::string name;
  std::string help;
  std::string legend;  // lines laid out by hand below the options; empty: none
  std::vector<Option> options;
  std::vector<Command> commands;
};

/// All that the definition of a command line says.
Command describe(const CLI::App& app);

}  // namespace boustro::pages
