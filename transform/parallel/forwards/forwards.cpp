// Nests that go backwards through what they read are numbered forwards, if whoever reads their results goes backwards, too.
//
// Rule      ys = nest (n, m) (\s j -> f xs[n - 1 - s, j])    .. ys[s, j] .. xs[n - 1 - s, j] ..
//           gives   ys = nest (n, m) (\i j -> f xs[i, j])    .. ys[n - 1 - s, j] .. xs[n - 1 - s, j] ..
//           and so on for nests that read ys[s, j] and use s for nothing else; of loops the index goes down then
// Applies   to nests of the grid whose results have all dimensions. The index s occurs in n - 1 - s only, and all uses of the results are reads of elements by
//           nests behind it. What is left to be subtracted has to be less than before
// Cost      none; return sweeps of loops count as their forward sweeps do, and a result lies in memory in the order of what it is computed from
// Source    derived here
//
// Before:  ys = nest n (\s -> let i = last - s in 2 * xs[i])   loop a = 0 for s < n do let i = last - s in a * xs[i] + ys[s]
// After:   ys = nest n (\i -> 2 * xs[i])                       loop a = 0 for s < n do let i = last - s in a * xs[i] + ys[i]
#include <algorithm>
#include <map>

#include "transform/facts/sizes.hpp"
#include "transform/ir/nest.hpp"
#include "transform/ir/traversal.hpp"
#include "transform/parallel/parallel.hpp"
#include "transform/parallel/recompute/element_reads.hpp"

namespace boustro::parallel {
namespace {

using namespace ir;

/// let i = last - index
struct Reversal {
  Name number;
  Atom last;
  Name index;
};

std::optional<Reversal> as_reversal(const Stm& stm) {
  const auto* op = std::get_if<BinOp>(&stm.exp);
  const Name* index = op && op->kind == BinOpKind::sub && op->type == PrimType::i64 ? name_in(op->rhs) : nullptr;
  return index && stm.pattern.size() == 1 ? std::optional(Reversal{stm.pattern[0].name, op->lhs, *index}) : std::nullopt;
}

void for_each_stm_in(const Body& body, const std::function<void(const Stm&)>& visit) {
  for (const Stm& stm : body.stms) {
    visit(stm);
    for_each_body(stm.exp, [&](const Body& inner) { for_each_stm_in(inner, visit); });
  }
}

/// Statements that subtract from the same number what they all subtract are one, where the first of them is known.
class OnceEach {
 public:
  void run(Body& body) {
    const auto outside = known_;
    std::erase_if(body.stms, [&](Stm& stm) {
      substitute(stm, same_);
      const auto found = as_reversal(stm);
      if (found) {
        const auto [known, is_new] = known_.emplace(std::pair(found->last, Atom(found->index)), found->number);
        if (!is_new) same_.insert_or_assign(found->number, known->second);
        return !is_new;
      }
      map_bodies(stm.exp, [&](Body& inner) { run(inner); });
      return false;
    });
    for (Atom& atom : body.result) atom = substitute(atom, same_);
    known_ = outside;
  }

 private:
  struct Less {
    static auto key(const Atom& atom) {
      const Name* name = name_in(atom);
      return name ? std::tuple(true, std::int64_t{name->tag}) : std::tuple(false, literal_in(atom)->as_int());
    }
    bool operator()(const std::pair<Atom, Atom>& x, const std::pair<Atom, Atom>& y) const {
      return std::pair(key(x.first), key(x.second)) < std::pair(key(y.first), key(y.second));
    }
  };

  std::map<std::pair<Atom, Atom>, Name, Less> known_;
  Substitution same_;
};

class Forwards {
 public:
  explicit Forwards(Names& names) : names_(names) {}

  void run(Body& body) {
    const facts::Sizes outside = sizes_;
    for (std::size_t i = 0; i < body.stms.size(); ++i) {
      define(body.stms[i]);
      if (std::holds_alternative<Nest>(body.stms[i].exp)) {
        number_forwards(body, i);
      } else {
        map_bodies(body.stms[i].exp, [&](Body& inner) { run(inner); });
      }
    }
    sizes_ = outside;
  }

 private:
  void define(const Stm& stm) {
    sizes_.define(stm);
    const auto* op = std::get_if<BinOp>(&stm.exp);
    const PrimValue* least = op && op->kind == BinOpKind::max ? literal_in(op->rhs) : nullptr;
    if (least && values::is_integer(least->type) && least->as_int() == 0) clipped_.insert_or_assign(stm.pattern[0].name, op->lhs);
  }

  /// With all nests that this leads to, if fewer subtractions are left.
  void number_forwards(Body& body, std::size_t at) {
    Body changed = body;
    if (!flip_any(changed, at)) return;
    for (std::size_t i = at + 1; i < changed.stms.size(); ++i)
      while (flip_any(changed, i)) {}
    if (reversals_in(changed) < reversals_in(body)) body = std::move(changed);
  }

