// How many blocks a launch needs.
#pragma once

#include <cstdint>

/// Blocks that cover `size` items. An array large enough to overflow the result fits on no device.
unsigned blocks_for(int64_t size, int64_t per_block) {
  return static_cast<unsigned>((size + per_block - 1) / per_block);
}
