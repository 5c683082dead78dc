// Which literals need a suffix.
#pragma once

#include <cstddef>
#include <unordered_map>
#include <vector>

#include "transform/ir/ir.hpp"

namespace boustro::raise {

/// Variables whose element types the checker takes to be the same form a class; a class is known if it holds a parameter or a
/// result of the function, or what a function of a number's module takes or yields. A literal beside one of a known class needs
/// no suffix.
class Literals {
 public:
  explicit Literals(const ir::Function& function);

  bool is_known(const ir::Name& name) const;

 private:
  class Walk;
  using Id = std::size_t;

  Id id_of(const ir::Name& name);
  Id root(Id id) const;
  void unite(const ir::Atom& a, const ir::Atom& b);
  void know(const ir::Atom& atom);

  std::unordered_map<ir::Name, Id> ids_;
  mutable std::vector<Id> parents_;
  std::vector<bool> known_;
};

}  // namespace boustro::raise
