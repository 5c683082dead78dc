#include "emit/plan/polish/sizes.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "emit/plan/build.hpp"
#include "emit/plan/walk.hpp"

namespace boustro::plan {
namespace {

using Names = std::set<std::string>;

const Let* constant_in(const Stm& stm) {
  const auto* let = std::get_if<Let>(&stm.what);
  return let && let->value && !let->changes ? let : nullptr;
}

bool defines_and_checks(const Stms& prologue) {
  return std::all_of(prologue.begin(), prologue.end(), [](const Stm& stm) { return constant_in(stm) || std::holds_alternative<RejectIf>(stm.what); });
}

/// The constants that only the struct needs, or that the entry can read there.
std::map<std::string, Type> movable(const Entry& entry, Target target) {
  Names needed = target == Target::cpu ? names_in(entry.body) : Names{};
  std::map<std::string, Type> result;
  for (auto stm = entry.prologue.rbegin(); stm != entry.prologue.rend(); ++stm) {
    const Let* let = constant_in(*stm);
    if (let && !needed.contains(let->name)) {
      result.emplace(let->name, let->type);
    } else {
      add_names(*stm, needed);
    }
  }
  return result;
}

void read_from_buffers(Expr& expr, const std::map<std::string, Type>& moved) {
  const auto* variable = std::get_if<Var>(&expr.head);
  const auto found = variable ? moved.find(variable->name) : moved.end();
  if (found != moved.end()) {
    expr = scratch_field(found->first, found->second);
    return;
  }
  for (Expr& arg : expr.args) read_from_buffers(arg, moved);
}

/// What the struct is made from, in the order of the entry.
std::vector<Param> params_of(const Scratch& scratch, const Entry& entry) {
  Names wanted;
  for (const Let& size : scratch.sizes) add_names(*size.value, wanted);
  for (const Piece& piece : scratch.pieces) add_names(piece.count, wanted);
  for (const Run& run : scratch.library)
    for (const Expr& arg : run.args) add_names(arg, wanted);
  for (const Let& size : scratch.sizes) wanted.erase(size.name);

  std::vector<Param> params;
  const auto add = [&](const std::string& name, const Type& type) {
    if (wanted.erase(name) > 0) params.push_back({.name = name, .type = type});
  };
  for (const Param& param : entry.params) add(param.name, param.type);
  for (const Stm& stm : entry.prologue)
    if (const auto* let = std::get_if<Let>(&stm.what)) add(let->name, let->type);
  return params;
}

}  // namespace

void keep_sizes_with_scratch(Entry& entry, Target target) {
  Scratch& scratch = entry.scratch;
  if (scratch.empty()) return;
  const std::map<std::string, Type> moved = defines_and_checks(entry.prologue) ? movable(entry, target) : std::map<std::string, Type>{};
  std::vector<Let> sizes;
  std::erase_if(entry.prologue, [&](const Stm& stm) {
    const Let* let = constant_in(stm);
    if (!let || !moved.contains(let->name)) return false;
    sizes.push_back(*let);
    return true;
  });
  scratch.sizes.insert(scratch.sizes.begin(), sizes.begin(), sizes.end());
  scratch.params = params_of(scratch, entry);
  for_each_stm(std::span(entry.body), [&](Stm& stm) {
    for_each_expr(stm, [&](Expr& expr) { read_from_buffers(expr, moved); });
  });
}

}  // namespace boustro::plan
