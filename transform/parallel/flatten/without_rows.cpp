#include "transform/parallel/flatten/without_rows.hpp"

#include <algorithm>

#include "transform/ir/needed.hpp"
#include "transform/ir/operands.hpp"
#include "transform/ir/traversal.hpp"
#include "transform/parallel/flatten/recomputed.hpp"

namespace boustro::parallel {

using namespace ir;

namespace {

bool is_row(const Stm& stm) {
  const auto* nest = std::get_if<Nest>(&stm.exp);
  return nest && std::any_of(stm.pattern.begin(), stm.pattern.end(), [](const Param& param) { return !param.type.is_scalar(); });
}

class Rewriter {
 public:
  Rewriter(const Nest& nest, Names& names, const Provenance& origin) : original_(nest), names_(names), origin_(origin) {}

  std::optional<Nest> run() {
    const auto& stms = original_.point.body.stms;
    if (std::none_of(stms.begin(), stms.end(), is_row)) return std::nullopt;
    Nest nest = original_;
    nest.point = rename(nest.point, names_);
    for (const Stm& stm : nest.point.body.stms)
      if (is_row(stm))
        for (const Param& param : stm.pattern) rows_.insert(param.name);
    around_.push_back(nest.point.body);
    rewrite(nest.point.body);
    NameSet wanted = names_among(nest.point.body.result);
    nest.point.body.stms = statements_for(wanted, nest.point.body.stms, true);
    const bool gone = std::none_of(nest.point.body.stms.begin(), nest.point.body.stms.end(), is_row);
    return gone && !failed_ ? std::optional(std::move(nest)) : std::nullopt;
  }

 private:
  void rewrite(Body& body) {
    std::vector<Stm> stms;
    for (Stm& stm : body.stms) {
      if (const auto* nest = std::get_if<Nest>(&stm.exp); nest && !is_row(stm)) {
        around_.push_back(nest->point.body);
        map_bodies(stm.exp, [&](Body& inner) { rewrite(inner); });
        around_.pop_back();
      } else if (const auto* read = std::get_if<Index>(&stm.exp); read && stm.pattern[0].type.is_scalar() && rows_.contains(seen(read->array))) {
        compute(stm, *read, stms);
        continue;
      }
      stms.push_back(std::move(stm));
    }
    body.stms = std::move(stms);
  }

  /// What the element is, instead of reading it.
  void compute(const Stm& stm, const Index& read, std::vector<Stm>& to) {
    Builder builder(names_, origin_);
    Recomputed again(builder, {});
    for (const Body& body : around_) again.know(body);
    std::vector<Atom> at;
    for (const DimIndex& index : read.indices) {
      const auto* atom = std::get_if<Atom>(&index);
      if (!atom) return void(failed_ = true);
      at.push_back(*atom);
    }
    const Atom value = again.element(read.array, at);
    failed_ = failed_ || again.failed();
    to.insert(to.end(), builder.stms.begin(), builder.stms.end());
    to.push_back({stm.pattern, AtomExp{value}, stm.origin, {}});
  }

  /// The array that a view is of.
  Name seen(Name array) const {
    for (std::size_t scope = around_.size(); scope-- > 0;)
      for (auto stm = around_[scope].stms.rbegin(); stm != around_[scope].stms.rend(); ++stm)
        if (const Name* of = stm->pattern.size() == 1 && stm->pattern[0].name == array ? viewed_operand(stm->exp) : nullptr) array = *of;
    return array;
  }

  const Nest& original_;
  Names& names_;
  const Provenance& origin_;
  NameSet rows_;
  std::vector<Body> around_;  // as they were
  bool failed_ = false;
};

}  // namespace

std::optional<Nest> without_rows(const Nest& nest, Names& names, const Provenance& origin) { return Rewriter(nest, names, origin).run(); }

}  // namespace boustro::parallel
