// Contraction order: what varies from point to point is summed before it is multiplied by what does not.
//
// Rule      map over i: map over j, t: acc[j, t] += sum over v of c[j, t, v] * g(i, j, v)
//           gives    map over i: map over j, v: part[j, v] += g(i, j, v);   acc[j, t] += sum over v of c[j, t, v] * part[j, v]
// Applies   acc adds floats, and no point reads it; each index of the addition is one of a map around it, or of a map that adds to
//           all of that dimension; c is an array from outside of the map over i that nobody updates, and the indices go through
//           all of it, so that its elements are there even if there are no points. The sum may be of any number of products, in
//           rows and sums inside the map, which are looked through (product.hpp). What ends where only a point knows stays with the
//           points. Others may add to acc, too: the sum is added to what they come to.
// Cost      a point adds to the cells of `part`, instead of multiplying by c and adding to the cells of acc. Whether that is less
//           is decided by the sizes, as polynomials. What is done once, after the map, is not weighed: points are taken to be many.
// Rounding  as of any sum in another order. A sum is never taken apart: (x - m) * (x - m) stays what it is
// Source    [Schenck et al. 2022], section 6.1, for sums that leave maps; products by the distributive law
//
// Before:  with_acc xs_adj (\acc -> map (\w z -> let y = map (\c_row -> w * f64.sum (map2 (*) c_row z)) c
//                                                in map2 (\t y -> update_acc acc [t] y) (iota m) y) ws zs)
// After:   part = with_acc zeros (\acc -> map (\w z -> map2 (\v z -> update_acc acc [v] (w * z)) (iota n) z) ws zs)
//          xs_adj' = map2 (\x_adj c_row -> x_adj + f64.sum (map2 (*) c_row part)) xs_adj c
#include "transform/contract/contract.hpp"

#include <algorithm>

#include "transform/contract/path.hpp"
#include "transform/contract/sums.hpp"
#include "transform/facts/aliases.hpp"
#include "transform/facts/polynomial.hpp"

namespace boustro::contract {

using namespace ir;

namespace {

constexpr const char* rule_name = "contraction";

/// An addition as the rule sees it: acc[cells] += product, at each point of the maps.
struct Contraction {
  std::size_t input;
  std::vector<Dim> levels;         // the dims of the maps around it
  std::vector<Dim> cells;
  std::vector<Factor> varying;     // with the outermost map
  Product after;                   // without them
  std::vector<Dim> part;           // of what the points add to
  std::size_t depth;               // the level on which the points add to it
};

facts::Polynomial extents(const std::vector<Dim>& dims) {
  facts::Polynomial product = 1;
  for (const Dim& dim : dims) product = product * facts::Polynomial(dim.extent);
  return product;
}

bool never_more(const facts::Polynomial& less, const facts::Polynomial& more) {
  const facts::Polynomial difference = more - less;
  return std::all_of(difference.terms().begin(), difference.terms().end(), [](const auto& term) { return term.second >= 0; });
}

bool has(const std::vector<Dim>& dims, const Dim& dim) {
  return std::any_of(dims.begin(), dims.end(), [&](const Dim& d) { return d.index == dim.index; });
}

/// Whether each index goes through its dimension: then there is such an element even where no point reads one.
bool goes_through(const Factor& factor, const Shape& shape, const std::vector<Dim>& dims) {
  return std::equal(factor.at.begin(), factor.at.end(), shape.begin(), shape.end(), [&](const Atom& index, const Atom& extent) {
    return std::any_of(dims.begin(), dims.end(), [&](const Dim& d) { return Atom(d.index) == index && d.extent == extent; });
  });
}

bool is_zeros(const Exp& exp) {
  const auto* e = std::get_if<Replicate>(&exp);
  const PrimValue* value = e ? literal_in(e->value) : nullptr;
  return value && value->is_zero();
}

class Contractor {
 public:
  Contractor(Names& names, const facts::Aliases& aliases) : names_(names), aliases_(aliases) {}

  void body(Body& body);

