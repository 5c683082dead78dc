// Forward mode: call of a function.
//
// Rule      y = f x    gives    (y, y_tan) = f_jvp x x_tan
// Applies   every call; f_jvp is derived once for each set of active arguments and results
// Cost      that of f
// Source    [AD], 3
//
// Before:      #[noinline] def square (x: f64): f64 = x * x
//              def f (x: f64): f64 = square x
// After jvp:   def square_jvp (x: f64) (x_tan: f64): f64 = x_tan * x + x * x_tan
//              def f_jvp (x: f64) (x_tan: f64): f64 = square_jvp x x_tan
#include <fmt/format.h>

#include "transform/ad/derivative_doc.hpp"
#include "transform/ad/forward/bundle.hpp"
#include "transform/ad/seed_params.hpp"

namespace boustro::ad {

using namespace ir;

namespace {

Function derive_jvp(Derivation& derivation, const Function& original, const std::vector<bool>& args,
                    const std::vector<bool>& results, const Shape& seeds) {
  const Function function = rename(original, derivation.names);
  Function derived = function;
  derived.name = derivation.names.fresh(original.name.base + "_jvp");
  derived.doc = doc_of_jvp(original, args, results);
  derived.entry.reset();
  const SeedParams given(derivation.names, seeds);
  Forward f(derivation, given.shape);
  f.activity.analyse(function.body);
  for (std::size_t i = 0; i < args.size(); ++i)
    if (args[i]) f.activity.add_input(function.params[i].name);
  for (std::size_t i = 0; i < results.size(); ++i)
    if (results[i]) f.activity.add_result(function.body.result[i]);
  derived.params = given.params;
  const auto params = bundled_pattern(f, function.params, args);
  derived.params.insert(derived.params.end(), params.begin(), params.end());
  derived.size_params += static_cast<int>(given.params.size());
  derived.body = forward_body(f, function.body, results);
  derived.result_types = bundled_types(f, function.result_types, results);
  return derived;
}

}  // namespace

void forward_call(Forward& f, Builder& b, const Stm& stm, const Call& e) {
  const std::vector<bool> results = active_results(f, stm.pattern);
  std::vector<bool> args;
  Builder before = f.builder(stm, "forward_call");
  std::vector<Atom> operands = SeedParams::arguments(f.seed_shape);
  operands.insert(operands.end(), e.args.begin(), e.args.end());
  std::string key = fmt::format("jvp {}_{} {} ", e.function.base, e.function.tag, SeedParams::key(f.seed_shape));
  for (const Atom& arg : e.args) {
    args.push_back(f.has_tangent(arg));
    if (args.back()) operands.push_back(f.tangent(before, arg));
    key += args.back() ? '1' : '0';
  }
  key += ' ';
  for (const bool result : results) key += result ? '1' : '0';
  auto found = f.derivation.derived.find(key);
  if (found == f.derivation.derived.end()) {
    Function derived = derive_jvp(f.derivation, f.derivation.functions.at(e.function), args, results, f.seed_shape);
    found = f.derivation.derived.emplace(key, derived.name).first;
    f.derivation.add_function(std::move(derived));
  }
  Stm result = stm;
  result.exp = Call{found->second, operands};
  result.pattern = bundled_pattern(f, stm.pattern, results);
  result.origin = before.origin;
  b.add(before.stms);
  b.add(std::move(result));
}

}  // namespace boustro::ad
