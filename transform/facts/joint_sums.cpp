#include "transform/facts/joint_sums.hpp"

#include <algorithm>

#include "transform/ir/nest.hpp"
#include "transform/ir/operands.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::facts {

using namespace ir;

namespace {

constexpr std::int64_t few_summands = 64;  // known to be so few that one thread may as well add them up

bool may_fail_anywhere(const Body& body) {
  return std::any_of(body.stms.begin(), body.stms.end(), [](const Stm& stm) {
    bool fails = stm.pattern.empty() || may_fail(stm.exp);
    for_each_body(stm.exp, [&](const Body& inner) { fails = fails || may_fail_anywhere(inner); });
    return fails;
  });
}

/// Each of several threads can begin with the start value: it is neutral, or does no harm a second time. Of an operator without a name the
/// program says so, by numbers: what is computed may be an element.
bool may_start_often(const Operator& op, std::optional<BinOpKind> kind) {
  if (!kind) return std::all_of(op.neutral.begin(), op.neutral.end(), [](const Atom& start) { return literal_in(start) != nullptr; });
  const PrimValue* start = literal_in(op.neutral[0]);
  if (*kind == BinOpKind::add || *kind == BinOpKind::bit_xor) return start && start->is_zero();
  if (*kind == BinOpKind::mul) return start && *start == PrimValue::one(start->type);
  return true;
}

}  // namespace

bool is_joint_fold(const Out& out) {
  if (out.kind != OutKind::reduce || out.rank != 0 || out.epilogue || !out.destinations.empty()) return false;
  const auto kind = as_binop(out.op->op);
  const auto& params = out.op->op.params;
  const bool scalars = std::all_of(params.begin(), params.end(), [](const Param& param) { return param.type.is_scalar(); });
  return scalars && !may_fail_anywhere(out.op->op.body) && may_start_often(*out.op, kind) && (out.op->commutative || (kind && commutes(*kind))) && free_names(out.op->op).empty();
}

namespace {

class JointFinder {
 public:
  JointFinder(const Nest& nest, const std::function<bool(const Stm&)>& cannot_fail)
      : nest_(nest), cannot_fail_(cannot_fail), inside_(bound_names(nest.point.body.stms)) {
    for (const Param& param : nest.point.params) inside_.insert(param.name);
  }

  std::optional<JointSums> run() const {
    if (nest_.over != Level::grid || nest_.each != Level::thread || nest_.space.empty()) return std::nullopt;
    const bool adds = !nest_.accumulators.empty() && nest_.outs.empty();
    const auto& types = nest_.point.result_types;
    if (!adds && !(stores_new_arrays(nest_) && std::all_of(types.begin(), types.end(), [](const Type& type) { return type.is_scalar(); })))
      return std::nullopt;
    JointSums found;
    bool added = false;
    const auto& stms = nest_.point.body.stms;
    if (std::none_of(stms.begin(), stms.end(), [](const Stm& stm) { return std::holds_alternative<Nest>(stm.exp); })) return std::nullopt;
    for (std::size_t at = 0; at < stms.size(); ++at) {
      const auto* inner = std::get_if<Nest>(&stms[at].exp);
      if (inner && is_joint(*inner) && !added) found.sums.push_back(at);
      else if (is_addition(stms[at])) added = true;
      else if (!is_plain(stms[at], false)) return std::nullopt;
    }
    return found.sums.empty() ? std::nullopt : std::optional(std::move(found));
  }

 private:
  /// Of a scalar.
  bool is_addition(const Stm& stm) const {
    const auto* update = std::get_if<UpdateAcc>(&stm.exp);
    return update && update->indices.size() == stm.pattern[0].type.shape.size();
  }

