// For tests: small core programs written statement by statement, and values to run them on.
//
//   TestProgram p;
//   FunctionMaker f = p.function("main");
//   const Name n = f.size("n");
//   const Name xs = f.param("xs", array(PrimType::f64, {n}));
//   f.returns({f.let("ys", Copy{xs})});
//   run_entry(p.program, "main", {f64s({1, 2})})
#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "frontend/values/value.hpp"
#include "transform/ir/builder.hpp"
#include "transform/ir/ir.hpp"

namespace boustro::ir::testing {

/// A function in the making; statements are added as to any Builder.
class FunctionMaker : public Builder {
 public:
  FunctionMaker(Program& program, Names& names, std::string name)
      : Builder(names), program_(program) {
    function_.name = names.fresh(name);
    function_.entry = Entry{std::move(name), {}, {}};
  }

  Name size(const std::string& base) {
    ++function_.size_params;
    return param(base, scalar(PrimType::i64));
  }
  Name param(const std::string& base, Type type, bool unique = false) {
    if (!type.is_scalar() || static_cast<int>(function_.params.size()) >= function_.size_params) {
      function_.entry->params.push_back({base, "", 1});
    }
    function_.params.push_back(names.fresh_param(base, std::move(type), unique));
    return function_.params.back().name;
  }
  /// Ends the function and adds it to the program. Result types are those of the atoms.
  Name returns(std::vector<Atom> results, int size_results = 0) {
    std::vector<Type> types;
    for (const Atom& result : results) types.push_back(names.type_of(result));
    return returns(std::move(results), std::move(types), size_results);
  }
  Name returns(std::vector<Atom> results, std::vector<Type> types, int size_results = 0) {
    for (std::size_t i = static_cast<std::size_t>(size_results); i < results.size(); ++i) {
      function_.entry->results.push_back({"", "", 1});
    }
    function_.size_results = size_results;
    function_.result_types = std::move(types);
    function_.body = {std::move(stms), std::move(results)};
    names.bind_function(function_);
    program_.functions.push_back(function_);
    return function_.name;
  }

 private:
  Program& program_;
  Function function_;
};

struct TestProgram {
  Names names;
  Program program;
  FunctionMaker function(const std::string& name) { return {program, names, name}; }
};

/// \x y -> x op y
inline Lambda binop_lambda(Builder& b, BinOpKind kind, PrimType type) {
  return b.lambda({{"x", scalar(type)}, {"y", scalar(type)}},
                  [&](Builder& inner, const std::vector<Name>& p) {
                    return std::vector<Atom>{inner.let("z", BinOp{kind, type, p[0], p[1]})};
                  });
}

inline Atom i64(std::int64_t value) { return int_atom(value); }
inline Atom f64(double value) { return PrimValue::of_float(PrimType::f64, value); }

inline values::Value i64s(const std::vector<std::int64_t>& elements,
                          std::vector<std::int64_t> shape = {}) {
  if (shape.empty()) shape = {static_cast<std::int64_t>(elements.size())};
  values::Value value = values::Value::zeros(PrimType::i64, std::move(shape));
  std::copy(elements.begin(), elements.end(), value.as<std::int64_t>());
  return value;
}
inline values::Value f64s(const std::vector<double>& elements, std::vector<std::int64_t> shape = {}) {
  if (shape.empty()) shape = {static_cast<std::int64_t>(elements.size())};
  values::Value value = values::Value::zeros(PrimType::f64, std::move(shape));
  std::copy(elements.begin(), elements.end(), value.as<double>());
  return value;
}
inline values::Value i64_value(std::int64_t x) {
  return values::Value::of(PrimValue::of_int(PrimType::i64, x));
}
inline values::Value f64_value(double x) {
  return values::Value::of(PrimValue::of_float(PrimType::f64, x));
}

}  // namespace boustro::ir::testing
