// Comparison of printed programs with golden files, which people have read.
// With BOUSTRO_UPDATE_GOLDEN set (scripts/update_golden), writes these files instead.
#pragma once

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "emit/plan/verify.hpp"
#include "emit/text/file.hpp"

namespace golden {

inline void compare(const std::string& path, const std::string& text) {
  if (std::getenv("BOUSTRO_UPDATE_GOLDEN")) std::ofstream(path) << text;
  std::ifstream file(path);
  const std::string expected{std::istreambuf_iterator<char>(file), {}};
  BOOST_TEST(text == expected,
             path << " differs: read the difference, then run scripts/update_golden");
}

/// The plan is valid, and its text is that of tests/golden/<folder>/<program>.*
inline void check(const boustro::plan::Program& program, const boustro::text::Emitted& emitted,
                  const std::string& folder, const std::string& extension) {
  const auto violations = boustro::plan::verify(program);
  BOOST_TEST(violations.empty(), fmt::format("{}", fmt::join(violations, "\n")));
  const std::string stem =
      std::string(BOUSTRO_SOURCE_DIR) + "/tests/golden/" + folder + "/" + program.name;
  compare(stem + extension, emitted.source);
  compare(stem + ".hpp", emitted.header);
}

/// For tests/golden/compile_everything: into the folder that BOUSTRO_WRITE_TO names, if it does.
inline void write(const boustro::plan::Program& program, const boustro::text::Emitted& emitted,
                  const std::string& extension) {
  const char* folder = std::getenv("BOUSTRO_WRITE_TO");
  if (!folder) return;
  std::ofstream(std::string(folder) + "/" + program.name + extension) << emitted.source;
  std::ofstream(std::string(folder) + "/" + program.name + ".hpp") << emitted.header;
}

}  // namespace golden
