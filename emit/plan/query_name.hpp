// What the query for an entry's scratch memory is called.
#pragma once

#include <string>

namespace boustro::plan {

/// cost_scratch for cost. Two underscores in a row are the implementation's: main_scratch for main_.
inline std::string query_name(const std::string& entry) {
  return entry + (entry.ends_with('_') ? "scratch" : "_scratch");
}

}  // namespace boustro::plan
