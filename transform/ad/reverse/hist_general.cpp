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

namespace boustro::ad {

using namespace ir;

namespace {

/// The least number of bits that `most` fits in.
Atom bits_of(Builder& b, const Atom& most) {
  const Name leading = b.let("leading", MathOp{MathFn::clz, PrimType::i64, {most}});
  return b.binop("bits", BinOpKind::sub, int_atom(64), b.convert("leading", PrimType::i64, leading));
}

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
    sort();
    const Factors factors = sorted();
    const Keys key_at = [&](Builder& b, const Atom& place) { return key(b, b.index("slot", sorted_, {place})); };
    const auto before = products_before(b_, factors, key_at);
    const auto after = products_after(b_, factors, key_at);
    differentiate(products_of_parts(r_, b_, stm_, factors, before, after, neighbours()),
                  factors.arrays);
    return {{stm_}, std::move(b_.stms)};
  }

 private:
  /// The cell of a value, counted in row-major order; `cells_` if it is out of bounds.
  Atom key_of_value(Builder& b, const Atom& value) {
    std::vector<Atom> indices;
    for (const Name& array : indices_) indices.push_back(b.index("i", array, {value}));
    const Atom inside = all_in_bounds(b, indices, histogram_.shape);
    Builder flat(b.names, b.origin);
    Atom cell = indices[0];
    for (std::size_t d = 1; d < dimensions_; ++d)
      cell = flat.binop("cell", BinOpKind::add,
                        flat.binop("cell", BinOpKind::mul, cell, histogram_.shape[d]), indices[d]);
    return b.let("key", If{inside, {std::move(flat.stms), {cell}}, {{}, {cells_}}});
  }

  /// Of the position of an element of the destination, or of that of a value, which come behind: `of_value` is given its number.
  Atom either(Builder& b, const std::string& base, const Atom& position, const std::function<Atom(Builder&)>& of_destination,
              const std::function<Atom(Builder&, const Atom&)>& of_value) {
    const Atom is_value = b.cmp("is_value", CmpOpKind::le, cells_, position);
    Builder value(b.names, b.origin), destination(b.names, b.origin);
    const Atom of = of_value(value, value.binop("value", BinOpKind::sub, position, cells_));
    const Atom otherwise = of_destination(destination);
    return b.let(base, If{is_value, {std::move(value.stms), {of}}, {std::move(destination.stms), {otherwise}}});
  }

  /// Positions are sorted by cells. A slot is one number for both: the cell has the bits above those of the position.
  void sort() {
    position_bits_ = bits_of(b_, width_);
    const Atom end_bit = b_.binop("end_bit", BinOpKind::add, position_bits_,
                                  bits_of(b_, b_.binop("most", BinOpKind::max, cells_, int_atom(1))));
    const Atom fits = b_.cmp("fits", CmpOpKind::lt, end_bit, int_atom(64));
    b_.assert_that(fits, "a histogram of {} values in {} cells is too large to be differentiated", {e_.width, cells_});
    mask_ = b_.binop("mask", BinOpKind::sub, b_.binop("beyond", BinOpKind::shl, int_atom(1), position_bits_), int_atom(1));
    const Lambda place = b_.lambda({{"position", scalar(PrimType::i64)}}, [&](Builder& b, const std::vector<Name>& p) {
      const Atom key = either(b, "key", p[0], [&](Builder&) { return Atom(p[0]); }, [&](Builder& of, const Atom& value) { return key_of_value(of, value); });
      return std::vector<Atom>{b.binop("slot", BinOpKind::bit_or, b.binop("above", BinOpKind::shl, key, position_bits_), p[0])};
    });
    const Name slots = b_.let("slots", Map{width_, place, {b_.let("positions", Iota{width_})}, {}});
    sorted_ = b_.let("sorted", Sort{position_bits_, end_bit, slots});
  }

  /// The cell of a slot, and the position.
  Atom key(Builder& b, const Atom& slot) const { return b.binop("key", BinOpKind::shr, slot, position_bits_); }
  Atom position(Builder& b, const Atom& slot) const { return b.binop("position", BinOpKind::bit_and, slot, mask_); }

  /// The elements in the order of their cells; the neutral element for values out of bounds, since
  /// the operator never saw them.
  Factors sorted() {
    std::vector<Name> destinations;
    for (const Name& destination : histogram_.destinations) destinations.push_back(flattened(b_, destination, cells_, dimensions_));
    const Lambda pick = b_.lambda(
        {{"slot", scalar(PrimType::i64)}}, [&](Builder& b, const std::vector<Name>& p) {
          const Atom inside = b.cmp("inside", CmpOpKind::lt, key(b, p[0]), cells_);
          const Atom at = position(b, p[0]);
          Builder read(b.names, b.origin);
          std::vector<Atom> picked, results;
          std::vector<std::string> bases;
          for (std::size_t k = 0; k < values_.size(); ++k) {
            picked.push_back(either(read, values_[k].base, at, [&](Builder& of) { return Atom(of.index("start", destinations[k], {at})); },
                                    [&](Builder& of, const Atom& value) { return Atom(of.index(values_[k].base, values_[k], {value})); }));
            bases.push_back(values_[k].base);
          }
          for (const Name& x : b.let_all(
                   bases, If{inside, {std::move(read.stms), picked}, {{}, histogram_.neutral}}))
            results.emplace_back(x);
          return results;
        });
    std::vector<std::string> bases;
    for (const Name& array : values_) bases.push_back(array.base);
    return {width_, histogram_.op, histogram_.neutral, b_.let_all(bases, Map{width_, pick, {sorted_}, {}})};
  }

