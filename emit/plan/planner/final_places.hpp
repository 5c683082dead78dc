// Where an array ends up that is only made to be stored in a part of another: it is made there at once.
//
// Before:   let part' = map (\i -> part[i] + xs[i]) ..  let rows' = rows with [k] = part'
// After:    part' is made in the memory of rows[k], in place of `part` if that is what stood there
//           Stored in another order of dimensions, it is made in that
// Applies   if nothing between the two uses what stood there, but the map its own elements
#pragma once

#include <optional>
#include <vector>

#include "emit/plan/planner/uses.hpp"
#include "transform/facts/aliases.hpp"
#include "transform/facts/sizes.hpp"

namespace boustro::plan::planner {

class FinalPlaces {
 public:
  /// Of statements that follow each other; they must outlive this.
  FinalPlaces(const std::vector<ir::Stm>& stms, const Uses& uses, const facts::Callees& callees);

  /// An update, and an array from before the statement whose memory it writes to.
  struct Stored {
    std::size_t result;  // of the statement
    const ir::Update* update;
    ir::Name into;
    bool is_seen_otherwise;  // what is stored is a view of it, with dimensions in another order
    /// Arrays from outside of the statements that are used meanwhile: none may share memory with `into`.
    std::vector<ir::Name> used;
  };
  /// Where the array that statement number `at` makes ends up.
  std::optional<Stored> of(std::size_t at, const ir::Name& made) const;

 private:
  struct Definition {
    std::size_t at, place;
  };
  /// The statement that alone uses the array, as what it stores or updates.
  std::optional<std::size_t> only_use(const ir::Name& name) const;
  /// One of several uses, that stores the array in a part which nobody writes to later; all others only read it, and it is no result.
  std::optional<std::size_t> stored_beside(std::size_t at, const ir::Name& made) const;
  /// What the array becomes by a statement that updates it in place.
  std::optional<ir::Name> updated(const ir::Stm& stm, const ir::Name& array) const;
  /// The array from before `at`, or from outside, of which this is a later version.
  std::optional<ir::Name> version_before(std::size_t at, ir::Name name) const;
  ir::Name first_version(ir::Name name) const;
  /// Arrays whose memory the array may lie in, the first versions of them.
  ir::NameSet memory(const ir::Name& array) const;
  const ir::Index* index_of(const ir::Name& name) const;
  bool are_apart(const std::vector<ir::DimIndex>& x, const std::vector<ir::DimIndex>& y) const;
  /// The expression has bodies, in which rows of the array are read, but not that.
  bool reads_apart(const ir::Exp& exp, const ir::Name& array, const std::vector<ir::DimIndex>& indices) const;
  bool touches(std::size_t at, const ir::Name& array, const Stored& stored, std::size_t maker) const;

  const std::vector<ir::Stm>& stms_;
  const Uses& uses_;
  facts::Aliases aliases_;
  std::unordered_map<ir::Name, Definition> definitions_;
  std::unordered_map<ir::Name, std::size_t> last_use_;
  facts::Sizes sizes_;
};

/// Whether parameter number `i` of the loop, which is made anew in each iteration, is made in its own place: each point of the nest
/// that makes it reads its own elements, also of what updates have made of it before, and nobody reads others from then on.
///
/// Before:   loop xs for i < n do  let xs' = map (\j -> f xs[j]) ..  in xs'
/// After:    xs' is made in the memory of xs
bool is_remade_in_place(const ir::Loop& loop, std::size_t i, const facts::Callees& callees);

}  // namespace boustro::plan::planner
