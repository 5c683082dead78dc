#include "emit/plan/polish/updates.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "emit/plan/build.hpp"
#include "emit/plan/polish/renamed.hpp"
#include "emit/plan/walk.hpp"

namespace boustro::plan {
namespace {

using Set = std::set<std::string>;

void add_addressed(const Expr& expr, Set& names) {
  if (expr.head == Head(Op::address)) add_names(expr.args[0], names);
  for (const Expr& arg : expr.args) add_addressed(arg, names);
}

/// Variables that others see: closures, which share them, and those that have their addresses.
void add_seen(const Stm& stm, Set& names) {
  for_each_stm({stm}, [&](const Stm& inner) {
    for_each_expr(inner, [&](const Expr& expr) { add_addressed(expr, names); });
    if (const auto* closure = std::get_if<Closure>(&inner.what)) names.merge(names_in(closure->body));
  });
}

/// What a number is changed by, one after the other.
struct Changes {
  std::string variable;
  std::vector<Assign> updates;
};

/// x + a - b as changes of x, in their order; x * a.
std::optional<Changes> changes_on_the_left(const Expr& value) {
  if (const auto* variable = std::get_if<Var>(&value.head)) return Changes{variable->name, {}};
  const bool product = is_op(value, Op::mul);
  if (!product && !is_op(value, Op::add) && !is_op(value, Op::sub)) return std::nullopt;
  auto changes = changes_on_the_left(value.args[0]);
  if (!changes || (!changes->updates.empty() && (product || changes->updates.front().op == Op::mul))) return std::nullopt;
  changes->updates.push_back({var(changes->variable, value.type), value.args[1], std::get<Op>(value.head)});
  return changes;
}

/// a + x as a change of x; a * x.
std::optional<Changes> changes_on_the_right(const Expr& value) {
  if (!is_op(value, Op::add) && !is_op(value, Op::mul)) return std::nullopt;
  const auto* variable = std::get_if<Var>(&value.args[1].head);
  if (!variable) return std::nullopt;
  return Changes{variable->name, {{value.args[1], value.args[0], std::get<Op>(value.head)}}};
}

bool is_number(const Type& type) { return !type.pointer && !type.reference && type.name.empty() && type.prim != PrimType::boolean; }

class Updates {
 public:
  Updates(Stms& stms, const planner::Others& others) : stms_(stms), others_(others) {
    for (std::size_t i = 0; i < stms.size(); ++i) {
      add_seen(stms[i], seen_);
      for (const std::string& name : names_in({stms[i]})) last_use_[name] = i;
    }
  }

  void run() {
    Stms result;
    for (std::size_t i = 0; i < stms_.size(); ++i) {
      Stm& stm = stms_[i];
      for_each_stm(std::span(&stm, 1), [&](Stm& inner) { for_each_expr(inner, [&](Expr& expr) { rename_variables(expr, now_); }); });
      const auto* let = std::get_if<Let>(&stm.what);
      const auto changes = let && !let->changes && let->value ? changes_of(*let, i) : std::nullopt;
      if (!changes) {
        if (let && let->value) declared_[let->name] = {result.size(), let->type};
        result.push_back(std::move(stm));
        continue;
      }
      std::get<Let>(result[declared_.at(changes->variable).at].what).changes = true;
      now_[let->name] = changes->variable;
      last_use_[changes->variable] = last_use_.contains(let->name) ? last_use_.at(let->name) : i;
      change(stm, *changes, result);
    }
    stms_ = std::move(result);
  }

 private:
  /// One statement for each change, as long as these are few.
  static void change(Stm& stm, const Changes& changes, Stms& to) {
    const std::size_t few = 2;
    if (changes.updates.size() > few) {
      const Expr value = *std::get<Let>(stm.what).value;
      stm.what = Assign{changes.updates[0].target, value};
      to.push_back(std::move(stm));
      return;
    }
    for (const Assign& update : changes.updates) {
      Stm changed = update;
      changed.origin = stm.origin;
      if (&update == &changes.updates[0]) changed.above = stm.above, changed.beside = stm.beside, changed.gap = stm.gap;
      to.push_back(std::move(changed));
    }
  }

  struct Declared {
    std::size_t at;
    Type type;
  };

  /// What it is called in the source, before names were told apart.
  std::string base_of(const std::string& name) const {
    const auto other = others_.find(name);
    return other == others_.end() || other->second.rather.empty() ? name : other->second.rather.front();
  }

  std::optional<Changes> changes_of(const Let& let, std::size_t at) const {
    for (auto changes : {changes_on_the_left(*let.value), changes_on_the_right(*let.value)})
      if (changes && !changes->updates.empty() && is_version(let, *changes, at)) return changes;
    return std::nullopt;
  }

  bool is_version(const Let& let, const Changes& changes, std::size_t at) const {
    const auto declared = declared_.find(changes.variable);
    if (declared == declared_.end() || declared->second.type != let.type || let.value->type != let.type || !is_number(let.type)) return false;
    if (base_of(changes.variable) != base_of(let.name) || last_use_.at(changes.variable) != at) return false;
    if (seen_.contains(changes.variable) || seen_.contains(let.name)) return false;
    return std::none_of(changes.updates.begin(), changes.updates.end(), [&](const Assign& update) {
      Set names;
      add_names(update.value, names);
      return names.contains(changes.variable);
    });
  }

  Stms& stms_;
  const planner::Others& others_;
  Set seen_;
  std::map<std::string, std::size_t> last_use_;
  std::map<std::string, Declared> declared_;
  Renamed now_;  // versions that have become another one
};

}  // namespace

void update_in_place(Stms& stms, const planner::Others& others) {
  Updates(stms, others).run();
  for (Stm& stm : stms) for_each_body(stm, [&](Stms& body) { update_in_place(body, others); });
}

void update_in_place(Entry& entry, Target target, const planner::Others& others) {
  for_each_code(entry, target == Target::cpu, [&](Stms& stms) { update_in_place(stms, others); });
}

}  // namespace boustro::plan
