// Sums of products that are stored only to be summed up again: what differs from summand to summand is summed first.
//
// Rule      zs = nest (n, m) (\i j -> nest k (\l -> c[l, j] * t[i, l]) (reduce (+) 0))
//           rs = nest m (\j -> nest n (\i -> zs[i, j]) (reduce (+) 0))
//           gives    ts = nest k (\l -> nest n (\i -> t[i, l]) (reduce (+) 0)),   rs = nest m (\j -> nest k (\l -> c[l, j] * ts[l]) (reduce (+) 0))
// Rule      norms = nest n (\i -> nest m (\j -> f(zs[i, j])) (reduce (+) 0)), beside such rs, computes zs where it reads it
// Applies   to nests of the grid, sums of floats, and factors that cannot fail, of arrays that nobody updates; zs is read by sums alone, at indices of their nests and of
//           the sums; one of them may go through all of zs, each element once. What varies with i has to lack a dimension of zs that rs keeps. Where several
//           sums read zs, it may vary with others that rs has, if the sum over k is as long as the dimension that it lacks
// Cost      sums of t, and a product with c once, instead of a product for each i; zs is never stored. What is done once is not weighed, as in transform/contract
// Rounding  as of any sum in another order
// Source    [Schenck et al. 2022], section 6.1, for sums that leave maps; transform/contract does the same for what is added to accumulators
//
// Before:  zs = nest (n, m) (\i j -> nest k (\l -> c[l, j] * (w[i] * x[i, l])) (reduce (+) 0))   rs = nest m (\j -> nest n (\i -> -zs[i, j]) (reduce (+) 0))
// After:   ts = nest k (\l -> nest n (\i -> w[i] * x[i, l]) (reduce (+) 0))                       rs = nest m (\j -> nest k (\l -> -(c[l, j] * ts[l])) (reduce (+) 0))
#include <algorithm>
#include <cmath>

#include "transform/facts/aliases.hpp"
#include "transform/ir/builder.hpp"
#include "transform/ir/needed.hpp"
#include "transform/ir/nest.hpp"
#include "transform/ir/operands.hpp"
#include "transform/parallel/parallel.hpp"
#include "transform/parallel/recompute/element_reads.hpp"
#include "transform/parallel/recompute/summands.hpp"

namespace boustro::parallel {
namespace {

using namespace ir;

/// Of an element of stored sums: what it is called, and its indices.
struct SumRead {
  Name name;
  std::vector<Atom> place;
};

/// The sum of sums: `zs` is the statement that stores, `rs` the one that reads, in the sum number `at` of its point, at `place`.
class SumsFirst {
 public:
  SumsFirst(const Stm& zs, Stm& rs, std::size_t at, const SumRead& read, Names& names)
      : zs_(std::get<Nest>(zs.exp)), rs_(std::get<Nest>(rs.exp)), at_(at), read_(read.name), place_(read.place), names_(names), origin_(rs.origin) {}

  /// What sums up first; nothing if it does not apply, and then nothing is changed. `alone`: nobody else reads what is stored.
  std::optional<Stm> run(bool alone) {
    const auto stored = summands_of(zs_, zs_.point.body.stms.size() - 1);
    const auto outer = summands_of(rs_, at_);
    if (!stored || !outer || !is_place_known(*outer)) return std::nullopt;
    stored_ = &*stored, outer_ = &*outer;
    if (!is_one_factor(*outer)) return std::nullopt;
    divide();
    if (!pays() && (alone || !pays_with_others())) return std::nullopt;
    Stm first = sums_of_varying();
    replace(first);
    return first;
  }

 private:
  using Which = const Summands*;

  const Param& param(std::size_t d) const { return rs_.point.params[rs_.accumulators.size() + d]; }

  /// Each index is one of the reading nest's, or its sum's, or a number; the sum's is among them.
  bool is_place_known(const Summands& outer) const {
    const auto is_known = [&](const Atom& index) {
      for (std::size_t d = 0; d < rs_.space.size(); ++d)
        if (index == Atom(param(d).name)) return true;
      return index == Atom(outer.index) || literal_in(index) != nullptr;
    };
    return std::all_of(place_.begin(), place_.end(), is_known) && std::find(place_.begin(), place_.end(), Atom(outer.index)) != place_.end();
  }

  /// What is read is a factor of the outer sum, once. Others that depend on it vary with all its dimensions, which does not pay.
  bool is_one_factor(const Summands& outer) const {
    const auto& factors = outer.product.factors;
    return std::count(factors.begin(), factors.end(), Atom(read_)) == 1;
  }

