// Parts of arrays, and scalars, that are zero by construction: above the diagonal of a triangular matrix.
//
//   nest (n, n) (\i j -> if i < j then 0 else ..)      is zero where its first index is less than its second
#pragma once

#include <optional>
#include <unordered_map>
#include <variant>

#include "transform/ir/builder.hpp"

namespace boustro::facts {

/// A dimension of the array, or an index that is known where the array is.
using Coordinate = std::variant<std::size_t, ir::Atom>;

/// It is +0 or -0 where low < high. A scalar has no dimensions.
struct ZeroPart {
  Coordinate low, high;
};

/// What is known at a place of a program, whose statements are noted in their order, those of inner bodies before the statement they are in.
/// Names are unique, so nothing has to be forgotten; arrays that are updated get other names.
class Zeros {
 public:
  void note(const ir::Stm& stm);
  /// All statements of a body, and of those inside it.
  void note(const ir::Body& body);

  std::optional<ZeroPart> of(const ir::Atom& atom) const;

 private:
  std::optional<ZeroPart> of_branch(const ir::If& branch) const;
  std::optional<ZeroPart> of_product(const ir::BinOp& product) const;
  std::optional<ZeroPart> of_part(const ir::Index& index) const;
  std::optional<ZeroPart> rearranged(const ir::Rearrange& view) const;
  void note_nest(const ir::Stm& stm, const ir::Nest& nest);

  std::unordered_map<ir::Name, ZeroPart> parts_;
  std::unordered_map<ir::Name, ir::CmpOp> comparisons_;
};

}  // namespace boustro::facts
