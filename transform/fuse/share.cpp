// What one point computes in two loops, the first one keeps for the second.
//
// A return sweep computes again what it needs of the forward sweep, where keeping it for all points would take much memory. Once
// fusion has brought both sweeps of a point together, what one point needs is little.
//
// Before:   let ys = map (\c -> f (reduce op ne (map g xs c))) cs      After:   let (ys, rs) = map (\c -> let r = .. in (f r, r)) cs
//           let zs = map (\c -> h (reduce op ne (map g xs c))) cs               let zs = map (\r -> h r) rs
//
// Likewise deeper inside: an array of rows is kept then. Only loops are worth it; what else they share is computed again.
#include <algorithm>
#include <iterator>
#include <optional>

#include "transform/facts/aliases.hpp"
#include "transform/fuse/fuse.hpp"
#include "transform/fuse/traversal_form.hpp"
#include "transform/ir/traversal.hpp"
#include "transform/simplify/common.hpp"

namespace boustro::fuse {

using namespace ir;

namespace {

/// What the first of two loops kept, and the name that the second one reads it by, which nothing binds yet.
struct Kept {
  Param array;
  Name name;
};

bool is_used(const Name& name, const Body& body) { return free_names(body).contains(name); }

bool all_scalars(const std::vector<Param>& pattern) {
  return std::all_of(pattern.begin(), pattern.end(), [](const Param& param) { return param.type.is_scalar(); });
}

/// Each of the values that it yields takes a loop.
bool is_dear(const Stm& stm) {
  if (!is_traversal(stm.exp)) return false;
  bool nested = false;
  for_each_body(stm.exp, [&](const Body& body) {
    nested = nested || std::any_of(body.stms.begin(), body.stms.end(), [](const Stm& inner) { return is_traversal(inner.exp); });
  });
  return nested || all_scalars(stm.pattern);
}

/// Names that exist at one point of a traversal alone.
NameSet names_of_point(const Lambda& fn) {
  NameSet names = bound_names(fn.body.stms);
  for (const Param& param : fn.params) names.insert(param.name);
  return names;
}

class Sharer {
 public:
  Sharer(const Program& program, Names& names) : callees_(program), aliases_(program), names_(names) {}

  /// `inside`: of a traversal, so that the body is that of one point.
  void body(Body& body, bool inside);

 private:
  std::vector<Kept> share(Stm& first, Stm& second, const Substitution& equal);
  std::vector<Kept> share_with(Stm& first, Body& body, const Substitution& equal);
  Param result_of(Stm& stm, TraversalForm& form, const Param& value);
  bool can_be_kept(const std::vector<Param>& values) const;
  bool are_settled(const std::vector<Param>& values) const;
  bool is_local(const Atom& size) const;
  std::vector<Kept> shared_by(Lambda& one, Lambda& two, Substitution equal);
  const Stm* find_equal(const Stm& stm, const Body& body, const Substitution& equal) const;

