// Definitions, at top level and in modules.
#pragma once

#include "frontend/parse/terminals.hpp"

namespace boustro::parse {

struct definition_id {};
using definition_type = x3::rule<definition_id, ast::Definition>;
const definition_type definition = "definition";

BOOST_SPIRIT_DECLARE(definition_type)

}  // namespace boustro::parse
