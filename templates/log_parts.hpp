// What log, log2, log10 and log1p have in common, without branches or calls.
//
// Method  x = 2^k * (1 + f) with 1 + f from sqrt(1/2) to sqrt(2). With s = f / (2 + f), log(1 + f)
//         = log(1 + s) - log(1 - s) = 2 s + s * R(s^2), and since 2 s = f - s * f, it is f - (f^2 /
//         2 - s * (f^2 / 2 + R)): f is exact, and what is subtracted from it is small [Sun's
//         fdlibm, e_log.c] R(z) / z interpolates at the 7 Chebyshev nodes of s^2, computed with 300
//         bits and rounded; s R has an error below 2^-58
#pragma once

#include <cstdint>

#include "templates/bits_as.hpp"
#include "templates/select_by_sign.hpp"

/// Parts of a positive finite x = 2^k * (1 + f), with log(1 + f) = f - less.
struct LogParts {
  double k, f, less;

  [[gnu::always_inline]] explicit LogParts(double x) {
    const double normal = x - 0x1p-1022;  // negative if x is subnormal
    const double scaled = x * 0x1p54;
    const uint64_t bits = bits_as<uint64_t>(select_by_sign(normal, scaled, x));
    // With this offset the exponent changes at sqrt(1/2), where 1 + f starts again.
    const uint64_t root = 0x3fe6a09e00000000, one = 0x3ff0000000000000;
    const uint64_t counted = bits + (one - root);
    const uint64_t mantissa = counted & 0x000fffffffffffff;
    // As the last bits of the double 2^52 + exponent, the exponent becomes a number.
    const double exponent = bits_as<double>((counted >> 52) | 0x4330000000000000);
    k = exponent - (0x1p52 + 1023) - select_by_sign(normal, 54.0, 0.0);
    f = bits_as<double>(mantissa + root) - 1.0;

    const double s = f / (2.0 + f);
    const double z = s * s;
    // Evaluated in parts that do not depend on each other.
    const double z2 = z * z;
    const double low = 0x1.5555555555558p-1 + 0x1.9999999995204p-2 * z;
    const double middle = 0x1.2492492e09d4dp-2 + 0x1.c71c62c639fdep-3 * z;
    const double high = (0x1.7462bd8f7796ep-3 + 0x1.39fd392179a95p-3 * z) +
                        z2 * 0x1.2b6688a387e03p-3;
    const double sum = low + z2 * (middle + z2 * high);
    const double square = 0.5 * f * f;
    less = square - s * (square + z * sum);
  }
};
