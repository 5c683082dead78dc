// Elements of a row that has a name are that row's.
#pragma once

#include <set>
#include <string>

#include "emit/plan/plan.hpp"

namespace boustro::plan {

/// Where a pointer to a row is in sight, elements are read and stored by it:
///
/// Before:   double* const row = xs + i * n; for (..j..) xs[i * n + j] = row[j] + 1;
/// After:    double* const row = xs + i * n; for (..j..) row[j] = row[j] + 1;
///
/// In kernels and functions, and on a CPU in the entry itself; not where the array, or what the row's place is computed from, may change.
void use_rows(Entry& entry, Target target);
void use_rows(Stms& stms);

/// Variables, and pointers, that the statements or those inside of them change.
std::set<std::string> changing_in(const Stms& stms);

}  // namespace boustro::plan
