// Atomic updates by an operator that CUDA has no instruction for.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

/// Atomically sets `*cell` to op(*cell, operand), in a compare-and-swap loop on the cell, or for
/// bytes on the aligned 16 bits around it. The other byte of these may lie past the end of an
/// array, whose memory CUDA has rounded up; if another thread changes it, the loop only repeats.
template <typename T, typename Op>
__device__ void atomic_update(T* cell, T operand, Op op) {
  using Word = std::conditional_t<sizeof(T) == 8, unsigned long long,
                                  std::conditional_t<sizeof(T) == 4, unsigned, unsigned short>>;
  const auto address = reinterpret_cast<uintptr_t>(cell);
  const auto offset = address % sizeof(Word);
  auto* const word = reinterpret_cast<Word*>(address - offset);

  Word expected = atomicCAS(word, Word{0}, Word{0});
  for (;;) {
    T value;
    memcpy(&value, reinterpret_cast<const char*>(&expected) + offset, sizeof(T));
    value = op(value, operand);
    Word desired = expected;
    memcpy(reinterpret_cast<char*>(&desired) + offset, &value, sizeof(T));
    if (desired == expected) return;
    const Word found = atomicCAS(word, expected, desired);
    if (found == expected) return;
    expected = found;
  }
}
