// What `boustro translate` makes of each sample is what people have read: its plan, as --explain-plan tells it, and the
// files that it writes for either target, from the first line to the last. With BOUSTRO_UPDATE_GOLDEN set
// (scripts/update_golden), writes the golden files instead of comparing with them.
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "emit/driver/commands.hpp"
#include "emit/driver/emit.hpp"
#include "emit/driver/passes.hpp"
#include "emit/plan/planner.hpp"
#include "emit/run/process.hpp"
#include "frontend/values/read.hpp"
#include "tests/source_folder.hpp"

using namespace boustro;
namespace fs = std::filesystem;

namespace {

const fs::path root = tests::source_folder;
const fs::path golden = root / "tests/golden";

std::vector<std::string> samples() {
  std::set<std::string> names;
  for (const auto& file : fs::directory_iterator(root / "samples"))
    if (file.path().extension() == ".fut") names.insert(file.path().stem().string());
  return {names.begin(), names.end()};
}

void compare(const fs::path& path, const std::string& text) {
  if (std::getenv("BOUSTRO_UPDATE_GOLDEN")) std::ofstream(path) << text;
  const std::string expected = fs::exists(path) ? values::read_file(path.string()) : "";
  BOOST_TEST((text == expected),
             path.string() << " differs: run scripts/update_golden and read the difference");
}

/// The files that the command writes. They are verified elsewhere, by tests/emitted.
void compare_files(const std::string& sample, const std::string& target, const char* extension) {
  const run::TemporaryFolder folder;
  driver::TranslateOptions options;
  options.file = (root / "samples" / (sample + ".fut")).string();
  options.target = target;
  options.verify = driver::VerifyWith::nothing;
  options.output = (folder.path() / (sample + extension)).string();
  BOOST_REQUIRE(driver::translate(options) == 0);
  for (const std::string& file : {sample + extension, sample + ".hpp"})
    compare(golden / target / file, values::read_file((folder.path() / file).string()));
}

plan::Program plan_of(const std::string& sample) {
  driver::Session session;
  auto core = driver::load_core(session, (root / "samples" / (sample + ".fut")).string());
  if (core) core = driver::run_passes(session, std::move(*core), driver::Goal::gpu);
  std::optional<run::EmittedProgram> emitted;
  if (core) emitted = driver::emit(session, *core, {.name = sample});
  BOOST_REQUIRE(session.report());
  return std::move(emitted->plan);
}

}  // namespace

BOOST_DATA_TEST_CASE(cuda_is_written_as_before, samples(), sample) {
  compare_files(sample, "cuda", ".cu");
}
BOOST_DATA_TEST_CASE(cpp_is_written_as_before, samples(), sample) {
  compare_files(sample, "cpp", ".cpp");
}
BOOST_DATA_TEST_CASE(samples_are_planned_as_before, samples(), sample) {
  compare(golden / "plans" / (sample + ".txt"), plan::explain(plan_of(sample)));
}

/// Their control flow and sizes do not depend on what the device computes.
BOOST_DATA_TEST_CASE(no_sample_waits_for_the_device, samples(), sample) {
  for (const plan::Entry& entry : plan_of(sample).entries) BOOST_TEST(!entry.waits, entry.name);
}

BOOST_AUTO_TEST_CASE(every_golden_file_is_of_a_sample) {
  for (const char* folder : {"plans", "cuda", "cpp"}) {
    for (const auto& file : fs::directory_iterator(golden / folder)) {
      const std::string sample = file.path().stem().string() + ".fut";
      BOOST_TEST(fs::exists(root / "samples" / sample), file.path() << ": no sample is called so");
    }
  }
}
