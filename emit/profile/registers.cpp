#include "emit/profile/registers.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <regex>
#include <sstream>

#include "emit/run/toolchain.hpp"

namespace boustro::profile {
namespace {

std::string demangled(const std::string& mangled) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 ? text.get() : mangled;
}

/// The number before a word, as in `Used 62 registers`; 0 if there is none.
int number_before(const std::string& line, const std::string& word) {
  std::smatch number;
  return std::regex_search(line, number, std::regex("([0-9]+) " + word)) ? std::stoi(number[1]) : 0;
}

}  // namespace

std::string kernel_name(const std::string& text) {
  static const std::regex nameless("\\(anonymous namespace\\)::");
  std::string name = std::regex_replace(text, nameless, "");
  name.erase(std::min(name.find_first_of("<("), name.size()));
  const std::size_t before = name.find_last_of(" :");
  return before == name.npos ? name : name.substr(before + 1);
}

std::map<std::string, KernelNeeds> parse_ptxas(const std::string& output) {
  static const std::regex entry("Compiling entry function '([^']+)'");
  std::map<std::string, KernelNeeds> all;
  KernelNeeds* needs = nullptr;  // of the entry that was named last
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    if (std::smatch name; std::regex_search(line, name, entry)) {
      needs = &all[kernel_name(demangled(name[1]))];
    } else if (needs != nullptr) {
      needs->registers = std::max(needs->registers, number_before(line, "registers"));
      needs->static_shared_bytes = std::max(needs->static_shared_bytes, number_before(line, "bytes smem"));
      const int spilled =
          number_before(line, "bytes spill stores") + number_before(line, "bytes spill loads");
      needs->spill_bytes = std::max(needs->spill_bytes, spilled);
    }
  }
  return all;
}

std::map<std::string, KernelNeeds> kernel_needs(const run::EmittedProgram& program,
                                                const std::string& architecture) {
  const run::TemporaryFolder folder;
  run::write_file(folder.path() / program.source_name, program.source);
  run::write_file(folder.path() / program.header_name, program.header);
  return parse_ptxas(run::assemble_nvcc(folder.path() / program.source_name, architecture));
}

}  // namespace boustro::profile
