#include "transform/lower/context.hpp"

#include <algorithm>
#include <utility>

#include "transform/ir/traversal.hpp"
#include "transform/ir/words.hpp"

namespace boustro::lower {

using ir::BinOpKind;

Context::Context(const check::TypedProgram& source) : source(source) {
  for (const check::Definition& definition : source.definitions) {
    definitions_.emplace(definition.name.id, &definition);
  }
}

namespace {

ir::Provenance provenance(const Context& context) {
  ir::Provenance result;
  if (context.at().valid()) result.at.push_back(context.at());
  const auto& sites = context.function->call_sites;
  for (auto site = sites.rbegin(); site != sites.rend(); ++site) {
    if (site->valid() && (result.at.empty() || result.at.back() != *site))
      result.at.push_back(*site);
  }
  const FunctionState& function = *context.function;
  result.within.lets.assign(function.lets.rbegin(), function.lets.rend());
  if (!function.called.empty()) result.within.functions.push_back(function.called);
  return result;
}

}  // namespace

/// The first name in an open block that is bound to an equal expression, whichever of several equal operands it names.
std::optional<ir::Name> Context::recalled(ir::Exp exp) const {
  for (const auto& open : function->blocks) ir::substitute(exp, open->same);
  for (const auto& open : function->blocks) {
    const auto found = std::find_if(open->values.begin(), open->values.end(), [&](const auto& value) { return value.first == exp; });
    if (found != open->values.end()) return found->second;
  }
  return std::nullopt;
}

/// What a printed program computes may be asked for again by its types.
void Context::note_value(const ir::Name& name, ir::Exp exp) {
  if (!printed || !block().builder.names.type_of(name).is_scalar()) return;
  const auto before = recalled(exp);
  if (before) block().same.emplace(name, *before);
  for (const auto& open : function->blocks) ir::substitute(exp, open->same);
  if (!before) block().values.emplace_back(std::move(exp), name);
}

ir::Name Context::emit(std::string_view base, ir::Exp exp) {
  if (recalls)
    if (const auto name = recalled(exp)) return *name;
  block().builder.origin = provenance(*this);
  const bool unchecked = unsafe && std::holds_alternative<ir::BinOp>(exp) && ir::may_fail(exp);
  const ir::Name result = block().builder.let(base, std::move(exp));
  if (unchecked) block().builder.stms.back().attributes.push_back({"unsafe", {}});
  note_value(result, block().builder.stms.back().exp);
  return result;
}

std::vector<ir::Name> Context::emit_all(const std::vector<std::string>& bases, ir::Exp exp) {
  block().builder.origin = provenance(*this);
  return block().builder.let_all(bases, std::move(exp));
}

void Context::emit(std::vector<ir::Param> pattern, ir::Exp exp) {
  block().builder.origin = provenance(*this);
  block().builder.let(std::move(pattern), std::move(exp));
}

Value Context::fresh(const Value& value, const Type& element) {
  if (printed) return value;
  std::vector<Atom> atoms = leaves(value);
  for (Atom& atom : atoms) {
    const ir::Name name = std::get<ir::Name>(atom);
    atom = emit(name.base, ir::Copy{name});
    const auto known = preferred.find(name);
    call_as({atom}, known == preferred.end() ? source_name(called(name), at_) : SourceName{known->second});
  }
  return from_leaves(element, atoms);
}

namespace {

std::optional<Atom> folded(BinOpKind kind, const Atom& x, const Atom& y) {
  const PrimValue* a = ir::literal_in(x);
  const PrimValue* b = ir::literal_in(y);
  const auto is = [](const PrimValue* literal, std::int64_t value) {
    return literal && literal->as_int() == value;
  };
  if (kind == BinOpKind::add && is(a, 0)) return y;
  if (kind == BinOpKind::add && is(b, 0)) return x;
  if (kind == BinOpKind::sub && is(b, 0)) return x;
  if (kind == BinOpKind::sub && x == y) return ir::int_atom(0);
  if (kind == BinOpKind::mul && is(a, 1)) return y;
  if (kind == BinOpKind::mul && is(b, 1)) return x;
  if (kind == BinOpKind::mul && (is(a, 0) || is(b, 0))) return ir::int_atom(0);
  if (!a || !b) return std::nullopt;
  const auto wrapped = [](std::uint64_t value) {
    return ir::int_atom(static_cast<std::int64_t>(value));
  };
  switch (kind) {
    case BinOpKind::add:
      return wrapped(a->bits + b->bits);
    case BinOpKind::sub:
      return wrapped(a->bits - b->bits);
    case BinOpKind::mul:
      return wrapped(a->bits * b->bits);
    default:
      return std::nullopt;
  }
}

}  // namespace

namespace {

std::tuple<BinOpKind, Atom, Atom> key_of(BinOpKind kind, Atom x, Atom y) {
  const bool commutes = kind == BinOpKind::add || kind == BinOpKind::mul;
  if (commutes && y < x) std::swap(x, y);
  return {kind, std::move(x), std::move(y)};
}

}  // namespace

Atom Context::size_op(BinOpKind kind, Atom x, Atom y, std::string_view base) {
  if (const auto constant = folded(kind, x, y)) return *constant;
  if (recalls)  // d * k, where k * d has another name
    if (const auto name = recalled(ir::BinOp{kind, PrimType::i64, x, y})) return *name;
  const auto key = key_of(kind, std::move(x), std::move(y));
  for (const auto& open : function->blocks) {
    if (const auto found = open->sizes.find(key); found != open->sizes.end()) return found->second;
  }
  const auto& [op, lhs, rhs] = key;
  const Atom result = emit(base, ir::BinOp{op, PrimType::i64, lhs, rhs});
  block().sizes.emplace(key, result);
  return result;
}

Atom Context::size_op_as_printed(BinOpKind kind, const Atom& x, const Atom& y, std::string_view base) {
  const Atom result = emit(base, ir::BinOp{kind, PrimType::i64, x, y});
  block().sizes.emplace(key_of(kind, x, y), result);
  return result;
}

std::optional<Atom> Context::known_size(const SizeKey& key) const {
  for (const auto& open : function->blocks) {
    if (const auto found = open->size_exps.find(key); found != open->size_exps.end())
      return found->second;
  }
  return std::nullopt;
}

void Context::open_block() { function->blocks.push_back(std::make_unique<Block>(names)); }

ir::Body Context::close_block(std::vector<Atom> result) {
  ir::Body body{std::move(block().builder.stms), std::move(result)};
  function->blocks.pop_back();
  return body;
}

bool Context::is_local(const Atom& atom) const {
  const ir::Name* name = ir::name_in(atom);
  return name && name->tag >= function->blocks.back()->first_tag;
}

namespace {

/// Unlike the number of a tuple's component.
bool is_word(const std::string& field) { return std::isalpha(static_cast<unsigned char>(field[0])); }

}  // namespace

void Context::call(const Value& value, const std::string& text, SourceRange at) {
  call_as(value, source_name(text, at));
}

void Context::call_argument(const Value& value, const std::string& text, SourceRange at) {
  SourceName name = source_name(text, at);
  if (text.size() <= 2) name.tells = std::min(name.tells, SourceName::Tells::component);
  call_as(value, name);
}

Context::SourceName Context::source_name(const std::string& text, SourceRange at) const {
  return {text, of_prelude(at) ? SourceName::Tells::nothing : SourceName::Tells::all};
}

void Context::call_as(const Value& value, const SourceName& called) {
  if (keep_names) return;
  const auto prefer = [&](const Atom& atom, const SourceName& name) {
    const ir::Name* variable = ir::name_in(atom);
    if (!variable) return;
    const auto [known, is_new] = preferred.try_emplace(*variable, name);
    if (!is_new && known->second.tells < name.tells) known->second = name;
  };
  const auto part = [&](const std::string& field) {
    return SourceName{called.text + "_" + field, is_word(field) ? called.tells : std::min(called.tells, SourceName::Tells::component)};
  };
  ir::match(
      value.node,  //
      [&](const Atom& atom) { prefer(atom, called); },
      [&](const RecordValue& record) {
        for (const FieldValue& f : record.fields) call_as(f.value, part(f.name));
      },
      [&](const KnownSum& sum) {
        for (std::size_t i = 0; i < sum.payload.size(); ++i) call_as(sum.payload[i], part(std::to_string(i)));
      },
      [&](const DynamicSum& sum) {
        prefer(sum.tag, part("tag"));
        for (std::size_t i = 0; i < sum.slots.size(); ++i) prefer(sum.slots[i], part(std::to_string(i)));
      },
      [](const ClosureRef&) {});
}

void Context::call_field(const Value& value, const std::string& field) {
  const auto* atom = std::get_if<Atom>(&value.node);
  const ir::Name* name = atom ? ir::name_in(*atom) : nullptr;
  const auto& stms = block().builder.stms;
  const bool is_new = name && !stms.empty() && stms.back().pattern.size() == 1 && stms.back().pattern[0].name == *name;
  if (is_new && is_word(field)) roles.try_emplace(*name, field);
}

void Context::call_by_elements(const ir::Name& array, const ir::Name& element) {
  const auto name = preferred.find(element);
  const bool says_something = name != preferred.end() && !name->second.is_vague() && name->second.text.size() > 2;
  if (says_something) roles.try_emplace(array, ir::plural(name->second.text));
}

void Context::call_by_array(const ir::Name& element, const ir::Name& array) {
  const auto name = preferred.find(array);
  if (name != preferred.end() && !name->second.is_vague()) roles.try_emplace(element, ir::element_of(name->second.text));
}

std::string Context::called(const ir::Name& name) const {
  const auto source = preferred.find(name);
  const auto role = roles.find(name);
  if (source != preferred.end() && (!source->second.is_vague() || role == roles.end())) return source->second.text;
  return role == roles.end() ? name.base : role->second;
}

const check::Definition* Context::definition(const check::Name& name) const {
  const auto found = definitions_.find(name.id);
  return found == definitions_.end() ? nullptr : found->second;
}

}  // namespace boustro::lower
