#include "transform/simplify/branch_values.hpp"

#include <algorithm>

#include "transform/facts/work.hpp"
#include "transform/ir/traversal.hpp"
#include "transform/simplify/common_statements.hpp"

namespace boustro::simplify {

using namespace ir;

namespace {

class BranchValues {
 public:
  explicit BranchValues(const Program& program) : names_(program), callees_(program), works_(callees_) {}

  bool share_in(Body& body) {
    bool any = false;
    for (std::size_t i = 0; i < body.stms.size(); ++i) {
      map_bodies(body.stms[i].exp, [&](Body& inner) { any = share_in(inner) || any; });
      for (std::size_t earlier = 0; earlier < i; ++earlier) any = share(body.stms[earlier], body.stms[i]) || any;
    }
    return any;
  }

 private:
  bool share(Stm& earlier, Stm& later) {
    auto *a = std::get_if<If>(&earlier.exp), *b = std::get_if<If>(&later.exp);
    if (!a || !b || a->condition != b->condition) return false;
    const bool yes = share(earlier, a->then_body, a->else_body, b->then_body);
    return share(earlier, a->else_body, a->then_body, b->else_body) || yes;
  }

  /// What `later` does as `own` does becomes results of the earlier branch, where the other side has anything for them.
  bool share(Stm& earlier, Body& own, Body& other, Body& later) {
    const CommonStatements common = common_statements(own.stms, later.stms);
    std::vector<Stm> same, rest;
    for (std::size_t i = 0; i < later.stms.size(); ++i) {
      const bool is_common = std::binary_search(common.positions.begin(), common.positions.end(), i);
      (is_common && is_worth_keeping(later.stms[i]) ? same : rest).push_back(later.stms[i]);
    }
    if (takes_at_most(works_.of(same), facts::less_than_a_load)) return false;
    Body remaining{std::move(rest), std::move(later.result)};
    const NameSet used = free_names(remaining);
    Substitution values;
    for (const Stm& stm : same)
      for (const Param& param : stm.pattern)
        if (used.contains(param.name))
          values.emplace(param.name, kept(earlier, own, other, common.names.at(param.name), param.type));
    substitute(remaining, values);
    later = std::move(remaining);
    return true;
  }

  bool is_worth_keeping(const Stm& stm) {
    const auto keeping = facts::memory_work * static_cast<std::int64_t>(stm.pattern.size());
    return !takes_at_most(works_.of(stm), keeping);
  }

  /// The value that one side of the branch computes, as a result.
  Name kept(Stm& branch, Body& own, Body& other, const Atom& value, const Type& type) {
    const auto found = std::find(own.result.begin(), own.result.end(), value);
    if (found != own.result.end()) return branch.pattern[static_cast<std::size_t>(found - own.result.begin())].name;
    own.result.push_back(value);
    other.result.push_back(PrimValue::zero(type.elem));
    branch.pattern.push_back(names_.fresh_param(std::get<Name>(value).base, type));
    return branch.pattern.back().name;
  }

  Names names_;
  facts::Callees callees_;
  facts::Works works_;
};

}  // namespace

bool share_branch_values(Program& program) {
  const Program before = program;
  BranchValues values(before);
  bool any = false;
  for (Function& function : program.functions) any = values.share_in(function.body) || any;
  return any;
}

}  // namespace boustro::simplify
