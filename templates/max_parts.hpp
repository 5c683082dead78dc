// Room for what each part of a divided loop yields.
#pragma once

#include <cstdint>

/// Loops that workers share are divided into at most so many parts.
constexpr int64_t max_parts = 64;
