// What the names of the core IR stand for while a plan is made.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "emit/plan/build.hpp"

namespace boustro::plan::planner {

/// Bounds of an integer, or of a float that is not NaN, both included; of a float that has been rounded to 53 bits, before it was.
struct Range {
  std::int64_t low = 0, high = 0;
  /// It is a size, an index or a sum of few of them: a product of two does not overflow.
  bool size = false;
};

/// A bound of a multiple: see below.
struct Multiple {
  Expr divisor;
  Range range;
};

/// A number in a register. An i64 of the core IR may be held by an `int` expression if `range`
/// allows that: sizes and indices inside a row.
struct Scalar {
  Expr expr;
  /// The same or more, as an expression of the entry's early values: what scratch memory is sized
  /// by.
  std::optional<Expr> upper = {};
  std::optional<Range> range = {};
  /// `upper` is the value itself.
  bool exact = false;
  /// This times the divisor is at most the end of the range: of quotients.
  std::optional<Multiple> at_most = {};
  /// So is each number that is not negative and less than this: of quotients rounded up.
  std::optional<Multiple> below = {};
  /// It is less than this: of an index, how many there are.
  std::optional<Expr> end = {};
  /// It is not 0, wherever it is used: see nonzero.hpp.
  bool nonzero = false;
};

/// A number in device memory, seen from the host.
struct Cell {
  Expr pointer;
};

/// An array in memory: the element at [i, j] is base[offset + i * strides[0] + j * strides[1]].
struct Memory {
  Expr base;
  Expr offset;
  std::vector<Expr> strides;
};
/// start, start + step, ...; all of them in the range, if there is one.
struct Counting {
  Expr start, step;
  std::optional<Range> range = {};
};
/// All elements are the same.
struct Constant {
  Expr value;
  std::optional<Range> range = {};
};

/// An array. What is not in memory is put there when something consumes it.
struct View {
  PrimType elem = PrimType::i64;
  std::vector<Scalar> extents;
  std::variant<Memory, Counting, Constant> data;
  /// A destination whose extents are not known yet: a buffer, for the array that comes.
  bool late = false;

  int rank() const { return static_cast<int>(extents.size()); }
  const Memory* memory() const { return std::get_if<Memory>(&data); }
};

/// Its extents, as text; of a transposed array as they lie in memory.
std::vector<std::string> shape_text(const View& view);

/// Additions to it go to `destination`; by `shared` threads they are atomic. `once`: no cell gets two, and all are zero before. `by_warp`:
/// lanes of a warp may meet in a cell, and combine what they have first; `peers` says which of them, at the cell in question.
struct Accumulator {
  View destination;
  ir::AccumulatorKind kind;
  bool shared = false;
  bool once = false;
  bool by_warp = false;
  std::optional<Expr> peers = {};
};

using Value = std::variant<Scalar, Cell, View, Accumulator>;

}  // namespace boustro::plan::planner
