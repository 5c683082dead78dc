// Definitions, at top level and in modules.
#pragma once

#include "frontend/parse/terminals.hpp"

namespace boustro::parse {

/// Base of the ids of what a documentation comment can precede.
struct Documented : Located {
  template <typename Node, typename C>
  void on_success(const Iterator& first, const Iterator& last, Node& node, const C& context) {
    Located::on_success(first, last, node, context);
    if constexpr (requires { node.doc; }) node.doc = doc_text(first->doc);
  }
};

struct definition_id : Documented {};
using definition_type = x3::rule<definition_id, ast::Definition>;
const definition_type definition = "definition";

BOOST_SPIRIT_DECLARE(definition_type)

}  // namespace boustro::parse
