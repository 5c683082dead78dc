// Forward mode: reduce_by_index.
//
// Rule      ys = reduce_by_index xs op ne is vs    gives    the same with xs_tan, the operator and vs_tan bundled.
//           Addition is linear: a second histogram of the tangents
// Applies   every operator
// Cost      that of the operation
// Source    [AD], 3
//
// Before:      def f [n] [m] (xs: *[m]f64) (is: [n]i64) (vs: [n]f64): [m]f64 = reduce_by_index xs (*) 1 is vs
// After jvp:   def f_jvp [n] [m] (xs: [m]f64) (is: [n]i64) (vs: [n]f64) (xs_tan: [m]f64) (vs_tan: [n]f64): [m]f64 =
//                let op (a, a_tan) (b, b_tan) = (a * b, a_tan * b + a * b_tan)
//                in map (.1) (reduce_by_index (zip xs xs_tan) op (1, 0) is (zip vs vs_tan))
#include "transform/ad/forward/bundle.hpp"
#include "transform/ad/scalar.hpp"

namespace boustro::ad {

using namespace ir;

namespace {

struct BundledHistograms {
  ReduceByIndex exp;
  std::vector<Param> pattern;
  std::vector<Atom> results;  // of the function
  std::vector<Type> result_types;
};

/// A histogram with the pattern and the function's results that belong to it.
struct Part {
  const Histogram& histogram;
  std::vector<Param> pattern;
  std::vector<Atom> indices, values;
  std::vector<Type> value_types;
};

void append_operands(BundledHistograms& to, const std::vector<Atom>& indices, const std::vector<Atom>& values,
                     const std::vector<Type>& types) {
  to.results.insert(to.results.end(), indices.begin(), indices.end());
  to.result_types.insert(to.result_types.end(), indices.size(), scalar(PrimType::i64));
  to.results.insert(to.results.end(), values.begin(), values.end());
  to.result_types.insert(to.result_types.end(), types.begin(), types.end());
}

void add_with_sum_of_tangents(Forward& f, Builder& before, Builder& inner, BundledHistograms& to, const Part& part) {
  to.exp.histograms.push_back(part.histogram);
  to.pattern.insert(to.pattern.end(), part.pattern.begin(), part.pattern.end());
  append_operands(to, part.indices, part.values, part.value_types);

  const Type type = f.tangent_type(part.value_types.at(0));
  const Atom destination = f.tangent(before, part.histogram.destinations.at(0));
  to.exp.histograms.push_back({part.histogram.shape, {std::get<Name>(destination)},
                               operator_on(before, addition_of(type.elem), type), {zeros(before, "zeros", type)}});
  to.pattern.push_back(f.tangent_param(part.pattern.at(0)));
  append_operands(to, part.indices, {f.tangent(inner, part.values.at(0))}, {type});
}

void add_bundled(Forward& f, Builder& before, Builder& inner, BundledHistograms& to, const Part& part) {
  const std::vector<bool> active = active_components(f, part.histogram.op, part.pattern);
  Histogram histogram = part.histogram;
  std::vector<Atom> values = part.values;
  for (std::size_t i = 0; i < active.size(); ++i) {
    if (!active[i]) continue;
    histogram.destinations.push_back(std::get<Name>(f.tangent(before, part.histogram.destinations[i])));
    histogram.neutral.push_back(f.tangent(before, part.histogram.neutral[i]));
    values.push_back(f.tangent(inner, part.values[i]));
  }
  histogram.op = bundled_operator(f, part.histogram.op, active);
  to.exp.histograms.push_back(std::move(histogram));
  const auto pattern = bundled_pattern(f, part.pattern, active);
  to.pattern.insert(to.pattern.end(), pattern.begin(), pattern.end());
  append_operands(to, part.indices, values, bundled_types(f, part.value_types, active));
}

}  // namespace

void forward_reduce_by_index(Forward& f, Builder& builder, const Stm& stm, const ReduceByIndex& e) {
  Builder before = f.builder(stm, "forward_reduce_by_index");
  BundledHistograms to{{e.width, {}, {}, e.arrays}, {}, {}, {}};

  std::vector<bool> with_tangent;
  for (std::size_t i = 0; i < e.arrays.size(); ++i) {
    with_tangent.push_back(f.has_tangent(e.arrays[i]) && f.activity.active(e.fn.params[i].name));
    if (with_tangent.back()) to.exp.arrays.push_back(std::get<Name>(f.tangent(before, e.arrays[i])));
  }
  to.exp.fn.params = bundled_pattern(f, e.fn.params, with_tangent);
  Builder inner(f.names, before.origin);
  forward_stms(f, inner, e.fn.body.stms);

  std::size_t operand = 0, result = 0;
  for (const Histogram& histogram : e.histograms) {
    Part part{histogram, {}, {}, {}, {}};
    for (std::size_t i = 0; i < histogram.shape.size(); ++i) part.indices.push_back(e.fn.body.result[operand++]);
    for (std::size_t i = 0; i < histogram.destinations.size(); ++i) {
      part.values.push_back(e.fn.body.result[operand]);
      part.value_types.push_back(e.fn.result_types[operand++]);
      part.pattern.push_back(stm.pattern[result++]);
    }
    const auto vectorised = as_vectorised_binop(histogram.op);
    const bool sum = vectorised && vectorised->kind == BinOpKind::add && f.activity.active(part.pattern[0].name);
    (sum ? add_with_sum_of_tangents : add_bundled)(f, before, inner, to, part);
  }
  to.exp.fn.body = {std::move(inner.stms), std::move(to.results)};
  to.exp.fn.result_types = std::move(to.result_types);
  builder.add(before.stms);
  builder.add({std::move(to.pattern), std::move(to.exp), before.origin, stm.attributes});
}

}  // namespace boustro::ad
