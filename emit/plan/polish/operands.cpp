#include "emit/plan/polish/operands.hpp"

#include "emit/plan/formula/libraries.hpp"
#include "emit/plan/polish/renamed.hpp"
#include "emit/plan/polish/words.hpp"
#include "emit/plan/walk.hpp"

namespace boustro::plan {
namespace {

void use_operands(Expr& expr, const Renamed& names) {
  if (auto* variable = std::get_if<Var>(&expr.head)) rename(names, variable->name);
  for (Expr& arg : expr.args) use_operands(arg, names);
}

void name_operands_of(Functor& functor) {
  if (!functor.associative || !formula::composes_linear(functor)) return;
  const Renamed names{{functor.params[0].name, "first"}, {functor.params[1].name, "second"}};
  // A body that has more than its operands keeps what it says.
  if (functor.body.size() != 1) return;
  for (Param& param : functor.params) param.name = names.at(param.name);
  for_each_expr(functor.body[0], [&](Expr& expr) { use_operands(expr, names); });
  for (std::string& line : functor.comment.formula) line = with_quoted_words(line, names);
}

void name_operands_in(std::vector<Definition>& definitions) {
  for (Definition& definition : definitions)
    if (auto* functor = std::get_if<Functor>(&definition)) name_operands_of(*functor);
}

}  // namespace

void name_operands(Program& plan) {
  name_operands_in(plan.definitions);
  for (Entry& entry : plan.entries) name_operands_in(entry.definitions);
}

}  // namespace boustro::plan
