// Names, operands and types as messages show them: names with their tags.
#include "transform/ir/print.hpp"

namespace boustro::ir {

std::string to_string(const Name& name) {
  return name.tag == 0 ? name.base : name.base + "_" + std::to_string(name.tag);
}

std::string to_string(const Atom& atom) {
  return match(
      atom, [](const Name& name) { return to_string(name); },
      [](const PrimValue& value) { return values::to_string(value); });
}

std::string to_string(const Type& type) {
  std::string text = type.accumulator ? "acc " : "";
  for (const Atom& size : type.shape) {
    const PrimValue* literal = literal_in(size);
    text += '[' + (literal ? std::to_string(literal->as_int()) : to_string(size)) + ']';
  }
  return text + std::string(values::name_of(type.elem));
}

}  // namespace boustro::ir
