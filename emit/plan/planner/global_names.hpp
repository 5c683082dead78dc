// Names that the headers of emitted files take: CUDA's, the C library's and those of the runtime.
#pragma once

#include <string>
#include <string_view>

namespace boustro::plan::planner {

/// A macro: no other thing can have that name, whatever its scope.
bool is_macro(std::string_view name);
/// A function, a type, a constant or a namespace of the global scope: no namespace there can have that name.
bool is_global(std::string_view name);

/// The name as that of a namespace. One around everything (`outermost`) takes none of the global scope;
/// capitals stay, other than in `identifier`, where they are no macro.
std::string namespace_name(std::string_view name, bool outermost = true);

}  // namespace boustro::plan::planner
