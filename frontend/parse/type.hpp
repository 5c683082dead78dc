// Types: [n]t, (t, u), {x: t}, #a t | #b, t -> u, *t, ?[n].t, vec [n] t.
#pragma once

#include "frontend/parse/terminals.hpp"

namespace boustro::parse {

struct type_id {};
using type_type = x3::rule<type_id, ast::Type>;
const type_type type = "type";

/// A type without arrows at its top, where an arrow would mean something else: `\x: t -> e`.
struct type_term_id {};
using type_term_type = x3::rule<type_term_id, ast::Type>;
const type_term_type type_term = "type_term";

BOOST_SPIRIT_DECLARE(type_type, type_term_type)

}  // namespace boustro::parse
