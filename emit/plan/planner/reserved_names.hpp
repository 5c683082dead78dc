// Names that nothing of a program can have in emitted files.
#pragma once

#include <string>

namespace boustro::plan::planner {

/// A keyword, a macro, or a name of the standard library, of CUDA, of the runtime or of one of its templates.
bool is_reserved(const std::string& name);

}  // namespace boustro::plan::planner
