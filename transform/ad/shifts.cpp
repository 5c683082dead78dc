#include "transform/ad/shifts.hpp"

#include <cmath>
#include <optional>
#include <unordered_map>

#include "transform/ad/scalar.hpp"

namespace boustro::ad {

using namespace ir;

namespace {

/// What becomes of a number, or of all elements of an array, if the shift is larger by t.
struct Growth {
  enum Kind {
    zero,     // it is a literal 0, which stays what it is however it is multiplied
    same,
    shifted,  // it is larger by `times` t
    scaled,   // it is multiplied by e^(t times)
    unknown
  };
  Kind kind = same;
  int times = 0;

  bool operator==(const Growth&) const = default;
};

Growth shifted(int times) { return times == 0 ? Growth{} : Growth{Growth::shifted, times}; }
Growth scaled(int times) { return times == 0 ? Growth{} : Growth{Growth::scaled, times}; }
constexpr Growth unknown{Growth::unknown};

bool is_shifted(const Growth& x) { return x.kind == Growth::shifted || x.kind == Growth::same || x.kind == Growth::zero; }
bool is_scaled(const Growth& x) { return x.kind == Growth::scaled || x.kind == Growth::same; }

/// Of a number that is one of two, and of an array that has both.
Growth either(const Growth& x, const Growth& y) {
  if (x == y) return x;
  if (x.kind == Growth::zero && is_scaled(y)) return y;
  if (y.kind == Growth::zero && is_scaled(x)) return x;
  return unknown;
}

Growth sum(const Growth& x, const Growth& y, int sign) {
  if (x.kind == Growth::scaled || y.kind == Growth::scaled) return either(x, y);
  return is_shifted(x) && is_shifted(y) ? shifted(x.times + sign * y.times) : unknown;
}

Growth product(const Growth& x, const Growth& y, int sign) {
  return is_scaled(x) && is_scaled(y) ? scaled(x.times + sign * y.times) : unknown;
}

class Shifts {
 public:
  explicit Shifts(const Name& shift) { growth_[shift] = shifted(1); }

  bool any() const { return !failed_; }
  Growth of(const Atom& atom) const {
    if (const PrimValue* literal = literal_in(atom)) return {literal->is_zero() ? Growth::zero : Growth::same};
    const auto found = growth_.find(std::get<Name>(atom));
    return found == growth_.end() ? Growth{} : found->second;
  }

  void stm(const Stm& stm) {
    if (failed_) return;
    const std::vector<Growth> results = of_stm(stm);
    for (std::size_t i = 0; i < stm.pattern.size(); ++i) set(stm.pattern[i].name, i < results.size() ? results[i] : unknown);
  }

  void stms(const std::vector<Stm>& stms) {
    for (const Stm& stm : stms) this->stm(stm);
  }

 private:
  /// Whether one of the names grows.
  bool any_grows(const NameSet& used) const {
    return std::any_of(growth_.begin(), growth_.end(), [&](const auto& grown) {
      return grown.second.kind != Growth::same && grown.second.kind != Growth::zero && used.contains(grown.first);
    });
  }

  void set(const Name& name, const Growth& growth) {
    failed_ = failed_ || growth == unknown;
    growth_[name] = growth;
  }

  std::vector<Growth> results_of(const Body& body) {
    stms(body.stms);
    std::vector<Growth> results;
    for (const Atom& atom : body.result) results.push_back(of(atom));
    return results;
  }

  std::vector<Growth> all(const Stm& stm, const Growth& growth) const { return std::vector<Growth>(stm.pattern.size(), growth); }

  /// What has nothing to do with the shift is the same, whatever is computed of it.
  std::vector<Growth> of_stm(const Stm& stm) {
    const bool grows = any_grows(free_names(stm));
    std::vector<Growth> results = of_exp(stm);
    for (Growth& result : results)
      if (!grows && result == unknown) result = {};
    return results;
  }

