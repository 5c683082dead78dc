// Arrays of which the program says all elements: tables of the file, which need not be filled, and of which a compiler knows
// the elements.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "emit/plan/planner/values.hpp"
#include "transform/ir/ir.hpp"

namespace boustro::plan::planner {

class Tables {
 public:
  /// What the literal's elements are, its rows, which are tables or short and of equal elements, being looked up in `row`; null if they
  /// are no numbers that a table can hold: C++ has no constants for f16, infinities and what is no number.
  using Row = std::function<const View*(const ir::Name&)>;
  std::optional<std::vector<PrimValue>> values_of(const ir::ArrayLiteral& literal, const Row& row) const;

  /// One with these values and this shape, if there is one.
  const Table* find(PrimType elem, const std::vector<PrimValue>& values, const std::vector<std::string>& shape) const;
  /// Under a new name of the file. It is printed if something uses it.
  const Table& add(Table table);
  bool contains(const std::string& name) const { return known_.contains(name); }
  /// Whether the elements of the array, or of what it is a part of, are in a table.
  bool hold(const View& array) const;

  /// Puts the tables in use in front of the definitions.
  void define(Program& plan) const;

 private:
  std::map<std::string, Table> known_;
};

}  // namespace boustro::plan::planner
