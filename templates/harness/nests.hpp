// Watches of the outermost nests of loops of an emitted C++ file; emit/verify/time_nests.cpp puts them there.
// They tell what time a nest takes, or with HARNESS_COUNT_NESTS what it does (count_nests.cpp). The result
// goes to the file that HARNESS_WATCHES names.
#pragma once

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace harness {

/// `line` is 0 for the whole entry, and `text` the loop's condition or the entry's name.
struct Nest {
  int line;
  const char* text;
  double seconds;

  Nest(int line, const char* text);
};

#ifdef HARNESS_COUNT_NESTS

class NestWatch {
 public:
  explicit NestWatch(Nest& nest);
  ~NestWatch();
  NestWatch(const NestWatch&) = delete;
  NestWatch& operator=(const NestWatch&) = delete;

 private:
  Nest* outer_;
};

#else

inline std::vector<Nest*>& nests() {
  static std::vector<Nest*> all;
  return all;
}

/// A line for each nest: seconds, and its name.
inline void write_nests() {
  const char* const path = std::getenv("HARNESS_WATCHES");
  std::FILE* const file = path == nullptr ? nullptr : std::fopen(path, "w");
  if (file == nullptr) return;
  for (const Nest* const nest : nests())
    std::fprintf(file, "%.9f\t%d: %s\n", nest->seconds, nest->line, nest->text);
  std::fclose(file);
}

inline Nest::Nest(int line, const char* text) : line(line), text(text), seconds(0) {
  if (nests().empty()) std::atexit(write_nests);
  nests().push_back(this);
}

class NestWatch {
 public:
  explicit NestWatch(Nest& nest) : nest_(nest), begin_(Clock::now()) {}
  ~NestWatch() { nest_.seconds += std::chrono::duration<double>(Clock::now() - begin_).count(); }
  NestWatch(const NestWatch&) = delete;
  NestWatch& operator=(const NestWatch&) = delete;

 private:
  using Clock = std::chrono::steady_clock;
  Nest& nest_;
  Clock::time_point begin_;
};

#endif

}  // namespace harness
