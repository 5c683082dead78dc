// Which names a program needs. Internal to dead_code.cpp.
#pragma once

#include <unordered_map>
#include <vector>

#include "transform/ir/traversal.hpp"

namespace boustro::simplify {

/// Marks names as needed, from results backwards; what is marked stays so. A result of a loop, map,
/// ... is needed if its name is; marking and removal both ask the same questions, below.
class Liveness {
 public:
  explicit Liveness(const ir::Program& program);

  bool needed(const ir::Name& name) const { return needed_.contains(name); }
  bool needed_function(const ir::Name& name) const { return functions_.contains(name); }
  /// Called from outside: its parameters and results are fixed.
  bool is_root(const ir::Function& function) const { return function.entry || !has_entries_; }
  bool needed_result(const ir::Function& function, std::size_t result) const;
  bool needed_statement(const ir::Stm& stm) const;

  /// A component of a loop: its result, or its parameter in some iteration.
  bool needed_component(const ir::Stm& stm, const ir::Loop& loop, std::size_t i) const;
  /// A component of a reduction or scan whose results begin at pattern[first].
  bool needed_component(const ir::Stm& stm, std::size_t first, const ir::Lambda& op,
                        std::size_t i) const;
  /// All destinations of a histogram live or die together.
  bool needed_histogram(const ir::Stm& stm, std::size_t first, std::size_t count) const;

 private:
  void function(const ir::Function& function);
  void body(const ir::Body& body);
  void statement(const ir::Stm& stm);
  void parts(const ir::Stm& stm);

  void branch(const ir::Stm& stm, const ir::If& e);
  void loop(const ir::Stm& stm, const ir::Loop& e);
  void call(const ir::Stm& stm, const ir::Call& e);
  void mapped(const ir::Stm& stm, const ir::Lambda& fn, const std::vector<ir::Name>& arrays,
              const std::vector<ir::Name>& accumulators, std::size_t reduced);
  void reduction(const ir::Stm& stm, std::size_t first, const ir::Lambda& op,
                 const std::vector<ir::Atom>& neutral);
  void reduced(const ir::Stm& stm, const ir::Lambda& op, const std::vector<ir::Atom>& neutral,
               const std::vector<ir::Name>& arrays);
  void fused(const ir::Stm& stm, const std::vector<ir::Operator>& operators, const ir::Lambda& fn,
             const std::vector<ir::Name>& arrays, const std::vector<ir::Name>& accumulators);
  void histograms(const ir::Stm& stm, const ir::ReduceByIndex& e);
  void scatter(const ir::Stm& stm, const ir::Scatter& e);
  void with_acc(const ir::Stm& stm, const ir::WithAcc& e);
  void everything(const ir::Exp& exp);
  void inputs(const ir::Lambda& fn, std::size_t first, const std::vector<ir::Name>& arrays);

  void need(const ir::Atom& atom);
  void need(const std::vector<ir::Atom>& atoms);
  void need(const ir::Type& type);

  bool has_entries_;
  ir::NameSet needed_, functions_;
  std::unordered_map<ir::Name, std::vector<bool>> results_;  // of functions
};

}  // namespace boustro::simplify
