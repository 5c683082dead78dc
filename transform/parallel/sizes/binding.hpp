// Where a size is bound.
#pragma once

#include "transform/ir/ir.hpp"

namespace boustro::parallel {

inline const ir::Type size_type = ir::scalar(ir::PrimType::i64);

bool binds(const std::vector<ir::Param>& params, const ir::Name& name);
/// The name is a size that types of the others mention.
bool is_mentioned(const std::vector<ir::Param>& params, const ir::Name& name);
std::vector<ir::Param> params_of(const ir::Loop& loop);

}  // namespace boustro::parallel
