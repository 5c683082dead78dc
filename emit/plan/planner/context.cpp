#include "emit/plan/planner/context.hpp"

#include <algorithm>

#include "emit/plan/planner/arithmetic.hpp"
#include "emit/plan/planner/code.hpp"
#include "emit/plan/planner/scalar_code.hpp"
#include "emit/plan/planner/counts.hpp"
#include "emit/plan/planner/gathered.hpp"
#include "emit/plan/planner/unused.hpp"
#include "emit/plan/query_name.hpp"
#include "transform/ir/print.hpp"
#include "transform/ir/traversal.hpp"
#include "transform/simplify/common.hpp"

namespace boustro::plan::planner {

using source::internal_check;

namespace {

void add_called(const ir::Body& body, std::set<ir::Name>& names) {
  for (const ir::Stm& stm : body.stms) {
    if (const auto* call = std::get_if<ir::Call>(&stm.exp)) names.insert(call->function);
    ir::for_each_body(stm.exp, [&](const ir::Body& inner) { add_called(inner, names); });
  }
}

std::set<ir::Name> called_functions(const ir::Program& core) {
  std::set<ir::Name> names;
  for (const ir::Function& function : core.functions) add_called(function.body, names);
  return names;
}

void add_variables(const ir::Body& body, std::set<std::string>& names) {
  for (const ir::Stm& stm : body.stms) {
    for (const ir::Param& param : stm.pattern) names.insert(identifier(param.name.base));
    ir::for_each_body(stm.exp, [&](const ir::Body& inner) { add_variables(inner, names); });
  }
}

void add_variables(const ir::Function& function, std::set<std::string>& names) {
  for (const ir::Param& param : function.params) names.insert(identifier(param.name.base));
  add_variables(function.body, names);
}

}  // namespace

Context::Context(const ir::Program& core, const Options& options, Program& plan)
    : core(core), callees(core), options(options), plan(plan), names(core), aliases_(core) {
  file_names.follow(&origin_, &others);
  // Entries first: their names are what people call.
  for (const ir::Function& function : core.functions) {
    names.bind_function(function);
    add_variables(function, variables_);
    if (function.entry) function_names_[function.name] = fresh_entry_name(function.entry->name);
  }
  if (gpu() && options.reassociate)
    for (const ir::Function& function : core.functions) zeros.note(function.body);
  const std::set<ir::Name> called = called_functions(core);
  for (const ir::Function& function : core.functions) {
    if (!function.entry && called.contains(function.name) && is_device_function(function))
      function_names_[function.name] = file_names.fresh(function.name.base);
  }
}

std::string Context::fresh_entry_name(std::string_view base) {
  std::string name = file_names.fresh(base);
  while (file_names.taken(query_name(name))) name = file_names.fresh(base);
  file_names.reserve_everywhere(query_name(name));
  return name;
}

std::string Context::file_name(std::string_view base) {
  std::string name = file_names.fresh(base);
  while (variables_.contains(name)) name = file_names.fresh(base);
  const Other& other = others.at(name);
  const bool tells_nothing = !other.rather.empty() && !other.says_whose;
  const auto of_entry = tells_nothing && !entry.name.empty() ? part_of(entry.name, identifier(base)) : std::nullopt;
  if (!of_entry || file_names.taken(*of_entry) || variables_.contains(*of_entry)) return name;
  file_names.release(name);
  return file_names.fresh(*of_entry);
}

const std::string& Context::entry_name(const ir::Function& entry) const {
  return function_names_.at(entry.name);
}

void Context::begin_entry(const ir::Function& function) {
  entry = {};
  uses = Uses(function);
  gathered = gpu() ? ir::NameSet() : gathered_arrays(function.body);
  counts = counts_of(function);
  letters = index_letters(function);
  entry_sizes.clear();
  early_variables.clear();
  param_extents.clear();
  limits_.clear();
  place_ = function.at;
  origin_ = {};
}

void Context::at(const ir::Stm& stm) {
  origin_ = stm.origin;
  if (!options.sources) return;
  const source::SourceRange shown = options.sources->shown(stm.origin.at);
  if (shown.valid()) place_ = shown;
}

namespace {

/// By a rule of differentiation, or what is inside of it is.
bool is_derived(const ir::Stm& stm) {
  bool inside = false;
  ir::for_each_body(stm.exp, [&](const ir::Body& body) { inside = inside || std::ranges::any_of(body.stms, is_derived); });
  return inside || !stm.origin.rule.empty();
}

}  // namespace

ir::Sweep sweep_of(const ir::Stm& stm) {
  const auto is_adjoint = [](const ir::Param& result) { return result.name.base.ends_with("_adj"); };
  const bool makes_adjoints = !stm.pattern.empty() && std::ranges::all_of(stm.pattern, is_adjoint) && is_derived(stm);
  return stm.origin.rule == "contraction" || makes_adjoints ? ir::Sweep::reverse : stm.origin.sweep;
}

MadeFor Context::origin_of(const ir::Stm& stm) const {
  std::string line;
  source::SourceRange place;
  if (options.sources && !stm.origin.at.empty()) {
    place = options.sources->shown(stm.origin.at);
    line = options.sources->file_and_line(place);
  }
  const std::vector<std::string>& lets = stm.origin.within.lets;
  return {stm.origin.rule.empty() && line.empty() ? "" : stm.origin.rule + "|" + line, sweep_of(stm), place, lets.empty() ? "" : lets.front()};
}

// ---- Functions

const ir::Function& Context::function(const ir::Name& name) const {
  for (const ir::Function& function : core.functions) {
    if (function.name == name) return function;
  }
  source::internal_error("plan: unknown function " + ir::to_string(name));
}

ir::Body Context::inlined(const ir::Call& call) {
  const ir::Function& callee = function(call.function);
  ir::Substitution here;
  for (std::size_t i = 0; i < callee.params.size(); ++i) here.emplace(callee.params[i].name, call.args[i]);
  ir::Body results{{}, callee.body.result};
  ir::Body body{ir::rename(callee.body.stms, names, here), {}};
  ir::substitute(results, here);
  body.result = std::move(results.result);
  for (const ir::Param& param : callee.params) here.erase(param.name);
  for (const auto& [name, copy] : here) originals_.emplace(std::get<ir::Name>(copy), name);
  uses.add(body);
  return body;
}

bool Context::settled(const ir::Name& array) const {
  const auto original = originals_.find(array);
  return aliases_.settled(original == originals_.end() ? array : original->second);
}

bool Context::is_device_function(const ir::Function& function) {
  const auto scalar = [](const ir::Type& type) { return type.is_scalar(); };
  return !function.result_types.empty() &&
         std::all_of(function.params.begin(), function.params.end(),
                     [&](const ir::Param& param) { return scalar(param.type); }) &&
         std::all_of(function.result_types.begin(), function.result_types.end(), scalar) &&
         is_code_of_scalars(*this, function.body);
}

namespace {

/// What a function on scalars alone is embedded in: nothing.
Surroundings nothing_around() {
  Surroundings around;
  around.import = [](const ir::Name& name) -> Value {
    source::internal_error("plan: not defined: " + ir::to_string(name));
  };
  around.allocate = [](const std::string& base, PrimType, const std::vector<Scalar>&) -> View {
    source::internal_error("plan: array in a function of scalars: " + base);
  };
  return around;
}

}  // namespace

std::vector<std::string> field_names(const ir::Function& function) {
  std::vector<std::string> names;
  std::map<std::string, int> count;
  for (const ir::Atom& result : function.body.result) {
    const ir::Name* name = ir::name_in(result);
    names.push_back(name && !name->base.empty() ? identifier(name->base) : "");
    ++count[names.back()];
  }
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i].empty() || count[names[i]] > 1) names[i] = "result_" + std::to_string(i);
  return names;
}