  /// What a factor depends on, in names of the reading nest.
  NameSet depends(Which which, const Atom& factor) const {
    NameSet names = which->depends(factor);
    if (which == outer_) return names;
    for (std::size_t d = 0; d < zs_.space.size(); ++d)
      if (const Name* index = name_in(place_[d]); names.erase(zs_.point.params[d].name) && index) names.insert(*index);
    return names;
  }

  void divide() {
    for (const Which which : {stored_, outer_})
      for (const Atom& factor : which->product.factors) {
        if (factor == Atom(read_)) continue;
        if (const PrimValue* literal = literal_in(factor)) {
          constant_ *= literal->as_float();
          continue;
        }
        const NameSet names = depends(which, factor);
        if (!names.contains(outer_->index)) {
          after_.emplace_back(which, factor);
          continue;
        }
        varying_.emplace_back(which, factor);
        summed_with_ = summed_with_ || names.contains(stored_->index);
        for (std::size_t d = 0; d < rs_.space.size(); ++d)
          if (names.contains(param(d).name) && std::find(kept_.begin(), kept_.end(), d) == kept_.end()) kept_.push_back(d);
      }
    std::sort(kept_.begin(), kept_.end());
  }

  /// Fewer dimensions than the stored sums have, all of them among these.
  bool pays() const {
    std::size_t of_place = 0;
    for (std::size_t d = 0; d < rs_.space.size(); ++d) {
      const bool placed = std::find(place_.begin(), place_.end(), Atom(param(d).name)) != place_.end();
      if (!placed && std::find(kept_.begin(), kept_.end(), d) != kept_.end()) return false;
      of_place += placed;
    }
    return !varying_.empty() && kept_.size() < of_place && (summed_with_ || !kept_.empty());
  }

  /// The first sums have a dimension less than the stored ones, and one of their summands instead, which are as many.
  bool pays_with_others() const {
    return summed_with_ && std::any_of(place_.begin(), place_.end(), [&](const Atom& index) {
      for (std::size_t d = 0; d < rs_.space.size(); ++d)
        if (index == Atom(param(d).name)) return rs_.space[d] == stored_->extent && std::find(kept_.begin(), kept_.end(), d) == kept_.end();
      return false;
    });
  }

  // ---- The change

  /// The product of these factors, computed where names of the reading nest, and the index of the stored sum, are known as these.
  Atom product(Builder& b, const std::vector<std::pair<Which, Atom>>& factors, const Substitution& known, const Atom& index) {
    std::optional<Atom> product;
    for (const Which which : {stored_, outer_}) {
      Substitution substitution = known;
      if (which == stored_) {
        for (std::size_t d = 0; d < zs_.space.size(); ++d) substitution.insert_or_assign(zs_.point.params[d].name, replaced(place_[d], known));
        substitution.insert_or_assign(stored_->index, index);
      }
      std::vector<Atom> own;
      for (const auto& [of, factor] : factors)
        if (of == which) own.push_back(factor);
      b.add(rename(which->computing(own), names_, substitution));
      for (const Atom& factor : own) {
        const Atom value = replaced(factor, substitution);
        product = product ? b.binop("product", BinOpKind::mul, *product, value) : value;
      }
    }
    return product ? *product : Atom(PrimValue::of_float(type_.elem, 1.0));
  }

  static Atom replaced(const Atom& atom, const Substitution& known) {
    const Name* name = name_in(atom);
    const auto found = name ? known.find(*name) : known.end();
    return found == known.end() ? atom : found->second;
  }

  /// A sum over so many, like the ones that there are.
  Nest sum(Builder& b, const Atom& extent, const std::string& base, const std::function<Atom(Builder&, const Name&)>& fill) {
    Nest result = *as_sum(rs_.point.body.stms[at_]);
    result.outs[0].op->op = rename(result.outs[0].op->op, names_);
    result.space = {extent};
    result.point = b.lambda({{base, scalar(PrimType::i64)}}, [&](Builder& inside, const std::vector<Name>& p) { return std::vector<Atom>{fill(inside, p[0])}; });
    return result;
  }

