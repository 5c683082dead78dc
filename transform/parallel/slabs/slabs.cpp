// Few sums of many summands, which blocks compute, by tiles (transform/facts/tiles.hpp) or each by several threads (joint_sums.hpp), but too
// few to keep a device busy.
//
// Rule      zs = nest (n, m): f(sum over k of ..)      gives, where it pays,
//           parts = nest (slabs, n, m): sum over the k of a slab
//           zs    = nest (n, m): f(sum over slabs of parts)
// Applies   to nests of the grid that tiles can compute, without a fold, or whose points have one sum that several threads can compute, of
//           more than one array, in a return sweep: adjoints of parameters are few, and have contributions of all points, while other sums are
//           seldom so, and two more kernels are more to read. Sums are by operators that threads can share, of extents that the host knows; not with as many summands as
//           there are rows, or columns: these are hardly few results of many summands
// Pays      asked when the program runs: there are so few tiles, whose rows and columns fill half a tile, that `least_slabs` make no more
//           than `enough_tiles`, or fewer than half of `enough_threads`, and each slab gets `summands_of_slab` or more. The nest stays as it
//           is otherwise
// Slabs     as many as make enough tiles or threads, and none where it does not pay, so that nobody has memory for parts; for tiles of three
//           dimensions the one that is neither rows nor columns is numbered together with them
// Cost      the same sums, rounded as slabs have them, always in one order; a second pass over as many results as there are slabs
// Source    split-k products of matrices, as libraries have them
//
// Before:  nest (n, m) (\i j -> nest k (\t -> xs[i, t] * ys[j, t]) (reduce (+) 0))
// After:   if pays then let parts = #[tile] nest (slabs, n, m) (\s i j -> nest count (\t -> xs[i, first + t] * ys[j, first + t]) (reduce (+) 0))
//                       in nest (n, m) (\i j -> nest slabs (\s -> parts[s, i, j]) (reduce (+) 0))
//          else nest (n, m) (\i j -> nest k (\t -> xs[i, t] * ys[j, t]) (reduce (+) 0))
//
// Without tiles one text does for both, as adding up a single slab costs little.
#include <algorithm>

#include "transform/facts/joint_sums.hpp"
#include "transform/facts/tiles.hpp"
#include "transform/ir/needed.hpp"
#include "transform/ir/traversal.hpp"
#include "transform/parallel/flatten/chunk.hpp"
#include "transform/parallel/parallel.hpp"
#include "transform/parallel/slabs/filling.hpp"

namespace boustro::parallel {
namespace {

using namespace ir;

constexpr std::int64_t tile_width = 64;
constexpr std::int64_t enough_tiles = 1024;     // several for each multiprocessor of the largest devices
constexpr std::int64_t summands_of_slab = 128;  // at least, so that what a slab comes to is little beside it
constexpr std::int64_t least_slabs = 3;         // two do not pay: on an H200 the second pass took half as long as the product of an LSTM's step

/// The inner nest: const, or to be changed, as the statements are.
template <typename Stms>
auto& sum_in(Stms& stms) {
  return *std::find_if(stms.begin(), stms.end(), [](const Stm& stm) { return std::holds_alternative<Nest>(stm.exp); });
}

std::vector<Atom> results_of(const Stm& stm) {
  std::vector<Atom> results;
  for (const Param& param : stm.pattern) results.push_back(param.name);
  return results;
}

class Slabs {
 public:
  /// Without tiles several threads compute a sum.
  Slabs(const Stm& stm, const std::optional<facts::Tiling>& tiling, Names& names)
      : stm_(stm), nest_(std::get<Nest>(stm.exp)), tiling_(tiling), names_(names), to_(names, stm.origin) {
    for (std::size_t d = 0; tiling && d < nest_.space.size(); ++d)
      if (d != tiling->rows && d != tiling->columns) matrices_ = d;
  }

  /// What stands in the place of the statement.
  std::vector<Stm> run() {
    const Atom limit = most_slabs();
    if (!tiling_) return always(limit);
    If choice{where_it_pays(limit), {}, {}};
    choice.then_body = by_slabs(limit, choice.condition);
    Substitution none;
    choice.else_body.stms = rename({stm_}, names_, none);
    choice.else_body.result = results_of(choice.else_body.stms[0]);
    to_.let(stm_.pattern, std::move(choice), {{"versions", {}}});
    return std::move(to_.stms);
  }

