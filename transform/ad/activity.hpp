// Which names have a tangent or an adjoint: those that depend on a differentiated input (varied) and
// on which a result that is asked for depends (useful), through differentiable operations.
//
// Names are unique and assigned once, so dependence is a graph on names: loops, branches and operators
// contribute edges between their parameters and results, per component, and what other analyses find by
// fix-points is reachability here.
#pragma once

#include <unordered_map>
#include <vector>

#include "transform/ir/traversal.hpp"

namespace boustro::ad {

/// depends[i][j]: whether result j of a function depends on its parameter i in a differentiable way.
using Dependences = std::vector<std::vector<bool>>;

/// The functions of a program by name, and what was found out about them.
class FunctionTable {
 public:
  void add(const ir::Function& function) { functions_.insert_or_assign(function.name, function); }
  const ir::Function& at(const ir::Name& name) const;
  const Dependences& dependences_of(const ir::Name& name);

 private:
  std::unordered_map<ir::Name, ir::Function> functions_;
  std::unordered_map<ir::Name, Dependences> dependences_;
};

class Activity {
 public:
  explicit Activity(FunctionTable& functions) : functions_(&functions) {}

  /// Analyses a function's body.
  void analyse(const ir::Body& body);
  /// Analyses further statements, such as those by which a rule replaced others.
  void analyse(const std::vector<ir::Stm>& stms);
  /// Declares an input with respect to which is differentiated.
  void add_input(const ir::Name& name);
  /// Declares a result that has a seed, or whose tangent is wanted.
  void add_result(const ir::Atom& atom);

  bool active(const ir::Name& name) const { return varied_.contains(name) && useful_.contains(name); }
  bool active(const ir::Atom& atom) const {
    const ir::Name* name = ir::name_in(atom);
    return name && active(*name);
  }
  bool varied(const ir::Name& name) const { return varied_.contains(name); }

 private:
  using Edges = std::unordered_map<ir::Name, std::vector<ir::Name>>;
  static void reach(const Edges& edges, ir::NameSet& reached, std::vector<ir::Name> pending);

  void add_edges(const std::vector<ir::Stm>& stms);

  FunctionTable* functions_;
  ir::NameSet constants_;  // shifts that cancel: nothing depends on them
  Edges successors_, predecessors_;
  ir::NameSet varied_, useful_, accumulators_;
};

}  // namespace boustro::ad
