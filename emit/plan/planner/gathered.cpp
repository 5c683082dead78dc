#include "emit/plan/planner/gathered.hpp"

#include <variant>

namespace boustro::plan::planner {
namespace {

constexpr std::int64_t most_rows = 16;

/// [few][n][m], or of more dimensions: what is picked is still a row.
bool has_shape(const ir::Type& type) {
  const ir::PrimValue* rows = type.rank() < 3 ? nullptr : ir::literal_in(type.shape[0]);
  return rows && 1 < rows->as_int() && rows->as_int() <= most_rows;
}

bool is_literal(const ir::Atom& atom, std::int64_t value) {
  const ir::PrimValue* literal = ir::literal_in(atom);
  return literal && literal->as_int() == value;
}

/// All of the first dimension, at one index of the second one.
bool picks_across(const ir::Index& index, const ir::Type& type) {
  const auto* rows = index.indices.size() == 2 ? std::get_if<ir::Slice>(&index.indices[0]) : nullptr;
  const bool all = rows && is_literal(rows->start, 0) && rows->count == type.shape[0] && is_literal(rows->stride, 1);
  return all && std::holds_alternative<ir::Atom>(index.indices[1]);
}

class GatheredFinder {
 public:
  void body(const ir::Body& body) {
    for (const ir::Stm& stm : body.stms) {
      if (const auto* nest = std::get_if<ir::Nest>(&stm.exp)) add(stm, *nest);
      if (const auto* index = std::get_if<ir::Index>(&stm.exp); index && made_.contains(index->array)) {
        (picks_across(*index, made_.at(index->array)) ? picked_ : others_).insert(index->array);
      } else {
        ir::for_each_atom(stm.exp, [&](const ir::Atom& atom) { use(atom); });
      }
      ir::for_each_body(stm.exp, [&](const ir::Body& inner) { this->body(inner); });
    }
    for (const ir::Atom& atom : body.result) use(atom);
  }

  ir::NameSet found() const {
    ir::NameSet result;
    for (const ir::Name& name : picked_)
      if (!others_.contains(name)) result.insert(name);
    return result;
  }

 private:
  void add(const ir::Stm& stm, const ir::Nest& nest) {
    std::size_t next = nest.accumulators.size();
    for (const ir::Out& out : nest.outs) {
      for (const std::size_t end = next + out.results(); next < end; ++next)
        if (out.kind == ir::OutKind::store && has_shape(stm.pattern[next].type)) made_.emplace(stm.pattern[next].name, stm.pattern[next].type);
    }
  }

  void use(const ir::Atom& atom) {
    if (const ir::Name* name = ir::name_in(atom)) others_.insert(*name);
  }

  std::unordered_map<ir::Name, ir::Type> made_;
  ir::NameSet picked_, others_;
};

}  // namespace

ir::NameSet gathered_arrays(const ir::Body& body) {
  GatheredFinder finder;
  finder.body(body);
  return finder.found();
}

}  // namespace boustro::plan::planner
