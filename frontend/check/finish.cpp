#include "frontend/check/finish.hpp"

#include <cmath>

#include "frontend/check/match.hpp"
#include "frontend/check/sizes.hpp"
#include "frontend/source/messages.hpp"

namespace boustro::check {
namespace {

using source::Message;

class Finisher {
 public:
  Finisher(Inference& inference, source::Diagnostics& diagnostics, bool faulty)
      : inference_(inference), diagnostics_(diagnostics), faulty_(faulty) {}

  void finish(Definition& definition) {
    for (Pattern& param : definition.params) finish(param);
    finish(definition.result);
    finish(definition.body);
  }

 private:
  void finish(Type& type);
  void finish(Size& size);
  void finish(Pattern& pattern);
  void finish(Exp& exp);
  void finish_node(Exp& exp);
  void finish(std::vector<DimIndex>& indices);
  void finish(std::optional<Box<Exp>>& exp) {
    if (exp) finish(**exp);
  }
  PrimValue literal(PrimValue value, const Type& type, SourceRange at);
  PrimValue float_literal(double value, PrimType type, SourceRange at);
  Type default_for(const Name& variable);
  Size size_for(const Name& variable);

  /// One of these for a definition: others may follow from it.
  template <typename... Args>
  void report_first(Message message, SourceRange at, const Args&... args) {
    if (!faulty_) diagnostics_.report(message, at, args...);
    faulty_ = true;
  }

