// Atomics.  Threads are never preempted, so plain read-modify-writes do; the observer is told that
// they are atomic.
#pragma once

namespace cuda_emulation {

template <class T>
struct Identity {
  using type = T;
};

/// Applies `update` to *address and returns the old value.
template <class T, class Update>
CUDA_EMULATION_UNREPORTED T read_modify_write(T* address, Update update, void const* location) {
  observe_access(address, sizeof *address, atomic_access, location);
  T const old_value = *address;
  *address = update(old_value);
  return old_value;
}

/// Unlike operators of C++, atomics of signed integers wrap around.
template <class T>
CUDA_EMULATION_UNREPORTED T wrapping(T number) {
  return number;
}
inline CUDA_EMULATION_UNREPORTED unsigned wrapping(int number) { return static_cast<unsigned>(number); }

template <class T, class... Allowed>
constexpr bool is_one_of = (std::is_same<T, Allowed>::value || ...);

}  // namespace cuda_emulation

// The second parameter is not deduced, so that atomicAdd(&a_float, 1) converts as in CUDA;
// the static_asserts keep out the types for which CUDA has no such atomic.
#define CUDA_EMULATION_ATOMIC(name, expression, ...)                                               \
  template <class T>                                                                               \
  CUDA_EMULATION_UNREPORTED T name(T* address, typename cuda_emulation::Identity<T>::type value) { \
    static_assert(cuda_emulation::is_one_of<T, __VA_ARGS__>, #name ": no such overload");          \
    auto const update = [&]([[maybe_unused]] T old)                                                \
                            CUDA_EMULATION_UNREPORTED { return T(expression); };                   \
    return cuda_emulation::read_modify_write(address, update, __builtin_return_address(0));        \
  }
CUDA_EMULATION_ATOMIC(atomicAdd, cuda_emulation::wrapping(old) + cuda_emulation::wrapping(value), int, unsigned,
                      unsigned long long, float, double)
CUDA_EMULATION_ATOMIC(atomicSub, cuda_emulation::wrapping(old) - cuda_emulation::wrapping(value), int, unsigned)
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
CUDA_EMULATION_UNREPORTED T atomicCAS(T* address,
                                      typename cuda_emulation::Identity<T>::type expected,
                                      typename cuda_emulation::Identity<T>::type desired) {
  static_assert(cuda_emulation::is_one_of<T, int, unsigned, unsigned long long, unsigned short>,
                "atomicCAS: no such overload");
  auto const update = [&](T old)
                          CUDA_EMULATION_UNREPORTED { return old == expected ? desired : old; };
  return cuda_emulation::read_modify_write(address, update, __builtin_return_address(0));
}

inline void __threadfence() {}
inline void __threadfence_block() {}
inline void __threadfence_system() {}
