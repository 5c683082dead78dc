#include "transform/simplify/point_loops.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <unordered_map>

#include "transform/facts/work.hpp"
#include "transform/ir/builder.hpp"
#include "transform/ir/traversal.hpp"
#include "transform/simplify/rule.hpp"

namespace boustro::simplify {

using namespace ir;

namespace {

/// Maps over so few points are scalars that a point computes beside others.
constexpr std::int64_t max_points = 8;

/// A value as a statement makes it.
struct Definition {
  const Stm* stm;
  std::size_t result;
};
using Definitions = std::unordered_map<Name, Definition>;

void define(const std::vector<Stm>& stms, Definitions& definitions) {
  for (const Stm& stm : stms)
    for (std::size_t k = 0; k < stm.pattern.size(); ++k) definitions.insert_or_assign(stm.pattern[k].name, Definition{&stm, k});
}

/// What stands from `begin` on.
Body rest(const Body& body, std::size_t begin) {
  return {{body.stms.begin() + static_cast<std::ptrdiff_t>(begin), body.stms.end()}, body.result};
}

/// The statements before `end` that what follows needs.
std::vector<Stm> needed_before(const Body& body, std::size_t end) {
  NameSet used = free_names(rest(body, end));
  std::vector<Stm> result;
  for (std::size_t at = end; at-- > 0;) {
    const Stm& stm = body.stms[at];
    if (std::none_of(stm.pattern.begin(), stm.pattern.end(), [&](const Param& param) { return used.contains(param.name); })) continue;
    used.merge(free_names(stm));
    result.push_back(stm);
  }
  return {result.rbegin(), result.rend()};
}

/// Neither fails nor updates arrays.
bool is_plain(const Stm& stm) {
  const bool kind = facts::is_repeatable(stm) || std::holds_alternative<Map>(stm.exp) || std::holds_alternative<ArrayLiteral>(stm.exp);
  return kind && !may_fail(stm.exp);
}

bool is_plain(const Body& body) { return std::all_of(body.stms.begin(), body.stms.end(), [](const Stm& stm) { return is_plain(stm); }); }

/// Writes down parts of arrays: xs[.., at, ..], with `at` in dimension `dim`, from how the arrays are made.
class Parts {
 public:
  Parts(Builder& builder, const Atom& at, Definitions definitions)
      : builder_(builder), at_(at), definitions_(std::move(definitions)) {}

  Atom part(const Atom& array, std::size_t dim) {
    const Name& name = std::get<Name>(array);
    const auto found = definitions_.find(name);
    if (found == definitions_.end()) return indexed(name, dim);
    const Definition definition = found->second;
    return match(
        definition.stm->exp, [&](const AtomExp& e) { return part(e.atom, dim); },
        [&](const Index& e) { return part_of_view(e, dim); }, [&](const Rearrange& e) { return part_of_view(e, dim); },
        [&](const Replicate& e) { return part_of_equals(e, dim); },
        [&](const Map& e) { return is_plain(e.fn.body) ? part_of_map(e, definition.result, dim) : indexed(name, dim); },
        [&](const auto&) { return indexed(name, dim); });
  }

 private:
  Atom indexed(const Name& array, std::size_t dim) {
    std::vector<DimIndex> indices;
    const Type type = builder_.names.type_of(array);
    for (std::size_t i = 0; i < dim; ++i) indices.emplace_back(whole(type.shape[i]));
    indices.emplace_back(at_);
    return builder_.let(array.base, Index{array, std::move(indices), false});
  }

  Atom part_of_view(Index e, std::size_t dim) {
    for (DimIndex& index : e.indices) {
      const auto* slice = std::get_if<Slice>(&index);
      if (!slice || dim-- > 0) continue;
      const Atom distance = builder_.binop("distance", BinOpKind::mul, at_, slice->stride);
      index = builder_.binop("place", BinOpKind::add, slice->start, distance);
      return builder_.let(e.array.base, e);
    }
    const Type type = builder_.names.type_of(e.array);
    while (dim-- > 0) e.indices.emplace_back(whole(type.shape[e.indices.size()]));
    e.indices.emplace_back(at_);
    return builder_.let(e.array.base, e);
  }

  Atom part_of_view(const Rearrange& e, std::size_t dim) {
    const int from = e.permutation[dim];
    std::vector<int> rest;
    for (const int to : e.permutation)
      if (to != from) rest.push_back(to > from ? to - 1 : to);
    const Atom inner = part(e.array, static_cast<std::size_t>(from));
    if (std::is_sorted(rest.begin(), rest.end())) return inner;
    return builder_.let(e.array.base, Rearrange{std::move(rest), std::get<Name>(inner)});
  }

  Atom part_of_equals(Replicate e, std::size_t dim) {
    if (dim >= e.shape.size())
      e.value = part(e.value, dim - e.shape.size());
    else
      e.shape.erase(e.shape.begin() + static_cast<std::ptrdiff_t>(dim));
    return e.shape.empty() ? e.value : Atom(builder_.let("equals", std::move(e)));
  }

