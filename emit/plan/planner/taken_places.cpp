#include "emit/plan/planner/taken_places.hpp"

#include <algorithm>

#include "emit/plan/planner/code.hpp"
#include "emit/plan/planner/repeated_rows.hpp"
#include "transform/ir/nest.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::plan::planner {
namespace {

bool is_of_last_two(const ir::Body& point, const ir::Atom& atom, ir::BinOpKind kind, const std::vector<ir::Param>& params) {
  const ir::Name* name = ir::name_in(atom);
  const ir::Atom j(params.end()[-2].name), l(params.end()[-1].name);
  return name && std::any_of(point.stms.begin(), point.stms.end(), [&](const ir::Stm& stm) {
           const auto* op = std::get_if<ir::BinOp>(&stm.exp);
           return op && stm.pattern[0].name == *name && op->kind == kind && ((op->lhs == j && op->rhs == l) || (op->lhs == l && op->rhs == j));
         });
}

/// Whether each point (.., j, l) yields xs[.., max j l, min j l] and does nothing else with the array, so that elements on one side of
/// the diagonal stay. Not of one matrix alone: workers have different rows of that.
bool completes_symmetric(const ir::Nest& nest, const ir::Name& array) {
  const ir::Body& point = nest.point.body;
  const std::size_t rank = nest.space.size();
  if (!ir::stores_new_arrays(nest) || rank < 3 || point.result.size() != 1 || nest.space[rank - 2] != nest.space[rank - 1]) return false;
  bool yields = false;
  for (const ir::Stm& stm : point.stms) {
    if (!ir::free_names(stm.exp).contains(array)) continue;
    const auto* read = std::get_if<ir::Index>(&stm.exp);
    if (!read || read->checked || read->indices.size() != rank || point.result[0] != ir::Atom(stm.pattern[0].name)) return false;
    for (std::size_t d = 0; d + 2 < rank; ++d)
      if (read->indices[d] != ir::DimIndex(ir::Atom(nest.point.params[d].name))) return false;
    const auto *row = std::get_if<ir::Atom>(&read->indices[rank - 2]), *column = std::get_if<ir::Atom>(&read->indices[rank - 1]);
    if (!row || !is_of_last_two(point, *row, ir::BinOpKind::max, nest.point.params)) return false;
    if (!column || !is_of_last_two(point, *column, ir::BinOpKind::min, nest.point.params)) return false;
    yields = true;
  }
  return yields;
}

/// Of its own.
bool has_memory(const ir::Exp& exp) {
  return std::holds_alternative<ir::Nest>(exp) || std::holds_alternative<ir::Copy>(exp) || std::holds_alternative<ir::Replicate>(exp) ||
         std::holds_alternative<ir::Scratch>(exp);
}

class Search {
 public:
  Search(const ir::Body& body, const facts::Callees& callees) : body_(body), aliases_(planned_aliases(body.stms, callees)) {
    for (std::size_t i = 0; i < body.stms.size(); ++i)
      for (std::size_t k = 0; k < body.stms[i].pattern.size(); ++k) definitions_.emplace(body.stms[i].pattern[k].name, std::pair(i, k));
  }

  TakenPlaces run() const {
    TakenPlaces result;
    for (std::size_t at = 0; at < body_.stms.size(); ++at) {
      const auto* nest = std::get_if<ir::Nest>(&body_.stms[at].exp);
      if (!nest || !ir::stores_new_arrays(*nest) || body_.stms[at].pattern.size() != 1) continue;
      for (const ir::Name& array : ir::free_names_in_order(nest->point)) {
        if (!fits(at, *nest, array)) continue;
        result.emplace(body_.stms[at].pattern[0].name, array);
        break;
      }
    }
    return result;
  }

 private:
  bool fits(std::size_t at, const ir::Nest& nest, const ir::Name& array) const {
    const auto found = definitions_.find(array);
    if (found == definitions_.end() || pattern_of(found->second).type != body_.stms[at].pattern[0].type) return false;
    if (!ir::can_take_place(nest, 0, array) && !completes_symmetric(nest, array)) return false;
    const ir::NameSet memory = memory_of(array);
    return is_made_here(memory) && !is_needed(memory, at, array) && !is_in_concat(memory, at);
  }

  const ir::Param& pattern_of(const std::pair<std::size_t, std::size_t>& place) const { return body_.stms[place.first].pattern[place.second]; }

  /// The first versions of the arrays whose memory it may lie in.
  ir::NameSet memory_of(const ir::Name& array) const {
    ir::NameSet result;
    for (ir::Name root : aliases_.roots(array)) {
      for (auto found = definitions_.find(root); found != definitions_.end(); found = definitions_.find(root)) {
        const auto before = updated_in_place(body_.stms[found->second.first].exp, found->second.second);
        if (!before) break;
        root = *before;
      }
      result.insert(root);
    }
    return result;
  }

  bool is_made_here(const ir::NameSet& memory) const {
    return std::all_of(memory.begin(), memory.end(), [&](const ir::Name& root) {
      const auto found = definitions_.find(root);
      return found != definitions_.end() && has_memory(body_.stms[found->second.first].exp);
    });
  }

  bool shares(const ir::Name& name, const ir::NameSet& memory) const {
    const ir::NameSet own = memory_of(name);
    return std::any_of(own.begin(), own.end(), [&](const ir::Name& root) { return memory.contains(root); });
  }

  /// By the nest itself under another name, or by what comes later.
  bool is_needed(const ir::NameSet& memory, std::size_t at, const ir::Name& array) const {
    for (std::size_t i = at; i < body_.stms.size(); ++i)
      for (const ir::Name& name : ir::free_names(body_.stms[i].exp))
        if (!(i == at && name == array) && shares(name, memory)) return true;
    return std::any_of(body_.result.begin(), body_.result.end(), [&](const ir::Atom& atom) {
      const ir::Name* name = ir::name_in(atom);
      return name && shares(*name, memory);
    });
  }

  /// Of an array whose parts were perhaps made inside of it, so that the part's memory is that array's (concat_parts.hpp).
  bool is_in_concat(const ir::NameSet& memory, std::size_t at) const {
    return std::any_of(body_.stms.begin(), body_.stms.begin() + static_cast<std::ptrdiff_t>(at), [&](const ir::Stm& stm) {
      const auto* concat = std::get_if<ir::Concat>(&stm.exp);
      return concat && std::any_of(concat->arrays.begin(), concat->arrays.end(), [&](const ir::Name& part) { return shares(part, memory); });
    });
  }

  const ir::Body& body_;
  facts::Aliases aliases_;
  std::unordered_map<ir::Name, std::pair<std::size_t, std::size_t>> definitions_;
};

}  // namespace

TakenPlaces taken_places(const ir::Body& body, const facts::Callees& callees) { return Search(body, callees).run(); }

}  // namespace boustro::plan::planner
