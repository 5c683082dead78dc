// Finds data races between the emulated threads of one kernel launch, in place of ThreadSanitizer,
// which keeps track of 255 threads at most and knows nothing of blocks.
//
// Two accesses of the same bytes by different threads of a launch race if at least one is a
// write, they are not both atomic, and nothing orders them.  That holds for writes of the same value,
// too.  Volatile accesses are atomic in this sense: PTX calls them strong, as it does atomic ones.
// Order comes from the barriers only:
//   * in one block, from a completed block-wide barrier in between;
//   * in one warp, from __syncwarp() as well, which vector clocks keep track of;
//   * between blocks, from nothing.
// Since blocks run one after another it is enough to remember few accesses per word and kind:
// two by different threads of the block that runs now, and one of an earlier block.
#ifdef CUDA_EMULATION_RACES

#include <unistd.h>

#include <array>
#include <memory>
#include <string>
#include <unordered_map>

#include "cuda_on_cpu.hpp"
#include "observer.hpp"

extern "C" char const __executable_start;  // where the linker put the program

namespace cuda_emulation {
namespace {

struct Access {
  std::uint32_t block = 0;  // 0: none
  std::uint32_t barriers = 0;
  std::uint32_t warp_clock = 0;
  std::uint16_t thread = 0;
  std::uint16_t bytes = 0;  // the set of bytes of the word
  void const* location = nullptr;
};

struct AccessHistory {
  Access latest;         // of the block that accessed the word last
  Access other_thread;   // the same block's latest by a thread other than `latest`
  Access earlier_block;  // the latest of the block before that one
};

constexpr std::size_t word_bytes = 4;
constexpr std::size_t page_bytes = 4096;
using Word = std::array<AccessHistory, access_kinds>;
using Page = std::array<Word, page_bytes / word_bytes>;

std::unordered_map<std::uintptr_t, std::unique_ptr<Page>> pages;
std::uintptr_t latest_page_number = 0;
Page* latest_page = nullptr;

Page* find_page(std::uintptr_t number, bool create) {
  if (number == latest_page_number && latest_page != nullptr) return latest_page;
  auto found = pages.find(number);
  if (found == pages.end()) {
    if (!create) return nullptr;
    found = pages.emplace(number, std::make_unique<Page>()).first;
  }
  latest_page_number = number;
  return latest_page = found->second.get();
}

/// clocks[thread][lane]: what `thread` knows of its warp's `lane`.
std::array<std::array<std::uint32_t, warpSize>, 1024> clocks;

bool is_ordered_before_now(Access const& earlier) {
  ExecutionPoint const& now = execution_point;
  if (earlier.block == 0 || earlier.block < now.first_block_of_grid) return true;
  if (earlier.block != now.block) return false;
  if (earlier.thread == now.thread || earlier.barriers != now.barriers) return true;
  if (earlier.thread / warpSize != now.thread / warpSize) return false;
  return clocks[static_cast<std::size_t>(now.thread)][earlier.thread % warpSize] >=
         earlier.warp_clock;
}

/// "file:line" of a return address, from addr2line.
std::string describe(void const* location) {
  char command[256];
  std::snprintf(
      command, sizeof command,
      "addr2line -se /proc/%d/exe 0x%zx 2>/dev/null | sed 's/ (discriminator.*//'",
      static_cast<int>(getpid()),
      static_cast<std::size_t>(static_cast<char const*>(location) - 1 - &__executable_start));
  std::string text;
  if (FILE* const output = popen(command, "r")) {
    char line[512];
    if (std::fgets(line, sizeof line, output)) text = line;
    pclose(output);
  }
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text.empty() ? "(unknown)" : text;
}

[[noreturn]] void report(Access const& earlier, AccessKind earlier_kind, AccessKind kind,
                         void const* address, void const* location) {
  static char const* const names[access_kinds] = {"read", "write", "atomic operation"};
  ExecutionPoint const& now = execution_point;
  fail(
      "data race at %p:\n  %s by thread %d of block %u at %s\n  %s by thread %d of block %u "
      "at %s",
      address, names[kind], now.thread, now.block - now.first_block_of_grid,
      describe(location).c_str(), names[earlier_kind], int(earlier.thread),
      earlier.block - now.first_block_of_grid, describe(earlier.location).c_str());
}

void note_word(std::uintptr_t word_address, unsigned bytes, AccessKind kind, void const* location) {
  ExecutionPoint const& now = execution_point;
  Word& word =
      (*find_page(word_address / page_bytes, true))[word_address % page_bytes / word_bytes];
  for (int k = 0; k < access_kinds; ++k) {
    AccessKind const earlier_kind = static_cast<AccessKind>(k);
    bool const conflicts = kind == write_access || earlier_kind == write_access ||
                           (kind == atomic_access) != (earlier_kind == atomic_access);
    if (!conflicts) continue;
    AccessHistory const& history = word[static_cast<std::size_t>(k)];
    for (Access const* const earlier :
         {&history.latest, &history.other_thread, &history.earlier_block})
      if ((earlier->bytes & bytes) != 0 && !is_ordered_before_now(*earlier))
        report(*earlier, earlier_kind, kind, reinterpret_cast<void const*>(word_address), location);
  }
  AccessHistory& history = word[kind];
  if (history.latest.block != now.block) {
    history.earlier_block = history.latest;
    history.other_thread = {};
  } else if (history.latest.thread != now.thread) {
    history.other_thread = history.latest;
  }
  auto const thread = static_cast<std::size_t>(now.thread);
  history.latest = {now.block,
                    now.barriers,
                    clocks[thread][thread % warpSize],
                    static_cast<std::uint16_t>(now.thread),
                    static_cast<std::uint16_t>(bytes),
                    location};
}

}  // namespace

void observe_access(void const* pointer, std::size_t size, AccessKind kind, void const* location) {
  if (execution_point.thread < 0) return;  // host code
  auto address = reinterpret_cast<std::uintptr_t>(pointer);
  if (address >= execution_point.stack_begin && address < execution_point.stack_end) return;
  while (size > 0) {
    std::size_t const offset = address % word_bytes;
    std::size_t const count = std::min(size, word_bytes - offset);
    note_word(address - offset, ((1u << count) - 1u) << offset, kind, location);
    address += count;
    size -= count;
  }
}

void observe_block() {
  for (std::size_t thread = 0; thread < clocks.size(); ++thread) {
    clocks[thread].fill(0);
    clocks[thread][thread % warpSize] = 1;
  }
}

void observe_warp_barrier(int warp, unsigned lanes) {
  std::size_t const first = static_cast<std::size_t>(warp) * warpSize;
  std::array<std::uint32_t, warpSize> joined{};
  for (unsigned rest = lanes; rest != 0; rest &= rest - 1) {
    auto const& known = clocks[first + static_cast<unsigned>(__builtin_ctz(rest))];
    for (std::size_t lane = 0; lane < joined.size(); ++lane)
      joined[lane] = std::max(joined[lane], known[lane]);
  }
  for (unsigned rest = lanes; rest != 0; rest &= rest - 1) {
    unsigned const lane = static_cast<unsigned>(__builtin_ctz(rest));
    clocks[first + lane] = joined;
    ++clocks[first + lane][lane];
  }
}

void observe_shared_memory(void const* pointer, std::size_t bytes) {
  auto const begin = reinterpret_cast<std::uintptr_t>(pointer) & ~(word_bytes - 1);
  auto const end = reinterpret_cast<std::uintptr_t>(pointer) + bytes;
  for (std::uintptr_t address = begin; address < end; address += word_bytes)
    if (Page* const page = find_page(address / page_bytes, false))
      (*page)[address % page_bytes / word_bytes] = {};
}

void observe_begin(Work, char const*, std::size_t, std::size_t) {}
void observe_end() {}
void observe_block_barrier() {}
void observe_transfer(Work, char const*, std::size_t, std::size_t) {}
void observe_entry_begin() {}
void observe_entry_end() {}

}  // namespace cuda_emulation

#endif
