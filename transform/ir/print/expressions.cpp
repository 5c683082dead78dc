// Expressions on one line, and scopes.
#include <algorithm>

#include "transform/ir/core_module.hpp"
#include "transform/ir/permutation.hpp"
#include "transform/ir/print/printer.hpp"

namespace boustro::ir::printing {
namespace {

bool has_slice(const std::vector<DimIndex>& indices) {
  return std::any_of(indices.begin(), indices.end(),
                     [](const DimIndex& index) { return std::holds_alternative<Slice>(index); });
}

/// The operator on truth values; `&&` and `||` are read as branches.
std::string_view symbol_on_truths(BinOpKind kind, bool exact) {
  if (exact) return symbol_of(kind);
  switch (kind) {  // both operands are evaluated already
    case BinOpKind::bit_and: return "&&";
    case BinOpKind::bit_or: return "||";
    case BinOpKind::bit_xor: return "!=";
    default: return symbol_of(kind);
  }
}

std::string quoted_text(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (c == '\n') result += "\\n";
    else result += c;
  }
  return result + "\"";
}

std::optional<std::int64_t> number(const Atom& atom) {
  const PrimValue* literal = literal_in(atom);
  return literal ? std::optional(literal->as_int()) : std::nullopt;
}

}  // namespace

std::string Printer::expression(const Exp& exp, int indent) {
  return match(exp, [&](const auto& e) { return print(e, indent); });
}

// ---- Scalars -------------------------------------------------------------------------------------

std::string Printer::print(const AtomExp& e, int) { return atom(e.atom); }

std::string Printer::print(const UnOp& e, int) {
  switch (e.kind) {
    case UnOpKind::neg: return "-" + atom(e.operand);
    case UnOpKind::complement: return "!" + atom(e.operand);
    default: return fmt::format("{}.{} {}", values::name_of(e.type), name_of(e.kind), atom(e.operand));
  }
}

std::string Printer::print(const BinOp& e, int) {
  const std::string symbol(e.type == PrimType::boolean ? symbol_on_truths(e.kind, options_.exact)
                                                       : symbol_of(e.kind));
  if (symbol.empty()) {
    return fmt::format("{}.{} {} {}", values::name_of(e.type), name_of(e.kind), atom(e.lhs), atom(e.rhs));
  }
  return fmt::format("{} {} {}", atom(e.lhs), symbol, atom(e.rhs));
}

std::string Printer::print(const CmpOp& e, int) {
  const bool ordered_bool = e.type == PrimType::boolean && (e.kind == CmpOpKind::lt || e.kind == CmpOpKind::le);
  return fmt::format("{} {}{} {}", atom(e.lhs), ordered_bool ? "bool." : "", symbol_of(e.kind), atom(e.rhs));
}

std::string Printer::print(const Convert& e, int) {
  return fmt::format("{}.{} {}", values::name_of(e.to), values::name_of(e.from), atom(e.operand));
}

std::string Printer::print(const MathOp& e, int) {
  return fmt::format("{}.{} {}", values::name_of(e.type), name_of(e.fn), fmt::join(all(e.args), " "));
}

// ---- Control -------------------------------------------------------------------------------------

std::string Printer::print(const If& e, int indent) { return if_exp(e, indent, {}); }

std::string Printer::if_exp(const If& e, int indent, const std::vector<bool>& left_out) {
  const std::string then_text = nested_body(e.then_body, indent + 2, left_out, TupleStyle::flat);
  const std::string else_text = nested_body(e.else_body, indent + 2, left_out, TupleStyle::flat);
  const bool short_form = then_text.find('\n') == std::string::npos && else_text.find('\n') == std::string::npos;
  return fmt::format("if {} then{}{}else{}", atom(e.condition), then_text, short_form ? " " : line_start(indent),
                     else_text);
}

