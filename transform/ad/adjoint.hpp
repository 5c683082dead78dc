// The adjoints of the names in scope during a return sweep.
#pragma once

#include <optional>
#include <unordered_map>

#include "transform/ad/activity.hpp"
#include "transform/ad/tensor.hpp"

namespace boustro::ad {

/// Nothing was added yet.
struct ZeroAdjoint {};
/// Zero but for some elements or rows; for as long as nobody needs the array.
struct SparseAdjoint {
  struct Entry {
    std::vector<ir::Atom> indices;  // of the outer dimensions
    ir::Atom value;
    std::optional<ir::Atom> guard;  // a bool: whether indices are in bounds; if not, the entry does not count
    bool checked = false;           // whether indices could be out of bounds where the primal failed
  };
  std::vector<Entry> entries;
};
/// `owned`: made in this scope for nobody else, so that it may be updated in place.
struct DenseAdjoint {
  ir::Atom value;
  bool owned = false;
};
/// Contributions are added into an accumulator and cannot be read here: a free array inside a map.
struct AccumulatedAdjoint {
  ir::Name accumulator;
};
using Adjoint = std::variant<ZeroAdjoint, SparseAdjoint, DenseAdjoint, AccumulatedAdjoint>;

class Adjoints {
 public:
  Adjoints(ir::Names& names, const Activity& activity, const ir::Shape& seed_shape)
      : names_(&names), activity_(&activity), seed_shape_(&seed_shape) {}

  const Adjoint& of(const ir::Name& name) const;
  bool is_zero(const ir::Name& name) const;
  bool is_accumulated(const ir::Name& name) const;
  void set(const ir::Name& name, Adjoint adjoint);
  ir::Type type_of(const ir::Atom& atom) const;

  /// x_adj += contribution. Nothing happens if x is a literal or inactive. `owned`: nobody else uses the contribution.
  void add(ir::Builder& builder, const ir::Atom& x, const ir::Atom& contribution, bool owned = true);
  /// xs_adj[indices] += contribution. `checked` as in the primal statement that read there.
  void add_at(ir::Builder& builder, const ir::Name& xs, const std::vector<ir::DimIndex>& indices,
              const ir::Atom& contribution, bool checked, bool owned = true);
  /// xs_adj[entry.indices] += entry.value where the guard holds.
  void add_entry(ir::Builder& builder, const ir::Name& xs, SparseAdjoint::Entry entry);

  /// The whole adjoint, zeros if nothing was added.
  ir::Atom dense(ir::Builder& builder, const ir::Name& name);
  /// The same, to be consumed; the adjoint is forgotten.
  ir::Atom take_owned(ir::Builder& builder, const ir::Name& name);
  /// The same, to be read; the adjoint is forgotten.
  ir::Atom take(ir::Builder& builder, const ir::Name& name);
  /// The same, with the right to update it if this scope has that.
  DenseAdjoint take_dense(ir::Builder& builder, const ir::Name& name);
  /// to_adj += from_adj, which is forgotten; sparse ones stay sparse.
  void move(ir::Builder& builder, const ir::Name& from, const ir::Atom& to);

 private:
  void add_to_accumulator(ir::Builder& builder, const ir::Name& xs, const ir::Name& accumulator,
                          std::vector<ir::Atom> prefix, const std::vector<ir::DimIndex>& rest,
                          const ir::Atom& contribution, bool in_bounds);
  ir::Atom added_in_bounds(ir::Builder& builder, const ir::Name& xs, const ir::Name& xs_adj,
                           const SparseAdjoint::Entry& entry);
  ir::Atom updated(ir::Builder& builder, const ir::Name& xs, const ir::Atom& xs_adj,
                   const std::vector<ir::DimIndex>& indices, const ir::Atom& contribution, bool checked);

  ir::Names* names_;
  const Activity* activity_;
  const ir::Shape* seed_shape_;
  std::unordered_map<ir::Name, Adjoint> adjoints_;
};

}  // namespace boustro::ad
