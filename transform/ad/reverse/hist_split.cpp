// Reverse mode: reduce_by_index of several operators at once, or of what a function computes.
//
// Rule      becomes the map of that function and one reduce_by_index for each operator, which other rules
//           differentiate
// Applies   reduce_by_index whose function is not the identity, or with several operators
// Cost      the indices and values are stored
// Source    derived here: the definition of the fused form
//
// Before:      def f [n] (xs: [n]f64) = hist (+) 0 10 (map index xs) (map value xs), fused
// After vjp:   as for its parts
#include "transform/ad/rules.hpp"

namespace boustro::ad {

using namespace ir;

MaybeSweeps reverse_hist_split(Reverse& r, const Stm& stm, const ReduceByIndex& e) {
  if (e.histograms.size() == 1 && is_identity(e.fn)) return std::nullopt;
  Builder b = r.forward_builder(stm, "reverse_hist_split");
  const std::vector<Name> operands =
      b.let_all({"operands"}, Map{e.width, rename(e.fn, r.names), e.arrays, {}});
  std::size_t operand = 0, result = 0;
  for (const Histogram& histogram : e.histograms) {
    ReduceByIndex part{e.width, {histogram}, {}, {}};
    std::vector<std::pair<std::string, Type>> params;
    for (std::size_t i = 0; i < histogram.shape.size() + histogram.destinations.size(); ++i) {
      part.arrays.push_back(operands[operand++]);
      params.emplace_back("x", row_type(r.names.type_of(part.arrays.back())));
    }
    part.fn = b.lambda(params, [](Builder&, const std::vector<Name>& p) {
      return std::vector<Atom>(p.begin(), p.end());
    });
    std::vector<Param> pattern;
    for (std::size_t i = 0; i < histogram.destinations.size(); ++i) pattern.push_back(stm.pattern[result++]);
    b.let(std::move(pattern), std::move(part));
  }
  return reverse_replacement(r, b.stms);
}

}  // namespace boustro::ad
