// The cost of a scope: what its own statements do each time it is executed.
#include "transform/ir/evaluate/compiler.hpp"

namespace boustro::ir::evaluation {
namespace {

struct Cost {
  std::uint64_t operations = 0, integer_operations = 0;

  void add(PrimType type, std::size_t count = 1) {
    (values::is_float(type) ? operations : integer_operations) += count;
  }
};

/// A branch without statements selects its results; any other only decides what is executed.
void add_selection(Cost& cost, const If& e, const Stm& stm) {
  if (!e.then_body.stms.empty() || !e.else_body.stms.empty()) return;
  for (const Param& result : stm.pattern) {
    if (result.type.is_scalar()) cost.add(result.type.elem);
  }
}

Cost cost_of(const Stm& stm) {
  Cost cost;
  match(
      stm.exp, [&](const UnOp& e) { cost.add(e.type); }, [&](const BinOp& e) { cost.add(e.type); },
      [&](const CmpOp& e) { cost.add(e.type); }, [&](const MathOp& e) { cost.add(e.type); },
      [&](const Convert&) { cost.add(PrimType::i64); },
      [&](const If& e) { add_selection(cost, e, stm); },
      [&](const Index& e) { cost.add(PrimType::i64, e.indices.size()); },
      [&](const Update& e) { cost.add(PrimType::i64, e.indices.size()); },
      [&](const UpdateAcc& e) { cost.add(PrimType::i64, e.indices.size()); }, [](const auto&) {});
  return cost;
}

}  // namespace

/// A step that counts one execution of the body. What it costs is known now: there are no jumps.
Step Compiler::count(const Body& body) {
  Cost cost;
  for (const Stm& stm : body.stms) {
    const Cost one = cost_of(stm);
    cost.operations += one.operations;
    cost.integer_operations += one.integer_operations;
  }
  const std::size_t scope = counts_->scopes.size();
  counts_->scopes.push_back({origin_});
  return [cost, scope, counts = counts_](Machine&) {
    counts->operations += cost.operations;
    counts->integer_operations += cost.integer_operations;
    ++counts->scopes[scope].executions;
  };
}

}  // namespace boustro::ir::evaluation
