// Sorting by some of the bits of integers.
#pragma once

#include <algorithm>
#include <cstdint>

/// Sorts the `count` numbers `xs`, none of which is negative, into `sorted` by their bits from
/// `first_bit` up to, but not including, `end_bit`; numbers with equal bits keep their order. A
/// radix sort by 8 bits at a time; `other` must have room for `count` numbers.
inline void sort_by_bits(int64_t* sorted, const int64_t* xs, int64_t* other, int64_t count, int64_t first_bit, int64_t end_bit) {
  const int64_t passes = (end_bit - first_bit + 7) / 8;
  for (int64_t pass = 0; pass < passes; ++pass) {
    int64_t* const to = (passes - pass) % 2 == 1 ? sorted : other;  // the last pass stores the result
    const int64_t bit = first_bit + 8 * pass;
    const int64_t mask = (int64_t{1} << std::min<int64_t>(end_bit - bit, 8)) - 1;
    int64_t places[256] = {};  // counts of each digit, then places of the next number with it
    for (int64_t i = 0; i < count; ++i) ++places[xs[i] >> bit & mask];
    int64_t first = 0;
    for (int64_t& place : places) {
      const int64_t elements = place;
      place = first;
      first += elements;
    }
    for (int64_t i = 0; i < count; ++i) to[places[xs[i] >> bit & mask]++] = xs[i];
    xs = to;
  }
}
