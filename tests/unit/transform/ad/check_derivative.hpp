// Checks the derivative of a core function by numbers that do not come from the rules:
//   jvp against central differences, one random direction at a time
//   vjp against jvp:  dot(y_adj, jvp x_tan) == dot(vjp y_adj, x_tan)
//   jmp and mjp against jvp and vjp, seed by seed
//   vjp with reductions and scans in chunks against vjp with all elements in turn: operators that the rules make are
//   associative, too
// and verifies every program that differentiation makes.
//
//   check_derivative(program, "f", {f64s({1, 2}), ...});
//
// Parameters and results of other types than f64 are not differentiated.
#pragma once

#include <boost/test/unit_test.hpp>
#include <optional>
#include <random>

#include "tests/unit/transform/ad/rule_counts.hpp"
#include "tests/unit/transform/program_builder.hpp"
#include "transform/ad/ad.hpp"
#include "transform/ir/evaluate.hpp"
#include "transform/ir/print.hpp"
#include "transform/ir/traversal.hpp"
#include "transform/ir/verify.hpp"

namespace boustro::ad::testing {

using namespace ir;
using namespace ir::testing;
using values::Value;

struct CheckOptions {
  bool differences = true;   // false at points where f has a kink, such as ties
  double step = 1e-5;
  double tolerance = 1e-6;   // relative to 1 + size, for identities; 100 times that for differences
  bool seeds = true;
  bool jvp = true, vjp = true;
  bool chunks = true;        // false where neutral elements are not neutral
};

/// Verifies, with the text of the program if that fails.
inline void verify_program(const Program& program) {
  std::string text;
  for (const auto& violation : verify(program)) text += violation + "\n";
  BOOST_TEST(text == "", text << (text.empty() ? "" : to_string(program)));
}

/// All rounds, verified after each. Counts the rules that fired, in `fired` too.
inline Program differentiated(Program program, Fired& fired) {
  const Options options = counting(fired);
  while (differentiate_innermost(program, options)) verify_program(program);
  verify_program(program);
  return program;
}
inline Program differentiated(Program program) {
  Fired fired;
  return differentiated(std::move(program), fired);
}

inline bool is_zero(const std::vector<Value>& values) {
  for (const Value& value : values)
    for (std::int64_t i = 0; i < value.size(); ++i)
      if (!value.element(i).is_zero()) return false;
  return true;
}

/// Adds the entry `name`, with f's parameters, then tangents or adjoints: the result of Jvp or Vjp of a call of f.
/// With seeds, tangents and adjoints have one more outer dimension, of which the size comes first.
class DerivativeOf {
 public:
  DerivativeOf(const Program& program, const std::string& entry) : program_(program), names_(program) {
    for (const Function& function : program.functions)
      if (function.entry && function.entry->name == entry) f_ = function;
  }
  const Function& function() const { return f_; }
  static bool differentiable(const Type& type) { return values::is_float(type.elem); }

  Program with_jvp(const std::string& name, bool seeds) { return with(name, seeds, true); }
  Program with_vjp(const std::string& name, bool seeds) { return with(name, seeds, false); }

 private:
  Program with(const std::string& name, bool seeds, bool is_jvp) {
    Program program = program_;
    FunctionMaker maker(program, names_, name);
    Substitution sizes;
    Shape seed_shape;
    if (seeds) seed_shape = {maker.size("k")};
    std::vector<Name> args;
    const Function f = rename(f_, names_);
    for (std::size_t i = 0; i < f.params.size(); ++i) {
      Type type = f.params[i].type;
      substitute(type, sizes);
      const bool is_size = static_cast<int>(i) < f.size_params;
      args.push_back(is_size ? maker.size(f.params[i].name.base) : maker.param(f.params[i].name.base, type));
      sizes.emplace(f.params[i].name, args.back());
    }
    Lambda fn;
    std::vector<Atom> diff_args, seeds_in;
    Substitution inner = sizes;
    for (std::size_t i = 0; i < f.params.size(); ++i) {
      if (static_cast<int>(i) < f.size_params) continue;
      Type type = names_.type_of(args[i]);
      if (!differentiable(type)) continue;
      fn.params.push_back(names_.fresh_param(f.params[i].name.base, type));
      diff_args.emplace_back(args[i]);
      inner.insert_or_assign(f.params[i].name, fn.params.back().name);
      if (is_jvp) seeds_in.emplace_back(maker.param("tangent", array_of(seed_shape, type)));
    }
    Builder body(names_);
    for (std::size_t i = 0; i < f.params.size(); ++i) {
      if (!f.params[i].unique) continue;
      const Name copy = body.let("copy", Copy{std::get<Name>(inner.at(f.params[i].name))});
      inner.insert_or_assign(f.params[i].name, copy);
    }
    Body whole = f.body;
    substitute(whole, inner);
    body.add(whole.stms);
    for (std::size_t i = 0; i < whole.result.size(); ++i) {
      Type type = f.result_types[i];
      substitute(type, sizes);
      if (!differentiable(type)) continue;
      fn.body.result.push_back(whole.result[i]);
      fn.result_types.push_back(type);
      if (!is_jvp) seeds_in.emplace_back(maker.param("adjoint", array_of(seed_shape, type)));
    }
    fn.body.stms = std::move(body.stms);
    fn = rename(fn, names_);
    const auto results = is_jvp ? maker.let_all({"r"}, Jvp{fn, diff_args, seeds_in, seed_shape})
                                : maker.let_all({"r"}, Vjp{fn, diff_args, seeds_in, seed_shape});
    maker.returns({results.begin(), results.end()});
    return program;
  }

