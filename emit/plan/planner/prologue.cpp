// The prologue of an entry: scalars of the host that sizes of scratch memory depend on. The query for that memory runs it, too.
#include <algorithm>
#include <map>

#include "emit/plan/planner/entry.hpp"
#include "emit/plan/planner/nonzero.hpp"
#include "emit/plan/walk.hpp"

namespace boustro::plan::planner {

namespace {

/// What a statement of host scalars mentions, and the variables that it sets for those behind it.
void collect_names(const Stm& stm, std::set<std::string>& mentioned, std::set<std::string>& set) {
  std::set<std::string> inside;  // names that end with the statement
  for_each_stm({stm}, [&](const Stm& inner) {
    for_each_expr(inner, [&](const Expr& expr) { add_names(expr, mentioned); });
    if (const auto* let = std::get_if<Let>(&inner.what)) inside.insert(let->name);
    if (const auto* loop = std::get_if<For>(&inner.what)) inside.insert(loop->name);
    // An element of an array is no variable, although its index mentions some.
    if (const auto* assign = std::get_if<Assign>(&inner.what)) {
      if (const auto* variable = std::get_if<Var>(&assign->target.head)) set.insert(variable->name);
    }
  });
  if (const auto* let = std::get_if<Let>(&stm.what)) {
    set.insert(let->name);
  } else {
    for (const std::string& name : inside) {
      set.erase(name);
      mentioned.erase(name);
    }
  }
}

bool intersects(const std::set<std::string>& x, const std::set<std::string>& y) {
  return std::any_of(x.begin(), x.end(), [&](const std::string& name) { return y.contains(name); });
}

/// What a check finds wrong: the condition of `if (wrong) {record_failure(...); return;}` or
/// `if (!check_divisor(..., divisor)) return;`
std::optional<Expr> failure_in(const Stm& stm) {
  const auto* branch = std::get_if<If>(&stm.what);
  if (!branch || branch->then_body.empty()) return std::nullopt;
  if (std::holds_alternative<Fail>(branch->then_body[0].what)) return branch->condition;
  if (!(branch->condition.head == Head(Op::logical_not))) return std::nullopt;
  const Expr& check = branch->condition.args[0];
  const auto* call = std::get_if<Call>(&check.head);
  if (!call || call->function != "check_divisor") return std::nullopt;
  return equal(check.args[2], lit(0, check.args[2].type.prim));
}

/// Checks inside of what moves to the front, where no failure can be recorded yet, become rejections.
void reject_failures(Stms& stms) {
  for (Stm& stm : stms) {
    if (const auto wrong = failure_in(stm)) stm = RejectIf{*wrong};
    for_each_body(stm, reject_failures);
  }
}

/// Moves scalars that sizes depend on to the front.
class Hoisting {
 public:
  explicit Hoisting(const Entry& entry) {
    for (const Param& param : entry.params) params_.insert(param.name);
    for (const Let& size : entry.scratch.sizes) add_names(*size.value, wanted);
    for (const Piece& piece : entry.scratch.pieces) add_names(piece.count, wanted);
    for (const Run& run : entry.scratch.library)
      for (const Expr& arg : run.args) add_names(arg, wanted);
    for (const Stms* stms : {&entry.prologue, &entry.body})
      for_each_stm(*stms, [&](const Stm& stm) {
        const auto* let = std::get_if<Let>(&stm.what);
        if (let && !let->changes && let->value) values_.emplace(let->name, *let->value);
      });
  }

  std::set<std::string> wanted;
  Stms hoisted;

  /// From the last statement to the first: what sets a wanted variable moves, and wants what it mentions.
  void outermost(Stms& stms) {
    for (std::size_t i = stms.size(); i-- > 0;) {
      Stm& stm = stms[i];
      std::set<std::string> mentioned, set;
      collect_names(stm, mentioned, set);
      if (std::holds_alternative<RejectIf>(stm.what)) {
        if (!concerns_sizes(mentioned)) continue;
        wanted.insert(mentioned.begin(), mentioned.end());
        move(stms, i);
        continue;
      }
      const bool scalar =
          std::holds_alternative<Let>(stm.what) || std::holds_alternative<For>(stm.what) ||
          std::holds_alternative<While>(stm.what) || std::holds_alternative<If>(stm.what);
      if (!scalar || !intersects(set, wanted)) {
        inside(stm);
        continue;
      }
      wanted.insert(mentioned.begin(), mentioned.end());
      move(stms, i);
    }
    order_definitions();
    reject_failures(hoisted);
  }

