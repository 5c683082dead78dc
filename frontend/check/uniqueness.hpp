// Which values share memory, and whether what is consumed is used no more.
//
// An in-place update and an argument of unique type (`*t`) consume a value: neither it nor anything that may share its
// memory can be used afterwards. Only what a scope owns can be consumed: fresh values and unique parameters, and
// nothing that belongs outside of a lambda or loop body, which may run more than once.
#pragma once

#include <set>

#include "frontend/check/typed.hpp"
#include "frontend/source/diagnostics.hpp"

namespace boustro::check {

/// Reports every violation. Without an annotation (`infers_result`) the definition's result is marked
/// as unique if it shares nothing with the parameters. `lasting` has the ids of names that are said to
/// be consumed by nothing.
void check_uniqueness(Definition& definition, bool infers_result, const std::set<int>& lasting,
                      source::Diagnostics& diagnostics);

}  // namespace boustro::check