std::string Printer::print(const Loop& e, int indent) {
  std::vector<Param> params;
  for (const LoopParam& p : e.params) params.push_back(p.param);
  const std::vector<bool> sizes = sizes_among(params);
  std::string bound;
  std::vector<std::string> names, init;
  for (std::size_t i = 0; i < params.size(); ++i) {
    if (sizes[i]) {
      bound += "[" + name(params[i].name) + "] ";
    } else {
      const std::string promise = e.params[i].true_dep ? "#[true_dep] " : "";
      names.push_back(promise + name(params[i].name) + ": " + type(params[i].type, params[i].unique));
      init.push_back(atom(e.params[i].init));
    }
  }
  const std::string form = match(
      e.form,
      [&](const ForLoop& f) { return fmt::format("for {} < {}", name(f.index), atom(f.bound)); },
      [&](const WhileLoop& w) { return "while " + name(w.condition); });
  return fmt::format("loop {}({}) = {} {} do{}", bound, fmt::join(names, ", "), flat_tuple(init), form,
                     nested_body(e.body, indent + 2, sizes, TupleStyle::flat));
}

std::string Printer::print(const Call& e, int) {
  const auto callee = callees.find(e.function);
  std::string text = callee == callees.end() ? name(e.function) : callee->second.name;
  for (std::size_t i = 0; i < e.args.size(); ++i) {
    const bool implicit =
        callee != callees.end() && i < callee->second.size_args.size() && callee->second.size_args[i];
    if (!implicit) text += " " + atom(e.args[i]);
  }
  return e.args.empty() ? text + " ()" : text;
}

std::string Printer::print(const Assert& e, int) {
  if (!options_.exact) return fmt::format("assert {} ()", atom(e.condition));
  return fmt::format("core.check {} {} {}", atom(e.condition), quoted_text(e.message), flat_tuple(all(e.args)));
}

// ---- Arrays --------------------------------------------------------------------------------------

std::string Printer::print(const ArrayLiteral& e, int) {
  if (e.elements.empty()) return "[] : [0]" + type(e.row);
  return fmt::format("[{}]", fmt::join(all(e.elements), ", "));
}

std::string Printer::print(const Iota& e, int) { return "iota " + count(e.width); }

std::string Printer::print(const Replicate& e, int) {
  std::string text = atom(e.value);
  if (options_.exact && e.shape.size() != 1)
    return fmt::format("(core.replicate {} : {})", text, type(array_of(e.shape, type_of(e.value))));
  for (auto dim = e.shape.rbegin(); dim != e.shape.rend(); ++dim) {
    const bool innermost = dim == e.shape.rbegin();
    text = fmt::format("replicate {} {}", count(*dim), innermost ? text : "(" + text + ")");
  }
  return text;
}

std::string Printer::print(const Scratch& e, int) {
  if (e.shape.empty()) return fmt::format("(core.scratch 1 : [1]{})[0]", values::name_of(e.elem));
  return fmt::format("(core.scratch {} : {})", count(e.shape[0]), type(array(e.elem, e.shape)));
}

std::string Printer::print(const Copy& e, int) { return "copy " + name(e.array); }

std::string Printer::print(const Sort& e, int) {
  return fmt::format("core.sort {} {} {}", atom(e.first_bit), atom(e.end_bit), name(e.array));
}

std::string Printer::print(const Concat& e, int) {
  if (options_.exact && !e.arrays.empty())
    return fmt::format("(core.concat {} : {})", flat_tuple(all(e.arrays)),
                       type(array_of(e.width, row_type(type_of(e.arrays[0])))));
  if (e.arrays.empty()) return "[]";
  if (e.arrays.size() == 1) return "copy " + name(e.arrays[0]);
  std::string text = name(e.arrays[0]);
  for (std::size_t i = 1; i < e.arrays.size(); ++i) {
    text = fmt::format("concat {} {}", i == 1 ? text : "(" + text + ")", name(e.arrays[i]));
  }
  const Type first = type_of(e.arrays[0]);
  if (first.rank() == 0) return text;  // unknown
  return text + " :> " + type(array_of(e.width, row_type(first)));
}

