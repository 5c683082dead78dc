// Arrays whose elements combine few elements of others, all but one of them smaller, are computed where they are read.
//
// Rule      ds = nest (n, m) (\i j -> f xs[i] ys[i, j])    .. ds[i, j] ..   gives   .. f xs[i] ys[i, j] ..
// Applies   to nests of the grid that store one array and nothing else. f is a few additions and multiplications and cannot fail; it reads
//           at most one array as large as ds, and that at its point's own place: others lack a dimension of the nest. Nobody updates what f
//           reads. All uses of ds are reads of elements by nests behind it, through whatever views, which cannot fail
// Cost      f, and a read of each smaller array, for each read of ds. These stay in caches, and ds is neither stored nor read, which
//           goes through memory
// Source    derived here
//
// Before:  let ds = nest (n, m) (\i j -> xs[i, j] - ms[j])  in nest (n, n) (\i l -> nest m (\j -> ds[i, j] * ds[l, j]) (reduce (+) 0))
// After:   nest (n, n) (\i l -> nest m (\j -> (xs[i, j] - ms[j]) * (xs[l, j] - ms[j])) (reduce (+) 0))
#include <algorithm>

#include "transform/facts/aliases.hpp"
#include "transform/facts/work.hpp"
#include "transform/ir/builder.hpp"
#include "transform/ir/nest.hpp"
#include "transform/ir/traversal.hpp"
#include "transform/parallel/parallel.hpp"
#include "transform/parallel/recompute/element_reads.hpp"

namespace boustro::parallel {
namespace {

using namespace ir;

constexpr std::size_t most_operations = 4, most_reads = 3;

/// What a nest reads and computes for each of its points.
class Operations {
 public:
  Operations(const Nest& nest, const facts::Aliases& aliases) : aliases_(aliases) {
    for (const Param& param : nest.point.params) indices_.push_back(param.name);
    quick_ = std::all_of(nest.point.body.stms.begin(), nest.point.body.stms.end(), [&](const Stm& stm) { return note(stm); });
  }

  bool pays() const { return quick_ && operations_ <= most_operations && reads_ <= most_reads && large_ <= 1 && large_ <= operations_; }

 private:
  bool note(const Stm& stm) {
    if (facts::is_quick(stm.exp)) return ++operations_, true;
    const Index* read = as_part(stm);
    if (!read) return false;
    std::vector<Atom> at = numbers_of(*read);
    Name array = read->array;
    if (const auto row = rows_.find(array); row != rows_.end()) {
      at.insert(at.begin(), row->second.second.begin(), row->second.second.end());
      array = row->second.first;
    }
    if (!stm.pattern[0].type.is_scalar()) return rows_.emplace(stm.pattern[0].name, std::pair(array, at)), true;
    return note_read(array, at);
  }

  bool note_read(const Name& array, const std::vector<Atom>& at) {
    ++reads_;
    if (!aliases_.settled(array)) return false;
    const auto is_index = [&](const Atom& atom) { return std::find(indices_.begin(), indices_.end(), atom) != indices_.end(); };
    if (!std::all_of(at.begin(), at.end(), [&](const Atom& atom) { return is_index(atom) || literal_in(atom); })) return false;
    const bool smaller = std::any_of(indices_.begin(), indices_.end(), [&](const Atom& index) { return std::find(at.begin(), at.end(), index) == at.end(); });
    large_ += !smaller;
    return smaller || at == indices_;
  }

  const facts::Aliases& aliases_;
  std::vector<Atom> indices_;
  std::unordered_map<Name, std::pair<Name, std::vector<Atom>>> rows_;
  bool quick_ = false;
  std::size_t operations_ = 0, reads_ = 0, large_ = 0;
};

class HostBody {
 public:
  HostBody(Names& names, const facts::Aliases& aliases) : names_(names), aliases_(aliases) {}

  void run(Body& body) {
    for (std::size_t i = 0; i < body.stms.size();) {
      std::vector<Stm> behind(body.stms.begin() + static_cast<std::ptrdiff_t>(i) + 1, body.stms.end());
      if (applies(body.stms[i]) && replace(body.stms[i], behind, body.result)) {
        body.stms.erase(body.stms.begin() + static_cast<std::ptrdiff_t>(i), body.stms.end());
        body.stms.insert(body.stms.end(), std::make_move_iterator(behind.begin()), std::make_move_iterator(behind.end()));
      } else {
        if (!std::holds_alternative<Nest>(body.stms[i].exp)) map_bodies(body.stms[i].exp, [&](Body& inner) { run(inner); });
        ++i;
      }
    }
  }

 private:
  bool applies(const Stm& stm) const {
    const auto* nest = std::get_if<Nest>(&stm.exp);
    return nest && nest->over == Level::grid && stores_new_arrays(*nest) && stm.pattern.size() == 1 && nest->outs[0].kind == OutKind::store &&
           static_cast<std::size_t>(nest->outs[0].rank) == nest->space.size() && nest->point.result_types[0].is_scalar() && !nest->point.body.stms.empty() &&
           Operations(*nest, aliases_).pays();
  }

  bool replace(const Stm& stm, std::vector<Stm>& behind, const std::vector<Atom>& result) {
    ElementReads reads(stm);
    if (!reads.only_read(behind) || reads.is_in(result)) return false;
    reads.replace(behind, [&](const Stm& read, const std::vector<Atom>& at) { return computed(std::get<Nest>(stm.exp), read, at); });
    return true;
  }

  /// The result of the computation takes the name of what was read.
  std::vector<Stm> computed(const Nest& nest, const Stm& read, const std::vector<Atom>& at) {
    Builder builder(names_, read.origin);
    const std::vector<Atom> value = inline_lambda(builder, rename(nest.point, names_), at);
    Stm& last = builder.stms.back();
    if (value[0] == Atom(last.pattern[0].name))
      last.pattern[0] = read.pattern[0];
    else
      builder.let(read.pattern, AtomExp{value[0]});
    return std::move(builder.stms);
  }

  Names& names_;
  const facts::Aliases& aliases_;
};

}  // namespace

Program compute_where_read(Program program) {
  Names names(program);
  const facts::Aliases aliases(program);
  for (Function& function : program.functions)
    if (function.entry) HostBody(names, aliases).run(function.body);
  return program;
}

}  // namespace boustro::parallel
