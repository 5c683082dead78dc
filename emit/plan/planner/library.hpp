// One library call for a reduction or scan: the functors that compute its inputs, combine values
// and store its outputs, and the function around it.
#pragma once

#include "emit/plan/planner/consumers.hpp"
#include "emit/plan/planner/host.hpp"

namespace boustro::plan::planner {

class LibraryPlanner {
 public:
  /// For a statement that applies `fn` to the elements of arrays and then the operators. With a
  /// consumer its map stores the results.
  LibraryPlanner(Host& host, const ir::Stm& stm, const std::vector<ir::Operator>& operators,
                 const ir::Lambda& fn, const std::vector<ir::Name>& arrays, const ir::Atom& width,
                 const ScanConsumer* consumer = nullptr);

  /// False, and nothing has happened, if the elements cannot be computed in registers.
  bool plan(LibraryKind kind);

 private:
  using Definitions = std::vector<Definition>;
  /// The code of a functor: what it captures becomes fields.
  struct Inside;

  void make(LibraryKind kind);

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
  void store_mapped(Inside& inside, const Expr& index, const Expr& value);
  Expr mirrored(Inside& inside, const std::string& base, const Expr& index);
  std::string functor();
  Expr constructed(const std::string& name, const Capture& capture);

  Host& host_;
  Context& context_;
  const ir::Stm& stm_;
  const std::vector<ir::Operator>& operators_;
  const ir::Lambda& fn_;
  const std::vector<ir::Name>& arrays_;
  const ScanConsumer* consumer_;
  /// The statement whose results are stored: the scan, or the map that takes them.
  const ir::Stm& storing_;
  Scalar extent_;
  std::string base_;
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

/// The elements as they are: the map of a reduction or scan that was not fused with one.
ir::Lambda identity_of(ir::Names& names, const ir::Lambda& op, std::size_t count);

}  // namespace boustro::plan::planner
