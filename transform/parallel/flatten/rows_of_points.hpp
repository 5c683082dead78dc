// What rules share that give a statement of a nest's point a nest of its own: it makes the rows of all points at once, and the point, if
// there is more of it, goes on with its row, which may be a scalar. Such are loops_apart.hpp, nests_apart.hpp and accumulators_apart.hpp.
#pragma once

#include <optional>
#include <vector>

#include "transform/facts/aliases.hpp"
#include "transform/ir/builder.hpp"

namespace boustro::parallel {

/// Of a statement that is a nest. Positions are those of statements in the body of its point.
class RowsOfPoints {
 public:
  RowsOfPoints(const ir::Stm& stm, ir::Names& names, const facts::Callees& callees);

  const ir::Nest& nest() const { return nest_; }
  /// Statements up to the first check: what is behind one stays there.
  const std::vector<ir::Stm>& before_checks() const { return before_checks_; }
  /// Known before the nest.
  bool is_outside(const ir::Atom& atom) const;
  /// Sizes are known before the nest, no statement updates it, and it is a result of the point once at most.
  bool may_leave(const ir::Param& row) const;
  /// The statements before `at` that compute what is wanted, if they may be computed once more and are cheap beside what the statement does.
  std::optional<std::vector<ir::Stm>> needed(ir::NameSet wanted, std::size_t at) const;

  /// The array of the rows of all points: the nest's own result, where the point's is the row; else a new one.
  ir::Param of_all(const ir::Param& row) const;
  std::vector<ir::Param> of_all(const std::vector<ir::Param>& rows) const;
  /// The row's part of `all`, for a point that goes on with it.
  std::vector<ir::Stm> views(const std::vector<ir::Param>& rows, const std::vector<ir::Param>& all) const;
  /// A nest of the same points that runs these statements and makes `all` of the rows, in new names.
  ir::Stm nest_for(std::vector<ir::Stm> stms, const std::vector<ir::Param>& rows, const std::vector<ir::Param>& all) const;
  /// The nest with views of `all` in the place of the statements that make `rows`, then `left`, and without the results that are such rows.
  ir::Stm rest(const std::vector<ir::Param>& rows, const std::vector<ir::Param>& all, const std::optional<ir::Stm>& left = {}) const;
  /// What is wanted of the statements before `at` takes loops: the first of these, with all that follow if they yield scalars only, in a
  /// nest of their own, and the rest. Nothing if they may not leave, or need what may not be computed once more.
  std::optional<std::vector<ir::Stm>> loops_first(ir::NameSet wanted, std::size_t at) const;

 private:
  std::optional<std::size_t> place_in_results(const ir::Name& row) const;

  const ir::Stm& stm_;
  const ir::Nest& nest_;
  ir::Names& names_;
  facts::Aliases aliases_;
  std::vector<ir::Stm> before_checks_;
  ir::NameSet inside_;  // bound in the point
};

}  // namespace boustro::parallel