  facts::Callees callees_;
  facts::Aliases aliases_;
  Names& names_;
  NameSet local_;  // to the points of the first traversal, and of those inside of it
};

void Sharer::body(Body& body, bool inside) {
  for (Stm& stm : body.stms) {
    const bool traverses = is_traversal(stm.exp);
    map_bodies(stm.exp, [&](Body& inner) { this->body(inner, inside || traverses); });
  }
  if (!inside) return;
  for (std::size_t j = 1; j < body.stms.size(); ++j) {
    for (std::size_t i = 0; i < j; ++i) {
      Substitution names;
      for (const Kept& kept : share(body.stms[i], body.stms[j], {})) names.emplace(kept.name, kept.array.name);
      if (!names.empty()) substitute(body.stms[j].exp, names);
    }
  }
}

/// `equal`: names of the second that are others of the first.
std::vector<Kept> Sharer::share(Stm& first, Stm& second, const Substitution& equal) {
  if (auto* with = std::get_if<WithAcc>(&second.exp)) return share_with(first, with->fn.body, equal);
  const auto a = as_traversal(first.exp, names_), b = as_traversal(second.exp, names_);
  if (!a || !b || substitute(b->width, equal) != substitute(a->width, equal)) return {};
  if (!facts::consumed_by(first.exp, callees_).empty() || !facts::consumed_by(second.exp, callees_).empty()) return {};
  TraversalForm one = *a, two = *b;
  Substitution inside = equal;
  for (std::size_t k = 0; k < two.arrays.size(); ++k) {
    const Atom array = substitute(Atom(two.arrays[k]), equal);
    for (std::size_t l = 0; l < one.arrays.size(); ++l) {
      if (array == Atom(one.arrays[l]))
        inside.emplace(two.fn.params[two.accumulators.size() + k].name, one.fn.params[one.accumulators.size() + l].name);
    }
  }
  if (is_local(one.width)) return {};
  const NameSet outer = local_;
  local_.merge(names_of_point(one.fn));
  const std::vector<Kept> shared = shared_by(one.fn, two.fn, inside);
  local_ = outer;
  std::vector<Kept> result;
  for (const Kept& kept : shared) {
    const Param array = result_of(first, one, kept.array);
    two.fn.params.push_back({kept.name, kept.array.type});
    two.arrays.push_back(names_.bind_fresh(array.name.base, array.type));
    result.push_back({array, two.arrays.back()});
  }
  if (result.empty()) return {};
  first.exp = to_exp(std::move(one));
  second.exp = to_exp(std::move(two));
  return result;
}

/// The array of the traversal's values, which is one more result if it is none yet.
Param Sharer::result_of(Stm& stm, TraversalForm& form, const Param& value) {
  auto& results = form.fn.body.result;
  const auto found = std::find(results.begin() + static_cast<std::ptrdiff_t>(form.first_mapped()), results.end(), Atom(value.name));
  if (found != results.end()) return stm.pattern[static_cast<std::size_t>(found - results.begin())];
  results.push_back(value.name);
  form.fn.result_types.push_back(value.type);
  stm.pattern.push_back(names_.fresh_param(value.name.base, array_of(form.width, value.type)));
  return stm.pattern.back();
}

/// Arrays of them have sizes that are known where the second traversal begins, and few dimensions.
bool Sharer::can_be_kept(const std::vector<Param>& values) const {
  return std::all_of(values.begin(), values.end(), [&](const Param& param) {
    return param.type.shape.size() < 2 &&
           std::none_of(param.type.shape.begin(), param.type.shape.end(), [&](const Atom& size) { return is_local(size); });
  });
}

/// What is kept is read by both, so neither may update it.
bool Sharer::are_settled(const std::vector<Param>& values) const {
  return std::all_of(values.begin(), values.end(), [&](const Param& param) { return param.type.is_scalar() || aliases_.settled(param.name); });
}

bool Sharer::is_local(const Atom& size) const {
  const Name* name = name_in(size);
  return name && local_.contains(*name);
}

/// With traversals in a with_acc of the same point.
std::vector<Kept> Sharer::share_with(Stm& first, Body& body, const Substitution& equal) {
  std::vector<Kept> result;
  for (Stm& stm : body.stms) {
    std::vector<Kept> more = share(first, stm, equal);
    std::move(more.begin(), more.end(), std::back_inserter(result));
  }
  return result;
}

std::vector<Kept> Sharer::shared_by(Lambda& one, Lambda& two, Substitution equal) {
  Body &first = one.body, &second = two.body;
  std::vector<Kept> result;
  std::vector<std::pair<std::size_t, std::vector<Param>>> twice;  // statements of the second, and their results in the first
  for (std::size_t at = 0; at < second.stms.size(); ++at) {
    Stm& stm = second.stms[at];
    if (const Stm* original = find_equal(stm, first, equal)) {
      for (std::size_t k = 0; k < stm.pattern.size(); ++k) equal.emplace(stm.pattern[k].name, original->pattern[k].name);
      if (is_dear(stm) && can_be_kept(original->pattern) && are_settled(original->pattern) && are_settled(stm.pattern)) twice.emplace_back(at, original->pattern);
      continue;
    }
    for (Stm& other : first.stms) {
      std::vector<Kept> inner = share(other, stm, equal);
      const bool any = !inner.empty();
      std::move(inner.begin(), inner.end(), std::back_inserter(result));
      if (any && !std::holds_alternative<WithAcc>(stm.exp)) break;
    }
  }
  // Those that only serve others of them go with these.
  for (auto entry = twice.rbegin(); entry != twice.rend(); ++entry) {
    const Stm stm = second.stms[entry->first];
    second.stms.erase(second.stms.begin() + static_cast<std::ptrdiff_t>(entry->first));
    for (std::size_t k = 0; k < stm.pattern.size(); ++k)
      if (is_used(stm.pattern[k].name, second)) result.push_back({entry->second[k], stm.pattern[k].name});
  }
  return result;
}

const Stm* Sharer::find_equal(const Stm& stm, const Body& body, const Substitution& equal) const {
  Stm renamed = stm;
  substitute(renamed.exp, equal);
  for (const Stm& other : body.stms) {
    const bool alike = other.exp.index() == renamed.exp.index() && other.pattern.size() == stm.pattern.size();
    if (alike && facts::consumed_by(other.exp, callees_).empty() &&
        simplify::equal_up_to_names(Body{{other}, {}}, Body{{Stm{other.pattern, renamed.exp, {}, {}}}, {}}))
      return &other;
  }
  return nullptr;
}

}  // namespace

Program share_computations(Program program) {
  Names names(program);
  const Program before = program;
  Sharer sharer(before, names);
  for (Function& function : program.functions) sharer.body(function.body, false);
  return program;
}

}  // namespace boustro::fuse