  std::vector<Growth> of_exp(const Stm& stm) {
    return match(
        stm.exp,  //
        [&](const AtomExp& e) { return all(stm, of(e.atom)); }, [&](const CmpOp&) { return all(stm, {}); },
        [&](const UnOp& e) { return all(stm, of_unop(e)); }, [&](const BinOp& e) { return all(stm, of_binop(e)); },
        [&](const MathOp& e) { return all(stm, of_math(stm, e)); },
        [&](const Convert& e) { return all(stm, values::is_float(e.to) ? of(e.operand) : unknown); },
        [&](const If& e) {
          const std::vector<Growth> yes = results_of(e.then_body), no = results_of(e.else_body);
          std::vector<Growth> results;
          for (std::size_t i = 0; i < yes.size(); ++i) results.push_back(either(yes[i], no[i]));
          return results;
        },
        [&](const Loop& e) { return of_loop(e); }, [&](const ArrayLiteral& e) { return all(stm, any_of(e.elements)); },
        [&](const Replicate& e) { return all(stm, of(e.value)); }, [&](const Copy& e) { return all(stm, of(e.array)); },
        [&](const Concat& e) { return all(stm, any_of({e.arrays.begin(), e.arrays.end()})); },
        [&](const Rearrange& e) { return all(stm, of(e.array)); }, [&](const Reshape& e) { return all(stm, of(e.array)); },
        [&](const Coerce& e) { return all(stm, of(e.array)); }, [&](const Index& e) { return all(stm, of(e.array)); },
        [&](const Update& e) { return all(stm, either(of(e.array), of(e.value))); },
        [&](const Map& e) {
          for (std::size_t i = 0; i < e.arrays.size(); ++i) set(e.fn.params[e.accumulators.size() + i].name, of(e.arrays[i]));
          return results_of(e.fn.body);
        },
        [&](const Reduce& e) { return of_fold(e.op, e.neutral, e.arrays); }, [&](const Scan& e) { return of_fold(e.op, e.neutral, e.arrays); },
        [&](const Assert&) { return all(stm, {}); }, [&](const auto&) { return all(stm, unknown); });
  }

  Growth any_of(const std::vector<Atom>& atoms) const {
    std::optional<Growth> growth;
    for (const Atom& atom : atoms) growth = growth ? either(*growth, of(atom)) : of(atom);
    return growth.value_or(Growth{});
  }

  Growth of_unop(const UnOp& e) const {
    const Growth x = of(e.operand);
    if (e.kind == UnOpKind::neg) return x.kind == Growth::shifted ? shifted(-x.times) : x;
    return e.kind == UnOpKind::abs && x.kind != Growth::shifted ? x : unknown;
  }

  Growth of_binop(const BinOp& e) const {
    if (!values::is_float(e.type)) return unknown;
    const Growth x = of(e.lhs), y = of(e.rhs);
    switch (e.kind) {
      case BinOpKind::add: return sum(x, y, 1);
      case BinOpKind::sub: return sum(x, y, -1);
      case BinOpKind::mul: return product(x, y, 1);
      case BinOpKind::div: return product(x, y, -1);
      case BinOpKind::min:
      case BinOpKind::max: return either(x, y);  // the order of numbers stays
      default: return unknown;
    }
  }

  Growth of_math(const Stm& stm, const MathOp& e) const {
    if (is_locally_constant(stm.exp, 0)) return {};
    const Growth x = of(e.args.at(0));
    if (e.fn == MathFn::exp && is_shifted(x)) return scaled(x.times);
    if (e.fn == MathFn::log && is_scaled(x)) return shifted(x.times);
    return unknown;
  }