  Stm sums_of_varying() {
    type_ = rs_.point.body.stms[at_].pattern[0].type;
    Nest nest;
    nest.over = Level::grid;
    std::vector<std::pair<std::string, Type>> params;
    for (const std::size_t d : kept_) {
      nest.space.push_back(rs_.space[d]);
      params.emplace_back(param(d).name.base, scalar(PrimType::i64));
    }
    if (summed_with_) {
      nest.space.push_back(stored_->extent);
      params.emplace_back(stored_->index.base, scalar(PrimType::i64));
    }
    Builder b(names_, origin_);
    nest.point = b.lambda(params, [&](Builder& point, const std::vector<Name>& p) {
      Substitution known;
      for (std::size_t d = 0; d < kept_.size(); ++d) known.insert_or_assign(param(kept_[d]).name, p[d]);
      Nest total = sum(point, outer_->extent, outer_->index.base, [&](Builder& inside, const Name& index) {
        known.insert_or_assign(outer_->index, index);
        return product(inside, varying_, known, p.back());
      });
      const Param result = names_.fresh_param("total", type_);
      point.let({result}, std::move(total));
      return std::vector<Atom>{result.name};
    });
    Out out;
    out.rank = static_cast<int>(nest.space.size());
    nest.outs = {out};
    const Param result = names_.fresh_param(zs_.point.body.stms.back().pattern[0].name.base + "_sums", array(type_.elem, nest.space));
    b.let({result}, std::move(nest));
    return b.stms[0];
  }

  /// What is the same for all summands, a sign or a number, is left to the sum.
  void replace(const Stm& first) {
    Stm& stm = rs_.point.body.stms[at_];
    const Param result = stm.pattern[0];
    Builder b(names_, stm.origin);
    stm.exp = sum(b, stored_->extent, stored_->index.base, [&](Builder& inside, const Name& index) {
      Atom value = product(inside, after_, {}, index);
      std::vector<Atom> at;
      for (const std::size_t d : kept_) at.emplace_back(param(d).name);
      if (summed_with_) at.emplace_back(index);
      return inside.binop("product", BinOpKind::mul, value, inside.index("total", first.pattern[0].name, at));
    });
    const bool negative = (constant_ < 0) != (stored_->product.negative != outer_->product.negative);
    const double constant = std::abs(constant_);
    if (!negative && constant == 1) return;
    stm.pattern[0] = names_.fresh_param(result.name.base, result.type);
    Atom value = stm.pattern[0].name;
    if (constant != 1) value = b.binop("product", BinOpKind::mul, Atom(PrimValue::of_float(type_.elem, constant)), value);
    if (negative) b.binop("difference", BinOpKind::sub, Atom(PrimValue::zero(type_.elem)), value);  // 0, and not -0, of no summands
    b.stms.back().pattern[0] = result;
    rs_.point.body.stms.insert(rs_.point.body.stms.begin() + static_cast<std::ptrdiff_t>(at_) + 1, b.stms.begin(), b.stms.end());
  }

  const Nest& zs_;
  Nest& rs_;
  std::size_t at_;
  const Name read_;
  const std::vector<Atom> place_;
  Names& names_;
  Provenance origin_;
  const Summands *stored_ = nullptr, *outer_ = nullptr;
  std::vector<std::pair<Which, Atom>> varying_, after_;  // with the index of the outer sum, or not
  double constant_ = 1;                                  // literal factors
  std::vector<std::size_t> kept_;                        // dimensions of the reading nest that the first ones vary with
  bool summed_with_ = false;                             // and with the index of the stored sum
  Type type_;
};

class Sums {
 public:
  Sums(Names& names, const facts::Aliases& aliases) : names_(names), aliases_(aliases) {}

  /// Until there are no more: those that are gone read others.
  void run(Body& body) {
    for (Stm& stm : body.stms)
      if (!std::holds_alternative<Nest>(stm.exp)) map_bodies(stm.exp, [&](Body& inner) { run(inner); });
    std::size_t i = 0;
    while (i < body.stms.size())
      i = stores_sums(body.stms[i]) && sum_first(body, i) ? 0 : i + 1;
  }

 private:
  /// Of what nobody updates: it is read later instead.
  bool stores_sums(const Stm& stm) const {
    const auto* nest = std::get_if<Nest>(&stm.exp);
    if (!nest || nest->over != Level::grid || !stores_new_arrays(*nest) || stm.pattern.size() != 1 || nest->outs[0].kind != OutKind::store ||
        static_cast<std::size_t>(nest->outs[0].rank) != nest->space.size() || nest->point.body.stms.empty())
      return false;
    const NameSet used = free_names(stm);
    const auto may_be_read_later = [&](const Name& name) { return names_.type_of(name).is_scalar() || aliases_.settled(name); };
    if (!std::all_of(used.begin(), used.end(), may_be_read_later)) return false;
    const Stm& last = nest->point.body.stms.back();
    return as_sum(last) && nest->point.body.result[0] == Atom(last.pattern[0].name);
  }

