// The example in the head of each rule as a program: `Before` is differentiated by the rules and checked by numbers, for several
// sizes, and must yield what `After` does.
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>

#include "tests/source_folder.hpp"
#include "tests/unit/transform/ad/check_derivative.hpp"
#include "tests/unit/transform/ad/programs.hpp"

namespace boustro::ad::testing {

namespace {

/// What stands in a rule's head from `Before:` on, with an entry `f`, and from `After vjp:` or `After jvp:` on, with an entry
/// `f_vjp` or `f_jvp` that may use what is defined before. Empty if there is no such head.
struct Example {
  std::string before, after;
  bool forward = false;
};

std::string as_entries(std::string text) {
  text = std::regex_replace(text, std::regex(" {4}def "), "\ndef ");  // several on one line
  return std::regex_replace(text, std::regex("def (f|f_vjp|f_jvp) "), "entry $1 ");
}

Example example_in(const std::filesystem::path& path) {
  std::ifstream file(path);
  Example example;
  std::string line;
  std::string* part = nullptr;
  const std::size_t indentation = std::string("// Before:     ").size();
  while (std::getline(file, line) && line.starts_with("//")) {
    if (line.starts_with("// Before:")) part = &example.before;
    if (line.starts_with("// After")) part = &example.after;
    example.forward = example.forward || line.starts_with("// After jvp:");
    if (part) *part += line.substr(std::min(line.size(), indentation)) + "\n";
  }
  return {as_entries(example.before), as_entries(example.after), example.forward};
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

Value random_like(const Value& like, int seed) {
  Value value = Value::zeros(like.type, like.shape);
  const Value random = some_f64s(value.size(), seed);
  for (std::int64_t j = 0; j < value.size(); ++j)
    value.set_element(j, PrimValue::of_float(value.type, random.element(j).as_float()));
  return value;
}

/// Indices of a scatter, which write to distinct places.
void make_distinct(std::vector<Value>& args) {
  for (Value& value : args)
    if (value.type == PrimType::i64)
      for (std::int64_t j = 0; j < value.size(); ++j) value.set_element(j, PrimValue::of_int(value.type, j - 1));
}

/// What the rules make of `f` yields what the head says.
void check_after(const Program& program, const Program& after, bool forward, const std::vector<Value>& args, double tolerance) {
  DerivativeOf derivative(program, "f");
  const Program derived = differentiated(forward ? derivative.with_jvp("derived", false) : derivative.with_vjp("derived", false));
  const std::vector<Value> primal = run_entry(program, "f", args);
  std::vector<Value> all = args;
  for (const Value& like : forward ? args : primal)
    if (values::is_float(like.type)) all.push_back(random_like(like, static_cast<int>(all.size())));
  const auto got = run_entry(derived, "derived", all);
  const auto said = run_entry(after, forward ? "f_jvp" : "f_vjp", all);
  const auto results = static_cast<std::size_t>(
      std::count_if(primal.begin(), primal.end(), [](const Value& value) { return values::is_float(value.type); }));
  BOOST_TEST_REQUIRE(got.size() == results + said.size());
  for (std::size_t i = 0; i < said.size(); ++i) {
    const Value& value = got[results + i];
    BOOST_TEST_REQUIRE((value.shape == said[i].shape));
    for (std::int64_t j = 0; j < value.size(); ++j) {
      const double x = value.element(j).as_float(), y = said[i].element(j).as_float();
      BOOST_TEST(std::abs(x - y) <= tolerance * (1 + std::abs(y)), "by the rule " << x << ", by its head " << y);
    }
  }
}

void check_example(const std::string& rule, const Example& example) {
  const Program program = compiled(example.before), after = differentiated(compiled(example.before + example.after));
  const bool is_narrow = example.before.find("f32") != std::string::npos;
  const auto f = std::find_if(program.functions.begin(), program.functions.end(),
                              [](const Function& function) { return function.entry && function.entry->name == "f"; });
  for (const std::int64_t n : {1, 2, 5}) {
    std::vector<Value> args = arguments(*f, n);
    if (rule == "scatter") make_distinct(args);
    check_after(program, after, example.forward, args, is_narrow ? 1e-4 : 1e-9);
    if (rule == "with_vjp") continue;  // whose derivative is not that of its function
    check_derivative(program, "f", args, is_narrow ? CheckOptions{.step = 1.0 / 256, .tolerance = 1e-4} : CheckOptions{});
  }
}

/// Files of rules without an example: what several rules share, and rules about what no program spells out.
const std::set<std::string> without_example{
    "reverse/checkpoint_moves", "reverse/checkpoint_schedule", "reverse/checkpoint_states", "reverse/hist", "reverse/iteration_store", "reverse/prefix", "reverse/products", "reverse/scan", "reverse/winner", "forward/bundle",
    "reverse/hist_split",  // fused histograms: fused_histograms in rules.cpp
    "reverse/iota",        // integers: sizes in rules.cpp
};

}  // namespace

BOOST_AUTO_TEST_CASE(examples_of_rules) {
  std::set<std::string> without;
  for (const std::string folder : {"forward", "reverse"})
    for (const auto& file : std::filesystem::directory_iterator(std::string(boustro::tests::source_folder) + "/transform/ad/" + folder)) {
      if (file.path().extension() != ".cpp") continue;
      const std::string rule = file.path().stem().string(), name = folder + "/" + rule;
      const Example example = example_in(file.path());
      if (example.before.empty() || without_example.contains(name))
        without.insert(name);
      else
        BOOST_TEST_CONTEXT(name << ":\n" << example.before << example.after) check_example(rule, example);
    }
  BOOST_TEST(without == without_example, boost::test_tools::per_element());
}

}  // namespace boustro::ad::testing
