// Where unit tests of the printers print: somewhere in a file of either target.
#pragma once

#include <string>

#include "emit/format/format.hpp"
#include "emit/text/place.hpp"

namespace printing {

using boustro::text::Side;

inline const boustro::text::Dialect cuda{.language = boustro::templates::Language::cuda,
                                         .extension = ".cu",
                                         .device_function = "__device__ ",
                                         .short_function = "__device__ ",
                                         .shared_function = "__host__ __device__ ",
                                         .table = "__device__ const ",
                                         .error_type = "cudaError_t",
                                         .success = "cudaSuccess",
                                         .invalid = "cudaErrorInvalidValue",
                                         .allocator = "allocator, stream",
                                         .memory = "device memory",
                                         .has_stream = true,
                                         .target_statement = nullptr};

inline const boustro::text::Dialect cpp{.language = boustro::templates::Language::cpp,
                                        .extension = ".cpp",
                                        .device_function = "",
                                        .short_function = "",
                                        .shared_function = "",
                                        .table = "constexpr ",
                                        .error_type = "Status",
                                        .success = "Status::success",
                                        .invalid = "Status::invalid_value",
                                        .allocator = "allocator",
                                        .memory = "host memory",
                                        .has_stream = false,
                                        .target_statement = nullptr};

/// A place of its own for each test, whose needs it can ask for.
struct Page {
  explicit Page(Side side, const boustro::text::Dialect& dialect = cuda) : place{dialect, needs} {
    place.side = side;
  }
  Page(const Page&) = delete;
  bool needs_template(const std::string& name) const { return needs.templates.contains(name); }

  boustro::text::Needs needs;
  boustro::text::Place place;
};

/// The text as it stands in a file.
inline std::string formatted(const std::string& text) { return boustro::format::format_cpp(text); }

}  // namespace printing
