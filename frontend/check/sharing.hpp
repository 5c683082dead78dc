// Which values share memory with which: the data of the uniqueness rules.
#pragma once

#include <map>
#include <set>
#include <string>

#include "frontend/check/typed.hpp"

namespace boustro::check {

/// The ids of the names whose memory a value may share.
using Roots = std::set<int>;

/// What a value shares: a record each field for itself, anything else as a whole.
struct Sharing {
  Roots roots;
  std::map<std::string, Sharing> fields;
};

Roots all_roots(const Sharing& sharing);
/// The roots that several fields have in common.
Roots shared_by_parts(const Sharing& sharing);
/// Every part of a value of that type shares these.
Sharing everywhere(const Type& type, const Roots& roots);
/// What a value shares that is one or the other.
Sharing either(const Sharing& a, const Sharing& b);
Sharing part(const Sharing& sharing, const std::string& field);

/// Arrays, or what may hold them: functions and type parameters.
bool holds_arrays(const Type& type);
/// Arrays outside of functions.
bool holds_data(const Type& type);
/// Every use of an accumulator consumes it, said or not; so of a tuple of them.
bool is_linear(const Type& type);

}  // namespace boustro::check
