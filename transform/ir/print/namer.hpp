// Readable, distinct identifiers for the names of one function.
#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "transform/ir/ir.hpp"

namespace boustro::ir::printing {

/// `base` as an identifier of the language: what cannot stand in one becomes `_`; keywords, and names that
/// the printer itself writes (map, reduce, f64, ...), get a `_` at the end.
std::string mended(const std::string& base);

class Namer {
 public:
  Namer() = default;
  /// The first name with a base stays without number, the others are numbered.
  /// `taken` are identifiers that mean something else here, such as functions.
  Namer(const std::vector<Name>& names, const std::unordered_set<std::string>& taken);

  std::string spell(const Name& name) const;
  /// A fresh identifier for a value that only exists in print.
  std::string fresh(const std::string& base);

 private:
  std::unordered_map<Name, std::string> spelling_;
  std::unordered_set<std::string> used_;
};

}  // namespace boustro::ir::printing
