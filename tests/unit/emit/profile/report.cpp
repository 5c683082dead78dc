#include "emit/profile/report.hpp"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

namespace boustro::profile::report_tests {
namespace {

const machine::Gpu& h200() { return *machine::find_gpu("h200"); }

Profile sample(const KernelFacts& facts = {}) {
  run::Counts kernel, copy;
  kernel.launches = 3;
  kernel.blocks = 6;
  kernel.threads = 1536;
  kernel.warp_instructions = 1000;
  kernel.lane_instructions = 16500;
  kernel.f32_operations = 5000;
  kernel.f64_special = 6;
  kernel.global_loads = 100000;
  kernel.global_load_bytes = 400000;
  kernel.needed_bytes = 3200;
  kernel.global_atomics = 70;
  kernel.most_global_atomics = 7;
  kernel.shared_stores = 2;
  kernel.shared_load_conflicts = 20;
  kernel.shared_store_conflicts = 11;
  copy.launches = 1;
  copy.global_load_bytes = 8;
  copy.needed_bytes = 8;
  copy.most_global_atomics = 9;
  return make_profile({{"kernel", "counts_kernel", kernel}, {"copy", "copy to the host", copy}}, h200(),
                      facts);
}

/// Of the sample: a block for each of two multiprocessors in each launch, which starts, and 1000 instructions of their 16 warps.
double seconds_of_kernel(const machine::Gpu& gpu) {
  return 3 * gpu.launch + (3 * gpu.clocks_per_block + 1000.0 / 16) / gpu.clock;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_table_has_columns_where_there_are_numbers) {
  BOOST_TEST(profile_table(sample()) ==
             "                                            floats           global                     "
             "      memory  shared                model\n"
             "                  launches  threads  lanes     f32  special   loads   bytes  atomics  on "
             "one  needed  stores  conflicts      time  bound by\n"
             "counts_kernel            3     1536   16.5    5000        6  100000  400000       70    "
             "   7    3200       2         31   7.02 us    launch\n"
             "copy to the host         1        0              0        0       0       8        0    "
             "   9       8       0          0   8.00 us      copy\n"
             "total                    4     1536   16.5    5000        6  100000  400008       70    "
             "   9    3208       2         31  15.02 us\n");
}

BOOST_AUTO_TEST_CASE(what_nvcc_says_is_shown_where_it_was_asked) {
  const std::string table = profile_table(sample(
      {.needs = {{"counts_kernel", {.registers = 128, .spill_bytes = 40, .static_shared_bytes = 96}}}}));
  for (const char* const text :
       {"thread", "registers", "spills", "occupancy", "128", "40", "block", "static", "96", "25%"})
    BOOST_TEST(table.find(text) != table.npos, table);
  BOOST_TEST(profile_table(sample({.needs = {{"other_kernel", {.registers = 128}}}})) ==
             profile_table(sample()));
}

BOOST_AUTO_TEST_CASE(what_was_measured_stands_beside_the_model) {
  const std::string table = profile_table(sample({.seconds = {{"counts_kernel", 12e-6}}}));
  for (const char* const text : {"measured", "of model", "12.00 us", "59%"})
    BOOST_TEST(table.find(text) != table.npos, table);
}

BOOST_AUTO_TEST_CASE(a_program_that_does_nothing_has_a_table) {
  BOOST_TEST(profile_table({}) == "\n\ntotal\n");
}

BOOST_AUTO_TEST_CASE(json_has_every_number) {
  Profile profile =
      sample({.needs = {{"counts_kernel", {.registers = 128, .spill_bytes = 40, .static_shared_bytes = 16}}},
              .seconds = {{"counts_kernel", 12e-6}}});
  profile.program = "counts.cu";
  profile.entry = "main";
  const auto json = nlohmann::json::parse(profile_json(profile));
  BOOST_TEST(json["format"] == report_format);
  BOOST_TEST(json["failure"].is_null());
  BOOST_TEST(json["program"] == "counts.cu");
  BOOST_TEST(json["entry"] == "main");
  BOOST_TEST(json["device"] == "h200");
  const auto& kernel = json["rows"][0];
  for (const auto& counter : cuda_emulation::counters) {
    BOOST_TEST(kernel.contains(counter.name), counter.name);
    BOOST_TEST(json["total"].contains(counter.name), counter.name);
  }
  BOOST_TEST(kernel["work"] == "kernel");
  BOOST_TEST(kernel["name"] == "counts_kernel");
  BOOST_TEST(kernel["global_loads"] == 100000);
  BOOST_TEST(kernel["shared_loads"] == 0);
  BOOST_TEST(kernel["active_lanes"] == 16.5);
  BOOST_TEST(kernel["bound"] == "launch");
  BOOST_TEST(kernel["seconds"].get<double>() == seconds_of_kernel(h200()), boost::test_tools::tolerance(1e-9));
  BOOST_TEST(kernel["measured_seconds"] == 12e-6);
  BOOST_TEST(json["total"]["measured_seconds"] == 12e-6);
  BOOST_TEST(kernel["terms"]["launch"] == 3 * h200().launch);
  BOOST_TEST(kernel["terms"].contains("one address"));
  BOOST_TEST(kernel["registers"] == 128);
  BOOST_TEST(kernel["spill_bytes"] == 40);
  BOOST_TEST(kernel["static_shared_bytes"] == 16);
  BOOST_TEST(kernel["occupancy"] == 0.25);
  BOOST_TEST(json["total"]["seconds"].get<double>() == seconds_of_kernel(h200()) + h200().copy, boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(json_says_what_failed) {
  Profile failed = sample();
  failed.failure = "index \"7\" is wrong";
  BOOST_TEST(nlohmann::json::parse(profile_json(failed))["failure"] == failed.failure);
}

}  // namespace boustro::profile::report_tests
