#include "transform/ad/adjoint.hpp"

#include "frontend/source/diagnostics.hpp"

namespace boustro::ad {

using namespace ir;

namespace {

const Adjoint nothing = ZeroAdjoint{};

bool all_single(const std::vector<DimIndex>& indices) {
  for (const DimIndex& index : indices)
    if (!std::holds_alternative<Atom>(index)) return false;
  return true;
}

std::vector<Atom> as_atoms(const std::vector<DimIndex>& indices) {
  std::vector<Atom> atoms;
  for (const DimIndex& index : indices) atoms.push_back(std::get<Atom>(index));
  return atoms;
}

std::vector<DimIndex> as_dims(const std::vector<Atom>& indices) {
  return {indices.begin(), indices.end()};
}

}  // namespace

const Adjoint& Adjoints::of(const Name& name) const {
  const auto found = adjoints_.find(name);
  return found == adjoints_.end() ? nothing : found->second;
}

bool Adjoints::is_zero(const Name& name) const {
  return std::holds_alternative<ZeroAdjoint>(of(name));
}

bool Adjoints::is_accumulated(const Name& name) const {
  return std::holds_alternative<AccumulatedAdjoint>(of(name));
}

void Adjoints::set(const Name& name, Adjoint adjoint) {
  adjoints_.insert_or_assign(name, std::move(adjoint));
}

Type Adjoints::type_of(const Atom& atom) const {
  Type type = names_->type_of(atom);
  type.accumulator = false;
  return with_seeds(std::move(type), *seed_shape_);
}

void Adjoints::add(Builder& builder, const Atom& x, const Atom& contribution, bool owned) {
  if (!activity_->active(x)) return;
  const Name& name = std::get<Name>(x);
  const Atom value = coerced(builder, contribution, type_of(x));
  if (is_zero(name)) return set(name, DenseAdjoint{value, owned});
  if (const auto* acc = std::get_if<AccumulatedAdjoint>(&of(name)))
    return add_to_accumulator(builder, name, Name(acc->accumulator), {}, {}, value, true);
  if (std::holds_alternative<SparseAdjoint>(of(name))) {
    const SparseAdjoint sparse = std::get<SparseAdjoint>(of(name));
    set(name, DenseAdjoint{value, owned});
    for (const auto& entry : sparse.entries) add_entry(builder, name, entry);
    return;
  }
  set(name, DenseAdjoint{sum(builder, adj_name(name), std::get<DenseAdjoint>(of(name)).value, value),
                         true});
}

void Adjoints::add_at(Builder& builder, const Name& xs, const std::vector<DimIndex>& indices,
                      const Atom& contribution, bool checked, bool owned) {
  if (!activity_->active(xs)) return;
  if (indices.empty()) return add(builder, xs, contribution, owned);
  if (const auto* acc = std::get_if<AccumulatedAdjoint>(&of(xs)))
    return add_to_accumulator(builder, xs, Name(acc->accumulator), {}, indices, contribution, !checked);
  if (all_single(indices))
    return add_entry(builder, xs, {as_atoms(indices), contribution, std::nullopt, checked});
  const Atom xs_adj = take_owned(builder, xs);
  set(xs, DenseAdjoint{updated(builder, xs, xs_adj, indices, contribution, checked), true});
}

void Adjoints::add_entry(Builder& builder, const Name& xs, SparseAdjoint::Entry entry) {
  if (!activity_->active(xs)) return;
  if (is_zero(xs)) return set(xs, SparseAdjoint{{std::move(entry)}});
  if (const auto* sparse = std::get_if<SparseAdjoint>(&of(xs))) {
    SparseAdjoint more = *sparse;
    more.entries.push_back(std::move(entry));
    return set(xs, std::move(more));
  }
  if (const auto* acc = std::get_if<AccumulatedAdjoint>(&of(xs))) {
    // An index that is out of bounds where the guard does not hold is ignored by the accumulator.
    const bool safe = !entry.guard && !entry.checked;
    return add_to_accumulator(builder, xs, Name(acc->accumulator), {}, as_dims(entry.indices), entry.value,
                              safe);
  }
  const Atom xs_adj = take_owned(builder, xs);
  if (!entry.guard) {
    set(xs, DenseAdjoint{updated(builder, xs, xs_adj, as_dims(entry.indices), entry.value, entry.checked),
                         true});
    return;
  }
  set(xs, DenseAdjoint{added_in_bounds(builder, xs, std::get<Name>(xs_adj), entry), true});
}

/// xs_adj[indices] += value, ignored out of bounds, which spares a branch on the guard.
Atom Adjoints::added_in_bounds(Builder& builder, const Name& xs, const Name& xs_adj,
                               const SparseAdjoint::Entry& entry) {
  Type type = names_->type_of(xs_adj);
  type.accumulator = true;
  Lambda add = builder.lambda({{adj_name(xs), type}}, [&](Builder& b, const std::vector<Name>& acc) {
    return std::vector<Atom>{b.let(adj_name(xs), UpdateAcc{acc[0], entry.indices, entry.value, false})};
  });
  return builder.let(adj_name(xs), WithAcc{{{xs_adj, AddUp{}}}, std::move(add)});
}

Atom Adjoints::updated(Builder& builder, const Name& xs, const Atom& xs_adj,
                       const std::vector<DimIndex>& indices, const Atom& contribution, bool checked) {
  const Name array = std::get<Name>(xs_adj);
  const Name old = builder.let("part_adj", Index{array, indices, checked});
  const Atom value = sum(builder, "part_adj", old, contribution);
  return builder.let(adj_name(xs), Update{array, indices, value, false});
}

/// Indices are taken from `rest` one by one; a slice becomes a map over its positions.
void Adjoints::add_to_accumulator(Builder& builder, const Name& xs, const Name& accumulator,
                                  std::vector<Atom> prefix, const std::vector<DimIndex>& rest,
                                  const Atom& contribution, bool in_bounds) {
  std::size_t used = 0;
  while (used < rest.size() && std::holds_alternative<Atom>(rest[used]))
    prefix.push_back(std::get<Atom>(rest[used++]));
  if (used == rest.size()) {
    set(xs, AccumulatedAdjoint{builder.let(
                adj_name(xs), UpdateAcc{accumulator, prefix, contribution, in_bounds})});
    return;
  }
  const Slice slice = std::get<Slice>(rest[used]);
  const std::vector<DimIndex> inner_rest(rest.begin() + static_cast<std::ptrdiff_t>(used) + 1,
                                         rest.end());
  const Name rows = std::get<Name>(contribution);
  const Name positions = builder.let("positions", Iota{slice.count});
  const Type acc_type = names_->type_of(accumulator);
  const Lambda fn = builder.lambda(
      {{adj_name(xs), acc_type}, {"i", scalar(PrimType::i64)}, {"row", row_type(names_->type_of(rows))}},
      [&](Builder& b, const std::vector<Name>& p) {
        std::vector<Atom> indices = prefix;
        indices.push_back(b.binop("j", BinOpKind::add, slice.start,
                                  b.binop("offset", BinOpKind::mul, p[1], slice.stride)));
        add_to_accumulator(b, xs, p[0], std::move(indices), inner_rest, p[2], in_bounds);
        return std::vector<Atom>{std::get<AccumulatedAdjoint>(of(xs)).accumulator};
      });
  set(xs, AccumulatedAdjoint{
              builder.let(adj_name(xs), Map{slice.count, fn, {positions, rows}, {accumulator}})});
}

Atom Adjoints::dense(Builder& builder, const Name& name) {
  if (const auto* sparse = std::get_if<SparseAdjoint>(&of(name))) {
    const std::vector<SparseAdjoint::Entry> entries = sparse->entries;
    set(name, DenseAdjoint{zeros(builder, adj_name(name), type_of(name)), true});
    for (const auto& entry : entries) add_entry(builder, name, entry);
  } else if (is_zero(name)) {
    set(name, DenseAdjoint{zeros(builder, adj_name(name), type_of(name)), true});
  }
  source::internal_check(!is_accumulated(name), "ad: an accumulated adjoint is read");
  return std::get<DenseAdjoint>(of(name)).value;
}

Atom Adjoints::take(Builder& builder, const Name& name) { return take_dense(builder, name).value; }

DenseAdjoint Adjoints::take_dense(Builder& builder, const Name& name) {
  dense(builder, name);
  DenseAdjoint adjoint = std::get<DenseAdjoint>(of(name));
  adjoints_.erase(name);
  return adjoint;
}

Atom Adjoints::take_owned(Builder& builder, const Name& name) {
  const DenseAdjoint adjoint = take_dense(builder, name);
  return adjoint.owned ? adjoint.value : fresh_copy(builder, adj_name(name), adjoint.value);
}

void Adjoints::move(Builder& builder, const Name& from, const Atom& to) {
  const Adjoint adjoint = of(from);
  adjoints_.erase(from);
  if (!activity_->active(to)) return;
  if (const auto* sparse = std::get_if<SparseAdjoint>(&adjoint)) {
    for (const auto& entry : sparse->entries) add_entry(builder, std::get<Name>(to), entry);
  } else if (const auto* dense = std::get_if<DenseAdjoint>(&adjoint)) {
    add(builder, to, dense->value, dense->owned);
  }
}

}  // namespace boustro::ad
