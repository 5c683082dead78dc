#include "emit/run/toolchain.hpp"

#include <cstdlib>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "emit/run/own_files.hpp"
#include "emit/run/process.hpp"
#include "emit/verify/header_cache.hpp"

namespace boustro::run {
namespace fs = std::filesystem;
namespace {

void append(std::vector<std::string>& list, const std::vector<std::string>& more) {
  list.insert(list.end(), more.begin(), more.end());
}

std::vector<std::string> joined(const std::vector<std::vector<std::string>>& lists) {
  std::vector<std::string> all;
  for (const auto& list : lists) append(all, list);
  return all;
}

constexpr int compiler_seconds = 3600;  // more than any compiler takes that comes to an end
const char* const cpp_compiler = "g++";
const char* const cuda_on_cpu_compiler = "clang++-22";

std::string cuda_path() {
  const char* const path = std::getenv("CUDA_PATH");
  return path != nullptr ? path : "/usr/local/cuda";
}

fs::path own_headers() { return own_files() / "templates"; }
fs::path emulator_headers() { return own_headers() / "cuda_on_cpu"; }
fs::path emulator_folder(Mode mode) {
  static const std::map<Mode, const char*> names = {{Mode::plain, "plain"},
                                                    {Mode::asan, "asan"},
                                                    {Mode::races, "races"},
                                                    {Mode::counts, "counts"}};
  return own_files() / "cuda_on_cpu" / names.at(mode);
}
fs::path emulator_library(Mode mode) { return emulator_folder(mode) / "libcuda_on_cpu.a"; }

/// AddressSanitizer sees accesses by null pointers by itself; without checks of each, compilers take about an eighth less time.
const std::vector<std::string> asan_flags = {"-fsanitize=address,undefined", "-fno-sanitize=null,object-size", "-fno-sanitize-recover=all",
                                             "-fno-omit-frame-pointer"};

/// ... for the emulator: emitted code returns no addresses of variables, and looking for that takes up to half of the time.
const std::vector<std::string> emulator_asan_flags = joined({asan_flags, {"-fsanitize-address-use-after-return=never"}});

/// What makes the compiler report memory accesses; the emulator takes the place of
/// ThreadSanitizer's runtime.
const std::vector<std::string> reported_accesses = {"-fsanitize=thread", "-mllvm",
                                                    "-tsan-instrument-func-entry-exit=0", "-mllvm",
                                                    "-tsan-instrument-atomics=0"};

/// ... all of them, one by one: also reads before writes of the same place and of a thread's own
/// memory, and loops that could be one call of memcpy.
const std::vector<std::string> reported_singly = {"-mllvm", "-tsan-instrument-read-before-write",
                                                  "-mllvm", "-tsan-omit-by-pointer-capturing=0",
                                                  "-mllvm", "-disable-loop-idiom-all"};

/// What makes the compiler report the code that runs.
std::string reported_blocks() {
  return "-fpass-plugin=" + (emulator_folder(Mode::counts) / "count_blocks.so").string();
}

/// Code like nvcc's: what can be is inlined and kept in registers, and an instruction stays one.
const std::vector<std::string> optimised_as_for_gpu = {"-O2",
                                                       "-fno-vectorize",
                                                       "-fno-slp-vectorize",
                                                       "-mllvm",
                                                       "-inline-threshold=10000",
                                                       "-mllvm",
                                                       "-unroll-runtime=0",
                                                       "-mllvm",
                                                       "-unroll-allow-partial=0"};

/// What makes the compiler call the mode's checks.
std::vector<std::string> instrumentation(Mode mode) {
  switch (mode) {
    case Mode::plain:
      return {};
    case Mode::asan:
      return emulator_asan_flags;
    case Mode::races:
      return joined({{"-DCUDA_EMULATION_RACES", "-mllvm", "-tsan-distinguish-volatile=1"},
                     reported_accesses});
    case Mode::counts:
      return joined({{"-DCUDA_EMULATION_COUNTS", reported_blocks()},
                     reported_accesses,
                     reported_singly,
                     optimised_as_for_gpu});
  }
  return {};
}

/// What to install for a compiler, in words.
std::string remedy_for(const std::string& compiler) {
  if (compiler == cpp_compiler) return "Debian's package g++ has it";
  if (compiler == cuda_on_cpu_compiler) return "Debian's package clang-22 has it";
  return "the CUDA Toolkit has it, whose folder CUDA_PATH names";
}

void need_compiler(const std::string& compiler) {
  if (!is_available(compiler)) throw Missing(fmt::format("`{}` was not found: {}", compiler, remedy_for(compiler)));
}

void need_cuda_headers() {
  if (!verify::cuda_headers_available())
    throw Missing(fmt::format("CUDA's headers were not found in {}/include: the CUDA Toolkit has them, whose folder CUDA_PATH names", cuda_path()));
}

/// Returns its output.
std::string run_compiler(const std::string& compiler, const std::vector<std::string>& args) {
  need_compiler(compiler);
  const Outcome outcome = execute(compiler, args, {}, compiler_seconds);
  if (!outcome.ok())
    throw CompileError(fmt::format("{} {}\n{}", compiler, fmt::join(args, " "), outcome.output));
  return outcome.output;
}

std::vector<std::string> cuda_include_flags() {
  const std::string cuda = cuda_path();
  return {"-I",       emulator_headers().string(), "-I",       own_headers().string(),
          "-isystem", cuda + "/include",           "-isystem", cuda + "/include/cccl"};
}

std::vector<std::string> emulation_flags(Mode mode) {
  // Optimising what UndefinedBehaviorSanitizer adds takes much longer than running it as it is.
  const std::string optimisation = mode == Mode::asan ? "-O0" : "-O1";
  std::vector<std::string> flags = {"-std=c++17", optimisation, "-g1", "-include", "cuda_on_cpu.hpp"};
  append(flags, instrumentation(mode));
  append(flags, cuda_include_flags());
  return flags;
}

// What rewritten files and harnesses may include; that they include what they need has been verified.
const std::vector<std::string> emulated_headers = {
    "-include", "cub/cub.cuh",
    "-include", "thrust/iterator/counting_iterator.h",
    "-include", "thrust/iterator/tabulate_output_iterator.h",
    "-include", "thrust/iterator/transform_iterator.h"};
const std::vector<std::string> harness_headers = {"-include", "harness/cuda.hpp"};

/// Compiles a file, by headers that have been read before if there are any.
void compile_with_headers(const std::vector<std::string>& headers,
                          const std::vector<std::string>& flags, const fs::path& source,
                          const fs::path& object) {
  const std::string compiler = cuda_on_cpu_compiler;
  need_compiler(compiler);
  const auto precompile = joined({flags, headers, {"-x", "c++-header", "/dev/null"}});
  const auto cached = verify::cached_headers(precompile, [&](const fs::path& file) {
    return execute(compiler, joined({precompile, {"-o", file.string()}})).ok();
  });
  const auto compile = joined({flags, {"-c", source.string(), "-o", object.string()}});
  if (cached && execute(compiler, joined({{"-include-pch", cached->string()}, compile})).ok())
    return;
  run_compiler(compiler, compile);
  if (cached) verify::forget_headers(*cached);  // they have changed since
}

/// Flags by which the C++ compiler takes the standard headers of emitted files and harnesses from what it has read before, which takes
/// longer than all else about a small file. It looks for that beside a header in `folder`, and reads the header itself if it is of no use,
/// as after an upgrade.
std::vector<std::string> standard_headers(const std::vector<std::string>& flags, const fs::path& folder) {
  const fs::path header = folder / "standard.hpp";
  std::string text;
  for (const char* const name : {"algorithm", "chrono", "cmath", "cstdio", "cstdlib", "cstring", "limits", "string", "type_traits", "vector"})
    text += fmt::format("#include <{}>\n", name);
  const auto cached = verify::cached_headers(joined({{cpp_compiler, text}, flags}), [&](const fs::path& file) {
    write_file(header, text);
    return execute(cpp_compiler, joined({flags, {"-x", "c++-header", header.string(), "-o", file.string()}})).ok();
  });
  if (!cached) return {};
  write_file(header, text);
  std::error_code reads_them_itself;
  fs::create_symlink(*cached, folder / "standard.hpp.gch", reads_them_itself);
  return {"-include", header.string()};
}

std::string needed_nvcc() {
  const std::string nvcc = nvcc_path();
  if (nvcc.empty()) need_compiler("nvcc");
  return nvcc;
}

}  // namespace

void compile_cuda_for_cpu(const verify::CudaText& text, Mode mode, const fs::path& object) {
  need_cuda_headers();
  const verify::Rewritten rewritten = verify::rewrite_for_cpu(text);
  if (!rewritten.problems.empty())
    throw CompileError(fmt::format("{}", fmt::join(rewritten.problems, "\n")));
  const TemporaryFolder folder;
  const fs::path source = folder.path() / (text.name + ".cpp");
  write_file(source, rewritten.source);
  if (!text.header_name.empty()) write_file(folder.path() / text.header_name, text.header);
  compile_with_headers(emulated_headers, emulation_flags(mode), source, object);
}

void compile_cuda_host(const fs::path& source, Mode mode, const fs::path& object) {
  std::vector<std::string> flags = {"-std=c++17", "-O1", "-g1"};
  // Host code has no races of ours to find.
  if (mode == Mode::asan) append(flags, emulator_asan_flags);
  append(flags, cuda_include_flags());
  compile_with_headers(harness_headers, flags, source, object);
}

void compile_cuda_host_alone(const fs::path& source, const fs::path& object) {
  need_cuda_headers();
  const std::string cuda = cuda_path();
  run_compiler(cuda_on_cpu_compiler, {"-std=c++17", "-O1", "-x", "c++", "-isystem", cuda + "/include", "-c", source.string(),
                                      "-o", object.string()});
}

void link_for_cpu(const std::vector<fs::path>& objects, Mode mode, const fs::path& program) {
  std::vector<std::string> args;
  for (const fs::path& object : objects) args.push_back(object.string());
  args.push_back(emulator_library(mode).string());
  append(args, {"-lboost_context", "-o", program.string()});
  if (mode == Mode::asan) append(args, asan_flags);
  run_compiler(cuda_on_cpu_compiler, args);
}

void compile_cpp(const std::vector<fs::path>& sources, Mode mode,
                 const std::vector<std::string>& flags, const fs::path& program) {
  std::vector<std::string> args = {"-std=c++17", "-I", own_headers().string()};
  append(args, flags);
  if (mode == Mode::asan) append(args, asan_flags);
  const TemporaryFolder folder;
  append(args, standard_headers(args, folder.path()));
  for (const fs::path& source : sources) args.push_back(source.string());
  append(args, {"-o", program.string()});
  run_compiler(cpp_compiler, args);
}

void compile_counted_cpp(const fs::path& source, const fs::path& harness, const fs::path& program) {
  const TemporaryFolder folder;
  const fs::path object = folder.path() / "counted.o";
  const std::vector<std::string> common = {"-std=c++17", "-DHARNESS_COUNT_NESTS",
                                           "-DCUDA_EMULATION_COUNTS", "-I",
                                           own_headers().string()};
  run_compiler(cuda_on_cpu_compiler, joined({common,
                                             optimised_as_for_gpu,
                                             reported_accesses,
                                             reported_singly,
                                             {reported_blocks()},
                                             {"-c", source.string(), "-o", object.string()}}));
  run_compiler(cuda_on_cpu_compiler,
               joined({common,
                       {"-O1", object.string(), harness.string(),
                        (emulator_headers() / "count_nests.cpp").string(),
                        (emulator_headers() / "footprint.cpp").string(), "-o", program.string()}}));
}

void compile_nvcc(const std::vector<fs::path>& sources, const std::vector<std::string>& flags, const std::string& architecture) {
  const std::string nvcc = needed_nvcc();
  std::vector<std::string> args = {
      "-std=c++17",
      "-arch=" + architecture,
      "-Werror",
      "all-warnings",
      "-Xcompiler=-Wall,-Wextra,-Wconversion,-Wsign-conversion,-Wshadow",
      "-I",
      own_headers().string()};
  append(args, flags);
  for (const fs::path& source : sources) args.push_back(source.string());
  run_compiler(nvcc, args);
}

std::string assemble_nvcc(const fs::path& source, const std::string& architecture) {
  const TemporaryFolder folder;
  return run_compiler(needed_nvcc(),
                      {"-std=c++17", "-arch=" + architecture, "-cubin", "-Xptxas", "-v", "-o",
                       (folder.path() / "kernels.cubin").string(), source.string()});
}

std::string nvcc_path() {
  for (const std::string& candidate : {cuda_path() + "/bin/nvcc", std::string("nvcc")}) {
    if (is_available(candidate)) return candidate;
  }
  return "";
}

}  // namespace boustro::run
