#include "transform/ad/fixed_point.hpp"

#include <algorithm>

#include "frontend/source/messages.hpp"
#include "transform/ad/iteration_log.hpp"
#include "transform/ad/scope.hpp"
#include "transform/ir/nest.hpp"

namespace boustro::ad {

using namespace ir;

namespace {

/// Steps of a derivative that nobody has set a limit to.
constexpr std::int64_t default_limit = 1'000'000;

const Type boolean = scalar(PrimType::boolean);

bool reads(const NameSet& used, const NameSet& names) {
  return std::any_of(used.begin(), used.end(), [&](const Name& name) { return names.contains(name); });
}

/// What follows from the names.
NameSet consequences_of(const std::vector<Stm>& stms, NameSet names) {
  for (const Stm& stm : stms)
    if (reads(free_names(stm), names))
      for (const Param& p : stm.pattern) names.insert(p.name);
  return names;
}

/// Reads the condition of a loop.
class Measure {
 public:
  Measure(const Stm& stm, const std::vector<std::size_t>& state) : at_(stm), loop_(std::get<Loop>(stm.exp)), state_(state) {
    for (const std::size_t i : state) {
      before_.insert(loop_.params[i].param.name);
      if (const Name* after = name_in(loop_.body.result[i])) after_.insert(*after);
    }
  }

  void find(Derivation& derivation, FixedPoint& found) {
    conjuncts(loop_.body.stms, loop_.body.result.at(place_of_condition()));
    std::erase_if(conjuncts_, [&](const Atom& conjunct) { return !reads_state(conjunct); });
    if (conjuncts_.empty()) refuse(derivation, "its condition compares no state with the one before it");
    Builder b(derivation.names, at_.origin);
    found.changes = conjuncts_[0];
    NameSet needed;
    for (const Atom& conjunct : conjuncts_) needed.insert(std::get<Name>(conjunct));
    found.measure = slice(needed);
    for (std::size_t i = 1; i < conjuncts_.size(); ++i)
      found.changes = b.binop("changes", BinOpKind::bit_or, found.changes, conjuncts_[i]);
    found.measure.insert(found.measure.end(), b.stms.begin(), b.stms.end());
    check(derivation, found.measure);
  }

 private:
  std::size_t place_of_condition() const {
    const Name& condition = std::get<WhileLoop>(loop_.form).condition;
    const auto is_condition = [&](const LoopParam& p) { return p.param.name == condition; };
    return static_cast<std::size_t>(std::find_if(loop_.params.begin(), loop_.params.end(), is_condition) - loop_.params.begin());
  }

  /// The parts of `condition` that `&&` joins; the statements of them all come into stms_.
  void conjuncts(const std::vector<Stm>& stms, const Atom& condition) {
    stms_.insert(stms_.end(), stms.begin(), stms.end());
    const Name* name = name_in(condition);
    if (!name) return;
    const auto defines = [&](const Stm& stm) { return stm.pattern.size() == 1 && stm.pattern[0].name == *name; };
    const auto definition = std::find_if(stms_.begin(), stms_.end(), defines);
    if (definition == stms_.end()) return conjuncts_.push_back(condition);
    const Exp exp = definition->exp;
    if (const auto* both = std::get_if<BinOp>(&exp); both && both->kind == BinOpKind::bit_and) {
      conjuncts({}, both->lhs);
      conjuncts({}, both->rhs);
    } else if (const auto* branch = std::get_if<If>(&exp); branch && is_false(branch->else_body)) {
      conjuncts({}, branch->condition);
      conjuncts(branch->then_body.stms, branch->then_body.result[0]);
    } else {
      conjuncts_.push_back(condition);
    }
  }

  static bool is_false(const Body& body) { return body.result.size() == 1 && body.result[0] == Atom(PrimValue::of_bool(false)); }

  /// What computes the names from states.
  std::vector<Stm> slice(NameSet needed) const {
    std::vector<Stm> part;
    for (auto stm = stms_.rbegin(); stm != stms_.rend(); ++stm) {
      const auto is_needed = [&](const Param& p) { return needed.contains(p.name) && !after_.contains(p.name); };
      if (std::none_of(stm->pattern.begin(), stm->pattern.end(), is_needed)) continue;
      needed.merge(free_names(*stm));
      part.push_back(*stm);
    }
    std::reverse(part.begin(), part.end());
    return part;
  }

  bool reads_state(const Atom& conjunct) const {
    const NameSet used = free_names(Body{slice({std::get<Name>(conjunct)}), {}});
    return reads(used, before_) || reads(used, after_);
  }

