#ifdef CUDA_EMULATION_COUNTS

#include "footprint.hpp"

namespace cuda_emulation {

std::uint64_t Footprint::load(std::uintptr_t address, std::size_t bytes) {
  std::uint64_t added = 0;
  for (std::uint64_t sector = address / sector_bytes; sector <= (address + bytes - 1) / sector_bytes;
       ++sector) {
    Page& here = page(sector / page_sectors);
    std::size_t const index = sector % page_sectors;
    added += !here.loaded[index] && !here.stored[index];
    here.loaded[index] = true;
  }
  return added;
}

std::uint64_t Footprint::store(std::uintptr_t address, std::size_t bytes) {
  std::uint64_t added = 0;
  for (std::uint64_t sector = address / sector_bytes; sector <= (address + bytes - 1) / sector_bytes;
       ++sector) {
    Page& here = page(sector / page_sectors);
    std::size_t const index = sector % page_sectors;
    added += !here.stored[index];
    here.stored[index] = true;
  }
  return added;
}

void Footprint::clear() {
  pages_.clear();
  last_ = nullptr;
}

Footprint::Page& Footprint::page(std::uint64_t number) {
  if (last_ == nullptr || number != last_number_) {
    last_ = &pages_[number];  // stays where it is when others are added
    last_number_ = number;
  }
  return *last_;
}

}  // namespace cuda_emulation

#endif
