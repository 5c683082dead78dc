#include "scheduler.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdarg>
#include <cstring>
#include <functional>
#include <numeric>
#include <random>
#include <string>

#include "device_memory.hpp"
#include "observer.hpp"

namespace cuda_emulation {

Scheduler scheduler;
ExecutionPoint execution_point;

namespace {

std::size_t stack_bytes() {
  static std::size_t const bytes = [] {
    char const* const text = std::getenv("CUDA_EMULATION_STACK_KB");
    return (text ? std::strtoul(text, nullptr, 10) : 128) * 1024;
  }();
  return bytes;
}

void allocate_stack(Fiber& fiber) {
  constexpr std::size_t guard = 4096;
  void* const memory = mmap(nullptr, stack_bytes() + guard, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED || mprotect(memory, guard, PROT_NONE) != 0)
    fail("cannot allocate a fiber's stack");
  fiber.stack = {static_cast<char*>(memory) + guard, stack_bytes()};
}

/// CUDA_EMULATION_ORDER=ascending (the default), descending, or a number that seeds a shuffle:
/// a program whose results depend on the order has a race. With a number lanes diverge, too, as CUDA allows them to.
std::string const& chosen_order() {
  static std::string const choice = [] {
    char const* const text = std::getenv("CUDA_EMULATION_ORDER");
    return std::string(text ? text : "ascending");
  }();
  return choice;
}

/// Nothing unless the order is random.
std::mt19937* random_numbers() {
  std::string const& choice = chosen_order();
  if (choice == "ascending" || choice == "descending") return nullptr;
  static std::mt19937 generator(static_cast<unsigned>(std::stoul(choice)));
  return &generator;
}

}  // namespace

void Scheduler::choose_order() {
  order_.resize(static_cast<std::size_t>(thread_count_));
  std::iota(order_.begin(), order_.end(), 0);
  if (chosen_order() == "descending") std::reverse(order_.begin(), order_.end());
  if (std::mt19937* const numbers = random_numbers()) std::shuffle(order_.begin(), order_.end(), *numbers);
}

void Scheduler::run_grid(LaunchConfiguration const& configuration, char const* kernel_name,
                         ThreadFunction function, void const* context) {
  kernel_name_ = kernel_name;
  function_ = function;
  context_ = context;
  dynamic_shared_bytes_ = configuration.dynamic_shared_bytes;
  gridDim = configuration.grid;
  blockDim = configuration.block;
  thread_count_ = static_cast<int>(blockDim.x * blockDim.y * blockDim.z);
  threads_.assign(static_cast<std::size_t>(thread_count_), Thread{});
  warps_.resize(static_cast<std::size_t>((thread_count_ + warpSize - 1) / warpSize));
  for (int t = 0; t < thread_count_; ++t) {
    unsigned const u = static_cast<unsigned>(t);
    threads_[u].index = {u % blockDim.x, u / blockDim.x % blockDim.y,
                         u / (blockDim.x * blockDim.y)};
  }
  choose_order();
  execution_point.first_block_of_grid = static_cast<std::uint32_t>(block_number_ + 1);

  DeviceMemoryAccess const access;
  observe_begin(Work::kernel, kernel_name, std::size_t{gridDim.x} * gridDim.y * gridDim.z,
                static_cast<std::size_t>(thread_count_));
  for (unsigned z = 0; z < gridDim.z; ++z)
    for (unsigned y = 0; y < gridDim.y; ++y)
      for (unsigned x = 0; x < gridDim.x; ++x) {
        blockIdx = {x, y, z};
        run_block();
      }
  observe_end();
}

/// Shared memory: exactly as large as asked for (ASan), and never zero by chance.
void* Scheduler::allocate_shared(std::size_t bytes, std::size_t alignment) {
  void* address = nullptr;
  if (posix_memalign(&address, std::max<std::size_t>(alignment, 16), bytes) != 0)
    fail("out of memory");
  std::memset(address, 0xFF, bytes);
  observe_shared_memory(address, bytes);
  shared_memory_.emplace_back(address, &std::free);
  return address;
}

void Scheduler::begin_block() {
  ++block_number_;
  execution_point.block = static_cast<std::uint32_t>(block_number_);
  execution_point.barriers = 0;
  observe_block();
  if (dynamic_shared_bytes_ != 0) dynamic_shared_ = allocate_shared(dynamic_shared_bytes_, 16);
  for (Thread& thread : threads_) thread.state = ThreadState::not_started;
  for (std::size_t w = 0; w < warps_.size(); ++w) {
    int const lanes = std::min(warpSize, thread_count_ - static_cast<int>(w) * warpSize);
    warps_[w].waiting = warps_[w].at_barrier = warps_[w].meeting = 0;
    warps_[w].live = lanes == warpSize ? ~0u : (1u << lanes) - 1u;
  }
  started_ = 0;
  live_ = thread_count_;
  arrived_ = 0;
  barriers_completed_ = 0;
  static_shared_bytes_ = 0;
}

void Scheduler::run_block() {
  begin_block();
  // A fiber runs one thread after another until one of them has to wait; only then does the
  // next thread need another fiber.  A kernel without barriers is therefore a plain loop.
  while (started_ < thread_count_) resume(idle_fiber());
  while (live_ > 0) {
    bool progress = false;
    for (int const t : order_) {
      Thread const& thread = threads_[static_cast<std::size_t>(t)];
      if (thread.state != ThreadState::ready) continue;
      current_ = t;
      threadIdx = thread.index;
      resume(*thread.fiber);
      progress = true;
    }
    if (!progress) report_deadlock();
  }
  current_ = -1;
  execution_point.thread = -1;
  shared_memory_.clear();
}

Fiber& Scheduler::idle_fiber() {
  if (idle_fibers_.empty()) {
    fibers_.push_back(std::make_unique<Fiber>());
    Fiber& fiber = *fibers_.back();
    allocate_stack(fiber);
    char* const top =
        const_cast<char*>(static_cast<char const*>(fiber.stack.bottom)) + fiber.stack.size;
    fiber.context =
        boost::context::detail::make_fcontext(top, fiber.stack.size, &Scheduler::fiber_main);
    idle_fibers_.push_back(&fiber);
  }
  Fiber& fiber = *idle_fibers_.back();
  idle_fibers_.pop_back();
  return fiber;
}

/// From the scheduler to a fiber; returns when that fiber suspends itself.
void Scheduler::resume(Fiber& fiber) {
  running_ = &fiber;
  execution_point.thread = current_;
  execution_point.stack_begin = reinterpret_cast<std::uintptr_t>(fiber.stack.bottom);
  execution_point.stack_end = execution_point.stack_begin + fiber.stack.size;
  start_stack_switch(&scheduler_fake_stack_, fiber.stack);
  fiber.context = boost::context::detail::jump_fcontext(fiber.context, this).fctx;
  finish_stack_switch(scheduler_fake_stack_, nullptr);
}

/// From the running fiber back to the scheduler; returns when the fiber is resumed.
void Scheduler::suspend(ThreadState state) {
  Fiber& fiber = *running_;
  if (current_ >= 0) {
    Thread& thread = threads_[static_cast<std::size_t>(current_)];
    thread.state = state;
    thread.fiber = &fiber;
  }
  start_stack_switch(&fiber.fake_stack, scheduler_stack_);
  scheduler_context_ = boost::context::detail::jump_fcontext(scheduler_context_, nullptr).fctx;
  finish_stack_switch(fiber.fake_stack, &scheduler_stack_);
}

void Scheduler::fiber_main(boost::context::detail::transfer_t transfer) {
  Scheduler& self = scheduler;
  finish_stack_switch(nullptr, &self.scheduler_stack_);
  self.scheduler_context_ = transfer.fctx;
  for (;;) {
    while (self.started_ < self.thread_count_) {
      self.current_ = self.order_[static_cast<std::size_t>(self.started_++)];
      Thread& thread = self.threads_[static_cast<std::size_t>(self.current_)];
      threadIdx = thread.index;
      execution_point.thread = self.current_;
      self.function_(self.context_);
      self.finish_current_thread();
    }
    self.idle_fibers_.push_back(self.running_);
    self.current_ = -1;
    self.suspend(ThreadState::finished);
  }
}

void Scheduler::finish_current_thread() {
  Thread& thread = threads_[static_cast<std::size_t>(current_)];
  thread.state = ThreadState::finished;
  --live_;
  Warp& warp = warps_[static_cast<std::size_t>(current_ / warpSize)];
  warp.live &= ~(1u << (current_ % warpSize));
  // Exited threads do not count (since Volta): the others may now be complete.
  if (arrived_ > 0 && arrived_ == live_) release_block_barrier();
  for (unsigned waiting = warp.waiting; waiting != 0;) {  // each group that waits, by its mask
    unsigned const mask = warp.requests[__builtin_ctz(waiting)].mask;
    try_complete_warp_operation(warp, mask);
    waiting &= ~mask;
  }
  let_lanes_meet(warp);
}

void Scheduler::release_block_barrier() {
  arrived_ = 0;
  execution_point.barriers = static_cast<std::uint32_t>(++barriers_completed_);
  observe_block_barrier();
  vote_result_ = votes_;
  votes_ = 0;
  for (Warp& warp : warps_) warp.at_barrier = 0;
  for (Thread& thread : threads_)
    if (thread.state == ThreadState::at_block_barrier) thread.state = ThreadState::ready;
}

int Scheduler::block_barrier(Vote vote, int predicate, char const* file, int line) {
  if (current_ < 0) fail("__syncthreads() outside of a kernel");
  if (arrived_ == 0) {
    barrier_file_ = file;
    barrier_line_ = line;
  } else if (barrier_line_ != line || std::strcmp(barrier_file_, file) != 0) {
    fail("__syncthreads() of %s:%d while other threads wait at that of %s:%d", file, line,
         barrier_file_, barrier_line_);
  }
  if (vote == Vote::all_of)
    votes_ += predicate == 0;
  else if (vote != Vote::none)
    votes_ += predicate != 0;
  if (++arrived_ == live_) {
    release_block_barrier();
  } else {
    Warp& warp = warps_[static_cast<std::size_t>(current_ / warpSize)];
    warp.at_barrier |= 1u << (current_ % warpSize);
    let_lanes_meet(warp);
    suspend(ThreadState::at_block_barrier);
  }
  switch (vote) {
    case Vote::none:
      return 0;
    case Vote::count:
      return vote_result_;
    case Vote::any_of:
      return vote_result_ != 0;
    case Vote::all_of:
      return vote_result_ == 0;
  }
  return 0;
}

unsigned Scheduler::warp_operation(LaneRequest request) {
  if (current_ < 0) fail("a warp operation outside of a kernel");
  int const lane = current_ % warpSize;
  Warp& warp = warps_[static_cast<std::size_t>(current_ / warpSize)];
  if (((request.mask >> lane) & 1u) == 0)
    fail("the mask 0x%08x of a warp operation lacks the calling lane %d", request.mask, lane);
  LaneRequest& mine = warp.requests[lane];
  mine = request;
  warp.waiting |= 1u << lane;
  if (!try_complete_warp_operation(warp, request.mask)) {
    let_lanes_meet(warp);
    suspend(ThreadState::in_warp_operation);
  }
  return mine.taking_part;
}

Thread& Scheduler::thread_of(Warp const& warp, int lane) {
  return threads_[static_cast<std::size_t>(&warp - warps_.data()) * warpSize + static_cast<std::size_t>(lane)];
}

unsigned Scheduler::active_mask(void const* place) {
  if (current_ < 0) fail("__activemask() outside of a kernel");
  int const lane = current_ % warpSize;
  Warp& warp = warps_[static_cast<std::size_t>(current_ / warpSize)];
  warp.places[lane] = place;
  warp.meeting |= 1u << lane;
  let_lanes_meet(warp);
  if (((warp.meeting >> lane) & 1u) != 0) suspend(ThreadState::in_warp_operation);
  return warp.met[lane];
}

/// CUDA does not say which lanes go along with each other. Here they are as many as can be: if no lane of the warp can go on, those at the
/// place that comes first in the program are let go, so that lanes in a loop or branch come back to those behind it. If the order of threads
/// is random, they are any of these.
void Scheduler::let_lanes_meet(Warp& warp) {
  if (warp.meeting == 0 || (warp.live & ~(warp.waiting | warp.at_barrier | warp.meeting)) != 0) return;
  void const* first = nullptr;
  unsigned lanes = 0;
  for (unsigned rest = warp.meeting; rest != 0; rest &= rest - 1) {
    int const lane = __builtin_ctz(rest);
    if (lanes != 0 && std::less<void const*>{}(first, warp.places[lane])) continue;
    if (warp.places[lane] != first) lanes = 0;
    first = warp.places[lane];
    lanes |= 1u << lane;
  }
  if (std::mt19937* const numbers = random_numbers()) {
    unsigned const some = lanes & static_cast<unsigned>((*numbers)());
    if (some != 0) lanes = some;
  }
  warp.meeting &= ~lanes;
  for (unsigned rest = lanes; rest != 0; rest &= rest - 1) {
    int const lane = __builtin_ctz(rest);
    warp.met[lane] = lanes;
    if (Thread& thread = thread_of(warp, lane); thread.state == ThreadState::in_warp_operation) thread.state = ThreadState::ready;
  }
}

/// Gives a lane the values of all `lanes`. What the first of them has got is what the others get: whole, if all lanes of the warp take part.
static void gather(LaneRequest const* requests, unsigned lanes, LaneRequest& to) {
  LaneRequest const& first = requests[__builtin_ctz(lanes)];
  if (lanes == ~0u && &to != &first) {
    std::memcpy(to.result, first.result, warpSize * to.size);
    return;
  }
  for (unsigned rest = lanes; rest != 0; rest &= rest - 1) {
    auto const source = static_cast<std::size_t>(__builtin_ctz(rest));
    std::memcpy(static_cast<char*>(to.result) + source * to.size, requests[source].value, to.size);
  }
}

/// If every live lane of `mask` has arrived, carries out their operation and frees them.
bool Scheduler::try_complete_warp_operation(Warp& warp, unsigned mask) {
  unsigned const lanes = mask & warp.live;
  if ((warp.waiting & lanes) != lanes) return false;
  LaneRequest const& first = warp.requests[__builtin_ctz(lanes)];
  for (int lane = 0; lane < warpSize; ++lane) {
    if (((lanes >> lane) & 1u) == 0) continue;
    LaneRequest& request = warp.requests[lane];
    if (request.mask != mask || request.kind != first.kind || request.size != first.size)
      fail(
          "lanes of one warp are in different warp operations, or use different masks "
          "(0x%08x and 0x%08x)",
          mask, request.mask);
    request.taking_part = lanes;
    if (request.kind == LaneRequest::shuffle) {
      // A source lane that does not take part leaves the result undefined (0xFF bytes).
      if ((lanes >> request.source_lane) & 1u)
        std::memcpy(request.result, warp.requests[request.source_lane].value, request.size);
    } else if (request.kind == LaneRequest::gather) {
      gather(warp.requests, lanes, request);
    }
  }
  warp.waiting &= ~lanes;
  // A barrier orders memory accesses; a shuffle or vote does not.
  if (first.kind == LaneRequest::barrier)
    observe_warp_barrier(static_cast<int>(&warp - warps_.data()), lanes);
  for (unsigned rest = lanes; rest != 0; rest &= rest - 1) {
    Thread& thread = thread_of(warp, __builtin_ctz(rest));
    if (thread.state == ThreadState::in_warp_operation) thread.state = ThreadState::ready;
  }
  return true;
}

void* Scheduler::shared_variable_address(SharedSlot& slot, std::size_t bytes,
                                         std::size_t alignment) {
  if (slot.block_number != block_number_) {
    static_shared_bytes_ += bytes;
    if (static_shared_bytes_ > default_shared_bytes)
      fail("%zu bytes of static shared memory (at most %zu)", static_shared_bytes_,
           default_shared_bytes);
    slot = {block_number_, allocate_shared(bytes, alignment)};
  }
  return slot.address;
}

void Scheduler::describe_current_thread(std::FILE* file) const {
  if (kernel_name_ == nullptr || current_ < 0) return;
  std::fprintf(file, "  in kernel %s, block (%u,%u,%u), thread (%u,%u,%u)\n", kernel_name_,
               blockIdx.x, blockIdx.y, blockIdx.z, threadIdx.x, threadIdx.y, threadIdx.z);
}

void Scheduler::report_deadlock() const {
  int at_barrier = 0, in_warp_operation = 0;
  for (Thread const& thread : threads_) {
    at_barrier += thread.state == ThreadState::at_block_barrier;
    in_warp_operation += thread.state == ThreadState::in_warp_operation;
  }
  fail(
      "deadlock in kernel %s, block (%u,%u,%u): %d threads wait at __syncthreads() (%s:%d), "
      "%d in warp operations, %d have exited",
      kernel_name_, blockIdx.x, blockIdx.y, blockIdx.z, at_barrier,
      barrier_file_ ? barrier_file_ : "-", barrier_line_, in_warp_operation,
      thread_count_ - at_barrier - in_warp_operation);
}

}  // namespace cuda_emulation
