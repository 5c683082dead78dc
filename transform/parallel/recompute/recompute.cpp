// Results of nests whose elements combine few elements of others, all but one of them smaller, are computed where they are read.
//
// Rule      ds, es = nest (n, m) (\i j -> (f xs[i] ys[i, j], g i j))    .. ds[i, j] ..
//           gives   es = nest (n, m) (\i j -> g i j)                    .. f xs[i] ys[i, j] ..
// Applies   to nests of the grid that store scalars in new arrays and cannot fail, result by result; if none remains the nest goes. f is quick
//           (quick_element.hpp): a few additions and multiplications that read at most one array as large as ds, in the order in which it lies. All
//           uses of ds are reads of elements by nests behind it, through whatever views, which cannot fail
// Never     where the array that is read instead lies in columns that threads fill, and would not any more (facts/thread_rows.hpp); nor where a
//           nest that blocks compute by tiles could not be so any more; nor, if its elements are wider than those of ds, where reading them
//           takes more memory than ds did
// Cost      f, and a read of each smaller array, for each read of ds. These stay in caches, and ds is neither stored nor read, which
//           goes through memory
// Source    derived here
//
// Before:  let ds = nest (n, m) (\i j -> xs[i, j] - ms[j])  in nest (n, n) (\i l -> nest m (\j -> ds[i, j] * ds[l, j]) (reduce (+) 0))
// After:   nest (n, n) (\i l -> nest m (\j -> (xs[i, j] - ms[j]) * (xs[l, j] - ms[j])) (reduce (+) 0))
#include <algorithm>
#include <functional>
#include <unordered_map>

#include "transform/facts/aliases.hpp"
#include "transform/facts/tiles.hpp"
#include "transform/ir/nest.hpp"
#include "transform/ir/traversal.hpp"
#include "transform/parallel/parallel.hpp"
#include "transform/parallel/recompute/element_reads.hpp"
#include "transform/parallel/recompute/known_already.hpp"
#include "transform/parallel/recompute/kept_rows.hpp"
#include "transform/parallel/recompute/quick_element.hpp"

namespace boustro::parallel {
namespace {

using namespace ir;

/// Those of the host by the first of their results.
using Nests = std::unordered_map<Name, Nest>;

void note_nests(const std::vector<Stm>& stms, Nests& nests) {
  for (const Stm& stm : stms) {
    if (const auto* nest = std::get_if<Nest>(&stm.exp)) nests.emplace(stm.pattern[0].name, *nest);
    else for_each_body(stm.exp, [&](const Body& inner) { note_nests(inner.stms, nests); });
  }
}

/// How many of the nests that run are among these; nothing if nobody knows.
using IsAmong = std::function<bool(const Stm&)>;
std::optional<std::int64_t> nests_that_run(const std::vector<Stm>& stms, const IsAmong& is_among) {
  std::int64_t count = 0;
  for (const Stm& stm : stms) {
    if (std::holds_alternative<Nest>(stm.exp)) {
      count += is_among(stm);
      continue;
    }
    std::int64_t most = 0;
    bool known = true;
    for_each_body(stm.exp, [&](const Body& inner) {
      const auto inside = nests_that_run(inner.stms, is_among);
      known = known && inside && (*inside == 0 || !std::holds_alternative<Loop>(stm.exp));
      most = std::max(most, inside.value_or(0));
    });
    if (!known) return std::nullopt;
    count += most;
  }
  return count;
}

class HostBody {
 public:
  HostBody(Names& names, const facts::Aliases& aliases, Function& function) : names_(names), aliases_(aliases), function_(function), order_(function.body) {}

  /// In the order of the program: what is gone has left its computation to nests behind.
  void run(Body& body) {
    for (std::size_t i = 0; i < body.stms.size(); ++i) {
      if (!std::holds_alternative<Nest>(body.stms[i].exp)) map_bodies(body.stms[i].exp, [&](Body& inner) { run(inner); });
      if (stores_elements(body.stms[i]) && remove_results(body, i)) --i;
    }
  }