  static std::size_t reversals_in(const Body& body) {
    std::size_t count = 0;
    for_each_stm_in(body, [&](const Stm& stm) { count += as_reversal(stm).has_value(); });
    return count;
  }

  bool flip_any(Body& body, std::size_t at) {
    const auto* nest = std::get_if<Nest>(&body.stms[at].exp);
    if (!nest || nest->over != Level::grid || !stores_new_arrays(*nest)) return false;
    const auto has_all = [&](const Out& out) { return out.kind == OutKind::store && static_cast<std::size_t>(out.rank) == nest->space.size(); };
    if (!std::all_of(nest->outs.begin(), nest->outs.end(), has_all)) return false;
    for (std::size_t d = 0; d < nest->space.size(); ++d)
      if (const auto reversal = only_reversed(*nest, d); reversal && flip(body, at, d, *reversal)) return true;
    return false;
  }

  /// The point's index in this dimension occurs in n - 1 - index, and nowhere else.
  std::optional<Reversal> only_reversed(const Nest& nest, std::size_t d) const {
    const Name& index = nest.point.params[d].name;
    std::optional<Reversal> result;
    bool only = true;
    for_each_stm_in(nest.point.body, [&](const Stm& stm) {
      const auto found = as_reversal(stm);
      if (found && found->index == index) {
        only = only && is_last(found->last, nest.space[d]);
        if (!result) result = found;
      } else {
        for_each_atom(stm.exp, [&](const Atom& atom) { only = only && atom != Atom(index); });
      }
      for_each_body(stm.exp, [&](const Body& inner) { only = only && std::find(inner.result.begin(), inner.result.end(), Atom(index)) == inner.result.end(); });
    });
    const auto& yields = nest.point.body.result;
    only = only && std::find(yields.begin(), yields.end(), Atom(index)) == yields.end();
    return only ? result : std::nullopt;
  }

  /// n - 1, if there are any: n is then what it is clipped from.
  bool is_last(const Atom& last, const Atom& extent) const {
    const Name* name = name_in(extent);
    const auto clipped = name ? clipped_.find(*name) : clipped_.end();
    const Atom& count = clipped == clipped_.end() ? extent : clipped->second;
    return sizes_.value(last) == sizes_.value(count) - facts::Polynomial(1);
  }

  /// Numbers the nest's points in this dimension, and its results, from the other end.
  bool flip(Body& body, std::size_t at, std::size_t d, const Reversal& reversal) {
    std::vector<Stm> behind(body.stms.begin() + static_cast<std::ptrdiff_t>(at) + 1, body.stms.end());
    Stm nest = body.stms[at];
    for (const Param& result : nest.pattern) {
      ElementReads reads(result);
      if (!reads.only_read(behind) || reads.is_in(body.result)) return false;
      reads.replace(behind, [&](const Stm& read, std::vector<Atom> indices) {
        const Param number = names_.fresh_param(reversal.number.base, scalar(PrimType::i64));
        const Stm subtraction{{number}, BinOp{BinOpKind::sub, PrimType::i64, reversal.last, indices[d]}, read.origin, {}};
        indices[d] = number.name;
        Stm direct = read;
        direct.exp = Index{result.name, {indices.begin(), indices.end()}, false};
        return std::vector<Stm>{subtraction, direct};
      });
    }
    number_points(std::get<Nest>(nest.exp), d, reversal.number.base);
    body.stms.erase(body.stms.begin() + static_cast<std::ptrdiff_t>(at), body.stms.end());
    body.stms.push_back(std::move(nest));
    for (Stm& stm : behind) {
      map_bodies(stm.exp, [](Body& inner) { OnceEach().run(inner); });
      body.stms.push_back(std::move(stm));
    }
    return true;
  }

  /// The index is what has been computed from it.
  void number_points(Nest& nest, std::size_t d, const std::string& base) {
    Param& index = nest.point.params[d];
    const Name old = std::exchange(index, names_.fresh_param(base, index.type)).name;
    const Name now = index.name;
    const std::function<void(Body&)> drop = [&](Body& body) {
      std::erase_if(body.stms, [&](Stm& stm) {
        const auto found = as_reversal(stm);
        if (found && found->index == old) return numbers_.insert_or_assign(found->number, now), true;
        map_bodies(stm.exp, drop);
        return false;
      });
    };
    drop(nest.point.body);
    substitute(nest.point.body, numbers_);
    numbers_.clear();
  }

  Names& names_;
  facts::Sizes sizes_;
  std::unordered_map<Name, Atom> clipped_;
  Substitution numbers_;
};

}  // namespace

Program number_forwards(Program program) {
  Names names(program);
  for (Function& function : program.functions)
    if (function.entry) Forwards(names).run(function.body);
  return program;
}

}  // namespace boustro::parallel
