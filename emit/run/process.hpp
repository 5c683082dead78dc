// Runs other programs: compilers, and what they made.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace boustro::run {

struct Outcome {
  int status = 0;  // exit status; -1: could not be started, -2: killed by a signal or out of time
  std::string output;  // what it wrote to stdout and stderr
  bool out_of_time = false;
  bool ok() const { return status == 0; }
};

/// Runs a program and waits for it. `program` is looked up in PATH unless it is a path. The
/// environment is ours with `environment` added. After `limit_seconds` it is ended; 0: never.
Outcome execute(const std::string& program, const std::vector<std::string>& args,
                const std::map<std::string, std::string>& environment = {},
                int limit_seconds = 300);

/// While it lives, this process and those that it starts get no more memory than that, each: asking
/// for more throws std::bad_alloc. What is mapped is counted, not what is touched.
class MemoryLimit {
 public:
  static constexpr std::uint64_t none = ~std::uint64_t{0};

  explicit MemoryLimit(std::uint64_t bytes);
  ~MemoryLimit();
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;
  static std::uint64_t current();

 private:
  const std::uint64_t before_;
};

/// True if a program of that name is in PATH, or at that path.
bool is_available(const std::string& program);

/// A new folder for temporary files, removed with all it holds at the end of its life.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(TemporaryFolder&& other) noexcept;
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// What stands where a file is to be written and must stay, in words; empty if nothing does: there
/// is no such file yet, or a regular one, perhaps by way of symbolic links.
std::string obstacle_at(const std::filesystem::path& path);

/// Writes a file whole or not at all: to a temporary name beside it, then renames it. Symbolic links
/// stay, and what they lead to is written. Throws std::system_error, also if there is an obstacle.
void write_file(const std::filesystem::path& path, std::string_view contents);

}  // namespace boustro::run
