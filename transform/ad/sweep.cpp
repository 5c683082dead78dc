// Both sweeps of a list of statements, which are differentiated last to first.
#include "transform/ad/restore.hpp"
#include "transform/ad/scope.hpp"

namespace boustro::ad {

using namespace ir;

Sweeps sweep(Reverse& context, const std::vector<Stm>& stms, const NameSet& live_after) {
  std::vector<std::vector<Stm>> forward(stms.size());
  Restorer restorer(context, stms, forward, live_after);

  Sweeps result;
  const auto append = [](std::vector<Stm>& to, const std::vector<Stm>& more) {
    to.insert(to.end(), more.begin(), more.end());
  };
  for (std::size_t i = stms.size(); i-- > 0;) {
    Sweeps sweeps = reverse_stm(context, stms[i]);
    forward[i] = std::move(sweeps.forward);
    append(result.reverse, restorer.bring_back(sweeps.reverse));
    append(result.reverse, sweeps.reverse);
  }
  for (const auto& part : forward) append(result.forward, part);
  return result;
}

}  // namespace boustro::ad
