// Names, the roots that they get, and what becomes of them.
#include "frontend/check/consumption.hpp"
#include "frontend/check/intrinsics.hpp"
#include "frontend/check/match.hpp"
#include "frontend/check/types.hpp"
#include "frontend/source/messages.hpp"

namespace boustro::check {

using source::Message;

void Consumption::bind(const Pattern& pattern, const Sharing& sharing, Owner owner) {
  match(
      pattern.node, [](const WildcardPattern&) {}, [](const LiteralPattern&) {},
      [&](const NamePattern& name) {
        if (!holds_arrays(pattern.type)) return;
        const bool lasts = lasting_.count(name.name.id) > 0;
        const bool unique =
            pattern.unique || (owner == Owner::scope && !lasts) || is_linear(pattern.type);
        const Root root{name.name.text, unique ? Owner::scope : Owner::parameter, depth_};
        Sharing own = sharing;
        if (own.fields.empty() && own.roots.empty()) own = everywhere(pattern.type, {});
        Roots& roots = own_roots_[name.name.id];
        roots.clear();
        add_roots(own, pattern.type, root, name.name.id, roots);
        sharing_[name.name.id] = std::move(own);
      },
      [&](const RecordPattern& record) {
        for (const PatternField& field : record.fields) {
          Pattern inner = field.pattern;
          inner.unique = inner.unique || pattern.unique;
          bind(inner, part(sharing, field.name), owner);
        }
      },
      [&](const ConstructorPattern& constructor) {
        for (const Pattern& payload : constructor.payload)
          bind(payload, everywhere(payload.type, all_roots(sharing)), owner);
      });
}

// A root for each array of the value, so that fields of a record are consumed one by one.
void Consumption::add_roots(Sharing& sharing, const Type& type, const Root& root, int id,
                            Roots& added) {
  if (!holds_arrays(type)) return;
  const auto* record = std::get_if<RecordType>(&type.node);
  if (!record || sharing.fields.empty()) {
    roots_[id] = root;
    sharing.roots.insert(id);
    added.insert(id);
  }
  if (!record) return;
  for (auto& [name, field] : sharing.fields)
    if (const Field* found = find_field(*record, name))
      add_roots(field, found->type, {root.text + "." + name, root.owner, root.depth}, next_root_--,
                added);
}

// What a variable shares, or a field of one; without looking whether it is consumed.
Sharing Consumption::of_variable(const Var& var, const Type& type) {
  if (is_intrinsic(var.name) || !holds_arrays(type)) return {};
  const auto found = sharing_.find(var.name.id);
  if (found != sharing_.end()) return found->second;
  if (!var.type_args.empty() || !var.size_args.empty()) return {};  // made anew for each use
  roots_[var.name.id] = {var.name.text, Owner::constant, 0};
  return of_constant(type, var.name.id);
}

// Functions in it make what they yield, and what an abstract type hides is no array to the user.
Sharing Consumption::of_constant(const Type& type, int root) {
  if (std::holds_alternative<TypeVariable>(type.node) || !holds_data(type)) return {};
  const auto* record = std::get_if<RecordType>(&type.node);
  if (!record) return {{root}, {}};
  Sharing result;
  for (const Field& field : record->fields)
    result.fields.emplace(field.name, of_constant(field.type, root));
  return result;
}

void Consumption::use(const Sharing& sharing, const std::string& text, SourceRange at) {
  if (at == reported_) return;
  for (const int root : all_roots(sharing)) {
    uses_.push_back({root, text, at});
    const auto found = consumed_.find(root);
    if (found == consumed_.end()) continue;
    reported_ = at;
    source::Diagnostic& diagnostic = diagnostics_.report(Message::use_after_consumption, at, text);
    diagnostic.notes.push_back({found->second, "`" + roots_[root].text + "` is consumed here"});
    return;
  }
}

void Consumption::consume(const Sharing& sharing, SourceRange at) {
  for (const int id : all_roots(sharing)) {
    const Root& root = roots_[id];
    if (root.owner == Owner::parameter)
      diagnostics_.report(Message::consumes_parameter, at, root.text)
          .notes.push_back({at, "write `*` before the parameter's type, or `copy`"});
    else if (root.owner == Owner::constant)
      diagnostics_.report(Message::consumes_constant, at, root.text);
    else if (root.depth < depth_)
      diagnostics_.report(Message::consumes_outer, at, root.text);
    else {
      consumed_.emplace(id, at);
      ++consumptions_[depth_];
      continue;
    }
    return;
  }
}

int Consumption::new_root(const std::string& text) {
  roots_[next_root_] = {text, Owner::scope, depth_};
  return next_root_--;
}

}  // namespace boustro::check