 private:
  bool contract(Stm& stm, std::vector<Stm>& before, std::vector<Stm>& after);
  std::optional<Contraction> recognise(const Path& path, const WithAcc& with);
  std::vector<Dim> cells_of(const UpdateAcc& update, const Shape& shape, const Scope& scope, const std::vector<Dim>& dims) const;
  bool choose(Contraction& c, const Product& product, const Scope& scope) const;
  Name add_parts(const Contraction& c, const Path& path, const Provenance& origin, Stm& stm, std::vector<Stm>& before);
  Name add_at_points(Builder& builder, const Name& accumulator, const std::vector<Dim>& dims, std::size_t from, std::optional<Atom> product,
                     std::vector<Factor> factors, const Contraction& c, std::unordered_map<Name, Atom>& indices);

  Names& names_;
  const facts::Aliases& aliases_;
  std::vector<Stm> iotas_;  // so far, outside of maps
  NameSet zeros_;           // arrays of zeros
  std::vector<Stm> for_it_alone_;
};

/// Those of the statements before that are maps of which nobody but the statement needs anything.
std::vector<Stm> maps_for_it_alone(const Body& body, const std::vector<Stm>& before, const Stm& user) {
  NameSet elsewhere;
  for (const Atom& atom : body.result)
    if (const Name* name = name_in(atom)) elsewhere.insert(*name);
  for (const Stm& stm : before) elsewhere.merge(free_names(stm));
  for (const Stm& stm : body.stms)
    if (&stm != &user) elsewhere.merge(free_names(stm));
  const NameSet needed = free_names(user);
  std::vector<Stm> maps;
  std::copy_if(before.begin(), before.end(), std::back_inserter(maps), [&](const Stm& stm) {
    return std::holds_alternative<Map>(stm.exp) && std::all_of(stm.pattern.begin(), stm.pattern.end(), [&](const Param& p) {
             return needed.contains(p.name) && !elsewhere.contains(p.name);
           });
  });
  return maps;
}

void Contractor::body(Body& body) {
  std::vector<Stm> out;
  for (Stm& stm : body.stms) {  // those before are in `out` by now
    if (std::holds_alternative<Iota>(stm.exp)) iotas_.push_back(stm);
    if (is_zeros(stm.exp)) zeros_.insert(stm.pattern[0].name);
    if (std::holds_alternative<If>(stm.exp) || std::holds_alternative<Loop>(stm.exp)) {
      map_bodies(stm.exp, [&](Body& inner) { this->body(inner); });
    }
    std::vector<Stm> before, after;
    if (std::holds_alternative<WithAcc>(stm.exp)) {
      for_it_alone_ = maps_for_it_alone(body, out, stm);
      while (contract(stm, before, after)) {}
    }
    std::move(before.begin(), before.end(), std::back_inserter(out));
    out.push_back(std::move(stm));
    std::move(after.begin(), after.end(), std::back_inserter(out));
  }
  body.stms = std::move(out);
}

// ---- Whether -------------------------------------------------------------------------------------

/// Of each index its dim; none if one of them is none, or comes twice, or does not go through all of that dimension.
std::vector<Dim> Contractor::cells_of(const UpdateAcc& update, const Shape& shape, const Scope& scope, const std::vector<Dim>& dims) const {
  std::vector<Dim> cells;
  for (std::size_t i = 0; i < update.indices.size(); ++i) {
    const auto index = scope.index_in(update.indices[i]);
    const auto dim = std::find_if(dims.begin(), dims.end(), [&](const Dim& d) { return d.index == index; });
    if (dim == dims.end() || dim->extent != shape[i] || has(cells, *dim)) return {};
    cells.push_back(*dim);
  }
  return cells;
}

std::optional<Contraction> Contractor::recognise(const Path& path, const WithAcc& with) {
  const auto& update = std::get<UpdateAcc>(path.update().exp);
  const auto input = input_of(path, with);
  if (!input || !std::holds_alternative<AddUp>(with.inputs[*input].kind) || !update.in_bounds) return std::nullopt;
  const Type& type = names_.type_of(with.inputs[*input].destination);
  if (!values::is_float(type.elem) || update.indices.size() != type.shape.size()) return std::nullopt;

  Contraction c{*input, {}, {}, {}, {}, {}, 0};
  Scope scope(names_);
  scope.outside(iotas_);
  for (const Stm& map : for_it_alone_) scope.outside_for_it_alone(map);
  scope.around(with.fn.body);
  for (Stm* stm : path.maps) {
    const Adding map = *adding(*stm);
    c.levels.push_back({names_.fresh("i"), map.width});
    scope.enter(*map.fn, map.accumulators->size(), *map.arrays, c.levels.back());
  }
  c.cells = cells_of(update, type.shape, scope, c.levels);
  if (c.cells.empty() || has(c.cells, c.levels[0])) return std::nullopt;
  const auto product = scope.product(update.value, c.levels[0].index);
  return product && choose(c, *product, scope) ? std::optional(c) : std::nullopt;
}

/// Divides the factors into those that vary with the outermost map and the others, if that pays.
bool Contractor::choose(Contraction& c, const Product& product, const Scope& scope) const {
  const auto only_points_know_the_end = [&](const Dim& dim) {
    const Name* extent = name_in(dim.extent);
    return extent && scope.level_of(*extent);
  };
  if (std::any_of(product.sums.begin(), product.sums.end(), only_points_know_the_end)) return false;
  std::vector<Factor> invariant;
  for (const Factor& factor : product.factors) {
    if (!aliases_.settled(factor.array) && !names_.type_of(factor.array).is_scalar()) return false;
    std::optional<int> known = scope.level_of(factor.array);
    for (int level = 0; level < static_cast<int>(c.levels.size()); ++level) {
      const Dim& dim = c.levels[static_cast<std::size_t>(level)];
      if (factor.mentions(dim.index) && (level == 0 || only_points_know_the_end(dim))) known = std::max(known.value_or(0), level);
    }
    if (known) c.depth = std::max(c.depth, static_cast<std::size_t>(*known));
    (known ? c.varying : invariant).push_back(factor);
  }
  // What is bound in the body of a map may vary with its index and those around it.
  std::vector<Dim> all(c.levels.begin() + 1, c.levels.end());
  all.insert(all.end(), product.sums.begin(), product.sums.end());
  std::vector<Dim> with_points{c.levels[0]};
  with_points.insert(with_points.end(), all.begin(), all.end());
  const auto are_there = [&](const std::vector<Factor>& factors, const std::vector<Dim>& dims) {
    return std::all_of(factors.begin(), factors.end(), [&](const Factor& factor) { return goes_through(factor, names_.type_of(factor.array).shape, dims); });
  };
  if (!are_there(invariant, all) || !are_there(c.varying, with_points)) return false;
  const std::vector<Dim> at_points = dims_of(c.varying, all), of_invariant = dims_of(invariant, all);
  std::vector<Dim> summed = product.sums;
  std::size_t around_in_part = 0;
  for (const Dim& dim : all) {
    const bool is_level = has(c.levels, dim);
    const bool around = is_level && std::any_of(c.levels.begin() + 1, c.levels.begin() + static_cast<std::ptrdiff_t>(c.depth) + 1,
                                                [&](const Dim& d) { return d.index == dim.index; });
    const bool wanted = has(c.cells, dim) || has(of_invariant, dim);
    const bool varies = around || has(at_points, dim);
    if (!wanted && !around) return false;  // a sum of each point's own
    if (varies && wanted) c.part.push_back(dim);
    if (around && wanted) ++around_in_part;
    if (is_level && !has(c.cells, dim) && has(of_invariant, dim)) summed.push_back(dim);
  }
  const bool pulls_out = std::any_of(summed.begin(), summed.end(), [&](const Dim& dim) { return has(of_invariant, dim) && has(c.part, dim); });
  if (!pulls_out) return false;
  // Cells last: where the sum is multiplied, neighbours read neighbours.
  std::stable_partition(c.part.begin() + static_cast<std::ptrdiff_t>(around_in_part), c.part.end(),
                        [&](const Dim& dim) { return !has(c.cells, dim); });

  facts::Polynomial work = extents({c.levels.begin() + 1, c.levels.end()});
  for (const Factor& factor : invariant) {
    const std::vector<Dim> dims = dims_of({factor}, all);
    if (std::any_of(dims.begin(), dims.end(), [&](const Dim& dim) { return has(summed, dim); })) work = work + extents(dims);
  }
  if (!never_more(extents(c.part), work)) return false;
  c.after = {product.coefficient, invariant, summed};
  return true;
}

// ---- The change ----------------------------------------------------------------------------------

/// One more accumulator, the last one, of a lambda that hands it back as `result`; `params` is where accumulators end.
Name add_accumulator(Lambda& fn, std::size_t at, const std::string& base, const Type& type, Names& names) {
  const auto place = static_cast<std::ptrdiff_t>(at);
  const Param param = names.fresh_param(base, type, true);
  fn.params.insert(fn.params.begin() + place, param);
  fn.body.result.insert(fn.body.result.begin() + place, param.name);
  fn.result_types.insert(fn.result_types.begin() + place, type);
  return param.name;
}

/// A statement that is to stand before another one, when nobody points to that any more.
struct Insertion {
  Body* body;
  std::ptrdiff_t position;
  Stm stm;
};

/// The name of the map's own index in its body; one more array if it has none, which is made before the map.
Atom own_index(Adding map, const std::vector<Stm>& iotas, Insertion before, std::vector<Insertion>& insertions, Names& names) {
  for (std::size_t i = 0; i < map.arrays->size(); ++i) {
    const bool is_iota = std::any_of(iotas.begin(), iotas.end(), [&](const Stm& stm) { return stm.pattern[0].name == (*map.arrays)[i]; });
    if (is_iota) return map.fn->params[map.accumulators->size() + i].name;
  }
  Builder builder(names);
  map.arrays->push_back(builder.let("is", Iota{map.width}));
  map.fn->params.push_back(names.fresh_param("i", scalar(PrimType::i64)));
  before.stm = builder.stms.back();
  insertions.push_back(std::move(before));
  return map.fn->params.back().name;
}

/// Adds the product of the factors at all points of `dims` from number `from` on; yields the accumulator after that. A factor is
/// multiplied as far outside as its indices are known.
Name Contractor::add_at_points(Builder& builder, const Name& accumulator, const std::vector<Dim>& dims, std::size_t from,
                               std::optional<Atom> product, std::vector<Factor> factors, const Contraction& c,
                               std::unordered_map<Name, Atom>& indices) {
  std::vector<Factor> later;
  for (Factor& factor : factors) {
    const bool is_known = std::none_of(dims.begin() + static_cast<std::ptrdiff_t>(from), dims.end(),
                                       [&](const Dim& dim) { return factor.mentions(dim.index); });
    if (!is_known) {
      later.push_back(std::move(factor));
      continue;
    }
    for (Atom& index : factor.at) {
      const Name* name = name_in(index);
      if (const auto found = name ? indices.find(*name) : indices.end(); found != indices.end()) index = found->second;
    }
    const Atom value = factor.at.empty() ? Atom(factor.array) : Atom(builder.index(factor.array.base, factor.array, factor.at));
    product = product ? builder.binop("product", BinOpKind::mul, *product, value) : value;
  }
  if (from == dims.size()) {
    std::vector<Atom> cell;
    for (const Dim& dim : c.part) cell.push_back(indices.at(dim.index));
    return builder.let(accumulator.base, UpdateAcc{accumulator, cell, *product, true});
  }
  const Name iota = builder.let("is", Iota{dims[from].extent});
  const Lambda fn = builder.lambda({{accumulator.base, names_.type_of(accumulator)}, {"i", scalar(PrimType::i64)}},
                                   [&](Builder& inner, const std::vector<Name>& p) {
                                     indices[dims[from].index] = p[1];
                                     return std::vector<Atom>{add_at_points(inner, p[0], dims, from + 1, product, later, c, indices)};
                                   });
  return builder.let(accumulator.base, Map{dims[from].extent, fn, {iota}, {accumulator}});
}

/// The points add to an accumulator of their own; yields the array that it comes to.
Name Contractor::add_parts(const Contraction& c, const Path& path, const Provenance& origin, Stm& stm, std::vector<Stm>& before) {
  auto& with = std::get<WithAcc>(stm.exp);
  const Type& destination = names_.type_of(with.inputs[c.input].destination);
  const std::string base = stm.pattern[c.input].name.base + "_sums";
  Shape shape;
  for (const Dim& dim : c.part) shape.push_back(dim.extent);
  Type type{destination.elem, shape, true};
  Builder zeros(names_, stm.origin);
  const Name zero = zeros.let(base, Replicate{shape, PrimValue::zero(type.elem)});
  before.push_back(zeros.stms.back());

  std::unordered_map<Name, Atom> indices;
  std::vector<Insertion> insertions;
  std::vector<Name> params = {add_accumulator(with.fn, with.inputs.size(), base, type, names_)};
  with.inputs.push_back({zero, AddUp{}});
  for (std::size_t level = 0; level <= c.depth; ++level) {
    const Adding map = *adding(*path.maps[level]);
    // The body around it hands back what this map makes of the accumulator.
    Body& around = level == 0 ? with.fn.body : adding(*path.maps[level - 1])->fn->body;
    const Insertion before_map{&around, path.maps[level] - around.stms.data(), {}};
    indices[c.levels[level].index] = own_index(map, iotas_, before_map, insertions, names_);
    const Name inside = add_accumulator(*map.fn, map.accumulators->size(), base, type, names_);
    const Param result = names_.fresh_param(base, type, false);
    std::replace(around.result.begin(), around.result.end(), Atom(params.back()), Atom(result.name));
    path.maps[level]->pattern.insert(path.maps[level]->pattern.begin() + static_cast<std::ptrdiff_t>(map.accumulators->size()), result);
    map.accumulators->push_back(params.back());
    params.push_back(inside);
  }
  std::vector<Dim> inner;
  std::copy_if(c.part.begin(), c.part.end(), std::back_inserter(inner), [&](const Dim& dim) { return !indices.contains(dim.index); });
  Body& body = adding(*path.maps[c.depth])->fn->body;
  Builder points(names_, origin);
  const Name added = add_at_points(points, params.back(), inner, 0, std::nullopt, c.varying, c, indices);
  std::replace(body.result.begin(), body.result.end(), Atom(params.back()), Atom(added));
  const Param part = names_.fresh_param(base, {type.elem, shape, false});
  stm.pattern.insert(stm.pattern.begin() + static_cast<std::ptrdiff_t>(with.inputs.size()) - 1, part);
  std::move(points.stms.begin(), points.stms.end(), std::back_inserter(body.stms));
  for (auto i = insertions.rbegin(); i != insertions.rend(); ++i)  // inner ones first
    i->body->stms.insert(i->body->stms.begin() + i->position, std::move(i->stm));
  return part.name;
}

bool Contractor::contract(Stm& stm, std::vector<Stm>& before, std::vector<Stm>& after) {
  auto* with = std::get_if<WithAcc>(&stm.exp);
  for (Stm& inner : with->fn.body.stms) {
    if (!adding(inner)) continue;
    Path start{{&inner}, 0};
    const bool changed = any_addition(start, [&](const Path& path) {
      auto c = recognise(path, *with);
      if (!c) return false;
      const Stm removed = path.update();
      Body& last = path.last();
      last.stms.erase(last.stms.begin() + static_cast<std::ptrdiff_t>(path.position));
      substitute(last, {{removed.pattern[0].name, Atom(std::get<UpdateAcc>(removed.exp).accumulator)}});
      const bool from_zero = zeros_.contains(with->inputs[c->input].destination) && is_untouched(*with, c->input, path);
      const Name part = add_parts(*c, path, removed.origin, stm, before);  // moves what the path leads to
      Builder builder(names_, removed.origin);
      builder.origin.rule = rule_name;
      if (builder.origin.at.empty()) builder.origin.at = stm.origin.at;

      Factor factor{part, {}};
      for (const Dim& dim : c->part) factor.at.push_back(dim.index);
      c->after.factors.push_back(factor);
      Param& result = stm.pattern[c->input];
      const Param whole = result;
      result = names_.fresh_param(whole.name.base, whole.type);
      const Name sum = add_products(builder, whole.name.base, from_zero ? std::nullopt : std::optional(result.name), c->after, c->cells);
      builder.let({whole}, AtomExp{sum});
      after.insert(after.begin(), builder.stms.begin(), builder.stms.end());
      return true;
    });
    if (changed) return true;
  }
  return false;
}

}  // namespace

Program contract(Program program) {
  Names names(program);
  const facts::Aliases aliases(program);
  for (Function& function : program.functions) Contractor(names, aliases).body(function.body);
  return program;
}

}  // namespace boustro::contract