 private:
  static bool stores_elements(const Stm& stm) {
    const auto* nest = std::get_if<Nest>(&stm.exp);
    return nest && nest->over == Level::grid && stores_new_arrays(*nest) && !may_fail(stm.exp) && all_scalar(nest->point.result_types);
  }

  /// Whether none remains, and so nothing of the statement.
  bool remove_results(Body& body, std::size_t i) {
    for (std::size_t result = body.stms[i].pattern.size(); result-- > 0;) remove_result(body, i, result);
    if (!body.stms[i].pattern.empty()) return false;
    body.stms.erase(body.stms.begin() + static_cast<std::ptrdiff_t>(i));
    return true;
  }

  void remove_result(Body& body, std::size_t i, std::size_t result) {
    const Stm made = body.stms[i];
    const QuickElement element(std::get<Nest>(made.exp), result, aliases_, &order_);
    if (!element.is_quick()) return;
    ElementReads reads(made.pattern[result]);
    const auto first_behind = body.stms.begin() + static_cast<std::ptrdiff_t>(i) + 1;
    const std::vector<Stm> behind(first_behind, body.stms.end());
    if (!reads.only_read(behind) || reads.is_in(body.result)) return;
    std::vector<Stm> changed = behind;
    reads.replace(changed, [&](const Stm& read, const std::vector<Atom>& at) { return element.in_place_of(read, at, names_); });
    Nests before;
    note_nests(behind, before);
    share_known(changed, before);
    const auto& large = element.large();
    if (!keep_tiles(changed, before) || (large && reads_more(changed, before, made.pattern[result], large->array))) return;
    const Body backup = body;
    body.stms.erase(first_behind, body.stms.end());
    body.stms.insert(body.stms.end(), changed.begin(), changed.end());
    take_out_result(body.stms[i], result);
    MemoryOrder order(function_.body);
    if (large && order_.has_columns(large->array) && !order.has_columns(large->array)) body = backup;
    else order_ = std::move(order);
  }

  /// In nests that are no longer what they were.
  static void share_known(std::vector<Stm>& stms, const Nests& before) {
    for (Stm& stm : stms) {
      auto* nest = std::get_if<Nest>(&stm.exp);
      if (!nest) map_bodies(stm.exp, [&](Body& inner) { share_known(inner.stms, before); });
      else if (*nest != before.at(stm.pattern[0].name)) use_what_is_known(*nest);
    }
  }

  static bool keep_tiles(const std::vector<Stm>& stms, const Nests& before) {
    return std::all_of(stms.begin(), stms.end(), [&](const Stm& stm) {
      if (const auto* nest = std::get_if<Nest>(&stm.exp)) return facts::keeps_tiles(before.at(stm.pattern[0].name), *nest);
      bool keep = true;
      for_each_body(stm.exp, [&](const Body& inner) { keep = keep && keep_tiles(inner.stms, before); });
      return keep;
    });
  }

  /// Elements that are wider than what is gone, by nests that did not read them before, in sum more than it took to make what is gone and to read it.
  bool reads_more(const std::vector<Stm>& changed, const Nests& before, const Param& gone, const Name& array) const {
    const std::int64_t width = values::byte_size(names_.type_of(array).elem), gone_width = values::byte_size(gone.type.elem);
    if (width <= gone_width) return false;
    const auto readers = nests_that_run(changed, [&](const Stm& stm) {
      const Nest& was = before.at(stm.pattern[0].name);
      return was != std::get<Nest>(stm.exp) && !free_names(Exp(was)).contains(array);
    });
    return !readers || *readers * width > (*readers + 1) * gone_width + width;
  }

  Names& names_;
  const facts::Aliases& aliases_;
  const Function& function_;
  MemoryOrder order_;
};

}  // namespace

Program compute_where_read(Program program) {
  Names names(program);
  const facts::Aliases aliases(program);
  for (Function& function : program.functions) {
    if (!function.entry) continue;
    HostBody(names, aliases, function).run(function.body);
    compute_kept_rows(function.body, names, aliases);
  }
  return program;
}

}  // namespace boustro::parallel
