#include "transform/machine/machine.hpp"

#include <set>

#include <boost/test/unit_test.hpp>

namespace boustro::machine {

BOOST_AUTO_TEST_CASE(gpus_are_found_by_name) {
  std::set<std::string> names;
  for (const Gpu& gpu : gpus()) {
    BOOST_TEST(find_gpu(gpu.name) == &gpu);
    names.insert(gpu.name);
  }
  BOOST_TEST((names == std::set<std::string>{"h200", "a100", "rtx4090"}));
  BOOST_TEST(find_gpu("h2000") == nullptr);
}

BOOST_AUTO_TEST_CASE(rates_are_those_of_data_sheets) {
  const auto flops = [](const Gpu& gpu, FloatType type) {
    return 2 * gpu.operations[type] * gpu.multiprocessors * gpu.clock;
  };
  BOOST_TEST(flops(*find_gpu("h200"), f32) == 67e12, boost::test_tools::tolerance(0.01));
  BOOST_TEST(flops(*find_gpu("h200"), f64) == 34e12, boost::test_tools::tolerance(0.02));
  const Gpu& h200 = *find_gpu("h200");
  BOOST_TEST(2 * h200.f64_tensor_operations * h200.multiprocessors * h200.clock == 65e12, boost::test_tools::tolerance(0.01));
  BOOST_TEST(flops(*find_gpu("a100"), f32) == 19.5e12, boost::test_tools::tolerance(0.01));
  BOOST_TEST(flops(*find_gpu("a100"), f64) == 9.7e12, boost::test_tools::tolerance(0.01));
  BOOST_TEST(flops(*find_gpu("rtx4090"), f32) == 82.6e12, boost::test_tools::tolerance(0.01));
  BOOST_TEST(flops(*find_gpu("rtx4090"), f64) == 1.29e12, boost::test_tools::tolerance(0.01));
}

BOOST_AUTO_TEST_CASE(no_number_is_missing) {
  for (const Gpu& gpu : gpus()) {
    for (const double number : {gpu.clocks_per_block,
                                gpu.memory_bandwidth,
                                gpu.l2_bytes,
                                gpu.l2_bandwidth,
                                gpu.l2_bytes_per_clock,
                                gpu.shared_bytes_per_clock,
                                gpu.l1_latency,
                                gpu.l2_latency,
                                gpu.memory_latency,
                                gpu.loads_in_flight,
                                gpu.operations[f16],
                                gpu.special,
                                gpu.operations_of_special,
                                gpu.f64_operations_of_special,
                                gpu.clocks_per_instruction,
                                gpu.loads_at_once,
                                gpu.clocks_per_barrier,
                                gpu.atomics,
                                gpu.atomics_on_one,
                                gpu.shared_atomics,
                                gpu.clocks_per_shared_atomic_on_one,
                                gpu.scan_bandwidth,
                                gpu.struct_scan_bandwidth,
                                gpu.launch,
                                gpu.wait,
                                gpu.copy,
                                gpu.host_bandwidth})
      BOOST_TEST(number > 0, gpu.name);
    BOOST_TEST(gpu.shared_bytes <= gpu.l1_bytes);
    BOOST_TEST(gpu.struct_scan_bandwidth < gpu.scan_bandwidth);
    BOOST_TEST(gpu.scan_bandwidth < gpu.memory_bandwidth);
  }
}

BOOST_AUTO_TEST_CASE(blocks_are_resident_as_far_as_each_resource_goes) {
  const Gpu& gpu = *find_gpu("h200");
  BOOST_TEST(resident_blocks(gpu, {.threads = 256}) == 8);                   // 2048 threads
  BOOST_TEST(resident_blocks(gpu, {.threads = 257}) == 7);                   // warps are whole
  BOOST_TEST(resident_blocks(gpu, {.threads = 32}) == 32);                   // blocks
  BOOST_TEST(resident_blocks(gpu, {.threads = 256, .registers = 64}) == 4);  // 65536 registers
  BOOST_TEST(resident_blocks(gpu, {.threads = 256, .registers = 65}) == 3);  // 72 of each thread
  BOOST_TEST(resident_blocks(gpu, {.threads = 256, .registers = 255}) == 1);
  BOOST_TEST(resident_blocks(gpu, {.threads = 128, .shared_bytes = 48 * 1024}) ==
             4);  // of 228 KB, with 1 KB each
  BOOST_TEST(resident_blocks(gpu, {.threads = 128, .shared_bytes = 227 * 1024}) == 1);
  BOOST_TEST(resident_blocks(gpu, {.threads = 128, .shared_bytes = 228 * 1024}) == 0);
  BOOST_TEST(resident_blocks(*find_gpu("rtx4090"), {.threads = 1024}) == 1);  // of 1536 threads
}

BOOST_AUTO_TEST_CASE(this_machine_has_a_worker) {
  BOOST_TEST(this_cpu().workers >= 1);
  BOOST_TEST(this_cpu().memory_bandwidth > 0);
}

}  // namespace boustro::machine
