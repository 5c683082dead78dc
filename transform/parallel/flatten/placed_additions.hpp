// The additions to accumulators of a nest, and where in its points they stand: in which bodies, which iterations, which branches.
#pragma once

#include <unordered_map>
#include <vector>

#include "transform/ir/traversal.hpp"

namespace boustro::parallel {

/// A branch that is taken.
struct Taken {
  ir::Atom condition;
  bool holds;
};

struct PlacedAddition {
  std::size_t accumulator;  // its number in the nest
  const ir::UpdateAcc* what;
  std::vector<const ir::Body*> bodies;  // around it, that of the point first
  std::vector<ir::Name> iterations;     // what tells those of the loops and nests in the point around it
  std::vector<Taken> branches;
};

class PlacedAdditions {
 public:
  /// Of a nest that outlives this. False if some additions may be elsewhere.
  bool find(const ir::Nest& nest);

  std::vector<PlacedAddition> all;
  std::unordered_map<ir::Name, ir::Atom> extents;  // of indices: of the nest, of those inside of it, and of loops

 private:
  void note(const ir::Nest& nest);
  bool body(const ir::Body& body);
  bool stm(const ir::Stm& stm);
  bool bodies_of(const ir::Exp& exp);
  void add_iterations(const ir::Exp& exp);
  std::optional<std::size_t> input_of(const ir::Atom& atom) const;

  std::unordered_map<ir::Name, std::size_t> inputs_;  // accumulators by all of their names
  std::vector<const ir::Body*> bodies_;
  std::vector<ir::Name> iterations_;
  std::vector<Taken> branches_;
};

}  // namespace boustro::parallel
