// Patterns: x, _, 1, (p, q), {x, y = p}, #name p, p: t, #[a] p.
#pragma once

#include "frontend/parse/terminals.hpp"

namespace boustro::parse {

struct pattern_id {};
using pattern_type = x3::rule<pattern_id, ast::Pattern>;
const pattern_type pattern = "pattern";

/// After `case`, where an arrow ends the pattern: its type has none at the top.
struct case_pattern_id {};
using case_pattern_type = x3::rule<case_pattern_id, ast::Pattern>;
const case_pattern_type case_pattern = "case_pattern";

/// One parameter, or one part of a constructor's payload: types and payloads are in parentheses.
struct param_pattern_id {};
using param_pattern_type = x3::rule<param_pattern_id, ast::Pattern>;
const param_pattern_type param_pattern = "param_pattern";

BOOST_SPIRIT_DECLARE(pattern_type, case_pattern_type, param_pattern_type)

}  // namespace boustro::parse
