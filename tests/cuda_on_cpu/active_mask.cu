// Lanes that ask who goes along with them: in branches, in loops of their own length, after others have left; and what they find out about
// each other's values.
#include "check.cuh"

/// Whether a match finds those of the lanes that go along which have the same key.
__device__ bool matches(long long key) {
  const unsigned active = __activemask(), equal = __match_any_sync(active, key);
  unsigned expected = 0;
  for (int lane = 0; lane < 32; ++lane) {
    const bool is_there = (active >> lane) % 2 == 1;
    const long long other = __shfl_sync(active, key, is_there ? lane : __ffs(active) - 1);
    if (is_there && other == key) expected |= 1u << lane;
  }
  return equal == expected;
}

__global__ void count(int* __restrict__ counts, const int* __restrict__ lengths, int keys) {
  const int thread = static_cast<int>(threadIdx.x), key = thread % keys;
  if (lengths[thread] < 0) return;
  for (int step = 0; step < lengths[thread]; ++step) {
    if (thread % 3 == 0) {
      atomicAdd(&counts[key], matches(key) ? 1 : -1000);
    } else if ((step + thread) % 4 == 0) {
      __syncwarp(__activemask());
      atomicAdd(&counts[key], matches(key + ((1ll << 40) << (thread % 2))) ? 100 : -1000);
    }
  }
}

/// All lanes that are left go along, unless threads are taken in random order.
__global__ void meet(unsigned* __restrict__ masks) {
  if (threadIdx.x % 32 == 4) return;
  if (threadIdx.x % 2 == 0) masks[64 + threadIdx.x] = __activemask();
  masks[threadIdx.x] = __activemask();
}

int main() {
  constexpr int threads = 96, keys = 5;
  std::vector<int> lengths(threads), expected(keys, 0);
  for (int t = 0; t < threads; ++t) {
    lengths[t] = t % 7 == 0 ? -1 : t * 5 % 11;
    for (int step = 0; step < lengths[t]; ++step) expected[t % keys] += t % 3 == 0 ? 1 : (step + t) % 4 == 0 ? 100 : 0;
  }
  DeviceArray<int> counts(std::vector<int>(keys, 0)), device_lengths(lengths);
  count<<<1, threads>>>(counts.data(), device_lengths.data(), keys);
  expect(counts.to_host() == expected, "counts");

  DeviceArray<unsigned> device_masks(128);
  meet<<<1, 40>>>(device_masks.data());
  const std::vector<unsigned> masks = device_masks.to_host();
  const char* const order = std::getenv("CUDA_EMULATION_ORDER");
  const bool all = order == nullptr || order[0] == 'a' || order[0] == 'd';
  for (unsigned t = 0; t < 40; ++t) {
    if (t % 32 == 4) continue;
    const unsigned left = t < 32 ? 0xffffffefu : 0x000000efu, even = 0x55555555u & left, own = 1u << t % 32;
    expect(all ? masks[t] == left : (masks[t] & own) != 0 && (masks[t] & ~left) == 0, "lanes that are left");
    if (t % 2 != 0) continue;
    expect(all ? masks[64 + t] == even : (masks[64 + t] & own) != 0 && (masks[64 + t] & ~even) == 0, "lanes of a branch");
  }
  std::puts("active_mask: ok");
}
