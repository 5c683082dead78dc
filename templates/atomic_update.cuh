// Atomic updates by an operator that CUDA has no instruction for.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

/// *cell = op(*cell, operand), atomically: a loop of compare-and-swap on the cell, or for narrow
/// types on the aligned 32 bits around it. Other bits of that word may change meanwhile, which only
/// repeats the loop.
template <typename T, typename Op>
__device__ void atomic_update(T* cell, T operand, Op op) {
  using Word = std::conditional_t<sizeof(T) == 8, unsigned long long, unsigned>;
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
