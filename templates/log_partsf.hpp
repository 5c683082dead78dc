// What log, log2, log10 and log1p of floats have in common, without branches or calls. See
// log_parts for the method; R(z) / z interpolates at the 3 Chebyshev nodes of s^2, and s R has an
// error below 2^-29.
#pragma once

#include <cstdint>

#include "templates/bits_as.hpp"
#include "templates/select_by_sign.hpp"

/// Parts of a positive finite x = 2^k * (1 + f), with log(1 + f) = f - less.
struct LogPartsF {
  float k, f, less;

  [[gnu::always_inline]] explicit LogPartsF(float x) {
    const float normal = x - 0x1p-126f;  // negative if x is subnormal
    const float scaled = x * 0x1p25f;
    const uint32_t bits = bits_as<uint32_t>(select_by_sign(normal, scaled, x));
    // With this offset the exponent changes at sqrt(1/2), where 1 + f starts again.
    const uint32_t root = 0x3f3504f3, one = 0x3f800000;
    const uint32_t counted = bits + (one - root);
    const uint32_t mantissa = counted & 0x007fffff;
    // As the last bits of the float 2^23 + exponent, the exponent becomes a number.
    const float exponent = bits_as<float>((counted >> 23) | 0x4b000000);
    k = exponent - (0x1p23f + 127) - select_by_sign(normal, 25.0f, 0.0f);
    f = bits_as<float>(mantissa + root) - 1.0f;

    const float s = f / (2.0f + f);
    const float z = s * s;
    float sum = 0x1.2eeb8p-2f;
    sum = sum * z + 0x1.997c12p-2f;
    sum = sum * z + 0x1.55555cp-1f;
    const float square = 0.5f * f * f;
    less = square - s * (square + z * sum);
  }
};
