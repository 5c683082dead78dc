#include "emit/run/process.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>
#include <system_error>

#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Program.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

extern char** environ;

namespace boustro::run {
namespace fs = std::filesystem;
namespace {

std::string read_all(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// Our environment with additions, as `NAME=value`.
std::vector<std::string> environment_with(const std::map<std::string, std::string>& additions) {
  std::vector<std::string> result;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    if (!additions.contains(text.substr(0, text.find('=')))) result.push_back(text);
  }
  for (const auto& [name, value] : additions) result.push_back(name + "=" + value);
  return result;
}

[[noreturn]] void throw_errno(const fs::path& path) {
  throw std::system_error(errno, std::generic_category(), path.string());
}

/// Where symbolic links lead to, which need not exist.
fs::path behind_links(fs::path path) {
  while (fs::is_symlink(path)) path = path.parent_path() / fs::read_symlink(path);
  return path;
}

/// Whether a child ends in time; whoever waits for it does so afterwards. LLVM's own limit is an alarm, which interrupts a wait of
/// the main thread alone.
bool ends_within(pid_t child, int seconds) {
  const int ending = static_cast<int>(syscall(SYS_pidfd_open, child, 0));
  if (ending < 0) throw_errno("pidfd_open");
  pollfd watched{ending, POLLIN, 0};
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
  int ready = 0;
  do {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    ready = poll(&watched, 1, static_cast<int>(std::max<std::int64_t>(0, left.count())));
  } while (ready < 0 && errno == EINTR);
  close(ending);
  return ready > 0;
}

}  // namespace

Outcome execute(const std::string& program, const std::vector<std::string>& args,
                const std::map<std::string, std::string>& environment, int limit_seconds) {
  const auto found = llvm::sys::findProgramByName(program);
  if (!found) return {-1, "cannot find `" + program + "`"};

  const TemporaryFolder folder;
  const std::string output = (folder.path() / "output").string();
  const std::optional<llvm::StringRef> redirects[] = {llvm::StringRef(""), llvm::StringRef(output),
                                                      llvm::StringRef(output)};
  std::vector<llvm::StringRef> words = {*found};
  words.insert(words.end(), args.begin(), args.end());
  const std::vector<std::string> variables = environment_with(environment);
  const std::vector<llvm::StringRef> variable_refs(variables.begin(), variables.end());

  std::string error;
  bool not_started = false;
  const llvm::sys::ProcessInfo child =
      llvm::sys::ExecuteNoWait(*found, words, llvm::ArrayRef<llvm::StringRef>(variable_refs), redirects, 0, &error, &not_started);
  if (not_started) return {-1, error};
  const bool out_of_time = limit_seconds > 0 && !ends_within(child.Pid, limit_seconds);
  if (out_of_time) kill(child.Pid, SIGKILL);
  const int status = llvm::sys::Wait(child, std::nullopt, &error).ReturnCode;
  return {status, read_all(output) + error, out_of_time};
}

namespace {

/// Of private memory that can be written, by whatever call.
rlimit data_limit() {
  rlimit limit{};
  getrlimit(RLIMIT_DATA, &limit);
  return limit;
}

void set_data_limit(std::uint64_t bytes) {
  rlimit limit = data_limit();
  limit.rlim_cur = std::min<rlim_t>(bytes, limit.rlim_max);
  setrlimit(RLIMIT_DATA, &limit);
}

}  // namespace

MemoryLimit::MemoryLimit(std::uint64_t bytes) : before_(current()) { set_data_limit(bytes); }
MemoryLimit::~MemoryLimit() { set_data_limit(before_); }
std::uint64_t MemoryLimit::current() { return data_limit().rlim_cur; }
static_assert(RLIM_INFINITY == MemoryLimit::none);

bool is_available(const std::string& program) {
  const auto found = llvm::sys::findProgramByName(program);
  return found && llvm::sys::fs::can_execute(*found);  // a path is found unseen
}

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (fs::temp_directory_path() / "boustro-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) throw_errno(pattern);
  path_ = pattern;
}

TemporaryFolder::TemporaryFolder(TemporaryFolder&& other) noexcept
    : path_(std::exchange(other.path_, {})) {}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

std::string obstacle_at(const fs::path& path) {
  const fs::file_status status = fs::status(path);
  if (!fs::exists(status) || fs::is_regular_file(status)) return "";
  return fs::is_directory(status) ? "it is a folder" : "it is no regular file";
}

void write_file(const fs::path& path, std::string_view contents) {
  if (const std::string obstacle = obstacle_at(path); !obstacle.empty()) {
    throw std::system_error(std::make_error_code(std::errc::operation_not_permitted),
                            path.string() + ": " + obstacle);
  }
  const fs::path target = behind_links(path);
  const fs::path temporary = target.string() + ".tmp" + std::to_string(getpid());
  {
    std::ofstream file(temporary, std::ios::binary);
    file.write(contents.data(), static_cast<std::streamsize>(contents.size()));
    file.close();
    if (!file) {
      const int error = errno;
      std::error_code ignored;
      fs::remove(temporary, ignored);
      throw std::system_error(error, std::generic_category(), path.string());
    }
  }
  std::error_code error;
  fs::rename(temporary, target, error);
  if (error) {
    std::error_code ignored;
    fs::remove(temporary, ignored);
    throw std::system_error(error, path.string());
  }
}

}  // namespace boustro::run