  Atom part_of_map(const Map& e, std::size_t result, std::size_t dim) {
    if (dim == 0) {
      std::vector<Atom> elements;
      for (const Name& array : e.arrays) elements.push_back(part(array, 0));
      return inline_lambda(builder_, e.fn, elements)[result];
    }
    Lambda fn = rename(e.fn, builder_.names);
    Builder inner(builder_.names, builder_.origin);
    Definitions definitions = definitions_;
    define(fn.body.stms, definitions);
    const Atom row = Parts(inner, at_, std::move(definitions)).part(fn.body.result[result], dim - 1);
    fn.body.stms.insert(fn.body.stms.end(), inner.stms.begin(), inner.stms.end());
    fn.body.result = {row};
    fn.body.stms = needed_before(fn.body, fn.body.stms.size());
    fn.result_types = {builder_.names.type_of(row)};
    return builder_.let("row", Map{e.width, std::move(fn), e.arrays, {}});
  }

  Builder& builder_;
  const Atom at_;
  Definitions definitions_;
};

/// A loop whose step ends in a map of its state.
struct MappedState {
  std::size_t at;  // of the map among the statements
  Atom width;
  std::vector<std::size_t> results;  // of the map, one a parameter
};

bool uses_any(const NameSet& used, const Loop& loop) {
  return std::any_of(loop.params.begin(), loop.params.end(), [&](const LoopParam& param) { return used.contains(param.param.name); });
}

/// The statement that makes the first result.
std::optional<std::size_t> find_map(const Loop& loop) {
  const auto& stms = loop.body.stms;
  for (std::size_t at = 0; at < stms.size(); ++at) {
    const auto* map = std::get_if<Map>(&stms[at].exp);
    const auto& pattern = stms[at].pattern;
    if (map && std::any_of(pattern.begin(), pattern.end(), [&](const Param& made) { return Atom(made.name) == loop.body.result[0]; }))
      return at;
  }
  return std::nullopt;
}

std::optional<MappedState> mapped_state(const Loop& loop) {
  if (!std::holds_alternative<ForLoop>(loop.form) || loop.params.empty()) return std::nullopt;
  const auto at = find_map(loop);
  if (!at) return std::nullopt;
  const auto& stms = loop.body.stms;
  for (std::size_t i = 0; i < stms.size(); ++i)
    if (i != *at && (!is_plain(stms[i]) || uses_any(free_names(stms[i]), loop))) return std::nullopt;
  const auto& map = std::get<Map>(stms[*at].exp);
  const bool consumes = std::any_of(map.fn.params.begin(), map.fn.params.end(), [](const Param& param) { return param.unique; });
  if (!map.accumulators.empty() || consumes || uses_any(free_names(map.fn), loop)) return std::nullopt;

  MappedState result{*at, map.width, {}};
  const auto& pattern = stms[*at].pattern;
  for (std::size_t k = 0; k < loop.params.size(); ++k) {
    const auto found = std::find_if(pattern.begin(), pattern.end(),
                                    [&](const Param& made) { return Atom(made.name) == loop.body.result[k]; });
    if (found == pattern.end()) return std::nullopt;
    result.results.push_back(static_cast<std::size_t>(found - pattern.begin()));
  }
  return result;
}

/// How many numbers it makes, or that a view does not; none if that is not known, or many.
std::optional<std::int64_t> count_numbers(const Stm& stm) {
  if (facts::is_repeatable(stm)) return stm.pattern[0].type.is_scalar() ? 1 : 0;
  std::int64_t count = 0;
  for (const Param& param : stm.pattern) {
    std::int64_t size = 1;
    for (const Atom& extent : param.type.shape) size *= literal_in(extent) ? literal_in(extent)->as_int() : max_points + 1;
    if (size > max_points) return std::nullopt;
    count += size;
  }
  return count;
}

/// What comes before `end` takes no longer than to load what the rest uses of it, through views, too.
bool is_cheap(const Body& body, std::size_t end) {
  const std::vector<Stm> stms = needed_before(body, end);
  NameSet used = free_names(rest(body, end));
  std::int64_t loads = 0;
  for (auto stm = stms.rbegin(); stm != stms.rend(); ++stm) {
    const auto numbers = count_numbers(*stm);
    if (!numbers) return false;
    const auto& pattern = stm->pattern;
    if (std::none_of(pattern.begin(), pattern.end(), [&](const Param& param) { return used.contains(param.name); })) continue;
    loads += *numbers;
    if (*numbers == 0) used.merge(free_names(*stm));
  }
  const facts::Callees none([](const Name&) { return nullptr; });
  return facts::takes_at_most(facts::Works(none).of(stms), loads * facts::less_than_a_load);
}

bool has_array(const Loop& loop) {
  return std::any_of(loop.params.begin(), loop.params.end(), [](const LoopParam& param) { return !param.param.type.is_scalar(); });
}

class PointLoops {
 public:
  explicit PointLoops(const Program& program) : names_(program) {}

