// Counts what the program does on the device, see counts.hpp. Accesses are told from each other by
// where they go: to an allocation of device memory, to the block's shared memory, to the thread's
// stack; all else (a kernel's arguments, which lie on the host's stack) is not counted. At the end
// the counts go to the file that CUDA_EMULATION_COUNTS names.
#ifdef CUDA_EMULATION_COUNTS

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "access_counter.hpp"
#include "common_sectors.hpp"
#include "counts.hpp"
#include "cuda_on_cpu.hpp"
#include "device_memory.hpp"
#include "footprint.hpp"
#include "lane_counter.hpp"
#include "line_atomics.hpp"
#include "observer.hpp"

namespace cuda_emulation {
namespace {

struct Row {
  Work work;
  std::string name;
  Counts counts;
};

/// A part of memory.
struct Range {
  std::uintptr_t begin = 0, end = 0;

  bool contains(std::uintptr_t address) const { return begin <= address && address < end; }
};

Range range_of(void const* begin, std::size_t bytes) {
  auto const address = reinterpret_cast<std::uintptr_t>(begin);
  return {address, address + bytes};
}

/// What is counted of one kind of memory.
struct Memory {
  AccessCounter loads, stores;
  AtomicCounter atomics;
};

class DeviceCounter {
 public:
  ~DeviceCounter() {
    if (!written_) write();
  }

  void begin(Work work, char const* name, std::size_t blocks, std::size_t threads) {
    current_ = &row(work, name);
    ++current_->launches;
    current_->blocks += blocks;
    current_->threads += blocks * threads;
    known_global_ = {};  // what was there may have been freed
  }
  void end() {
    end_block();
    for (Memory* const memory : {&global_, &shared_}) {
      memory->loads.end_launch();
      memory->stores.end_launch();
      memory->atomics.part();
    }
    line_atomics_.end_launch();
    of_launch_.clear();
    common_.clear();
    current_ = nullptr;
  }
  void begin_block() { end_block(); }
  void add_shared_memory(Range range) {
    shared_ranges_.push_back(range);
    shared_bytes_ += range.end - range.begin;
    current_->shared_bytes = std::max(current_->shared_bytes, shared_bytes_);
  }
  void meet_at_barrier() {
    ++current_->barriers;
    settle();
  }
  void meet_at_warp_barrier(int warp) {
    lanes_.settle(*current_, warp);
    line_atomics_.settle(warp, current_->most_global_atomics);
    for (Memory* const memory : {&global_, &shared_}) {
      memory->loads.settle(*current_, warp);
      memory->stores.settle(*current_, warp);
    }
  }
  void access(void const* pointer, std::size_t bytes, AccessKind kind, void const* place) {
    if (current_ == nullptr || pauses_ > 0) return;
    auto const address = reinterpret_cast<std::uintptr_t>(pointer);
    Memory* const memory = memory_at(address);
    if (memory == nullptr) return;
    if (memory == &global_) add_to_footprints(address, bytes, kind);
    int const thread = execution_point.thread;
    if (memory == &global_ && kind == read_access) lanes_.load(thread);
    switch (kind) {
      case read_access:
        return memory->loads.add(*current_, thread, place, address, bytes);
      case write_access:
        return memory->stores.add(*current_, thread, place, address, bytes);
      default:
        if (memory == &global_ && thread >= 0) line_atomics_.add(thread, place, address);
        return memory->atomics.add(*current_, address);
    }
  }
  void transfer(Work work, char const* name, std::size_t bytes_read, std::size_t bytes_written) {
    Counts& counts = row(work, name);
    ++(work == Work::wait ? counts.waits : counts.launches);
    counts.global_load_bytes += bytes_read;
    counts.global_store_bytes += bytes_written;
    counts.needed_bytes += bytes_read;
    counts.left_bytes += bytes_written;
  }
  void run_block(CodeBlock& code) {
    if (current_ != nullptr && pauses_ == 0) lanes_.run(*current_, execution_point.thread, code);
  }

  void pause() { ++pauses_; }
  void go_on() { --pauses_; }

  void restart() { rows_.clear(); }
  void write();

 private:
  Counts& row(Work work, char const* name) {
    for (Row& row : rows_)
      if (row.work == work && row.name == name) return row.counts;
    rows_.push_back({work, name, {}});
    return rows_.back().counts;
  }
  /// An atomic needs what was there, and leaves something else.
  void add_to_footprints(std::uintptr_t address, std::size_t bytes, AccessKind kind) {
    constexpr std::uint64_t size = Footprint::sector_bytes;
    std::uint64_t new_to_block = 0;
    if (kind != write_access) {
      new_to_block += of_block_.load(address, bytes);
      current_->block_needed_bytes += size * new_to_block;
      current_->needed_bytes += size * of_launch_.load(address, bytes);
    }
    if (kind != read_access) {
      new_to_block += of_block_.store(address, bytes);
      current_->left_bytes += size * of_launch_.store(address, bytes);
    }
    if (new_to_block != 0) current_->common_bytes += size * common_.meet(address, bytes, block_);
  }
  void settle() {
    lanes_.settle(*current_);
    line_atomics_.settle(current_->most_global_atomics);
    for (Memory* const memory : {&global_, &shared_}) {
      memory->loads.settle(*current_);
      memory->stores.settle(*current_);
    }
  }
  void end_block() {
    settle();
    lanes_.end_block(*current_);
    of_block_.clear();
    ++block_;
    shared_.atomics.part();
    shared_ranges_.clear();
    shared_bytes_ = 0;
  }

