// Forward mode: map.
//
// Rule      ys = map f xs    gives    (ys, ys_tan) = map f_bundled xs xs_tan;  tangents of free names are free as well
// Applies   every map; accumulators are followed by accumulators of tangents
// Cost      that of the map
// Source    [AD], 3
//
// Before:      def f [n] (xs: [n]f64) (s: f64): [n]f64 = map (\x -> x * s) xs
// After jvp:   def f_jvp [n] (xs: [n]f64) (s: f64) (xs_tan: [n]f64) (s_tan: f64): [n]f64 =
//                map2 (\x x_tan -> x_tan * s + x * s_tan) xs xs_tan
#include <algorithm>

#include "transform/ad/forward/bundle.hpp"

namespace boustro::ad {

using namespace ir;

namespace {

/// Moves the tangents of the first `count` elements of a bundle right behind these elements.
template <typename T>
void tangents_after_first(std::vector<T>& bundle, std::size_t size, std::size_t count,
                          const std::vector<bool>& with_tangent) {
  std::size_t tangents = 0;
  for (std::size_t i = 0; i < count; ++i) tangents += with_tangent[i];
  const auto at = [&](std::size_t i) { return bundle.begin() + static_cast<std::ptrdiff_t>(i); };
  std::rotate(at(count), at(size), at(size + tangents));
}

}  // namespace

void forward_map(Forward& f, Builder& b, const Stm& stm, const Map& e) {
  const std::size_t accs = e.accumulators.size();
  Builder before = f.builder(stm, "forward_map");
  Map map{e.width, {}, e.arrays, e.accumulators};

  std::vector<bool> with_tangent;  // of the parameters
  for (std::size_t i = 0; i < e.fn.params.size(); ++i) {
    const Name& operand = i < accs ? e.accumulators[i] : e.arrays[i - accs];
    const bool has = f.has_tangent(operand) && (i < accs || f.activity.active(e.fn.params[i].name));
    with_tangent.push_back(has);
    if (!has) continue;
    const Name tangent = std::get<Name>(f.tangent(before, operand));
    (i < accs ? map.accumulators : map.arrays).push_back(tangent);
  }
  map.fn.params = bundled_pattern(f, e.fn.params, with_tangent);
  tangents_after_first(map.fn.params, e.fn.params.size(), accs, with_tangent);

  std::vector<bool> results = active_results(f, stm.pattern);
  for (std::size_t i = 0; i < accs; ++i) results[i] = with_tangent[i];
  map.fn.body = forward_body(f, e.fn.body, results);
  map.fn.result_types = bundled_types(f, e.fn.result_types, results);
  Stm result = stm;
  result.pattern = bundled_pattern(f, stm.pattern, results);
  tangents_after_first(map.fn.body.result, results.size(), accs, results);
  tangents_after_first(map.fn.result_types, results.size(), accs, results);
  tangents_after_first(result.pattern, results.size(), accs, results);
  result.exp = std::move(map);
  result.origin = before.origin;
  b.add(before.stms);
  b.add(std::move(result));
}

}  // namespace boustro::ad
