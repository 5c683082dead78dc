// Atoms: literals, names, brackets of all kinds, with the indices and fields that follow them.
#pragma once

#include "frontend/parse/terminals.hpp"

namespace boustro::parse {

struct atom_id {};
using atom_type = x3::rule<atom_id, ast::Exp>;
const atom_type atom = "atom";

BOOST_SPIRIT_DECLARE(atom_type)

}  // namespace boustro::parse
