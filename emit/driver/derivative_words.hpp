// The words of a command line that ask for a derivative.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "emit/driver/option_checks.hpp"
#include "emit/driver/options.hpp"

namespace boustro::driver {

/// --vjp f, --jvp f, --wrt x,y
struct DerivativeWords {
  std::string vjp, jvp;
  std::vector<std::string> wrt;

  void add_to(CLI::App& command) {
    auto* const reverse =
        command
            .add_option("--vjp", vjp,
                        "add the reverse-mode derivative of this function as an entry")
            ->check(check_not_empty);
    command
        .add_option("--jvp", jvp, "add the forward-mode derivative of this function as an entry")
        ->check(check_not_empty)
        ->excludes(reverse);
    command
        .add_option("--wrt", wrt,
                    "differentiate with respect to these parameters (default: all floats)")
        ->delimiter(',');
  }
  std::optional<Derivative> value() const {
    if (!vjp.empty()) return Derivative{true, vjp, wrt};
    if (!jvp.empty()) return Derivative{false, jvp, wrt};
    if (!wrt.empty()) throw CLI::ValidationError("--wrt", "needs --vjp or --jvp");
    return std::nullopt;
  }
};

}  // namespace boustro::driver
