// Access functions: where in an array the points of a nest of index variables are, each by itself and all together.
//
// An address is a polynomial in the indices, as far as integer arithmetic tells (sizes.hpp). Of each index it is known whether the
// address varies with it, and, if it does so linearly, by how many elements from one value of the index to the next.
#pragma once

#include "transform/facts/sizes.hpp"

namespace boustro::facts {

/// One dimension of a nest: index runs from 0 to extent - 1.
struct IndexRange {
  ir::Name index;
  ir::Atom extent;
};

/// How an address depends on one index.
struct Along {
  enum class Kind { constant, linear, other };
  Kind kind = Kind::constant;
  /// Of a linear one: elements from one value of the index to the next, the same everywhere in the nest. Else 0.
  Polynomial stride = 0;
  bool operator==(const Along&) const = default;
};

/// A term of a sum: `stride` times an index from 0 to extent - 1.
struct Digit {
  Polynomial stride, extent;
};
/// Proven: the sum takes no value twice, as those of a number's digits do not.
bool are_told_apart(std::vector<Digit> digits, const Sizes& sizes);

/// Proven by constant indices: no element of an array is in both of these parts of it.
bool are_disjoint(const std::vector<ir::DimIndex>& x, const std::vector<ir::DimIndex>& y);

class Accesses {
 public:
  /// `stms` compute what the nest addresses with, in order. Of what is bound elsewhere only `varying` may differ from point to point.
  /// `sizes`: what is known outside.
  Accesses(const std::vector<IndexRange>& nest, const std::vector<ir::Stm>& stms, Sizes sizes = {},
           const ir::NameSet& varying = {});

  /// Of each index of the nest, outermost first: how the element (or start of a row or slice) at these indices of a row-major array
  /// of that shape depends on it.
  std::vector<Along> along(const std::vector<ir::DimIndex>& at, const ir::Shape& shape) const;
  /// The same of one number.
  std::vector<Along> along(const ir::Atom& number) const;
  bool varies(const ir::Atom& number) const;
  /// Proven: no two points of the nest have the same numbers.
  bool is_injective(const std::vector<ir::Atom>& at) const;
  /// The number as a polynomial in indices and names that are not defined by others.
  Polynomial value(const ir::Atom& number) const { return sizes_.value(number); }
  /// The indices with which it may vary.
  ir::NameSet varying_in(const Polynomial& p) const;

 private:
  std::vector<Along> along(const Polynomial& address) const;
  bool is_mixed_radix(Polynomial p, ir::NameSet& open) const;

  std::vector<IndexRange> nest_;
  Sizes sizes_;
  std::unordered_map<ir::Name, ir::NameSet> varies_with_;  // indices, and names that are computed from them
};

}  // namespace boustro::facts
