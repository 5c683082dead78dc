#include "emit/verify/header_cache.hpp"

#include <unistd.h>

#include <cstdlib>
#include <thread>

#include <clang/Basic/Version.h>
#include <fmt/ranges.h>
#include <fmt/std.h>
#include <llvm/Support/MD5.h>

namespace boustro::verify {
namespace fs = std::filesystem;
namespace {

std::optional<fs::path> folder_of_user() {
  if (const char* const chosen = std::getenv("BOUSTRO_CACHE"))
    return *chosen == '\0' ? std::nullopt : std::optional<fs::path>(chosen);
  if (const char* const caches = std::getenv("XDG_CACHE_HOME"); caches != nullptr && *caches != '\0')
    return fs::path(caches) / "boustro";
  if (const char* const home = std::getenv("HOME"); home != nullptr && *home != '\0')
    return fs::path(home) / ".cache" / "boustro";
  return std::nullopt;
}

std::string name_for(const std::vector<std::string>& command) {
  const std::string text = fmt::format("{}\n{}", clang::getClangFullVersion(), fmt::join(command, "\n"));
  llvm::MD5 hash;
  hash.update(text);
  return hash.final().digest().str().str() + ".pch";
}

/// A name that no other thread of any process uses.
fs::path unfinished(const fs::path& file) {
  return fmt::format("{}.{}.{}", file.string(), getpid(), std::this_thread::get_id());
}

}  // namespace

std::optional<fs::path> cached_headers(const std::vector<std::string>& command,
                                       const MakeHeaders& make) {
  const auto folder = folder_of_user();
  if (!folder) return std::nullopt;
  const fs::path file = *folder / name_for(command);
  std::error_code error;
  if (fs::exists(file, error)) return file;
  fs::create_directories(*folder, error);
  if (error) return std::nullopt;
  const fs::path made = unfinished(file);
  if (make(made)) fs::rename(made, file, error);
  else error = std::make_error_code(std::errc::io_error);
  if (!error) return file;
  forget_headers(made);
  return std::nullopt;
}

void forget_headers(const fs::path& file) {
  std::error_code ignored;
  fs::remove(file, ignored);
}

}  // namespace boustro::verify
