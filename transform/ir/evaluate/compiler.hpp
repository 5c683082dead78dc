// Translates a program to closures over slots, one a statement. One member function for each kind
// of expression.
#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>

#include "transform/ir/evaluate/machine.hpp"
#include "transform/ir/ir.hpp"

namespace boustro::ir::evaluation {

struct FunctionCode {
  std::vector<Slot> params;
  const BodyCode* body = nullptr;
};

/// A statement's translation: the statement, for messages, and the slots that it binds.
struct Target {
  const Stm* stm;
  std::vector<Slot> slots;
  int only() const { return slots.at(0).index; }
};

/// An operator of the program itself: code refers to the statements that it was made from.
struct OperatorView {
  const Lambda* op;
  const std::vector<Atom>* neutral;
};

class Compiler {
 public:
  /// The program must outlive the compiler and what it compiles; so must the
  /// options' counts, to which what runs adds if they are given.
  explicit Compiler(const Program& program, const EvaluateOptions& options = {});

  const FunctionCode& function(const Name& name) const;
  /// A machine whose constants are set.
  Machine machine() const;

 private:
  Slot slot_of(const Atom& atom);
  std::vector<Slot> slots_of(const std::vector<Atom>& atoms);
  int scalar(const Atom& atom);
  int array(const Name& name);
  std::vector<int> scalars(const std::vector<Atom>& atoms);
  std::vector<int> arrays(const std::vector<Name>& names);
  PrimType elem_of(const Name& name) const;
  Slot new_slot(bool is_array);
  Slot bind(const Name& name, const Type& type);
  std::vector<Slot> bind_all(const std::vector<Param>& params);

  const BodyCode* body(const Body& body);
  LambdaCode lambda(const Lambda& lambda);
  Step count(const Body& body);
  std::vector<Step> statement(const Stm& stm, std::vector<int>& arrays);
  std::optional<Step> shape_check(const Stm& stm, const std::vector<Slot>& slots);
  Step expression(const Exp& exp, const Target& target);

  // compile_watch.cpp: notes on what becomes of arrays whose promises are checked
  void watch_params(const Loop& e);
  std::vector<std::pair<int, std::string>> watched_params(const Loop& e, const std::vector<Slot>& params) const;
  void watch_results(const BodyCode& code);
  std::optional<Step> noting(const Stm& stm);
  std::optional<Step> handing_on(const Stm& stm);
  // observe.cpp: shows tests what a statement has done
  Step observing(const Stm& stm) const;
  // compile_scalar.cpp
  Step compile(const AtomExp& e, const Target& target);
  Step compile(const UnOp& e, const Target& target);
  Step compile(const BinOp& e, const Target& target);
  Step binary(BinOpKind kind, PrimType type, int x, int y, int result, const Stm* stm);
  Step compile(const CmpOp& e, const Target& target);
  Step compile(const Convert& e, const Target& target);
  Step compile(const MathOp& e, const Target& target);
  // compile_control.cpp
  Step compile(const If& e, const Target& target);
  Step compile(const Loop& e, const Target& target);
  Step compile(const Call& e, const Target& target);
  Step compile(const Assert& e, const Target& target);
  Step compile(const Jvp& e, const Target& target);
  Step compile(const Vjp& e, const Target& target);
  Step compile(const WithVjp& e, const Target& target);
  // compile_array.cpp
  Step compile(const ArrayLiteral& e, const Target& target);
  Step compile(const Iota& e, const Target& target);
  Step compile(const Replicate& e, const Target& target);
  Step compile(const Scratch& e, const Target& target);
  Step compile(const Copy& e, const Target& target);
  Step compile(const Sort& e, const Target& target);
  Step compile(const Concat& e, const Target& target);
  Step compile(const Rearrange& e, const Target& target);
  Step compile(const Reshape& e, const Target& target);
  Step compile(const Coerce& e, const Target& target);
  // compile_index.cpp
  Step compile(const Index& e, const Target& target);
  Step compile(const Update& e, const Target& target);
  Step noting_selection(const Name& from, const std::vector<DimIndex>& indices, bool checked, const Stm* stm,
                        void (*note)(const Array&));
  // compile_parallel.cpp
  Step compile(const Map& e, const Target& target);
  Step compile(const Reduce& e, const Target& target);
  Step compile(const Scan& e, const Target& target);
  Step compile(const MapReduce& e, const Target& target);
  Step compile(const MapScan& e, const Target& target);
  std::vector<Slot> same_slots(const std::vector<Slot>& slots);
  Step direct_fold(const Lambda& op, Slot left, Slot operand, const Stm* stm);
  Step fused(const Atom& width, const std::vector<OperatorView>& operators, const Lambda* fn,
             const std::vector<Name>& arrays, const std::vector<Name>& accumulators, bool scan,
             const Target& target);
  // compile_scatter.cpp
  Step compile(const ReduceByIndex& e, const Target& target);
  Step compile(const Scatter& e, const Target& target);
  Step compile(const WithAcc& e, const Target& target);
  Step compile(const UpdateAcc& e, const Target& target);
  // compile_nest.cpp
  Step compile(const Nest& e, const Target& target);

  const Program& program_;
  Counts* counts_;
  std::int64_t chunk_;
  bool limited_;
  std::function<void(const Stm&, const Scene&)> observe_;
  std::optional<unsigned> adversary_;
  Versions versions_of_;  // null: promises are not checked
  Provenance origin_;  // of the scope that is being compiled
  std::unordered_map<Name, Slot> slots_;
  std::unordered_map<Name, Type> types_;
  std::unordered_set<Name> versions_;  // of arrays whose promises are checked
  std::unordered_map<Name, FunctionCode> functions_;
  std::vector<Bits> initial_scalars_;  // literals have slots too
  int array_count_ = 0;
  std::deque<BodyCode> bodies_;  // stable addresses
  std::deque<AccumulatorCode> accumulators_;
};

}  // namespace boustro::ir::evaluation
