#include "transform/facts/vanishing.hpp"

#include <algorithm>

namespace boustro::facts {
namespace {

using namespace ir;

class Vanishing {
 public:
  explicit Vanishing(NameSet zeros) : zeros_(std::move(zeros)) {}

  /// Nothing but zeros is added.
  bool adds_zeros() const { return adds_zeros_; }

  void body(const Body& body) {
    for (const Stm& stm : body.stms) this->stm(stm);
  }

 private:
  bool vanishes(const Atom& atom) const {
    const Name* name = name_in(atom);
    return name ? zeros_.contains(*name) : is_zero(atom);
  }

  void stm(const Stm& stm) {
    match(
        stm.exp, [&](const AtomExp& e) { note(stm, vanishes(e.atom)); },
        [&](const UnOp& e) { note(stm, e.kind != UnOpKind::complement && vanishes(e.operand)); },
        [&](const BinOp& e) { note(stm, vanishes(e)); },
        [&](const Convert& e) { note(stm, vanishes(e.operand)); },
        [&](const Index& e) { note(stm, vanishes(e.array)); },
        [&](const Replicate& e) { note(stm, vanishes(e.value)); },
        [&](const Rearrange& e) { note(stm, vanishes(e.array)); },
        [&](const Reshape& e) { note(stm, vanishes(e.array)); },
        [&](const Update& e) { note(stm, vanishes(e.array) && vanishes(e.value)); },
        [&](const UpdateAcc& e) { adds_zeros_ = adds_zeros_ && vanishes(e.value); },
        [&](const If& e) { branches(stm, e); },
        [&](const Loop& e) { loop(stm, e); },
        [&](const Map& e) { map(stm, e); },
        [&](const auto&) { others(stm.exp); });
  }

  bool vanishes(const BinOp& e) const {
    const bool lhs = vanishes(e.lhs), rhs = vanishes(e.rhs);
    switch (e.kind) {
      case BinOpKind::mul:
        return lhs || rhs;
      case BinOpKind::add:
      case BinOpKind::sub:
        return lhs && rhs;
      case BinOpKind::div:
        return lhs && values::is_float(e.type);
      default:
        return false;
    }
  }

  void note(const Stm& stm, bool zero) {
    if (zero) zeros_.insert(stm.pattern.at(0).name);
  }

  void branches(const Stm& stm, const If& e) {
    body(e.then_body);
    body(e.else_body);
    for (std::size_t k = 0; k < stm.pattern.size(); ++k)
      if (vanishes(e.then_body.result[k]) && vanishes(e.else_body.result[k])) zeros_.insert(stm.pattern[k].name);
  }

  /// What is zero before the first step and after each, if it was so before.
  void loop(const Stm& stm, const Loop& e) {
    std::vector<bool> stays;
    for (const LoopParam& param : e.params) stays.push_back(vanishes(param.init));
    const NameSet before = zeros_;
    const bool added_zeros = adds_zeros_;
    for (bool changed = true; changed;) {
      zeros_ = before;
      adds_zeros_ = added_zeros;
      for (std::size_t k = 0; k < stays.size(); ++k)
        if (stays[k]) zeros_.insert(e.params[k].param.name);
      body(e.body);
      changed = false;
      for (std::size_t k = 0; k < stays.size(); ++k) {
        const bool still = stays[k] && vanishes(e.body.result[k]);
        changed = changed || still != stays[k];
        stays[k] = still;
      }
    }
    for (std::size_t k = 0; k < stays.size(); ++k)
      if (stays[k]) zeros_.insert(stm.pattern[k].name);
  }

  void map(const Stm& stm, const Map& e) {
    const std::size_t accumulators = e.accumulators.size();
    for (std::size_t k = 0; k < e.arrays.size(); ++k)
      if (vanishes(e.arrays[k])) zeros_.insert(e.fn.params[accumulators + k].name);
    body(e.fn.body);
    for (std::size_t k = accumulators; k < stm.pattern.size(); ++k)
      if (vanishes(e.fn.body.result[k])) zeros_.insert(stm.pattern[k].name);
  }

  /// Nothing is known of what they yield. Whether they add to an accumulator is not looked at.
  void others(const Exp& e) {
    for_each_body(e, [&](const Body& inner) { body(inner); });
    if (std::holds_alternative<WithAcc>(e) || std::holds_alternative<Call>(e)) adds_zeros_ = false;
  }

  NameSet zeros_;
  bool adds_zeros_ = true;
};

}  // namespace

bool is_zero(const Atom& atom) {
  const PrimValue* value = literal_in(atom);
  return value && value->is_zero();
}

bool adds_nothing_at_zero(const Lambda& fn, const NameSet& params) {
  Vanishing vanishing(params);
  vanishing.body(fn.body);
  return vanishing.adds_zeros();
}

}  // namespace boustro::facts
