#include "transform/ir/verify/types.hpp"

#include <algorithm>

#include "frontend/source/diagnostics.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::ir::verification {

void verify_types(const Program& program, Report& report) {
  TypeChecker checker(program, report);
  for (const Function& function : program.functions) checker.check(function);
}

TypeChecker::TypeChecker(const Program& program, Report& report)
    : report_(report), names_(program) {}

void TypeChecker::check(const Function& function) {
  report_.enter(function);
  if (!functions_.emplace(function.name, &function).second) {
    report_.add("another function has the same name");
  }
  bind_all(function.params);
  for (int i = 0; i < function.size_params; ++i) {
    const Param& param = function.params.at(static_cast<std::size_t>(i));
    if (param.type != scalar(PrimType::i64)) {
      report_.add("the size parameter {} is not an i64", to_string(param.name));
    }
  }
  check_body(function.body);
  check_results(function);
  leave_body(function.body);
  for (const Param& param : function.params) unbind(param.name);
}

/// Result types mention parameters and those results that are sizes.
void TypeChecker::check_results(const Function& function) {
  const std::vector<Atom>& results = function.body.result;
  if (results.size() != function.result_types.size()) {
    return report_.add("yields {} results, but declares {}", results.size(), function.result_types.size());
  }
  for (std::size_t i = 0; i < results.size(); ++i) expect(results[i], function.result_types[i], "a result");
  std::unordered_set<Name> outside;
  for (const Param& param : function.params) outside.insert(param.name);
  for (int i = 0; i < function.size_results; ++i) {
    if (const Name* name = name_in(results.at(static_cast<std::size_t>(i)))) outside.insert(*name);
  }
  for (const Type& type : function.result_types) {
    for (const Atom& size : type.shape) {
      const Name* name = name_in(size);
      if (name && !outside.contains(*name)) {
        report_.add("the result type {} mentions a size that is not known outside", to_string(type));
      }
    }
  }
}

// ---- Scopes --------------------------------------------------------------------------------------

void TypeChecker::bind(const Name& name) {
  if (!bound_.insert(name).second) report_.add("{} is bound a second time", to_string(name));
  scope_.insert(name);
}

void TypeChecker::bind_all(const std::vector<Param>& params) {
  for (const Param& param : params) bind(param.name);
  for (const Param& param : params) check_sizes(param.type);
}

bool TypeChecker::in_scope(const Atom& atom) {
  const Name* name = name_in(atom);
  if (!name || scope_.contains(*name)) return true;
  report_.add("{} is not in scope", to_string(*name));
  return false;
}

void TypeChecker::check_sizes(const Type& type) {
  for (const Atom& size : type.shape) expect_size(size);
}

void TypeChecker::check_body(const Body& body) {
  for (const Stm& stm : body.stms) check_stm(stm);
  for (const Atom& result : body.result) in_scope(result);
}

void TypeChecker::leave_body(const Body& body) {
  for (const Stm& stm : body.stms) {
    for (const Param& param : stm.pattern) unbind(param.name);
  }
}

void TypeChecker::check_stm(const Stm& stm) {
  const At at(report_, stm);
  const std::size_t before = report_.violations.size();
  check_expression(stm);
  for (const Attribute& attribute : stm.attributes) {
    for (const Atom& arg : attribute.args) in_scope(arg);
    if (attribute.name == "reorder" && report_.violations.size() == before) check_keys(attribute);
  }
  bind_all(stm.pattern);
  if (report_.violations.size() == before) check_pattern(stm);
}

void TypeChecker::check_keys(const Attribute& attribute) {
  const Name* keys = attribute.args.size() == 1 ? name_in(attribute.args[0]) : nullptr;
  const Type type = keys ? names_.type_of(*keys) : scalar(PrimType::i64);
  if (type.rank() != 1 || !values::is_integer(type.elem)) report_.add("points are reordered by something else than an array of integers");
}

/// A name that is bound nowhere has no type: looking for it is not worth more than a message.
void TypeChecker::check_expression(const Stm& stm) {
  try {
    match(stm.exp, [&](const auto& e) { check(e, stm); });
  } catch (const source::InternalError& error) {
    report_.add("{}", error.what());
  }
}

/// If, Loop and Call compare their results themselves, since these may bind sizes.
void TypeChecker::check_pattern(const Stm& stm) {
  const bool existential = std::holds_alternative<If>(stm.exp) || std::holds_alternative<Loop>(stm.exp) ||
                           std::holds_alternative<Call>(stm.exp);
  if (existential) return;
  std::vector<Type> pattern;
  for (const Param& param : stm.pattern) pattern.push_back(param.type);
  expect_same(pattern, names_.types_of(stm.exp), "the pattern");
}

