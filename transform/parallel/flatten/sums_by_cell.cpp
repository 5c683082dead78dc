#include "transform/parallel/flatten/sums_by_cell.hpp"

#include <algorithm>

#include "transform/facts/history.hpp"
#include "transform/facts/work.hpp"
#include "transform/ir/operands.hpp"
#include "transform/parallel/flatten/cell_additions.hpp"
#include "transform/parallel/flatten/cell_totals.hpp"
#include "transform/parallel/flatten/dear_values.hpp"
#include "transform/parallel/flatten/perfect_nest.hpp"
#include "transform/parallel/flatten/scalars.hpp"
#include "transform/simplify/rule.hpp"

namespace boustro::parallel {
namespace {

using namespace ir;

bool any_of_names(const NameSet& names, const NameSet& in) {
  return std::any_of(names.begin(), names.end(), [&](const Name& name) { return in.contains(name); });
}

/// One with_acc.
class SumsByCell {
 public:
  SumsByCell(Stm stm, Level over, Names& names, const Definitions& definitions)
      : stm_(std::move(stm)), over_(over), names_(names), definitions_(definitions), out_(names) {}

  std::vector<Stm> run() {
    sort();
    const std::vector<Additions> found = find();
    if (found.empty()) return {std::move(stm_)};
    for (const Additions& additions : found)
      for (const Addition& one : additions.each) updates_.insert(one.result);
    out_.add(before_);
    remove_updates();
    add_sums(found);
    add_rest();
    return std::move(out_.stms);
  }

 private:
  WithAcc& with() { return std::get<WithAcc>(stm_.exp); }

  /// What does not depend on accumulators, whose cells nobody reads here, can be computed before all that adds.
  void sort() {
    for (const Param& param : with().fn.params) unknown_.insert(param.name);
    for (const Stm& stm : with().fn.body.stms) {
      if (!any_of_names(free_names(stm), unknown_) && (after_.empty() || only_reads(stm))) {
        before_.push_back(stm);
        continue;
      }
      after_.push_back(stm);
      for (const Param& param : stm.pattern) unknown_.insert(param.name);
    }
  }

  /// What consumes an array must not come before others, which may read it.
  static bool only_reads(const Stm& stm) {
    return facts::is_repeatable(stm) || (std::holds_alternative<Nest>(stm.exp) && consumed_operands(stm.exp).empty());
  }

  std::vector<Additions> find() {
    Inputs inputs;
    std::vector<Shape> shapes;
    for (std::size_t i = 0; i < with().inputs.size(); ++i) {
      const Param& param = with().fn.params[i];
      shapes.push_back(param.type.shape);
      if (std::holds_alternative<AddUp>(with().inputs[i].kind)) inputs.emplace(param.name, i);
    }
    std::vector<Additions> found;
    for (Stm& stm : after_) {
      const auto* nest = std::get_if<Nest>(&stm.exp);
      if (nest && nest->over == over_ && nest->each == Level::thread) {
        if (over_ == Level::grid) store_values(stm, inputs, shapes);
        for (Additions& additions : cell_additions(stm, inputs, shapes, unknown_, names_))
          if (is_new_row(additions)) found.push_back(std::move(additions));
      }
      facts::accumulators_out_of(stm, [&](const Name& from, const Name& to) {
        if (inputs.contains(from)) inputs.insert_or_assign(to, std::size_t(inputs.at(from)));
      });
    }
    return found;
  }

  /// If more sums can be made of additions to which dear values are given.
  void store_values(Stm& stm, const Inputs& inputs, const std::vector<Shape>& shapes) {
    const auto count = [&](const Stm& nest) {
      Inputs known = inputs;
      std::size_t additions = 0;
      for (const Additions& some : cell_additions(nest, known, shapes, unknown_, names_)) additions += some.each.size();
      return additions;
    };
    auto stored = with_stored_values(stm, names_);
    const auto is_known = [&](const Stm& values) { return !any_of_names(free_names(values), unknown_); };
    if (!stored || !std::all_of(stored->values.begin(), stored->values.end(), is_known) || count(stored->nest) <= count(stm)) return;
    before_.insert(before_.end(), stored->values.begin(), stored->values.end());
    stm = std::move(stored->nest);
  }

