// What comes after stores past the caches.
#pragma once

/// What store_columns has stored, other workers see as they see all stores before this.
inline void order_stores() {
#ifdef __SSE__
  __builtin_ia32_sfence();
#endif
}
