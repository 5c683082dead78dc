// boustro_pages FOLDER: writes the manual pages and completions of boustro. The build runs it.
#include <filesystem>
#include <iostream>

#include "emit/driver/options.hpp"
#include "emit/pages/pages.hpp"
#include "emit/run/process.hpp"

int main(int count, char** words) {
  using namespace boustro;
  namespace fs = std::filesystem;
  if (count != 2) {
    std::cerr << "usage: boustro_pages FOLDER\n";
    return 2;
  }
  try {
    pages::Command program;
    driver::describe_options([&](const CLI::App& app) { program = pages::describe(app); });
    const fs::path folder = words[1];
    fs::create_directories(folder);
    run::write_file(folder / "boustro.1", pages::manual(program, BOUSTRO_VERSION));
    for (const pages::Command& command : program.commands)
      run::write_file(folder / ("boustro-" + command.name + ".1"), pages::manual(program, command, BOUSTRO_VERSION));
    run::write_file(folder / "boustro.bash", pages::bash_completion(program));
    run::write_file(folder / "_boustro", pages::zsh_completion(program));
    run::write_file(folder / "boustro.fish", pages::fish_completion(program));
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "error: " << error.what() << "\n";
    return 1;
  }
}
