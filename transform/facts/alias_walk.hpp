// How Aliases are found: internal to aliases.cpp.
#pragma once

#include "transform/facts/aliases.hpp"

namespace boustro::facts {

/// Goes through statements once, in their order. What is not yet known to be a view is taken for a root, such as a
/// parameter of a loop while its body is looked at.
class Aliases::Walk {
 public:
  Walk(Aliases& aliases, const Callees& callees) : a_(aliases), callees_(callees) {}

  void statements(const std::vector<ir::Stm>& stms);
  /// A function of a program: its parameters may be its own, or any caller's.
  void function(const ir::Function& function);

 private:
  void statement(const ir::Stm& stm);
  void yield(const ir::Stm& stm);
  void body(const ir::Body& body) { statements(body.stms); }
  void branches(const ir::Stm& stm, const ir::If& e);
  void view_without(const ir::Param& param, const ir::Atom& of, const Ids& consumed);
  void loop(const ir::Stm& stm, const ir::Loop& e);
  void call(const ir::Stm& stm, const ir::Call& e);
  void with_acc(const ir::Stm& stm, const ir::WithAcc& e);
  void lambda(const ir::Lambda& fn);
  void nest(const ir::Nest& e);
  void operators(const std::vector<ir::Operator>& operators);
  void elements(const ir::Lambda& fn, const std::vector<ir::Name>& arrays, std::size_t first = 0);
  void derivative(const ir::Stm& stm, const ir::Lambda& fn, const std::vector<ir::Atom>& args);
  void custom(const ir::Stm& stm, const ir::WithVjp& e);

  void bind(const ir::Param& param);
  void parameter(const ir::Param& param);
  void view(const ir::Param& param, const ir::Atom& of);
  void may_be_fresh(const ir::Param& param);
  void consume(const ir::Name& name) { a_.consumed_.push_back(a_.id_of(name)); }

  Aliases& a_;
  const Callees& callees_;
};

}  // namespace boustro::facts
