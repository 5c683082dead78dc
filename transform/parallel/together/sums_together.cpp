// Sums that a thread folds, each by a loop of its own over the same summands.
//
// Rule      fold over c of f(c, loop over j of g(x[j], y[c, j]))      reads each x again for every c. It becomes, some members c at a time,
//           sums = loop over j: x = x[j], for each of these c: sums[c] = g(x, y[c, j])
//           fold over these c of f(c, sums[c])
// Applies   to nests of a thread, of one dimension, that reduce scalars and nothing else; in whose points there is one loop, over the same
//           numbers for all members, which carries nothing but scalars that start the same for all of them. Some element that a step reads
//           is the same for all members. What differs between members and is there before the loop cannot fail, and where the loop needs it,
//           it is a view or arithmetic of sizes. Nothing consumes an array
// Members   as many at a time as have sums of 64 bytes, at most 16, and not fewer than 4: an array of that size stays in registers, as the
//           loops over it have as many iterations and are written out. Beyond the last member nothing is done
// Order     is that of the program for each sum, and for the fold. A step does first what is the same for all members, as far as that stands
//           before anything else that may fail
// Cost      none but for conditions; registers
//
// Before:  nest k (\c -> let total = loop (sum = 0) for j < n do sum + xs[j] * yss[c, j] in total) (reduce max lowest)
// After:   loop (most = lowest) for group < (k + 15) / 16 do
//            let first = group * 16 let rest = k - first
//            let totals = loop (sums = replicate 16 0) for j < n do
//                let x = xs[j]
//                in #[unroll] loop (sums) for r < 16 do if r < rest then sums with [r] = sums[r] + x * yss[first + r, j] else sums
//            in #[unroll] loop (most) for r < 16 do if r < rest then max most totals[r] else most
#include "transform/parallel/together/sums_together.hpp"

#include <algorithm>
#include <bit>
#include <functional>

#include "transform/ir/needed.hpp"
#include "transform/parallel/flatten/chunk.hpp"

namespace boustro::parallel {
namespace {

using namespace ir;

constexpr std::int64_t bytes_of_sums = 64, most_members = 16, fewest_members = 4;

bool folds_scalars(const Nest& nest) {
  const auto folds = [](const Out& out) {
    return out.kind == OutKind::reduce && out.rank == 0 && !out.epilogue && out.destinations.empty() && all_scalar(out.op->op.params);
  };
  return nest.over == Level::thread && nest.space.size() == 1 && nest.accumulators.empty() && !nest.outs.empty() &&
         std::all_of(nest.outs.begin(), nest.outs.end(), folds);
}

bool uses_any(const NameSet& used, const NameSet& names) {
  return std::any_of(used.begin(), used.end(), [&](const Name& name) { return names.contains(name); });
}

bool is_any(const Atom& atom, const NameSet& names) {
  const Name* name = name_in(atom);
  return name && names.contains(*name);
}

bool fails_anywhere(const Stm& stm) {
  bool fails = stm.pattern.empty() || may_fail(stm.exp);
  for_each_body(stm.exp, [&](const Body& inner) { fails = fails || std::any_of(inner.stms.begin(), inner.stms.end(), fails_anywhere); });
  return fails;
}

bool reads_element(const Stm& stm) { return std::holds_alternative<Index>(stm.exp) && stm.pattern[0].type.is_scalar(); }

void add_bound(const Stm& stm, NameSet& names) {
  for (const Param& param : stm.pattern) names.insert(param.name);
}

class Finder {
 public:
  Finder(const Nest& nest, const facts::Callees& callees) : nest_(nest), stms_(nest.point.body.stms), callees_(callees) {}

