// Which sectors of device memory several blocks of a launch meet: a cache that all share has to hold these as long as the launch goes on,
// the others only while the block runs that meets them.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace cuda_emulation {

class CommonSectors {
 public:
  /// The number of those sectors of these bytes that this block meets, the second one to do so. Blocks count from 1.
  std::uint64_t meet(std::uintptr_t address, std::size_t bytes, std::uint32_t block);
  void clear() { pages_.clear(); }

 private:
  static constexpr std::uint64_t page_sectors = 128;
  struct Page {
    std::array<std::uint32_t, page_sectors> first{};  // block that meets it; 0 is none
    std::bitset<page_sectors> common;
  };

  std::unordered_map<std::uint64_t, Page> pages_;
};

}  // namespace cuda_emulation