  /// Statement number i is gone if so.
  bool sum_first(Body& body, std::size_t i) {
    const Stm zs = body.stms[i];
    std::vector<Stm> behind(body.stms.begin() + static_cast<std::ptrdiff_t>(i) + 1, body.stms.end());
    ElementReads reads(zs.pattern[0]);
    if (!reads.only_read(behind) || reads.is_in(body.result)) return false;
    std::vector<SumRead> found;
    reads.replace(behind, [&](const Stm& read, const std::vector<Atom>& at) {
      found.push_back({read.pattern[0].name, at});
      Stm direct = read;
      direct.exp = Index{zs.pattern[0].name, {at.begin(), at.end()}, false};
      return std::vector<Stm>{direct};
    });
    const SumRead* once = nullptr;
    for (const SumRead& read : found) {
      if (sums_first(zs, behind, read, found.size() == 1)) continue;
      if (once || found.size() == 1) return false;
      once = &read;
    }
    if (found.empty() || (once && !compute_at(zs, behind, *once))) return false;
    body.stms.erase(body.stms.begin() + static_cast<std::ptrdiff_t>(i), body.stms.end());
    body.stms.insert(body.stms.end(), std::make_move_iterator(behind.begin()), std::make_move_iterator(behind.end()));
    return true;
  }

  bool sums_first(const Stm& zs, std::vector<Stm>& behind, const SumRead& read, bool alone) {
    for (auto rs = behind.begin(); rs != behind.end(); ++rs) {
      const auto at = sum_with(*rs, read.name);
      if (!at) continue;
      auto first = SumsFirst(zs, *rs, *at, read, names_).run(alone);
      if (first) behind.insert(rs, std::move(*first));
      return first.has_value();
    }
    return false;
  }

  /// Where each element is read once.
  bool compute_at(const Stm& zs, std::vector<Stm>& behind, const SumRead& read) {
    for (Stm& stm : behind) {
      const auto at = sum_with(stm, read.name);
      if (!at || !goes_through_all(std::get<Nest>(zs.exp), std::get<Nest>(stm.exp), *at, read.place)) continue;
      const Lambda made = rename(std::get<Nest>(zs.exp).point, names_);
      Substitution indices;
      for (std::size_t d = 0; d < read.place.size(); ++d) indices.insert_or_assign(made.params[d].name, read.place[d]);
      Body computing = made.body;
      substitute(computing, indices);
      auto& stms = std::get<Nest>(std::get<Nest>(stm.exp).point.body.stms[*at].exp).point.body.stms;
      const auto place = std::find_if(stms.begin(), stms.end(), [&](const Stm& inner) { return inner.pattern[0].name == read.name; });
      computing.stms.back().pattern = place->pattern;
      const auto behind_it = stms.erase(place);
      stms.insert(behind_it, computing.stms.begin(), computing.stms.end());
      return true;
    }
    return false;
  }

  /// All indices of the nest and of its sum are those of the array, each once.
  static bool goes_through_all(const Nest& zs, const Nest& nest, std::size_t at, const std::vector<Atom>& place) {
    const Nest& sum = *as_sum(nest.point.body.stms[at]);
    std::vector<std::pair<Atom, Atom>> indices{{sum.point.params[0].name, sum.space[0]}};
    for (std::size_t d = 0; d < nest.space.size(); ++d) indices.emplace_back(nest.point.params[nest.accumulators.size() + d].name, nest.space[d]);
    return indices.size() == place.size() && std::all_of(indices.begin(), indices.end(), [&](const auto& index) {
      const auto found = std::find(place.begin(), place.end(), index.first);
      return found != place.end() && zs.space[static_cast<std::size_t>(found - place.begin())] == index.second;
    });
  }

  /// The sum of a point that binds this name.
  static std::optional<std::size_t> sum_with(const Stm& stm, const Name& name) {
    const auto* nest = std::get_if<Nest>(&stm.exp);
    if (!nest || nest->over != Level::grid) return std::nullopt;
    const auto& stms = nest->point.body.stms;
    for (std::size_t at = 0; at < stms.size(); ++at)
      if (const Nest* sum = as_sum(stms[at]); sum && bound_names(sum->point.body.stms).contains(name)) return at;
    return std::nullopt;
  }

  Names& names_;
  const facts::Aliases& aliases_;
};

}  // namespace

Program sum_first(Program program) {
  Names names(program);
  const facts::Aliases aliases(program);
  for (Function& function : program.functions)
    if (function.entry) Sums(names, aliases).run(function.body);
  return program;
}

}  // namespace boustro::parallel
