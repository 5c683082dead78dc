#include "transform/parallel/flatten/one_addition.hpp"

#include "transform/parallel/flatten/scalars.hpp"

namespace boustro::parallel {

using namespace ir;

std::optional<Nest> one_addition(const Stm& stm, Level over, const Definitions& definitions, Names& names) {
  const auto* with = std::get_if<WithAcc>(&stm.exp);
  if (!with || with->inputs.size() != 1 || stm.pattern.size() != 1 || with->fn.body.stms.size() != 1) return std::nullopt;
  const auto* update = std::get_if<UpdateAcc>(&with->fn.body.stms[0].exp);
  const Type& type = stm.pattern[0].type;
  const auto start = scalar_of(with->inputs[0].destination, definitions, names);
  if (!update || type.shape.size() != 1 || update->indices.size() != 1 || !start || !std::holds_alternative<AddUp>(with->inputs[0].kind)) return std::nullopt;
  Builder builder(names, stm.origin);
  Nest nest;
  nest.over = over;
  nest.space = type.shape;
  nest.point = builder.lambda({{"j", scalar(PrimType::i64)}}, [&](Builder& b, const std::vector<Name>& at) {
    const Atom here = b.cmp("is_there", CmpOpKind::eq, at[0], update->indices[0]);
    Builder inside(names, stm.origin);
    const PrimValue* literal = literal_in(*start);
    const Atom sum = literal && literal->is_zero() ? update->value : inside.binop(stm.pattern[0].name.base, BinOpKind::add, *start, update->value);
    const Name element = b.let(stm.pattern[0].name.base, If{here, {inside.stms, {sum}}, {{}, {*start}}});
    return std::vector<Atom>{element};
  });
  Out out;
  out.kind = OutKind::store;
  out.rank = 1;
  nest.outs.push_back(out);
  return nest;
}

}  // namespace boustro::parallel
