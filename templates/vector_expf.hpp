// exp of floats for loops that are to become vectors: see scaled_expf.
#pragma once

#include "templates/scaled_expf.hpp"

/// exp(x), without branches or calls; error below 1 ulp.
[[gnu::always_inline]] inline float vector_expf(float x) { return scaled_expf(x, 0.0f); }
