#include "nvcc.hpp"

#include <algorithm>
#include <functional>
#include <iterator>

#include <fmt/format.h>

#include "emit/run/process.hpp"
#include "emit/run/toolchain.hpp"
#include "translation.hpp"

namespace boustro::tests {
namespace {

namespace fs = std::filesystem;

/// What keeps newer versions of nvcc from optimising code that nobody runs. With `max` they leave CUB's many small functions as they are,
/// and the assembler takes longer than is saved.
std::vector<std::string> quickly() {
  static const bool can = run::execute(run::nvcc_path(), {"--help"}).output.find("Ofast-compile") != std::string::npos;
  return can ? std::vector<std::string>{"--Ofast-compile=mid"} : std::vector<std::string>{};
}

/// Without the assembler, a fifth of the time; it sees the samples (test_linking, and their golden files).
constexpr const char* only_ptx = "compute_90";

/// One file that includes those that the programs become, each in a namespace of its own: nvcc reads CUB once for all of them.
fs::path write_together(const fs::path& folder, const std::vector<fs::path>& paths, const std::string& suffix = "") {
  fs::create_directory(folder);
  std::string text;
  for (const fs::path& path : paths) {
    const run::EmittedProgram emitted = Translation(path, plan::Target::gpu, path.stem().string() + suffix).emitted;
    run::write_file(folder / emitted.header_name, emitted.header);
    run::write_file(folder / emitted.source_name, emitted.source);
    text += fmt::format("#include \"{}\"\n", emitted.source_name);
  }
  const fs::path result = folder / "together.cu";
  run::write_file(result, text);
  return result;
}

void test_nvcc(const std::vector<fs::path>& paths) {
  const run::TemporaryFolder folder;
  const fs::path source = write_together(folder.path() / "only", paths);
  std::vector<std::string> flags = quickly();
  flags.insert(flags.end(), {"-c", "-o", (folder.path() / "only.o").string()});
  BOOST_CHECK_NO_THROW(run::compile_nvcc({source}, flags, only_ptx));
}

/// Two files of one sample, in namespaces of their own, make one library. Of two samples, which have tiles, and scans by CUB.
void test_linking(const std::vector<fs::path>& samples) {
  const run::TemporaryFolder folder;
  std::vector<fs::path> twice;
  std::copy_if(samples.begin(), samples.end(), std::back_inserter(twice), [](const fs::path& path) { return path.stem() == "kmeans" || path.stem() == "recurrence"; });
  BOOST_REQUIRE(twice.size() == 2);
  std::vector<fs::path> sources = {write_together(folder.path() / "first", samples, "_first"),
                                   write_together(folder.path() / "second", twice, "_second"),
                                   folder.path() / "main.cu"};
  run::write_file(sources.back(), "int main() { return 0; }\n");
  std::vector<std::string> flags = quickly();
  flags.insert(flags.end(), {"-o", (folder.path() / "linked").string()});
  BOOST_CHECK_NO_THROW(run::compile_nvcc(sources, flags));
}

void add(boost::unit_test::test_suite& suite, const std::string& name, const std::function<void()>& test) {
  suite.add(boost::unit_test::make_test_case(test, name, __FILE__, __LINE__));
}

}  // namespace

void add_nvcc(const std::vector<fs::path>& samples, const std::vector<fs::path>& programs) {
  constexpr std::size_t at_a_time = 50;
  auto* const suite = BOOST_TEST_SUITE("nvcc");
  add(*suite, "linking", [=] { test_linking(samples); });
  for (std::size_t begin = 0; begin < programs.size(); begin += at_a_time) {
    const auto first = programs.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto last = programs.begin() + static_cast<std::ptrdiff_t>(std::min(begin + at_a_time, programs.size()));
    add(*suite, first->stem().string() + "_to_" + std::prev(last)->stem().string(),
        [some = std::vector<fs::path>(first, last)] { test_nvcc(some); });
  }
  boost::unit_test::framework::master_test_suite().add(suite);
}

}  // namespace boustro::tests
