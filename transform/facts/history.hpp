// What a value was before: the same array before it was updated in place, the same accumulator before it was added to.
//
// Unlike aliases.hpp, which says what may be, this says what is for certain, on every path.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "transform/facts/aliases.hpp"

namespace boustro::facts {

/// One step back: the operand that result number `i` continues, if the expression itself says so. History looks into branches,
/// loops, maps over accumulators, with_acc and calls.
using Step = std::optional<ir::Name> (*)(const ir::Exp& exp, std::size_t i);

/// The array that is in the same memory under another name, or before it was written to.
std::optional<ir::Name> array_before(const ir::Exp& exp, std::size_t i);
/// The accumulator before it was added to.
std::optional<ir::Name> accumulator_before(const ir::Exp& exp, std::size_t i);

class History {
 public:
  /// Calls are followed if `callees` are given.
  explicit History(Step step, const Callees* callees = nullptr) : step_(step), callees_(callees) {}

  /// The name from outside of the statements that `last` continues; nothing if something new comes in between.
  std::optional<ir::Name> origin(const std::vector<ir::Stm>& stms, const ir::Atom& last);
  std::optional<ir::Name> origin(const ir::Body& body, std::size_t result) {
    return origin(body.stms, body.result.at(result));
  }
  /// All that continue it, as far as they have been come across: results, and parameters of loops.
  const std::vector<ir::Param>& passed() const { return passed_; }

 private:
  std::optional<ir::Name> before(const ir::Exp& exp, std::size_t i);
  std::optional<ir::Name> before_branches(const ir::If& e, std::size_t i);
  std::optional<ir::Name> before_loop(const ir::Loop& e, std::size_t i);
  std::optional<ir::Name> before_map(const ir::Lambda& fn, const std::vector<ir::Name>& accumulators, std::size_t i);
  std::optional<ir::Name> before_call(const ir::Call& e, std::size_t i);

  Step step_;
  const Callees* callees_;
  std::vector<ir::Param> passed_;
};

/// The array from outside of which result number `i` is a later state whichever branch is taken.
std::optional<ir::Name> array_before_branches(const ir::If& e, std::size_t i);
/// Whether the next value of parameter number `i` is the array in its memory.
bool updates_in_place(const ir::Loop& e, std::size_t i);

/// All names that parameter number `param` of the loop has in an iteration, from the parameter to the body's result, those in
/// branches and inner loops included: each is the one before after writes to some elements, or a copy of it. Nothing if a step
/// between them is of another kind, or if the parameter is no array of which all versions have the same type.
std::optional<ir::NameSet> versions_of(const ir::Loop& loop, std::size_t param);

/// Which names stand for one accumulator: calls `flow(from, to)` for each that the expression passes into its scopes, ...
using Flow = std::function<void(const ir::Name& from, const ir::Name& to)>;
void accumulators_into(const ir::Exp& exp, const Flow& flow);
/// ... and for each result that continues an operand, or what a branch yields.
void accumulators_out_of(const ir::Stm& stm, const Flow& flow);

/// Which of some accumulators an atom stands for; nothing if it is none of them.
using Numbering = std::function<std::optional<std::size_t>(const ir::Atom& atom)>;
/// Whether the expression's bodies yield the accumulators that they are given, each in its place, whichever branch is taken. Where all
/// do, all names that `accumulators_into` and `accumulators_out_of` tell of one accumulator stand for it.
bool keeps_places(const ir::Exp& exp, const Numbering& number);

}  // namespace boustro::facts
