// The text of the prelude, embedded in the program at build time.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/values/primitive.hpp"

namespace boustro::prelude {

struct File {
  std::string_view name;  // without folder and ending: "soacs"
  std::string_view text;
};

/// Every .fut file of this folder.
const std::vector<File>& files();

/// The files whose definitions every program sees.
std::vector<File> top_level_files();

/// The text of the module of a primitive type, such as `f64`: its constants, then the files of its
/// family.
std::string module_text(values::PrimType type);

/// The text of the module `core` or `intrinsics`, which take the type `acc` as given; nothing for
/// other names.
std::optional<std::string> accumulator_module_text(std::string_view name);

}  // namespace boustro::prelude
