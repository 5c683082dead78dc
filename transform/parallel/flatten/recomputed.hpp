// A scalar that a point of nested nests computes, computed once more elsewhere: by arithmetic, and reads of arrays from
// outside of the nests. Rows that the point stores for itself are no obstacle: their elements are computed where they
// are read.
//
// Before:  nest (n, k) (\i j -> let ds = nest d (\t -> xs[i, t] - ms[j, t])  in .. nest d (\s -> .. w[i] * ds[s] ..))
// After:   w[i] * (xs[i, s] - ms[j, s]), for i, j and s of one's own
#pragma once

#include <list>

#include "transform/ir/builder.hpp"

namespace boustro::parallel {

class Recomputed {
 public:
  /// Where statements go, and what stands for the indices of the nests.
  Recomputed(ir::Builder& to, ir::Substitution indices) : to_(to), values_(std::move(indices)) {}

  /// A body that the point is made of; it must outlive this.
  void know(const ir::Body& body);

  /// Of a scalar.
  ir::Atom value(const ir::Atom& atom);
  /// Of an array, the element at these indices, which are already those of the other place.
  ir::Atom element(const ir::Name& array, const std::vector<ir::Atom>& at) { return element(array.base, array, at); }

  /// Something was asked for that takes more than operations and reads, or may fail. What was said of it is void.
  bool failed() const { return failed_; }

 private:
  struct Result {
    const ir::Stm* stm;
    std::size_t number;
  };
  const Result* computed(const ir::Name& name) const;
  std::vector<ir::Atom> values(const ir::Index& index);
  ir::Atom compute(const ir::Name& name, const Result& result);
  ir::Atom element(const std::string& base, ir::Name array, std::vector<ir::Atom> at);
  ir::Atom element_of_row(const ir::Nest& nest, std::size_t number, const std::vector<ir::Atom>& at);
  ir::Atom fail();

  ir::Builder& to_;
  ir::Substitution values_;
  std::unordered_map<ir::Name, Result> computed_;
  std::list<ir::Body> rows_;  // points of rows whose elements were asked for, with names of their own
  bool failed_ = false;
};

}  // namespace boustro::parallel
