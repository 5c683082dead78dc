// The data of test blocks: what commands that run them share.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "frontend/test_blocks/test_blocks.hpp"
#include "frontend/values/read.hpp"

namespace boustro::driver {

/// An entry on one case of a block.
struct EntryCase {
  std::string entry;
  const test_blocks::Case* test;  // in the specification
};

/// All entries on all of their cases, in the order of the program.
std::vector<EntryCase> cases_of(const test_blocks::Specification& specification);

/// The arguments of a case of the program at that path; `folders` are those of imports. Throws std::system_error for
/// a file that cannot be read, values::ReadError, and RunError for a script.
std::vector<values::Value> read_input(const std::filesystem::path& program,
                                      const std::vector<std::string>& folders,
                                      const test_blocks::Input& input);

/// The results that somebody has written down for a case; nothing if none are. Throws as `read_input`.
std::optional<values::WrittenValues> read_output(const std::filesystem::path& program,
                                                 const test_blocks::Expected& expected);

/// The first of these tags because of which a case is left out: `disable`, `no_<target>`, or one of `others`.
std::optional<std::string> excluding_tag(const std::vector<std::string>& tags,
                                         const std::string& target,
                                         const std::vector<std::string>& others);

}  // namespace boustro::driver
