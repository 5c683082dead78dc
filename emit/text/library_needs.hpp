// What the library calls of an entry need of its scratch memory. As in CUB, a call with a null pointer only says how much that is; one call
// follows another in the same memory, so that the largest need counts.
#pragma once

#include <string>

#include "emit/text/place.hpp"

namespace boustro::text {

/// Library calls are all that needs scratch memory, and it is handed on to them; there is no struct of pieces then.
bool is_only_for_libraries(const plan::Scratch& scratch);

/// Statements of the entry's query that set `*bytes`, and return the first error. Of scratch memory that is only for libraries.
std::string ask_libraries(const plan::Scratch& scratch, const Place& place);
/// The struct's member function that sets `library_bytes`; empty without library calls.
std::string library_query(const plan::Scratch& scratch, const Place& place);

}  // namespace boustro::text
