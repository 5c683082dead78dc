// Reverse mode: reduce_by_index with any operator.
//
// Rule      the elements of a cell c, in order: what the destination held, then each vs[k] with is[k] = c. With l and r
//           the products of the elements before and after an element x within its cell, y = (l * x) * r for each, and
//             (x_adj, w_adj) += adjoints of x and of w, free in the operator, in (l * x) * r, for ys_adj[c]
//           Where there is no l, or no r, the operator is not applied: it need not have a derivative at its neutral element
// Applies   every associative and commutative operator, of tuples and rows too, any number of dimensions of cells
// Cost      a stable radix sort of destination and values by cell, two segmented scans, one map
// Source    [Brix], 3.2 and 7.1. The destination as first elements, and values out of bounds at the end, each by
//           itself, instead of filtering them out: derived here
//
// Before:      def op x y: f64 = x + y + x * y
//              def f [n] [m] (xs: *[m]f64) (is: [n]i64) (vs: [n]f64): [m]f64 = reduce_by_index xs op 0 is vs
// After vjp:   def f_vjp [n] [m] (xs: [m]f64) (is: [n]i64) (vs: [n]f64) (ys_adj: [m]f64): ([m]f64, [n]f64) =
//                let l i k = loop p = xs[i] for j < k do if is[j] == i then op p vs[j] else p
//                let r i k = loop p = 0 for j in k + 1..<n do if is[j] == i then op p vs[j] else p
//                in (map3 (\c x y_adj -> vjp (\x -> op x (r c (-1))) x y_adj) (iota m) xs ys_adj,
//                    map3 (\k i v -> if i < 0 || i >= m then 0 else vjp (\x -> op (op (l i k) x) (r i k)) v ys_adj[i])
//                         (iota n) is vs)
#include "transform/ad/reverse/hist.hpp"
#include "transform/ad/reverse/products.hpp"
#include "transform/ad/sort.hpp"

namespace boustro::ad {

using namespace ir;

namespace {

class GeneralHistogram {
 public:
  GeneralHistogram(Reverse& r, const Stm& stm, const ReduceByIndex& e)
      : r_(r),
        stm_(stm),
        e_(e),
        histogram_(e.histograms.at(0)),
        dimensions_(histogram_.shape.size()),
        indices_(e.arrays.begin(), e.arrays.begin() + static_cast<std::ptrdiff_t>(dimensions_)),
        values_(e.arrays.begin() + static_cast<std::ptrdiff_t>(dimensions_), e.arrays.end()),
        b_(r.builder(stm, "reverse_hist_general")) {}

  Sweeps run() {
    cells_ = cell_count(b_, histogram_.shape);
    width_ = b_.binop("width", BinOpKind::add, cells_, e_.width);
    const Name keys =
        b_.let("keys", Concat{width_, {b_.let("cells", Iota{cells_}), keys_of_values()}});
    order_ = stable_order(b_, width_, keys, cells_);
    const Factors factors = sorted(keys);
    const auto before = products_before(b_, factors, sorted_keys_);
    const auto after = products_after(b_, factors, sorted_keys_);
    differentiate(products_of_parts(r_, b_, stm_, factors, before, after, neighbours()),
                  factors.arrays);
    return {{stm_}, std::move(b_.stms)};
  }

 private:
  /// The cell of each value, counted in row-major order; `cells_` for those out of bounds.
  Name keys_of_values() {
    const std::vector<std::pair<std::string, Type>> params(dimensions_,
                                                           {"i", scalar(PrimType::i64)});
    const Lambda key = b_.lambda(params, [&](Builder& b, const std::vector<Name>& p) {
      const Atom inside = all_in_bounds(b, {p.begin(), p.end()}, histogram_.shape);
      Builder flat(b.names, b.origin);
      Atom cell = p[0];
      for (std::size_t d = 1; d < dimensions_; ++d)
        cell = flat.binop("cell", BinOpKind::add,
                          flat.binop("cell", BinOpKind::mul, cell, histogram_.shape[d]), p[d]);
      return std::vector<Atom>{
          b.let("key", If{inside, {std::move(flat.stms), {cell}}, {{}, {cells_}}})};
    });
    return b_.let("keys", Map{e_.width, key, indices_, {}});
  }

  /// The elements in the order of their cells; the neutral element for values out of bounds, since
  /// the operator never saw them.
  Factors sorted(const Name& keys) {
    std::vector<Name> elements;
    for (std::size_t k = 0; k < values_.size(); ++k)
      elements.push_back(b_.let(
          values_[k].base,
          Concat{width_,
                 {flattened(b_, histogram_.destinations[k], cells_, dimensions_), values_[k]}}));
    const Lambda pick = b_.lambda(
        {{"position", scalar(PrimType::i64)}}, [&](Builder& b, const std::vector<Name>& p) {
          const Name key = b.index("key", keys, {p[0]});
          const Atom inside = b.cmp("inside", CmpOpKind::lt, key, cells_);
          Builder read(b.names, b.origin);
          std::vector<Atom> picked, results{key};
          std::vector<std::string> bases;
          for (const Name& array : elements) {
            picked.emplace_back(read.index(array.base, array, {p[0]}));
            bases.push_back(array.base);
          }
          for (const Name& x : b.let_all(
                   bases, If{inside, {std::move(read.stms), picked}, {{}, histogram_.neutral}}))
            results.emplace_back(x);
          return results;
        });
    std::vector<std::string> bases{"sorted_keys"};
    for (const Name& array : elements) bases.push_back(array.base);
    const auto results = b_.let_all(bases, Map{width_, pick, {order_}, {}});
    sorted_keys_ = results[0];
    return {width_, histogram_.op, histogram_.neutral, {results.begin() + 1, results.end()}};
  }

