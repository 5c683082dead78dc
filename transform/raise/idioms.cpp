// What people would write. One line of the table for each idiom; the first that fits is taken. An idiom says exactly what its
// statement does, bit by bit.
#include <algorithm>
#include <array>
#include <limits>

#include "transform/ir/traversal.hpp"
#include "transform/raise/raiser.hpp"
#include "transform/raise/winners.hpp"

namespace boustro::raise {

using namespace ir;

namespace {

using MaybeBinding = std::optional<Binding>;

MaybeBinding result_of(const Stm& stm, ast::Exp exp) { return Binding{named(tagged(stm.pattern.at(0).name)), std::move(exp)}; }

/// x + x is 2 * x.
MaybeBinding doubled(Raiser& r, const Stm& stm) {
  const auto* sum = std::get_if<BinOp>(&stm.exp);
  if (!sum || sum->kind != BinOpKind::add || sum->lhs != sum->rhs) return std::nullopt;
  const Name* x = name_in(sum->lhs);
  if (!x) return std::nullopt;
  return result_of(stm, binary(literal(PrimValue::of_int(sum->type, 2), r.is_known(*x)), "*", variable(*x)));
}

/// x != x is f64.isnan x.
MaybeBinding is_nan(Raiser&, const Stm& stm) {
  const auto* compared = std::get_if<CmpOp>(&stm.exp);
  if (!compared || !values::is_float(compared->type) || compared->lhs != compared->rhs) return std::nullopt;
  const Name* x = name_in(compared->lhs);
  const bool is_equal = compared->kind == CmpOpKind::eq;
  if (!x || (!is_equal && compared->kind != CmpOpKind::ne)) return std::nullopt;
  ast::Exp nan = applied(member(values::name_of(compared->type), "isnan"), {variable(*x)});
  return result_of(stm, is_equal ? exp(ast::Unary{ast::UnaryOp::complement, std::move(nan)}) : std::move(nan));
}

/// The function of the prelude that reduces by this operator from this neutral element; empty if there is none.
std::string_view reduction_named(BinOpKind kind, const PrimValue& neutral) {
  const PrimType type = neutral.type;
  const bool is_float = values::is_float(type);
  const double infinity = std::numeric_limits<double>::infinity();
  const auto is_bound = [&](bool highest) {
    if (is_float) return neutral.as_float() == (highest ? infinity : -infinity);
    const int bits = 8 * values::byte_size(type);
    const std::uint64_t ones = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
    const std::uint64_t sign = std::uint64_t{1} << (bits - 1);
    if (values::is_signed(type)) return neutral.bits == (highest ? ones ^ sign : sign);
    return neutral.bits == (highest ? ones : 0);
  };
  if (type == PrimType::boolean) {
    if (kind == BinOpKind::bit_and && neutral.as_bool()) return "and";
    return kind == BinOpKind::bit_or && !neutral.as_bool() ? "or" : "";
  }
  switch (kind) {
    case BinOpKind::add: return neutral == PrimValue::zero(type) ? "sum" : "";
    case BinOpKind::mul: return neutral == PrimValue::one(type) ? "product" : "";
    case BinOpKind::min: return is_bound(true) ? "minimum" : "";
    case BinOpKind::max: return is_bound(false) ? "maximum" : "";
    default: return "";
  }
}

/// reduce (+) 0 xs is f64.sum xs.
MaybeBinding named_reduction(Raiser& r, const Stm& stm) {
  const auto* reduce = std::get_if<Reduce>(&stm.exp);
  if (!reduce || reduce->arrays.size() != 1 || !stm.pattern.at(0).type.is_scalar()) return std::nullopt;
  const auto kind = as_binop(reduce->op);
  const PrimValue* neutral = literal_in(reduce->neutral.at(0));
  const std::string_view name = kind && neutral ? reduction_named(*kind, *neutral) : "";
  if (name.empty() || (neutral->type == PrimType::boolean && !r.is_prelude(std::string(name)))) return std::nullopt;
  ast::Exp function = neutral->type == PrimType::boolean ? variable(std::string(name)) : member(values::name_of(neutral->type), name);
  return result_of(stm, applied(std::move(function), {r.array(reduce->arrays[0])}));
}

/// The one slice that an index consists of.
const Slice* only_slice(const Index& index) {
  return index.indices.size() == 1 ? std::get_if<Slice>(&index.indices[0]) : nullptr;
}

/// Whether `last` is n - 1.
bool is_last_of(Raiser& r, const Atom& last, const Atom& n) {
  if (const PrimValue *end = literal_in(last), *size = literal_in(n); end && size) return end->as_int() == size->as_int() - 1;
  const Stm* made = name_in(last) ? r.definition_of(*name_in(last)) : nullptr;
  const auto* difference = made ? std::get_if<BinOp>(&made->exp) : nullptr;
  return difference && difference->kind == BinOpKind::sub && difference->lhs == n && difference->rhs == int_atom(1);
}

/// xs[n - 1:-1:-1] is reverse xs.
MaybeBinding reversed(Raiser& r, const Stm& stm) {
  const auto* index = std::get_if<Index>(&stm.exp);
  const Slice* slice = index ? only_slice(*index) : nullptr;
  if (!slice || slice->stride != int_atom(-1) || !r.is_prelude("reverse")) return std::nullopt;
  const Type type = r.type_of(index->array);
  if (type.shape.empty() || slice->count != type.shape[0] || !is_last_of(r, slice->start, slice->count)) return std::nullopt;
  return result_of(stm, applied("reverse", {variable(index->array)}));
}

/// xs[0:k] is take k xs, whose size is k.
MaybeBinding taken(Raiser& r, const Stm& stm) {
  const auto* index = std::get_if<Index>(&stm.exp);
  const Slice* slice = index ? only_slice(*index) : nullptr;
  if (!slice || slice->start != int_atom(0) || slice->stride != int_atom(1) || !r.is_prelude("take")) return std::nullopt;
  return result_of(stm, applied("take", {r.count(slice->count), variable(index->array)}));
}

/// An accumulator to which a map adds one of its arrays at places that another has: reduce_by_index xs (+) 0 is ys.
MaybeBinding added_by_index(Raiser& r, const Stm& stm) {
  const auto* with = std::get_if<WithAcc>(&stm.exp);
  const bool adds = with && with->inputs.size() == 1 && std::holds_alternative<AddUp>(with->inputs[0].kind);
  if (!adds || with->fn.body.stms.size() != 1 || stm.pattern.at(0).type.rank() != 1) return std::nullopt;
  const Stm& inside = with->fn.body.stms[0];
  const auto* map = std::get_if<Map>(&inside.exp);
  if (!map || map->accumulators.size() != 1 || map->arrays.size() != 2 || inside.pattern.size() != 1) return std::nullopt;
  if (map->fn.body.stms.size() != 1 || !inside.attributes.empty() || !r.is_prelude("reduce_by_index")) return std::nullopt;
  if (with->fn.body.result != std::vector<Atom>{inside.pattern[0].name}) return std::nullopt;
  const auto* update = std::get_if<UpdateAcc>(&map->fn.body.stms[0].exp);
  const auto is_param = [&](const Atom& atom, std::size_t i) { return atom == Atom(map->fn.params.at(1 + i).name); };
  if (!update || update->indices.size() != 1) return std::nullopt;
  const bool in_order = is_param(update->indices[0], 0) && is_param(update->value, 1);
  const bool swapped = is_param(update->indices[0], 1) && is_param(update->value, 0);
  if (!in_order && !swapped) return std::nullopt;
  const Name& places = map->arrays[in_order ? 0 : 1];
  const Name& values = map->arrays[in_order ? 1 : 0];
  const Type type = stm.pattern[0].type;
  ast::Exp zero = literal(PrimValue::zero(type.elem), r.is_known(values));
  return result_of(stm, applied("reduce_by_index", {variable(with->inputs[0].destination), variable("+"), std::move(zero),
                                                    r.array(places), r.array(values)}));
}

using Idiom = MaybeBinding (*)(Raiser&, const Stm&);

constexpr auto idioms = std::to_array<Idiom>({
    doubled,          // 2 * x
    is_nan,           // f64.isnan x
    named_reduction,  // f64.sum xs
    winner,           // argmin xs
    reversed,         // reverse xs
    taken,            // take n xs
    added_by_index,   // reduce_by_index xs (+) 0 is ys
});

}  // namespace

std::optional<Binding> idiom(Raiser& raiser, const Stm& stm) {
  for (const Idiom one : idioms)
    if (auto binding = one(raiser, stm)) return binding;
  return std::nullopt;
}

}  // namespace boustro::raise
