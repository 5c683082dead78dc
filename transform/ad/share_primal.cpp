#include "transform/ad/share_primal.hpp"

#include <algorithm>

#include "transform/ad/scope.hpp"

namespace boustro::ad {

using namespace ir;

namespace {

bool mentions(const NameSet& names, const NameSet& some) {
  return std::any_of(names.begin(), names.end(),
                     [&](const Name& name) { return some.contains(name); });
}

bool mentions(const Atom& atom, const NameSet& some) {
  const Name* name = name_in(atom);
  return name && some.contains(*name);
}

/// What Jvp and Vjp have in common.
struct Derivative {
  const Lambda* fn;
  const std::vector<Atom>*args, *seeds;
  const Shape* seed_shape;
};

std::optional<Derivative> derivative_in(const Exp& exp) {
  if (const auto* e = std::get_if<Jvp>(&exp))
    return Derivative{&e->fn, &e->args, &e->tangents, &e->seed_shape};
  if (const auto* e = std::get_if<Vjp>(&exp))
    return Derivative{&e->fn, &e->args, &e->adjoints, &e->seed_shape};
  return std::nullopt;
}

/// A map, cut in three at one of its statements: a derivative.
class Sharing {
 public:
  Sharing(Derivation& derivation, const Stm& stm, const Map& map)
      : derivation_(derivation),
        names_(derivation.names),
        stm_(stm),
        map_(map),
        b_(names_, stm.origin) {}

  std::optional<std::vector<Stm>> run() {
    if (!map_.accumulators.empty() || !find_derivative() || !collect_crossing() || only_checks_before())
      return std::nullopt;
    derivation_.trace("share_primal", map_.fn.body.stms[at_]);
    map_before();
    derive_all();
    map_behind();
    return std::move(b_.stms);
  }

 private:
  /// A derivative whose function and point no element changes, but whose seed one does.
  bool find_derivative() {
    for (const Param& p : map_.fn.params) bound_.insert(p.name);
    for (at_ = 0; at_ < map_.fn.body.stms.size(); ++at_) {
      const Stm& stm = map_.fn.body.stms[at_];
      if (const auto found = derivative_in(stm.exp); found && is_shared(*found)) return true;
      for (const Param& p : stm.pattern) bound_.insert(p.name);
    }
    return false;
  }

  bool is_shared(const Derivative& d) const {
    const auto varies = [&](const Atom& atom) { return mentions(atom, bound_); };
    return d.seed_shape->empty() && !mentions(free_names(*d.fn), bound_) &&
           std::none_of(d.args->begin(), d.args->end(), varies) &&
           std::any_of(d.seeds->begin(), d.seeds->end(), varies);
  }

  std::vector<Stm> before() const {
    const auto& stms = map_.fn.body.stms;
    return {stms.begin(), stms.begin() + static_cast<std::ptrdiff_t>(at_)};
  }
  Body behind() const {
    const auto& body = map_.fn.body;
    return {{body.stms.begin() + static_cast<std::ptrdiff_t>(at_) + 1, body.stms.end()},
            body.result};
  }
  /// A map of what comes before would have no results, so nobody would find out what fails there.
  bool only_checks_before() const { return crossing_.empty() && can_fail({before(), {}}); }
  const Stm& derivative() const { return map_.fn.body.stms[at_]; }

  /// What the statements before hand to the seeds and to the statements behind. False if that cannot be in arrays.
  bool collect_crossing() {
    const Body rest = behind();
    for (const Name& name : facts::consumed_by(rest.stms, derivation_.callees))
      if (bound_.contains(name) || binds(derivative(), name)) return false;
    const NameSet own = bound_names(before());
    const auto add = [&](const Name& name) {
      if (own.contains(name) &&
          std::find(crossing_.begin(), crossing_.end(), name) == crossing_.end())
        crossing_.push_back(name);
    };
    for (const Atom& seed : *derivative_in(derivative().exp)->seeds)
      if (const Name* name = name_in(seed)) add(*name);
    for (const Name& name : free_names_in_order(rest)) add(name);
    return std::all_of(crossing_.begin(), crossing_.end(), [&](const Name& name) {
      const Type& type = names_.type_of(name);
      return !type.accumulator && is_closed_type(type, bound_);
    });
  }

  static bool binds(const Stm& stm, const Name& name) {
    return std::any_of(stm.pattern.begin(), stm.pattern.end(),
                       [&](const Param& p) { return p.name == name; });
  }

  void map_before() {
    for (std::size_t i = 0; i < map_.arrays.size(); ++i)
      arrays_.emplace(map_.fn.params[i].name, map_.arrays[i]);
    if (crossing_.empty()) return;
    Lambda fn{map_.fn.params, {before(), {}}, {}};
    std::vector<std::string> bases;
    for (const Name& name : crossing_) {
      fn.body.result.push_back(name);
      fn.result_types.push_back(names_.type_of(name));
      bases.push_back(name.base + "s");
    }
    const auto results = b_.let_all(bases, Map{map_.width, rename(fn, names_), map_.arrays, {}});
    for (std::size_t i = 0; i < crossing_.size(); ++i) arrays_.emplace(crossing_[i], results[i]);
  }

