// What the lanes of a warp ask memory for together.
//
// A request is what the lanes of one warp ask for that execute an instruction at the same time.
// Emulated threads run one after another, so their accesses are put together afterwards: those that
// belong together are taken to be the k-th ones, since the last barrier, that each lane makes at the
// same place of the program. Where lanes go different ways round a loop this may join what a GPU
// would not.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace cuda_emulation {

/// What a request costs.
enum class Cost {
  sectors,         // global memory: pieces of 32 bytes
  bank_conflicts,  // shared memory: passes over its 32 banks beyond those that the width needs
  addresses        // atomics: each lane's
};

/// The requests of the warps of a block, of one kind of access to one kind of memory.
class WarpRequests {
 public:
  using Units = std::vector<std::uint64_t>;  // sectors, words with the number of their pass, or addresses

  explicit WarpRequests(Cost cost) : cost_(cost) {}

  /// A thread of the block accesses memory at a place of the program.
  void add(int thread, void const* place, std::uintptr_t address, std::size_t bytes);

  /// All lanes go on together from here, of all warps or of one: adds the number of requests so far, and
  /// their cost.
  void settle(std::uint64_t& requests, std::uint64_t& cost);
  void settle(int warp, std::uint64_t& requests, std::uint64_t& cost);
  /// The same, for who reckons what they cost: `visit` gets the units of each request.
  template <typename Visit>
  void settle(Visit const& visit) {
    for (Warp& warp : warps_) settle(warp, visit);
  }
  template <typename Visit>
  void settle(int warp, Visit const& visit) {
    auto const index = static_cast<std::size_t>(warp);
    if (index < warps_.size()) settle(warps_[index], visit);
  }
  /// No place of the program is met again.
  void forget() { warps_.clear(); }

 private:
  static constexpr int lanes = 32;

  /// A place of the program, as one warp comes there.
  struct Place {
    std::array<std::uint32_t, lanes> times{};  // that each lane was here
    std::vector<Units> requests;               // by time
  };
  using Warp = std::unordered_map<void const*, Place>;

  template <typename Visit>
  static void settle(Warp& warp, Visit const& visit) {
    for (auto& [address, place] : warp) {
      for (Units const& units : place.requests) visit(units);
      place.requests.clear();
      place.times.fill(0);
    }
  }
  std::uint64_t cost_of(Units const& units) const;

  Cost cost_;
  std::vector<Warp> warps_;
};

}  // namespace cuda_emulation