 private:
  /// Of one slab, too.
  std::vector<Stm> always(const Atom& limit) {
    const Chunks slabs = in_chunks(to_, summands(), limit, slab_name());
    const std::vector<Name> parts = sums_of_slabs(to_, slabs);
    to_.add(of_all_slabs(slabs, parts));
    to_.stms.back().pattern = stm_.pattern;
    return std::move(to_.stms);
  }

  std::string slab_name() const { return stm_.pattern[0].name.base + "_slab"; }

  const Atom& summands() const { return std::get<Nest>(sum_in(nest_.point.body.stms).exp).space[0]; }
  const Atom& rows() const { return nest_.space[tiling_->rows]; }
  const Atom& columns() const { return facts::columns_of(nest_, *tiling_); }

  /// One if there are tiles or threads enough, or too few summands.
  Atom most_slabs() {
    using joint_sums::enough_threads, joint_sums::summands_of_thread, joint_sums::threads_of_sum;
    const Atom filling = tiling_ ? filled(enough_tiles, at_least_one(tiles())) : filled(enough_threads / threads_of_sum, points());
    const Atom worth = to_.binop("worth", BinOpKind::div, summands(), int_atom(tiling_ ? summands_of_slab : threads_of_sum * summands_of_thread));
    return at_least_one(to_.binop("most_" + stm_.pattern[0].name.base + "_slabs", BinOpKind::min, filling, worth));
  }

  Atom filled(std::int64_t enough, const Atom& by) {
    const PrimValue* number = literal_in(by);
    return number ? int_atom(enough / number->as_int()) : Atom(to_.binop("filling", BinOpKind::div, int_atom(enough), by));
  }

  Atom at_least_one(const Atom& size) {
    const Name* name = name_in(size);
    return name ? Atom(to_.binop(name->base, BinOpKind::max, size, int_atom(1))) : int_atom(std::max<std::int64_t>(literal_in(size)->as_int(), 1));
  }

  Atom tiles() {
    const auto tiles_along = [&](const Atom& extent) { return divided_up(to_, "tiles", extent, int_atom(tile_width)); };
    const Atom tiles = count(to_, "tiles", tiles_along(rows()), tiles_along(columns()));
    return matrices_ ? count(to_, "tiles", tiles, nest_.space[*matrices_]) : tiles;
  }

  /// At least one.
  Atom points() {
    Atom points = at_least_one(nest_.space[0]);
    for (std::size_t d = 1; d < nest_.space.size(); ++d) points = count(to_, "points", points, at_least_one(nest_.space[d]));
    return points;
  }

  /// Of tiles.
  Atom where_it_pays(const Atom& slabs) {
    const Atom several = to_.cmp("several", CmpOpKind::le, int_atom(least_slabs), slabs);
    const auto is_half_full = [&](const Atom& extent) { return to_.cmp("is_full", CmpOpKind::le, int_atom(tile_width / 2), extent); };
    const auto both = [&](const Atom& x, const Atom& y) { return Atom(to_.let("pays", BinOp{BinOpKind::bit_and, PrimType::boolean, x, y})); };
    return both(several, both(is_half_full(rows()), is_half_full(columns())));
  }

  Body by_slabs(const Atom& limit, const Atom& pays) {
    Builder b(names_, stm_.origin);
    Chunks slabs = in_chunks(b, summands(), limit, slab_name());
    slabs.count = b.binop(slab_name() + "s", BinOpKind::mul, slabs.count, b.convert("pays", PrimType::i64, pays));
    const std::vector<Name> parts = sums_of_slabs(b, slabs);
    b.add(of_all_slabs(slabs, parts));
    const std::vector<Atom> results = results_of(b.stms.back());
    return {std::move(b.stms), results};
  }

