// One library call for a reduction or scan: the functors that compute its inputs, combine values
// and store its outputs, and the function around it.
#pragma once

#include "emit/plan/planner/host.hpp"

namespace boustro::plan::planner {

class LibraryPlanner {
 public:
  /// For a nest of one dimension that reduces or scans.
  LibraryPlanner(Host& host, const ir::Stm& stm, const ir::Nest& nest);

  /// Its elements are computed in registers.
  void plan(LibraryKind kind);

 private:
  using Definitions = std::vector<Definition>;
  /// The code of a functor: what it captures becomes fields.
  struct Inside;

  // Values: one component is itself, several are a struct.
  Type value_type();
  Expr pack(const std::vector<Expr>& components) const;
  Expr component(const Expr& value, std::size_t i) const;
  Type passed() const { return types_.size() == 1 ? value_ : const_reference_to(value_); }

  // Where results go, and the call.
  std::vector<Value> cells();
  std::vector<Value> places();
  void init();
  void run();

  // functors.cpp
  Operand input();
  Operand output();
  void store(Inside& inside, const Expr& index, const Expr& value);
  void store_epilogue(Inside& inside, const Expr& index, const Expr& value);
  Operand output_of_reduction(const std::vector<Value>& cells);
  std::string functor();
  Expr constructed(const std::string& name, const Capture& capture);

  Host& host_;
  Context& context_;
  const ir::Stm& stm_;
  const ir::Nest& nest_;
  std::vector<ir::Operator> operators_;
  const ir::Lambda* epilogue_ = nullptr;
  Scalar extent_;
  std::string base_;    // what is combined is called
  std::string stored_;  // what is stored is called
  Identifiers names_;
  Capture params_;
  Library library_;
  Definitions made_;
  Type value_;
  std::vector<PrimType> types_;
  std::vector<std::string> fields_;
  std::vector<std::optional<View>> outputs_;
  Expr result_;
};

}  // namespace boustro::plan::planner
