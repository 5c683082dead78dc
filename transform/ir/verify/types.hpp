// Names, scopes, types and sizes: one member function for each kind of expression.
#pragma once

#include <unordered_map>
#include <unordered_set>

#include "transform/ir/builder.hpp"
#include "transform/ir/verify/report.hpp"

namespace boustro::ir::verification {

class TypeChecker {
 public:
  TypeChecker(const Program& program, Report& report);
  void check(const Function& function);

 private:
  // Scopes. A name is bound once in the whole program; it is in scope where `scope_` has it.
  void bind(const Name& name);
  void bind_all(const std::vector<Param>& params);
  void unbind(const Name& name) { scope_.erase(name); }
  bool in_scope(const Atom& atom);
  void check_sizes(const Type& type);

  void check_body(const Body& body);
  void leave_body(const Body& body);
  void check_stm(const Stm& stm);
  void check_keys(const Attribute& attribute);
  /// Checks a lambda against the types of what it is applied to.
  void check_lambda(const Lambda& lambda, const std::vector<Type>& params, const std::string& what);
  /// The pattern's types, its names standing for `results`, must be the results' types.
  void check_existential(const std::vector<Param>& pattern, const std::vector<Atom>& results,
                         const std::string& what);
  void check_pattern(const Stm& stm);
  void check_expression(const Stm& stm);
  void check_results(const Function& function);

  // Operands. Each reports and returns false if the operand is not as said.
  bool expect(const Atom& atom, const Type& type, const std::string& what);
  bool expect_scalar(const Atom& atom, PrimType type, const std::string& what);
  bool expect_size(const Atom& atom) { return expect_scalar(atom, PrimType::i64, "a size"); }
  bool expect_array(const Name& name, int at_least_rank = 1);
  void expect_same(const std::vector<Type>& found, const std::vector<Type>& wanted,
                   const std::string& what);
  void expect_indices(const std::vector<DimIndex>& indices, const Type& array);
  void expect_width(const Atom& width, const std::vector<Name>& arrays);
  std::vector<Type> rows_of(const std::vector<Name>& arrays) const;
  std::vector<Type> types_of(const std::vector<Name>& operands) const;
  std::vector<Type> types_of(const std::vector<Atom>& operands) const;
  void check_operator(const Lambda& op, const std::vector<Atom>& neutral, const std::vector<Type>& rows,
                      const std::string& what);
  void check_fused(const Atom& width, const std::vector<Operator>& operators, const Lambda& fn,
                   const std::vector<Name>& arrays, const std::vector<Name>& accumulators);

  // types_scalar.cpp
  void check(const AtomExp& e, const Stm& stm);
  void check(const UnOp& e, const Stm& stm);
  void check(const BinOp& e, const Stm& stm);
  void check(const CmpOp& e, const Stm& stm);
  void check(const Convert& e, const Stm& stm);
  void check(const MathOp& e, const Stm& stm);
  void check(const If& e, const Stm& stm);
  void check(const Loop& e, const Stm& stm);
  void check(const Call& e, const Stm& stm);
  void check(const Assert& e, const Stm& stm);
  // types_array.cpp
  void check(const ArrayLiteral& e, const Stm& stm);
  void check(const Iota& e, const Stm& stm);
  void check(const Replicate& e, const Stm& stm);
  void check(const Scratch& e, const Stm& stm);
  void check(const Copy& e, const Stm& stm);
  void check(const Sort& e, const Stm& stm);
  void check(const Concat& e, const Stm& stm);
  void check(const Rearrange& e, const Stm& stm);
  void check(const Reshape& e, const Stm& stm);
  void check(const Coerce& e, const Stm& stm);
  void check(const Index& e, const Stm& stm);
  void check(const Update& e, const Stm& stm);
  // types_parallel.cpp
  void check(const Map& e, const Stm& stm);
  void check(const Reduce& e, const Stm& stm);
  void check(const Scan& e, const Stm& stm);
  void check(const MapReduce& e, const Stm& stm);
  void check(const MapScan& e, const Stm& stm);
  void check(const ReduceByIndex& e, const Stm& stm);
  void check(const Scatter& e, const Stm& stm);
  void check(const WithAcc& e, const Stm& stm);
  void check(const UpdateAcc& e, const Stm& stm);
  // types_nest.cpp
  void check(const Nest& e, const Stm& stm);
  void check_method(const Nest& e, const Out& out);
  void check_additions(const Nest& e);
  void check_out(const Nest& e, const Out& out, const std::vector<Type>& indices,
                 const std::vector<Type>& values);
  std::vector<Type> rows_of_destinations(const Out& out);
  // types_parallel.cpp
  void check(const Jvp& e, const Stm& stm);
  void check(const Vjp& e, const Stm& stm);
  void check(const WithVjp& e, const Stm& stm);

  Report& report_;
  Names names_;  // the types of all names, in scope or not
  std::unordered_set<Name> bound_;
  std::unordered_set<Name> scope_;
  std::unordered_map<Name, const Function*> functions_;  // those that stand before
};

}  // namespace boustro::ir::verification