  /// Within the cell: what the destination held comes first, then the values.
  Neighbours neighbours() {
    const Name positions = b_.let("positions", Iota{width_});
    const Lambda fn = b_.lambda(
        {{"i", scalar(PrimType::i64)}, {"slot", scalar(PrimType::i64)}},
        [&](Builder& b, const std::vector<Name>& p) {
          const Atom own = key(b, p[1]);
          const Atom inside = b.cmp("inside", CmpOpKind::lt, own, cells_);
          const Atom is_value = b.cmp("is_value", CmpOpKind::le, cells_, position(b, p[1]));
          const Atom next = b.binop("next", BinOpKind::add, p[0], int_atom(1));
          const Atom has_next = b.cmp("has_next", CmpOpKind::lt, next, width_);
          Builder read(b.names, b.origin);
          const Atom same =
              read.cmp("same", CmpOpKind::eq, key(read, read.index("slot", sorted_, {next})), own);
          const Atom goes_on = b.let(
              "goes_on",
              If{has_next, {std::move(read.stms), {same}}, {{}, {PrimValue::of_bool(false)}}});
          return std::vector<Atom>{b.binop("has_before", BinOpKind::bit_and, inside, is_value),
                                   b.binop("has_after", BinOpKind::bit_and, inside, goes_on)};
        });
    const auto results = b_.let_all({"has_before", "has_after"},
                                    Map{width_, fn, {positions, sorted_}, {}});
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
        b_.lambda({{"slot", scalar(PrimType::i64)}}, [&](Builder& b, const std::vector<Name>& p) {
          const Atom cell = key(b, p[0]);
          const Atom inside = b.cmp("inside", CmpOpKind::lt, cell, cells_);
          return std::vector<Atom>{value_or_zero(b, "y_adj", inside, row, [&](Builder& read) {
            return Atom(read.index("y_adj", flat, {cell}));
          })};
        });
    return b_.let("y_adjs", Map{width_, fn, {sorted_}, {}});
  }

  void add_unsorted(std::size_t k, const Name& sorted_adj) {
    const Name& destination = histogram_.destinations[k];
    if (r_.activity.active(destination)) {
      const Name part = scattered(destination, cells_, int_atom(0), sorted_adj);
      const Type whole = r_.adjoints.type_of(destination);
      const Atom adjoint =
          dimensions_ == 1 ? Atom(part) : Atom(b_.let(part.base, Reshape{whole.shape, part}));
      r_.adjoints.add(b_, destination, adjoint, false);
    }
    if (!r_.activity.active(values_[k])) return;
    r_.adjoints.add(b_, values_[k], scattered(values_[k], e_.width, cells_, sorted_adj), false);
  }

  /// The sorted adjoints of `size` elements from position `first` on, at their own places; those of others have places out of bounds.
  Name scattered(const Name& of, const Atom& size, const Atom& first, const Name& sorted_adj) {
    const Lambda place = b_.lambda({{"slot", scalar(PrimType::i64)}}, [&](Builder& b, const std::vector<Name>& p) {
      return std::vector<Atom>{b.binop("place", BinOpKind::sub, position(b, p[0]), first)};
    });
    const Name places = b_.let("places", Map{width_, place, {sorted_}, {}});
    Type type = r_.names.type_of(sorted_adj);
    type.shape[0] = size;
    const Name blank = b_.let("blank", Scratch{type.elem, type.shape});
    return b_.let(adj_name(of), Scatter{width_, {places}, {blank}, {sorted_adj}});
  }

  Reverse& r_;
  const Stm& stm_;
  const ReduceByIndex& e_;
  const Histogram& histogram_;
  std::size_t dimensions_;
  std::vector<Name> indices_, values_;
  Builder b_;
  Atom cells_, width_;  // the number of cells; that of elements
  Atom position_bits_, mask_;  // of slots
  Name sorted_;                // slots, by their cells
};

}  // namespace

MaybeSweeps reverse_hist_general(Reverse& r, const Stm& stm, const ReduceByIndex& e) {
  refuse_active_neutral(r, stm, e.histograms.at(0).neutral, "reduce_by_index");
  return GeneralHistogram(r, stm, e).run();
}

}  // namespace boustro::ad
