// boustro cuda-on-cpu: stands in for nvcc where emitted CUDA is to run on the CPU.
#include <algorithm>
#include <filesystem>
#include <iostream>

#include "emit/driver/commands.hpp"
#include "emit/run/toolchain.hpp"
#include "frontend/values/read.hpp"

namespace boustro::driver {
namespace {

namespace fs = std::filesystem;

/// Other files call CUDA's functions, as any C++ may.
bool has_device_code(const std::string& text) {
  for (const char* const word : {"__global__", "__device__", "cub::", "thrust::"})
    if (text.find(word) != text.npos) return true;
  return false;
}

/// What is emitted includes its header and nothing else of its folder.
void compile_for_cpu(const fs::path& source, const fs::path& object) {
  const std::string text = values::read_file(source.string());
  if (!has_device_code(text)) return run::compile_cuda_host_alone(source, object);
  const fs::path header = fs::path(source).replace_extension(".hpp");
  verify::CudaText emitted{source.filename().string(), text, "", ""};
  if (fs::exists(header)) {
    emitted.header_name = header.filename().string();
    emitted.header = values::read_file(header.string());
  }
  run::compile_cuda_for_cpu(emitted, run::Mode::plain, object);
}

}  // namespace

int cuda_on_cpu(const CudaOnCpuOptions& options) {
  try {
    if (options.compile) {
      compile_for_cpu(options.files.at(0), options.output);
    } else {
      run::link_for_cpu({options.files.begin(), options.files.end()}, run::Mode::plain, options.output);
    }
    return 0;
  } catch (const run::CompileError& error) {
    std::cerr << error.what() << "\n";
  } catch (const std::system_error& error) {
    std::cerr << "error: " << error.what() << "\n";
  }
  return 1;
}

}  // namespace boustro::driver
