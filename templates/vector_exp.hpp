// exp of doubles for loops that are to become vectors: see scaled_exp.
#pragma once

#include "templates/scaled_exp.hpp"

/// exp(x), without branches or calls; error below 1 ulp.
[[gnu::always_inline]] inline double vector_exp(double x) { return scaled_exp(x, 0.0); }
