#include "frontend/check/liftedness.hpp"

#include <algorithm>

#include "frontend/check/types.hpp"

namespace boustro::check {

void Liftednesses::add(const Name& name, TypeParam::Kind kind) {
  if (kind == TypeParam::Kind::size_lifted) add(name, Liftedness::size_lifted);
  if (kind == TypeParam::Kind::lifted) add(name, Liftedness::lifted);
}
void Liftednesses::add(const Name& name, Liftedness liftedness) {
  if (liftedness != Liftedness::plain) by_name_.insert_or_assign(name.id, liftedness);
}

Liftedness Liftednesses::of(const Type& type) const {
  Liftedness result = mentions_function(type) ? Liftedness::lifted : Liftedness::plain;
  for_each_variable(type, [&](const Name& name) {
    const auto found = by_name_.find(name.id);
    if (found != by_name_.end()) result = std::max(result, found->second);
  });
  return result;
}

std::string_view keyword_of(Liftedness liftedness) {
  switch (liftedness) {
    case Liftedness::size_lifted: return "type~";
    case Liftedness::lifted: return "type^";
    default: return "type";
  }
}

}  // namespace boustro::check
