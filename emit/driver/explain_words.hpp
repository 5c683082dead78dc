// The words of the command line of `boustro explain` and `boustro rules`.
#pragma once

#include <CLI/CLI.hpp>

#include "emit/driver/derivative_words.hpp"
#include "emit/driver/option_checks.hpp"
#include "emit/driver/options.hpp"

namespace boustro::driver {

/// -o, --target, --entry, --vjp and the like, --profile; what all commands have is the caller's.
struct ExplainWords {
  ExplainOptions options = {};
  DerivativeWords derivatives = {};

  void add_to(CLI::App& command) {
    command.add_option("-o,--output", options.output, "the page to write, or - for standard output (default: F.html)")
        ->type_name("FILE")
        ->check(check_page);
    command.add_option("--target", options.target, "what to show beside the derivative")
        ->check(CLI::IsMember({"cuda", "cpp"}))
        ->capture_default_str();
    command.add_option("--entry", options.entries, "this entry point only; repeat for more");
    derivatives.add_to(command);
    command.add_option("--profile", options.profile, "a report that boustro profile --json has printed, to show as a table and in the plan")
        ->type_name("FILE")
        ->check(CLI::ExistingFile);
  }
  ExplainOptions value() const {
    ExplainOptions result = options;
    result.derivatives = derivatives.value();
    return result;
  }
};

struct RulesWords {
  RulesOptions options = {};

  void add_to(CLI::App& command) {
    command.add_option("names", options.names, "rules as `boustro derive` names them, or the first words of their names, as reverse_scan")
        ->check(check_rule);
  }
};

}  // namespace boustro::driver