/// Any permutation is a product of swaps of neighbours; a swap below the outermost dimensions is a mapped
/// transpose.
std::string Printer::print(const Rearrange& e, int) {
  const Type from = type_of(e.array);
  if (options_.exact && from.shape.size() == e.permutation.size()) {
    Type to = from;
    std::vector<std::string> numbers;
    for (std::size_t d = 0; d < to.shape.size(); ++d) {
      to.shape[d] = from.shape[static_cast<std::size_t>(e.permutation[d])];
      numbers.push_back(std::to_string(e.permutation[d]));
    }
    return fmt::format("(core.rearrange {} {} : {})", flat_tuple(numbers), name(e.array), type(to));
  }
  const std::vector<std::size_t> swaps = swaps_that_sort(e.permutation);
  std::string text = name(e.array);
  for (auto swap = swaps.rbegin(); swap != swaps.rend(); ++swap) {
    std::string function = "transpose";
    for (std::size_t d = 0; d < *swap; ++d) function = d == 0 ? "map transpose" : "map (" + function + ")";
    text = function + " " + (swap == swaps.rbegin() ? text : "(" + text + ")");
  }
  return text;
}

/// Flattened to one dimension, then unflattened; the sizes are said where the language computes others.
std::string Printer::print(const Reshape& e, int) {
  const Type from = type_of(e.array);
  std::string text = name(e.array);
  if (options_.exact) return fmt::format("(core.reshape {} : {})", text, type(array(from.elem, e.shape)));
  for (int rank = from.rank(); rank > 1; --rank) text = fmt::format("flatten {}", rank == from.rank() ? text : "(" + text + ")");
  std::vector<std::string> sizes;
  for (const Atom& dim : e.shape) sizes.push_back(size(dim));
  const std::string elem(values::name_of(from.elem));
  text += fmt::format(" :> [{}]{}", fmt::join(sizes, " * "), elem);
  // [a * b * c] to [a * b][c], to [a][b][c]
  for (std::size_t rank = sizes.size(); rank > 1; --rank) text = "unflatten (" + text + ")";
  return sizes.size() > 1 ? fmt::format("({} : {})", text, type(array(from.elem, e.shape))) : text;
}

std::string Printer::print(const Coerce& e, int) {
  return fmt::format("{} :> {}", name(e.array), type(array(type_of(e.array).elem, e.shape)));
}

std::string Printer::slice(const Slice& s) const {
  const auto start = number(s.start), length = number(s.count), stride = number(s.stride);
  const std::string from = start ? std::to_string(*start) : atom(s.start);
  std::string end;
  if (start && length && stride) end = std::to_string(*start + *length * *stride);
  else if (stride == 1) end = start == 0 ? count(s.count) : from + " + " + count(s.count);
  else if (stride == -1) end = from + " - " + count(s.count);
  else end = fmt::format("{} + {} * {}", from, count(s.count), count(s.stride));
  if (stride == 1) return from + ":" + end;
  return fmt::format("{}:{}:{}", from, end, stride ? std::to_string(*stride) : atom(s.stride));
}

std::string Printer::indices(const std::vector<DimIndex>& list) const {
  std::vector<std::string> texts;
  for (const DimIndex& index : list) {
    texts.push_back(match(
        index, [&](const Atom& i) { return literal_in(i) ? std::to_string(*number(i)) : atom(i); },
        [&](const Slice& s) { return slice(s); }));
  }
  return fmt::format("[{}]", fmt::join(texts, ", "));
}

std::string Printer::unchecked(bool checked, const std::string& exp) const {
  return checked || !options_.exact ? exp : "#[unsafe] " + exp;
}