const Function& Context::device_function(const ir::Name& name) {
  const auto found = emitted_.find(name);
  if (found != emitted_.end()) return found->second;

  const ir::Function& core_function = function(name);
  Uses outer = std::exchange(uses, Uses(core_function));
  Function result{.name = function_names_.at(name)};
  Identifiers identifiers = file_names;
  Code code(*this, identifiers, nothing_around());
  for (const ir::Param& param : core_function.params) {
    result.params.push_back(
        {.name = identifiers.fresh(param.name.base), .type = scalar_type(param.type.elem)});
    code.bind(param.name, Scalar{var(result.params.back())});
  }
  code.body(core_function.body);
  std::vector<Expr> values;
  for (const ir::Atom& atom : core_function.body.result) values.push_back(code.value(atom));
  if (values.size() == 1) {
    result.result = scalar_type(core_function.result_types[0].elem);
    code.emit(Return{values[0]});
  } else {
    Struct record{.name = file_name(type_name(result.name) + "Result")};
    const std::vector<std::string> names = field_names(core_function);
    for (std::size_t i = 0; i < values.size(); ++i) record.fields.push_back({.name = names[i], .type = values[i].type});
    result.result = struct_type(record.name);
    code.emit(Return{construct(record.name, values)});
    plan.definitions.push_back(record);
  }
  result.body = code.take();
  if (const std::string_view doc = core_function.doc; !doc.empty()) result.comment.formula = {std::string(doc.substr(0, doc.find_last_not_of('\n') + 1))};
  result.comment.source = line_of(ir::Provenance{{core_function.at}, {}, ir::Sweep::none});
  uses = std::move(outer);
  plan.definitions.push_back(result);
  return emitted_.emplace(name, std::move(result)).first->second;
}

