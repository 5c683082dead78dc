// `%%` on signed integers. Only a divisor of -1 needs care: the quotient may not be representable.
#pragma once

/// x % y, with the sign of x.
template <typename T>
inline T truncating_rem(T x, T y) {
  return y == -1 ? T{0} : static_cast<T>(x % y);
}
