// What `--dump-after` prints is read back as the program that it shows, up to names, after every pass; so the passes
// behind it make the same of it.
#include <filesystem>

#include "frontend/values/read.hpp"
#include "tests/dumps/read_dump.hpp"
#include "tests/source_folder.hpp"
#include "tests/unit/transform/random_nests.hpp"
#include "tests/unit/transform/random_program.hpp"
#include "transform/fuse/fuse.hpp"
#include "transform/pipeline.hpp"
#include "transform/simplify/simplify.hpp"

using namespace boustro;
using namespace boustro::tests;
using parallel::Machine;
namespace fs = std::filesystem;

namespace {

/// Reading back names numbers that are spelled as operations, such as -1.0, which the first simplification does too.
void check_before_simplification(const ir::Program& program) {
  if (const auto again = read_back(program)) check_equal(simplify::simplify(program), simplify::simplify(*again));
}

void check_file(const fs::path& path) {
  std::string reasons;
  const auto source = lowered(values::read_file(path.string()), path.string(), false, reasons);
  BOOST_REQUIRE_MESSAGE(source, reasons);
  for (const Machine machine : {Machine::gpu, Machine::cpu}) {
    PipelineOptions options;
    options.machine = machine;
    ir::Program program = *source;
    for (const Pass& pass : translate_passes(options)) {
      const ir::Program before = program;
      program = pass.function(std::move(program));
      if (program == before || (machine == Machine::cpu && pass.name != "flatten" && pass.name != "choose")) continue;
      BOOST_TEST_CONTEXT("after " << pass.name) {
        if (pass.name == "inline")
          check_before_simplification(program);
        else
          check_dump(program);
      }
    }
  }
}

/// One test case a file, made before the tests start.
boost::unit_test::test_suite* suite_of(const char* name, const std::string& folder) {
  auto* suite = BOOST_TEST_SUITE(name);
  std::vector<fs::path> paths;
  for (const auto& file : fs::directory_iterator(fs::path(tests::source_folder) / folder))
    if (file.path().extension() == ".fut") paths.push_back(file.path());
  std::sort(paths.begin(), paths.end());
  for (const fs::path& path : paths)
    suite->add(boost::unit_test::make_test_case([path] { check_file(path); }, path.stem().string(), __FILE__, __LINE__));
  return suite;
}

[[maybe_unused]] const bool registered = [] {
  auto& master = boost::unit_test::framework::master_test_suite();
  master.add(suite_of("samples", "samples"));
  master.add(suite_of("programs", "tests/programs"));
  return true;
}();

}  // namespace

BOOST_AUTO_TEST_SUITE(random_dumps)

BOOST_AUTO_TEST_CASE(programs_as_nests) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    BOOST_TEST_CONTEXT("seed " << seed) {
      const ir::Program simple = simplify::simplify(ir::testing::RandomProgram(seed).make());
      const ir::Program fused = simplify::simplify(fuse::fuse(simple));
      check_dump(simple);
      check_dump(fused);
      const ir::Program flat = parallel::flatten(fused, seed % 2 == 0 ? Machine::gpu : Machine::cpu);
      check_dump(flat);
      check_dump(parallel::choose(flat));
    }
  }
}

BOOST_AUTO_TEST_CASE(nests_with_all_kinds_of_outs) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    BOOST_TEST_CONTEXT("seed " << seed) { check_dump(ir::testing::RandomNest(seed).program()); }
  }
}

BOOST_AUTO_TEST_SUITE_END()
