// Expressions: scalars, control, arrays. Parallel operators: parallel.cpp.
#include <algorithm>
#include <functional>

#include "transform/ir/permutation.hpp"
#include "transform/ir/traversal.hpp"
#include "transform/raise/raiser.hpp"

namespace boustro::raise {

using namespace ir;

namespace {

std::optional<std::int64_t> number_in(const Atom& atom) {
  const PrimValue* literal = literal_in(atom);
  return literal ? std::optional(literal->as_int()) : std::nullopt;
}

/// Both operands are evaluated already, so that && and || mean the same.
std::string_view symbol_on_truths(BinOpKind kind) {
  switch (kind) {
    case BinOpKind::bit_and: return "&&";
    case BinOpKind::bit_or: return "||";
    case BinOpKind::bit_xor: return "!=";
    default: return symbol_of(kind);
  }
}

ast::Size size_of(ast::Exp exp) { return ast::Size(ast::Box<ast::Exp>(std::move(exp))); }

/// [size]row for each of the sizes, outermost first.
ast::Type array_type(std::vector<ast::Exp> sizes, ast::Type row) {
  for (auto size = sizes.rbegin(); size != sizes.rend(); ++size) row = {ast::ArrayType{size_of(std::move(*size)), std::move(row)}, {}};
  return row;
}

bool has_slice(const std::vector<DimIndex>& indices) {
  return std::any_of(indices.begin(), indices.end(), [](const DimIndex& i) { return std::holds_alternative<Slice>(i); });
}

}  // namespace

ast::Exp Raiser::expression(const Stm& stm) {
  const auto result = [&]() -> const Name& { return stm.pattern.at(0).name; };
  const auto call_of = [](values::PrimType type, std::string_view name, std::vector<ast::Exp> args) {
    return applied(member(values::name_of(type), name), std::move(args));
  };
  return match(
      stm.exp,  //
      [&](const AtomExp& e) { return operand(e.atom, result()); },
      [&](const UnOp& e) {
        if (e.kind == UnOpKind::neg) return exp(ast::Unary{ast::UnaryOp::negate, operand(e.operand, result())});
        if (e.kind == UnOpKind::complement) return exp(ast::Unary{ast::UnaryOp::complement, operand(e.operand, result())});
        return call_of(e.type, name_of(e.kind), {operand(e.operand, true)});
      },
      [&](const BinOp& e) { return binary_operation(e, result()); },
      [&](const CmpOp& e) { return comparison(e); },
      [&](const Convert& e) { return call_of(e.to, values::name_of(e.from), {operand(e.operand, true)}); },
      [&](const MathOp& e) {
        std::vector<ast::Exp> args;
        for (const Atom& arg : e.args) args.push_back(operand(arg, true));
        return call_of(e.type, name_of(e.fn), std::move(args));
      },
      [&](const If& e) { return if_exp(e, stm.pattern); },  //
      [&](const Loop& e) { return loop(e); },               //
      [&](const Call& e) { return call(e); },
      [&](const Assert& e) { return exp(ast::Assert{operand(e.condition, true), exp(ast::Tuple{})}); },
      [&](const ArrayLiteral& e) {
        if (e.elements.empty())
          return exp(ast::Ascribe{exp(ast::ArrayLiteral{}), array_type({number(0)}, type(e.row))});
        ast::ArrayLiteral literal;
        for (const Atom& element : e.elements) literal.elements.push_back(operand(element, result()));
        return exp(std::move(literal));
      },
      [&](const Iota& e) { return applied("iota", {count(e.width)}); },
      [&](const Replicate& e) { return replicated(e, result()); },
      [&](const Scratch& e) {
        const Shape shape = e.shape.empty() ? Shape{int_atom(1)} : e.shape;
        ast::Exp made = exp(ast::Ascribe{applied(core("scratch"), {count(shape[0])}), type(ir::array(e.elem, shape))});
        if (!e.shape.empty()) return made;
        return exp(ast::Index{std::move(made), {ast::DimIndex(ast::Box<ast::Exp>(number(0)))}});
      },
      [&](const Copy& e) { return applied("copy", {variable(e.array)}); },
      [&](const Sort& e) { return applied(core("sort"), {count(e.first_bit), count(e.end_bit), array(e.array)}); },
      [&](const Concat& e) { return concat(e); },            //
      [&](const Rearrange& e) { return rearranged(e); },     //
      [&](const Reshape& e) { return reshaped(e); },
      [&](const Coerce& e) {
        return exp(ast::Coerce{variable(e.array), type(ir::array(type_of(e.array).elem, e.shape))});
      },
      [&](const Index& e) { return indexed(e, stm.pattern.at(0).type); },  //
      [&](const Update& e) { return updated(e); },                         //
      [&](const WithAcc& e) { return with_accumulators(e, stm.pattern); },
      [&](const UpdateAcc& e) { return update_of_accumulator(e); },
      [](const auto&) -> ast::Exp { throw NotRaised{}; });
}

/// A number stands on the right: x > 0 is in core 0 < x.
ast::Exp Raiser::comparison(const CmpOp& e) const {
  const Name *lhs = name_in(e.lhs), *rhs = name_in(e.rhs);
  const bool known = (lhs && literals_.is_known(*lhs)) || (rhs && literals_.is_known(*rhs));
  const bool ordered_truths = e.type == PrimType::boolean && (e.kind == CmpOpKind::lt || e.kind == CmpOpKind::le);
  if (!lhs && rhs && !ordered_truths) {
    const std::string_view symbol = e.kind == CmpOpKind::lt ? ">" : e.kind == CmpOpKind::le ? ">=" : symbol_of(e.kind);
    return binary(operand(e.rhs, known), symbol, operand(e.lhs, known));
  }
  ast::Exp compared = binary(operand(e.lhs, known), symbol_of(e.kind), operand(e.rhs, known));
  if (ordered_truths) node_in<ast::Binary>(compared)->op.qualifiers = {"bool"};
  return compared;
}

ast::Exp Raiser::binary_operation(const BinOp& e, const Name& result) const {
  const std::string_view symbol = e.type == PrimType::boolean ? symbol_on_truths(e.kind) : symbol_of(e.kind);
  ast::Exp lhs = operand(e.lhs, result), rhs = operand(e.rhs, result);
  if (!symbol.empty()) return binary(std::move(lhs), symbol, std::move(rhs));
  return applied(member(values::name_of(e.type), name_of(e.kind)), {std::move(lhs), std::move(rhs)});
}

// ---- Control ---------------------------------------------------------------------------------------

ast::Exp Raiser::if_exp(const If& e, const std::vector<Param>& pattern) {
  const std::vector<bool> sizes = sizes_among(pattern);
  std::vector<Name> like;
  for (const Param& p : pattern) like.push_back(p.name);
  ast::Exp then_exp = body(e.then_body, like, Tuples::flat, sizes);
  ast::Exp else_exp = body(e.else_body, like, Tuples::flat, sizes);
  return exp(ast::If{operand(e.condition, true), std::move(then_exp), std::move(else_exp)});
}

ast::Exp Raiser::loop(const Loop& e) {
  std::vector<Param> list;
  std::vector<Name> like;
  for (const LoopParam& p : e.params) list.push_back(p.param), like.push_back(p.param.name);
  const std::vector<bool> is_size = sizes_among(list);
  const bool sized = std::find(is_size.begin(), is_size.end(), true) != is_size.end();
  ast::Loop result;
  std::vector<ast::Pattern> names;
  std::vector<ast::Exp> initial;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (is_size[i]) {
      result.sizes.push_back(identifier(tagged(list[i].name)));
      continue;
    }
    ast::Pattern name = named(tagged(list[i].name));
    if (sized || (around_.annotate && !list[i].type.is_scalar())) name = ascribed(std::move(name), type(list[i].type, list[i].unique));
    if (e.params[i].true_dep) name = {ast::AttributedPattern{{"true_dep", {}, {}}, std::move(name)}, {}};
    names.push_back(std::move(name));
    initial.push_back(operand(e.params[i].init, list[i].name));
  }
  result.pattern = flat_tuple(std::move(names));
  result.initial = ast::Box<ast::Exp>(flat_tuple(std::move(initial)));
  if (const auto* form = std::get_if<ForLoop>(&e.form))
    result.form = ast::ForLoop{identifier(tagged(form->index)), operand(form->bound, form->index)};
  else
    result.form = ast::WhileLoop{variable(std::get<WhileLoop>(e.form).condition)};
  const int before = level_;
  level_ = ++levels_;
  result.body = body(e.body, like, Tuples::flat, is_size);
  level_ = before;
  return exp(std::move(result));
}

