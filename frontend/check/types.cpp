#include "frontend/check/types.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "frontend/check/match.hpp"
#include "frontend/check/sizes.hpp"

namespace boustro::check {

Type prim_type(PrimType prim) { return {prim}; }
Type array_type(Size size, Type row) { return {ArrayType{std::move(size), std::move(row)}}; }
Type tuple_type(std::vector<Type> elements) {
  if (elements.size() == 1) return std::move(elements[0]);
  RecordType record;
  for (std::size_t i = 0; i < elements.size(); ++i)
    record.fields.push_back({std::to_string(i), std::move(elements[i])});
  return {std::move(record)};
}
Type function_type(Type from, Type to) {
  return {FunctionType{std::nullopt, std::move(from), {}, std::move(to), false, false, {}}};
}
Type variable_type(Name name) { return {TypeVariable{std::move(name), {}, {}}}; }
Type accumulator_type(Type array) { return {AccumulatorType{std::move(array)}}; }

bool field_before(const std::string& a, const std::string& b) {
  const bool a_number = std::isdigit(static_cast<unsigned char>(a[0]));
  const bool b_number = std::isdigit(static_cast<unsigned char>(b[0]));
  if (a_number != b_number) return a_number;
  if (a_number && a.size() != b.size()) return a.size() < b.size();
  return a < b;
}
void sort_fields(std::vector<Field>& fields) {
  std::sort(fields.begin(), fields.end(),
            [](const Field& a, const Field& b) { return field_before(a.name, b.name); });
}

const Field* find_field(const RecordType& record, const std::string& name) {
  for (const Field& field : record.fields)
    if (field.name == name) return &field;
  return nullptr;
}
const Constructor* find_constructor(const SumType& sum, const std::string& name) {
  for (const Constructor& constructor : sum.constructors)
    if (constructor.name == name) return &constructor;
  return nullptr;
}
bool is_prim(const Type& type, PrimType prim) {
  const auto* found = std::get_if<PrimType>(&type.node);
  return found && *found == prim;
}
bool is_tuple(const RecordType& record) {
  if (record.fields.size() < 2) return false;
  for (std::size_t i = 0; i < record.fields.size(); ++i)
    if (record.fields[i].name != std::to_string(i)) return false;
  return true;
}
namespace {

template <typename Node>
bool mentions(const Type& type) {
  if (std::holds_alternative<Node>(type.node)) return true;
  return match(
      type.node, [](const ArrayType& array) { return mentions<Node>(*array.row); },
      [](const RecordType& record) {
        return std::any_of(record.fields.begin(), record.fields.end(),
                           [](const Field& field) { return mentions<Node>(field.type); });
      },
      [](const SumType& sum) {
        return std::any_of(sum.constructors.begin(), sum.constructors.end(), [](const auto& c) {
          return std::any_of(c.payload.begin(), c.payload.end(), mentions<Node>);
        });
      },
      [](const AccumulatorType& accumulator) { return mentions<Node>(*accumulator.array); },
      [](const auto&) { return false; });
}

}  // namespace

bool mentions_function(const Type& type) { return mentions<FunctionType>(type); }
bool mentions_accumulator(const Type& type) { return mentions<AccumulatorType>(type); }

// ---- Rewriting

namespace {

bool mentions_size(const Type& type, const Name& name) {
  bool found = false;
  for_each_size(type, [&](const Size& size) {
    for_each_name(size, [&](const Name& other) { found = found || other == name; });
  });
  return found;
}

// Of the innermost result that can tell it: a function tells no sizes.
void add_existential(FunctionType& function, const Name& name) {
  auto* inner = std::get_if<FunctionType>(&function.to->node);
  if (inner && !mentions_size(*inner->from, name))
    add_existential(*inner, name);
  else
    function.existentials.push_back(name);
}

}  // namespace

bool tells_size(const Type& type, const Name& name) {
  if (const auto* function = std::get_if<FunctionType>(&type.node))
    return !mentions_size(*function->from, name) && tells_size(*function->to, name);
  bool found = false;
  for_each_witness(type, [&](const Size& size) { found = found || equal_sizes(size, name); });
  return found;
}

Type rewrite(const Type& type, const TypeRewriter& rewriter) {
  return match(
      type.node, [](PrimType prim) -> Type { return {prim}; },
      [&](const ArrayType& array) -> Type {
        Size size =
            rewriter.size ? rewriter.size(array.size) : array.size;  // before those of the row
        return array_type(std::move(size), rewrite(*array.row, rewriter));
      },
      [&](const RecordType& record) -> Type {
        RecordType result;
        for (const Field& field : record.fields)
          result.fields.push_back({field.name, rewrite(field.type, rewriter)});
        return {std::move(result)};
      },
      [&](const SumType& sum) -> Type {
        SumType result;
        for (const Constructor& constructor : sum.constructors) {
          Constructor copy{constructor.name, {}};
          for (const Type& payload : constructor.payload)
            copy.payload.push_back(rewrite(payload, rewriter));
          result.constructors.push_back(std::move(copy));
        }
        return {std::move(result)};
      },
      [&](const FunctionType& function) -> Type {
        std::vector<Name> outer;
        if (rewriter.existentials) outer.swap(*rewriter.existentials);
        FunctionType result{function.param,        rewrite(*function.from, rewriter),
                            function.existentials, {},
                            function.consumes,     function.unique_result,
                            function.unique_fields};
        if (rewriter.existentials) rewriter.existentials->clear();
        result.to = rewrite(*function.to, rewriter);
        if (rewriter.existentials) {
          outer.swap(*rewriter.existentials);
          for (const Name& name : outer) add_existential(result, name);
        }
        return {std::move(result)};
      },
      [&](const TypeVariable& variable) -> Type {
        if (variable.types.empty() && variable.sizes.empty())
          return rewriter.variable ? rewriter.variable(variable.name) : Type{variable};
        TypeVariable copy{variable.name, {}, {}};
        for (const Size& size : variable.sizes)
          copy.sizes.push_back(rewriter.size ? rewriter.size(size) : size);
        for (const Type& arg : variable.types) copy.types.push_back(rewrite(arg, rewriter));
        return {std::move(copy)};
      },
      [&](const AccumulatorType& accumulator) -> Type {
        return accumulator_type(rewrite(*accumulator.array, rewriter));
      });
}

Size substitute(const Size& size, const Substitution& substitution) {
  if (substitution.sizes.empty() && substitution.types.empty()) return size;
  return rewrite_names(size, [&](const Name& name) -> std::optional<Size> {
    const auto found = substitution.sizes.find(name.id);
    if (found == substitution.sizes.end()) return std::nullopt;
    return found->second;
  });
}

Type substitute(const Type& type, const Substitution& substitution) {
  if (substitution.empty()) return type;
  return rewrite(type, {.size = [&](const Size& size) { return substitute(size, substitution); },
                        .variable = [&](const Name& name) -> Type {
                          const auto found = substitution.types.find(name.id);
                          return found == substitution.types.end() ? variable_type(name)
                                                                   : found->second;
                        }});
}

void for_each_size(const Type& type, const std::function<void(const Size&)>& visit) {
  match(
      type.node, [](PrimType) {},
      [&](const ArrayType& array) {
        visit(array.size);
        for_each_size(*array.row, visit);
      },
      [&](const RecordType& record) {
        for (const Field& field : record.fields) for_each_size(field.type, visit);
      },
      [&](const SumType& sum) {
        for (const Constructor& constructor : sum.constructors)
          for (const Type& payload : constructor.payload) for_each_size(payload, visit);
      },
      [&](const FunctionType& function) {
        for_each_size(*function.from, visit);
        for_each_size(*function.to, visit);
      },
      [&](const TypeVariable& variable) {
        for (const Size& size : variable.sizes) visit(size);
        for (const Type& arg : variable.types) for_each_size(arg, visit);
      },
      [&](const AccumulatorType& accumulator) { for_each_size(*accumulator.array, visit); });
}

void for_each_witness(const Type& type, const std::function<void(const Size&)>& visit) {
  const auto inside = [&](const Type& part) { for_each_witness(part, visit); };
  match(
      type.node,
      [&](const ArrayType& array) {
        visit(array.size);
        inside(*array.row);
      },
      [&](const RecordType& record) {
        for (const Field& field : record.fields) inside(field.type);
      },
      [&](const SumType& sum) {
        for (const Constructor& constructor : sum.constructors)
          for (const Type& payload : constructor.payload) inside(payload);
      },
      [&](const TypeVariable& variable) {
        for (const Size& size : variable.sizes) visit(size);
        for (const Type& argument : variable.types) inside(argument);
      },
      [&](const AccumulatorType& accumulator) { inside(*accumulator.array); }, [](const auto&) {});
}

void for_each_variable(const Type& type, const std::function<void(const Name&)>& visit) {
  match(
      type.node, [](PrimType) {},
      [&](const ArrayType& array) { for_each_variable(*array.row, visit); },
      [&](const RecordType& record) {
        for (const Field& field : record.fields) for_each_variable(field.type, visit);
      },
      [&](const SumType& sum) {
        for (const Constructor& constructor : sum.constructors)
          for (const Type& payload : constructor.payload) for_each_variable(payload, visit);
      },
      [&](const FunctionType& function) {
        for_each_variable(*function.from, visit);
        for_each_variable(*function.to, visit);
      },
      [&](const TypeVariable& variable) {
        visit(variable.name);
        for (const Type& arg : variable.types) for_each_variable(arg, visit);
      },
      [&](const AccumulatorType& accumulator) { for_each_variable(*accumulator.array, visit); });
}

void for_each_function(const Type& type, const std::function<void(const FunctionType&)>& visit) {
  const auto inside = [&](const Type& part) { for_each_function(part, visit); };
  match(
      type.node, [](PrimType) {}, [&](const ArrayType& array) { inside(*array.row); },
      [&](const RecordType& record) {
        for (const Field& field : record.fields) inside(field.type);
      },
      [&](const SumType& sum) {
        for (const Constructor& constructor : sum.constructors)
          for (const Type& payload : constructor.payload) inside(payload);
      },
      [&](const FunctionType& function) {
        visit(function);
        inside(*function.from);
        inside(*function.to);
      },
      [&](const TypeVariable& variable) {
        for (const Type& argument : variable.types) inside(argument);
      },
      [&](const AccumulatorType& accumulator) { inside(*accumulator.array); });
}

// ---- Printing

namespace {

bool needs_parentheses_as_row(const Type& type) {
  return std::holds_alternative<FunctionType>(type.node) ||
         std::holds_alternative<SumType>(type.node) ||
         std::holds_alternative<AccumulatorType>(type.node);
}
std::string in_parentheses_if(bool condition, const std::string& text) {
  return condition ? "(" + text + ")" : text;
}

std::string print_record(const RecordType& record) {
  const bool tuple = is_tuple(record);
  std::string text;
  for (const Field& field : record.fields) {
    if (!text.empty()) text += ", ";
    if (!tuple) text += field.name + ": ";
    text += to_string(field.type);
  }
  return tuple || record.fields.empty() ? "(" + text + ")" : "{" + text + "}";
}

std::string print_sum(const SumType& sum) {
  std::string text;
  for (const Constructor& constructor : sum.constructors) {
    if (!text.empty()) text += " | ";
    text += "#" + constructor.name;
    for (const Type& payload : constructor.payload)
      text += " " + in_parentheses_if(needs_parentheses_as_row(payload), to_string(payload));
  }
  return text;
}

std::string print_variable(const TypeVariable& variable) {
  std::string text = variable.name.text;
  for (const Size& size : variable.sizes) text += " [" + to_string(size) + "]";
  for (const Type& arg : variable.types) {
    const std::string shown = to_string(arg);
    text += " " + in_parentheses_if(shown.find(' ') != std::string::npos && shown[0] != '(', shown);
  }
  return text;
}

std::string print_function(const FunctionType& function) {
  const bool nested = std::holds_alternative<FunctionType>(function.from->node);
  std::string from = (function.consumes ? "*" : "") + to_string(*function.from);
  from = function.param ? fmt::format("({}: {})", function.param->text, from)
                        : in_parentheses_if(nested, from);
  std::string existentials;
  for (const Name& name : function.existentials) existentials += "[" + name.text + "]";
  if (!existentials.empty()) existentials = "?" + existentials + ".";
  return from + " -> " + existentials + (function.unique_result ? "*" : "") +
         to_string(*function.to);
}

}  // namespace

std::string to_string(const Type& type) {
  return match(
      type.node, [](PrimType prim) { return std::string(values::name_of(prim)); },
      [](const ArrayType& array) {
        return fmt::format(
            "[{}]{}", to_string(array.size),
            in_parentheses_if(needs_parentheses_as_row(*array.row), to_string(*array.row)));
      },
      [](const RecordType& record) { return print_record(record); },
      [](const SumType& sum) { return print_sum(sum); },
      [](const FunctionType& function) { return print_function(function); },
      [](const TypeVariable& variable) { return print_variable(variable); },
      [](const AccumulatorType& accumulator) {
        const std::string array = to_string(*accumulator.array);
        return "core.acc " +
               in_parentheses_if(!std::holds_alternative<PrimType>(accumulator.array->node), array);
      });
}

}  // namespace boustro::check
