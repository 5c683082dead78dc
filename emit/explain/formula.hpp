// Formulas of rules, as they stand in comments, set for a page.
//
// The notation is that of RULES.md: `xs_adj[i] += y_adj * dy/dxs[i]`. x_adj gets a bar and x_tan a dot, indices and numbers behind a name are
// subscripts, `^` raises, d../d.. is a fraction, `sum of`, `min of` and the like are signs, and words of the language stand upright.
// A text mixes formulas and words: what looks like no formula stays text.
#pragma once

#include <string>
#include <string_view>

namespace boustro::explain {

/// One formula as presentation MathML, without the element <math> around it.
std::string mathml(std::string_view formula);

/// The lines of a text as HTML: a paragraph each, in which formulas are <math>. A line that is indented goes on with the one before, unless it
/// begins with a formula; `gives` becomes an arrow, and four spaces a gap.
std::string formula_html(std::string_view text);

}  // namespace boustro::explain
