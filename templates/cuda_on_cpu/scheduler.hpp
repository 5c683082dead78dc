// Runs the threads of a block as fibers, one block after another. A fiber is suspended at barriers
// and warp operations only.
#pragma once

#include <cstdio>
#include <memory>
#include <vector>

#include <boost/context/detail/fcontext.hpp>

#include "address_sanitizer.hpp"
#include "cuda_on_cpu.hpp"

namespace cuda_emulation {

// What the emulated device allows (an sm_90 part).
constexpr unsigned max_threads_per_block = 1024;
constexpr unsigned max_block_dim_z = 64;
constexpr unsigned max_grid_dim_yz = 65535;
constexpr std::size_t default_shared_bytes = 48 * 1024;
constexpr std::size_t max_shared_bytes = 227 * 1024;
constexpr int multiprocessors = 2;
constexpr int max_threads_per_multiprocessor = 2048;

/// A stack with a guard page, made once and reused.
struct Fiber {
  boost::context::detail::fcontext_t context = nullptr;
  StackRange stack;
  void* fake_stack = nullptr;
  int thread = -1;  // the CUDA thread that is suspended on this fiber
};

enum class ThreadState : unsigned char {
  not_started,
  ready,
  at_block_barrier,
  in_warp_operation,
  finished
};

struct Thread {
  uint3 index{};
  Fiber* fiber = nullptr;
  ThreadState state = ThreadState::not_started;
};

/// What a lane that waits in a warp operation asked for.
struct LaneRequest {
  enum Kind { barrier, shuffle, gather } kind;
  unsigned mask;
  int source_lane;
  void const* value;
  void* result;
  std::size_t size;
  unsigned taking_part;  // answer: the lanes of the mask that had not exited
};

struct Warp {
  unsigned waiting = 0;     // lanes in a warp operation
  unsigned at_barrier = 0;  // of the block
  unsigned meeting = 0;     // that ask who goes along with them
  unsigned live = 0;        // lanes that have not exited
  LaneRequest requests[warpSize];
  void const* places[warpSize];  // of the program where lanes meet
  unsigned met[warpSize];        // answer: who goes along
};

class Scheduler {
 public:
  void run_grid(LaunchConfiguration const& configuration, char const* kernel_name,
                ThreadFunction function, void const* context);

  int current_thread() const { return current_; }
  unsigned long long barriers_completed() const { return barriers_completed_; }
  int block_barrier(Vote vote, int predicate, char const* file, int line);
  unsigned warp_operation(LaneRequest request);
  unsigned active_mask(void const* place);
  void* dynamic_shared() const { return dynamic_shared_; }
  void* shared_variable_address(SharedSlot& slot, std::size_t bytes, std::size_t alignment);
  void describe_current_thread(std::FILE* file) const;

 private:
  void begin_block();
  void* allocate_shared(std::size_t bytes, std::size_t alignment);
  void run_block();
  void choose_order();
  void resume(Fiber& fiber);
  void suspend(ThreadState state);
  void finish_current_thread();
  void release_block_barrier();
  bool try_complete_warp_operation(Warp& warp, unsigned mask);
  void let_lanes_meet(Warp& warp);
  Thread& thread_of(Warp const& warp, int lane);
  [[noreturn]] void report_deadlock() const;
  Fiber& idle_fiber();
  static void fiber_main(boost::context::detail::transfer_t transfer);

  // The launch.
  char const* kernel_name_ = nullptr;
  ThreadFunction function_ = nullptr;
  void const* context_ = nullptr;
  std::size_t dynamic_shared_bytes_ = 0;
  int thread_count_ = 0;
  std::vector<int> order_;  // in which the threads of a block are started and resumed

  // The block.
  unsigned long long block_number_ = 0;  // counts over all launches
  std::vector<Thread> threads_;
  std::vector<Warp> warps_;
  int started_ = 0;
  int live_ = 0;
  int current_ = -1;
  std::size_t static_shared_bytes_ = 0;
  void* dynamic_shared_ = nullptr;
  std::vector<std::unique_ptr<void, void (*)(void*)>> shared_memory_;  // all of the block's

  // The block's barrier.
  int arrived_ = 0;
  char const* barrier_file_ = nullptr;
  int barrier_line_ = 0;
  int votes_ = 0;
  int vote_result_ = 0;
  unsigned long long barriers_completed_ = 0;

  // The fibers.
  std::vector<std::unique_ptr<Fiber>> fibers_;
  std::vector<Fiber*> idle_fibers_;
  Fiber* running_ = nullptr;
  boost::context::detail::fcontext_t scheduler_context_ = nullptr;
  void* scheduler_fake_stack_ = nullptr;
  StackRange scheduler_stack_;
};

extern Scheduler scheduler;

}  // namespace cuda_emulation
