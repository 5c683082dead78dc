// Threads of a block, in all kernels.
#pragma once

constexpr int block_size = 256;
