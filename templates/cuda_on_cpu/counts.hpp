// What is counted of a program that runs on the CPU in the mode `counts`, and the file that holds it.
//
// The file is a table: a line of column names (`work`, `name`, those of `counters`), and one for each
// kernel, library call or kind of transfer, in the order in which they were first met, all separated by
// tabulators. `emit/run` reads it.
#pragma once

#include <algorithm>
#include <cstdint>

namespace cuda_emulation {

/// An access is that of one thread, however many bytes it has.
struct Counts {
  std::uint64_t launches = 0;  // or calls; what is queued
  std::uint64_t blocks = 0, threads = 0;
  // A request is what the lanes of a warp ask for together; see warp_requests.hpp.
  std::uint64_t global_loads = 0, global_load_bytes = 0;
  std::uint64_t global_load_requests = 0, global_load_sectors = 0;
  std::uint64_t global_stores = 0, global_store_bytes = 0;
  std::uint64_t global_store_requests = 0, global_store_sectors = 0;
  std::uint64_t global_atomics = 0, most_global_atomics = 0;  // on one address in one launch
  std::uint64_t shared_loads = 0, shared_load_bytes = 0;
  std::uint64_t shared_load_requests = 0, shared_load_conflicts = 0;
  std::uint64_t shared_stores = 0, shared_store_bytes = 0;
  std::uint64_t shared_store_requests = 0, shared_store_conflicts = 0;
  std::uint64_t shared_atomics = 0, most_shared_atomics = 0;  // on one address in one block
  std::uint64_t local_loads = 0, local_load_bytes = 0;        // of the thread's own memory
  std::uint64_t local_stores = 0, local_store_bytes = 0;
  std::uint64_t barriers = 0;  // each once for each block that meets there
  std::uint64_t waits = 0;     // of the host for the device
};

enum class Adds { up, to_largest };

struct Counter {
  char const* name;
  std::uint64_t Counts::*number;
  Adds adds = Adds::up;
};

constexpr Counter counters[] = {
    {"launches", &Counts::launches},
    {"blocks", &Counts::blocks},
    {"threads", &Counts::threads},
    {"global_loads", &Counts::global_loads},
    {"global_load_bytes", &Counts::global_load_bytes},
    {"global_load_requests", &Counts::global_load_requests},
    {"global_load_sectors", &Counts::global_load_sectors},
    {"global_stores", &Counts::global_stores},
    {"global_store_bytes", &Counts::global_store_bytes},
    {"global_store_requests", &Counts::global_store_requests},
    {"global_store_sectors", &Counts::global_store_sectors},
    {"global_atomics", &Counts::global_atomics},
    {"most_global_atomics", &Counts::most_global_atomics, Adds::to_largest},
    {"shared_loads", &Counts::shared_loads},
    {"shared_load_bytes", &Counts::shared_load_bytes},
    {"shared_load_requests", &Counts::shared_load_requests},
    {"shared_load_conflicts", &Counts::shared_load_conflicts},
    {"shared_stores", &Counts::shared_stores},
    {"shared_store_bytes", &Counts::shared_store_bytes},
    {"shared_store_requests", &Counts::shared_store_requests},
    {"shared_store_conflicts", &Counts::shared_store_conflicts},
    {"shared_atomics", &Counts::shared_atomics},
    {"most_shared_atomics", &Counts::most_shared_atomics, Adds::to_largest},
    {"local_loads", &Counts::local_loads},
    {"local_load_bytes", &Counts::local_load_bytes},
    {"local_stores", &Counts::local_stores},
    {"local_store_bytes", &Counts::local_store_bytes},
    {"barriers", &Counts::barriers},
    {"waits", &Counts::waits},
};

inline void add(Counts& total, Counts const& more) {
  for (Counter const& counter : counters) {
    std::uint64_t& number = total.*counter.number;
    std::uint64_t const other = more.*counter.number;
    number = counter.adds == Adds::up ? number + other : std::max(number, other);
  }
}

}  // namespace cuda_emulation
