// The head of a definition and its results: sizes are implicit, and tuples and records of an entry are put together again.
#include <algorithm>

#include "frontend/parse/parse.hpp"
#include "transform/ir/params.hpp"
#include "transform/raise/raiser.hpp"

namespace boustro::raise {

using namespace ir;

namespace {

/// The type of a parameter or result as the source has it.
std::optional<ast::Type> parsed(const std::string& text) {
  source::SourceMap sources;
  source::Diagnostics diagnostics;
  auto type = parse::parse_type(sources.add("type", text), sources, diagnostics);
  return diagnostics.has_errors() ? std::nullopt : type;
}

/// Values one after the other, put together as a type of tuples, records and other leaves says. `Part` makes expressions, types
/// or patterns of it.
template <typename Part>
class Assembly {
 public:
  Assembly(std::vector<Part> leaves, Part (*tuple)(std::vector<Part>), Part (*record)(std::vector<std::pair<std::string, Part>>))
      : leaves_(std::move(leaves)), tuple_(tuple), record_(record) {}

  /// Nothing if there are more leaves or fewer.
  std::optional<Part> of(const ast::Type& type) {
    auto part = next(type);
    return next_ == leaves_.size() ? std::move(part) : std::nullopt;
  }

 private:
  std::optional<Part> next(const ast::Type& type) {
    if (const auto* unique = std::get_if<ast::UniqueType>(&type.node)) return next(*unique->type);
    if (const auto* tuple = std::get_if<ast::TupleType>(&type.node)) {
      std::vector<Part> parts;
      for (const ast::Type& element : tuple->elements) {
        auto part = next(element);
        if (!part) return std::nullopt;
        parts.push_back(std::move(*part));
      }
      return parts.empty() ? std::nullopt : std::optional(tuple_(std::move(parts)));
    }
    if (const auto* record = std::get_if<ast::RecordType>(&type.node)) return of_record(*record);
    if (next_ == leaves_.size()) return std::nullopt;
    return std::move(leaves_[next_++]);
  }
  /// Fields come in the order of their names.
  std::optional<Part> of_record(const ast::RecordType& record) {
    std::vector<const ast::FieldType*> fields;
    for (const ast::FieldType& field : record.fields) fields.push_back(&field);
    std::sort(fields.begin(), fields.end(), [](const auto* a, const auto* b) { return a->name.text < b->name.text; });
    std::vector<std::pair<std::string, Part>> parts;
    for (const ast::FieldType* field : fields) {
      auto part = next(field->type);
      if (!part) return std::nullopt;
      parts.emplace_back(field->name.text, std::move(*part));
    }
    return record_(std::move(parts));
  }

