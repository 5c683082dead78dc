#include "transform/facts/dependences.hpp"

#include <algorithm>

#include "transform/facts/access.hpp"

namespace boustro::facts {

using namespace ir;

namespace {

/// All statements at any depth, the loops among them as index ranges, and what else may differ from iteration to iteration.
struct Inside {
  std::vector<Stm> stms;            // without what stands in their bodies
  std::vector<IndexRange> indices;  // of the loops, the outermost first
  NameSet varying;
  std::vector<const Stm*> accesses;

  void add(const Loop& loop) {
    for (const LoopParam& p : loop.params) varying.insert(p.param.name);
    if (const auto* form = std::get_if<ForLoop>(&loop.form)) indices.push_back({form->index, form->bound});
    add(loop.body);
  }

  void add(const Body& body) {
    for (const Stm& stm : body.stms) {
      if (const auto* inner = std::get_if<Loop>(&stm.exp)) add(*inner);
      else for_each_body(stm.exp, [&](const Body& nested) { add(nested); });
      for_each_lambda(stm.exp, [&](const Lambda& fn) {
        for (const Param& param : fn.params) varying.insert(param.name);
      });
      stms.push_back(stm);
      accesses.push_back(&stm);
    }
  }
};

class DependenceFinder {
 public:
  DependenceFinder(const Loop& loop, NameSet versions, const Sizes& sizes)
      : versions_(std::move(versions)), index_(std::get<ForLoop>(loop.form).index) {
    inside_.add(loop);
    accesses_.emplace(inside_.indices, inside_.stms, sizes, inside_.varying);
    only_versions_ = passes_on(loop.params, loop.body);
  }

  /// False if the array is used in another way.
  bool collect() {
    return only_versions_ && std::all_of(inside_.accesses.begin(), inside_.accesses.end(), [&](const Stm* stm) {
      if (const auto* e = std::get_if<Update>(&stm->exp); e && is_version(e->array)) {
        writes_.push_back(stm);
        return is_version(stm->pattern[0].name) && !is_version(e->value);
      }
      if (const auto* e = std::get_if<Index>(&stm->exp); e && is_version(e->array)) {
        reads_.push_back(stm);
        return true;
      }
      return only_names(*stm);
    });
  }

  std::vector<Dependence> dependences() const {
    std::vector<Dependence> result;
    for (const Stm* write : writes_)
      for (const Stm* read : reads_) {
        const auto& to = std::get<Update>(write->exp).indices;
        const auto& from = std::get<Index>(read->exp).indices;
        std::optional<std::int64_t> distance;
        bool meet = true;
        for (std::size_t d = 0; d < std::min(to.size(), from.size()); ++d) {
          const auto *one = std::get_if<Atom>(&to[d]), *other = std::get_if<Atom>(&from[d]);
          if (one && other) meet = meet && may_meet(*one, *other, distance);
        }
        if (meet) result.push_back({write, read, distance});
      }
    return result;
  }

 private:
  bool is_version(const Atom& atom) const {
    const Name* name = name_in(atom);
    return name && versions_.contains(*name);
  }

  /// Branches, loops and other names for the array are looked through: what continues a version must be one, or reads of it are not seen.
  bool only_names(const Stm& stm) const {
    if (const auto* e = std::get_if<AtomExp>(&stm.exp)) return stays(e->atom, stm.pattern[0]);
    if (const auto* e = std::get_if<Coerce>(&stm.exp)) return stays(e->array, stm.pattern[0]);
    if (const auto* e = std::get_if<If>(&stm.exp)) return yields(e->then_body, stm.pattern) && yields(e->else_body, stm.pattern);
    if (const auto* e = std::get_if<Loop>(&stm.exp)) return passes_on(e->params, e->body);
    bool uses = false;
    for_each_atom(stm.exp, [&](const Atom& atom) { uses = uses || is_version(atom); });
    for_each_body(stm.exp, [&](const Body& inner) {
      for (const Atom& atom : inner.result) uses = uses || is_version(atom);
    });
    return !uses;
  }

  bool stays(const Atom& version, const Param& result) const { return !is_version(version) || is_version(result.name); }

  bool yields(const Body& body, const std::vector<Param>& results) const {
    for (std::size_t i = 0; i < results.size(); ++i)
      if (!stays(body.result[i], results[i])) return false;
    return true;
  }

  /// Of a loop: a version comes in, and is handed to the next iteration, as a version. So it comes out as one.
  bool passes_on(const std::vector<LoopParam>& params, const Body& body) const {
    for (std::size_t i = 0; i < params.size(); ++i)
      if (!stays(params[i].init, params[i].param) || !stays(body.result[i], params[i].param)) return false;
    return true;
  }

  /// Whether the positions in one dimension can be the same, and if so, how many iterations apart: a w + b = a r + c.
  bool may_meet(const Atom& write, const Atom& read, std::optional<std::int64_t>& distance) const {
    const auto w = accesses_->value(write).linear_in(index_), r = accesses_->value(read).linear_in(index_);
    if (!w || !r || varies(w->rest) || varies(r->rest)) return true;
    const auto slope = w->slope.constant(), apart = (w->rest - r->rest).constant();
    if (w->slope != r->slope || !slope || !apart) return true;
    if (*slope == 0) return *apart == 0;
    if (*apart % *slope != 0) return false;
    const std::int64_t here = *apart / *slope;
    if (distance && *distance != here) return false;
    distance = here;
    return true;
  }
  bool varies(const Polynomial& p) const { return !accesses_->varying_in(p).empty(); }

  NameSet versions_;
  Name index_;
  Inside inside_;
  std::optional<Accesses> accesses_;
  bool only_versions_;
  std::vector<const Stm*> writes_, reads_;
};

}  // namespace

std::optional<std::vector<Dependence>> dependences_of(const Loop& loop, std::size_t param,
                                                      const Sizes& sizes) {
  auto versions = versions_of(loop, param);
  if (!versions || !std::holds_alternative<ForLoop>(loop.form)) return std::nullopt;
  DependenceFinder finder(loop, std::move(*versions), sizes);
  if (!finder.collect()) return std::nullopt;
  return finder.dependences();
}

}  // namespace boustro::facts
