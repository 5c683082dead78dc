// Sums of a point, one for each of some members (sums_together.hpp), by a thread each.
//
// Rule      nest n: fold over c of f(c, loop over j of g(x[j], y[j, c]))      gives
//           sums = nest (n, k): loop over j of g(x[j], y[j, c]);  nest n: fold over c of f(c, sums[i, c])
//           Threads that are neighbours are members of one point: what they read of x is the same element, and of y they are neighbours
// Applies   where the nest that folds stands in the point itself, and what its loop needs of the point and of the member is an operation, an
//           element or a view, that can be computed again
// Cost      sums are stored and read again; together.cpp says where that pays. Where it does not, there are no pairs, and no memory for them
//
// Before:  nest n (\i -> nest k (\c -> let sum = loop .. in sum) (reduce max lowest))
// After:   let sums = nest (n, k) (\i c -> let sum = loop .. in sum)
//          nest n (\i -> nest k (\c -> sums[i, c]) (reduce max lowest))
#include "transform/parallel/together/pairs.hpp"

#include <algorithm>

#include "transform/facts/work.hpp"
#include "transform/ir/needed.hpp"
#include "transform/parallel/flatten/split_rows.hpp"

namespace boustro::parallel {
namespace {

using namespace ir;

std::vector<Stm> first_of(const std::vector<Stm>& stms, std::size_t count) { return {stms.begin(), stms.begin() + static_cast<std::ptrdiff_t>(count)}; }

class Pairs {
 public:
  Pairs(const Stm& stm, const SumsOfPoint& place, Names& names)
      : stm_(stm),
        nest_(std::get<Nest>(stm.exp)),
        place_(place),
        inner_(std::get<Nest>(nest_.point.body.stms[place.at].exp)),
        loop_(inner_.point.body.stms[place.sums.loop]),
        names_(names) {}

  std::optional<std::vector<Stm>> run(const Atom& pays) {
    NameSet wanted = free_names(loop_);
    std::vector<Stm> of_member = statements_for(wanted, first_of(inner_.point.body.stms, place_.sums.loop));
    std::vector<Stm> point = statements_for(wanted, first_of(nest_.point.body.stms, place_.at));
    point.insert(point.end(), of_member.begin(), of_member.end());
    if (!std::all_of(point.begin(), point.end(), facts::is_repeatable)) return std::nullopt;
    point.push_back(loop_);
    Builder b(names_, stm_.origin);
    members_ = b.binop("members", BinOpKind::mul, inner_.space[0], b.convert("pays", PrimType::i64, pays));
    const std::vector<Name> sums = sums_of(b, std::move(point));
    b.add(with(sums));
    return std::move(b.stms);
  }

 private:
  std::vector<Name> sums_of(Builder& b, std::vector<Stm> point) {
    Nest pairs;
    pairs.over = Level::grid;
    pairs.space = nest_.space;
    pairs.space.push_back(members_);
    Lambda fn{nest_.point.params, {std::move(point), {}}, {}};
    fn.params.push_back(inner_.point.params[0]);
    Out out;
    out.rank = static_cast<int>(pairs.space.size());
    std::vector<Param> pattern;
    std::vector<Name> sums;
    for (const Param& sum : loop_.pattern) {
      fn.body.result.emplace_back(sum.name);
      fn.result_types.push_back(sum.type);
      pairs.outs.push_back(out);
      pattern.push_back(names_.fresh_param(sum.name.base + "s", array(sum.type.elem, pairs.space)));
      sums.push_back(pattern.back().name);
    }
    pairs.point = rename(fn, names_);
    Builder of_pairs(names_, loop_.origin);
    of_pairs.let(std::move(pattern), std::move(pairs));
    b.add(of_pairs.stms);
    return sums;
  }

  /// The nest that reads these sums.
  Stm with(const std::vector<Name>& sums) {
    Stm result = stm_;
    Nest& whole = std::get<Nest>(result.exp);
    Nest& inner = std::get<Nest>(whole.point.body.stms[place_.at].exp);
    std::vector<Atom> at;
    for (const Param& index : nest_.point.params) at.emplace_back(index.name);
    at.emplace_back(inner.point.params[0].name);
    Builder reads(names_, loop_.origin);
    for (std::size_t i = 0; i < sums.size(); ++i) reads.let({loop_.pattern[i]}, Index{sums[i], {at.begin(), at.end()}, false});
    inner.space[0] = members_;
    auto& stms = inner.point.body.stms;
    const auto loop = stms.erase(stms.begin() + static_cast<std::ptrdiff_t>(place_.sums.loop));
    stms.insert(loop, reads.stms.begin(), reads.stms.end());
    keep_needed(inner);
    keep_needed(whole);
    return result;
  }

  const Stm& stm_;
  const Nest& nest_;
  const SumsOfPoint& place_;
  const Nest& inner_;
  const Stm& loop_;
  Names& names_;
  Atom members_;  // as many as there are, if it pays
};

}  // namespace

std::optional<std::vector<Stm>> sums_of_pairs(const Stm& stm, const SumsOfPoint& place, const Atom& pays, Names& names) {
  return Pairs(stm, place, names).run(pays);
}

}  // namespace boustro::parallel