  bool visit(Body& body) {
    bool any = false;
    std::vector<Stm> stms;
    for (Stm& stm : body.stms) {
      if (std::holds_alternative<If>(stm.exp) || std::holds_alternative<Loop>(stm.exp))
        map_bodies(stm.exp, [&](Body& inner) { any = visit(inner) || any; });
      keep_equals({stm});
      auto points = point_by_point(stm);
      any = any || points;
      if (points)
        stms.insert(stms.end(), std::make_move_iterator(points->begin()), std::make_move_iterator(points->end()));
      else
        stms.push_back(std::move(stm));
    }
    body.stms = std::move(stms);
    return any;
  }

 private:
  /// Arrays of equal numbers: a point of a loop that begins with one begins with that number.
  void keep_equals(const std::vector<Stm>& stms) {
    for (const Stm& stm : stms) {
      const auto* e = std::get_if<Replicate>(&stm.exp);
      if (e && names_.type_of(e->value).is_scalar()) equals_.emplace(stm.pattern[0].name, std::make_shared<const Stm>(stm));
    }
  }

  /// A map of loops, or maps of maps of loops as long as points have arrays; nothing if each point would compute much that is
  /// the same for others.
  std::optional<std::vector<Stm>> point_by_point(const Stm& stm) {
    const auto* loop = std::get_if<Loop>(&stm.exp);
    const auto state = loop ? mapped_state(*loop) : std::nullopt;
    if (!state) return std::nullopt;
    const Param p = names_.fresh_param("p", scalar(PrimType::i64));
    Builder point(names_, stm.origin);
    Loop of_point = start_of_point(*loop, p, point);
    const std::size_t first_of_step = add_step(*loop, *state, p, of_point);
    std::vector<Param> ends;
    for (const Param& whole : stm.pattern) ends.push_back(names_.fresh_param(whole.name.base, row_type(whole.type)));

    const bool cheap = has_array(of_point) && is_cheap(of_point.body, first_of_step);
    const Stm stm_of_point{ends, std::move(of_point), stm.origin, stm.attributes};
    keep_equals(point.stms);
    if (const auto inner = point_by_point(stm_of_point)) {
      point.add(*inner);
    } else if (cheap) {
      point.add(stm_of_point);
    } else {
      return std::nullopt;
    }
    Lambda fn{{p}, {std::move(point.stms), {}}, {}};
    for (const Param& end : ends) {
      fn.body.result.emplace_back(end.name);
      fn.result_types.push_back(end.type);
    }
    Builder points(names_, stm.origin);
    const Name is = points.let("is", Iota{state->width});
    points.let(stm.pattern, Map{state->width, std::move(fn), {is}, {}});
    return std::move(points.stms);
  }

  /// The loop of point p without its body. `point`: what comes before it.
  Loop start_of_point(const Loop& loop, const Param& p, Builder& point) {
    Definitions definitions;
    for (const auto& [name, stm] : equals_) definitions.emplace(name, Definition{stm.get(), 0});
    Parts parts(point, p.name, std::move(definitions));
    Loop result{{}, loop.form, {}};
    for (const LoopParam& whole : loop.params) {
      const Param param = names_.fresh_param(whole.param.name.base, row_type(whole.param.type));
      result.params.push_back({param, parts.part(whole.init, 0), whole.true_dep});
    }
    return result;
  }

  /// Gives it what a step does at point p; where among its statements that begins which the map did.
  std::size_t add_step(const Loop& loop, const MappedState& state, const Param& p, Loop& of_point) {
    const auto& stms = loop.body.stms;
    const auto& map = std::get<Map>(stms[state.at].exp);
    Builder step(names_, stms[state.at].origin);
    for (std::size_t at = 0; at < stms.size(); ++at)
      if (at != state.at) step.add(stms[at]);
    Definitions definitions;
    define(stms, definitions);
    Parts parts(step, p.name, std::move(definitions));
    std::vector<Atom> elements;
    for (const Name& array : map.arrays) {
      const auto found = std::find_if(loop.params.begin(), loop.params.end(),
                                      [&](const LoopParam& param) { return param.param.name == array; });
      if (found == loop.params.end())
        elements.push_back(parts.part(array, 0));
      else
        elements.emplace_back(of_point.params[static_cast<std::size_t>(found - loop.params.begin())].param.name);
    }
    const std::size_t first = step.stms.size();
    const std::vector<Atom> made = inline_lambda(step, map.fn, elements);
    for (const std::size_t result : state.results) of_point.body.result.push_back(made[result]);
    of_point.body.stms = std::move(step.stms);
    return first;
  }

  Names names_;
  std::unordered_map<Name, std::shared_ptr<const Stm>> equals_;
};

}  // namespace

bool run_loops_point_by_point(Program& program) {
  PointLoops loops(program);
  bool any = false;
  for (Function& function : program.functions) any = loops.visit(function.body) || any;
  return any;
}

}  // namespace boustro::simplify
