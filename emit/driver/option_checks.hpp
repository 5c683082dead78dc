// What values of options may be. Each returns a complaint, empty if there is nothing to complain of.
#pragma once

#include <string>
#include <vector>

#include "transform/pipeline.hpp"

namespace boustro::driver {

/// Of a command that writes two files.
std::string check_output(const std::string& text);

/// Of `boustro explain`: one file, or - for standard output.
std::string check_page(const std::string& text);

/// The name of a rule, or the first words of some; the complaint has the rule that is most like it.
std::string check_rule(const std::string& text);

/// C++ identifiers, joined by `::`, none of them reserved.
std::string check_namespace(const std::string& text);

/// Boustro itself takes some, too.
std::string check_memory(const std::string& bytes);
std::string check_not_empty(const std::string& text);

std::vector<std::string> names_of(const std::vector<Pass>& passes);

/// One of the names of passes; the complaint has those that are most like it, as there are many.
std::string check_pass(const std::string& text, const std::vector<std::string>& names);

}  // namespace boustro::driver