  /// Elements grow as what they are combined to does, and a neutral element as any of these.
  std::vector<Growth> of_fold(const Lambda& op, const std::vector<Atom>& neutral, const std::vector<Name>& arrays) {
    std::vector<Growth> elements;
    for (std::size_t i = 0; i < arrays.size(); ++i) {
      elements.push_back(of(arrays[i]));
      for (const std::size_t side : {i, arrays.size() + i}) set(op.params[side].name, elements[i]);
    }
    std::vector<Growth> results = results_of(op.body);
    for (std::size_t i = 0; i < results.size(); ++i)
      if (!(results[i] == elements[i]) || !is_neutral(neutral[i], elements[i])) results[i] = unknown;
    return results;
  }

  bool is_neutral(const Atom& neutral, const Growth& growth) const {
    const PrimValue* literal = literal_in(neutral);
    const bool infinite = literal && values::is_float(literal->type) && std::isinf(literal->as_float());
    return (infinite && growth.kind != Growth::zero) || either(of(neutral), growth) == growth;
  }

  /// As steps go on with it: a literal 0 may become the first of many.
  std::vector<Growth> of_loop(const Loop& loop) {
    std::vector<Growth> state;
    for (const LoopParam& p : loop.params) state.push_back(of(p.init));
    for (bool changed = true; changed && !failed_;) {
      changed = false;
      for (std::size_t i = 0; i < state.size(); ++i) set(loop.params[i].param.name, state[i]);
      const std::vector<Growth> next = results_of(loop.body);
      for (std::size_t i = 0; i < state.size(); ++i) {
        const Growth both = either(state[i], next[i]);
        changed = changed || !(both == state[i]);
        state[i] = both;
      }
    }
    return state;
  }

  std::unordered_map<Name, Growth> growth_;
  bool failed_ = false;
};

/// A largest or smallest number, which is dear to differentiate.
bool is_extremum(const Stm& stm) {
  const auto is_one = [](BinOpKind kind) { return kind == BinOpKind::min || kind == BinOpKind::max; };
  if (stm.pattern.size() != 1 || !stm.pattern[0].type.is_scalar() || !values::is_float(stm.pattern[0].type.elem)) return false;
  if (const auto* op = std::get_if<BinOp>(&stm.exp)) return is_one(op->kind);
  const auto* reduce = std::get_if<Reduce>(&stm.exp);
  const auto kind = reduce ? as_binop(reduce->op) : std::nullopt;
  return kind && is_one(*kind);
}

bool has_exponential(const std::vector<Stm>& stms) {
  return std::any_of(stms.begin(), stms.end(), [](const Stm& stm) {
    const auto* math = std::get_if<MathOp>(&stm.exp);
    bool found = math && math->fn == MathFn::exp;
    for_each_body(stm.exp, [&](const Body& body) { found = found || has_exponential(body.stms); });
    return found;
  });
}

/// Whether nothing that leaves the scope grows with what its statement number `at` binds.
bool cancels(const Body& body, std::size_t at) {
  Shifts shifts(body.stms[at].pattern[0].name);
  for (std::size_t i = at + 1; i < body.stms.size() && shifts.any(); ++i) shifts.stm(body.stms[i]);
  return shifts.any() && std::all_of(body.result.begin(), body.result.end(), [&](const Atom& atom) {
    return shifts.of(atom).kind == Growth::same || shifts.of(atom).kind == Growth::zero;
  });
}

void collect(const Body& body, NameSet& found);

void collect_inside(const std::vector<Stm>& stms, NameSet& found) {
  for (const Stm& stm : stms) for_each_body(stm.exp, [&](const Body& body) { collect(body, found); });
}

void collect(const Body& body, NameSet& found) {
  if (!has_exponential(body.stms)) return;
  collect_inside(body.stms, found);
  for (std::size_t i = 0; i < body.stms.size(); ++i)
    if (is_extremum(body.stms[i]) && cancels(body, i)) found.insert(body.stms[i].pattern[0].name);
}

}  // namespace

NameSet cancelling_shifts(const Body& body) {
  NameSet found;
  collect(body, found);
  return found;
}

NameSet cancelling_shifts(const std::vector<Stm>& stms) {
  NameSet found;
  collect_inside(stms, found);
  return found;
}

}  // namespace boustro::ad
