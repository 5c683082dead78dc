#include "device_memory.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "address_sanitizer.hpp"

namespace cuda_emulation {
namespace {

void poison([[maybe_unused]] void* address, [[maybe_unused]] std::size_t bytes) {
#ifdef CUDA_EMULATION_ASAN
  __asan_poison_memory_region(address, bytes);
#endif
}
void unpoison([[maybe_unused]] void* address, [[maybe_unused]] std::size_t bytes) {
#ifdef CUDA_EMULATION_ASAN
  __asan_unpoison_memory_region(address, bytes);
#endif
}

}  // namespace

DeviceMemory device_memory;

void* DeviceMemory::allocate(std::size_t bytes) {
  // CUDA aligns to 256 bytes; code may rely on it (float4 loads, CUB's temporaries). Of what it rounds sizes up to, code
  // may rely on a whole word of 16 bits, the least that atomics work on.
  void* address = nullptr;
  bytes += bytes % 2;
  if (posix_memalign(&address, 256, bytes) != 0) return nullptr;
  std::memset(address, 0xFF, bytes);
  allocations_[reinterpret_cast<std::uintptr_t>(address)] = bytes;
  if (accessors_ == 0) poison(address, bytes);
  return address;
}

bool DeviceMemory::free(void* address) {
  auto const found = allocations_.find(reinterpret_cast<std::uintptr_t>(address));
  if (found == allocations_.end()) return false;
  unpoison(address, found->second);
  allocations_.erase(found);
  std::free(address);
  return true;
}

bool DeviceMemory::contains(void const* pointer) const {
  auto const address = reinterpret_cast<std::uintptr_t>(pointer);
  auto next = allocations_.upper_bound(address);
  if (next == allocations_.begin()) return false;
  --next;
  return address <= next->first + next->second;
}

std::size_t DeviceMemory::bytes_from(void const* pointer) const {
  auto const address = reinterpret_cast<std::uintptr_t>(pointer);
  auto next = allocations_.upper_bound(address);
  if (next == allocations_.begin()) return 0;
  --next;
  std::uintptr_t const end = next->first + next->second;
  return address < end ? end - address : 0;
}

void DeviceMemory::begin_access() {
  if (accessors_++ == 0)
    for (auto const& [address, bytes] : allocations_)
      unpoison(reinterpret_cast<void*>(address), bytes);
}
void DeviceMemory::end_access() {
  if (--accessors_ == 0)
    for (auto const& [address, bytes] : allocations_)
      poison(reinterpret_cast<void*>(address), bytes);
}

DeviceMemory::~DeviceMemory() {
  if (allocations_.empty()) return;
  std::fflush(stdout);
  std::fprintf(stderr, "cuda_on_cpu: %zu device allocation(s) never freed\n", allocations_.size());
  std::_Exit(86);
}

}  // namespace cuda_emulation
