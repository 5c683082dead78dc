#include "transform/parallel/flatten/branches_apart.hpp"

#include <algorithm>

#include "transform/facts/work.hpp"
#include "transform/ir/needed.hpp"
#include "transform/parallel/flatten/cells_apart.hpp"

namespace boustro::parallel {
namespace {

using namespace ir;

class Branches {
 public:
  Branches(const Stm& stm, Names& names) : stm_(stm), nest_(std::get<Nest>(stm.exp)), names_(names) {}

  std::optional<std::vector<Stm>> run(const facts::Sizes& known, const facts::Callees& callees) {
    if (nest_.over != Level::grid || nest_.accumulators.empty() || !nest_.outs.empty() || !ends_with_branches() || !is_short(callees)) return std::nullopt;
    const Nest first = with_branch(true), second = with_branch(false);
    const auto meeting = [&](const Nest& nest) { return meeting_in_cells(nest, known, names_); };
    const Meeting of_first = meeting(first), of_second = meeting(second);
    if (of_first == Meeting::of_points || of_second == Meeting::of_points || meeting(nest_) != Meeting::of_points) return std::nullopt;
    const bool in_order = of_first == of_second ? !is_longer(second, first, callees) : of_second < of_first;
    return in_order ? in_a_row(first, second) : in_a_row(second, first);
  }

 private:
  const Body& body() const { return nest_.point.body; }
  const Name& given(std::size_t accumulator) const { return nest_.point.params[accumulator].name; }

  /// Each result of them is an accumulator, which this finds.
  bool ends_with_branches() {
    if (body().stms.empty() || !std::holds_alternative<If>(body().stms.back().exp)) return false;
    for (const Param& param : body().stms.back().pattern) {
      const auto found = std::find(body().result.begin(), body().result.end(), Atom(param.name));
      if (found == body().result.end()) return false;
      accumulators_.push_back(static_cast<std::size_t>(found - body().result.begin()));
    }
    return true;
  }

  bool is_short(const facts::Callees& callees) const {
    const std::vector<Stm> before(body().stms.begin(), body().stms.end() - 1);
    const bool plain = std::none_of(before.begin(), before.end(), [&](const Stm& stm) {
      const NameSet used = free_names(stm.exp);
      return stm.pattern.empty() || std::any_of(nest_.point.params.begin(), nest_.point.params.end(), [&](const Param& param) {
               return param.type.accumulator && used.contains(param.name);
             });
    });
    return plain && facts::takes_at_most(facts::Works(callees).of(before), facts::less_than_a_load);
  }

  /// The other one leaves accumulators as they are.
  Nest with_branch(bool then_branch) const {
    Nest nest = nest_;
    Body& point = nest.point.body;
    If& e = std::get<If>(point.stms.back().exp);
    Body& other = then_branch ? e.else_body : e.then_body;
    other.stms.clear();
    for (std::size_t i = 0; i < accumulators_.size(); ++i) other.result[i] = given(accumulators_[i]);
    NameSet wanted = names_among(point.result);
    point.stms = statements_for(wanted, point.stms);
    return nest;
  }

  /// As far as numbers tell.
  static bool is_longer(const Nest& one, const Nest& other, const facts::Callees& callees) {
    const auto x = facts::Works(callees).of(one.point.body).constant(), y = facts::Works(callees).of(other.point.body).constant();
    return x && y && *x > *y;
  }

  std::vector<Stm> in_a_row(Nest first, Nest second) {
    std::vector<Param> between;
    for (std::size_t i = 0; i < nest_.accumulators.size(); ++i) {
      between.push_back(names_.fresh_param(stm_.pattern[i].name.base, stm_.pattern[i].type));
      second.accumulators[i] = between.back().name;
    }
    second.point = rename(second.point, names_);
    return {{between, std::move(first), stm_.origin, stm_.attributes}, {stm_.pattern, std::move(second), stm_.origin, stm_.attributes}};
  }

  const Stm& stm_;
  const Nest& nest_;
  Names& names_;
  std::vector<std::size_t> accumulators_;
};

}  // namespace

std::optional<std::vector<Stm>> branches_apart(const Stm& stm, const facts::Sizes& known, Names& names, const facts::Callees& callees) {
  return Branches(stm, names).run(known, callees);
}

}  // namespace boustro::parallel
