#include "frontend/source/deep_stack.hpp"

#include <pthread.h>

#include <exception>

#include "frontend/source/diagnostics.hpp"

namespace boustro::source {
namespace {

constexpr std::size_t stack_bytes = std::size_t{512} << 20;

struct Task {
  const std::function<void()>& work;
  std::exception_ptr exception = nullptr;
};

void* run(void* argument) {
  auto& task = *static_cast<Task*>(argument);
  try {
    task.work();
  } catch (...) {
    task.exception = std::current_exception();
  }
  return nullptr;
}

}  // namespace

// Not std::thread, which cannot set the size of its stack.
void with_deep_stack(const std::function<void()>& work) {
  Task task{work};
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, stack_bytes);
  pthread_t thread;
  const int failure = pthread_create(&thread, &attributes, run, &task);
  pthread_attr_destroy(&attributes);
  internal_check(failure == 0, "with_deep_stack: the system refuses a thread with a large stack");
  pthread_join(thread, nullptr);
  if (task.exception) std::rethrow_exception(task.exception);
}

}  // namespace boustro::source
