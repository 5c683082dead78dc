// The fence after stores that bypass the caches.
#pragma once

/// Makes the stores of store_columns visible to other workers before all stores that follow.
inline void order_stores() {
#ifdef __SSE__
  __builtin_ia32_sfence();
#endif
}