  std::optional<SumsTogether> run() {
    if (!folds_scalars(nest_) || consumes(nest_.point.body)) return std::nullopt;
    const PrimValue* members = literal_in(nest_.space[0]);
    if (members && members->as_int() < fewest_members) return std::nullopt;
    const auto is_loop = [](const Stm& stm) { return std::holds_alternative<Loop>(stm.exp); };
    const auto at = std::find_if(stms_.begin(), stms_.end(), is_loop);
    if (at == stms_.end() || std::any_of(at + 1, stms_.end(), is_loop)) return std::nullopt;
    found_.loop = static_cast<std::size_t>(at - stms_.begin());
    found_.of_member.insert(nest_.point.params[0].name);
    const Loop& loop = std::get<Loop>(at->exp);
    found_.count = members_for(loop);
    if (found_.count < fewest_members || !is_the_same_before(free_names(*at)) || !runs_the_same(loop) || !shares_reads(loop)) return std::nullopt;
    return std::move(found_);
  }

 private:
  bool consumes(const Body& body) const {
    return std::any_of(body.stms.begin(), body.stms.end(), [&](const Stm& stm) {
      bool any = !callees_.consumed_operands(stm.exp).empty();
      for_each_body(stm.exp, [&](const Body& inner) { any = any || consumes(inner); });
      return any;
    });
  }

  static std::int64_t members_for(const Loop& loop) {
    std::int64_t bytes = 0;
    for (const LoopParam& p : loop.params) {
      if (!p.param.type.is_scalar()) return 0;
      bytes += values::byte_size(p.param.type.elem);
    }
    if (bytes == 0) return 0;
    return std::min(most_members, static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(bytes_of_sums / bytes))));
  }

  /// What the members have before the loop is computed again for each step, where that needs it.
  bool is_the_same_before(NameSet wanted) {
    for (std::size_t i = 0; i < found_.loop; ++i) {
      if (!uses_any(free_names(stms_[i]), found_.of_member)) continue;
      if (fails_anywhere(stms_[i])) return false;
      add_bound(stms_[i], found_.of_member);
    }
    const std::vector<Stm> before{stms_.begin(), stms_.begin() + static_cast<std::ptrdiff_t>(found_.loop)};
    const std::vector<Stm> needed = statements_for(wanted, before);
    return std::all_of(needed.begin(), needed.end(), [&](const Stm& stm) {
      const bool is_view = std::holds_alternative<Index>(stm.exp) && !stm.pattern[0].type.is_scalar();
      return is_view || is_size_arithmetic(stm.exp) || !found_.of_member.contains(stm.pattern[0].name);
    });
  }

  bool runs_the_same(const Loop& loop) const {
    const auto* form = std::get_if<ForLoop>(&loop.form);
    return form && !is_any(form->bound, found_.of_member) &&
           std::none_of(loop.params.begin(), loop.params.end(), [&](const LoopParam& p) { return is_any(p.init, found_.of_member); });
  }

  bool shares_reads(const Loop& loop) {
    for (const LoopParam& p : loop.params) found_.of_member.insert(p.param.name);
    bool shares = false, may_have_failed = false;
    for (const Stm& stm : loop.body.stms) {
      if (may_have_failed || uses_any(free_names(stm), found_.of_member)) {
        add_bound(stm, found_.of_member);
        may_have_failed = may_have_failed || fails_anywhere(stm);
      } else {
        shares = shares || reads_element(stm);
      }
    }
    return shares;
  }

  const Nest& nest_;
  const std::vector<Stm>& stms_;
  const facts::Callees& callees_;
  SumsTogether found_;
};

class Together {
 public:
  Together(const Stm& stm, const SumsTogether& sums, Names& names)
      : stm_(stm), nest_(std::get<Nest>(stm.exp)), sums_(sums), loop_stm_(nest_.point.body.stms[sums.loop]), loop_(std::get<Loop>(loop_stm_.exp)), names_(names) {}

  std::vector<Stm> run() {
    Builder b(names_, stm_.origin);
    const Atom groups = groups_of_members(b);
    std::vector<LoopParam> folds;
    auto result = stm_.pattern.begin();
    for (const Out& out : nest_.outs)
      for (const Atom& start : out.op->neutral) folds.push_back({names_.fresh_param(result->name.base, result->type), start}), ++result;
    const Name group = names_.bind_fresh("group", scalar(PrimType::i64));
    Builder inside(names_, stm_.origin);
    first_ = inside.binop("first", BinOpKind::mul, group, int_atom(sums_.count));
    rest_ = inside.binop("rest", BinOpKind::sub, nest_.space[0], first_);
    const std::vector<Atom> next = of_group(inside, folds);
    b.let(stm_.pattern, Loop{std::move(folds), ForLoop{group, PrimType::i64, groups}, {std::move(inside.stms), next}});
    return std::move(b.stms);
  }

