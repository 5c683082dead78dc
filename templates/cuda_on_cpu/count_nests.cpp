// Counts what the nests of an emitted C++ file do: operations on floats, and accesses. The file is compiled as
// those are that the emulator counts (count_blocks/, instrumentation.cpp), and runs in one thread.
// HARNESS_WATCHES names the file for the counts, which is like the emulator's: a row for each nest.
#ifdef HARNESS_COUNT_NESTS

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "code_block.hpp"
#include "counts.hpp"
#include "footprint.hpp"
#include "harness/nests.hpp"

namespace {

using cuda_emulation::Counts;
using cuda_emulation::Footprint;

struct Row {
  harness::Nest* nest;
  Counts counts;
};

/// What runs now, and all that has run.
struct State {
  std::vector<Row> rows;
  harness::Nest* current = nullptr;
  Counts* counts = nullptr;  // of the current nest
  Footprint footprint;       // of its run
};

State& state() {
  static State state;
  return state;
}

void enter(harness::Nest* nest) {
  State& now = state();
  now.current = nest;
  now.counts = nullptr;
  for (Row& row : now.rows)
    if (row.nest == nest) now.counts = &row.counts;
  now.footprint.clear();
}

void load(void const* address, std::size_t bytes) {
  State& now = state();
  if (now.counts == nullptr || bytes == 0) return;
  ++now.counts->global_loads;
  now.counts->global_load_bytes += bytes;
  now.counts->needed_bytes +=
      Footprint::sector_bytes * now.footprint.load(reinterpret_cast<std::uintptr_t>(address), bytes);
}

void store(void const* address, std::size_t bytes) {
  State& now = state();
  if (now.counts == nullptr || bytes == 0) return;
  ++now.counts->global_stores;
  now.counts->global_store_bytes += bytes;
  now.counts->left_bytes +=
      Footprint::sector_bytes * now.footprint.store(reinterpret_cast<std::uintptr_t>(address), bytes);
}

void write_counts() {
  char const* const path = std::getenv("HARNESS_WATCHES");
  std::FILE* const file = path == nullptr ? nullptr : std::fopen(path, "w");
  if (file == nullptr) return;
  std::fputs("work\tname", file);
  for (auto const& counter : cuda_emulation::counters) std::fprintf(file, "\t%s", counter.name);
  for (Row const& row : state().rows) {
    std::fprintf(file, "\n%s\t%d: %s", row.nest->line == 0 ? "entry" : "nest", row.nest->line,
                 row.nest->text);
    for (auto const& counter : cuda_emulation::counters)
      std::fprintf(file, "\t%" PRIu64, row.counts.*counter.number);
  }
  std::fputc('\n', file);
  std::fclose(file);
}

}  // namespace

namespace harness {

Nest::Nest(int line, const char* text) : line(line), text(text), seconds(0) {
  if (state().rows.empty()) std::atexit(write_counts);
  state().rows.push_back({this, {}});
  enter(state().current);  // whose counts lie elsewhere now
}

NestWatch::NestWatch(Nest& nest) : outer_(state().current) {
  enter(&nest);
  ++state().counts->launches;
}
NestWatch::~NestWatch() { enter(outer_); }

}  // namespace harness

extern "C" {

void cuda_emulation_run_block(cuda_emulation::CodeBlock* code) {
  Counts* const counts = state().counts;
  if (counts != nullptr) add_operations(*counts, *code, 1);
}

// What -fsanitize=thread makes the compiler call.
void __tsan_init() {}
#define HARNESS_ACCESS(prefix, size)                                       \
  void __tsan_##prefix##read##size(void* address) { load(address, size); } \
  void __tsan_##prefix##write##size(void* address) { store(address, size); }
HARNESS_ACCESS(, 1)
HARNESS_ACCESS(, 2)
HARNESS_ACCESS(, 4)
HARNESS_ACCESS(, 8)
HARNESS_ACCESS(, 16)
HARNESS_ACCESS(unaligned_, 2)
HARNESS_ACCESS(unaligned_, 4)
HARNESS_ACCESS(unaligned_, 8)
HARNESS_ACCESS(unaligned_, 16)
void __tsan_read_range(void* address, std::size_t size) { load(address, size); }
void __tsan_write_range(void* address, std::size_t size) { store(address, size); }
void __tsan_vptr_update(void**, void*) {}
void __tsan_vptr_read(void**) {}
void* __tsan_memcpy(void* to, void const* from, std::size_t size) {
  load(from, size);
  store(to, size);
  return std::memcpy(to, from, size);
}
void* __tsan_memmove(void* to, void const* from, std::size_t size) {
  load(from, size);
  store(to, size);
  return std::memmove(to, from, size);
}
void* __tsan_memset(void* to, int value, std::size_t size) {
  store(to, size);
  return std::memset(to, value, size);
}

}  // extern "C"

#endif