  Program program_;
  Names names_;
  Function f_;
};

/// A derivative of an entry, and the rules that made it.
struct Derived {
  Program program;
  Fired fired;
};

/// Checks derivatives of one function, which are made once, at any number of points.
class DerivativeChecker {
 public:
  /// `program` must outlive the checker.
  DerivativeChecker(const Program& program, std::string entry)
      : primal_(program), entry_(std::move(entry)), derivative_(primal_, entry_) {
    verify_program(primal_);
  }

  /// The entry "derivative", and "derivatives" with seeds.
  const Derived& jvp() { return made(jvp_, [&] { return derivative_.with_jvp("derivative", false); }); }
  const Derived& vjp() { return made(vjp_, [&] { return derivative_.with_vjp("derivative", false); }); }
  const Derived& jmp() { return made(jmp_, [&] { return derivative_.with_jvp("derivatives", true); }); }
  const Derived& mjp() { return made(mjp_, [&] { return derivative_.with_vjp("derivatives", true); }); }

  void check_at(std::vector<Value> args, const CheckOptions& options) {
    args_ = std::move(args);
    options_ = options;
    random_.seed(1);
    inputs_ = floats_of(args_);
    const std::vector<Value> primal = run_entry(primal_, entry_, args_);
    outputs_ = floats_of(primal);
    const std::vector<Value> tangents = random_like(args_, inputs_);
    const std::vector<Value> adjoints = random_like(primal, outputs_);

    if (options_.jvp) check_jvp(primal, tangents);
    if (options_.vjp) check_vjp(primal, tangents, adjoints);
    if (!options_.seeds) return;
    if (options_.jvp) check_seeds(jvp().program, jmp().program, args_, inputs_, outputs_.size());
    if (options_.vjp) check_seeds(vjp().program, mjp().program, primal, outputs_, outputs_.size());
  }

 private:
  template <typename Make>
  static const Derived& made(std::optional<Derived>& derived, const Make& make) {
    if (!derived) {
      derived.emplace();
      derived->program = differentiated(make(), derived->fired);
    }
    return *derived;
  }

  static std::vector<std::size_t> floats_of(const std::vector<Value>& values) {
    std::vector<std::size_t> result;
    for (std::size_t i = 0; i < values.size(); ++i)
      if (values::is_float(values[i].type)) result.push_back(i);
    return result;
  }

  std::vector<Value> random_like(const std::vector<Value>& values, const std::vector<std::size_t>& which) {
    std::vector<Value> result;
    for (const std::size_t i : which) {
      Value value = Value::zeros(values[i].type, values[i].shape);
      for (std::int64_t j = 0; j < value.size(); ++j)
        value.set_element(j, PrimValue::of_float(value.type, uniform_(random_)));
      result.push_back(std::move(value));
    }
    return result;
  }

  static double dot(const std::vector<Value>& a, const std::vector<Value>& b) {
    double sum = 0;
    BOOST_TEST_REQUIRE(a.size() == b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      BOOST_TEST_REQUIRE(a[i].size() == b[i].size());
      for (std::int64_t j = 0; j < a[i].size(); ++j) sum += a[i].element(j).as_float() * b[i].element(j).as_float();
    }
    return sum;
  }

  static void close(double a, double b, double tolerance, const char* what) {
    if (a == b) return;  // infinities, too
    BOOST_TEST(std::abs(a - b) <= tolerance * (1 + std::abs(a)), what << ": " << a << " and " << b);
  }

  static void same(const Value& a, const Value& b, double tolerance, const char* what) {
    BOOST_TEST_REQUIRE(a.shape == b.shape);
    for (std::int64_t j = 0; j < a.size(); ++j)
      close(a.element(j).as_float(), b.element(j).as_float(), tolerance, what);
  }

  std::vector<Value> joined(std::vector<Value> a, const std::vector<Value>& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
  }

  std::vector<Value> moved(const std::vector<Value>& tangents, double step) {
    std::vector<Value> result = args_;
    for (std::size_t k = 0; k < inputs_.size(); ++k)
      for (std::int64_t j = 0; j < tangents[k].size(); ++j)
        result[inputs_[k]].set_element(
            j, PrimValue::of_float(tangents[k].type,
                                   args_[inputs_[k]].element(j).as_float() + step * tangents[k].element(j).as_float()));
    return result;
  }

