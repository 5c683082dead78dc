// Making and rearranging arrays. Elements may be of any type: each leaf is treated alike.
#include <numeric>

#include "transform/lower/arrays.hpp"
#include "transform/lower/intrinsics/intrinsics.hpp"
#include "transform/lower/sums.hpp"

namespace boustro::lower {
namespace {

/// The shape with the first `count` dimensions replaced by `outer`.
ir::Shape with_outer(ir::Shape outer, const ir::Shape& shape, std::size_t count) {
  outer.insert(outer.end(), shape.begin() + static_cast<std::ptrdiff_t>(count), shape.end());
  return outer;
}

Type matrix_of(const Use& use) { return array_of(use.size(0), array_of(use.size(1), use.type(0))); }

}  // namespace

Value lower_iota(Context& context, const Use& use) {
  return {context.emit("is", ir::Iota{atom_of(use.arg(0))})};
}

Value lower_replicate(Context& context, const Use& use) {
  const Atom& width = atom_of(use.arg(0));
  std::vector<Atom> atoms = leaves_as(context, use.arg(1), use.type(0));
  for (Atom& atom : atoms) atom = context.emit("xs", ir::Replicate{{width}, atom});
  return from_leaves(use.type(0), atoms);
}

Value lower_copy(Context& context, const Use& use) {
  std::vector<Atom> atoms = leaves_as(context, use.arg(0), use.type(0));
  for (Atom& atom : atoms) {
    const ir::Name* name = ir::name_in(atom);
    if (name && !context.names.type_of(*name).is_scalar()) {
      atom = context.emit(context.called(*name), ir::Copy{*name});
    }
  }
  return from_leaves(use.type(0), atoms);
}

Value lower_concat(Context& context, const Use& use) {
  const Atom width = context.size_op(ir::BinOpKind::add, use.size(0), use.size(1));
  const auto xs = arrays_as(context, use.arg(0), array_of(use.size(0), use.type(0)));
  const auto ys = arrays_as(context, use.arg(1), array_of(use.size(1), use.type(0)));
  std::vector<Atom> atoms;
  for (std::size_t i = 0; i < xs.size(); ++i) {
    atoms.push_back(context.emit("xs", ir::Concat{width, {xs[i], ys[i]}}));
  }
  return from_leaves(use.type(0), atoms);
}

Value lower_transpose(Context& context, const Use& use) {
  std::vector<Atom> atoms;
  for (const ir::Name& name : arrays_as(context, use.arg(0), matrix_of(use))) {
    std::vector<int> permutation(context.names.type_of(name).shape.size());
    std::iota(permutation.begin(), permutation.end(), 0);
    std::swap(permutation[0], permutation[1]);
    atoms.push_back(context.emit("xss", ir::Rearrange{std::move(permutation), name}));
  }
  return from_leaves(use.type(0), atoms);
}

Value lower_flatten(Context& context, const Use& use) {
  const Atom width = context.size_op(ir::BinOpKind::mul, use.size(0), use.size(1));
  std::vector<Atom> atoms;
  for (const ir::Name& name : arrays_as(context, use.arg(0), matrix_of(use))) {
    const ir::Shape shape = context.names.type_of(name).shape;
    atoms.push_back(context.emit("xs", ir::Reshape{with_outer({width}, shape, 2), name}));
  }
  return from_leaves(use.type(0), atoms);
}

Value lower_unflatten(Context& context, const Use& use) {
  const Atom width = context.size_op(ir::BinOpKind::mul, use.size(0), use.size(1));
  std::vector<Atom> atoms;
  for (const ir::Name& name : arrays_as(context, use.arg(0), array_of(width, use.type(0)))) {
    const ir::Shape shape = context.names.type_of(name).shape;
    atoms.push_back(
        context.emit("xss", ir::Reshape{with_outer({use.size(0), use.size(1)}, shape, 1), name}));
  }
  return from_leaves(use.type(0), atoms);
}

/// An array of tuples is a tuple of arrays already.
Value lower_zip(Context& context, const Use& use) {
  const auto part = [&](std::size_t i) {
    const Atom width = use.width(context, 0, use.arg(i));
    const Value value = from_leaves(
        use.type(i), leaves_as(context, use.arg(i), array_of(width, use.type(i))));
    return context.fresh(value, use.type(i));
  };
  return tuple({part(0), part(1)});
}

/// Its size, which the type says.
Value lower_length(Context&, const Use& use) { return {use.size(0)}; }

/// unzip, opaque and trace.
Value lower_identity(Context&, const Use& use) { return use.arg(0); }

}  // namespace boustro::lower