  /// Within the cell: what the destination held comes first, then the values.
  Neighbours neighbours() {
    const Name positions = b_.let("positions", Iota{width_});
    const Lambda fn = b_.lambda(
        {{"i", scalar(PrimType::i64)},
         {"key", scalar(PrimType::i64)},
         {"position", scalar(PrimType::i64)}},
        [&](Builder& b, const std::vector<Name>& p) {
          const Atom inside = b.cmp("inside", CmpOpKind::lt, p[1], cells_);
          const Atom is_value = b.cmp("is_value", CmpOpKind::le, cells_, p[2]);
          const Atom next = b.binop("next", BinOpKind::add, p[0], int_atom(1));
          const Atom has_next = b.cmp("has_next", CmpOpKind::lt, next, width_);
          Builder read(b.names, b.origin);
          const Atom same =
              read.cmp("same", CmpOpKind::eq, read.index("key", sorted_keys_, {next}), p[1]);
          const Atom goes_on = b.let(
              "goes_on",
              If{has_next, {std::move(read.stms), {same}}, {{}, {PrimValue::of_bool(false)}}});
          return std::vector<Atom>{b.binop("has_before", BinOpKind::bit_and, inside, is_value),
                                   b.binop("has_after", BinOpKind::bit_and, inside, goes_on)};
        });
    const auto results = b_.let_all({"has_before", "has_after"},
                                    Map{width_, fn, {positions, sorted_keys_, order_}, {}});
    return {results[0], results[1]};
  }

  /// Takes the adjoints of the sorted elements back to where these come from.
  void differentiate(const Stm& products, const std::vector<Name>& elements) {
    for (std::size_t k = 0; k < elements.size(); ++k)
      if (r_.activity.active(values_[k]) || r_.activity.active(histogram_.destinations[k]))
        r_.activity.add_input(elements[k]);
    r_.activity.analyse({products});
    for (std::size_t k = 0; k < elements.size(); ++k) {
      const Name& y = stm_.pattern[k].name;
      r_.activity.add_result(products.pattern[k].name);
      if (r_.adjoints.is_zero(y)) continue;
      const Name ys_adj = std::get<Name>(r_.adjoints.take(b_, y));
      r_.adjoints.set(products.pattern[k].name, DenseAdjoint{of_each_element(ys_adj), true});
    }
    const Sweeps sweeps = reverse_stm(r_, products);
    b_.add(sweeps.forward);
    b_.add(sweeps.reverse);
    for (std::size_t k = 0; k < elements.size(); ++k)
      if (!r_.adjoints.is_zero(elements[k]))
        add_unsorted(k, std::get<Name>(r_.adjoints.take(b_, elements[k])));
  }

  /// The adjoint of its cell for each sorted element.
  Name of_each_element(const Name& ys_adj) {
    const Name flat = flattened(b_, ys_adj, cells_, dimensions_);
    const Type row = row_type(r_.names.type_of(flat));
    const Lambda fn =
        b_.lambda({{"key", scalar(PrimType::i64)}}, [&](Builder& b, const std::vector<Name>& p) {
          const Atom inside = b.cmp("inside", CmpOpKind::lt, p[0], cells_);
          return std::vector<Atom>{value_or_zero(b, "y_adj", inside, row, [&](Builder& read) {
            return Atom(read.index("y_adj", flat, {p[0]}));
          })};
        });
    return b_.let("y_adjs", Map{width_, fn, {sorted_keys_}, {}});
  }

  void add_unsorted(std::size_t k, const Name& sorted_adj) {
    const Type type = r_.names.type_of(sorted_adj);
    const Name blank = b_.let("blank", Scratch{type.elem, type.shape});
    const Name adjoints = b_.let(sorted_adj.base, Scatter{width_, {order_}, {blank}, {sorted_adj}});
    const Name& destination = histogram_.destinations[k];
    if (r_.activity.active(destination)) {
      const Name part = b_.let(adj_name(destination),
                               Index{adjoints, {Slice{int_atom(0), cells_, int_atom(1)}}, false});
      const Type whole = r_.adjoints.type_of(destination);
      const Atom adjoint =
          dimensions_ == 1 ? Atom(part) : Atom(b_.let(part.base, Reshape{whole.shape, part}));
      r_.adjoints.add(b_, destination, adjoint, false);
    }
    if (r_.activity.active(values_[k]))
      r_.adjoints.add(b_, values_[k],
                      b_.let(adj_name(values_[k]),
                             Index{adjoints, {Slice{cells_, e_.width, int_atom(1)}}, false}),
                      false);
  }

  Reverse& r_;
  const Stm& stm_;
  const ReduceByIndex& e_;
  const Histogram& histogram_;
  std::size_t dimensions_;
  std::vector<Name> indices_, values_;
  Builder b_;
  Atom cells_, width_;  // the number of cells; that of elements
  Name order_, sorted_keys_;
};

}  // namespace

MaybeSweeps reverse_hist_general(Reverse& r, const Stm& stm, const ReduceByIndex& e) {
  refuse_active_neutral(r, stm, e.histograms.at(0).neutral, "reduce_by_index");
  return GeneralHistogram(r, stm, e).run();
}

}  // namespace boustro::ad
