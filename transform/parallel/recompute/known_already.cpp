#include "transform/parallel/recompute/known_already.hpp"

#include <algorithm>

#include "transform/facts/joint_sums.hpp"
#include "transform/ir/traversal.hpp"
#include "transform/parallel/recompute/parts.hpp"

namespace boustro::parallel {
namespace {

using namespace ir;

class Known {
 public:
  explicit Known(bool with_elements) : with_elements_(with_elements) {}

  void run(Body& body) {
    const std::size_t outside = known_.size();
    std::vector<Stm> stms;
    for (Stm& stm : body.stms) {
      substitute(stm, same_);
      map_bodies(stm.exp, [&](Body& inner) { run(inner); });
      if (const auto plain = plain_form(stm); !plain || !is_known(stm, *plain)) stms.push_back(std::move(stm));
    }
    body.stms = std::move(stms);
    for (Atom& atom : body.result) atom = substitute(atom, same_);
    known_.resize(outside);
  }

 private:
  /// Arithmetic, or an element by its array and all of its indices; nothing of anything else.
  std::optional<Exp> plain_form(const Stm& stm) {
    if (stm.pattern.size() != 1 || may_fail(stm.exp)) return std::nullopt;
    if (is_scalar_operation(stm.exp)) return std::holds_alternative<AtomExp>(stm.exp) ? std::nullopt : std::optional(stm.exp);
    const auto* index = std::get_if<Index>(&stm.exp);
    const auto part = index ? part_of_any(*index, stm) : std::nullopt;
    if (!part) return std::nullopt;
    if (!stm.pattern[0].type.is_scalar()) return parts_.emplace(stm.pattern[0].name, *part), std::nullopt;
    if (!with_elements_) return std::nullopt;
    const std::vector<Atom> at = indices_of(*part);
    return Index{part->array, {at.begin(), at.end()}, false};
  }

  std::optional<ArrayPart> part_of_any(const Index& index, const Stm& stm) {
    if (!parts_.contains(index.array)) parts_.emplace(index.array, whole_array(index.array, rank_read_by(index, stm)));
    return part_of(stm, parts_);
  }

  bool is_known(const Stm& stm, const Exp& plain) {
    const auto found = std::find_if(known_.begin(), known_.end(), [&](const auto& known) { return known.first == plain; });
    if (found == known_.end()) return known_.emplace_back(plain, stm.pattern[0].name), false;
    return same_.emplace(stm.pattern[0].name, found->second), true;
  }

  const bool with_elements_;
  std::vector<std::pair<Exp, Name>> known_;
  Substitution same_;
  ArrayParts parts_;
};

/// What was read through them may be known.
void remove_unused_views(Body& body, NameSet& used) {
  for (const Atom& atom : body.result)
    if (const Name* name = name_in(atom)) used.insert(*name);
  std::vector<Stm> stms;
  for (auto stm = body.stms.rbegin(); stm != body.stms.rend(); ++stm) {
    const bool is_view = (std::holds_alternative<Index>(stm->exp) || std::holds_alternative<Rearrange>(stm->exp)) && !may_fail(stm->exp);
    if (is_view && !used.contains(stm->pattern[0].name)) continue;
    map_bodies(stm->exp, [&](Body& inner) { remove_unused_views(inner, used); });
    used.merge(free_names(*stm));
    stms.push_back(std::move(*stm));
  }
  body.stms.assign(std::make_move_iterator(stms.rbegin()), std::make_move_iterator(stms.rend()));
}

}  // namespace

void use_what_is_known(Nest& nest) {
  Known(!facts::joint_sums_of(nest)).run(nest.point.body);
  NameSet used;
  remove_unused_views(nest.point.body, used);
}

}  // namespace boustro::parallel