void TypeChecker::check_lambda(const Lambda& lambda, const std::vector<Type>& params,
                               const std::string& what) {
  for (const Type& type : lambda.result_types) check_sizes(type);  // in the scope outside
  bind_all(lambda.params);
  std::vector<Type> declared;
  for (const Param& param : lambda.params) declared.push_back(param.type);
  expect_same(declared, params, "the parameters of " + what);
  check_body(lambda.body);
  if (lambda.body.result.size() != lambda.result_types.size()) {
    report_.add("{} yields {} results, but declares {}", what, lambda.body.result.size(),
                lambda.result_types.size());
  } else {
    for (std::size_t i = 0; i < lambda.result_types.size(); ++i) {
      expect(lambda.body.result[i], lambda.result_types[i], "a result of " + what);
    }
  }
  leave_body(lambda.body);
  for (const Param& param : lambda.params) unbind(param.name);
}

void TypeChecker::check_existential(const std::vector<Param>& pattern,
                                    const std::vector<Atom>& results, const std::string& what) {
  if (pattern.size() != results.size()) {
    return report_.add("{} yields {} results for {} names", what, results.size(), pattern.size());
  }
  Substitution results_for_names;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    results_for_names.emplace(pattern[i].name, results[i]);
  }
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    Type wanted = pattern[i].type;
    substitute(wanted, results_for_names);
    expect(results[i], wanted, "a result of " + what);
  }
}

// ---- Operands ------------------------------------------------------------------------------------

bool TypeChecker::expect(const Atom& atom, const Type& type, const std::string& what) {
  if (!in_scope(atom)) return false;
  const Type found = names_.type_of(atom);
  if (found == type) return true;
  report_.add("{} is {} of type {}, but {} is expected", what, to_string(atom), to_string(found),
              to_string(type));
  return false;
}

bool TypeChecker::expect_scalar(const Atom& atom, PrimType type, const std::string& what) {
  return expect(atom, scalar(type), what);
}

bool TypeChecker::expect_array(const Name& name, int at_least_rank) {
  if (!in_scope(name)) return false;
  const Type& type = names_.type_of(name);
  if (!type.accumulator && type.rank() >= at_least_rank) return true;
  report_.add("{} of type {} is used as an array of rank {} or more", to_string(name), to_string(type),
              at_least_rank);
  return false;
}

void TypeChecker::expect_same(const std::vector<Type>& found, const std::vector<Type>& wanted,
                              const std::string& what) {
  if (found.size() != wanted.size()) {
    return report_.add("{}: {} types where {} are expected", what, found.size(), wanted.size());
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i] == wanted[i]) continue;
    report_.add("{}: number {} has type {}, but {} is expected", what, i + 1, to_string(found[i]),
                to_string(wanted[i]));
  }
}

void TypeChecker::expect_indices(const std::vector<DimIndex>& indices, const Type& array) {
  if (static_cast<int>(indices.size()) > array.rank()) {
    report_.add("{} indices for an array of type {}", indices.size(), to_string(array));
  }
  for (const DimIndex& index : indices) {
    match(
        index, [&](const Atom& i) { expect_scalar(i, PrimType::i64, "an index"); },
        [&](const Slice& slice) {
          for (const Atom& atom : {slice.start, slice.count, slice.stride}) {
            expect_scalar(atom, PrimType::i64, "a part of a slice");
          }
        });
  }
}

void TypeChecker::expect_width(const Atom& width, const std::vector<Name>& arrays) {
  expect_size(width);
  for (const Name& name : arrays) {
    if (!expect_array(name)) continue;
    const Type& type = names_.type_of(name);
    if (type.shape[0] != width) {
      report_.add("{} has type {}, but the width is {}", to_string(name), to_string(type),
                  to_string(width));
    }
  }
}

std::vector<Type> TypeChecker::types_of(const std::vector<Name>& operands) const {
  std::vector<Type> types;
  for (const Name& name : operands) types.push_back(names_.type_of(name));
  return types;
}

std::vector<Type> TypeChecker::types_of(const std::vector<Atom>& operands) const {
  std::vector<Type> types;
  for (const Atom& atom : operands) types.push_back(names_.type_of(atom));
  return types;
}

/// Of arrays that are known to be arrays; others stand for themselves.
std::vector<Type> TypeChecker::rows_of(const std::vector<Name>& arrays) const {
  std::vector<Type> rows;
  for (const Type& type : types_of(arrays)) rows.push_back(type.rank() > 0 ? row_type(type) : type);
  return rows;
}

}  // namespace boustro::ir::verification
