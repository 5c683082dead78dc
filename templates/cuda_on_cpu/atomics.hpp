// Atomics.  Threads are never preempted, so plain read-modify-writes do; the race detector is
// told that they are atomic.
#pragma once

namespace cuda_emulation {

template <class T>
struct Identity {
  using type = T;
};

#ifdef CUDA_EMULATION_RACES
void note_atomic(void const* address, std::size_t bytes);
#else
inline void note_atomic(void const*, std::size_t) {}
#endif

/// Applies `update` to *address and returns the old value.
template <class T, class Update>
__attribute__((no_sanitize("thread"))) T read_modify_write(T* address, Update update) {
  note_atomic(address, sizeof *address);
  T const old_value = *address;
  *address = update(old_value);
  return old_value;
}

template <class T, class... Allowed>
constexpr bool is_one_of = (std::is_same<T, Allowed>::value || ...);

}  // namespace cuda_emulation

// The second parameter is not deduced, so that atomicAdd(&a_float, 1) converts as in CUDA;
// the static_asserts keep out the types for which CUDA has no such atomic.
#define CUDA_EMULATION_ATOMIC(name, expression, ...)                                      \
  template <class T>                                                                      \
  T name(T* address, typename cuda_emulation::Identity<T>::type value) {                  \
    static_assert(cuda_emulation::is_one_of<T, __VA_ARGS__>, #name ": no such overload"); \
    return cuda_emulation::read_modify_write(                                             \
        address, [&]([[maybe_unused]] T old) { return T(expression); });                  \
  }
CUDA_EMULATION_ATOMIC(atomicAdd, old + value, int, unsigned, unsigned long long, float, double)
CUDA_EMULATION_ATOMIC(atomicSub, old - value, int, unsigned)
CUDA_EMULATION_ATOMIC(atomicMin, value < old ? value : old, int, unsigned, long long,
                      unsigned long long)
CUDA_EMULATION_ATOMIC(atomicMax, old < value ? value : old, int, unsigned, long long,
                      unsigned long long)
CUDA_EMULATION_ATOMIC(atomicExch, value, int, unsigned, unsigned long long, float)
CUDA_EMULATION_ATOMIC(atomicAnd, old& value, int, unsigned, unsigned long long)
CUDA_EMULATION_ATOMIC(atomicOr, old | value, int, unsigned, unsigned long long)
CUDA_EMULATION_ATOMIC(atomicXor, old ^ value, int, unsigned, unsigned long long)
CUDA_EMULATION_ATOMIC(atomicInc, old >= value ? 0 : old + 1, unsigned)
CUDA_EMULATION_ATOMIC(atomicDec, old == 0 || old > value ? value : old - 1, unsigned)
#undef CUDA_EMULATION_ATOMIC

template <class T>
T atomicCAS(T* address, typename cuda_emulation::Identity<T>::type expected,
            typename cuda_emulation::Identity<T>::type desired) {
  static_assert(cuda_emulation::is_one_of<T, int, unsigned, unsigned long long, unsigned short>,
                "atomicCAS: no such overload");
  return cuda_emulation::read_modify_write(
      address, [&]([[maybe_unused]] T old) { return old == expected ? desired : old; });
}

inline void __threadfence() {}
inline void __threadfence_block() {}
inline void __threadfence_system() {}