  /// A measure reads all parts of the state before and after the step, since a part that is not compared may change unnoticed where it
  /// is its derivative that is measured, nothing else that a step changes, and nothing of the step itself.
  void check(const Derivation& derivation, const std::vector<Stm>& measure) const {
    const NameSet used = free_names(Body{measure, {}});
    for (const std::size_t i : state_)
      if (!compares(used, i))
        refuse(derivation, "its condition does not compare `" + loop_.params[i].param.name.base + "`, which has a derivative, after a step with what it was before");
    for (const LoopParam& p : loop_.params)
      if (used.contains(p.param.name) && !before_.contains(p.param.name))
        refuse(derivation, "its condition reads `" + p.param.name.base + "`, which is no part of the state that has a derivative, together with what is");
    NameSet of_step = after_;
    const std::vector<Stm> step = needed_part(stms_, of_step);
    const NameSet varying = consequences_of(stms_, before_);
    for (const Stm& stm : measure)
      for (const Param& p : stm.pattern)
        if (varying.contains(p.name) && std::any_of(step.begin(), step.end(), [&](const Stm& s) { return s.pattern == stm.pattern; }))
          refuse(derivation, "its condition reads `" + p.name.base + "`, which the step computes on its way: compare the state after the step with the one before it");
  }

  bool compares(const NameSet& used, std::size_t param) const {
    const Name* after = name_in(loop_.body.result[param]);
    return after && used.contains(loop_.params[param].param.name) && used.contains(*after);
  }

  [[noreturn]] void refuse(const Derivation& derivation, const std::string& why) const {
    const auto at = at_.origin.at.empty() ? derivation.asked_at : derivation.shown(at_.origin);
    auto diagnostic = source::make_diagnostic(source::Message::ad_fixed_point, at, why);
    diagnostic.notes.push_back({derivation.asked_at, "the derivative is asked for here"});
    throw source::Refusal(std::move(diagnostic));
  }

  const Stm& at_;
  const Loop& loop_;
  const std::vector<std::size_t>& state_;
  NameSet before_, after_;
  std::vector<Stm> stms_;  // of the body, and of parts of its condition
  std::vector<Atom> conjuncts_;
};

}  // namespace

bool is_fixed_point(const Stm& stm) { return has_attribute(stm, "fixed_point"); }

FixedPoint fixed_point_of(Derivation& derivation, const Stm& stm, const std::function<bool(const Name&)>& is_active) {
  const Loop& loop = std::get<Loop>(stm.exp);
  FixedPoint found{{}, {}, {}, int_atom(default_limit)};
  for (std::size_t i = 0; i < loop.params.size(); ++i)
    if (is_active(loop.params[i].param.name)) found.state.push_back(i);
  for (const Attribute& a : stm.attributes)
    if (a.name == "fixed_point" && !a.args.empty()) found.limit = a.args[0];
  Measure(stm, found.state).find(derivation, found);
  return found;
}

Lambda step_of(Names& names, const Loop& loop, const FixedPoint& fixed_point) {
  Lambda step;
  for (const LoopParam& p : loop.params) step.params.push_back(p.param);
  NameSet needed;
  for (const std::size_t i : fixed_point.state) {
    step.body.result.push_back(loop.body.result[i]);
    step.result_types.push_back(loop.params[i].param.type);
    if (const Name* name = name_in(loop.body.result[i])) needed.insert(*name);
  }
  step.body.stms = needed_part(loop.body.stms, needed);
  return rename(step, names);
}

void bind_converged(Builder& b, const Stm& stm, const Lambda& step) {
  const NameSet used = free_names(step.body);
  for (std::size_t i = 0; i < step.params.size(); ++i) {
    const Param& p = step.params[i];
    if (!used.contains(p.name)) continue;
    const Name& converged = stm.pattern[i].name;
    bind_as(b, {p.name, p.type, false}, p.unique ? fresh_copy(b, p.name.base, converged) : Atom(converged));
  }
}

namespace {

Atom largest(Builder& b, const Atom& value) {
  const Type type = b.names.type_of(value);
  if (type.is_scalar()) return b.unop("size", UnOpKind::abs, value);
  const Lambda of_row = b.lambda({{"x", row_type(type)}}, [&](Builder& inner, const std::vector<Name>& x) {
    return std::vector<Atom>{largest(inner, x[0])};
  });
  const Atom width = type.shape.at(0);
  const Name sizes = b.let("sizes", Map{width, of_row, {std::get<Name>(value)}, {}});
  const Lambda maximum = operator_on(b, BinOpKind::max, scalar(type.elem));
  return b.let("size", Reduce{width, maximum, {Atom(PrimValue::zero(type.elem))}, {sizes}, true});
}

Atom converted(Builder& b, PrimType elem, const Atom& x) { return b.names.type_of(x).elem == elem ? x : b.convert("scale", elem, x); }

Atom divided(Builder& b, const Atom& value, const Atom& scale) {
  const Atom divisor = converted(b, b.names.type_of(value).elem, scale);
  const Name* name = name_in(value);
  return elementwise(b, name ? name->base + "_scaled" : "scaled", {value}, [&](Builder& inner, const std::vector<Atom>& v) {
    return inner.binop("scaled", BinOpKind::div, v[0], divisor);
  });
}

}  // namespace

Atom magnitude(Builder& b, PrimType elem, const std::vector<Atom>& values) {
  Atom scale = PrimValue::zero(elem);
  for (const Atom& value : values) scale = b.binop("scale", BinOpKind::max, scale, converted(b, elem, largest(b, value)));
  const Atom is_there = b.cmp("is_there", CmpOpKind::lt, PrimValue::zero(elem), scale);
  return b.let("scale", If{is_there, {{}, {scale}}, {{}, {PrimValue::one(elem)}}});
}

namespace {

/// Whether derivatives have changed too much, by the loop's measure.
class Change {
 public:
  Change(const Stm& stm, const FixedPoint& fixed_point, const Atom& scale) : loop_(std::get<Loop>(stm.exp)), fixed_point_(fixed_point), scale_(scale) {}

