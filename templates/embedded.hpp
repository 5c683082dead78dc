// The files of this folder as text, compiled into the program.
//
// A file is named after the one function, class or constant that it defines. `.hpp` files serve
// host and device, `.cuh` files CUDA alone; where both exist, the `.hpp` is for other C++. Those of
// bindings/ have several functions, and are named with their folder: "bindings/extent"; `.py` are in
// Python.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace boustro::templates {

enum class Language { cuda, cpp, python };

/// A file, taken apart.
struct Template {
  std::string_view name;                    // "floor_div"
  std::vector<std::string> system_headers;  // "cstdint", "cub/block/block_reduce.cuh"
  std::vector<std::string> templates;       // which it uses: "wrapping_neg"
  std::string text;                         // what follows, as it is to be copied
};

/// Nothing if there is no such template for that language.
const Template* find(std::string_view name, Language language);

/// The names that programs must not define: those of all templates.
std::vector<std::string_view> all_names();

}  // namespace boustro::templates