  void check_jvp(const std::vector<Value>& primal, const std::vector<Value>& tangents) {
    const auto results = run_entry(jvp().program, "derivative", joined(args_, tangents));
    for (std::size_t k = 0; k < outputs_.size(); ++k)
      same(results.at(k), primal[outputs_[k]], 1e-12, "primal result of jvp");
    result_tangents_.assign(results.begin() + static_cast<std::ptrdiff_t>(outputs_.size()), results.end());
    if (!is_zero(result_tangents_)) count_nonzero(jvp().fired);
    if (!options_.differences) return;
    const auto plus = run_entry(primal_, entry_, moved(tangents, options_.step));
    const auto minus = run_entry(primal_, entry_, moved(tangents, -options_.step));
    for (std::size_t k = 0; k < outputs_.size(); ++k) {
      const Value& y_tan = result_tangents_.at(k);
      for (std::int64_t j = 0; j < y_tan.size(); ++j) {
        const double difference =
            (plus[outputs_[k]].element(j).as_float() - minus[outputs_[k]].element(j).as_float()) / (2 * options_.step);
        close(y_tan.element(j).as_float(), difference, 100 * options_.tolerance, "jvp and central difference");
      }
    }
  }

  void check_vjp(const std::vector<Value>& primal, const std::vector<Value>& tangents, const std::vector<Value>& adjoints) {
    const Program& program = vjp().program;
    const auto results = run_entry(program, "derivative", joined(args_, adjoints));
    for (std::size_t k = 0; k < outputs_.size(); ++k)
      same(results.at(k), primal[outputs_[k]], 1e-12, "primal result of vjp");
    const std::vector<Value> arg_adjoints(results.begin() + static_cast<std::ptrdiff_t>(outputs_.size()),
                                          results.end());
    if (!is_zero(arg_adjoints)) count_nonzero(vjp().fired);
    if (options_.chunks) {
      const auto in_chunks = run_entry(program, "derivative", joined(args_, adjoints), {.chunk = 3});
      for (std::size_t k = 0; k < results.size(); ++k)
        same(in_chunks.at(k), results[k], options_.tolerance, "vjp in chunks");
    }
    if (options_.jvp)
      close(dot(adjoints, result_tangents_), dot(arg_adjoints, tangents), options_.tolerance, "vjp and jvp");
  }

  /// Three seeds at once give what they give one by one.
  void check_seeds(const Program& one, const Program& all, const std::vector<Value>& like,
                   const std::vector<std::size_t>& which, std::size_t primal_results) {
    constexpr std::int64_t count = 3;
    std::vector<std::vector<Value>> seeds;
    for (std::int64_t k = 0; k < count; ++k) seeds.push_back(random_like(like, which));
    std::vector<Value> stacked;
    for (std::size_t i = 0; i < which.size(); ++i) {
      std::vector<std::int64_t> shape = like[which[i]].shape;
      shape.insert(shape.begin(), count);
      Value value = Value::zeros(like[which[i]].type, shape);
      for (std::int64_t j = 0; j < value.size(); ++j) {
        const std::int64_t size = like[which[i]].size();
        value.set_element(j, seeds[static_cast<std::size_t>(j / size)][i].element(j % size));
      }
      stacked.push_back(std::move(value));
    }
    const auto together = run_entry(all, "derivatives", joined(args_, stacked));
    for (std::int64_t k = 0; k < count; ++k) {
      const auto single = run_entry(one, "derivative", joined(args_, seeds[static_cast<std::size_t>(k)]));
      for (std::size_t i = primal_results; i < single.size(); ++i)
        for (std::int64_t j = 0; j < single[i].size(); ++j)
          close(together.at(i).element(k * single[i].size() + j).as_float(), single[i].element(j).as_float(),
                options_.tolerance, "one of several seeds");
    }
  }

  const Program& primal_;
  std::string entry_;
  DerivativeOf derivative_;
  std::optional<Derived> jvp_, vjp_, jmp_, mjp_;

  // of the point that is checked
  CheckOptions options_;
  std::vector<Value> args_;
  std::vector<std::size_t> inputs_, outputs_;
  std::vector<Value> result_tangents_;
  std::mt19937 random_{1};
  std::uniform_real_distribution<double> uniform_{-1, 1};
};

inline void check_derivative(const Program& program, const std::string& entry, const std::vector<Value>& args,
                             const CheckOptions& options = {}) {
  DerivativeChecker(program, entry).check_at(args, options);
}

/// n numbers between 0.2 and 1.2, none equal.
inline Value some_f64s(std::int64_t n, int seed = 0, std::vector<std::int64_t> shape = {}) {
  std::mt19937 random(static_cast<unsigned>(17 + seed));
  std::uniform_real_distribution<double> uniform(0.2, 1.2);
  if (shape.empty()) shape = {n};
  Value value = Value::zeros(PrimType::f64, std::move(shape));
  for (std::int64_t i = 0; i < value.size(); ++i)
    value.set_element(i, PrimValue::of_float(PrimType::f64, uniform(random)));
  return value;
}

}  // namespace boustro::ad::testing
