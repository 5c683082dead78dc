// What `boustro profile` found out, as a table for people and as JSON for programs.
#pragma once

#include <string>
#include <vector>

#include "emit/run/counts.hpp"

namespace boustro::driver {

struct Profile {
  std::string failure;  // of a check, or of the runtime; empty if the entry succeeded
  std::vector<run::CountedWork> work;
};

/// One row a kernel, library call or kind of transfer, and one for all. Columns are left out in
/// which all numbers are zero.
std::string profile_table(const Profile& profile);

/// The same rows with all numbers: {"failure": null, "rows": [{"work": "kernel", "name": ..}, ..],
/// "total": {..}}.
std::string profile_json(const Profile& profile);

}  // namespace boustro::driver
