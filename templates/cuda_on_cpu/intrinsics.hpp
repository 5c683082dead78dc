// Device intrinsics.  (The standard <cmath> functions are there anyway; glibc declares
// sqrtf, expf, fmaf, ... in the global namespace.)  The fast ones are not bit-exact.
#pragma once

#include <cmath>

template <class T>
T __ldg(T const* address) {
  return *address;
}
using std::isinf;  // CUDA has them in the global namespace
using std::isnan;

inline float rsqrtf(float x) { return 1.0f / std::sqrt(x); }
inline double rsqrt(double x) { return 1.0 / std::sqrt(x); }
inline float __expf(float x) { return std::exp(x); }
inline float __logf(float x) { return std::log(x); }
inline float __sinf(float x) { return std::sin(x); }
inline float __cosf(float x) { return std::cos(x); }
inline float __powf(float x, float y) { return std::pow(x, y); }
inline float __fdividef(float x, float y) { return x / y; }
inline float __saturatef(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }
inline float __fmaf_rn(float x, float y, float z) { return std::fma(x, y, z); }
inline double __fma_rn(double x, double y, double z) { return std::fma(x, y, z); }
inline float __fadd_rn(float x, float y) { return x + y; }
inline float __fmul_rn(float x, float y) { return x * y; }
inline double __dadd_rn(double x, double y) { return x + y; }
inline double __dmul_rn(double x, double y) { return x * y; }
inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
inline int __clz(int x) { return x == 0 ? 32 : __builtin_clz(static_cast<unsigned>(x)); }
inline int __clzll(long long x) {
  return x == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(x));
}
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __ffsll(long long x) { return __builtin_ffsll(x); }
inline unsigned __brev(unsigned x) {
  unsigned reversed = 0;
  for (int bit = 0; bit < 32; ++bit) reversed |= ((x >> bit) & 1u) << (31 - bit);
  return reversed;
}
[[noreturn]] inline void __trap() { cuda_emulation::fail("__trap()"); }

namespace cuda_emulation {
template <class To, class From>
To bit_cast(From from) {
  static_assert(sizeof(To) == sizeof(From), "bit_cast");
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}
}  // namespace cuda_emulation
inline int __float_as_int(float x) { return cuda_emulation::bit_cast<int>(x); }
inline unsigned __float_as_uint(float x) { return cuda_emulation::bit_cast<unsigned>(x); }
inline float __int_as_float(int x) { return cuda_emulation::bit_cast<float>(x); }
inline float __uint_as_float(unsigned x) { return cuda_emulation::bit_cast<float>(x); }
inline long long __double_as_longlong(double x) { return cuda_emulation::bit_cast<long long>(x); }
inline double __longlong_as_double(long long x) { return cuda_emulation::bit_cast<double>(x); }

// CUDA's global min and max: like <algorithm>'s for integers, fmin and fmax for floats.
template <class A, class B>
std::common_type_t<A, B> min(A a, B b) {
  using T = std::common_type_t<A, B>;
  if constexpr (std::is_floating_point<T>::value)
    return std::fmin(T(a), T(b));
  else
    return T(b) < T(a) ? T(b) : T(a);
}
template <class A, class B>
std::common_type_t<A, B> max(A a, B b) {
  using T = std::common_type_t<A, B>;
  if constexpr (std::is_floating_point<T>::value)
    return std::fmax(T(a), T(b));
  else
    return T(a) < T(b) ? T(b) : T(a);
}
