// Where the lines of a raised program come from. While a program is raised, the comment of a binding lists what it is made of, a
// line each, `rule|file:line`; at last comments say it once for each group of bindings.
#pragma once

#include <string>

#include "frontend/ast/syntax.hpp"
#include "transform/ir/ir.hpp"

namespace boustro::raise {

/// The line of one statement, or nothing if it has no source.
std::string origin_line(const ir::Stm& stm, const source::SourceMap* sources);
/// `lines` followed by those of `more` that it lacks.
void add_origins(std::string& lines, const std::string& more);

/// Turns the lists into comments as people read them: `-- kmeans.fut:5, 9: reverse_map, reverse_if`, one for bindings that
/// follow each other and come from the same, and none where what stands around says it already.
void write_origins(ast::Exp& body);

}  // namespace boustro::raise
