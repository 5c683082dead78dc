// Loops whose iterations do not meet in memory.
#pragma once

// GCC is told so by `#pragma GCC ivdep`; Clang finds out when the loop runs.
#ifdef __clang__
#pragma clang diagnostic ignored "-Wunknown-pragmas"
#endif
