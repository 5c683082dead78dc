// nvcc_on_cpu: takes the place of nvcc where samples are built, for machines without a GPU: what it makes of .cu files runs on the CPU
// (templates/cuda_on_cpu), under sanitizers, or with NVCC_ON_CPU=races under the race detector. It knows -c, -o and FILES, and passes over
// all other options. A .cu file may include one header of its own folder.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <regex>
#include <stdexcept>
#include <string>
#include <vector>

#include "emit/run/process.hpp"
#include "emit/run/toolchain.hpp"

namespace boustro::run {
namespace {

namespace fs = std::filesystem;

struct CommandLine {
  bool compile_only = false;
  fs::path output = "a.out";
  std::vector<fs::path> files;
};

CommandLine parse(const std::vector<std::string>& words) {
  CommandLine result;
  for (auto word = words.begin(); word != words.end(); ++word) {
    if (*word == "-c")
      result.compile_only = true;
    else if (*word == "-o" && word + 1 != words.end())
      result.output = *++word;
    else if (!word->starts_with("-"))
      result.files.emplace_back(*word);
  }
  return result;
}

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("there is no file " + path.string());
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// With the first header that it includes from its folder.
verify::CudaText with_header(const fs::path& file) {
  verify::CudaText text{file.filename().string(), read_file(file), "", ""};
  const std::regex include("#include \"([^\"]+)\"");
  if (std::smatch found; std::regex_search(text.source, found, include)) {
    text.header_name = found[1];
    text.header = read_file(file.parent_path() / text.header_name);
  }
  return text;
}

Mode wanted_mode() {
  const char* const mode = std::getenv("NVCC_ON_CPU");
  return mode != nullptr && std::string(mode) == "races" ? Mode::races : Mode::asan;
}

void build(const CommandLine& line) {
  const Mode mode = wanted_mode();
  const TemporaryFolder work;
  std::vector<fs::path> objects;
  for (const fs::path& file : line.files) {
    if (file.extension() == ".o") {
      objects.push_back(file);
      continue;
    }
    objects.push_back(line.compile_only ? line.output
                                        : work.path() / file.filename().replace_extension(".o"));
    compile_cuda_for_cpu(with_header(file), mode, objects.back());
  }
  if (!line.compile_only) link_for_cpu(objects, mode, line.output);
}

}  // namespace
}  // namespace boustro::run

int main(int argc, char** argv) {
  try {
    boustro::run::build(boustro::run::parse({argv + 1, argv + argc}));
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