std::string Printer::index_tuple(const std::vector<DimIndex>& list) const {
  std::vector<std::string> texts;
  for (const DimIndex& index : list) {
    texts.push_back(match(
        index, [&](const Atom& i) { return atom(i); },
        [&](const Slice& s) {
          return fmt::format("({}, {}, {})", atom(s.start), atom(s.count), atom(s.stride));
        }));
  }
  return flat_tuple(texts);
}

std::string Printer::print(const Index& e, int) {
  if (e.indices.empty()) return name(e.array);
  if (!options_.exact || !has_slice(e.indices))
    return unchecked(e.checked, name(e.array) + indices(e.indices));
  Type part = type_of(e.array);
  const Type row = row_type(part, static_cast<int>(e.indices.size()));
  Shape counts;
  for (const DimIndex& index : e.indices)
    if (const auto* s = std::get_if<Slice>(&index)) counts.push_back(s->count);
  return unchecked(e.checked, fmt::format("(core.slice {} {} : {})", name(e.array), index_tuple(e.indices),
                                          type(array_of(counts, row))));
}

std::string Printer::print(const Update& e, int) {
  if (e.indices.empty()) return "copy " + atom(e.value);
  if (options_.exact && has_slice(e.indices))
    return unchecked(e.checked, fmt::format("core.update {} {} {}", name(e.array), index_tuple(e.indices), atom(e.value)));
  return unchecked(e.checked, fmt::format("{} with {} = {}", name(e.array), indices(e.indices), written(e)));
}

/// The value of an update. The language takes the size of xs[i:i + k] to be i + k - i, so it is said that a
/// value of size k fits.
std::string Printer::written(const Update& e) const {
  std::string sizes;
  bool as_it_is = true;
  for (const DimIndex& index : e.indices) {
    const auto* part = std::get_if<Slice>(&index);
    if (!part) continue;
    const bool is_computed = number(part->stride) == 1 && number(part->start) != 0 &&
                             !(number(part->start) && number(part->count));
    as_it_is = as_it_is && !is_computed;
    const std::string start = count(part->start);
    sizes += is_computed ? fmt::format("[{} + {} - {}]", start, count(part->count), start)
                         : "[" + size(part->count) + "]";
  }
  if (as_it_is) return atom(e.value);
  const Type array = type_of(e.array);
  const auto indexed = static_cast<int>(e.indices.size());
  const std::string row = array.rank() >= indexed ? type(row_type(array, indexed)) : "";
  return fmt::format("({} :> {}{})", atom(e.value), sizes, row);
}

// ---- Accumulators --------------------------------------------------------------------------------

std::string Printer::print(const UpdateAcc& e, int) {
  std::string text = fmt::format("core.update_{}d {}", e.indices.size(), name(e.accumulator));
  for (const Atom& index : e.indices) text += " " + count(index);
  return unchecked(!e.in_bounds, text + " " + atom(e.value));
}

std::string Printer::print(const WithAcc& e, int indent) {
  std::string head, tail;
  for (std::size_t i = 0; i < e.inputs.size(); ++i) {
    const AccumulatorInput& input = e.inputs[i];
    head += match(
        input.kind, [](const AddUp&) { return std::string("core.with_add"); },
        [](const Overwrite&) { return std::string("core.with_overwrite"); },
        [&](const Combine& c) {
          return fmt::format("core.with_combine {} {}", operator_lambda(c.op, indent), atom(c.neutral));
        });
    head += fmt::format(" {} (\\{} ->", name(input.destination), param(e.fn.params[i]));
    if (i + 1 < e.inputs.size()) head += " ";
    tail += ")";
  }
  std::vector<std::string> results;
  for (std::size_t i = 0; i < e.fn.body.result.size(); ++i) {
    const std::string result = atom(e.fn.body.result[i]);
    results.push_back(i < e.inputs.size() ? "core.finish " + result : result);
  }
  return head + line_start(indent + 2) + statements(e.fn.body, indent + 2) + flat_tuple(results) + tail;
}

}  // namespace boustro::ir::printing
