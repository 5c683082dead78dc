#include "emit/bundle/bundle.hpp"

#include <fmt/format.h>

#include "emit/bundle/texts.hpp"
#include "emit/run/own_files.hpp"
#include "frontend/values/write.hpp"

namespace boustro::bundle {
namespace fs = std::filesystem;
using values::PrimType;
using values::PrimValue;
using values::Value;

const char* const cases_head = "program\tentry\trole\tprimal\tdata set\targuments\texpected\tlast digits";

namespace {

/// Files of templates/harness and templates/bundle.
const std::vector<std::string> harness_files = {
    "harness/give_up.hpp", "harness/statistics.hpp", "harness/calls.hpp", "harness/cuda.hpp", "bundle/exchange.hpp",
    "bundle/values.hpp",   "bundle/cases.hpp",       "bundle/compare.hpp", "bundle/child.hpp", "bundle/report.hpp",
    "bundle/run.hpp"};

void write_text(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  run::write_file(path, text);
}

/// A value for each parameter that is no output, and of an output that the entry allocates the elements that are known.
std::vector<Value> argument_values(const plan::Entry& entry, const run::EmittedCall& call) {
  std::vector<Value> values;
  std::size_t result = 0, next = 0;
  const std::vector<const Value*> params = call.in_emitted_order();
  for (const plan::Param& param : entry.params) {
    if (run::is_late_extent(param)) continue;
    if (param.late) {
      const auto elements = static_cast<std::int64_t>(call.known_elements(result++));
      values.push_back(Value::of(PrimValue::of_int(PrimType::i64, elements)));
    } else if (run::is_output(param)) {
      ++result;
    } else {
      values.push_back(*params.at(next++));
    }
  }
  return values;
}

/// A unit of each element's last digit, for all values; nothing if none is known.
std::vector<Value> digit_values(const values::WrittenValues& expected) {
  bool known = false;
  std::vector<Value> values;
  for (std::size_t v = 0; v < expected.values.size(); ++v) {
    Value digits = Value::zeros(PrimType::f64, expected.values[v].shape);
    if (v < expected.last_digits.size()) {
      for (std::size_t i = 0; i < expected.last_digits[v].size(); ++i) {
        known = known || expected.last_digits[v][i] != 0;
        digits.set_element(static_cast<std::int64_t>(i), PrimValue::of_float(PrimType::f64, expected.last_digits[v][i]));
      }
    }
    values.push_back(std::move(digits));
  }
  return known ? values : std::vector<Value>();
}

/// Fields are separated by tabs, and lines are lines.
std::string field(std::string text) {
  for (char& c : text)
    if (c == '\t' || c == '\n' || c == '\r') c = ' ';
  return text;
}

}  // namespace

void Bundle::add_program(const run::EmittedProgram& program) {
  const std::string& name = program.plan.name;
  programs_.push_back(name);
  write_text(folder_ / "programs" / program.source_name, program.source);
  write_text(folder_ / "programs" / program.header_name, program.header);
  write_text(folder_ / "programs" / (name + "_calls.cu"), calls_text(program, programs_.size() - 1));
  described_ += fmt::format("\n`programs/{}`, made from `{}`:\n\n", program.source_name, program.plan.source);
}

void Bundle::write_data(const fs::path& path, const std::vector<Value>& values) const {
  std::string bytes;
  for (const Value& value : values) bytes += values::to_binary(value);
  write_text(folder_ / path, bytes);
}

void Bundle::add_case(const BundledCase& added) {
  const std::string& program = programs_.back();
  const fs::path stem = fs::path("data") / fmt::format("{}-{}-{}", program, added.entry.name, lines_.size());
  const std::string arguments = stem.string() + ".arguments", expected = stem.string() + ".expected";
  write_data(arguments, argument_values(added.entry, added.call));
  write_data(expected, added.expected.values);
  const std::vector<Value> digits = digit_values(added.expected);
  if (!digits.empty()) write_data(stem.string() + ".digits", digits);
  lines_.push_back(fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}", program, added.entry.name, field(added.role), added.primal,
                                 field(added.data_set), arguments, expected, digits.empty() ? "-" : stem.string() + ".digits"));
  described_ += fmt::format("- `{}`{} on `{}`\n", added.entry.name,
                            added.role == "primal" ? "" : fmt::format(", {} of `{}`,", added.role, added.primal), field(added.data_set));
}

void Bundle::finish() const {
  const fs::path templates = run::own_files() / "templates";
  for (const std::string& file : harness_files)
    write_text(folder_ / "harness" / fs::path(file).filename(), values::read_file((templates / file).string()));
  write_text(folder_ / "Makefile", values::read_file((templates / "bundle" / "Makefile").string()));
  std::string cases = std::string(cases_head) + "\n";
  for (const std::string& line : lines_) cases += line + "\n";
  write_text(folder_ / "cases.tsv", cases);
  write_text(folder_ / "main.cu", main_text(programs_));
  write_text(folder_ / "README.md", readme_text(described_));
}

}  // namespace boustro::bundle
