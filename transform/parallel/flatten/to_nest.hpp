// A parallel operator as a nest of one dimension, whose points read their elements by index.
#pragma once

#include <optional>

#include "transform/ir/builder.hpp"
#include "transform/parallel/flatten/definitions.hpp"

namespace boustro::parallel {

/// Whose points `over` shares and `each` runs. Nothing for an expression that is no parallel operator. The
/// operator's own bodies stay as they are.
std::optional<ir::Nest> to_nest(const ir::Stm& stm, ir::Names& names,
                                const Definitions& definitions, ir::Level over, ir::Level each);

}  // namespace boustro::parallel
