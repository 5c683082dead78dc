// What the rules of both modes see.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "transform/ad/activity.hpp"
#include "transform/ad/ad.hpp"
#include "transform/ad/adjoint.hpp"
#include "transform/ad/logistic.hpp"
#include "transform/facts/aliases.hpp"

namespace boustro::ad {

/// Shared by all derivatives that one round takes of a program.
struct Derivation {
  Derivation(ir::Program& program, const Options& options);

  ir::Program& program;
  const Options& options;
  ir::Names names;
  FunctionTable functions;
  facts::Callees callees{[this](const ir::Name& name) { return &functions.at(name); }};
  std::vector<ir::Function> new_functions;  // derived from functions, not yet in the program
  std::map<std::string, ir::Name> derived;  // by function, mode and what is active
  source::SourceRange asked_at;             // of the derivative at hand, for notes
  /// Where a reader of the program sees the statement: not in the prelude, if the sources are
  /// known.
  source::SourceRange shown(const ir::Provenance& origin) const;
  void add_function(ir::Function function);
  /// Reports that a rule fired, once for each statement, whichever sweeps it writes into.
  void trace(std::string_view rule, const ir::Stm& stm);

 private:
  std::pair<std::string, ir::Name> traced_;  // the rule, and what the statement binds
};

/// A builder whose statements say which rule made them, from which statement.
ir::Builder rule_builder(Derivation& derivation, const ir::Stm& stm, std::string_view rule,
                         ir::Sweep sweep);

/// Warns that a custom derivative takes a variable for a constant.
void warn_of_ignored(const Derivation& derivation, const ir::Stm& stm, const ir::Name& name);

/// Refuses a derivative that we do not know, at the statement, with a note on where it was asked
/// for.
[[noreturn]] void refuse_derivative(const Derivation& derivation, const ir::Stm& stm,
                                    const std::string& what, const std::string& with_respect_to);

// ---- Reverse mode

/// What a statement becomes. The return sweep runs after the forward sweep of the whole scope, or
/// after a re-execution of it, so it can use every name that the forward sweep binds.
struct Sweeps {
  std::vector<ir::Stm> forward, reverse;
};

/// What the return loop of a loop carries for fixed points in its steps that start from what the step behind them has come to.
struct WarmStarts {
  ir::NameSet bound;               // by the statements of a step, at its own level
  std::vector<ir::Param> before;   // of the return loop, of types that the step has nothing to do with
  std::vector<ir::Atom> solved;    // what they are for the next step
};

/// A derivative in reverse mode: activity and adjoints of one function, and its seed shape.
struct Reverse {
  Reverse(Derivation& derivation, ir::Shape seed_shape)
      : derivation(derivation),
        names(derivation.names),
        seed_shape(std::move(seed_shape)),
        activity(derivation.functions),
        adjoints(names, activity, this->seed_shape) {}
  Reverse(const Reverse&) = delete;

  ir::Builder builder(const ir::Stm& stm, std::string_view rule) const {
    return rule_builder(derivation, stm, rule, ir::Sweep::reverse);
  }
  ir::Builder forward_builder(const ir::Stm& stm, std::string_view rule) const {
    return rule_builder(derivation, stm, rule, ir::Sweep::forward);
  }
  ir::Type adjoint_type(const ir::Type& type) const { return with_seeds(type, seed_shape); }

  Derivation& derivation;
  ir::Names& names;
  ir::Shape seed_shape;
  Activity activity;
  Logistics logistics;
  Adjoints adjoints;
  /// Arrays from outside that the return sweep of the statement at hand had to consume and has
  /// restored: what they were called, and the restored one.
  std::vector<std::pair<ir::Name, ir::Atom>> handed_back;
  /// Versions of arrays of loops that are read in their last version instead, which has all elements that were read of them.
  ir::Substitution finals;
  int map_depth = 0;  // maps of the differentiated function around the statement at hand
  WarmStarts* warm_starts = nullptr;  // of the innermost loop around it
};

/// Both sweeps of a statement: rules.cpp.
Sweeps reverse_stm(Reverse& reverse, const ir::Stm& stm);

// ---- Forward mode

/// A derivative in forward mode: the tangents of names; none if it is zero.
struct Forward {
  Forward(Derivation& derivation, ir::Shape seed_shape)
      : derivation(derivation),
        names(derivation.names),
        seed_shape(std::move(seed_shape)),
        activity(derivation.functions) {}
  Forward(const Forward&) = delete;

  bool has_tangent(const ir::Atom& atom) const {
    const ir::Name* name = ir::name_in(atom);
    return name && tangents.contains(*name);
  }
  /// The tangent, made of zeros if there is none.
  ir::Atom tangent(ir::Builder& builder, const ir::Atom& atom) const;
  /// The type of a tangent. That of an accumulator is an accumulator.
  ir::Type tangent_type(const ir::Type& type) const { return with_seeds(type, seed_shape); }
  ir::Builder builder(const ir::Stm& stm, std::string_view rule) const {
    return rule_builder(derivation, stm, rule, ir::Sweep::tangent);
  }
  /// Records the tangent of a name.
  void set(const ir::Name& name, const ir::Atom& tangent) {
    tangents.insert_or_assign(name, tangent);
  }
  /// A parameter x_tan for the parameter x, which from now on has it for a tangent.
  ir::Param tangent_param(const ir::Param& param);

  Derivation& derivation;
  ir::Names& names;
  ir::Shape seed_shape;
  Activity activity;
  Logistics logistics;
  std::unordered_map<ir::Name, ir::Atom> tangents;
};

/// Primal statement and tangent, interleaved: rules.cpp.
void forward_stm(Forward& forward, ir::Builder& builder, const ir::Stm& stm);
void forward_stms(Forward& forward, ir::Builder& builder, const std::vector<ir::Stm>& stms);

}  // namespace boustro::ad
