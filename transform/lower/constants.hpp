// Top-level constants: evaluated once per entry. Functions that use one take it as a parameter,
// unless it is cheap enough to compute again.
#pragma once

#include "transform/lower/context.hpp"

namespace boustro::lower {

/// The value of a definition without parameters, in the function that is being filled.
Value constant_value(Context& context, const check::Definition& definition,
                     const std::vector<Type>& type_args = {},
                     const std::vector<Size>& size_args = {});

/// The atoms of a constant, as a function that takes it as a parameter wants them.
struct ConstantAtoms {
  std::vector<Atom> sizes, values;
};
ConstantAtoms constant_atoms(Context& context, const check::Definition& definition);

}  // namespace boustro::lower