  /// What has moved, and the sizes made of it, have a value whatever the caller gives: that of a
  /// division that the program makes later, or not at all.
  void make_total(Scratch& scratch) {
    // Shapes of grids and blocks, which the planner computes.
    nonzero_.add(runtime::block_size());
    for (const Let& size : scratch.sizes) nonzero_.add(var(size.name, size.type));
    for (Stm& stm : hoisted) {
      if (const auto* reject = std::get_if<RejectIf>(&stm.what)) {
        nonzero_.assume(reject->condition, false);
        note_not_negative(reject->condition);
      }
      if (auto* let = std::get_if<Let>(&stm.what); let && let->value)
        let->value = without_faults(std::move(*let->value));
    }
    for (Let& size : scratch.sizes) size.value = without_faults(std::move(*size.value));
    for (Piece& piece : scratch.pieces) piece.count = without_faults(std::move(piece.count));
    for (Run& run : scratch.library)
      for (Expr& arg : run.args) arg = without_faults(std::move(arg));
  }

 private:
  /// A constant out of nested code may define what a statement before that code mentions.
  void order_definitions() {
    std::set<std::string> missing;
    for (const Stm& stm : hoisted)
      if (const auto* let = std::get_if<Let>(&stm.what)) missing.insert(let->name);
    Stms ordered;
    while (!hoisted.empty()) {
      const auto ready = [&](const Stm& stm) {
        std::set<std::string> mentioned, set;
        collect_names(stm, mentioned, set);
        if (const auto* let = std::get_if<Let>(&stm.what)) mentioned.erase(let->name);
        return !intersects(mentioned, missing);
      };
      auto next = std::find_if(hoisted.begin(), hoisted.end(), ready);
      if (next == hoisted.end()) next = hoisted.begin();
      if (const auto* let = std::get_if<Let>(&next->what)) missing.erase(let->name);
      ordered.push_back(std::move(*next));
      hoisted.erase(next);
    }
    hoisted = std::move(ordered);
  }

  /// A condition on what moves to the front, and so moves along, with what is computed of that for it alone.
  bool concerns_sizes(const std::set<std::string>& mentioned) const {
    const auto in_front = [&](const std::string& name) { return wanted.contains(name) || params_.contains(name); };
    std::set<std::string> computed_of = mentioned;
    for (const std::string& name : mentioned) {
      const auto value = values_.find(name);
      if (in_front(name)) continue;
      if (value == values_.end() || reads_changing(value->second)) return false;
      add_names(value->second, computed_of);
      computed_of.erase(name);
    }
    return intersects(computed_of, wanted) && std::all_of(computed_of.begin(), computed_of.end(), in_front);
  }

  /// Takes the constants that are wanted out of nested code: they do not depend on it. That code may not run, so what it
  /// computes must not fail before it: see make_total.
  void nested(Stms& stms) {
    for (std::size_t i = stms.size(); i-- > 0;) {
      auto* let = std::get_if<Let>(&stms[i].what);
      if (let && !let->changes && let->value && wanted.contains(let->name)) {
        add_names(*let->value, wanted);
        move(stms, i);
      } else {
        inside(stms[i]);
      }
    }
  }

  void inside(Stm& stm) {
    for_each_body(stm, [&](Stms& body) { nested(body); });
  }

  void move(Stms& stms, std::size_t i) {
    hoisted.insert(hoisted.begin(), std::move(stms[i]));
    stms.erase(stms.begin() + static_cast<std::ptrdiff_t>(i));
  }

  /// Numbers that are rejected if they are negative.
  void note_not_negative(const Expr& rejected) {
    if (rejected.head == Head(Op::logical_or))
      for (const Expr& arg : rejected.args) note_not_negative(arg);
    if (rejected.head == Head(Op::lt) && int_value(rejected.args[1]) == 0) not_negative_.push_back(rejected.args[0]);
  }

  bool is_clipped_in_vain(const Expr& expr) const {
    const auto* call = std::get_if<Call>(&expr.head);
    if (!call || call->function != "max" || int_value(expr.args[1]) != 0) return false;
    return std::find(not_negative_.begin(), not_negative_.end(), expr.args[0]) != not_negative_.end() || at_least(0, expr.args[0]);
  }

