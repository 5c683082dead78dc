// Comments: wrapped to the page, with notes at its right margin.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "emit/text/place.hpp"

namespace boustro::text {

/// Columns of a line.
constexpr std::size_t page_width = 100;

/// Lines that begin with `// `, or what `begin` says, wrapped at `depth` levels of indentation.
/// Line breaks in the text end paragraphs. Continuation lines are indented by `hanging` further
/// columns. Nothing for an empty text.
std::string comment(std::string_view text, int depth = 0, std::string_view begin = "// ",
                    int hanging = 0);

/// One line with `note` at the right margin; on a line of its own if both do not fit.
std::string comment_with_note(std::string_view text, std::string_view note, std::string_view begin,
                              int hanging = 0);

/// The ruler between parts of a file, with its title.
std::string ruler(std::string_view title);

/// The comment over a kernel or library call: formulas, then source, rules, grid and order, then
/// notes. If another kernel, `same_as`, computes the same in another way, its comment says what.
std::string kernel_comment(const plan::Comment& comment, const std::string& same_as = "");

/// Whether both are of the same work: the same formulas, source and rules.
bool say_the_same(const plan::Comment& x, const plan::Comment& y);

/// The comment over a function or struct, in documentation style with its source at the margin.
std::string function_comment(const plan::Comment& comment);

/// What a declaration of an array says beside it: "[n][k], added to". Nothing for values without a
/// note.
std::string param_note(const plan::Param& param);

}  // namespace boustro::text