  bool is_joint(const Nest& nest) const {
    const Name* extent = nest.space.empty() ? nullptr : name_in(nest.space[0]);
    const PrimValue* literal = nest.space.empty() ? nullptr : literal_in(nest.space[0]);
    const bool is_long = (extent && !inside_.contains(*extent)) || (literal && literal->as_int() > few_summands);
    // Winners of what takes loops are looked for among few, by points that are many.
    const bool pairs = std::any_of(nest.outs.begin(), nest.outs.end(), [](const Out& out) { return out.values() > 1; });
    if (pairs && !is_plain(nest.point.body, false)) return false;
    return is_long && nest.over == Level::thread && nest.accumulators.empty() && !nest.outs.empty() &&
           std::all_of(nest.outs.begin(), nest.outs.end(), is_joint_fold) && is_plain(nest.point.body, true);
  }

  /// Nothing but scalars and views, of what is there; and `loops` that fold them.
  bool is_plain(const Stm& stm, bool loops) const {
    const bool may_be_view = stm.pattern.size() == 1 && !stm.pattern[0].type.is_scalar() && !stm.pattern[0].type.accumulator;
    const bool scalars = std::all_of(stm.pattern.begin(), stm.pattern.end(), [](const Param& param) { return param.type.is_scalar() && !param.type.accumulator; });
    if (std::holds_alternative<Iota>(stm.exp)) return true;  // its elements are their indices
    if (stm.pattern.empty() || (may_be_view ? !viewed_operand(stm.exp) && !std::holds_alternative<Index>(stm.exp) : !scalars)) return false;
    if (const auto* nest = std::get_if<Nest>(&stm.exp)) return loops && nest->accumulators.empty() && is_plain(nest->point.body, true);
    if (const auto* branch = std::get_if<If>(&stm.exp)) return is_plain(branch->then_body, loops) && is_plain(branch->else_body, loops);
    bool has_bodies = false;
    for_each_body(stm.exp, [&](const Body&) { has_bodies = true; });
    const bool reads = is_scalar_operation(stm.exp) || std::holds_alternative<Index>(stm.exp) || viewed_operand(stm.exp);
    return !has_bodies && reads && (!may_fail(stm.exp) || (cannot_fail_ && cannot_fail_(stm)));
  }

  bool is_plain(const Body& body, bool loops) const {
    return std::all_of(body.stms.begin(), body.stms.end(), [&](const Stm& stm) { return is_plain(stm, loops); });
  }

  const Nest& nest_;
  const std::function<bool(const Stm&)>& cannot_fail_;
  NameSet inside_;
};

}  // namespace

std::optional<JointSums> joint_sums_of(const Nest& nest, const std::function<bool(const Stm&)>& cannot_fail) {
  return JointFinder(nest, cannot_fail).run();
}

const Atom& summands_of(const Nest& nest, const JointSums& sums) {
  return std::get<Nest>(nest.point.body.stms[sums.sums[0]].exp).space[0];
}

bool are_summands_closer(const Stm& stm, const Nest& nest, const JointSums& sums, std::size_t dimension, const Layout& layout) {
  // The points of the first of the sums as points of the nest.
  const auto& stms = nest.point.body.stms;
  const auto& inner = std::get<Nest>(stms[sums.sums[0]].exp);
  Nest all = nest;
  all.accumulators.clear();
  all.point.params.erase(all.point.params.begin(), all.point.params.begin() + static_cast<std::ptrdiff_t>(nest.accumulators.size()));
  all.space.insert(all.space.end(), inner.space.begin(), inner.space.end());
  all.point.params.insert(all.point.params.end(), inner.point.params.begin(), inner.point.params.end());
  all.point.body = {{stms.begin(), stms.begin() + static_cast<std::ptrdiff_t>(sums.sums[0])}, inner.point.body.result};
  all.point.body.stms.insert(all.point.body.stms.end(), inner.point.body.stms.begin(), inner.point.body.stms.end());
  all.point.result_types = inner.point.result_types;
  Out out;
  out.rank = static_cast<int>(all.space.size());
  all.outs.assign(inner.outs.size(), out);
  const Stm whole{stms[sums.sums[0]].pattern, all, stm.origin, {}};
  const auto sectors = sectors_along(whole, all, layout);
  return is_less(sectors[nest.space.size()], sectors[dimension]);
}

}  // namespace boustro::facts
