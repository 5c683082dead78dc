// Atoms, types, tuples, patterns.
#include <algorithm>

#include "transform/ir/print/printer.hpp"

namespace boustro::ir::printing {

std::string flat_tuple(const std::vector<std::string>& elements) {
  if (elements.size() == 1) return elements[0];
  return fmt::format("({})", fmt::join(elements, ", "));
}

std::string tuple(const std::vector<std::string>& elements) {
  if (elements.size() <= 5) return flat_tuple(elements);
  return fmt::format("({}, {})", elements[0], tuple({elements.begin() + 1, elements.end()}));
}

std::string zipped(const std::vector<std::string>& arrays) {
  switch (arrays.size()) {
    case 1: return arrays[0];
    case 2: return fmt::format("(zip {} {})", arrays[0], arrays[1]);
    case 3:
    case 4:
    case 5: return fmt::format("(zip{} {})", arrays.size(), fmt::join(arrays, " "));
    default: return fmt::format("(zip {} {})", arrays[0], zipped({arrays.begin() + 1, arrays.end()}));
  }
}

std::vector<bool> sizes_among(const std::vector<Param>& params) {
  std::vector<bool> sizes;
  for (const Param& size : params) {
    sizes.push_back(std::any_of(params.begin(), params.end(), [&](const Param& param) {
      const Shape& shape = param.type.shape;
      return std::find(shape.begin(), shape.end(), Atom(size.name)) != shape.end();
    }));
  }
  return sizes;
}

std::string Printer::atom(const Atom& atom) const {
  return match(
      atom, [&](const Name& n) { return name(n); },
      [](const PrimValue& value) {
        const std::string text = values::to_string(value);
        return text.starts_with('-') ? "(" + text + ")" : text;
      });
}

std::string Printer::count(const Atom& value) const {
  const PrimValue* literal = literal_in(value);
  if (!literal) return atom(value);
  const std::string text = std::to_string(literal->as_int());
  return literal->as_int() < 0 ? "(" + text + ")" : text;
}

std::string Printer::size(const Atom& value) const { return count(value); }

std::string Printer::shape(const Shape& shape) const {
  std::string text;
  for (const Atom& dim : shape) text += "[" + size(dim) + "]";
  return text;
}

std::string Printer::type(const Type& type, bool unique) const {
  const std::string array = shape(type.shape) + std::string(values::name_of(type.elem));
  if (type.accumulator) return "*core.acc " + (type.shape.empty() ? array : "(" + array + ")");
  return (unique && !type.shape.empty() ? "*" : "") + array;
}

std::string Printer::param(const Param& p) const {
  return fmt::format("({}: {})", name(p.name), type(p.type, p.unique));
}

std::string Printer::params_tuple(const std::vector<Param>& params) const {
  std::vector<std::string> texts;
  for (const Param& p : params) texts.push_back(name(p.name) + ": " + type(p.type, p.unique));
  if (texts.size() == 1) return "(" + texts[0] + ")";
  return tuple(texts);
}

std::vector<std::string> Printer::all(const std::vector<Atom>& atoms) const {
  std::vector<std::string> texts;
  for (const Atom& a : atoms) texts.push_back(atom(a));
  return texts;
}

std::vector<std::string> Printer::all(const std::vector<Name>& list) const {
  std::vector<std::string> texts;
  for (const Name& n : list) texts.push_back(name(n));
  return texts;
}

Type Printer::type_of(const Atom& atom) const {
  const Name* name = name_in(atom);
  if (!name) return scalar(std::get<PrimValue>(atom).type);
  const auto found = types_.find(*name);
  return found == types_.end() ? Type{} : found->second;
}

std::string Printer::attributes(const std::vector<Attribute>& attributes) const {
  std::string text;
  for (const Attribute& attribute : attributes) {
    std::vector<std::string> args;
    for (const Atom& arg : attribute.args) args.push_back(count(arg));
    text += args.empty() ? fmt::format("#[{}] ", attribute.name)
                         : fmt::format("#[{}({})] ", attribute.name, fmt::join(args, ", "));
  }
  return text;
}

std::string Printer::pattern(const Stm& stm, const std::vector<bool>& sizes) const {
  std::string bound;
  std::vector<std::string> elements;
  const bool any = std::find(sizes.begin(), sizes.end(), true) != sizes.end();
  for (std::size_t i = 0; i < stm.pattern.size(); ++i) {
    const Param& p = stm.pattern[i];
    if (any && sizes[i]) bound += "[" + name(p.name) + "] ";
    else elements.push_back(any ? name(p.name) + ": " + type(p.type) : name(p.name));
  }
  const std::string tuple_text = flat_tuple(elements);
  return bound + (any && elements.size() == 1 ? "(" + tuple_text + ")" : tuple_text);
}

/// `-- rule, file:line`
std::string Printer::provenance(const Stm& stm) const {
  if (!options_.provenance) return "";
  std::string text = stm.origin.rule;
  if (options_.sources && !stm.origin.at.empty()) {
    text += (text.empty() ? "" : ", ") +
            options_.sources->file_and_line(options_.sources->shown(stm.origin.at));
  }
  return text.empty() ? "" : "  -- " + text;
}

}  // namespace boustro::ir::printing
