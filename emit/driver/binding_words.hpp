// The words of a command line that ask for bindings.
#pragma once

#include <algorithm>
#include <string>

#include <CLI/CLI.hpp>

#include "emit/driver/options.hpp"

namespace boustro::driver {

/// --bindings python,torch --double
struct BindingWords {
  std::vector<std::string> kinds;
  bool twice = false;

  void add_to(CLI::App& command) {
    command
        .add_option("--bindings", kinds,
                    "also write files with which Python calls the functions, on arrays of NumPy, PyTorch or JAX; the last two with "
                    "derivatives; for the CPU unless --target cuda is given, which adds GPUs")
        ->delimiter(',')
        ->take_all()
        ->allow_extra_args(false)  // one word each time, or it would swallow the program behind it
        ->check(CLI::IsMember({"python", "torch", "jax"}));
    command.add_flag("--double", twice, "bindings of torch and jax differentiate twice");
  }

  /// Into the options of a command line that has been parsed.
  void apply(const CLI::App& command, TranslateOptions& options) const {
    const auto asks_for = [&](const char* kind) { return std::find(kinds.begin(), kinds.end(), kind) != kinds.end(); };
    if (twice && !asks_for("torch") && !asks_for("jax")) throw CLI::ValidationError("--double", "needs --bindings torch or jax");
    if (kinds.empty()) return;
    if (command.count("--target") == 0) options.target = "cpp";
    if (asks_for("python") && options.target != "cpp")
      throw CLI::ValidationError("--bindings", "python needs --target cpp: arrays of NumPy are in host memory");
    if (asks_for("torch") && command.count("--jvp") > 0)
      throw CLI::ValidationError("--jvp", "PyTorch differentiates in reverse: --bindings torch needs --vjp, or neither of them");
    if (asks_for("jax") && command.count("--jvp") > 0 && command.count("--wrt") > 0)
      throw CLI::ValidationError("--wrt", "bindings of jax take tangents of all parameters: --jvp goes without it");
    options.bindings = kinds;
    options.differentiate_twice = twice;
  }
};

}  // namespace boustro::driver
