// Parameter lists, functions, structs and functors.
#pragma once

#include <string>
#include <vector>

#include "emit/text/place.hpp"
#include "emit/text/uses.hpp"

namespace boustro::text {

/// `T name`, and `T /*name*/` for a parameter that `used` lacks.
std::string param_text(const plan::Param& param, const Names& used, const Place& place);

/// Fields with what they hold beside them; those of one type that follow one another share a line.
std::string field_list(const std::vector<plan::Param>& fields, const Place& place);

/// `head(params) {` with a comment beside each array. `before` and `after` are further parameters,
/// as text.
std::string annotated_head(const std::string& head, const std::string& before,
                           const std::vector<plan::Param>& params, const std::string& after,
                           const Place& place);

/// A struct, function or functor with its comment, and an empty line behind it.
std::string definition_text(const plan::Definition& definition, const Place& place);

}  // namespace boustro::text
