#include "transform/ir/builder.hpp"

#include <algorithm>

#include "frontend/source/diagnostics.hpp"
#include "transform/ir/parts.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::ir {

std::string with_ending(std::string_view base, std::string_view ending) {
  return std::string(base) + (base.ends_with(ending) ? "" : std::string(ending));
}
namespace {

struct Binder : parts::Deep<Binder> {
  explicit Binder(Names& names) : names(names) {}
  Names& names;

  void use(const Name&) {}
  void use(const Atom&) {}
  void bind(const Name&) {}
  void typed(const Name& name, const Type& type) { names.bind(name, type); }
};

/// Gives each binding a fresh name and follows it through its scope.
struct Renamer : parts::Deep<Renamer> {
  Renamer(Names& names, Substitution& substitution) : names(names), substitution(substitution) {}
  Names& names;
  Substitution& substitution;

  void use(Name& name) {
    const Atom changed = substitute(name, substitution);
    const Name* other = name_in(changed);
    source::internal_check(other != nullptr, "rename: an array operand is replaced by a literal");
    name = *other;
  }
  void use(Atom& atom) { atom = substitute(atom, substitution); }
  void bind(Name& name) {
    const Name fresh = names.fresh(name);
    substitution.insert_or_assign(name, fresh);
    name = fresh;
  }
  void typed(const Name& name, const Type& type) { names.bind(name, type); }
};

template <typename Node>
Node renamed(const Node& node, Names& names, Substitution& substitution) {
  Node copy = node;
  Renamer renamer(names, substitution);
  parts::visit(copy, renamer);
  return copy;
}

}  // namespace

// ---- Names ---------------------------------------------------------------------------------------

Names::Names(const Program& program) {
  Binder binder(*this);
  for (const Function& function : program.functions) {
    bind_function(function);
    parts::visit(function, binder);
  }
}

Name Names::fresh(std::string_view base) { return {std::string(base), next_tag_++}; }

void Names::bind(const Name& name, Type type) {
  next_tag_ = std::max(next_tag_, name.tag + 1);
  types_.insert_or_assign(name, std::move(type));
}

Name Names::bind_fresh(std::string_view base, Type type) {
  Name name = fresh(base);
  bind(name, std::move(type));
  return name;
}

Param Names::fresh_param(std::string_view base, Type type, bool unique) {
  Name name = bind_fresh(base, type);
  return {std::move(name), std::move(type), unique};
}

const Type& Names::type_of(const Name& name) const {
  const auto found = types_.find(name);
  if (found == types_.end()) {
    source::internal_error(fmt::format("type_of: unknown name {}_{}", name.base, name.tag));
  }
  return found->second;
}

Type Names::type_of(const Atom& atom) const {
  return match(
      atom, [this](const Name& name) { return type_of(name); },
      [](const PrimValue& value) { return scalar(value.type); });
}

bool Names::knows(const Name& name) const { return types_.contains(name); }

void Names::bind_function(const Function& function) {
  next_tag_ = std::max(next_tag_, function.name.tag + 1);
  functions_.insert_or_assign(function.name, Signature{function.params, function.result_types});
}

// ---- Builder -------------------------------------------------------------------------------------

Name Builder::let(std::string_view base, Exp exp) {
  return let_all({std::string(base)}, std::move(exp)).at(0);
}

std::vector<Name> Builder::let_all(const std::vector<std::string>& bases, Exp exp) {
  const std::vector<Type> types = names.types_of(exp);
  source::internal_check(bases.size() == types.size() || bases.size() == 1,
                         "Builder::let_all: one base a result, or one for all");
  std::vector<Param> pattern;
  std::vector<Name> bound;
  for (std::size_t i = 0; i < types.size(); ++i) {
    pattern.push_back(names.fresh_param(bases[bases.size() == 1 ? 0 : i], types[i]));
    bound.push_back(pattern.back().name);
  }
  stms.push_back({std::move(pattern), std::move(exp), origin, {}});
  return bound;
}

void Builder::let(std::vector<Param> pattern, Exp exp, std::vector<Attribute> attributes) {
  add({std::move(pattern), std::move(exp), origin, std::move(attributes)});
}

void Builder::add(Stm stm) {
  for (const Param& param : stm.pattern) names.bind(param.name, param.type);
  stms.push_back(std::move(stm));
}

void Builder::add(const std::vector<Stm>& more) {
  for (const Stm& stm : more) add(stm);
}

namespace {

PrimType elem_of(const Names& names, const Atom& atom) { return names.type_of(atom).elem; }

}  // namespace

Atom Builder::unop(std::string_view base, UnOpKind kind, const Atom& x) {
  return let(base, UnOp{kind, elem_of(names, x), x});
}

Atom Builder::binop(std::string_view base, BinOpKind kind, const Atom& x, const Atom& y) {
  return let(base, BinOp{kind, elem_of(names, x), x, y});
}

Atom Builder::cmp(std::string_view base, CmpOpKind kind, const Atom& x, const Atom& y) {
  return let(base, CmpOp{kind, elem_of(names, x), x, y});
}

Atom Builder::math(std::string_view base, MathFn fn, std::vector<Atom> args) {
  const PrimType first = elem_of(names, args.at(0));
  source::internal_check(fn != MathFn::from_bits, "Builder::math: from_bits needs its type, use let");
  return let(base, MathOp{fn, first, std::move(args)});
}

Atom Builder::convert(std::string_view base, PrimType to, const Atom& x) {
  return let(base, Convert{elem_of(names, x), to, x});
}

Name Builder::index(std::string_view base, const Name& array, std::vector<Atom> indices,
                    bool checked) {
  return let(base, Index{array, {indices.begin(), indices.end()}, checked});
}

void Builder::assert_that(const Atom& condition, std::string message, std::vector<Atom> args) {
  add({{}, Assert{condition, std::move(message), std::move(args)}, origin, {}});
}

// ---- Renaming ------------------------------------------------------------------------------------

Body rename(const Body& body, Names& names, Substitution substitution) {
  return renamed(body, names, substitution);
}

Lambda rename(const Lambda& lambda, Names& names, Substitution substitution) {
  return renamed(lambda, names, substitution);
}

std::vector<Stm> rename(const std::vector<Stm>& stms, Names& names, Substitution& substitution) {
  return renamed(Body{stms, {}}, names, substitution).stms;
}

Function rename(const Function& function, Names& names) {
  Substitution substitution;
  return renamed(function, names, substitution);
}

std::vector<Atom> inline_lambda(Builder& builder, const Lambda& lambda,
                                const std::vector<Atom>& args) {
  source::internal_check(lambda.params.size() == args.size(), "inline_lambda: count of arguments");
  Substitution substitution;
  for (std::size_t i = 0; i < args.size(); ++i) {
    substitution.insert_or_assign(lambda.params[i].name, args[i]);
  }
  const Body body = rename(lambda.body, builder.names, std::move(substitution));
  builder.add(body.stms);
  return body.result;
}

}  // namespace boustro::ir
