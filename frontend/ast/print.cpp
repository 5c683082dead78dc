#include "frontend/ast/print.hpp"

#include <limits>

#include "frontend/ast/printer.hpp"

namespace boustro::ast {
namespace {

template <typename Node>
std::string printed(const Node& node, int width = 0) {
  Printer printer(width);
  printer.print(node);
  return std::move(printer.text);
}

}  // namespace

std::string print(const Program& program) { return printed(program); }
std::string print(const Program& program, int width) { return printed(program, width); }
std::optional<std::string> print_on_one_line(const Exp& exp) {
  return Printer(std::numeric_limits<int>::max()).on_one_line(exp, strength::open_ended, false);
}
std::string print(const Definition& definition) { return printed(definition); }
std::string print(const Exp& exp) { return printed(exp); }
std::string print(const Pattern& pattern) { return printed(pattern); }
std::string print(const Type& type) { return printed(type); }
std::string print(const TypeParam& param) { return printed(param); }
std::string print(const Attribute& attribute) { return "#[" + printed(attribute) + "]"; }

}  // namespace boustro::ast
