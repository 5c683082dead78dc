#include "frontend/check/sharing.hpp"

#include <algorithm>

#include "frontend/check/match.hpp"
#include "frontend/check/types.hpp"

namespace boustro::check {

Roots all_roots(const Sharing& sharing) {
  Roots roots = sharing.roots;
  for (const auto& [name, field] : sharing.fields) roots.merge(all_roots(field));
  return roots;
}

Roots shared_by_parts(const Sharing& sharing) {
  Roots seen, shared;
  for (const auto& [name, field] : sharing.fields) {
    shared.merge(shared_by_parts(field));
    for (const int root : all_roots(field))
      if (!seen.insert(root).second) shared.insert(root);
  }
  return shared;
}

Sharing everywhere(const Type& type, const Roots& roots) {
  if (!holds_arrays(type)) return {};
  const auto* record = std::get_if<RecordType>(&type.node);
  if (!record) return {roots, {}};
  Sharing result;
  for (const Field& field : record->fields)
    result.fields.emplace(field.name, everywhere(field.type, roots));
  return result;
}

Sharing either(const Sharing& a, const Sharing& b) {
  Sharing result = a;
  result.roots.insert(b.roots.begin(), b.roots.end());
  for (const auto& [name, field] : b.fields) {
    const auto found = result.fields.find(name);
    if (found == result.fields.end())
      result.fields.emplace(name, field);
    else
      found->second = either(found->second, field);
  }
  return result;
}

Sharing part(const Sharing& sharing, const std::string& field) {
  const auto found = sharing.fields.find(field);
  if (found != sharing.fields.end()) return found->second;
  return {sharing.roots, {}};
}

bool holds_arrays(const Type& type) {
  return match(
      type.node, [](PrimType) { return false; }, [](const ArrayType&) { return true; },
      [](const RecordType& record) {
        return std::any_of(record.fields.begin(), record.fields.end(),
                           [](const Field& field) { return holds_arrays(field.type); });
      },
      [](const SumType& sum) {
        return std::any_of(sum.constructors.begin(), sum.constructors.end(), [](const auto& c) {
          return std::any_of(c.payload.begin(), c.payload.end(), holds_arrays);
        });
      },
      [](const FunctionType&) { return true; }, [](const TypeVariable&) { return true; },
      [](const AccumulatorType&) { return true; });
}

bool holds_data(const Type& type) {
  if (const auto* record = std::get_if<RecordType>(&type.node))
    return std::any_of(record->fields.begin(), record->fields.end(),
                       [](const Field& field) { return holds_data(field.type); });
  return !std::holds_alternative<FunctionType>(type.node) && holds_arrays(type);
}

bool is_linear(const Type& type) {
  if (std::holds_alternative<AccumulatorType>(type.node)) return true;
  const auto* record = std::get_if<RecordType>(&type.node);
  return record && !record->fields.empty() &&
         std::all_of(record->fields.begin(), record->fields.end(),
                     [](const Field& field) { return is_linear(field.type); });
}

}  // namespace boustro::check