 private:
  Atom groups_of_members(Builder& b) const {
    const PrimValue* members = literal_in(nest_.space[0]);
    return members ? int_atom((members->as_int() + sums_.count - 1) / sums_.count) : divided_up(b, "groups", nest_.space[0], int_atom(sums_.count));
  }

  bool is_of_member(const Stm& stm) const {
    return std::any_of(stm.pattern.begin(), stm.pattern.end(), [&](const Param& p) { return sums_.of_member.contains(p.name); });
  }

  std::vector<Stm> before_loop(bool of_member) const {
    const auto& stms = nest_.point.body.stms;
    std::vector<Stm> result;
    std::copy_if(stms.begin(), stms.begin() + static_cast<std::ptrdiff_t>(sums_.loop), std::back_inserter(result),
                 [&](const Stm& stm) { return is_of_member(stm) == of_member; });
    return result;
  }

  std::vector<Atom> of_group(Builder& b, const std::vector<LoopParam>& folds) {
    b.add(before_loop(false));
    const std::vector<Name> totals = add_up(b);
    return fold(b, folds, totals);
  }

  // ---- The loop

  std::vector<Name> add_up(Builder& b) {
    std::vector<LoopParam> sums;
    for (const LoopParam& p : loop_.params) {
      const Name start = b.let(p.param.name.base + "_starts", Replicate{{int_atom(sums_.count)}, p.init});
      sums.push_back({array_like(p.param), start});
    }
    Builder step(names_, loop_stm_.origin);
    for (const Stm& stm : loop_.body.stms)
      if (!is_of_member(stm)) step.add(stm);
    const std::vector<Name> next = step_of_members(step, sums);
    std::vector<Param> pattern;
    for (const Param& total : loop_stm_.pattern) pattern.push_back(array_like(total, false));
    std::vector<Name> totals;
    for (const Param& total : pattern) totals.push_back(total.name);
    Builder whole(names_, loop_stm_.origin);
    whole.let(std::move(pattern), Loop{std::move(sums), loop_.form, {std::move(step.stms), as_atoms(next)}});
    b.add(whole.stms);
    return totals;
  }

  std::vector<Name> step_of_members(Builder& b, const std::vector<LoopParam>& sums) {
    std::vector<LoopParam> carried;
    std::vector<Param> pattern;
    std::vector<Atom> unchanged;
    for (const LoopParam& p : sums) {
      carried.push_back({names_.fresh_param(p.param.name.base, p.param.type, true), p.param.name});
      pattern.push_back(names_.fresh_param(p.param.name.base, p.param.type));
      unchanged.push_back(carried.back().param.name);
    }
    return each_member(b, std::move(carried), std::move(pattern), unchanged, [&](Builder& inside, const Atom& r) {
      NameSet wanted;
      for (const Stm& stm : loop_.body.stms)
        if (is_of_member(stm)) wanted.merge(free_names(stm));
      wanted.merge(names_among(loop_.body.result));
      Substitution known{{nest_.point.params[0].name, member(inside, r)}};
      inside.add(rename(statements_for(wanted, before_loop(true)), names_, known));
      for (std::size_t i = 0; i < sums.size(); ++i)
        known[loop_.params[i].param.name] = inside.index(loop_.params[i].param.name.base, std::get<Name>(unchanged[i]), {r});
      std::vector<Stm> own;
      std::copy_if(loop_.body.stms.begin(), loop_.body.stms.end(), std::back_inserter(own), [&](const Stm& stm) { return is_of_member(stm); });
      inside.add(rename(own, names_, known));
      std::vector<Atom> results;
      for (std::size_t i = 0; i < sums.size(); ++i)
        results.push_back(inside.let(loop_.params[i].param.name.base, Update{std::get<Name>(unchanged[i]), {r}, substitute(loop_.body.result[i], known), false}));
      return results;
    });
  }

