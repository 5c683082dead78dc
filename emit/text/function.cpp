#include "emit/text/function.hpp"
#include "emit/plan/walk.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "emit/text/comment.hpp"
#include "emit/text/statement.hpp"
#include "emit/text/types.hpp"

namespace boustro::text {
namespace {

using plan::Param;

std::string plain_params(const std::vector<Param>& params, const Names& used, const Place& place) {
  std::vector<std::string> texts;
  for (const Param& param : params) texts.push_back(param_text(param, used, place));
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string result_text(const std::optional<plan::Type>& result, const Place& place) {
  return result ? type_text(*result, place) : "void";
}

/// Device functions run on the device; those of other targets on the only side there is.
Place in_function(const Place& place, int depth, bool is_shared = false) {
  Place inside = place;
  inside.is_shared = is_shared;
  inside.side = place.dialect.device_function.empty() ? Side::host : Side::device;
  inside.depth = depth;
  return inside;
}

std::string struct_text(const plan::Struct& structure, const Place& place) {
  return fmt::format("{}struct {} {{\n{}}};\n\n", function_comment(structure.comment),
                     structure.name, field_list(structure.fields, place));
}

std::string table_text(const plan::Table& table, const Place& place) {
  std::vector<std::string> values;
  for (const plan::PrimValue& value : table.values) values.push_back(literal_text(value, Literals::converted, place));
  const std::string shape = table.shape.size() > 1 ? fmt::format(", [{}], row by row", fmt::join(table.shape, "][")) : "";
  return fmt::format("// {}{}\n{}{} {}[{}] = {{{}}};\n\n", table.source, shape, place.dialect.table,
                     type_text(table.elem, place), table.name, table.values.size(), fmt::join(values, ", "));
}

/// Straight code that loops of points call, which vectorise only where it stands in them.
bool is_short(const plan::Function& function) {
  constexpr std::size_t most_statements = 16;
  const auto is_straight = [](const plan::Stm& stm) { return std::holds_alternative<plan::Let>(stm.what) || std::holds_alternative<plan::Return>(stm.what); };
  return function.result && function.body.size() <= most_statements && std::all_of(function.body.begin(), function.body.end(), is_straight);
}

std::string function_text(const plan::Function& function, const Place& place) {
  const std::string_view begin = is_short(function) ? place.dialect.short_function : place.dialect.device_function;
  return fmt::format("{}{}{} {}({}) {}\n", function_comment(function.comment),
                     function.host ? place.dialect.shared_function : begin,
                     result_text(function.result, place), function.name, plain_params(function.params, names_in(function.body), place),
                     braces(statements(function.body, in_function(place, 1, function.host))));
}

std::string functor_text(const plan::Functor& functor, const Place& place) {
  const std::string fields = field_list(functor.fields, place);
  return fmt::format("{}struct {} {{\n{}{}{}{} operator()({}) const {}}};\n\n",
                     function_comment(functor.comment), functor.name, fields,
                     fields.empty() ? "" : "\n", place.dialect.device_function,
                     result_text(functor.result, place),
                     plain_params(functor.params, names_in(functor.body), place),
                     braces(statements(functor.body, in_function(place, 2))));
}

}  // namespace

std::string param_text(const Param& param, const Names& used, const Place& place) {
  if (used.contains(param.name)) return variable_text(param.type, param.name, place);
  return fmt::format("{} /*{}*/", type_text(param.type, place), param.name);
}

std::string field_list(const std::vector<Param>& fields, const Place& place) {
  std::string result;
  const plan::Type* last = nullptr;  // of a field that others of its type may follow
  for (const Param& field : fields) {
    const std::string note = param_note(field);
    const bool plain = note.empty() && !field.type.pointer;
    if (plain && last && *last == field.type) {
      result.insert(result.size() - 2, ", " + field.name);
    } else {
      result += fmt::format("{};{}\n", variable_text(field.type, field.name, place),
                            note.empty() ? "" : "  // " + note);
    }
    last = plain ? &field.type : nullptr;
  }
  return result;
}

std::string annotated_head(const std::string& head, const std::string& before,
                           const std::vector<Param>& params, const std::string& after,
                           const Place& place) {
  std::string result = fmt::format("{}({}", head, before);
  std::string note;  // of the parameter before: it stands behind the comma
  bool first = before.empty() || before.back() == '\n';  // then it has its comma
  const auto separate = [&] {
    if (!first) result += note.empty() ? ", " : fmt::format(",  // {}\n", note);
    first = false;
  };
  for (const Param& param : params) {
    separate();
    result += variable_text(param.type, param.name, place);
    note = param.type.pointer ? param_note(param) : "";
  }
  if (!after.empty()) {
    separate();
    result += after;
    note = "";
  }
  return result + (note.empty() ? ") {\n" : fmt::format(") {{  // {}\n", note));
}

std::string definition_text(const plan::Definition& definition, const Place& place) {
  return ir::match(
      definition, [&](const plan::Struct& x) { return struct_text(x, place); },
      [&](const plan::Table& x) { return table_text(x, place); },
      [&](const plan::Function& x) { return function_text(x, place); },
      [&](const plan::Functor& x) { return functor_text(x, place); });
}

}  // namespace boustro::text
