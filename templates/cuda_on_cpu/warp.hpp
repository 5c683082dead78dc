// Warp shuffles, votes, matches and reductions. Included by cuda_on_cpu.hpp, whose declarations it uses.
#pragma once

namespace cuda_emulation {
template <class T>
CUDA_EMULATION_UNREPORTED T shuffle(unsigned mask, T value, int source_lane) {
  T result = undefined_value<T>();
  warp_shuffle(mask, source_lane, &value, &result, sizeof value);
  return result;
}
/// As CUDA's overloads take it: integers narrower than `int` become that.
template <class T>
using Shuffled = std::conditional_t<std::is_integral<T>::value && sizeof(T) < sizeof(int), int, T>;
CUDA_EMULATION_UNREPORTED inline int lane_index() { return linear_thread_index() % warpSize; }
}  // namespace cuda_emulation

// The segment arithmetic of the four shuffles is that of the CUDA programming guide: a lane
// whose source lies outside its segment of `width` lanes gets its own value back.
template <class T>
CUDA_EMULATION_UNREPORTED cuda_emulation::Shuffled<T> __shfl_sync(unsigned mask, T value, int source_lane, int width = warpSize) {
  int const lane = cuda_emulation::lane_index();
  int const first = lane & ~(width - 1);
  return cuda_emulation::shuffle<cuda_emulation::Shuffled<T>>(mask, value, first + (source_lane & (width - 1)));
}
template <class T>
CUDA_EMULATION_UNREPORTED cuda_emulation::Shuffled<T> __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = warpSize) {
  int const lane = cuda_emulation::lane_index();
  int const first = lane & ~(width - 1);
  int const source = lane - static_cast<int>(delta);
  return cuda_emulation::shuffle<cuda_emulation::Shuffled<T>>(mask, value, source < first ? lane : source);
}
template <class T>
CUDA_EMULATION_UNREPORTED cuda_emulation::Shuffled<T> __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = warpSize) {
  int const lane = cuda_emulation::lane_index();
  int const last = lane | (width - 1);
  int const source = lane + static_cast<int>(delta);
  return cuda_emulation::shuffle<cuda_emulation::Shuffled<T>>(mask, value, source > last ? lane : source);
}
template <class T>
CUDA_EMULATION_UNREPORTED cuda_emulation::Shuffled<T> __shfl_xor_sync(unsigned mask, T value, int lane_mask, int width = warpSize) {
  int const lane = cuda_emulation::lane_index();
  int const last = lane | (width - 1);
  int const source = lane ^ lane_mask;
  return cuda_emulation::shuffle<cuda_emulation::Shuffled<T>>(mask, value, source > last ? lane : source);
}

CUDA_EMULATION_UNREPORTED inline unsigned __ballot_sync(unsigned mask, int predicate) {
  int predicates[warpSize];
  unsigned const lanes =
      cuda_emulation::warp_gather(mask, &predicate, predicates, sizeof predicate);
  unsigned ballot = 0;
  for (int lane = 0; lane < warpSize; ++lane)
    if (((lanes >> lane) & 1u) && predicates[lane]) ballot |= 1u << lane;
  return ballot;
}
CUDA_EMULATION_UNREPORTED inline int __any_sync(unsigned mask, int predicate) { return __ballot_sync(mask, predicate) != 0; }
CUDA_EMULATION_UNREPORTED inline int __all_sync(unsigned mask, int predicate) { return __ballot_sync(mask, !predicate) == 0; }
/// The lanes that have the same value.
template <class T>
CUDA_EMULATION_UNREPORTED unsigned __match_any_sync(unsigned mask, T value) {
  static_assert(cuda_emulation::is_one_of<T, int, unsigned, long, unsigned long, long long, unsigned long long, float, double>,
                "__match_any_sync: no such overload");
  T values[warpSize];
  unsigned const lanes = cuda_emulation::warp_gather(mask, &value, values, sizeof value);
  unsigned equal = 0;
  for (int lane = 0; lane < warpSize; ++lane)
    if (((lanes >> lane) & 1u) && std::memcmp(&values[lane], &value, sizeof value) == 0) equal |= 1u << lane;
  return equal;
}

namespace cuda_emulation {
/// The __reduce_*_sync family (sm_80 and later).
template <class T, class Operator>
CUDA_EMULATION_UNREPORTED T warp_reduce(unsigned mask, T value, Operator combine) {
  T values[warpSize];
  unsigned lanes = warp_gather(mask, &value, values, sizeof value);
  T result = values[__builtin_ctz(lanes)];
  for (lanes &= lanes - 1; lanes != 0; lanes &= lanes - 1)
    result = combine(result, values[__builtin_ctz(lanes)]);
  return result;
}
}  // namespace cuda_emulation
template <class T>
T __reduce_add_sync(unsigned mask, T value) {
  return cuda_emulation::warp_reduce(mask, value, [](T a, T b) { return T(a + b); });
}
template <class T>
T __reduce_min_sync(unsigned mask, T value) {
  return cuda_emulation::warp_reduce(mask, value, [](T a, T b) { return b < a ? b : a; });
}
template <class T>
T __reduce_max_sync(unsigned mask, T value) {
  return cuda_emulation::warp_reduce(mask, value, [](T a, T b) { return a < b ? b : a; });
}

/// A product of matrices on tensor cores, as the PTX instruction mma.sync.aligned.m8n8k4 of f64, whose documentation says which lane has
/// which elements: emit/verify makes two of mma.sync.aligned.m16n8k4.
CUDA_EMULATION_UNREPORTED inline double2 __mma_m8n8k4_f64_sync(double first, double second, double x, double y) {
  cuda_emulation::MatrixElements const own{x, y};
  cuda_emulation::MatrixElements all[warpSize];
  if (cuda_emulation::warp_gather(0xFFFFFFFFu, &own, all, sizeof own) != 0xFFFFFFFFu) cuda_emulation::fail("mma.sync: not all lanes of a warp came");
  return cuda_emulation::add_products(all, cuda_emulation::lane_index(), {first, second});
}
