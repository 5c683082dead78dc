// The plan of each sample is the one in tests/plans/SAMPLE.txt, which people have read.
#define BOOST_TEST_MODULE plans
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <filesystem>

#include "../unit/emit/golden.hpp"
#include "emit/driver/emit.hpp"
#include "emit/driver/passes.hpp"
#include "emit/plan/planner.hpp"

using namespace boustro;

namespace {

const std::string root = BOUSTRO_SOURCE_DIR;

std::vector<std::string> samples() {
  std::vector<std::string> names;
  for (const auto& file : std::filesystem::directory_iterator(root + "/samples"))
    if (file.path().extension() == ".fut") names.push_back(file.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

plan::Program plan_of(const std::string& sample) {
  driver::Session session;
  auto core = driver::load_core(session, root + "/samples/" + sample + ".fut");
  if (core) core = driver::run_passes(session, std::move(*core), driver::Goal::translate);
  std::optional<run::EmittedProgram> emitted;
  if (core) emitted = driver::emit(session, *core, {.name = sample});
  BOOST_REQUIRE(session.report());
  return std::move(emitted->plan);
}

}  // namespace

BOOST_DATA_TEST_CASE(samples_are_planned_as_before, samples(), sample) {
  golden::compare(root + "/tests/plans/" + sample + ".txt", plan::explain(plan_of(sample)));
}

/// Their control flow and sizes do not depend on what the device computes.
BOOST_DATA_TEST_CASE(no_sample_waits_for_the_device, samples(), sample) {
  for (const plan::Entry& entry : plan_of(sample).entries) BOOST_TEST(!entry.waits, entry.name);
}
