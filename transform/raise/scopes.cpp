// Atoms, types, patterns; bodies and lambdas.
#include <algorithm>

#include "transform/ir/parts.hpp"
#include "transform/ir/traversal.hpp"
#include "transform/raise/raiser.hpp"

namespace boustro::raise {

using namespace ir;

namespace {

/// The types of all names that are bound inside, and which are used.
struct Bound : parts::Deep<Bound> {
  std::unordered_map<Name, Type>* types;
  std::unordered_set<Name>* used;

  void use(const Name& name) { used->insert(name); }
  void use(const Atom& atom) {
    if (const Name* name = name_in(atom)) used->insert(*name);
  }
  void bind(const Name&) {}
  void typed(const Name& name, const Type& type) { types->insert_or_assign(name, type); }
};

void collect_definitions(const Body& body, std::unordered_map<Name, const Stm*>& definitions) {
  for (const Stm& stm : body.stms) {
    for (const Param& param : stm.pattern) definitions.emplace(param.name, &stm);
    for_each_body(stm.exp, [&](const Body& inner) { collect_definitions(inner, definitions); });
  }
}

}  // namespace

std::vector<bool> sizes_among(const std::vector<Param>& params) {
  std::vector<bool> sizes;
  for (const Param& size : params) {
    sizes.push_back(std::any_of(params.begin(), params.end(), [&](const Param& param) {
      return std::find(param.type.shape.begin(), param.type.shape.end(), Atom(size.name)) != param.type.shape.end();
    }));
  }
  return sizes;
}

Raiser::Raiser(const Function& function, Surroundings& surroundings)
    : function_(function), around_(surroundings), literals_(function) {
  Bound bound;
  bound.types = &types_;
  bound.used = &used_;
  parts::visit(function, bound);
  collect_definitions(function.body, definitions_);
  for (const auto& [name, type] : types_)
    if (type.accumulator) memory.accumulators.insert(tagged(name));
}

const Stm* Raiser::definition_of(const Name& name) const {
  const auto found = definitions_.find(name);
  return found == definitions_.end() ? nullptr : found->second;
}

Type Raiser::type_of(const Name& name) const {
  const auto found = types_.find(name);
  return found == types_.end() ? Type{} : found->second;
}

ast::Exp Raiser::operand(const Atom& atom, const Name& like) const { return operand(atom, literals_.is_known(like)); }

ast::Exp Raiser::operand(const Atom& atom, bool known) const {
  return match(
      atom, [](const Name& name) { return variable(name); }, [&](const PrimValue& value) { return literal(value, known); });
}

ast::Exp Raiser::array(const Name& name) const {
  const auto level = level_of_.find(name);
  if (level == level_of_.end() || level->second != level_) return variable(name);
  return applied("iota", {count(std::get<Iota>(definition_of(name)->exp).width)});
}

std::vector<ast::Exp> Raiser::arrays(const std::vector<Name>& names) const {
  std::vector<ast::Exp> result;
  for (const Name& name : names) result.push_back(array(name));
  return result;
}

ast::Type Raiser::type(const Type& type, bool unique) const {
  ast::Type result{ast::NamedType{{{}, std::string(values::name_of(type.elem)), {}}, {}}, {}};
  for (auto size = type.shape.rbegin(); size != type.shape.rend(); ++size)
    result = {ast::ArrayType{ast::Size(count(*size)), std::move(result)}, {}};
  if (type.accumulator)
    result = {ast::NamedType{{{"core"}, "acc", {}}, {ast::TypeArg(ast::Box<ast::Type>(std::move(result)))}}, {}};
  const bool is_unique = type.accumulator || (unique && !type.shape.empty());
  return is_unique ? ast::Type{ast::UniqueType{std::move(result)}, {}} : result;
}

ast::Pattern Raiser::param(const Param& param) const {
  ast::Pattern name = named(tagged(param.name));
  return around_.annotate && !param.type.is_scalar() ? ascribed(std::move(name), type(param.type, param.unique)) : name;
}

std::vector<ast::Pattern> Raiser::params(const std::vector<Param>& list, std::size_t begin, std::size_t count) const {
  std::vector<ast::Pattern> patterns;
  for (std::size_t i = begin; i < begin + count; ++i) patterns.push_back(param(list.at(i)));
  return patterns;
}

ast::Pattern Raiser::names_of(const std::vector<Param>& pattern) const {
  std::vector<ast::Pattern> names;
  for (const Param& p : pattern) names.push_back(named(tagged(p.name)));
  return nested_tuple(std::move(names));
}

// ---- Bodies ----------------------------------------------------------------------------------------

std::vector<ast::Exp> Raiser::results(const Body& body, const std::vector<Name>& like, const std::vector<bool>& left_out) {
  std::vector<ast::Exp> exps;
  for (std::size_t i = 0; i < body.result.size(); ++i) {
    const bool known = i < like.size() && literals_.is_known(like[i]);
    if (i >= left_out.size() || !left_out[i]) exps.push_back(operand(body.result[i], known));
  }
  return exps;
}

ast::Exp Raiser::scope(const Body& body, ast::Exp result) {
  Bindings bindings;
  for (const Stm& stm : body.stms) statement(stm, bindings);
  if (bindings.empty()) return result;
  return exp(ast::Let{std::move(bindings), std::move(result)});
}

ast::Exp Raiser::body(const Body& body, const std::vector<Name>& like, Tuples tuples, const std::vector<bool>& left_out) {
  std::vector<ast::Exp> exps = results(body, like, left_out);
  return scope(body, tuples == Tuples::flat ? flat_tuple(std::move(exps)) : nested_tuple(std::move(exps)));
}

ast::Exp Raiser::lambda(const Lambda& fn, std::vector<ast::Pattern> params, const std::vector<Name>& like) {
  const int before = level_;
  level_ = ++levels_;
  ast::Exp result = exp(ast::Lambda{std::move(params), std::nullopt, body(fn.body, like, Tuples::nested)});
  level_ = before;
  return result;
}

/// (+), f64.max, or a lambda on two operands, which are tuples if there are several components.
ast::Exp Raiser::operator_exp(const Lambda& op, const std::vector<Name>& like) {
  const auto kind = as_binop(op);
  const PrimType elem = op.params.empty() ? PrimType::boolean : op.params[0].type.elem;
  if (kind && elem == PrimType::boolean) {
    if (*kind == BinOpKind::bit_and) return variable("&&");
    if (*kind == BinOpKind::bit_or) return variable("||");
  } else if (kind) {
    const std::string_view symbol = symbol_of(*kind);
    return symbol.empty() ? member(values::name_of(elem), name_of(*kind)) : variable(std::string(symbol));
  }
  const std::size_t half = op.params.size() / 2;
  std::vector<ast::Pattern> operands;
  operands.push_back(nested_tuple(params(op.params, 0, half)));
  operands.push_back(nested_tuple(params(op.params, half, op.params.size() - half)));
  return lambda(op, std::move(operands), like);
}

}  // namespace boustro::raise