ast::Exp Raiser::call(const Call& e) const {
  const auto callee = around_.callees.find(e.function);
  if (callee == around_.callees.end()) throw NotRaised{};
  std::vector<ast::Exp> args;
  for (std::size_t i = 0; i < e.args.size(); ++i) {
    const bool implicit = i < callee->second.size_args.size() && callee->second.size_args[i];
    if (!implicit) args.push_back(operand(e.args[i], true));
  }
  if (e.args.empty()) args.push_back(exp(ast::Tuple{}));
  if (args.empty()) return variable(callee->second.name);
  return applied(callee->second.name, std::move(args));
}

// ---- Arrays ----------------------------------------------------------------------------------------

ast::Exp Raiser::replicated(const Replicate& e, const Name& result) const {
  ast::Exp exp = operand(e.value, result);
  for (auto dim = e.shape.rbegin(); dim != e.shape.rend(); ++dim) exp = applied("replicate", {count(*dim), std::move(exp)});
  return exp;
}

ast::Exp Raiser::concat(const Concat& e) const {
  if (e.arrays.empty()) throw NotRaised{};
  if (e.arrays.size() == 1) return applied("copy", {variable(e.arrays[0])});
  ast::Exp exp = array(e.arrays[0]);
  for (std::size_t i = 1; i < e.arrays.size(); ++i) exp = binary(std::move(exp), "++", array(e.arrays[i]));
  return raise::exp(ast::Coerce{std::move(exp), type(array_of(e.width, row_type(type_of(e.arrays[0]))))});
}