  /// The nest with those summands that a slab has, and without what comes of the sums.
  std::vector<Name> sums_of_slabs(Builder& b, const Chunks& slabs) {
    Lambda original = rename(nest_.point, names_);
    Builder point(names_, stm_.origin);
    Nest nest;
    nest.over = nest_.over;
    nest.space = {matrices_ ? count(b, "blocks", slabs.count, nest_.space[*matrices_]) : slabs.count};
    nest.point.params = {names_.fresh_param(matrices_ ? "block" : "slab", scalar(PrimType::i64))};
    Atom slab = nest.point.params[0].name;
    for (std::size_t d = 0; d < nest_.space.size(); ++d) {
      if (d == matrices_) {
        const Atom matrices = b.binop("matrices", BinOpKind::max, nest_.space[d], int_atom(1));  // there are no points if there are none
        point.let({original.params[d]}, BinOp{BinOpKind::mod, PrimType::i64, slab, matrices});
        slab = point.binop("slab", BinOpKind::div, slab, matrices);
      } else {
        nest.space.push_back(nest_.space[d]);
        nest.point.params.push_back(original.params[d]);
      }
    }
    Stm& sum = sum_in(original.body.stms);
    take_part(std::get<Nest>(sum.exp), chunk_of(point, slabs, summands(), slab));
    const std::vector<Atom> totals = results_of(sum);
    NameSet wanted = names_among(totals);
    point.add(statements_for(wanted, original.body.stms));
    nest.point.body = {std::move(point.stms), totals};
    Out out;
    out.rank = static_cast<int>(nest.space.size());
    nest.outs.assign(totals.size(), out);
    std::vector<Param> pattern;
    std::vector<Name> parts;
    for (const Atom& total : totals) {
      nest.point.result_types.push_back(names_.type_of(total));
      pattern.push_back(names_.fresh_param(std::get<Name>(total).base + "_parts", array(nest.point.result_types.back().elem, nest.space)));
      parts.push_back(pattern.back().name);
    }
    b.let(std::move(pattern), std::move(nest), tiling_ ? std::vector<Attribute>{{"tile", {}}} : std::vector<Attribute>{});
    return parts;
  }

  void take_part(Nest& sum, const Chunk& chunk) {
    sum.space[0] = chunk.count;
    const Name index = sum.point.params[0].name;
    sum.point.params[0] = names_.fresh_param(index.base, sum.point.params[0].type);
    Builder inside(names_, stm_.origin);
    substitute(sum.point.body, {{index, inside.binop("global_" + index.base, BinOpKind::add, chunk.first, sum.point.params[0].name)}});
    inside.add(sum.point.body.stms);
    sum.point.body.stms = std::move(inside.stms);
  }

  /// The nest whose sums are those of the parts.
  Stm of_all_slabs(const Chunks& slabs, const std::vector<Name>& parts) {
    Substitution none;
    Stm whole = rename({stm_}, names_, none)[0];
    Lambda& point = std::get<Nest>(whole.exp).point;
    Nest& sum = std::get<Nest>(sum_in(point.body.stms).exp);
    Builder b(names_, stm_.origin);
    sum.space = {slabs.count};
    sum.point = b.lambda({{"slab", scalar(PrimType::i64)}}, [&](Builder& inside, const std::vector<Name>& slab) {
      std::vector<Atom> at{slab[0]}, results;
      for (std::size_t d = 0; d < nest_.space.size(); ++d) {
        const Atom index = point.params[d].name;
        if (d == matrices_)
          at[0] = inside.binop("block", BinOpKind::add, count(inside, "first", slab[0], nest_.space[d]), index);
        else
          at.push_back(index);
      }
      for (const Name& part : parts) results.push_back(inside.index(part.base, part, at));
      return results;
    });
    NameSet wanted = names_among(point.body.result);
    point.body.stms = statements_for(wanted, point.body.stms);
    return whole;
  }

  const Stm& stm_;
  const Nest& nest_;
  const std::optional<facts::Tiling>& tiling_;
  Names& names_;
  Builder to_;
  std::optional<std::size_t> matrices_;
};

class Host {
 public:
  Host(const std::vector<Param>& params, Names& names) : names_(names) {
    for (const Param& param : params)
      if (param.type == scalar(PrimType::i64)) known_.insert(param.name);
  }

