#ifdef CUDA_EMULATION_COUNTS

#include "common_sectors.hpp"

#include "footprint.hpp"

namespace cuda_emulation {

std::uint64_t CommonSectors::meet(std::uintptr_t address, std::size_t bytes, std::uint32_t block) {
  constexpr std::uint64_t size = Footprint::sector_bytes;
  std::uint64_t added = 0;
  for (std::uint64_t sector = address / size; sector <= (address + bytes - 1) / size; ++sector) {
    Page& page = pages_[sector / page_sectors];
    std::size_t const index = sector % page_sectors;
    if (page.first[index] == 0) page.first[index] = block;
    if (page.first[index] == block || page.common[index]) continue;
    page.common[index] = true;
    ++added;
  }
  return added;
}

}  // namespace cuda_emulation

#endif
