#include "emit/driver/profile_words.hpp"

#include <charconv>
#include <system_error>

#include <CLI/CLI.hpp>

namespace boustro::driver {

const char* const profile_legend =
    "The arguments come from standard input, or with --size at random.\n"
    "--size n=4096 --extrapolate n=100000000 runs at a quarter, a half, three quarters of 4096 and at 4096, and says what would be\n"
    "counted at 100000000, and how long it takes: each counter stays as it is, or grows along a line or a parabola; a\n"
    "note says which are guesses. Choose sizes beyond which no other kernel takes over, of many blocks, and divisible by 1024.\n"
    "A row is a kernel, a function of CUB, or a kind of copy; a column without numbers is left out.\n"
    "  launches   of a kernel, calls, or runs of a nest\n"
    "  waits      of the host for the device\n"
    "  lanes      of the 32 of a warp, that run an instruction on average\n"
    "  barriers   of a block, each once\n"
    "  f16, f32, f64\n"
    "             operations; a multiplication and an addition that are fused are one\n"
    "  tensor     operations of f64 on tensor cores\n"
    "  special    divisions, roots and other functions of floats\n"
    "  global, shared, local\n"
    "             memory of the device, of a block, of a thread (arrays that are no registers)\n"
    "  loads, stores, atomics\n"
    "             accesses of single threads; how CUB goes about its work is not known\n"
    "  sectors    pieces of 32 bytes that warps ask for: those of neighbours count once\n"
    "  needed, left\n"
    "             bytes that launches need from memory, and leave there: the rest can come from caches\n"
    "  conflicts  passes over the banks beyond those that the width of accesses needs\n"
    "  on one     the most atomics that one address of shared memory gets in a block, or 128 bytes of global memory in a\n"
    "             launch, where the lanes of a warp count once for each 32 bytes if they have different addresses\n"
    "  registers, spills, static, occupancy\n"
    "             of a thread, bytes of a thread, bytes of a block's shared memory whose size is in the source, and\n"
    "             resident threads by those that fit (--registers)\n"
    "  time, bound by\n"
    "             what a model of the device says, and what takes longest there: launch, block starts (one after the\n"
    "             other), memory, L2, shared (memory and L1), f16, f32, f64, special, atomics, one address (atomics\n"
    "             on it), latency (too little to do at a time), scan (of CUB), copy, host (its bus), wait\n"
    "With --target cpp a row is an outermost nest of loops, by the line of `boustro translate --target cpp` and its\n"
    "condition. It is measured with -O3 -march=native -fopenmp; the model is a roof from assumed rates of this\n"
    "machine, and `of model` how much of that was reached. On a machine with nvcc and a GPU kernels are measured, too.";

std::map<std::string, std::int64_t> parse_sizes(const std::vector<std::string>& texts) {
  const auto wrong = [](const std::string& text, const std::string& why) { return CLI::ValidationError("--size", "`" + text + "` " + why); };
  std::map<std::string, std::int64_t> sizes;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    if (equals == 0 || equals == text.npos) throw wrong(text, "is not of the form n=10");
    std::int64_t value = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data() + equals + 1, end, value);
    if (error == std::errc::result_out_of_range) throw wrong(text, "is too large: no i64 has this value");
    if (error != std::errc() || rest != end) throw wrong(text, "is not of the form n=10");
    if (!sizes.emplace(text.substr(0, equals), value).second) throw wrong(text, "is given a second time");
  }
  return sizes;
}

void choose_device(ProfileOptions& options, bool given) {
  const bool cpp = options.target == "cpp";
  if (cpp && !given) options.device = "cpu";
  if (cpp != (options.device == "cpu"))
    throw CLI::ValidationError("--device", "`" + options.device + "` does not run programs for `" + options.target +
                                               (cpp ? "`: leave it out" : "`; --target cpp does"));
  if (cpp && options.registers) throw CLI::ValidationError("--registers", "needs --target cuda");
}

void check_extrapolation(const ProfileOptions& options) {
  const char* const name = "--extrapolate";
  for (const auto& [size, value] : options.extrapolate) {
    const auto from = options.sizes.find(size);
    if (from == options.sizes.end()) throw CLI::ValidationError(name, "needs --size " + size + "=.., from where to begin");
    if (from->second < 3) throw CLI::ValidationError(name, "needs a --size " + size + " of 3 at least");
    if (value <= from->second)
      throw CLI::ValidationError(name, "to " + size + "=" + std::to_string(value) + ", which is no more than its --size");
  }
  if (options.target == "cpp" && !options.extrapolate.empty())
    throw CLI::ValidationError(name, "needs --target cuda: nests of C++ are measured");
}

}  // namespace boustro::driver
