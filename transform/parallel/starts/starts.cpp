// Arrays that are put together from rows start before the rows are made, so that these are made where they are stored
// (emit/plan/planner/final_places.hpp); and start without values, if rows are stored in all places.
//
// Before:  let xs = nest n f ..  let ys = nest n g ..
//          let yss = replicate 2 (replicate n 0)  let yss = yss with [1] = ys  in yss with [0] = xs
// After:   let yss = scratch [2][n]
//          let xs = nest n f ..  let ys = nest n g ..  let yss = yss with [1] = ys  in yss with [0] = xs
// Applies  to copies of a number that the statements behind it update, each the version before, and nothing else does anything with it
//          but for the last version: by rows that are used only there, which the same list of statements makes. It stands before all of
//          the rows behind which its sizes are known. Without values: if numbers say which row each is, and all are there
// Never    over a check of a size that may be negative: of the sizes of a row only the first is known not to be
#include <algorithm>
#include <set>
#include <unordered_map>

#include "transform/ir/needed.hpp"
#include "transform/ir/traversal.hpp"
#include "transform/parallel/parallel.hpp"

namespace boustro::parallel {
namespace {

using namespace ir;
using Stms = std::vector<Stm>;

/// Which row is stored, if a number says so.
std::optional<std::int64_t> row_number(const Update& update) {
  const auto* atom = update.indices.size() == 1 ? std::get_if<Atom>(&update.indices[0]) : nullptr;
  const PrimValue* number = atom ? literal_in(*atom) : nullptr;
  return number ? std::optional(number->as_int()) : std::nullopt;
}

class Starts {
 public:
  explicit Starts(Body& body) : stms_(body.stms), results_(names_among(body.result)) { find_users(); }

  void run() {
    for (std::size_t k = 0; k < stms_.size(); ++k) start_early(k);
  }

 private:
  void find_users() {
    users_.clear();
    makers_.clear();
    for (std::size_t k = 0; k < stms_.size(); ++k) {
      for (const Name& name : free_names(stms_[k])) users_[name].push_back(k);
      for (const Param& param : stms_[k].pattern) makers_.emplace(param.name, k);
    }
  }

  /// The one statement that uses the name, which is no result.
  std::optional<std::size_t> only_user(const Name& name) const {
    const auto found = users_.find(name);
    if (found == users_.end() || found->second.size() != 1 || results_.contains(name)) return std::nullopt;
    return found->second[0];
  }

  /// Those, one after the other, that alone use the array and what they make of it, but for the last version.
  std::vector<const Update*> updates_of(Name array) const {
    std::vector<const Update*> updates;
    for (auto user = only_user(array); user; user = only_user(array)) {
      const auto* update = std::get_if<Update>(&stms_[*user].exp);
      if (!update || update->array != array || update->value == Atom(array)) break;
      updates.push_back(update);
      array = stms_[*user].pattern[0].name;
    }
    return updates;
  }

  /// All rows are stored, of which each has one dimension.
  static bool fill(const std::vector<const Update*>& updates, const Type& type) {
    const PrimValue* rows = literal_in(type.shape[0]);
    std::set<std::int64_t> stored;
    for (const Update* update : updates)
      if (const auto number = row_number(*update); rows && number && *number >= 0 && *number < rows->as_int()) stored.insert(*number);
    return rows && type.rank() == 2 && static_cast<std::int64_t>(stored.size()) == rows->as_int();
  }

  /// Behind everything that the statement needs.
  std::size_t earliest_place(std::size_t at) const {
    std::size_t place = 0;
    for (const Name& name : free_names(stms_[at]))
      if (const auto found = makers_.find(name); found != makers_.end()) place = std::max(place, found->second + 1);
    return place;
  }

  void start_early(std::size_t at) {
    const Type type = stms_[at].pattern.empty() ? Type{} : stms_[at].pattern[0].type;
    const auto* copies = std::get_if<Replicate>(&stms_[at].exp);
    if (!copies || copies->shape.size() != type.shape.size()) return;
    const std::vector<const Update*> updates = updates_of(stms_[at].pattern[0].name);
    const std::size_t earliest = earliest_place(at);
    std::size_t to = at;
    for (const Update* update : updates) {
      const Name* row = name_in(update->value);
      const auto maker = row && only_user(*row) ? makers_.find(*row) : makers_.end();
      if (maker != makers_.end() && maker->second >= earliest) to = std::min(to, maker->second);
    }
    if (fill(updates, type)) stms_[at].exp = Scratch{type.elem, type.shape};
    if (to == at) return;
    const auto first = stms_.begin();
    std::rotate(first + static_cast<std::ptrdiff_t>(to), first + static_cast<std::ptrdiff_t>(at), first + static_cast<std::ptrdiff_t>(at) + 1);
    find_users();
  }

  Stms& stms_;
  NameSet results_;
  std::unordered_map<Name, std::vector<std::size_t>> users_;
  std::unordered_map<Name, std::size_t> makers_;
};

void start_early_in(Body& body) {
  Starts(body).run();
  for (Stm& stm : body.stms)
    if (!std::holds_alternative<Nest>(stm.exp)) map_bodies(stm.exp, start_early_in);
}

}  // namespace

Program start_early(Program program) {
  for (Function& function : program.functions) start_early_in(function.body);
  return program;
}

}  // namespace boustro::parallel
