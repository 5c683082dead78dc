// The patterns are a matrix, one row for a case, one column for a value. Column by column it is
// split by what the value may be; a split without rows left is an example of what is not covered.
#include "frontend/check/exhaustive.hpp"

#include <algorithm>
#include <set>

#include "frontend/check/match.hpp"
#include "frontend/check/traverse.hpp"
#include "frontend/check/types.hpp"
#include "frontend/source/messages.hpp"

namespace boustro::check {
namespace {

using source::Message;
using Row = std::vector<const Pattern*>;

const Pattern wildcard{WildcardPattern{}, {}, false, {}};

bool matches_all(const Pattern& pattern) {
  return std::holds_alternative<NamePattern>(pattern.node) ||
         std::holds_alternative<WildcardPattern>(pattern.node);
}

/// Texts of patterns for the columns, one each, that no row covers.
using Example = std::optional<std::vector<std::string>>;
Example uncovered(const std::vector<Row>& rows, const std::vector<Type>& types);

/// The rows for which `parts_of` yields the parts of their first pattern, in its place.
template <typename PartsOf>
std::vector<Row> split(const std::vector<Row>& rows, std::size_t count, PartsOf parts_of) {
  std::vector<Row> result;
  for (const Row& row : rows) {
    std::optional<Row> parts = matches_all(*row[0]) ? Row(count, &wildcard) : parts_of(*row[0]);
    if (!parts) continue;
    parts->insert(parts->end(), row.begin() + 1, row.end());
    result.push_back(std::move(*parts));
  }
  return result;
}

std::vector<Type> replace_first(const std::vector<Type>& types, std::vector<Type> parts) {
  parts.insert(parts.end(), types.begin() + 1, types.end());
  return parts;
}

/// Puts the first `count` texts together to one.
template <typename Print>
Example assemble(Example example, std::size_t count, Print print) {
  if (!example) return example;
  const auto end = example->begin() + static_cast<std::ptrdiff_t>(count);
  std::string text = print(std::vector<std::string>(example->begin(), end));
  example->erase(example->begin(), end);
  example->insert(example->begin(), std::move(text));
  return example;
}

Example uncovered_record(const RecordType& record, const std::vector<Row>& rows,
                         const std::vector<Type>& types) {
  std::vector<Type> parts;
  for (const Field& field : record.fields) parts.push_back(field.type);
  const auto parts_of = [&](const Pattern& pattern) -> std::optional<Row> {
    Row row(record.fields.size(), &wildcard);
    for (const PatternField& field : std::get<RecordPattern>(pattern.node).fields)
      for (std::size_t i = 0; i < record.fields.size(); ++i)
        if (record.fields[i].name == field.name) row[i] = &field.pattern;
    return row;
  };
  const auto rest = split(rows, parts.size(), parts_of);
  const bool tuple = is_tuple(record);
  return assemble(uncovered(rest, replace_first(types, parts)), parts.size(),
                  [&](const std::vector<std::string>& texts) {
                    std::string text;
                    for (std::size_t i = 0; i < texts.size(); ++i) {
                      if (i > 0) text += ", ";
                      text += tuple ? texts[i] : record.fields[i].name + " = " + texts[i];
                    }
                    return tuple || texts.empty() ? "(" + text + ")" : "{" + text + "}";
                  });
}

Example uncovered_sum(const SumType& sum, const std::vector<Row>& rows,
                      const std::vector<Type>& types) {
  for (const Constructor& constructor : sum.constructors) {
    const auto parts_of = [&](const Pattern& pattern) -> std::optional<Row> {
      const auto& found = std::get<ConstructorPattern>(pattern.node);
      if (found.constructor != constructor.name) return std::nullopt;
      Row row;
      for (const Pattern& payload : found.payload) row.push_back(&payload);
      return row;
    };
    const std::size_t count = constructor.payload.size();
    const auto rest = split(rows, count, parts_of);
    const Example example = assemble(
        uncovered(rest, replace_first(types, constructor.payload)), count,
        [&](const std::vector<std::string>& texts) {
          std::string text = "#" + constructor.name;
          for (const std::string& part : texts)
            text += part[0] == '#' && part.find(' ') != std::string::npos ? " (" + part + ")"
                                                                          : " " + part;
          return text;
        });
    if (example) return example;
  }
  return std::nullopt;
}

Example uncovered_prim(const std::vector<Row>& rows, const std::vector<Type>& types) {
  std::set<PrimValue> values;
  for (const Row& row : rows)
    if (const auto* literal = std::get_if<LiteralPattern>(&row[0]->node))
      values.insert(literal->value);
  if (is_prim(types[0], PrimType::boolean))
    values = {PrimValue::of_bool(false), PrimValue::of_bool(true)};
  for (const PrimValue& value : values) {
    const auto rest = split(rows, 0, [&](const Pattern& pattern) -> std::optional<Row> {
      if (std::get<LiteralPattern>(pattern.node).value == value) return Row{};
      return std::nullopt;
    });
    const Example example = assemble(uncovered(rest, replace_first(types, {})), 0,
                                     [&](const auto&) { return values::to_string(value); });
    if (example) return example;
  }
  if (is_prim(types[0], PrimType::boolean)) return std::nullopt;
  const auto rest =
      split(rows, 0, [](const Pattern&) -> std::optional<Row> { return std::nullopt; });
  return assemble(uncovered(rest, replace_first(types, {})), 0, [](const auto&) { return "_"; });
}

Example uncovered(const std::vector<Row>& rows, const std::vector<Type>& types) {
  if (types.empty()) return rows.empty() ? Example(std::vector<std::string>{}) : std::nullopt;
  if (std::all_of(rows.begin(), rows.end(), [](const Row& row) { return matches_all(*row[0]); })) {
    const auto rest =
        split(rows, 0, [](const Pattern&) -> std::optional<Row> { return std::nullopt; });
    return assemble(uncovered(rest, replace_first(types, {})), 0, [](const auto&) { return "_"; });
  }
  if (const auto* record = std::get_if<RecordType>(&types[0].node))
    return uncovered_record(*record, rows, types);
  if (const auto* sum = std::get_if<SumType>(&types[0].node))
    return uncovered_sum(*sum, rows, types);
  return uncovered_prim(rows, types);
}

class PatternChecker {
 public:
  explicit PatternChecker(source::Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  void check(const Definition& definition) {
    for (const Pattern& param : definition.params) check_total(param);
    check_names(definition.params);
    check(definition.body);
  }

 private:
  void check(const Exp& exp) {
    const Exp* at = &exp;
    while (const auto* let = std::get_if<Let>(&at->node)) {  // rows of lets are long
      check_total(let->pattern);
      check_names({let->pattern});
      check(*let->bound);
      at = &*let->body;
    }
    if (const auto* node = std::get_if<Match>(&at->node)) check_match(*node, at->at);
    if (const auto* lambda = std::get_if<Lambda>(&at->node)) {
      for (const Pattern& param : lambda->params) check_total(param);
      check_names(lambda->params);
    }
    if (const auto* function = std::get_if<LetFunction>(&at->node)) {
      for (const Pattern& param : function->definition->params) check_total(param);
      check_names(function->definition->params);
    }
    if (const auto* loop = std::get_if<Loop>(&at->node)) {
      check_total(loop->pattern);
      check_names({loop->pattern});
    }
    for_each_child(*at, [&](const Exp& child) { check(child); });
  }

  void check_match(const Match& node, SourceRange at) {
    std::vector<Row> rows;
    for (const Case& alternative : node.cases) {
      rows.push_back({&alternative.pattern});
      check_names({alternative.pattern});
    }
    if (const Example example = uncovered(rows, {node.scrutinee->type}))
      diagnostics_.report(Message::match_not_exhaustive, at, example->at(0));
  }

  void check_total(const Pattern& pattern) {
    if (const Example example = uncovered({{&pattern}}, {pattern.type}))
      diagnostics_.report(Message::pattern_may_fail, pattern.at, example->at(0));
  }

  void check_names(const std::vector<Pattern>& patterns) {
    std::set<std::string> seen;
    for (const Pattern& pattern : patterns) {
      for_each_binding(pattern, [&](const Name& name, const Pattern& binding) {
        if (!seen.insert(name.text).second)
          diagnostics_.report(Message::bound_twice, binding.at, name.text);
      });
    }
  }

  source::Diagnostics& diagnostics_;
};

}  // namespace

void check_patterns(const Definition& definition, source::Diagnostics& diagnostics) {
  PatternChecker(diagnostics).check(definition);
}

}  // namespace boustro::check
