#include "transform/parallel/recompute/kept_rows.hpp"

#include <algorithm>

#include "transform/ir/nest.hpp"
#include "transform/parallel/recompute/element_reads.hpp"
#include "transform/parallel/recompute/known_already.hpp"
#include "transform/parallel/recompute/quick_element.hpp"

namespace boustro::parallel {
namespace {

using namespace ir;

class KeptRows {
 public:
  KeptRows(Names& names, const facts::Aliases& aliases) : names_(names), aliases_(aliases) {}

  /// Of a thread. Says whether any have gone.
  bool run(Body& body) {
    bool any = false;
    for (std::size_t i = 0; i < body.stms.size(); ++i) {
      map_bodies(body.stms[i].exp, [&](Body& inner) { any = run(inner) || any; });
      if (!are_rows(body.stms[i])) continue;
      for (std::size_t result = body.stms[i].pattern.size(); result-- > 0;) any = remove(body, i, result) || any;
      if (!body.stms[i].pattern.empty()) continue;
      body.stms.erase(body.stms.begin() + static_cast<std::ptrdiff_t>(i));
      --i;
    }
    return any;
  }

 private:
  static bool are_rows(const Stm& stm) {
    const auto* nest = std::get_if<Nest>(&stm.exp);
    const auto is_known = [](const Atom& extent) { return literal_in(extent) != nullptr; };
    return nest && stores_new_arrays(*nest) && !std::all_of(nest->space.begin(), nest->space.end(), is_known) && !may_fail(stm.exp) &&
           all_scalar(nest->point.result_types);
  }

  bool remove(Body& body, std::size_t i, std::size_t result) {
    const QuickElement element(std::get<Nest>(body.stms[i].exp), result, aliases_, nullptr);
    if (!element.is_quick()) return false;
    ElementReads reads(body.stms[i].pattern[result]);
    const auto first_behind = body.stms.begin() + static_cast<std::ptrdiff_t>(i) + 1;
    std::vector<Stm> behind(first_behind, body.stms.end());
    if (!reads.only_read(behind, true) || reads.is_in(body.result)) return false;
    reads.replace(behind, [&](const Stm& read, const std::vector<Atom>& at) { return element.in_place_of(read, at, names_); });
    body.stms.erase(first_behind, body.stms.end());
    body.stms.insert(body.stms.end(), behind.begin(), behind.end());
    take_out_result(body.stms[i], result);
    return true;
  }

  Names& names_;
  const facts::Aliases& aliases_;
};

}  // namespace

void compute_kept_rows(Body& host, Names& names, const facts::Aliases& aliases) {
  for (Stm& stm : host.stms) {
    auto* nest = std::get_if<Nest>(&stm.exp);
    if (!nest) map_bodies(stm.exp, [&](Body& inner) { compute_kept_rows(inner, names, aliases); });
    else if (nest->over == Level::grid && KeptRows(names, aliases).run(nest->point.body)) use_what_is_known(*nest);
  }
}

}  // namespace boustro::parallel
