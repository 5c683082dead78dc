// Functions that raising adds to a program.
#include "transform/ir/print.hpp"
#include "transform/raise/raiser.hpp"

namespace boustro::raise {

const std::string& helper_named(Surroundings& around, const std::string& base, ir::Function function) {
  const std::string text = ir::to_string(function);
  for (const Helper& helper : around.helpers)
    if (helper.text == text) return helper.name;
  std::string name = base;
  for (int number = 2; !around.taken.insert(name).second; ++number) name = base + std::to_string(number);
  around.callees[function.name] = {name, {true, false}};
  Raiser raiser(function, around);
  Helper helper{name, text, raiser.definition()};
  finish(helper.definition, raiser.memory);
  around.helpers.push_back(std::move(helper));
  return around.helpers.back().name;
}

}  // namespace boustro::raise