  std::vector<Part> leaves_;
  Part (*tuple_)(std::vector<Part>);
  Part (*record_)(std::vector<std::pair<std::string, Part>>);
  std::size_t next_ = 0;
};

template <typename Part>
using Fields = std::vector<std::pair<std::string, Part>>;

ast::Type record_type(Fields<ast::Type> fields) {
  ast::RecordType record;
  for (auto& [name, type] : fields) record.fields.push_back({identifier(name), std::move(type)});
  return {std::move(record), {}};
}
ast::Pattern record_pattern(Fields<ast::Pattern> fields) {
  ast::RecordPattern record;
  for (auto& [name, pattern] : fields) record.fields.push_back({identifier(name), std::move(pattern)});
  return {std::move(record), {}};
}
ast::Exp record_exp(Fields<ast::Exp> fields) {
  ast::Record record;
  for (auto& [name, value] : fields) record.fields.push_back({identifier(name), std::move(value)});
  return exp(std::move(record));
}

ast::Type tuple_type(std::vector<ast::Type> parts) { return flat_tuple(std::move(parts)); }
ast::Pattern tuple_pattern(std::vector<ast::Pattern> parts) { return flat_tuple(std::move(parts)); }
ast::Exp tuple_exp(std::vector<ast::Exp> parts) { return flat_tuple(std::move(parts)); }

/// Whether the values of an entry make up so many core values.
bool make_up(const std::vector<EntryValue>& values, std::size_t count) {
  std::size_t sum = 0;
  for (const EntryValue& value : values) sum += static_cast<std::size_t>(value.count);
  return sum == count;
}

}  // namespace

void Raiser::add_params(ast::ValueDefinition& definition) const {
  const std::vector<bool> sizes = sizes_among(function_.params);
  std::vector<const Param*> others;
  for (std::size_t i = 0; i < function_.params.size(); ++i) {
    const Param& p = function_.params[i];
    if (static_cast<int>(i) < function_.size_params && sizes[i])
      definition.type_params.push_back({ast::TypeParam::Kind::size, identifier(tagged(p.name))});
    else
      others.push_back(&p);
  }
  const bool as_written = function_.entry && make_up(function_.entry->params, others.size());
  std::size_t next = 0;
  const auto add_group = [&](const EntryValue& value) {
    const auto count = static_cast<std::size_t>(value.count);
    std::vector<ast::Type> types;
    std::vector<ast::Pattern> names;
    bool any_unique = false;
    for (std::size_t i = next; i < next + count; ++i) {
      types.push_back(type(others[i]->type));
      names.push_back(named(tagged(others[i]->name)));
      any_unique = any_unique || others[i]->unique;
    }
    const auto written = count > 1 && !any_unique ? parsed(value.type) : std::nullopt;
    auto whole = written ? Assembly<ast::Type>(std::move(types), tuple_type, record_type).of(*written) : std::nullopt;
    auto pattern = written ? Assembly<ast::Pattern>(std::move(names), tuple_pattern, record_pattern).of(*written) : std::nullopt;
    if (!whole || !pattern) return false;
    definition.params.push_back(ascribed(std::move(*pattern), std::move(*whole)));
    next += count;
    return true;
  };
  std::size_t group = 0;
  while (next < others.size()) {
    const EntryValue* value = as_written ? &function_.entry->params[group++] : nullptr;
    if (value && value->count == 0) continue;
    if (value && value->count > 1 && add_group(*value)) continue;
    for (const std::size_t end = next + static_cast<std::size_t>(value ? value->count : 1); next < end; ++next)
      definition.params.push_back(ascribed(named(tagged(others[next]->name)), type(others[next]->type, others[next]->unique)));
  }
  if (function_.params.empty()) definition.params.push_back({ast::TuplePattern{}, {}});
}

/// Sizes among the results are existential; the rest are the results that the caller sees. An entry shows no size, not even one
/// that turned out to be a constant.
ast::Exp Raiser::results_and_type(std::optional<ast::Type>& whole) {
  const auto fresh = around_.fresh_results.find(function_.name);
  std::vector<ast::Identifier> existential;
  std::vector<ast::Type> types;
  std::vector<ast::Exp> exps;
  Substitution inside_of_type;
  for (std::size_t i = 0; i < function_.result_types.size(); ++i) {
    const bool is_size = static_cast<int>(i) < function_.size_results;
    const Name* size = is_size ? name_in(function_.body.result.at(i)) : nullptr;
    const bool bound = size && std::any_of(function_.result_types.begin(), function_.result_types.end(), [&](const Type& t) {
                         return std::find(t.shape.begin(), t.shape.end(), Atom(*size)) != t.shape.end();
                       });
    const bool is_param = bound && binds(function_.params, *size);
    if (bound && !is_param) {
      const Name in_type{size->base, -1 - size->tag};  // the body binds the size, too
      inside_of_type[*size] = in_type;
      existential.push_back(identifier(tagged(in_type)));
    }
    if (bound || (is_size && function_.entry)) continue;
    const bool is_fresh = fresh != around_.fresh_results.end() && i < fresh->second.size() && fresh->second[i];
    Type result = function_.result_types[i];
    substitute(result, inside_of_type);
    types.push_back(type(result, is_fresh));
    exps.push_back(operand(function_.body.result.at(i), true));
  }
  if (function_.entry && make_up(function_.entry->results, exps.size())) {
    std::size_t next = 0;
    std::vector<ast::Type> entry_types;
    std::vector<ast::Exp> entry_exps;
    for (const EntryValue& value : function_.entry->results) {
      const auto first = static_cast<std::ptrdiff_t>(next), last = first + value.count;
      next += static_cast<std::size_t>(value.count);
      std::vector<ast::Type> some_types(types.begin() + first, types.begin() + last);
      std::vector<ast::Exp> some_exps(exps.begin() + first, exps.begin() + last);
      const auto written = value.count > 1 ? parsed(value.type) : std::nullopt;
      if (written) {
        std::vector<ast::Type> shared;
        for (const ast::Type& t : some_types) {
          const auto* unique = std::get_if<ast::UniqueType>(&t.node);
          shared.push_back(unique ? *unique->type : t);
        }
        auto put_together = Assembly<ast::Type>(std::move(shared), tuple_type, record_type).of(*written);
        auto value_together = Assembly<ast::Exp>(some_exps, tuple_exp, record_exp).of(*written);
        if (put_together && value_together) {
          entry_types.push_back(std::move(*put_together));
          entry_exps.push_back(std::move(*value_together));
          continue;
        }
      }
      for (ast::Type& t : some_types) entry_types.push_back(std::move(t));
      for (ast::Exp& e : some_exps) entry_exps.push_back(std::move(e));
    }
    types = std::move(entry_types);
    exps = std::move(entry_exps);
  }
  whole = flat_tuple(std::move(types));
  if (!existential.empty()) whole = ast::Type{ast::ExistentialType{std::move(existential), std::move(*whole)}, {}};
  return flat_tuple(std::move(exps));
}

ast::Definition Raiser::definition() {
  ast::ValueDefinition definition;
  definition.is_entry = function_.entry.has_value();
  definition.name = identifier(around_.callees.at(function_.name).name);
  add_params(definition);
  ast::Exp result = results_and_type(definition.result);
  definition.body = scope(function_.body, std::move(result));
  ast::Definition whole{std::move(definition), function_.doc, {}, {}};
  for (const Attribute& attribute : function_.attributes) whole.attributes.push_back({attribute.name, {}, {}});
  return whole;
}

}  // namespace boustro::raise
