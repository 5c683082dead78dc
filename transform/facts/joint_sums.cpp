#include "transform/facts/joint_sums.hpp"

#include <algorithm>
#include <unordered_map>

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

  std::optional<JointSums> run() {
    const bool stores = std::all_of(nest_.outs.begin(), nest_.outs.end(), is_store);
    if (nest_.over != Level::grid || nest_.each != Level::thread || nest_.space.empty() || !stores) return std::nullopt;
    JointSums found;
    bool folds = false, changed = false;
    const auto& stms = nest_.point.body.stms;
    for (std::size_t at = 0; at < stms.size(); ++at) {
      const auto* inner = std::get_if<Nest>(&stms[at].exp);
      if (inner && is_joint(*inner) && !changed) {
        if (found.sums.empty()) found.most = *known_bound(inner->space[0]);
        found.sums.push_back(at);
        folds = std::any_of(inner->outs.begin(), inner->outs.end(), is_joint_fold) || folds;
        add_rows(stms[at], *inner);
      } else if (changes_row(stms[at])) {
        changed = true;
      } else if (!is_addition(stms[at]) && !is_plain(stms[at], false)) {
        return std::nullopt;
      }
    }
    return folds && stores_all_rows(found) ? std::optional(std::move(found)) : std::nullopt;
  }

 private:
  static bool is_store(const Out& out) { return out.kind == OutKind::store && out.destinations.empty(); }

  void add_rows(const Stm& stm, const Nest& nest) {
    std::size_t result = 0;
    for (const Out& out : nest.outs) {
      if (is_store(out)) rows_.emplace(stm.pattern[result].name, stm.pattern[result].name);
      result += out.results();
    }
  }

  /// Each once, and none but these.
  bool stores_all_rows(JointSums& found) {
    for (std::size_t out = 0; out < nest_.outs.size(); ++out) {
      if (nest_.point.result_types[nest_.accumulators.size() + out].is_scalar()) continue;
      const auto row = rows_.find(std::get<Name>(nest_.point.body.result[nest_.accumulators.size() + out]));
      if (row == rows_.end()) return false;
      found.rows.push_back({row->second, out});
      rows_.erase(row);
    }
    return rows_.empty();
  }

  bool is_outside(const Atom& atom) const {
    const Name* name = name_in(atom);
    return !name || !inside_.contains(*name);
  }

  /// Of a scalar.
  bool is_addition(const Stm& stm) const {
    const auto* update = std::get_if<UpdateAcc>(&stm.exp);
    return update && update->indices.size() == stm.pattern[0].type.shape.size();
  }

  /// Single elements: what the threads have made so far becomes the row as it is then.
  bool changes_row(const Stm& stm) {
    if (const auto* update = std::get_if<Update>(&stm.exp)) {
      const bool element = update->indices.size() == stm.pattern[0].type.shape.size() &&
                           std::all_of(update->indices.begin(), update->indices.end(), [](const DimIndex& index) { return std::holds_alternative<Atom>(index); });
      return element && !may_fail(stm.exp) && becomes(update->array, stm.pattern[0].name);
    }
    const auto* additions = std::get_if<WithAcc>(&stm.exp);
    if (!additions || may_fail_anywhere(additions->fn.body) || stm.pattern.size() != additions->inputs.size()) return false;
    const auto& stms = additions->fn.body.stms;
    if (!std::all_of(stms.begin(), stms.end(), [&](const Stm& inner) { return is_addition(inner) || is_plain(inner, false); })) return false;
    for (std::size_t i = 0; i < additions->inputs.size(); ++i) {
      const auto* combine = std::get_if<Combine>(&additions->inputs[i].kind);
      if (combine && may_fail_anywhere(combine->op.body)) return false;
      if (!becomes(additions->inputs[i].destination, stm.pattern[i].name)) return false;
    }
    return true;
  }

  bool becomes(const Name& row, const Name& next) {
    const auto found = rows_.find(row);
    if (found == rows_.end()) return false;
    const Name made = found->second;
    rows_.erase(found);
    return rows_.emplace(next, made).second;
  }

  bool is_joint(const Nest& nest) const {
    const auto most = nest.space.empty() ? std::nullopt : known_bound(nest.space[0]);
    const PrimValue* literal = most ? literal_in(*most) : nullptr;
    const bool is_long = most && (!literal || literal->as_int() > few_summands);
    // Winners of what takes loops are looked for among few, by points that are many.
    const bool pairs = std::any_of(nest.outs.begin(), nest.outs.end(), [](const Out& out) { return out.values() > 1; });
    if (pairs && !is_plain(nest.point.body, false)) return false;
    const auto& types = nest.point.result_types;
    return is_long && nest.over == Level::thread && nest.accumulators.empty() && !nest.outs.empty() &&
           std::all_of(types.begin(), types.end(), [](const Type& type) { return type.is_scalar(); }) &&
           std::all_of(nest.outs.begin(), nest.outs.end(), [](const Out& out) { return is_joint_fold(out) || is_store(out); }) &&
           is_plain(nest.point.body, true);
  }

  /// The extent, or what is known before the nest that it is at most.
  std::optional<Atom> known_bound(const Atom& extent) const {
    if (is_outside(extent)) return extent;
    const auto& stms = nest_.point.body.stms;
    const auto found = std::find_if(stms.begin(), stms.end(), [&](const Stm& stm) { return stm.pattern.size() == 1 && Atom(stm.pattern[0].name) == extent; });
    const auto* op = found == stms.end() ? nullptr : std::get_if<BinOp>(&found->exp);
    if (op && op->kind == BinOpKind::max && literal_in(op->rhs) && literal_in(op->rhs)->is_zero()) return known_bound(op->lhs);
    if (!op || op->kind != BinOpKind::min) return std::nullopt;
    const auto bound = known_bound(op->lhs);
    return bound ? bound : known_bound(op->rhs);
  }

  /// Nothing but scalars and views, of what is there; and `loops` that fold them.
  bool is_plain(const Stm& stm, bool loops) const {
    const bool may_be_view = stm.pattern.size() == 1 && !stm.pattern[0].type.is_scalar() && !stm.pattern[0].type.accumulator;
    const bool scalars = std::all_of(stm.pattern.begin(), stm.pattern.end(), [](const Param& param) { return param.type.is_scalar() && !param.type.accumulator; });
    // Nobody stores their elements; sizes are checked before.
    if (const auto* e = std::get_if<Iota>(&stm.exp)) return is_outside(e->width);
    if (const auto* e = std::get_if<Replicate>(&stm.exp)) return std::all_of(e->shape.begin(), e->shape.end(), [&](const Atom& size) { return is_outside(size); });
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
  std::unordered_map<Name, Name> rows_;  // as they are so far, and as they were made
};

}  // namespace

std::optional<JointSums> joint_sums_of(const Nest& nest, const std::function<bool(const Stm&)>& cannot_fail) {
  return JointFinder(nest, cannot_fail).run();
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
  Stm whole{stms[sums.sums[0]].pattern, all, stm.origin, {}};
  // Its rows lie in the arrays that they are stored in.
  for (const JointRow& row : sums.rows)
    for (Param& param : whole.pattern)
      if (param.name == row.made) param = stm.pattern[nest.accumulators.size() + row.out];
  const auto sectors = sectors_along(whole, all, layout);
  return is_less(sectors[nest.space.size()], sectors[dimension]);
}

}  // namespace boustro::facts