  Atom all_seeds(const Atom& seed) {
    const Name* name = name_in(seed);
    if (name && arrays_.contains(*name)) return arrays_.at(*name);
    return b_.let("seeds", Replicate{{map_.width}, seed});
  }

  /// The derivative with all seeds. Its primal results are those of every element.
  void derive_all() {
    Stm all = derivative();
    const std::size_t primal = derivative_in(all.exp)->fn->body.result.size();
    const auto with_all_seeds = [&](std::vector<Atom>& seeds, Shape& shape) {
      for (Atom& seed : seeds) seed = all_seeds(seed);
      shape = {map_.width};
    };
    if (auto* e = std::get_if<Jvp>(&all.exp)) with_all_seeds(e->tangents, e->seed_shape);
    if (auto* e = std::get_if<Vjp>(&all.exp)) with_all_seeds(e->adjoints, e->seed_shape);
    for (std::size_t i = primal; i < all.pattern.size(); ++i) {
      const Param element = all.pattern[i];
      all.pattern[i] =
          names_.fresh_param(element.name.base + "s", array_of(map_.width, element.type));
      arrays_.emplace(element.name, all.pattern[i].name);
    }
    b_.add(never_fails() ? std::move(all) : unless_empty(std::move(all)));
  }

  /// Without elements the function was not called.
  bool never_fails() const {
    const PrimValue* width = literal_in(map_.width);
    return (width && width->as_int() > 0) || !can_fail(derivative_in(derivative().exp)->fn->body);
  }

  bool can_fail(const Body& body) const {
    return std::any_of(body.stms.begin(), body.stms.end(), [&](const Stm& stm) {
      const auto* call = std::get_if<Call>(&stm.exp);
      bool result =
          may_fail(stm.exp) || (call && can_fail(derivation_.functions.at(call->function).body));
      for_each_body(stm.exp, [&](const Body& inner) { result = result || can_fail(inner); });
      return result;
    });
  }

  Stm unless_empty(Stm stm) {
    const Atom any = b_.cmp("any", CmpOpKind::lt, int_atom(0), map_.width);
    Stm guarded{stm.pattern, {}, stm.origin, {}};
    Body then_body, else_body;
    Builder blanks(names_, stm.origin);
    for (Param& p : stm.pattern) {
      p.name = names_.bind_fresh(p.name.base, p.type);
      then_body.result.push_back(p.name);
      else_body.result.push_back(
          p.type.is_scalar() ? Atom(PrimValue::zero(p.type.elem))
                             : Atom(blanks.let(p.name.base, Scratch{p.type.elem, p.type.shape})));
    }
    then_body.stms.push_back(std::move(stm));
    else_body.stms = std::move(blanks.stms);
    guarded.exp = If{any, std::move(then_body), std::move(else_body)};
    return guarded;
  }

  void map_behind() {
    Map map{map_.width, {{}, behind(), map_.fn.result_types}, {}, {}};
    for (const Name& name : free_names_in_order(map.fn.body)) {
      const auto found = arrays_.find(name);
      if (found == arrays_.end()) continue;
      map.arrays.push_back(found->second);
      map.fn.params.push_back({name, names_.type_of(name), false});
    }
    b_.add({stm_.pattern, Exp(std::move(map)), stm_.origin, stm_.attributes});
    Map& last = std::get<Map>(b_.stms.back().exp);
    last.fn = rename(last.fn, names_);
  }

  Derivation& derivation_;
  Names& names_;
  const Stm& stm_;
  const Map& map_;
  Builder b_;
  std::size_t at_ = 0;          // of the derivative among the statements of the function
  NameSet bound_;               // in front of it, parameters included
  std::vector<Name> crossing_;  // bound there, used behind
  std::unordered_map<Name, Name>
      arrays_;  // of all elements of these, of parameters, of derivatives
};

}  // namespace

void share_primals(Derivation& derivation, Body& body) {
  std::vector<Stm> result;
  for (Stm& stm : body.stms) {
    map_bodies(stm.exp, [&](Body& inner) { share_primals(derivation, inner); });
    const auto* map = std::get_if<Map>(&stm.exp);
    auto shared = map ? Sharing(derivation, stm, *map).run() : std::nullopt;
    if (!shared) {
      result.push_back(std::move(stm));
      continue;
    }
    Body parts{std::move(*shared), {}};
    share_primals(derivation, parts);  // the last part may hold another derivative
    result.insert(result.end(), parts.stms.begin(), parts.stms.end());
  }
  body.stms = std::move(result);
}

}  // namespace boustro::ad
