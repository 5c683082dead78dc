#include "transform/parallel/flatten/scalars.hpp"

namespace boustro::parallel {

using namespace ir;

std::optional<Atom> scalar_of(const Atom& value, const Definitions& definitions,
                              const Names& names) {
  if (names.type_of(value).is_scalar()) return value;
  const Name* name = name_in(value);
  const auto element = name ? definitions.replicated(*name) : std::nullopt;
  return element ? scalar_of(*element, definitions, names) : std::nullopt;
}

Lambda scalar_operator(Builder& builder, BinOpKind kind, PrimType elem) {
  return builder.lambda({{"x", scalar(elem)}, {"y", scalar(elem)}},
                        [&](Builder& b, const std::vector<Name>& args) {
                          return std::vector<Atom>{b.binop("combined", kind, args[0], args[1])};
                        });
}

}  // namespace boustro::parallel