  /// The same where it has a value, and 0 where it would divide by zero.
  Expr without_faults(Expr expr) const {
    for (Expr& arg : expr.args) arg = without_faults(std::move(arg));
    if (is_clipped_in_vain(expr)) return expr.args[0];
    const auto* op = std::get_if<Op>(&expr.head);
    const auto fn = binary_function(expr);
    const bool divides = is_integer(expr.type) &&
                         (fn ? *fn == ir::BinOpKind::div || *fn == ir::BinOpKind::mod ||
                                   *fn == ir::BinOpKind::quot || *fn == ir::BinOpKind::rem
                             : op && (*op == Op::div || *op == Op::rem));
    if (!divides || is_nonzero(expr.args[1])) return expr;
    const Expr zero = lit(0, expr.type.prim);
    return select(equal(expr.args[1], zero), zero, expr);
  }

  bool is_nonzero(const Expr& expr) const {
    if (nonzero_.proves(expr) || at_least(1, expr)) return true;
    const Expr* value = value_of(expr);
    return value && is_nonzero(*value);
  }

  /// Sums of sizes do not overflow.
  bool at_least(std::int64_t bound, const Expr& expr) const {
    if (const auto value = int_value(expr)) return *value >= bound;
    if (const Expr* value = value_of(expr)) return at_least(bound, *value);
    const auto holds = [&](const Expr& arg) { return at_least(bound, arg); };
    const auto* call = std::get_if<Call>(&expr.head);
    if (call && call->function == "max") return std::any_of(expr.args.begin(), expr.args.end(), holds);
    if (call && call->function == "min") return std::all_of(expr.args.begin(), expr.args.end(), holds);
    if (std::holds_alternative<Cast>(expr.head)) return is_bool(expr.args[0].type) ? bound <= 0 : keeps_sign(expr) && holds(expr.args[0]);
    if (keeps_bound(expr, bound)) return holds(expr.args[0]);
    if (!(expr.head == Head(Op::add)) || !values::is_signed(expr.type.prim)) return false;
    return (holds(expr.args[0]) && at_least(0, expr.args[1])) ||
           (holds(expr.args[1]) && at_least(0, expr.args[0]));
  }

  /// The cast is of a float, which fits, or to a signed integer that has all numbers of the other type.
  static bool keeps_sign(const Expr& cast) {
    const PrimType from = cast.args[0].type.prim, to = cast.type.prim;
    if (values::is_float(from) || values::is_float(to)) return true;
    return values::is_signed(to) && (values::is_signed(from) ? values::byte_size(to) >= values::byte_size(from) : values::byte_size(to) > values::byte_size(from));
  }

  /// The function of one number that rounds it, or its square root, is not below the bound unless the number is.
  static bool keeps_bound(const Expr& expr, std::int64_t bound) {
    const auto* intrinsic = std::get_if<Intrinsic>(&expr.head);
    const auto* fn = intrinsic ? std::get_if<ir::MathFn>(&intrinsic->fn) : nullptr;
    if (!fn) return false;
    using enum ir::MathFn;
    return *fn == ceil || *fn == floor || *fn == round || *fn == trunc || (*fn == sqrt && bound <= 1);
  }

  /// What a constant is defined as.
  const Expr* value_of(const Expr& expr) const {
    const auto* variable = std::get_if<Var>(&expr.head);
    const auto found = variable ? values_.find(variable->name) : values_.end();
    return found == values_.end() ? nullptr : &found->second;
  }

  static std::optional<ir::BinOpKind> binary_function(const Expr& expr) {
    const auto* intrinsic = std::get_if<Intrinsic>(&expr.head);
    const auto* fn = intrinsic ? std::get_if<ir::BinOpKind>(&intrinsic->fn) : nullptr;
    return fn ? std::optional(*fn) : std::nullopt;
  }

  std::set<std::string> params_;
  std::map<std::string, Expr> values_;  // of constants
  Nonzero nonzero_;
  std::vector<Expr> not_negative_;
};

}  // namespace

void hoist_prologue(Entry& entry) {
  Hoisting hoisting(entry);
  const std::set<std::string> direct = hoisting.wanted;
  hoisting.outermost(entry.body);
  hoisting.make_total(entry.scratch);
  entry.prologue.insert(entry.prologue.end(), hoisting.hoisted.begin(), hoisting.hoisted.end());

  std::set<std::string> own;
  for (const Let& size : entry.scratch.sizes) own.insert(size.name);
  for (const std::string& name : direct) {
    if (own.contains(name) || runtime::is_constant(name)) continue;
    Param param{.name = name, .type = type(PrimType::i64)};
    for (const Param& known : entry.params) {
      if (known.name == name) param.type = known.type;
    }
    for (const Stm& stm : entry.prologue) {
      const auto* let = std::get_if<Let>(&stm.what);
      if (let && let->name == name) param.type = let->type;
    }
    entry.scratch.params.push_back(param);
  }
}

}  // namespace boustro::plan::planner