  Memory* memory_at(std::uintptr_t address) {
    ExecutionPoint const& now = execution_point;
    if (Range{now.stack_begin, now.stack_end}.contains(address)) return &local_;
    for (Range const& range : shared_ranges_)
      if (range.contains(address)) return &shared_;
    if (known_global_.contains(address)) return &global_;
    auto const* const pointer = reinterpret_cast<void const*>(address);
    std::size_t const bytes = device_memory.bytes_from(pointer);
    if (bytes == 0) return nullptr;
    known_global_ = range_of(pointer, bytes);
    return &global_;
  }

  std::vector<Row> rows_;
  Counts* current_ = nullptr;  // of what runs now; nothing does while rows are added
  int pauses_ = 0;
  Range known_global_;                // a part of device memory
  std::vector<Range> shared_ranges_;  // of the block
  std::uint64_t shared_bytes_ = 0;    // in them
  bool written_ = false;
  LaneCounter lanes_;
  Footprint of_block_, of_launch_;
  CommonSectors common_;
  std::uint32_t block_ = 1;  // the number of the block that runs
  LineAtomics line_atomics_;

  Memory global_ = {AccessCounter({&Counts::global_loads, &Counts::global_load_bytes,
                                   &Counts::global_load_requests, &Counts::global_load_sectors}),
                    AccessCounter({&Counts::global_stores, &Counts::global_store_bytes,
                                   &Counts::global_store_requests, &Counts::global_store_sectors}),
                    AtomicCounter(&Counts::global_atomics)};
  Memory shared_ = {AccessCounter({&Counts::shared_loads, &Counts::shared_load_bytes,
                                   &Counts::shared_load_requests, &Counts::shared_load_conflicts},
                                  Cost::bank_conflicts),
                    AccessCounter({&Counts::shared_stores, &Counts::shared_store_bytes,
                                   &Counts::shared_store_requests, &Counts::shared_store_conflicts},
                                  Cost::bank_conflicts),
                    AtomicCounter(&Counts::shared_atomics, &Counts::most_shared_atomics)};
  Memory local_ = {AccessCounter({&Counts::local_loads, &Counts::local_load_bytes}),
                   AccessCounter({&Counts::local_stores, &Counts::local_store_bytes}),
                   AtomicCounter(nullptr)};
};

DeviceCounter& counter() {
  static DeviceCounter counter;
  return counter;
}

char const* name_of(Work work) {
  switch (work) {
    case Work::kernel:
      return "kernel";
    case Work::library:
      return "library";
    case Work::copy:
      return "copy";
    case Work::fill:
      return "fill";
    case Work::wait:
      return "wait";
  }
  return "";
}

void DeviceCounter::write() {
  written_ = true;
  char const* const path = std::getenv("CUDA_EMULATION_COUNTS");
  if (path == nullptr) return;
  std::FILE* const file = std::fopen(path, "w");
  if (file == nullptr) fail("cannot write the counts to %s", path);
  std::fputs("work\tname", file);
  for (Counter const& counter : counters) std::fprintf(file, "\t%s", counter.name);
  for (Row const& row : rows_) {
    std::fprintf(file, "\n%s\t%s", name_of(row.work), row.name.c_str());
    for (Counter const& counter : counters) std::fprintf(file, "\t%" PRIu64, row.counts.*counter.number);
  }
  std::fputc('\n', file);
  if (std::fclose(file) != 0) fail("cannot write the counts to %s", path);
}

}  // namespace

Uncounted::Uncounted() { counter().pause(); }
Uncounted::~Uncounted() { counter().go_on(); }

void observe_begin(Work work, char const* name, std::size_t blocks, std::size_t threads_per_block) {
  counter().begin(work, name, blocks, threads_per_block);
}
void observe_end() { counter().end(); }
void observe_block() { counter().begin_block(); }
void observe_shared_memory(void const* address, std::size_t bytes) {
  counter().add_shared_memory(range_of(address, bytes));
}
void observe_block_barrier() { counter().meet_at_barrier(); }
void observe_warp_barrier(int warp, unsigned) { counter().meet_at_warp_barrier(warp); }
void observe_access(void const* address, std::size_t bytes, AccessKind kind, void const* location) {
  counter().access(address, bytes, kind, location);
}
void observe_transfer(Work work, char const* name, std::size_t bytes_read, std::size_t bytes_written) {
  counter().transfer(work, name, bytes_read, bytes_written);
}
void observe_entry_begin() { counter().restart(); }
void observe_entry_end() { counter().write(); }

}  // namespace cuda_emulation

extern "C" void cuda_emulation_run_block(cuda_emulation::CodeBlock* code) {
  cuda_emulation::counter().run_block(*code);
}

#endif