/// Any permutation is a product of swaps of neighbours; a swap below the outermost dimensions is a mapped transpose.
ast::Exp Raiser::rearranged(const Rearrange& e) const {
  const std::vector<std::size_t> swaps = swaps_that_sort(e.permutation);
  ast::Exp exp = variable(e.array);
  for (auto swap = swaps.rbegin(); swap != swaps.rend(); ++swap) {
    ast::Exp function = variable("transpose");
    for (std::size_t d = 1; d < *swap; ++d) function = applied("map", {std::move(function)});
    exp = *swap == 0 ? applied(std::move(function), {std::move(exp)}) : applied("map", {std::move(function), std::move(exp)});
  }
  return exp;
}

/// Flattened to one dimension, then unflattened; the sizes are said where the language computes others.
ast::Exp Raiser::reshaped(const Reshape& e) const {
  const Type from = type_of(e.array);
  ast::Exp exp = variable(e.array);
  const auto in_one_step = [](const std::string& function, int rank) {
    return rank == 2 ? function : function + "_" + std::to_string(rank) + "d";
  };
  int rank = from.rank();
  for (; rank > 4; --rank) exp = applied("flatten", {std::move(exp)});
  if (rank > 1) exp = applied(in_one_step("flatten", rank), {std::move(exp)});
  std::optional<ast::Exp> product;
  for (const Atom& dim : e.shape) product = product ? binary(std::move(*product), "*", count(dim)) : count(dim);
  if (!product) throw NotRaised{};
  exp = raise::exp(ast::Coerce{std::move(exp), array_type({std::move(*product)}, type(scalar(from.elem)))});
  rank = static_cast<int>(e.shape.size());
  for (; rank > 4; --rank) exp = applied("unflatten", {std::move(exp)});  // [a * b][c], then [a][b][c]
  if (rank > 1) exp = applied(in_one_step("unflatten", rank), {std::move(exp)});
  return e.shape.size() > 1 ? raise::exp(ast::Ascribe{std::move(exp), type(ir::array(from.elem, e.shape))}) : std::move(exp);
}

ast::SliceIndex Raiser::slice(const Slice& s) const {
  const auto start = number_in(s.start), length = number_in(s.count), stride = number_in(s.stride);
  const auto end = [&]() -> ast::Exp {
    if (start && length && stride) return number(*start + *length * *stride);
    if (stride == 1) return start == 0 ? count(s.count) : binary(count(s.start), "+", count(s.count));
    if (stride == -1) return binary(count(s.start), "-", count(s.count));
    return binary(count(s.start), "+", binary(count(s.count), "*", count(s.stride)));
  };
  ast::SliceIndex result;
  if (start != 0 || stride != 1) result.start = ast::Box<ast::Exp>(count(s.start));
  result.end = ast::Box<ast::Exp>(end());
  if (stride != 1) result.stride = ast::Box<ast::Exp>(count(s.stride));
  return result;
}

std::vector<ast::DimIndex> Raiser::indices(const std::vector<DimIndex>& list) const {
  std::vector<ast::DimIndex> result;
  for (const DimIndex& index : list) {
    if (const auto* part = std::get_if<Slice>(&index)) result.push_back(slice(*part));
    else result.push_back(ast::Box<ast::Exp>(count(std::get<Atom>(index))));
  }
  return result;
}

/// The language computes the size of a slice; ours has a name.
ast::Exp Raiser::indexed(const Index& e, const Type& type) const {
  if (e.indices.empty()) return variable(e.array);
  ast::Exp exp = raise::exp(ast::Index{array(e.array), indices(e.indices)});
  if (!node_in<ast::Var>(*node_in<ast::Index>(exp)->array)) node_in<ast::Index>(exp)->array = variable(e.array);
  return has_slice(e.indices) ? raise::exp(ast::Coerce{std::move(exp), this->type(type)}) : std::move(exp);
}

ast::Exp Raiser::updated(const Update& e) const {
  if (e.indices.empty()) return applied("copy", {operand(e.value, e.array)});
  return exp(ast::With{variable(e.array), {ast::Access(indices(e.indices))}, written(e)});
}

/// The value of an update. The language takes the size of xs[i:i + k] to be i + k - i, so it is said that a value of size k fits.
ast::Exp Raiser::written(const Update& e) const {
  std::vector<ast::Exp> sizes;
  bool as_it_is = true;
  for (const DimIndex& index : e.indices) {
    const auto* part = std::get_if<Slice>(&index);
    if (!part) continue;
    const auto start = number_in(part->start);
    const bool is_computed = number_in(part->stride) == 1 && start != 0 && !(start && number_in(part->count));
    as_it_is = as_it_is && !is_computed;
    sizes.push_back(is_computed ? binary(binary(count(part->start), "+", count(part->count)), "-", count(part->start))
                                : count(part->count));
  }
  ast::Exp value = operand(e.value, e.array);
  if (as_it_is) return value;
  ast::Type row = type(row_type(type_of(e.array), static_cast<int>(e.indices.size())));
  return exp(ast::Coerce{std::move(value), array_type(std::move(sizes), std::move(row))});
}

}  // namespace boustro::raise
