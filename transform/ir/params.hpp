// Lists of parameters, which may bind sizes before the values whose types mention them.
#pragma once

#include <vector>

#include "transform/ir/traversal.hpp"

namespace boustro::ir {

inline const Type size_type = scalar(PrimType::i64);

std::vector<Param> params_of(const Loop& loop);
bool binds(const std::vector<Param>& params, const Name& name);

/// The type's shape mentions one of the names.
bool mentions_any(const Type& type, const NameSet& names);
/// Those of the parameters that the types of others mention.
NameSet mentioned_sizes(const std::vector<Param>& params);

}  // namespace boustro::ir
