#include "emit/plan/planner/tables.hpp"

#include <algorithm>
#include <cmath>

#include "emit/plan/planner/arithmetic.hpp"
#include "emit/plan/planner/layout.hpp"
#include "emit/plan/walk.hpp"

namespace boustro::plan::planner {
namespace {

bool is_constant_of_cpp(const PrimValue& value) {
  if (value.type == PrimType::f16) return false;
  return !values::is_float(value.type) || std::isfinite(value.as_float());
}

/// All of a table, in its order.
const std::string* whole_table(const View& view) {
  const Memory* memory = view.memory();
  const auto* name = memory ? std::get_if<Var>(&memory->base.head) : nullptr;
  return name && is_zero(memory->offset) && is_dense(view) ? &name->name : nullptr;
}

/// Longer rows of equal elements are no literals of the program.
constexpr std::int64_t longest_row = 64;

/// Of elements that are all the same number.
std::optional<std::vector<PrimValue>> short_row(const View& view) {
  const auto* equal = std::get_if<Constant>(&view.data);
  const auto* value = equal ? std::get_if<Literal>(&equal->value.head) : nullptr;
  if (!value || value->value.type != view.elem) return std::nullopt;
  std::int64_t count = 1;
  for (const Scalar& extent : view.extents) {
    const auto size = int_value(extent.expr);
    if (!size || *size > longest_row) return std::nullopt;
    count *= *size;
  }
  return count <= longest_row ? std::optional(std::vector<PrimValue>(static_cast<std::size_t>(count), value->value)) : std::nullopt;
}

std::set<std::string> names_of_code(const Program& plan) {
  std::set<std::string> names;
  const auto add_all = [&](const std::vector<Definition>& definitions) {
    for (const Definition& definition : definitions) {
      if (const auto* function = std::get_if<Function>(&definition)) names.merge(names_in(function->body));
      if (const auto* functor = std::get_if<Functor>(&definition)) names.merge(names_in(functor->body));
    }
  };
  add_all(plan.definitions);
  for (const Entry& entry : plan.entries) {
    add_all(entry.definitions);
    for (const Kernel& kernel : entry.kernels) names.merge(names_in(kernel.body));
    names.merge(names_in(entry.body));
  }
  return names;
}

}  // namespace

std::optional<std::vector<PrimValue>> Tables::values_of(const ir::ArrayLiteral& literal, const Row& row) const {
  std::vector<PrimValue> values;
  for (const ir::Atom& element : literal.elements) {
    if (const PrimValue* value = ir::literal_in(element)) {
      values.push_back(*value);
      continue;
    }
    const View* view = row(std::get<ir::Name>(element));
    if (const auto equal = view ? short_row(*view) : std::nullopt) {
      values.insert(values.end(), equal->begin(), equal->end());
      continue;
    }
    const std::string* name = view ? whole_table(*view) : nullptr;
    if (!name || !contains(*name)) return std::nullopt;
    const std::vector<PrimValue>& inner = known_.at(*name).values;
    values.insert(values.end(), inner.begin(), inner.end());
  }
  if (values.empty() || !std::all_of(values.begin(), values.end(), is_constant_of_cpp)) return std::nullopt;
  return values;
}

const Table* Tables::find(PrimType elem, const std::vector<PrimValue>& values, const std::vector<std::string>& shape) const {
  const auto equal = std::find_if(known_.begin(), known_.end(), [&](const auto& known) {
    return known.second.elem == elem && known.second.values == values && known.second.shape == shape;
  });
  return equal == known_.end() ? nullptr : &equal->second;
}

const Table& Tables::add(Table table) {
  const std::string name = table.name;
  return known_.emplace(name, std::move(table)).first->second;
}

bool Tables::hold(const View& array) const {
  const Memory* memory = array.memory();
  const auto* name = memory ? std::get_if<Var>(&memory->base.head) : nullptr;
  return name && contains(name->name);
}

void Tables::define(Program& plan) const {
  const std::set<std::string> used = names_of_code(plan);
  std::vector<Definition> tables;
  for (const auto& [name, table] : known_)
    if (used.contains(name)) tables.push_back(table);
  plan.definitions.insert(plan.definitions.begin(), tables.begin(), tables.end());
}

}  // namespace boustro::plan::planner
