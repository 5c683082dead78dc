// The example in the head of each rule of reverse mode, "Before", as a program: differentiated by the rules and checked by
// numbers, for several sizes.
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>

#include "tests/unit/transform/ad/check_derivative.hpp"
#include "tests/unit/transform/ad/programs.hpp"

namespace boustro::ad::testing {

namespace {

/// The lines from `Before:` to `After`, with an entry `f`; empty if there are none.
std::string example_in(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string text, line;
  bool inside = false;
  const std::string before = "// Before:";
  while (std::getline(file, line)) {
    if (line.starts_with("// After")) inside = false;
    if (line.starts_with(before)) {
      inside = true;
      line = "//" + std::string(before.size() - 2, ' ') + line.substr(before.size());
    }
    if (inside && line.size() > 2) text += line.substr(2) + "\n";
  }
  text = std::regex_replace(text, std::regex(" {4}def "), "\ndef ");  // several on one line
  text = std::regex_replace(text, std::regex("\\n +(?=def )"), "\n");
  return std::regex_replace(text, std::regex("def f "), "entry f ");
}

/// Arguments of the types of the parameters, every size being n or, where it is a parameter itself, 3.
std::vector<Value> arguments(const Function& f, std::int64_t n) {
  std::vector<Value> args;
  int seed = 0;
  for (std::size_t i = static_cast<std::size_t>(f.size_params); i < f.params.size(); ++i) {
    const Type& type = f.params[i].type;
    std::vector<std::int64_t> shape;
    for (const Atom& size : type.shape) shape.push_back(literal_in(size) ? literal_in(size)->as_int() : n);
    Value value = Value::zeros(type.elem, shape);
    const Value random = some_f64s(value.size(), ++seed);
    for (std::int64_t j = 0; j < value.size(); ++j) {
      if (values::is_float(type.elem)) value.set_element(j, PrimValue::of_float(type.elem, random.element(j).as_float()));
      else if (type.elem == PrimType::boolean) value.set_element(j, PrimValue::of_bool(n % 2 == 0));
      else value.set_element(j, PrimValue::of_int(type.elem, shape.empty() ? 3 : (j * 2) % (n + 2) - 1));
    }
    args.push_back(std::move(value));
  }
  return args;
}

/// The checker takes functions of floats whose results have sizes that are parameters.
bool can_be_checked(const Function& f) {
  NameSet params;
  bool has_floats = false;
  for (const Param& p : f.params) {
    params.insert(p.name);
    has_floats = has_floats || values::is_float(p.type.elem);
  }
  if (!has_floats) return false;
  for (const Type& type : f.result_types)
    for (const Atom& size : type.shape)
      if (const Name* name = name_in(size); name && !params.contains(*name)) return false;
  return f.size_results == 0;
}

/// Indices of a scatter, which write to distinct places.
void make_distinct(std::vector<Value>& args) {
  for (Value& value : args)
    if (value.type == PrimType::i64)
      for (std::int64_t j = 0; j < value.size(); ++j) value.set_element(j, PrimValue::of_int(value.type, j - 1));
}

}  // namespace

BOOST_AUTO_TEST_CASE(examples_of_rules) {
  int checked = 0;
  // These say in words what is fused, or define a derivative that is not that of their function.
  const std::set<std::string> no_programs{"hist_split", "with_vjp"};
  for (const auto& file : std::filesystem::directory_iterator(std::string(BOUSTRO_SOURCE_DIR) + "/transform/ad/reverse")) {
    const std::string rule = file.path().stem().string();
    if (file.path().extension() != ".cpp" || no_programs.contains(rule)) continue;
    const std::string text = example_in(file.path());
    if (text.empty()) continue;
    BOOST_TEST_CONTEXT(rule << ":\n" << text) {
      const Program program = compiled(text);
      if (!can_be_checked(program.functions.back())) continue;
      for (const std::int64_t n : {1, 2, 5}) {
        std::vector<Value> args = arguments(program.functions.back(), n);
        if (rule == "scatter") make_distinct(args);
        const bool is_narrow = text.find("f32") != std::string::npos;
        check_derivative(program, "f", args,
                         is_narrow ? CheckOptions{.step = 1.0 / 256, .tolerance = 1e-4} : CheckOptions{});
      }
      ++checked;
    }
  }
  BOOST_TEST(checked >= 25);
}

}  // namespace boustro::ad::testing
