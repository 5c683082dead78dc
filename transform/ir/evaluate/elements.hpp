// Walking over the elements of input arrays, and collecting rows of output arrays.
#pragma once

#include <boost/container/small_vector.hpp>

#include "transform/ir/evaluate/machine.hpp"

namespace boustro::ir::evaluation {

/// Arrays whose elements become the values of parameters.
struct Inputs {
  std::vector<int> arrays;
  std::vector<Slot> params;
  std::vector<bool> unique;  // the rows may be consumed
};

/// Sets the parameters to each element in turn. Rows are views: the parameter is made once and
/// moved on.
class Elements {
 public:
  /// All arrays must have `width` elements.
  Elements(Machine& m, const Inputs& inputs, std::int64_t width, const Stm* stm);
  void load(std::int64_t i);
  /// Marks the arrays as consumed whose rows were given away, and drops the parameters.
  void finish();

 private:
  struct Cursor {
    const Bits* cells;  // of scalars
    Array array;        // otherwise
    std::int64_t offset, stride;
    Slot param;
    bool unique;
  };
  Machine& m_;
  const std::int64_t width_;
  boost::container::small_vector<Cursor, 4> cursors_;
};

/// Results that become the elements of new arrays.
struct Outputs {
  std::vector<Slot> results;
  std::vector<std::vector<int>> row_sizes;  // for each result, from its type
  std::vector<int> arrays;                  // that are bound in the end
};

class Collector {
 public:
  Collector(Machine& m, const Outputs& outputs, std::int64_t width);
  void store(std::int64_t i);
  /// Binds the arrays.
  void finish();

 private:
  Machine& m_;
  const Outputs& outputs_;
  boost::container::small_vector<Array, 4> arrays_;
};

/// Results of a body that end up in an array or as the result of a statement are fresh: they do not
/// share memory with what the body was given.
void assign_fresh(Machine& m, Slot from, Slot to);

}  // namespace boustro::ir::evaluation