  Inference& inference_;
  source::Diagnostics& diagnostics_;
  bool faulty_;
};

// ---- Types and sizes

void Finisher::finish(Type& type) {
  // Defaults may need more of them: an array of numbers.
  type = inference_.resolve_all(type);
  bool open = false;
  for_each_variable(type, [&](const Name& name) { open = open || inference_.is_variable(name); });
  for_each_size(type, [&](const Size& size) {
    for_each_name(size, [&](const Name& name) { open = open || inference_.is_variable(name); });
  });
  if (!open) return;
  type = rewrite(type, {.size =
                            [&](const Size& size) {
                              Size copy = size;
                              finish(copy);
                              return copy;
                            },
                        .variable = [&](const Name& name) -> Type {
                          return inference_.is_variable(name) ? default_for(name)
                                                              : variable_type(name);
                        }});
}

void Finisher::finish(Size& size) {
  size = rewrite_names(inference_.resolve(size), [&](const Name& name) -> std::optional<Size> {
    if (!inference_.is_variable(name)) return std::nullopt;
    return size_for(name);
  });
}

Size Finisher::size_for(const Name& variable) {
  const Size found = inference_.resolve(Size(variable));
  const auto* open = std::get_if<Name>(&found);
  if (!open || !inference_.is_variable(*open)) return found;
  if (!inference_.is_unneeded(*open))
    report_first(Message::ambiguous_size, inference_.origin_of(*open), open->text);
  inference_.solve(*open, Size(SizeConstant(0)));
  return SizeConstant(0);
}

Type Finisher::default_for(const Name& variable) {
  Type found = inference_.resolve(variable_type(variable));
  const auto* open = std::get_if<TypeVariable>(&found.node);
  if (!open || !inference_.is_variable(open->name)) {
    finish(found);
    return found;
  }
  const Constraint& constraint = inference_.constraint_of(open->name);
  Type chosen = unit_type();
  if (constraint.prims == no_prims && constraint.equality)
    report_first(Message::ambiguous_equality, inference_.origin_of(open->name));
  if (constraint.prims & bit_of(PrimType::i32))
    chosen = {PrimType::i32};
  else if (constraint.prims & bit_of(PrimType::f64))
    chosen = {PrimType::f64};
  else if (constraint.prims)
    chosen = {PrimType::boolean};
  else if (!constraint.fields.empty())
    report_first(Message::ambiguous_record, inference_.origin_of(open->name),
                 constraint.fields[0].name);
  else if (!constraint.constructors.empty())
    report_first(Message::ambiguous_sum, inference_.origin_of(open->name),
                 constraint.constructors[0].name);
  inference_.solve(open->name, chosen);
  return chosen;
}

// ---- Literals

// An integer as written has the type u64, a float f64, until here.
PrimValue Finisher::literal(PrimValue value, const Type& type, SourceRange at) {
  const auto* prim = std::get_if<PrimType>(&type.node);
  if (!prim || value.type == PrimType::boolean) return value;
  if (value.type == PrimType::f64) return float_literal(value.as_float(), *prim, at);
  if (value.type == *prim) return value;
  const bool negative = value.type == PrimType::i64;
  if (values::is_float(*prim))
    return PrimValue::of_float(
        *prim, negative ? static_cast<double>(value.as_int()) : static_cast<double>(value.bits));
  const bool is_signed = values::is_signed(*prim);
  const int bits = 8 * values::byte_size(*prim) - (is_signed ? 1 : 0);
  const bool fits = negative ? is_signed && -(value.bits + 1) >> bits == 0
                             : bits == 64 || value.bits >> bits == 0;
  if (!fits)
    diagnostics_.report(Message::literal_out_of_range, at,
                        (negative ? "-" : "") + std::to_string(negative ? -value.bits : value.bits),
                        values::name_of(*prim));
  return PrimValue::of_int(*prim, static_cast<std::int64_t>(value.bits));
}

PrimValue Finisher::float_literal(double value, PrimType type, SourceRange at) {
  if (!values::is_float(type)) {
    report_first(Message::type_mismatch, at, "f64", values::name_of(type));
    return PrimValue::zero(type);
  }
  const PrimValue result = PrimValue::of_float(type, value);
  if (std::isinf(result.as_float()))
    diagnostics_.report(Message::literal_out_of_range, at, "this number", values::name_of(type));
  return result;
}

// ---- Patterns and expressions

void Finisher::finish(Pattern& pattern) {
  finish(pattern.type);
  match(
      pattern.node,
      [&](LiteralPattern& node) { node.value = literal(node.value, pattern.type, pattern.at); },
      [&](RecordPattern& record) {
        for (PatternField& field : record.fields) finish(field.pattern);
      },
      [&](ConstructorPattern& constructor) {
        for (Pattern& payload : constructor.payload) finish(payload);
      },
      [](auto&) {});
}

void Finisher::finish(std::vector<DimIndex>& indices) {
  for (DimIndex& index : indices) {
    match(
        index, [&](Box<Exp>& exp) { finish(*exp); },
        [&](SliceIndex& slice) {
          finish(slice.start);
          finish(slice.end);
          finish(slice.stride);
        });
  }
}

// A row of lets is as long as a function: walked, not recursed into.
void Finisher::finish(Exp& exp) {
  Exp* at = &exp;
  while (true) {
    finish(at->type);
    if (auto* let = std::get_if<Let>(&at->node)) {
      finish(*let->bound);
      finish(let->pattern);
      at = &*let->body;
    } else if (auto* function = std::get_if<LetFunction>(&at->node)) {
      finish(*function->definition);
      at = &*function->body;
    } else {
      return finish_node(*at);
    }
  }
}

void Finisher::finish_node(Exp& exp) {
  match(
      exp.node, [&](Literal& node) { node.value = literal(node.value, exp.type, exp.at); },
      [](StringLiteral&) {}, [](Hole&) {}, [](Let&) {}, [](LetFunction&) {},
      [&](Var& var) {
        for (Type& type : var.type_args) finish(type);
        for (Size& size : var.size_args) finish(size);
      },
      [&](Record& record) {
        for (RecordField& field : record.fields) finish(field.value);
      },
      [&](ArrayLiteral& array) {
        for (Exp& element : array.elements) finish(element);
      },
      [&](Project& project) { finish(*project.record); },
      [&](RecordUpdate& update) {
        finish(*update.record);
        finish(*update.value);
      },
      [&](Construct& construct) {
        for (Exp& payload : construct.payload) finish(payload);
      },
      [&](Lambda& lambda) {
        for (Pattern& param : lambda.params) finish(param);
        finish(*lambda.body);
        finish(lambda.result);
      },
      [&](Apply& apply) {
        finish(*apply.function);
        finish(*apply.argument);
      },
      [&](If& conditional) {
        finish(*conditional.condition);
        finish(*conditional.then_branch);
        finish(*conditional.else_branch);
      },
      [&](Match& node) {
        finish(*node.scrutinee);
        for (Case& alternative : node.cases) {
          finish(alternative.pattern);
          finish(alternative.body);
        }
      },
      [&](Loop& loop) {
        finish(*loop.initial);
        finish(loop.pattern);
        match(
            loop.form,
            [&](ForLoop& form) {
              finish(*form.bound);
              finish(form.index);
            },
            [&](ForInLoop& form) {
              finish(*form.array);
              finish(form.element);
            },
            [&](WhileLoop& form) { finish(*form.condition); });
        finish(*loop.body);
      },
      [&](Index& index) {
        finish(*index.array);
        finish(index.indices);
      },
      [&](Update& update) {
        finish(*update.array);
        finish(update.indices);
        finish(*update.value);
      },
      [&](Range& range) {
        finish(*range.first);
        finish(range.second);
        finish(*range.last);
      },
      [&](Coerce& coerce) {
        finish(*coerce.exp);
        finish(coerce.type);
      },
      [&](Assert& assertion) {
        finish(*assertion.condition);
        finish(*assertion.exp);
      },
      [&](Attributed& attributed) { finish(*attributed.exp); });
}

}  // namespace

void finish(Definition& definition, Inference& inference, source::Diagnostics& diagnostics,
            bool faulty) {
  Finisher(inference, diagnostics, faulty).finish(definition);
}

}  // namespace boustro::check