  // ---- What comes of the sums

  std::vector<Atom> fold(Builder& b, const std::vector<LoopParam>& folds, const std::vector<Name>& totals) {
    std::vector<LoopParam> carried;
    std::vector<Param> pattern;
    std::vector<Atom> unchanged;
    for (const LoopParam& p : folds) {
      carried.push_back({names_.fresh_param(p.param.name.base, p.param.type), p.param.name});
      pattern.push_back(names_.fresh_param(p.param.name.base, p.param.type));
      unchanged.push_back(carried.back().param.name);
    }
    return as_atoms(each_member(b, std::move(carried), std::move(pattern), unchanged, [&](Builder& inside, const Atom& r) {
      const Body& point = nest_.point.body;
      Substitution known{{nest_.point.params[0].name, member(inside, r)}};
      for (std::size_t i = 0; i < totals.size(); ++i) known[loop_stm_.pattern[i].name] = inside.index(loop_stm_.pattern[i].name.base, totals[i], {r});
      std::vector<Stm> stms = before_loop(true);
      stms.insert(stms.end(), point.stms.begin() + static_cast<std::ptrdiff_t>(sums_.loop) + 1, point.stms.end());
      NameSet wanted = names_among(point.result);
      inside.add(rename(statements_for(wanted, stms, true), names_, known));
      std::vector<Atom> results;
      std::size_t next = 0;
      for (const Out& out : nest_.outs) {
        std::vector<Atom> operands(unchanged.begin() + static_cast<std::ptrdiff_t>(next), unchanged.begin() + static_cast<std::ptrdiff_t>(next + out.values()));
        for (std::size_t k = 0; k < out.values(); ++k) operands.push_back(substitute(point.result[next + k], known));
        const std::vector<Atom> combined = inline_lambda(inside, out.op->op, operands);
        results.insert(results.end(), combined.begin(), combined.end());
        next += out.values();
      }
      return results;
    }));
  }

  // ---- Members

  Param array_like(const Param& scalar, bool unique = true) {
    return names_.fresh_param(scalar.name.base + "s", array(scalar.type.elem, {int_atom(sums_.count)}), unique);
  }

  Atom member(Builder& b, const Atom& r) { return b.binop(nest_.point.params[0].name.base, BinOpKind::add, first_, r); }

  /// A loop over those of the group that are there.
  std::vector<Name> each_member(Builder& b, std::vector<LoopParam> carried, std::vector<Param> pattern, const std::vector<Atom>& unchanged,
                                const std::function<std::vector<Atom>(Builder&, const Atom&)>& fill) {
    const Name r = names_.bind_fresh("r", scalar(PrimType::i64));
    Builder step(names_, b.origin), inside(names_, b.origin);
    const Atom is_there = step.cmp("is_there", CmpOpKind::lt, r, rest_);
    const std::vector<Atom> results = fill(inside, r);
    std::vector<Param> next;
    std::vector<Name> next_names, last_names;
    for (const Param& param : pattern) {
      next.push_back(names_.fresh_param(param.name.base, param.type));
      next_names.push_back(next.back().name);
      last_names.push_back(param.name);
    }
    step.let(std::move(next), If{is_there, {std::move(inside.stms), results}, {{}, unchanged}});
    b.let(std::move(pattern), Loop{std::move(carried), ForLoop{r, PrimType::i64, int_atom(sums_.count)}, {std::move(step.stms), as_atoms(next_names)}}, {{"unroll", {}}});
    return last_names;
  }

  const Stm& stm_;
  const Nest& nest_;
  const SumsTogether& sums_;
  const Stm& loop_stm_;
  const Loop& loop_;
  Names& names_;
  Atom first_, rest_;  // the number of the group's first member, and how many there are from there on
};

}  // namespace

std::optional<SumsTogether> sums_together_of(const Nest& nest, const facts::Callees& callees) { return Finder(nest, callees).run(); }

std::vector<Stm> add_up_together(const Stm& stm, const SumsTogether& sums, Names& names) { return Together(stm, sums, names).run(); }

}  // namespace boustro::parallel
