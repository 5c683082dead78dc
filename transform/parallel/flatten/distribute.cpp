#include "transform/parallel/flatten/distribute.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "transform/facts/work.hpp"
#include "transform/ir/needed.hpp"
#include "transform/parallel/flatten/distribute_rows.hpp"
#include "transform/parallel/flatten/views_behind.hpp"

namespace boustro::parallel {
namespace {

using ir::Name;
using ir::NameSet;
using ir::Stm;
using Stms = std::vector<Stm>;

bool only_accumulators(const std::vector<ir::Param>& pattern) {
  return !pattern.empty() && std::all_of(pattern.begin(), pattern.end(),
                                         [](const ir::Param& p) { return p.type.accumulator; });
}

bool any_accumulator(const std::vector<ir::Param>& pattern) {
  return std::any_of(pattern.begin(), pattern.end(),
                     [](const ir::Param& p) { return p.type.accumulator; });
}

std::size_t position(const std::vector<ir::Param>& params, const Name& name) {
  for (std::size_t i = 0; i < params.size(); ++i) {
    if (params[i].name == name) return i;
  }
  return params.size();
}

// ---- One map for what is computed, one for each accumulator

class Distributor {
 public:
  Distributor(const Stm& stm, ir::Names& names)
      : stm_(stm), map_(std::get<ir::Map>(stm.exp)), names_(names) {}

  /// The maps that take the place of this one; the map itself if there is nothing to gain.
  Stms run() {
    split();
    if (adding_.empty() || mixed_ || !worthwhile()) return whole();
    find_needed();
    for (const Name& name : boundary_) {
      const ir::Type& type = names_.type_of(name);
      if (type.rank() > 1 || type.accumulator || !constant_shape(type)) return whole();
    }
    if (boundary_.empty() && checks_) return whole();
    if (!boundary_.empty()) compute();
    for (const Stm* stm : adding_) add(*stm);
    return std::move(result_);
  }

 private:
  Stms whole() const { return {Stm{stm_.pattern, map_, stm_.origin, stm_.attributes}}; }

  void split() {
    for (const Stm& stm : map_.fn.body.stms) {
      if (only_accumulators(stm.pattern)) {
        adding_.push_back(&stm);
      } else {
        mixed_ = mixed_ || any_accumulator(stm.pattern);
        checks_ = checks_ || stm.pattern.empty();
        for (const ir::Param& param : stm.pattern) computing_[param.name] = &stm;
      }
    }
  }

  /// Something is expensive, or there are several additions; and additions have something parallel
  /// inside.
  bool worthwhile() {
    bool expensive = adding_.size() > 1;
    for (const auto& [name, stm] : computing_) expensive = expensive || !again(*stm);
    return expensive && std::all_of(adding_.begin(), adding_.end(),
                                    [](const Stm* stm) { return has_map(*stm); });
  }

  static bool has_map(const Stm& stm) {
    if (const auto* map = std::get_if<ir::Map>(&stm.exp)) return !ir::literal_in(map->width);
    const auto* branch = std::get_if<ir::If>(&stm.exp);
    if (!branch) return false;
    const auto inside = [](const ir::Body& body) {
      return std::any_of(body.stms.begin(), body.stms.end(), has_map);
    };
    return inside(branch->then_body) || inside(branch->else_body);
  }

  /// Sizes must be known outside of the map.
  bool constant_shape(const ir::Type& type) const {
    return std::none_of(type.shape.begin(), type.shape.end(), [&](const ir::Atom& size) {
      const Name* name = ir::name_in(size);
      return name && (computing_.contains(*name) ||
                      position(map_.fn.params, *name) < map_.fn.params.size());
    });
  }

  using Together = std::set<const Stm*>;

  /// The statements that are computed again if this one is, with as many before it as are cheap in sum; nothing if it is itself
  /// passed on. Views always are made again.
  const std::optional<Together>& again(const Stm& stm) {
    if (const auto known = together_.find(&stm); known != together_.end()) return known->second;
    std::optional<Together> result;
    if (facts::is_repeatable(stm)) {
      Together together{&stm};
      for (const Name& name : ir::free_names(stm)) {
        const auto found = computing_.find(name);
        if (found == computing_.end()) continue;
        if (const auto& before = again(*found->second)) together.insert(before->begin(), before->end());
      }
      Stms stms;
      for (const Stm* one : together) stms.push_back(*one);
      if (!ir::all_scalar(stm.pattern) || facts::is_cheap(stms)) result = std::move(together);
    }
    return together_.emplace(&stm, std::move(result)).first->second;
  }

  /// What the additions need: computed again if cheap, else passed on.
  void find_needed() {
    for (const Stm* stm : adding_) need(ir::free_names(*stm));
  }

  void need(const NameSet& names) {
    for (const Name& name : names) {
      const auto found = computing_.find(name);
      if (found == computing_.end() || boundary_set_.contains(name) ||
          again_.contains(found->second))
        continue;
      if (again(*found->second)) {
        again_.insert(found->second);
        need(ir::free_names(*found->second));
      } else if (boundary_set_.insert(name).second) {
        boundary_.push_back(name);
      }
    }
  }

  std::size_t accumulators() const { return map_.accumulators.size(); }

  /// Parameters for the elements, without the accumulators.
  std::vector<ir::Param> elements() const {
    return {map_.fn.params.begin() + static_cast<std::ptrdiff_t>(accumulators()),
            map_.fn.params.end()};
  }

