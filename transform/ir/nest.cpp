#include "transform/ir/nest.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "transform/ir/needed.hpp"
#include "transform/ir/operands.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::ir {
namespace {

constexpr std::string_view level_names[] = {"grid", "block", "warp", "thread", "workers", "lanes"};

constexpr std::string_view method_names[] = {"", "direct", "library", "apart", "once", "atomic", "copies", "parts"};

std::optional<Level> level_named(std::string_view name) {
  const auto* found = std::find(std::begin(level_names), std::end(level_names), name);
  if (found == std::end(level_names)) return std::nullopt;
  return static_cast<Level>(found - std::begin(level_names));
}

}  // namespace

std::string text_of_levels(Level over, Level each) {
  return fmt::format("{}_{}", level_names[static_cast<std::size_t>(over)],
                     level_names[static_cast<std::size_t>(each)]);
}

std::optional<std::pair<Level, Level>> levels_named(std::string_view text) {
  const std::size_t middle = text.find('_');
  if (middle == text.npos) return std::nullopt;
  const auto over = level_named(text.substr(0, middle)), each = level_named(text.substr(middle + 1));
  if (!over || !each) return std::nullopt;
  return std::pair(*over, *each);
}

std::string_view text_of(Method method) { return method_names[static_cast<std::size_t>(method)]; }

std::optional<Method> method_named(std::string_view text) {
  const auto* found = std::find(std::begin(method_names), std::end(method_names), text);
  if (found == std::end(method_names)) return std::nullopt;
  return static_cast<Method>(found - std::begin(method_names));
}

bool adds_apart(const Nest& nest) { return nest.additions == Method::apart || nest.additions == Method::once; }

bool has_attribute(const Stm& stm, std::string_view name) {
  return std::any_of(stm.attributes.begin(), stm.attributes.end(), [&](const Attribute& attribute) { return attribute.name == name; });
}

bool combines_all_points(const Out& out) {
  return (out.kind == OutKind::reduce || out.kind == OutKind::scan) && out.rank == 0;
}

bool has_own_cells(const Out& out) { return out.rank > 0 && out.destinations.empty(); }

bool stores_new_arrays(const Nest& nest) {
  return nest.accumulators.empty() && !nest.outs.empty() && std::all_of(nest.outs.begin(), nest.outs.end(), [](const Out& out) {
    return out.kind == OutKind::store && out.destinations.empty();
  });
}

void take_out_result(Stm& stm, std::size_t result) {
  Nest& nest = std::get<Nest>(stm.exp);
  const auto at = static_cast<std::ptrdiff_t>(result);
  stm.pattern.erase(stm.pattern.begin() + at);
  nest.outs.erase(nest.outs.begin() + at);
  nest.point.result_types.erase(nest.point.result_types.begin() + at);
  nest.point.body.result.erase(nest.point.body.result.begin() + at);
  NameSet needed = names_among(nest.point.body.result);
  nest.point.body.stms = statements_for(needed, nest.point.body.stms);
}

bool has_atomic_addition(PrimType type) {
  return type == PrimType::f32 || type == PrimType::f64 || (values::is_integer(type) && values::byte_size(type) >= 4);
}

std::optional<Name> destination_of(const Nest& nest, std::size_t result) {
  if (result < nest.accumulators.size()) return std::nullopt;
  std::size_t next = nest.accumulators.size();
  for (const Out& out : nest.outs) {
    if (result < next + out.results())
      return out.destinations.empty() ? std::nullopt
                                      : std::optional(out.destinations.at(result - next));
    next += out.results();
  }
  return std::nullopt;
}

namespace {

/// xs[i, j], in bounds, for all indices of the point.
bool is_own_element(const Nest& nest, const Index& index) {
  const std::size_t first = nest.accumulators.size();
  if (index.checked || index.indices.size() != nest.space.size()) return false;
  for (std::size_t d = 0; d < index.indices.size(); ++d) {
    const auto* atom = std::get_if<Atom>(&index.indices[d]);
    if (!atom || *atom != Atom(nest.point.params[first + d].name)) return false;
  }
  return true;
}

}  // namespace

bool reads_only_own_elements(const Nest& nest, const Name& array) {
  const Body& body = nest.point.body;
  for (const Atom& result : body.result) {
    if (result == Atom(array)) return false;
  }
  for (const Stm& stm : body.stms) {
    if (!free_names(stm.exp).contains(array)) continue;
    const auto* index = std::get_if<Index>(&stm.exp);
    if (!index || !is_own_element(nest, *index)) return false;
    if (stm.pattern[0].type.is_scalar()) continue;
    // A row of it: the nest that makes the point's row must read it in the same way.
    const Name row = stm.pattern[0].name;
    for (const Stm& other : body.stms) {
      if (&other == &stm || !free_names(other.exp).contains(row)) continue;
      const auto* inner = std::get_if<Nest>(&other.exp);
      if (!inner || !reads_only_own_elements(*inner, row)) return false;
    }
    if (std::find(body.result.begin(), body.result.end(), Atom(row)) != body.result.end())
      return false;
  }
  return true;
}

namespace {

/// Whether a point may make row number `result` where the row of the array is.
bool can_take_row(const Body& point, std::size_t result, const Stm& reader) {
  const Name row = reader.pattern[0].name;
  const Atom made = point.result.at(result);
  bool is_made = false;  // then nobody may read what was there
  for (const Stm& stm : point.stms) {
    const auto place = std::find_if(stm.pattern.begin(), stm.pattern.end(), [&](const Param& param) { return made == Atom(param.name); });
    const bool makes = place != stm.pattern.end();
    if (makes) {
      const auto* nest = std::get_if<Nest>(&stm.exp);
      if (!nest || !can_take_place(*nest, static_cast<std::size_t>(place - stm.pattern.begin()), row)) return false;
      is_made = true;
    } else if (&stm != &reader && free_names(stm.exp).contains(row) && (is_made || viewed_operand(stm.exp))) {
      return false;
    }
  }
  return is_made && std::find(point.result.begin(), point.result.end(), Atom(row)) == point.result.end();
}

}  // namespace

bool can_take_place(const Nest& nest, std::size_t result, const Name& array) {
  const Body& point = nest.point.body;
  if (!stores_new_arrays(nest) || std::find(point.result.begin(), point.result.end(), Atom(array)) != point.result.end()) return false;
  return std::all_of(point.stms.begin(), point.stms.end(), [&](const Stm& stm) {
    if (!free_names(stm.exp).contains(array)) return true;
    const auto* index = std::get_if<Index>(&stm.exp);
    if (!index || !is_own_element(nest, *index)) return false;
    return stm.pattern[0].type.is_scalar() || can_take_row(point, result, stm);
  });
}

bool is_elementwise(const Lambda& op) {
  if (op.body.stms.size() != 1) return false;
  const auto* nest = std::get_if<Nest>(&op.body.stms[0].exp);
  if (!nest || !nest->accumulators.empty()) return false;
  for (std::size_t i = 0; i < op.params.size() / 2; ++i) {
    if (!reads_only_own_elements(*nest, op.params[i].name)) return false;
  }
  return std::all_of(nest->outs.begin(), nest->outs.end(),
                     [](const Out& out) { return out.kind == OutKind::store; });
}

}  // namespace boustro::ir
