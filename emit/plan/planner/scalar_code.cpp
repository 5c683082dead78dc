#include "emit/plan/planner/scalar_code.hpp"

#include <algorithm>

#include "emit/plan/planner/context.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::plan::planner {
namespace {

class ScalarCode {
 public:
  explicit ScalarCode(const Context& context) : context_(context) {}

  bool holds(const ir::Body& body) {
    return std::all_of(body.stms.begin(), body.stms.end(), [&](const ir::Stm& stm) { return holds(stm); });
  }

 private:
  bool holds(const ir::Stm& stm) {
    if (const auto* call = std::get_if<ir::Call>(&stm.exp)) return holds(context_.function(call->function).body);
    const auto* op = std::get_if<ir::BinOp>(&stm.exp);
    if (op) note_positive(stm.pattern[0].name, *op);
    const bool control = std::holds_alternative<ir::If>(stm.exp) || std::holds_alternative<ir::Loop>(stm.exp);
    bool result = control || !ir::may_fail(stm.exp) || (op && divides_by_positive(*op));
    for (const ir::Param& param : stm.pattern) result = result && param.type.is_scalar();
    ir::for_each_body(stm.exp, [&](const ir::Body& body) { result = result && holds(body); });
    return result;
  }

  /// max n 1
  void note_positive(const ir::Name& name, const ir::BinOp& op) {
    const auto is_positive = [](const ir::Atom& atom) {
      const PrimValue* literal = ir::literal_in(atom);
      return literal && values::is_integer(literal->type) && literal->as_int() > 0;
    };
    if (op.kind == ir::BinOpKind::max && (is_positive(op.lhs) || is_positive(op.rhs))) positive_.insert(name);
  }

  bool divides_by_positive(const ir::BinOp& op) const {
    using enum ir::BinOpKind;
    const ir::Name* divisor = ir::name_in(op.rhs);
    return (op.kind == div || op.kind == quot || op.kind == mod || op.kind == rem) && divisor && positive_.contains(*divisor);
  }

  const Context& context_;
  ir::NameSet positive_;
};

}  // namespace

bool is_code_of_scalars(const Context& context, const ir::Body& body) { return ScalarCode(context).holds(body); }

}  // namespace boustro::plan::planner
