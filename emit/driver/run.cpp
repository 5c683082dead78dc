#include <iostream>
#include <iterator>

#include "emit/driver/commands.hpp"
#include "emit/driver/runner.hpp"
#include "frontend/values/read.hpp"
#include "frontend/values/write.hpp"

namespace boustro::driver {
namespace {

/// Standard input as values; complaints go to stderr.
std::optional<std::vector<values::Value>> read_arguments() {
  const std::string text(std::istreambuf_iterator<char>(std::cin), {});
  try {
    return values::read_values(text);
  } catch (const values::ReadError& error) {
    std::cerr << "<stdin>: error: " << error.what() << " (at byte " << error.offset << ")\n";
    return std::nullopt;
  }
}

}  // namespace

int run(const RunOptions& options) {
  Session session;
  auto core = load_core(session, options.file, {.entries = {options.entry}});
  std::optional<RunEntry> entry;
  if (core)
    entry = make_runner(session, std::move(*core), options.target, options.mode, options.look);
  if (!session.report() || !entry) return 1;
  const auto args = read_arguments();
  if (!args) return 1;
  try {
    for (const values::Value& value : (*entry)(options.entry, *args)) {
      if (options.binary) {
        std::cout << values::to_binary(value);
      } else {
        std::cout << values::to_text(value) << "\n";
      }
    }
    return 0;
  } catch (const RunError& error) {
    std::cerr << error.what() << "\n";
  } catch (const std::invalid_argument& error) {
    std::cerr << "error: " << error.what() << "\n";
  }
  return 1;
}

}  // namespace boustro::driver