  /// A thread sums up what its own rows come to. In others it adds in place.
  bool is_new_row(const Additions& additions) {
    return over_ == Level::grid || std::all_of(additions.each.begin(), additions.each.end(), [&](const Addition& one) {
      return scalar_of(with().inputs[one.input].destination, definitions_, names_).has_value();
    });
  }

  /// Takes them out of the body. Nests may be perfect without them.
  void remove_updates() {
    Substitution renamed;
    std::vector<Stm> rest;
    for (Stm stm : after_) {  // sums are made of what stands there
      substitute(stm, renamed);
      if (auto* nest = std::get_if<Nest>(&stm.exp); nest && nest->over == over_ && !nest->accumulators.empty()) {
        auto left = parallel::without_updates(std::move(*nest), stm.pattern, updates_, renamed);
        if (!left) continue;
        *nest = std::move(*left);
        while (auto perfect = over_ == Level::grid ? perfect_nest(*nest) : std::nullopt) *nest = std::move(*perfect);
      }
      rest.push_back(std::move(stm));
    }
    with().fn.body.stms = std::move(rest);
    for (Atom& result : with().fn.body.result) result = substitute(result, renamed);
  }

  /// Nothing is added to it any more, or nothing ever was.
  bool is_done(std::size_t input) { return with().fn.body.result[input] == Atom(with().fn.params[input].name); }

  void add_sums(const std::vector<Additions>& found) {
    std::vector<std::size_t> left(with().inputs.size());
    for (const Additions& additions : found)
      for (const std::size_t input : inputs_of(additions)) ++left[input];
    for (const Additions& additions : found) {
      std::vector<Target> targets;
      for (const std::size_t input : inputs_of(additions)) {
        Name& array = with().inputs[input].destination;
        const Param& result = stm_.pattern[input];
        const bool is_last = --left[input] == 0 && is_done(input);
        targets.push_back({array, is_last ? result : names_.fresh_param(result.name.base, result.type)});
        array = targets.back().after.name;
      }
      out_.origin = additions.each[0].origin;
      add_totals(out_, additions, targets, definitions_, over_);
    }
  }

  /// Without the inputs that are done.
  void add_rest() {
    std::vector<bool> done;
    for (std::size_t i = 0; i < with().inputs.size(); ++i) {
      done.push_back(is_done(i));
      const Name& array = with().inputs[i].destination;
      if (done[i] && stm_.pattern[i].name != array) out_.add({{stm_.pattern[i]}, AtomExp{array}, stm_.origin, {}});
    }
    simplify::erase_flagged(with().inputs, done);
    simplify::erase_flagged(with().fn.params, done);
    simplify::erase_flagged(with().fn.body.result, done);
    simplify::erase_flagged(with().fn.result_types, done);
    simplify::erase_flagged(stm_.pattern, done);
    if (!with().inputs.empty()) return out_.add(std::move(stm_));
    out_.add(with().fn.body.stms);
    for (std::size_t i = 0; i < stm_.pattern.size(); ++i)
      out_.add({{stm_.pattern[i]}, AtomExp{with().fn.body.result[i]}, stm_.origin, {}});
  }

  Stm stm_;
  Level over_;
  Names& names_;
  const Definitions& definitions_;
  Builder out_;
  std::vector<Stm> before_, after_;
  NameSet unknown_;  // what is not known before the with_acc
  NameSet updates_;  // that are made otherwise
};

}  // namespace

void sum_by_cell(Body& body, Level over, Names& names, const Definitions& definitions) {
  std::vector<Stm> stms;
  Substitution renamed;  // results that are what the body had
  for (Stm& stm : body.stms) {
    substitute(stm, renamed);
    if (!std::holds_alternative<WithAcc>(stm.exp)) {
      stms.push_back(std::move(stm));
      continue;
    }
    for (Stm& part : SumsByCell(std::move(stm), over, names, definitions).run()) {
      substitute(part, renamed);
      if (const auto* same = std::get_if<AtomExp>(&part.exp))
        renamed.insert_or_assign(part.pattern[0].name, same->atom);
      else
        stms.push_back(std::move(part));
    }
  }
  body.stms = std::move(stms);
  for (Atom& result : body.result) result = substitute(result, renamed);
}

}  // namespace boustro::parallel