namespace {

std::optional<Expr> returned(const Functor& functor) {
  const auto* result = std::get_if<Return>(&functor.body.back().what);
  return result ? result->value : std::nullopt;
}

}  // namespace

const Functor* Context::known_operator(const Functor& op) const {
  for (const std::vector<Definition>* definitions : {&std::as_const(plan.definitions), &std::as_const(entry.definitions)}) {
    for (const Definition& definition : *definitions) {
      const auto* known = std::get_if<Functor>(&definition);
      const bool same = known && known->result == op.result && known->associative && known->fields.empty() && known->body.size() == 1 &&
                        op.body.size() == 1 && returned(*known) == returned(op) && known->params[0].name == op.params[0].name;
      if (same) return known;
    }
  }
  return nullptr;
}

std::string operator_name(const ir::Lambda& op, const std::string& base) {
  switch (const auto kind = ir::as_binop(op); kind ? *kind : ir::BinOpKind::sub) {
    case ir::BinOpKind::add:
      return "Add";
    case ir::BinOpKind::mul:
      return "Multiply";
    case ir::BinOpKind::min:
      return "Minimum";
    case ir::BinOpKind::max:
      return "Maximum";
    case ir::BinOpKind::bit_and:
      return "And";
    case ir::BinOpKind::bit_or:
      return "Or";
    case ir::BinOpKind::bit_xor:
      return "Xor";
    default:
      return "Combine" + type_name(base);
  }
}

std::string Context::functor_for(const ir::Lambda& op, bool commutative, const std::string& base) {
  auto outer = std::exchange(uses, {});
  uses.add(op);
  Functor functor{.name = base, .associative = true, .commutative = commutative};
  Identifiers identifiers = file_names;
  Code code(*this, identifiers, nothing_around());
  const bool known_by_name = ir::as_binop(op).has_value();
  for (const ir::Param& param : op.params) {
    internal_check(param.type.is_scalar(), "plan: operator on arrays as a functor");
    const std::string name = known_by_name ? functor.params.empty() ? "x" : "y" : param.name.base;
    functor.params.push_back({.name = identifiers.fresh(name), .type = scalar_type(param.type.elem)});
    code.bind(param.name, Scalar{var(functor.params.back())});
  }
  code.body(op.body);
  functor.result = scalar_type(op.result_types[0].elem);
  code.emit(Return{code.final_value(op.body.result[0])});
  functor.body = code.take();
  uses = std::move(outer);
  if (const Functor* known = known_operator(functor)) return known->name;
  functor.name = file_name(base);
  plan.definitions.push_back(functor);
  return functor.name;
}

namespace {

/// The same operations on their parameters.
bool are_equal(const ir::Lambda& a, const ir::Lambda& b) {
  ir::Substitution params;
  for (std::size_t i = 0; i < a.params.size() && a.params.size() == b.params.size(); ++i) {
    if (a.params[i].type != b.params[i].type || a.params[i].name.base != b.params[i].name.base) return false;
    params.emplace(b.params[i].name, a.params[i].name);
  }
  ir::Body body = b.body;
  ir::substitute(body, params);
  return a.params.size() == b.params.size() && simplify::equal_up_to_names(a.body, body);
}

}  // namespace

const Context::RecordOperator& Context::operator_on_records(const ir::Lambda& op, bool commutative, const std::string& base) {
  for (const auto& [known, result] : record_operators_)
    if (are_equal(known, op)) return *result;
  const std::size_t count = op.params.size() / 2;
  Struct record{.name = file_name(type_name(base) + "Values")};
  Identifiers fields = file_names;
  RecordOperator result{struct_type(record.name), {}, {}};
  for (std::size_t i = 0; i < count; ++i) {
    result.fields.push_back(fields.fresh(op.params[i].name.base));
    record.fields.push_back({.name = result.fields.back(), .type = scalar_type(op.params[i].type.elem)});
  }
  auto outer = std::exchange(uses, {});
  uses.add(op);
  Functor functor{.name = file_name(operator_name(op, base)), .result = result.value, .associative = true, .commutative = commutative};
  Identifiers identifiers = file_names;
  Code code(*this, identifiers, nothing_around());
  for (const char* name : {"x", "y"}) {
    functor.params.push_back({.name = identifiers.fresh(name), .type = const_reference_to(result.value)});
    const Expr value = var(functor.params.back());
    const std::size_t first = functor.params.size() == 1 ? 0 : count;
    for (std::size_t i = 0; i < count; ++i)
      code.bind(op.params[first + i].name, Scalar{field(value, result.fields[i], record.fields[i].type)});
  }
  code.body(op.body);
  std::vector<Expr> results;
  for (const ir::Atom& atom : op.body.result) results.push_back(code.value(atom));
  code.emit(Return{construct(record.name, results)});
  functor.body = code.take();
  drop_unused(functor.body);
  uses = std::move(outer);
  result.functor = functor.name;
  plan.definitions.push_back(std::move(record));
  plan.definitions.push_back(std::move(functor));
  return *record_operators_.emplace_back(op, std::make_unique<RecordOperator>(std::move(result))).second;
}

