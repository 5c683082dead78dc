// Which types may hold functions, or arrays whose sizes the type does not say.
//
// Futhark's order: plain types (`type`, 'a) may be elements of arrays; size-lifted ones (`type~`, '~a) may hide sizes; lifted ones
// (`type^`, '^a) may also hold functions.
#pragma once

#include <unordered_map>

#include "frontend/ast/syntax.hpp"
#include "frontend/check/typed.hpp"

namespace boustro::check {

using ast::Liftedness;

/// What is known of type parameters and abstract types.
class Liftednesses {
 public:
  void add(const Name& name, TypeParam::Kind kind);
  void add(const Name& name, Liftedness liftedness);
  /// Sizes that an abbreviation leaves open are not seen here.
  Liftedness of(const Type& type) const;

 private:
  std::unordered_map<int, Liftedness> by_name_;  // where it is not plain
};

/// `type`, `type~`, `type^`
std::string_view keyword_of(Liftedness liftedness);

}  // namespace boustro::check
