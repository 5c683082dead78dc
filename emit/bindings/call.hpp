// Text of a call of an emitted function, and of what surrounds it in all bindings.
#pragma once

#include <functional>
#include <string>

#include "emit/bindings/interface.hpp"
#include "emit/text/place.hpp"

namespace boustro::bindings {

/// Types and expressions as C++ for a CPU has them. `needs` collects what they turn out to need.
struct CppText {
  explicit CppText(templates::Language language = templates::Language::cpp);
  CppText(const CppText&) = delete;
  CppText& operator=(const CppText&) = delete;

  text::Dialect dialect{};
  text::Needs needs;
  text::Place place;
};

/// `{"cost", "points"}`: how messages name a value.
std::string argument_name(const Function& function, const Value& value);

/// `Extent n("n"), d("d");`, nothing if there are no sizes.
std::string extent_variables(const Function& function);

/// What an argument's shape must be: `{n, d}`, a list of Dimension, with sizes as the variables above.
std::string dimensions(const Value& value, const CppText& text);

/// A result's shape: `{n, d + 1}`.
std::string shape(const Function& function, const Value& value, const CppText& text);

/// `float`
std::string element_type(const Value& value, const CppText& text);

/// How an argument is spelled.
using Spelling = std::function<std::string(const plan::Param&)>;

/// `kmeans::cost_scratch(&bytes, n, k)`
std::string query_call(const Interface& interface, const Function& function, const Spelling& spell);

/// The arguments around those of the program, as text.
struct CallWords {
  std::string failure = "&failure_found", allocator = "allocator", scratch = "scratch.data()", bytes = "bytes", stream = {};
};

/// `kmeans::cost(result.data(), points.data(), n, k, d, scratch.data(), bytes)`; what the function allocates goes by its address.
std::string entry_call(const Interface& interface, const Function& function, const Spelling& spell, const CallWords& words = {});

/// Variables for what the function allocates and its extents: `double* ys = nullptr;`.
std::string late_variables(const Function& function, const CppText& text);

/// The same, and variables for its allocator and for what checks find, each if it is needed.
std::string call_variables(const Interface& interface, const Function& function, const CppText& text);

/// Whether a function returns memory that it has allocated.
bool has_late_results(const Function& function);

/// `""`, or what a failed check has to say.
std::string failure_argument(const Interface& interface, const Function& function);

/// A function `require_success(function, status, failure)` that throws unless the status is success.
std::string require_function(const plan::Program& plan);

/// Text of C++ as a raw string.
std::string raw_string(const std::string& text);

}  // namespace boustro::bindings
