// Reverse mode: reduce, scan and reduce_by_index with an operator that works element by element on
// rows.
//
// Rule      reduce (map2 op) (replicate m ne) xss  =  map (reduce op ne) (transpose xss), which other rules
//           differentiate; likewise scan, whose result is transposed back, and reduce_by_index on columns of
//           destination and values
// Applies   any operator that is one map over the rows of all its operands, of tuples too; repeatedly, for maps in maps.
//           Addition needs no interchange: reduce_add.cpp, scan_add.cpp, hist_add.cpp
// Cost      transpositions, which are views; reduce_by_index also copies its destination
// Source    [AD], 5.1.1 and 5.2, on vectorised operators
//
// Before:      def f [n] [m] (xss: [n][m]f64): [m]f64 = reduce (map2 (*)) (replicate m 1) xss
// After vjp:   def f_vjp [n] [m] (xss: [n][m]f64) (ys_adj: [m]f64): [n][m]f64 =
//                vjp (\xss -> map (reduce (*) 1) (transpose xss)) xss ys_adj
#include <algorithm>

#include "transform/ad/rules.hpp"

namespace boustro::ad {

using namespace ir;

namespace {

/// An operator on rows, as one on their elements.
struct ColumnOperator {
  Map map;
  std::vector<std::size_t> results;  // the map's result for each component
};

std::size_t position(const std::vector<Name>& names, const Name& name) {
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

/// The array or scalar that the expression is the same as.
std::optional<Atom> copied(const Exp& exp) {
  if (const auto* e = std::get_if<AtomExp>(&exp)) return e->atom;
  if (const auto* e = std::get_if<Copy>(&exp)) return Atom(e->array);
  return std::nullopt;
}

/// `\xs ys -> map f xs ys zs` for free arrays zs, copies apart.
std::optional<ColumnOperator> column_operator(const Lambda& op) {
  std::optional<Map> map;
  std::vector<Name> mapped;
  Substitution copies;
  for (const Stm& stm : op.body.stms) {
    if (const auto original = copied(stm.exp)) {
      copies.emplace(stm.pattern.at(0).name, substitute(*original, copies));
      continue;
    }
    const auto* only = map ? nullptr : std::get_if<Map>(&stm.exp);
    if (!only || !only->accumulators.empty()) return std::nullopt;
    map = *only;
    substitute(map->fn, copies);
    for (Name& array : map->arrays) array = std::get<Name>(substitute(array, copies));
    for (const Param& p : stm.pattern) mapped.push_back(p.name);
  }
  if (!map) return std::nullopt;
  const NameSet inside = free_names(map->fn);
  for (const Param& p : op.params)
    if (inside.contains(p.name) || !std::count(map->arrays.begin(), map->arrays.end(), p.name))
      return std::nullopt;
  ColumnOperator result{*map, {}};
  for (const Atom& atom : op.body.result) {
    const Atom original = substitute(atom, copies);
    const Name* name = name_in(original);
    if (!name || !std::count(mapped.begin(), mapped.end(), *name)) return std::nullopt;
    result.results.push_back(position(mapped, *name));
  }
  return result;
}

Name transposed(Builder& b, const Name& array) {
  std::vector<int> permutation;
  for (int i = 0; i < b.names.type_of(array).rank(); ++i) permutation.push_back(i);
  std::swap(permutation.at(0), permutation.at(1));
  return b.let(array.base, Rearrange{permutation, array});
}

/// The operator on elements of columns. `free_elements`: those of the free arrays, by the array.
Lambda on_elements(Builder& b, const Lambda& op, const ColumnOperator& columns,
                   const Substitution& free_elements) {
  std::vector<std::pair<std::string, Type>> params;
  for (const Param& p : op.params) params.emplace_back(p.name.base, row_type(p.type));
  return b.lambda(params, [&](Builder& inner, const std::vector<Name>& p) {
    std::vector<Atom> args;
    for (const Name& array : columns.map.arrays) {
      const auto param = std::find_if(op.params.begin(), op.params.end(),
                                      [&](const Param& q) { return q.name == array; });
      args.push_back(param == op.params.end()
                         ? free_elements.at(array)
                         : Atom(p[static_cast<std::size_t>(param - op.params.begin())]));
    }
    const std::vector<Atom> all = inline_lambda(inner, columns.map.fn, args);
    std::vector<Atom> results;
    for (const std::size_t i : columns.results) results.push_back(all.at(i));
    return results;
  });
}

/// What a fold over one column is made of.
struct Column {
  Lambda op;
  std::vector<Atom> neutral;
  std::vector<Name> arrays;        // the columns
  std::vector<Name> destinations;  // likewise, of a reduce_by_index
};

/// map (\column -> fold column) of the columns of `arrays` and `destinations`: one result array a
/// component.
template <typename Fold>
std::vector<Name> fold_columns(Builder& b, const Lambda& op, const ColumnOperator& columns,
                               const std::vector<Atom>& neutral, const std::vector<Name>& arrays,
                               const std::vector<Name>& destinations, Fold&& fold) {
  const std::size_t width = arrays.size();
  std::vector<Name> inputs;
  for (const Name& array : arrays) inputs.push_back(transposed(b, array));
  for (const Atom& atom : neutral) inputs.push_back(std::get<Name>(atom));
  for (const Name& array : destinations) inputs.push_back(transposed(b, array));
  std::vector<Name> free_arrays;
  for (const Name& array : columns.map.arrays) {
    const bool is_param = std::any_of(op.params.begin(), op.params.end(),
                                      [&](const Param& p) { return p.name == array; });
    if (!is_param && position(free_arrays, array) == free_arrays.size())
      free_arrays.push_back(array);
  }
  inputs.insert(inputs.end(), free_arrays.begin(), free_arrays.end());

  std::vector<std::pair<std::string, Type>> params;
  for (const Name& array : inputs)
    params.emplace_back(array.base, row_type(b.names.type_of(array)));
  const Lambda fn = b.lambda(params, [&](Builder& inner, const std::vector<Name>& p) {
    auto next = p.begin();
    const auto take = [&](std::size_t count) {
      const std::vector<Name> taken(next, next + static_cast<std::ptrdiff_t>(count));
      next += static_cast<std::ptrdiff_t>(count);
      return taken;
    };
    Column column;
    column.arrays = take(width);
    for (const Name& name : take(neutral.size())) column.neutral.emplace_back(name);
    column.destinations = take(destinations.size());
    Substitution free_elements;
    for (const Name& array : free_arrays) free_elements.emplace(array, *next++);
    column.op = on_elements(inner, op, columns, free_elements);
    const std::vector<Name> results = fold(inner, std::move(column));
    return std::vector<Atom>(results.begin(), results.end());
  });
  return b.let_all({"columns"}, Map{columns.map.width, fn, inputs, {}});
}

}  // namespace

MaybeSweeps reverse_reduce_vectorised(Reverse& r, const Stm& stm, const Reduce& e) {
  const auto columns = column_operator(e.op);
  if (!columns) return std::nullopt;
  Builder b = r.forward_builder(stm, "reverse_reduce_vectorised");
  const auto results =
      fold_columns(b, e.op, *columns, e.neutral, e.arrays, {}, [&](Builder& inner, Column column) {
        return inner.let_all({"r"}, Reduce{e.width, std::move(column.op), column.neutral,
                                           column.arrays, e.commutative});
      });
  for (std::size_t i = 0; i < results.size(); ++i) bind_as(b, stm.pattern[i], results[i]);
  return reverse_replacement(r, b.stms);
}

MaybeSweeps reverse_scan_vectorised(Reverse& r, const Stm& stm, const Scan& e) {
  const auto columns = column_operator(e.op);
  if (!columns) return std::nullopt;
  Builder b = r.forward_builder(stm, "reverse_scan_vectorised");
  const auto results =
      fold_columns(b, e.op, *columns, e.neutral, e.arrays, {}, [&](Builder& inner, Column column) {
        return inner.let_all({"r"},
                             Scan{e.width, std::move(column.op), column.neutral, column.arrays});
      });
  for (std::size_t i = 0; i < results.size(); ++i)
    bind_as(b, stm.pattern[i], transposed(b, results[i]));
  return reverse_replacement(r, b.stms);
}

MaybeSweeps reverse_hist_vectorised(Reverse& r, const Stm& stm, const ReduceByIndex& e) {
  const Histogram& histogram = e.histograms.at(0);
  const auto columns = column_operator(histogram.op);
  if (!columns || histogram.shape.size() != 1) return std::nullopt;
  Builder b = r.forward_builder(stm, "reverse_hist_vectorised");
  const Name indices = e.arrays.at(0);
  const std::vector<Name> values(e.arrays.begin() + 1, e.arrays.end());
  const auto results = fold_columns(
      b, histogram.op, *columns, histogram.neutral, values, histogram.destinations,
      [&](Builder& inner, Column column) {
        for (Name& destination : column.destinations)
          destination = inner.let(destination.base, Copy{destination});
        column.arrays.insert(column.arrays.begin(), indices);
        std::vector<std::pair<std::string, Type>> params;
        for (const Name& array : column.arrays)
          params.emplace_back(array.base, row_type(r.names.type_of(array)));
        const Lambda identity = inner.lambda(params, [](Builder&, const std::vector<Name>& p) {
          return std::vector<Atom>(p.begin(), p.end());
        });
        Histogram on_column{histogram.shape, column.destinations, std::move(column.op),
                            column.neutral};
        return inner.let_all(
            {"r"}, ReduceByIndex{e.width, {std::move(on_column)}, identity, column.arrays});
      });
  for (std::size_t i = 0; i < results.size(); ++i)
    bind_as(b, stm.pattern[i], transposed(b, results[i]));
  return reverse_replacement(r, b.stms);
}

}  // namespace boustro::ad
