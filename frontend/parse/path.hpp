// Indices, slices, and paths into a value: xs[i, a:b], x with [i].y = .., (.x[i]).
#pragma once

#include "frontend/parse/terminals.hpp"

namespace boustro::parse {

/// i, a:b without the brackets.
struct indices_id {};
using indices_type = x3::rule<indices_id, std::vector<ast::DimIndex>>;
const indices_type indices = "indices";

/// .x, or [i] directly after what it indexes.
struct path_step_id {};
using path_step_type = x3::rule<path_step_id, ast::Access>;
const path_step_type path_step = "path_step";

/// After `with`: x.y, [i].y; the first step stands alone, without dot.
struct update_path_id {};
using update_path_type = x3::rule<update_path_id, std::vector<ast::Access>>;
const update_path_type update_path = "update_path";

BOOST_SPIRIT_DECLARE(indices_type, path_step_type, update_path_type)

/// The names of x.y.z as fields.
std::vector<ast::Access> fields_of(const ast::QualifiedName& name);

}  // namespace boustro::parse
