// Where in which kind of file text is printed, and what the printing turns out to need.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "emit/plan/plan.hpp"
#include "templates/embedded.hpp"

namespace boustro::text {

struct Place;

/// What differs between the two kinds of files that we print. Everything that a function below does
/// not ask for is the same in both.
struct Dialect {
  templates::Language language;
  std::string_view extension;        // ".cu"
  std::string_view device_function;  // "__device__ ": what functions for kernels begin with
  std::string_view short_function;   // ... and those of a few statements without branches
  std::string_view shared_function;  // the same of functions for both sides
  std::string_view table;            // "__device__ const ": what tables begin with
  std::string_view error_type;       // of entries: "cudaError_t"
  std::string_view success, invalid;
  std::string_view allocator;  // and what else a buffer is made of: "allocator, stream"
  std::string_view memory;  // where arrays are: "device memory"
  bool has_stream;
  /// Statements of which the target decides: barriers, atomics, launches, ... Ends with a line
  /// break.
  std::string (*target_statement)(const plan::Stm&, const Place&);
  /// Functions such as exp are templates/vector_exp, where there is one, instead of the library's.
  bool vector_math = false;
};

/// Templates and headers that the printed text needs.
struct Needs {
  std::set<std::string> templates;
  std::set<std::string> headers;
};

/// A Failure counts checks from 1 on, and none is 0.
inline constexpr int first_check = 1;

/// Code that runs on the device calls CUDA's `sqrt`, code of the host `std::sqrt`.
enum class Side { device, host };

/// Where the text stands. Copied and changed on the way into a scope.
struct Place {
  const Dialect& dialect;
  Needs& needs;
  Side side = Side::host;
  bool is_shared = false;  // a function of the device that the host calls, too
  const plan::Entry* entry = nullptr;  // in the body of an entry, of which `return;` means success
  bool tail = false;                   // the entry's last statement, whose error is the result
  bool only_launch =
      false;      // among the statements around it: its constants need no scope of their own
  int depth = 0;  // of braces, for the width of comments
  bool marks = false;  // statements among others, and kernels, are marked with their origins

  void need_header(std::string_view header) const { needs.headers.insert(std::string(header)); }
  /// Also makes sure that it exists.
  void need_template(std::string_view name) const;
  Place inner() const;
};

}  // namespace boustro::text
