// Manual pages in the macros of man(7).
#include <cctype>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "emit/pages/pages.hpp"

namespace boustro::pages {
namespace {

const char* const exit_status = R"(.SH EXIT STATUS
.TP
0
Done.
.TP
1
A mistake in the program or its input, something that is not supported, or something missing on this machine.
.TP
2
Bad usage.
.TP
3
Merged, with lines that remain to choose from.
.TP
70
A bug of boustro.
)";

const char* const environment = R"(.SH ENVIRONMENT
.TP
.B CUDA_PATH
The folder of the CUDA Toolkit, if it is not /usr/local/cuda.
.TP
.B BOUSTRO_CACHE
A folder for what Clang made of CUDA's headers, instead of ~/.cache/boustro; none is kept if it is empty.
.TP
.B BOUSTRO_HOME
The folder of the headers and libraries that programs are compiled with, instead of lib/boustro below the prefix of the program.
)";

/// Text that man shows as it is.
std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else if ((c == '.' || c == '\'') && (result.empty() || result.back() == '\n')) {
      result += std::string("\\&") + c;
    } else {
      result += c;
    }
  }
  return result;
}

/// ... with what stands in backquotes in bold.
std::string prose(const std::string& text) {
  std::string result;
  bool code = false;
  for (const char c : escaped(text)) {
    if (c != '`') {
      result += c;
      continue;
    }
    code = !code;
    result += code ? "\\fB" : "\\fR";
  }
  return result;
}

std::string bold(const std::string& text) { return "\\fB" + escaped(text) + "\\fR"; }
std::string italic(const std::string& text) { return "\\fI" + escaped(text) + "\\fR"; }

std::string head(const std::string& page, const std::string& version, const std::string& about) {
  return fmt::format(".TH {} 1 \"\" \"boustro {}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n", page, version, escaped(page), prose(about));
}

/// `-o FILE, --output FILE` as one line, and what it does.
std::string entry_of(const Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.names) names.push_back(option.positional ? italic(name) : bold(name));
  std::string line = fmt::format("{}", fmt::join(names, ", "));
  if (!option.positional && !option.placeholder.empty())
    line += " " + (option.value == Value::choice ? escaped(option.placeholder) : italic(option.placeholder));
  if (!option.standard.empty()) line += escaped(" (default: " + option.standard + ")");
  return ".TP\n" + line + "\n" + prose(option.help) + "\n";
}

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

/// Positional arguments first, then a section for each group.
std::string options_of(const Command& command) {
  std::string result, last;
  for (const bool positional : {true, false}) {
    for (const Option& option : command.options) {
      if (option.positional != positional || option.group.empty()) continue;
      const std::string title = positional ? "ARGUMENTS" : upper(option.group);
      if (title != last) result += ".SH " + title + "\n";
      last = title;
      result += entry_of(option);
    }
  }
  return result;
}

std::string synopsis(const Command& program, const Command& command) {
  std::string line = bold(program.name + " " + command.name) + " [" + italic("options") + "]";
  for (const Option& option : command.options)
    if (option.positional) line += " " + italic(option.names.at(0)) + (option.repeats ? "..." : "");
  return ".SH SYNOPSIS\n" + line + "\n";
}

}  // namespace

std::string manual(const Command& program, const std::string& version) {
  // `Boustro: what it is`: the name stands there already.
  const std::size_t name_end = program.help.find(": ");
  std::string result = head(program.name, version, name_end == std::string::npos ? program.help : program.help.substr(name_end + 2));
  result += fmt::format(".SH SYNOPSIS\n{} [{}]\n.br\n{} {} ...\n", bold(program.name), italic("options"), bold(program.name), italic("command"));
  result += ".SH COMMANDS\n";
  for (const Command& command : program.commands)
    result += fmt::format(".TP\n.BR {} (1)\n{}\n", escaped(program.name + "-" + command.name), prose(command.help));
  return result + options_of(program) + environment + exit_status;
}

std::string manual(const Command& program, const Command& command, const std::string& version) {
  std::string result = head(program.name + "-" + command.name, version, command.help);
  result += synopsis(program, command) + options_of(command);
  if (!command.legend.empty()) result += ".SH NOTES\n.nf\n" + escaped(command.legend) + "\n.fi\n";
  return result + exit_status + ".SH SEE ALSO\n.BR " + escaped(program.name) + " (1)\n";
}

}  // namespace boustro::pages
