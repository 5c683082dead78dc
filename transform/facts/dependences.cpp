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

bool single_element(const std::vector<DimIndex>& indices, const Type& array) {
  return static_cast<int>(indices.size()) == array.rank() &&
         std::all_of(indices.begin(), indices.end(), [](const DimIndex& index) {
           return std::holds_alternative<Atom>(index);
         });
}

class DependenceFinder {
 public:
  DependenceFinder(const Loop& loop, std::size_t param, NameSet versions, const Sizes& sizes)
      : type_(loop.params.at(param).param.type), versions_(std::move(versions)),
        index_(std::get<ForLoop>(loop.form).index) {
    inside_.add(loop);
    accesses_.emplace(inside_.indices, inside_.stms, sizes, inside_.varying);
  }

  /// False if the array is used in another way.
  bool collect() {
    return std::all_of(inside_.accesses.begin(), inside_.accesses.end(), [&](const Stm* stm) {
      if (const auto* e = std::get_if<Update>(&stm->exp); e && versions_.contains(e->array)) {
        writes_.push_back(stm);
        return single_element(e->indices, type_);
      }
      if (const auto* e = std::get_if<Index>(&stm->exp); e && versions_.contains(e->array)) {
        reads_.push_back(stm);
        return single_element(e->indices, type_);
      }
      return only_names(stm->exp);
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
        for (std::size_t d = 0; d < to.size(); ++d)
          meet = meet && may_meet(std::get<Atom>(to[d]), std::get<Atom>(from[d]), distance);
        if (meet) result.push_back({write, read, distance});
      }
    return result;
  }

 private:
  /// Branches, loops and other names for the array are looked through.
  bool only_names(const Exp& exp) const {
    if (std::holds_alternative<If>(exp) || std::holds_alternative<Loop>(exp) ||
        std::holds_alternative<AtomExp>(exp) || std::holds_alternative<Coerce>(exp))
      return true;
    bool uses = false;
    for_each_atom(exp, [&](const Atom& atom) {
      const Name* name = name_in(atom);
      uses = uses || (name && versions_.contains(*name));
    });
    return !uses;
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

  Type type_;
  NameSet versions_;
  Name index_;
  Inside inside_;
  std::optional<Accesses> accesses_;
  std::vector<const Stm*> writes_, reads_;
};

}  // namespace

std::optional<std::vector<Dependence>> dependences_of(const Loop& loop, std::size_t param,
                                                      const Sizes& sizes) {
  auto versions = versions_of(loop, param);
  if (!versions || !std::holds_alternative<ForLoop>(loop.form)) return std::nullopt;
  DependenceFinder finder(loop, param, std::move(*versions), sizes);
  if (!finder.collect()) return std::nullopt;
  return finder.dependences();
}

}  // namespace boustro::facts
