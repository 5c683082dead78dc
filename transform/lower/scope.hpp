// What names of the checked program mean while it is evaluated.
#pragma once

#include <unordered_map>
#include <utility>
#include <vector>

#include "transform/lower/value.hpp"

namespace boustro::lower {

/// One scope for each application of a function or lambda. Bindings have unique ids, so one scope
/// holds all of a body's; a closure refers to the scope that it was made in. Owned by the Context.
struct Scope {
  const Scope* parent = nullptr;
  std::unordered_map<int, Value> values;
  std::unordered_map<int, Type> types;
  /// Sizes in the results of functions that are not applied yet, and in how many blocks they came
  /// up.
  std::vector<std::pair<check::Name, std::size_t>> open_sizes;
  /// Texts of the names in `values`, for attributes, which mention names by text.
  std::unordered_map<int, std::string> texts;

  void bind(const check::Name& name, Value value) {
    texts[name.id] = name.text;
    values.insert_or_assign(name.id, std::move(value));
  }

  const Value* find_value(int id) const {
    for (const Scope* scope = this; scope; scope = scope->parent) {
      if (const auto found = scope->values.find(id); found != scope->values.end())
        return &found->second;
    }
    return nullptr;
  }
  const Type* find_type(int id) const {
    for (const Scope* scope = this; scope; scope = scope->parent) {
      if (const auto found = scope->types.find(id); found != scope->types.end())
        return &found->second;
    }
    return nullptr;
  }
  /// The innermost, latest binding of that text: its id, or a negative number.
  int find_id(std::string_view text) const {
    int best = -1;
    for (const Scope* scope = this; scope && best < 0; scope = scope->parent) {
      for (const auto& [id, name] : scope->texts) {
        if (name == text && id > best) best = id;
      }
    }
    return best;
  }
  const Value* find_text(std::string_view text) const {
    const int id = find_id(text);
    return id < 0 ? nullptr : find_value(id);
  }
};

}  // namespace boustro::lower