  void run(Body& body) {
    std::vector<Stm> stms;
    for (Stm& stm : body.stms) {
      note(stm);
      if (const auto* nest = std::get_if<Nest>(&stm.exp)) {
        const auto tiling = tiles_in(*nest);
        std::vector<Stm> parts = tiling || is_joint(stm, *nest) ? Slabs(stm, tiling, names_).run() : std::vector<Stm>{std::move(stm)};
        stms.insert(stms.end(), std::make_move_iterator(parts.begin()), std::make_move_iterator(parts.end()));
        continue;
      }
      map_bodies(stm.exp, [&](Body& inner) { run(inner); });
      stms.push_back(std::move(stm));
    }
    body.stms = std::move(stms);
  }

 private:
  /// What the host computes from sizes.
  void note(const Stm& stm) {
    const NameSet used = free_names(stm);
    const bool known = is_scalar_operation(stm.exp) && std::all_of(used.begin(), used.end(), [&](const Name& name) { return known_.contains(name); });
    if (known) known_.insert(stm.pattern[0].name);
  }

  bool knows(const Atom& size) const {
    const Name* name = name_in(size);
    return !name || known_.contains(*name);
  }

  std::optional<facts::Tiling> tiles_in(const Nest& nest) const {
    if (nest.over != Level::grid) return std::nullopt;
    auto tiling = facts::tiling_of(nest);
    if (!tiling || facts::fold_of(nest, *tiling)) return std::nullopt;
    const Nest& sums = facts::sums_of(nest, *tiling);
    if (name_in(sums.space[0]) && (sums.space[0] == nest.space[tiling->rows] || sums.space[0] == nest.space[*tiling->columns])) return std::nullopt;
    const bool applies = knows(sums.space[0]) && std::all_of(nest.space.begin(), nest.space.end(), [&](const Atom& extent) { return knows(extent); }) &&
                         std::all_of(sums.outs.begin(), sums.outs.end(), facts::is_joint_fold) && may_be_few(nest, *tiling);
    return applies ? tiling : std::nullopt;
  }

  /// One sum of a point, of products and the like, which no tiles compute.
  bool is_joint(const Stm& stm, const Nest& nest) const {
    if (stm.origin.sweep != Sweep::reverse || nest.over != Level::grid || !nest.accumulators.empty() || facts::tiling_of(nest)) return false;
    const auto joint = facts::joint_sums_of(nest);
    if (!joint || joint->sums.size() != 1 || !joint->rows.empty()) return false;
    const Nest& sum = std::get<Nest>(nest.point.body.stms[joint->sums[0]].exp);
    const PrimValue* literal = literal_in(sum.space[0]);
    const Name* extent = name_in(sum.space[0]);
    if (extent && extent->base.ends_with("_slabs")) return false;  // the sum of slabs itself
    const bool is_long = !literal || literal->as_int() >= 2 * joint_sums::threads_of_sum * joint_sums::summands_of_thread;
    return is_long && sum.space.size() == 1 && knows(sum.space[0]) && arrays_read(sum) > 1 &&
           std::all_of(nest.space.begin(), nest.space.end(), [&](const Atom& extent) { return knows(extent) && extent != sum.space[0]; });
  }

  /// Those that the nest reads elements of.
  static std::size_t arrays_read(const Nest& nest) {
    NameSet arrays;
    for (const Stm& stm : nest.point.body.stms)
      if (const auto* index = std::get_if<Index>(&stm.exp); index && stm.pattern[0].type.is_scalar()) arrays.insert(index->array);
    return arrays.size();
  }

  /// No extent is known to be too small.
  static bool may_be_few(const Nest& nest, const facts::Tiling& tiling) {
    const auto is_less = [](const Atom& extent, std::int64_t least) {
      const PrimValue* size = literal_in(extent);
      return size && size->as_int() < least;
    };
    return !is_less(facts::sums_of(nest, tiling).space[0], least_slabs * summands_of_slab) && !is_less(nest.space[tiling.rows], tile_width / 2) &&
           !is_less(facts::columns_of(nest, tiling), tile_width / 2);
  }

  Names& names_;
  NameSet known_;
};

}  // namespace

Program sum_by_slabs(Program program) {
  Names names(program);
  for (Function& function : program.functions)
    if (function.entry) Host(function.params, names).run(function.body);
  return program;
}

}  // namespace boustro::parallel
