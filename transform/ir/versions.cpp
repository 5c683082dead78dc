#include "transform/ir/versions.hpp"

#include <algorithm>

namespace boustro::ir {
namespace {

/// Follows an array from a result back to where it came in.
class Tracer {
 public:
  explicit Tracer(Type type) : type_(std::move(type)) {}

  /// The name that the array had outside of the statements which bind `last`.
  std::optional<Name> origin(const std::vector<Stm>& stms, const Atom& last) {
    const Name* version = name_in(last);
    if (!version) return std::nullopt;
    std::optional<Name> name = *version;
    for (auto stm = stms.rbegin(); name && stm != stms.rend(); ++stm) {
      const auto found = std::find_if(stm->pattern.begin(), stm->pattern.end(), [&](const Param& p) { return p.name == *name; });
      if (found == stm->pattern.end()) continue;
      if (found->type != type_) return std::nullopt;
      versions.insert(*name);
      name = before(stm->exp, static_cast<std::size_t>(found - stm->pattern.begin()));
    }
    return name;
  }

  NameSet versions;

 private:
  /// The version of which result number `i` is the next.
  std::optional<Name> before(const Exp& exp, std::size_t i) {
    using Found = std::optional<Name>;
    return match(
        exp,  //
        [](const AtomExp& e) { return name_in(e.atom) ? Found(*name_in(e.atom)) : std::nullopt; },
        [](const Coerce& e) { return Found(e.array); }, [](const Copy& e) { return Found(e.array); },
        [](const Update& e) { return Found(e.array); },
        [](const Scatter& e) { return e.destinations.size() == 1 ? Found(e.destinations[0]) : Found(); },
        [&](const If& e) { return before_branches(e, i); }, [&](const Loop& e) { return before_loop(e, i); },
        [](const auto&) { return Found(); });
  }

  std::optional<Name> before_branches(const If& e, std::size_t i) {
    const auto first = origin(e.then_body.stms, e.then_body.result.at(i));
    const auto second = origin(e.else_body.stms, e.else_body.result.at(i));
    return first == second ? first : std::nullopt;
  }

  std::optional<Name> before_loop(const Loop& e, std::size_t i) {
    const LoopParam& p = e.params.at(i);
    const Name* init = name_in(p.init);
    if (p.param.type != type_ || !init || origin(e.body.stms, e.body.result.at(i)) != p.param.name) return std::nullopt;
    versions.insert(p.param.name);
    return *init;
  }

  Type type_;
};

}  // namespace

std::optional<NameSet> versions_of(const Loop& loop, std::size_t param) {
  const Param& array = loop.params.at(param).param;
  if (array.type.shape.empty() || array.type.accumulator) return std::nullopt;
  Tracer tracer(array.type);
  if (tracer.origin(loop.body.stms, loop.body.result.at(param)) != array.name) return std::nullopt;
  tracer.versions.insert(array.name);
  return std::move(tracer.versions);
}

}  // namespace boustro::ir
