// `to_bits` and `from_bits`: the memory of a value under another type.
#pragma once

#include <cstring>

/// Returns the value of type To that has the bits of `from`.
template <typename To, typename From>
inline To bits_as(From from) {
  static_assert(sizeof(To) == sizeof(From), "as many bits");
  To to;
  memcpy(&to, &from, sizeof(To));
  return to;
}
