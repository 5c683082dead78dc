#include "frontend/check/uniqueness.hpp"

#include <algorithm>

#include "frontend/check/consumption.hpp"
#include "frontend/source/messages.hpp"

namespace boustro::check {

using source::Message;

void Consumption::check(Definition& definition, bool infers_result) {
  const Sharing result = function_body(definition.params, definition.body);
  if (infers_result)
    infer_unique(definition, result);
  else
    expect_unique(definition, result);
}

// The result, or those of its fields that are.
void Consumption::infer_unique(Definition& definition, const Sharing& result) {
  if (!definition.params.empty()) expect_no_constant(result, definition.body.at);
  definition.unique_result = is_fresh(result) && holds_arrays(definition.result);
  const auto* record = std::get_if<RecordType>(&definition.result.node);
  if (definition.unique_result || !record) return;
  const Roots shared = shared_by_parts(result);
  for (const Field& field : record->fields) {
    const Sharing own = part(result, field.name);
    const Roots roots = all_roots(own);
    const bool apart =
        std::none_of(roots.begin(), roots.end(), [&](int root) { return shared.count(root) > 0; });
    if (holds_arrays(field.type) && apart && is_fresh(own))
      definition.unique_fields.push_back(field.name);
  }
}

// Nothing else has to do with its memory, and no two parts share any.
bool Consumption::is_fresh(const Sharing& sharing) {
  const Roots roots = all_roots(sharing);
  if (!shared_by_parts(sharing).empty()) return false;
  return std::all_of(roots.begin(), roots.end(), [&](int root) {
    return roots_[root].owner == Owner::scope && roots_[root].depth >= depth_;
  });
}

void Consumption::expect_unique(const Definition& definition, const Sharing& result) {
  expect_unique(definition.unique_result, definition.unique_fields, result, definition.body.at);
  if (!definition.params.empty()) expect_no_constant(result, definition.body.at);
}

void Consumption::expect_unique(bool all, const std::vector<std::string>& fields,
                                const Sharing& result, SourceRange at) {
  if (all) expect_fresh(result, at);
  const Roots shared = all || !fields.empty() ? shared_by_parts(result) : Roots();
  if (all && !shared.empty()) return report_not_unique(shared, at);
  for (const std::string& field : fields) {
    expect_fresh(part(result, field), at);
    for (const int root : all_roots(part(result, field)))
      if (shared.count(root)) return report_not_unique({root}, at);
  }
}

void Consumption::report_not_unique(const Roots& roots, SourceRange at) {
  diagnostics_.report(Message::result_not_unique, at, roots_[*roots.begin()].text);
}

// A function makes what it yields, or has it from its arguments.
void Consumption::expect_no_constant(const Sharing& result, SourceRange at) {
  for (const int root : all_roots(result)) {
    if (roots_[root].owner != Owner::constant) continue;
    diagnostics_.report(Message::result_is_constant, at, roots_[root].text);
    return;
  }
}

void Consumption::expect_fresh(const Sharing& sharing, SourceRange at) {
  for (const int root : all_roots(sharing)) {
    if (roots_[root].owner == Owner::scope && roots_[root].depth >= depth_) continue;
    diagnostics_.report(Message::result_not_unique, at, roots_[root].text);
    return;
  }
}

void check_uniqueness(Definition& definition, bool infers_result, const std::set<int>& lasting,
                      source::Diagnostics& diagnostics) {
  Consumption(lasting, diagnostics).check(definition, infers_result);
}

}  // namespace boustro::check
