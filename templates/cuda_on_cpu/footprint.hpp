// Which sectors of device memory are met, so that what is asked for again can be told from what must come from
// memory.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace cuda_emulation {

/// The sectors of 32 bytes that something has loaded or stored.
class Footprint {
 public:
  static constexpr std::uint64_t sector_bytes = 32;

  /// The number of sectors of these bytes that had neither been loaded nor stored before: their contents are
  /// needed.
  std::uint64_t load(std::uintptr_t address, std::size_t bytes);
  /// The number of those that had not been stored before.
  std::uint64_t store(std::uintptr_t address, std::size_t bytes);
  void clear();

 private:
  static constexpr std::uint64_t page_sectors = 128;
  struct Page {
    std::bitset<page_sectors> loaded, stored;
  };

  Page& page(std::uint64_t number);

  std::unordered_map<std::uint64_t, Page> pages_;
  std::uint64_t last_number_ = 0;
  Page* last_ = nullptr;  // most accesses stay on it
};

}  // namespace cuda_emulation