  void compute() {
    std::sort(boundary_.begin(), boundary_.end());
    ir::Lambda fn;
    fn.params = elements();
    NameSet wanted(boundary_.begin(), boundary_.end());
    fn.body.stms = ir::statements_for(wanted, map_.fn.body.stms, true);
    std::vector<ir::Param> pattern;
    for (const Name& name : boundary_) {
      const ir::Type type = names_.type_of(name);
      fn.body.result.push_back(name);
      fn.result_types.push_back(type);
      pattern.push_back(names_.fresh_param(name.base, ir::array_of(map_.width, type)));
      passed_.push_back(pattern.back().name);
    }
    result_.push_back(
        {pattern, ir::Map{map_.width, ir::rename(fn, names_), map_.arrays, {}}, stm_.origin, {}});
  }

  void add(const Stm& stm) {
    // The accumulators that this statement continues: where each comes from, and where it goes to.
    ir::Lambda fn;
    ir::Map outer{map_.width, {}, map_.arrays, {}};
    std::vector<ir::Param> pattern;
    const NameSet free = ir::free_names(stm);
    for (std::size_t i = 0; i < accumulators(); ++i) {
      const Name inside = current_.contains(i) ? current_.at(i) : map_.fn.params[i].name;
      if (!free.contains(inside)) continue;
      fn.params.push_back({inside, map_.fn.params[i].type});
      fn.result_types.push_back(map_.fn.params[i].type);
      outer.accumulators.push_back(outside_.contains(i) ? outside_.at(i) : map_.accumulators[i]);
      const Name next = continued(stm, inside);
      fn.body.result.push_back(next);
      const Name* last = ir::name_in(map_.fn.body.result[i]);
      const bool ends = last && *last == next;
      pattern.push_back(ends ? stm_.pattern[i]
                             : names_.fresh_param(inside.base, map_.fn.params[i].type));
      current_[i] = next;
      outside_[i] = pattern.back().name;
    }
    const auto inputs = elements();
    fn.params.insert(fn.params.end(), inputs.begin(), inputs.end());
    for (std::size_t i = 0; i < boundary_.size(); ++i) {
      fn.params.push_back({boundary_[i], names_.type_of(boundary_[i])});
      outer.arrays.push_back(passed_[i]);
    }
    for (const Stm& other : map_.fn.body.stms) {
      if (again_.contains(&other)) fn.body.stms.push_back(other);
    }
    fn.body.stms.push_back(stm);
    drop_unused(fn, outer);
    outer.fn = ir::rename(fn, names_);
    result_.push_back({pattern, outer, stm_.origin, {}});
  }

  /// The result of the statement that is the continuation of one of its accumulators.
  Name continued(const Stm& stm, const Name& accumulator) const {
    if (const auto* map = std::get_if<ir::Map>(&stm.exp)) {
      for (std::size_t i = 0; i < map->accumulators.size(); ++i) {
        if (map->accumulators[i] == accumulator) return stm.pattern[i].name;
      }
    }
    // Of a branch: the type tells, or there is only one.
    for (const ir::Param& param : stm.pattern) {
      if (stm.pattern.size() == 1 || param.type == names_.type_of(accumulator)) return param.name;
    }
    return stm.pattern[0].name;
  }

  void drop_unused(ir::Lambda& fn, ir::Map& outer) const {
    NameSet used = ir::names_among(fn.body.result);
    fn.body.stms = ir::statements_for(used, fn.body.stms);
    const std::size_t first = outer.accumulators.size();
    for (std::size_t i = outer.arrays.size(); i-- > 0;) {
      if (used.contains(fn.params[first + i].name)) continue;
      fn.params.erase(fn.params.begin() + static_cast<std::ptrdiff_t>(first + i));
      outer.arrays.erase(outer.arrays.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }

  const Stm& stm_;
  ir::Map map_;
  ir::Names& names_;
  std::vector<const Stm*> adding_;
  std::unordered_map<Name, const Stm*> computing_;
  std::unordered_map<const Stm*, std::optional<Together>> together_;
  bool mixed_ = false, checks_ = false;
  std::set<const Stm*> again_;
  NameSet boundary_set_;
  std::vector<Name> boundary_, passed_;
  std::unordered_map<std::size_t, Name> current_, outside_;
  Stms result_;
};

void distribute_body(ir::Body& body, ir::Names& names, const facts::Callees& callees) {
  Stms result;
  for (Stm& stm : body.stms) {
    if (auto* with_acc = std::get_if<ir::WithAcc>(&stm.exp)) {
      distribute_body(with_acc->fn.body, names, callees);
    } else if (std::holds_alternative<ir::Loop>(stm.exp) ||
               std::holds_alternative<ir::If>(stm.exp)) {
      ir::map_bodies(stm.exp, [&](ir::Body& inner) { distribute_body(inner, names, callees); });
    } else if (std::holds_alternative<ir::Map>(stm.exp) && only_accumulators(stm.pattern)) {
      Stms parts = Distributor(stm, names).run();
      result.insert(result.end(), std::make_move_iterator(parts.begin()),
                    std::make_move_iterator(parts.end()));
      continue;
    } else if (std::holds_alternative<ir::Map>(stm.exp)) {
      Stms seen = views_behind(stm, names);
      if (auto parts = distribute_rows(seen[0], names, callees)) {
        ir::Body again{std::move(*parts), {}};
        distribute_body(again, names, callees);
        result.insert(result.end(), std::make_move_iterator(again.stms.begin()), std::make_move_iterator(again.stms.end()));
        result.insert(result.end(), std::make_move_iterator(seen.begin() + 1), std::make_move_iterator(seen.end()));
        continue;
      }
    }
    result.push_back(std::move(stm));
  }
  body.stms = std::move(result);
}

}  // namespace

ir::Function distribute(ir::Function function, ir::Names& names, const facts::Callees& callees) {
  distribute_body(function.body, names, callees);
  return function;
}

}  // namespace boustro::parallel
