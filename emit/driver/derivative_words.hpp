// The words of a command line that ask for a derivative.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "emit/driver/option_checks.hpp"
#include "emit/driver/options.hpp"

namespace boustro::driver {

/// --vjp f, --jvp f, --wrt x,y
struct DerivativeWords {
  std::vector<std::string> vjp, jvp;
  std::vector<std::string> wrt;

  void add_to(CLI::App& command) {
    command
        .add_option("--vjp", vjp, "add the reverse-mode derivative of this function as an entry; repeat for more")
        ->allow_extra_args(false)
        ->check(check_not_empty);
    command
        .add_option("--jvp", jvp, "add the forward-mode derivative of this function as an entry; repeat for more")
        ->allow_extra_args(false)
        ->check(check_not_empty);
    command
        .add_option("--wrt", wrt,
                    "differentiate with respect to these parameters (default: all floats)")
        ->delimiter(',');
  }
  std::vector<Derivative> value() const {
    std::vector<Derivative> all;
    for (const std::string& function : vjp) all.push_back({true, function, wrt});
    for (const std::string& function : jvp) all.push_back({false, function, wrt});
    if (all.empty() && !wrt.empty()) throw CLI::ValidationError("--wrt", "needs --vjp or --jvp");
    return all;
  }
};

}  // namespace boustro::driver