// ---- Checks

int Context::check_site(const ir::Provenance& origin, std::string message) {
  const CheckSite site{line_of(origin), std::move(message)};
  entry.can_fail = true;
  for (std::size_t i = 0; i < plan.checks.size(); ++i) {
    if (plan.checks[i].at == site.at && plan.checks[i].message == site.message) return static_cast<int>(i);
  }
  plan.checks.push_back(site);
  return static_cast<int>(plan.checks.size()) - 1;
}

void Context::add_piece(Piece piece) {
  if (!loops.empty()) piece.made_in = loops.back();
  piece.origin = origin;
  entry.scratch.pieces.push_back(std::move(piece));
}

std::string Context::line_of(const ir::Provenance& origin) const {
  if (!options.sources) return "";
  const source::SourceRange at = options.sources->shown(origin.at);
  return at.valid() ? options.sources->file_and_line(at) : "";
}

namespace {

/// The factors of a product of sizes and literals; nothing if it is something else.
std::optional<std::vector<Expr>> size_factors(const Expr& expr,
                                              const std::set<std::string>& sizes) {
  if (const auto* v = std::get_if<Var>(&expr.head)) {
    return sizes.contains(v->name) ? std::optional(std::vector{expr}) : std::nullopt;
  }
  if (int_value(expr)) return std::vector{expr};
  const Op* op = std::get_if<Op>(&expr.head);
  if (!op || *op != Op::mul) return std::nullopt;
  auto x = size_factors(expr.args[0], sizes);
  const auto y = size_factors(expr.args[1], sizes);
  if (!x || !y) return std::nullopt;
  x->insert(x->end(), y->begin(), y->end());
  return x;
}

}  // namespace

bool Context::limit_to_int(const Expr& size) {
  if (options.wide_index || !gpu()) return false;
  const auto factors = size_factors(size, entry_sizes);
  if (!factors) return false;
  // Factor by factor, so that the products that are compared do not overflow.
  Expr prefix = lit(1);
  for (const Expr& factor : *factors) {
    if (!int_value(factor) && factors->size() > 1) limit_to_int(factor);
    prefix = times(prefix, factor);
    if (int_value(prefix) || std::find(limits_.begin(), limits_.end(), prefix) != limits_.end())
      continue;
    limits_.push_back(prefix);
    entry.rejects.push_back({prefix > runtime::max_int_size()});
    entry.limits.push_back(to_string(prefix) + ": at most 2^30");
  }
  return true;
}

bool Context::is_never_negative(const Expr& expr) const {
  const auto never = [&](const Expr& arg) { return is_never_negative(arg); };
  if (const auto value = int_value(expr)) return *value >= 0;
  if (const auto* v = std::get_if<Var>(&expr.head)) return entry_sizes.contains(v->name);
  if (const Op* op = std::get_if<Op>(&expr.head))
    return (*op == Op::add || *op == Op::mul || *op == Op::div) && std::all_of(expr.args.begin(), expr.args.end(), never);
  const auto* call = std::get_if<Call>(&expr.head);
  if (call && call->function == "max") return std::any_of(expr.args.begin(), expr.args.end(), never);
  return call && call->function == "min" && std::all_of(expr.args.begin(), expr.args.end(), never);
}

bool Context::is_late(const Expr& expr) const {
  const auto* v = std::get_if<Var>(&expr.head);
  if (v && !early_variables.contains(v->name) && !runtime::is_constant(v->name)) return true;
  return std::any_of(expr.args.begin(), expr.args.end(),
                     [&](const Expr& arg) { return is_late(arg); });
}

Expr Context::bound_here(const Scalar& scalar) const {
  return scalar.upper && !is_late(*scalar.upper) ? *scalar.upper : scalar.expr;
}

Run Context::library_call(const Library& library, std::vector<Expr> args, std::vector<Expr> query, const Expr& most) {
  const bool late = is_late(most);
  if (late) entry.allocates = true;
  else entry.scratch.library.push_back({library.name, std::move(query)});
  entry.libraries.push_back(library);
  return {library.name, std::move(args), late};
}

}  // namespace boustro::plan::planner
