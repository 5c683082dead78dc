#include "emit/plan/lower/combine_threads.hpp"

namespace boustro::plan::planner {

/// Several values together are a struct.
void combine_threads(Code& code, Identifiers& identifiers, const ir::Operator& op, const Results& own, const std::vector<ir::Param>& totals,
                     bool along_rows) {
  Context& context = code.context();
  const auto define = [&](const std::string& base, const Expr& value, const std::string& functor) {
    const std::string name = identifiers.fresh(base);
    const Expr combine = construct(functor, {});
    code.emit(Let{.name = name, .type = value.type, .value = along_rows ? runtime::combine_row(value, combine) : runtime::combine_column(value, combine)});
    return var(name, value.type);
  };
  const std::string& base = totals[0].name.base;
  if (totals.size() == 1) {
    const std::string functor = context.functor_for(op.op, true, operator_name(op.op, base));
    return code.bind(totals[0].name, Scalar{define(base, std::get<Scalar>(own[0]).expr, functor)});
  }
  const Context::RecordOperator& record = context.operator_on_records(op.op, true, base);
  std::vector<Expr> values;
  for (const Value& value : own) values.push_back(std::get<Scalar>(value).expr);
  const Expr whole = define(base + "_values", construct(record.value.name, values), record.functor);
  for (std::size_t i = 0; i < totals.size(); ++i) {
    Expr total = field(whole, record.fields[i], values[i].type);
    std::get<Field>(total.head).position = i;
    code.bind(totals[i].name, Scalar{total});
  }
}

}  // namespace boustro::plan::planner
