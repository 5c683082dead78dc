// Stores of four numbers to memory, past the caches if asked for.
#pragma once

#include <cstdint>

#include "templates/lanes.hpp"

/// Stores four numbers. Past the caches T must have 8 bytes, and `to` be aligned to 32 bytes.
template <bool past_caches, typename T>
void store_four(T* to, T a, T b, T c, T d) {
  using Four = typename VectorOf<T, 4>::Type;
  const Four numbers = {a, b, c, d};
#ifdef __AVX__
  if constexpr (past_caches) {
    typedef double Aligned __attribute__((vector_size(32), may_alias));
#ifdef __clang__
    __builtin_nontemporal_store((Aligned)numbers, reinterpret_cast<Aligned*>(to));
#else
    __builtin_ia32_movntpd256(reinterpret_cast<double*>(to), (Aligned)numbers);
#endif
    return;
  }
#endif
  *reinterpret_cast<Four*>(to) = numbers;
}
