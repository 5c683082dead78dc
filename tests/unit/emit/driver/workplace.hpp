// A folder with a program in it, and what commands do and print there.
#pragma once

#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "emit/driver/commands.hpp"
#include "emit/run/process.hpp"

namespace boustro::driver {

namespace fs = std::filesystem;

/// A program for tests that are not about what is in it.
inline const std::string squares = "entry squares [n] (xs: [n]f64) : [n]f64 = map (\\x -> x * x) xs\n";

class Workplace {
 public:
  explicit Workplace(const std::string& program) {
    std::ofstream(path("program.fut")) << program;
    fs::current_path(folder_.path());
  }
  ~Workplace() { fs::current_path(before_); }

  /// The exit code.
  int translate(const TranslateOptions& options) {
    return run([&] { return driver::translate(options); });
  }
  int derive(const DeriveOptions& options) {
    return run([&] { return driver::derive(options); });
  }
  int gradcheck(const GradcheckOptions& options) {
    return run([&] { return driver::gradcheck(options); });
  }
  int profile(const ProfileOptions& options) {
    return run([&] { return driver::profile(options); });
  }
  /// What the last command printed.
  const std::string& printed() const { return printed_; }
  bool has_printed(const std::string& text) const { return printed_.find(text) != text.npos; }
  fs::path path(const std::string& name) const { return folder_.path() / name; }
  std::string read(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(path(name)).rdbuf();
    return text.str();
  }
  std::ptrdiff_t files() const {
    return std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator());
  }

 private:
  template <typename Command>
  int run(const Command& command) {
    std::ostringstream text;
    std::streambuf* const out = std::cout.rdbuf(text.rdbuf());
    std::streambuf* const err = std::cerr.rdbuf(text.rdbuf());
    const int code = command();
    std::cout.rdbuf(out);
    std::cerr.rdbuf(err);
    printed_ = text.str();
    return code;
  }

  run::TemporaryFolder folder_;
  fs::path before_ = fs::current_path();
  std::string printed_;
};

}  // namespace boustro::driver