  /// Of derivatives of the state before and after a step.
  Atom of(Builder& b, const std::vector<Atom>& before, const std::vector<Atom>& after) const {
    Substitution substitution;
    for (std::size_t k = 0; k < fixed_point_.state.size(); ++k) {
      const std::size_t i = fixed_point_.state[k];
      if (const Name* result = name_in(loop_.body.result[i])) substitution.emplace(*result, divided(b, after[k], scale_));
    }
    for (std::size_t k = 0; k < fixed_point_.state.size(); ++k)
      substitution.insert_or_assign(loop_.params[fixed_point_.state[k]].param.name, divided(b, before[k], scale_));
    const Body measure = rename(Body{fixed_point_.measure, {fixed_point_.changes}}, b.names, substitution);
    b.add(measure.stms);
    return measure.result[0];
  }

  /// Of derivatives with the seed dimensions `seeds` innermost: whether one of them has.
  Atom of_any(Builder& b, const Shape& seeds, const std::vector<Atom>& before, const std::vector<Atom>& after) const {
    if (seeds.empty()) return of(b, before, after);
    std::vector<Name> arrays;
    std::vector<std::pair<std::string, Type>> params;
    for (const auto* derivatives : {&before, &after})
      for (const Atom& derivative : *derivatives) {
        arrays.push_back(with_last_first(b, std::get<Name>(derivative), false));
        params.emplace_back(arrays.back().base, row_type(b.names.type_of(arrays.back())));
      }
    const Lambda of_seed = b.lambda(params, [&](Builder& inner, const std::vector<Name>& p) {
      const auto middle = p.begin() + static_cast<std::ptrdiff_t>(before.size());
      return std::vector<Atom>{of_any(inner, {seeds.begin(), seeds.end() - 1}, {p.begin(), middle}, {middle, p.end()})};
    });
    const Name each = b.let("changes", Map{seeds.back(), of_seed, arrays, {}});
    return b.let("changes", Reduce{seeds.back(), operator_on(b, BinOpKind::bit_or, boolean), {Atom(PrimValue::of_bool(false))}, {each}, true});
  }

 private:
  const Loop& loop_;
  const FixedPoint& fixed_point_;
  Atom scale_;
};

}  // namespace

std::vector<Name> solve(Builder& b, const Stm& stm, const FixedPoint& fixed_point, const Shape& seed_shape, const LinearFixedPoint& linear) {
  Loop loop;
  std::vector<Name> now;
  for (std::size_t k = 0; k < linear.start.size(); ++k) {
    const Type type = b.names.type_of(linear.start[k]);
    loop.params.push_back({b.names.fresh_param(linear.bases[k], type, !type.is_scalar()), linear.start[k]});
    now.push_back(loop.params.back().param.name);
  }
  const Param steps = b.names.fresh_param("steps", scalar(PrimType::i64));
  const Param converged = b.names.fresh_param("converged", boolean), goes_on = b.names.fresh_param("goes_on", boolean);
  loop.params.push_back({steps, int_atom(0)});
  loop.params.push_back({converged, PrimValue::of_bool(false)});
  loop.params.push_back({goes_on, PrimValue::of_bool(true)});
  loop.form = WhileLoop{goes_on.name};

  loop.body = linear.next(now);
  Builder body(b.names, b.origin);
  for (std::size_t k = 0; k < now.size(); ++k) loop.body.result[k] = coerced(body, loop.body.result[k], loop.params[k].param.type);
  const Atom changed = Change(stm, fixed_point, linear.scale).of_any(body, seed_shape, {now.begin(), now.end()}, loop.body.result);
  const Atom taken = body.binop("steps", BinOpKind::add, steps.name, int_atom(1));
  const Atom has_room = body.cmp("has_room", CmpOpKind::lt, taken, as_i64(body, fixed_point.limit));
  const Name settled = body.let("converged", UnOp{UnOpKind::complement, PrimType::boolean, changed});
  const Atom next = body.binop("goes_on", BinOpKind::bit_and, changed, has_room);
  loop.body.stms.insert(loop.body.stms.end(), body.stms.begin(), body.stms.end());
  loop.body.result.insert(loop.body.result.end(), {taken, settled, next});

  std::vector<Param> pattern;
  for (const LoopParam& p : loop.params) pattern.push_back(b.names.fresh_param(p.param.name.base, p.param.type));
  b.let(pattern, std::move(loop), {{"fixed_point", {fixed_point.limit}}});
  b.assert_that(pattern[now.size() + 1].name, "the derivative of this `#[fixed_point]` loop does not converge within {} steps", {fixed_point.limit});
  std::vector<Name> solved;
  for (std::size_t k = 0; k < now.size(); ++k) solved.push_back(pattern[k].name);
  return solved;
}

}  // namespace boustro::ad
