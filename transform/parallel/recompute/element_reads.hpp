// Who reads the elements of an array that a nest of the grid makes, through whatever views.
#pragma once

#include <functional>
#include <unordered_map>
#include <variant>
#include <vector>

#include "transform/ir/traversal.hpp"

namespace boustro::parallel {

/// The expression if it is an element or a row at some indices, known to be in bounds; else null.
const ir::Index* as_part(const ir::Stm& stm);
/// The indices of such a part.
std::vector<ir::Atom> numbers_of(const ir::Index& part);

class ElementReads {
 public:
  /// `made`: a nest with one result, an array of as many dimensions as its space.
  explicit ElementReads(const ir::Stm& made);

  /// All uses in the statements behind it are views, or reads of elements by nests that cannot fail. To be called first.
  bool only_read(const std::vector<ir::Stm>& stms) { return only_read(stms, false); }
  /// Whether the array or a view of it is among these.
  bool is_in(const std::vector<ir::Atom>& atoms) const;

  /// What stands in the place of a read, given the indices in the array.
  using Fill = std::function<std::vector<ir::Stm>(const ir::Stm& read, const std::vector<ir::Atom>& at)>;
  /// Fills the places of all reads; views of the array are gone.
  void replace(std::vector<ir::Stm>& stms, const Fill& fill) const;

 private:
  /// Of a view: for each of the array's dimensions an index, or else the number of a dimension of the view.
  using View = std::vector<std::variant<ir::Atom, std::size_t>>;

  static View at(const View& view, const std::vector<ir::Atom>& indices);
  static View rearranged(const View& view, const std::vector<int>& permutation);
  const View* view_read(const ir::Stm& stm) const;
  bool only_read(const std::vector<ir::Stm>& stms, bool in_nest);
  bool only_read(const ir::Stm& stm, bool in_nest);

  std::unordered_map<ir::Name, View> views_;
};

}  // namespace boustro::parallel
