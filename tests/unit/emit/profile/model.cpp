#include "emit/profile/model.hpp"

#include <boost/test/unit_test.hpp>

namespace boustro::profile::model_tests {
namespace {

using run::CountedWork;
using run::Counts;

/// A device whose times are easy to reckon: all bandwidths differ, and 1 is a clock.
machine::Gpu simple_gpu() {
  machine::Gpu gpu = *machine::find_gpu("h200");
  gpu.multiprocessors = 10;
  gpu.clock = 1e9;
  gpu.clocks_per_block = 10;
  gpu.memory_bandwidth = 1e11;
  gpu.l2_bytes = 1e6;
  gpu.l2_bandwidth = 4e11;
  gpu.l2_bytes_per_clock = 64;
  gpu.operations = {256, 128, 64};
  gpu.f64_tensor_operations = 128;
  gpu.special = 16;
  gpu.operations_of_special = 4;
  gpu.f64_operations_of_special = 20;
  gpu.launch = 2e-6;
  gpu.wait = 5e-6;
  gpu.copy = 4e-6;
  gpu.host_bandwidth = 1e10;
  gpu.scan_bandwidth = 5e10;
  gpu.struct_scan_bandwidth = 2e10;
  gpu.atomics = 1e10;
  gpu.atomics_on_one = 1e8;
  gpu.shared_atomics = 16;
  gpu.clocks_per_shared_atomic_on_one = 4;
  gpu.clocks_per_instruction = 4;
  gpu.clocks_per_barrier = 30;
  gpu.l1_latency = 20e-9;
  gpu.l2_latency = 180e-9;
  gpu.memory_latency = 400e-9;
  gpu.loads_in_flight = 4;
  gpu.loads_at_once = 20;
  return gpu;
}

/// 1000 blocks of 256 threads that do next to nothing.
Counts idle_kernel() {
  Counts counts;
  counts.launches = 1;
  counts.blocks = 1000;
  counts.threads = 256000;
  counts.warp_instructions = 8000;
  counts.lane_instructions = 256000;
  counts.most_warp_instructions = 1;
  counts.warp_chain = 8000;
  counts.most_warp_chain = 1;
  return counts;
}

ModelledTime kernel_time(const Counts& counts) { return model_time({"kernel", "k", counts}, simple_gpu()); }

double term_of(const Counts& counts, const std::string& name) {
  for (const Term& term : kernel_time(counts).terms)
    if (term.name == name) return term.seconds;
  return -1;
}

/// A row that is bound by each.
std::vector<std::pair<std::string, Counts>> bound_rows() {
  std::vector<std::pair<std::string, Counts>> rows;
  const auto add = [&](const std::string& bound, auto change) {
    Counts counts = idle_kernel();
    change(counts);
    rows.emplace_back(bound, counts);
  };
  add("launch", [](Counts&) {});
  add("block starts", [](Counts& c) {
    c.blocks = 10000;
    c.threads = 2560000;
  });
  add("memory", [](Counts& c) {
    c.global_load_sectors = 1000000;
    c.block_needed_bytes = c.needed_bytes = 32000000;
  });
  add("L2", [](Counts& c) {  // every block reads the same 32 KB
    c.global_load_sectors = 1000000;
    c.block_needed_bytes = 32000000;
    c.needed_bytes = 32000;
  });
  add("shared", [](Counts& c) {
    c.shared_load_requests = 100000;
    c.shared_load_conflicts = 3100000;
  });
  add("f16", [](Counts& c) { c.f16_operations = 1000000000; });
  add("f32", [](Counts& c) { c.f32_operations = 1000000000; });
  add("f64", [](Counts& c) { c.f64_operations = 1000000000; });
  add("tensor", [](Counts& c) { c.f64_tensor_operations = 1000000000; });
  add("special", [](Counts& c) { c.f32_special = 100000000; });
  add("atomics", [](Counts& c) { c.global_atomics = 1000000; });
  add("one address", [](Counts& c) { c.global_atomics = c.most_global_atomics = 100000; });
  add("latency", [](Counts& c) {  // one thread does it all
    c.warp_instructions += 100000;
    c.most_warp_instructions = 100000;
    c.warp_chain += 100000;
    c.most_warp_chain = 100000;
  });
  return rows;
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_resource_bounds_what_asks_most_of_it) {
  for (const auto& [bound, counts] : bound_rows()) {
    const ModelledTime time = kernel_time(counts);
    BOOST_TEST(time.bound == bound);
    BOOST_TEST(time.seconds >= 2e-6);
    for (const Term& term : time.terms) BOOST_TEST(term.seconds <= time.seconds, bound + ": " + term.name);
  }
}

BOOST_AUTO_TEST_CASE(times_of_one_resource_are_counts_by_rates) {
  Counts counts = idle_kernel();
  counts.f64_operations = 640000000;  // 10 multiprocessors * 64 a clock: a million clocks
  BOOST_TEST(term_of(counts, "f64") == 1e-3, boost::test_tools::tolerance(1e-9));
  counts.f64_special = 32000000;  // as many operations again
  BOOST_TEST(term_of(counts, "f64") == 2e-3, boost::test_tools::tolerance(1e-9));
  counts.lane_instructions /= 2;  // half of the lanes are idle
  BOOST_TEST(term_of(counts, "f64") == 4e-3, boost::test_tools::tolerance(1e-9));

  counts = idle_kernel();
  counts.f64_tensor_operations = 1280000000;  // 10 multiprocessors * 128 a clock, whatever the lanes do
  counts.lane_instructions /= 2;
  BOOST_TEST(term_of(counts, "tensor") == 1e-3, boost::test_tools::tolerance(1e-9));

  counts = idle_kernel();
  counts.global_load_sectors = 25000;  // 800 KB, which fit in L2
  counts.global_store_sectors = 3125;  // 100 KB
  counts.block_needed_bytes = counts.needed_bytes = 800000;
  counts.left_bytes = 100000;
  BOOST_TEST(term_of(counts, "memory") == 9e-6, boost::test_tools::tolerance(1e-9));
}

/// Launches and latency come beside the slowest of all else.
BOOST_AUTO_TEST_CASE(a_launch_starts_waits_and_uses_a_resource) {
  Counts counts = idle_kernel();
  counts.f64_operations = 6400000;  // 10 us
  counts.f32_operations = 6400000;  // 5 us
  counts.most_warp_chain = 1000;   // of the slowest warp: 4 us
  BOOST_TEST(kernel_time(counts).seconds == 16e-6, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(kernel_time(counts).bound == "f64");
  counts.most_global_atomics = 1300;  // 13 us, while others wait
  BOOST_TEST(kernel_time(counts).seconds == 16e-6, boost::test_tools::tolerance(1e-9));
  counts.most_global_atomics = 1500;
  BOOST_TEST(kernel_time(counts).seconds == 17e-6, boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(blocks_start_one_after_the_other) {
  Counts counts = idle_kernel();  // 100 blocks for each multiprocessor, 10 clocks each
  BOOST_TEST(term_of(counts, "block starts") == 1e-6, boost::test_tools::tolerance(1e-9));
  counts.blocks = 5;  // one for each of five
  counts.threads = 5 * 256;
  BOOST_TEST(term_of(counts, "block starts") == 1e-8, boost::test_tools::tolerance(1e-9));
  counts.launches = 5;  // of one block each
  BOOST_TEST(term_of(counts, "block starts") == 5e-8, boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(what_is_asked_for_again_comes_from_a_cache_that_holds_it) {
  Counts counts = idle_kernel();
  counts.global_load_sectors = 250000;  // 8 MB
  counts.block_needed_bytes = 8000000;
  counts.needed_bytes = counts.common_bytes = 1000000;  // as much as L2 holds
  const auto memory = [](const Counts& counts) { return term_of(counts, "memory"); };
  BOOST_TEST(memory(counts) == 1e-5, boost::test_tools::tolerance(1e-9));
  counts.needed_bytes = counts.common_bytes = 2000000;  // of which half is there: 2 MB, and half of the other 6
  BOOST_TEST(memory(counts) == 5e-5, boost::test_tools::tolerance(1e-9));
  counts.common_bytes = 0;  // each block has 2 KB for itself, and 80 run at a time
  BOOST_TEST(memory(counts) == 2e-5, boost::test_tools::tolerance(1e-9));
  counts.needed_bytes = 27000000;  // 25 MB of these, 2 MB of the 80 that run, beside 2 MB for all: a quarter of 4 MB is there
  counts.common_bytes = 2000000;
  counts.block_needed_bytes = 31000000;
  counts.global_load_sectors = 31000000 / 32;
  BOOST_TEST(memory(counts) == 3e-4, boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(few_blocks_have_few_multiprocessors) {
  Counts counts = idle_kernel();
  counts.f32_operations = 1280000;
  const auto f32 = [](const Counts& counts) { return term_of(counts, "f32"); };
  BOOST_TEST(f32(counts) == 1e-6, boost::test_tools::tolerance(1e-9));
  counts.blocks = 1;
  counts.threads = 256;
  BOOST_TEST(f32(counts) == 1e-5, boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(a_warp_alone_waits_for_each_instruction_and_load) {
  Counts counts;
  counts.launches = counts.blocks = 1;
  counts.threads = 32;
  counts.warp_instructions = counts.most_warp_instructions = 1000;
  counts.warp_chain = counts.most_warp_chain = 1000;  // 4 us
  counts.lane_instructions = 32000;
  counts.global_load_requests = counts.global_load_sectors = counts.warp_load_waits = 100;  // 600 ns each, four at a time: 15 us
  counts.block_needed_bytes = counts.needed_bytes = 3200;
  counts.barriers = 10;  // 0.3 us
  const auto latency = [&] { return term_of(counts, "latency"); };
  BOOST_TEST(kernel_time(counts).bound == "latency");
  BOOST_TEST(latency() == 19.3e-6, boost::test_tools::tolerance(1e-9));
  counts.needed_bytes = 0;  // all in L2: 200 ns each
  BOOST_TEST(latency() == 9.3e-6, boost::test_tools::tolerance(1e-9));
  counts.warp_chain = counts.most_warp_chain = 500;  // two at a time: 2 us
  BOOST_TEST(latency() == 7.3e-6, boost::test_tools::tolerance(1e-9));
  counts.warp_load_waits = 10;  // ten at a time: 2 us
  BOOST_TEST(latency() == 4.3e-6, boost::test_tools::tolerance(1e-9));
  counts.warp_load_waits = 1;  // no more than twenty: 1 us
  BOOST_TEST(latency() == 3.3e-6, boost::test_tools::tolerance(1e-9));
  counts.warp_load_waits = 100;
  counts.warp_chain = counts.most_warp_chain = 10;  // one starts each clock: 1 us
  BOOST_TEST(latency() == 6.3e-6, boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(launches_repeat_all_of_it) {
  for (auto [bound, counts] : bound_rows()) {
    const double once = kernel_time(counts).seconds;
    for (const auto& counter : cuda_emulation::counters)
      if (counter.adds == cuda_emulation::Adds::up) counts.*counter.number *= 7;
    BOOST_TEST(kernel_time(counts).seconds == 7 * once, boost::test_tools::tolerance(1e-9));
    BOOST_TEST(kernel_time(counts).bound == bound);
  }
}

BOOST_AUTO_TEST_CASE(more_of_anything_takes_no_less_time) {
  for (const auto& [bound, counts] : bound_rows()) {
    const double before = kernel_time(counts).seconds;
    for (const auto& counter : cuda_emulation::counters) {
      const std::string name = counter.name;  // more threads and lanes are more hands
      if (name == "blocks" || name == "threads" || name == "lane_instructions" || name == "launches")
        continue;
      Counts more = counts;
      more.*counter.number = more.*counter.number * 2 + 1000;
      if (name == "warp_instructions")
        more.lane_instructions = counts.lane_instructions * more.warp_instructions /
                                 counts.warp_instructions;  // as many are active
      BOOST_TEST(kernel_time(more).seconds >= before * (1 - 1e-9), bound + ": " + name);
    }
  }
}

BOOST_AUTO_TEST_CASE(registers_limit_what_is_resident) {
  Counts counts = idle_kernel();
  counts.warp_instructions = 80000000;
  counts.lane_instructions = 32 * counts.warp_instructions;
  const CountedWork work{"kernel", "k", counts};
  const ModelledTime few = model_time(work, simple_gpu(), 32), many = model_time(work, simple_gpu(), 255);
  BOOST_TEST(few.occupancy == 1);
  BOOST_TEST(many.occupancy == 0.125);
  BOOST_TEST(many.bound == "latency");
  BOOST_TEST(many.terms.back().name == "latency");
  BOOST_TEST(many.terms.back().seconds == 8 * few.terms.back().seconds, boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(transfers_calls_and_waits_have_times_of_their_own) {
  Counts counts;
  counts.launches = 3;
  counts.needed_bytes = 1000000;
  const ModelledTime to_host = model_time({"copy", "copy to the host", counts}, simple_gpu());
  BOOST_TEST(to_host.bound == "host");
  BOOST_TEST(to_host.seconds == 1e-4, boost::test_tools::tolerance(1e-9));
  counts.needed_bytes = 8;
  BOOST_TEST(model_time({"copy", "copy to the host", counts}, simple_gpu()).seconds == 12e-6,
             boost::test_tools::tolerance(1e-9));
  counts.needed_bytes = counts.left_bytes = 1000000;
  const ModelledTime on_device = model_time({"copy", "copy on the device", counts}, simple_gpu());
  BOOST_TEST(on_device.bound == "memory");
  BOOST_TEST(on_device.seconds == 2.6e-5, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(model_time({"fill", "fill", counts}, simple_gpu()).seconds == 1.6e-5,
             boost::test_tools::tolerance(1e-9));
  BOOST_TEST(model_time({"library", "cub::DeviceReduce::Reduce", counts}, simple_gpu()).bound == "memory");
  BOOST_TEST(model_time({"library", "cub::DeviceRadixSort::SortPairs", counts}, simple_gpu()).seconds == 9e-5 + 36e-6,
             boost::test_tools::tolerance(1e-9));
  BOOST_TEST(model_time({"library", "cub::DeviceRadixSort::SortKeys, 2 digits", counts}, simple_gpu()).seconds == 5e-5 + 24e-6, boost::test_tools::tolerance(1e-9));
  const ModelledTime scan = model_time({"library", "cub::DeviceScan::InclusiveScan", counts}, simple_gpu()),
                     of_structs = model_time({"library", "cub::DeviceScan::InclusiveScan, structs", counts}, simple_gpu());
  BOOST_TEST(scan.bound == "scan");
  BOOST_TEST(scan.seconds == 4e-5 + 12e-6, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(of_structs.seconds == 1e-4 + 12e-6, boost::test_tools::tolerance(1e-9));
  Counts waits;
  waits.waits = 2;
  BOOST_TEST(model_time({"wait", "wait for the stream", waits}, simple_gpu()).seconds == 1e-5,
             boost::test_tools::tolerance(1e-9));
}

}  // namespace boustro::profile::model_tests
