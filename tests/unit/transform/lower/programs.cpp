// Each program in programs/ is parsed, checked, lowered and evaluated, as it is and after inlining;
// its test blocks say what must come out. `unit_transform_lower -- F.fut...` runs other programs
// likewise.
#include <cmath>
#include <filesystem>
#include <regex>

#include <boost/test/unit_test.hpp>

#include "frontend/modules/check_program.hpp"
#include "frontend/test_blocks/test_blocks.hpp"
#include "frontend/values/read.hpp"
#include "frontend/values/write.hpp"
#include "tests/source_folder.hpp"
#include "transform/ir/evaluate.hpp"
#include "transform/ir/print.hpp"
#include "transform/ir/verify.hpp"
#include "transform/lower/inline.hpp"
#include "transform/lower/lower.hpp"

namespace programs_tests {

using namespace boustro;
namespace fs = std::filesystem;

namespace {

/// Floats agree up to a few units of their type's precision; everything else bit by bit.
bool agree(const values::Value& x, const values::Value& y) {
  if (x.type != y.type || x.shape != y.shape) return false;
  if (!values::is_float(x.type)) return x == y;
  const double tolerance = x.type == values::PrimType::f64   ? 1e-10
                           : x.type == values::PrimType::f32 ? 1e-5
                                                             : 1e-2;
  for (std::int64_t i = 0; i < x.size(); ++i) {
    const double a = x.element(i).as_float(), b = y.element(i).as_float();
    const bool same = a == b || (std::isnan(a) && std::isnan(b));
    if (!same && !(std::abs(a - b) <= tolerance * std::max({1.0, std::abs(a), std::abs(b)})))
      return false;
  }
  return true;
}

std::string in_words(const std::vector<values::Value>& list) {
  std::string text;
  for (const values::Value& value : list) text += values::to_text(value) + "\n";
  return text;
}

std::vector<values::Value> values_of(const auto& source, const fs::path& folder) {
  using Source = std::decay_t<decltype(source)>;
  if (const auto* text = std::get_if<test_blocks::InlineValues>(&source))
    return values::read_values(text->text);
  if (const auto* file = std::get_if<test_blocks::FileValues>(&source)) {
    return values::read_values(values::read_file((folder / file->path).string()));
  }
  static_assert(std::variant_size_v<Source> > 1);
  throw std::runtime_error("a test block of a kind that these tests do not use");
}

void run_case(const ir::Program& program, const std::string& entry, const test_blocks::Case& test,
              const fs::path& folder) {
  const auto args = values_of(test.input, folder);
  if (const auto* failure = std::get_if<test_blocks::RuntimeError>(&test.expected)) {
    const std::regex expected(failure->regex);
    BOOST_CHECK_EXCEPTION(ir::run_entry(program, entry, args), ir::RuntimeFailure,
                          [&](const auto& e) {
                            BOOST_TEST_MESSAGE(e.what());
                            return std::regex_search(std::string(e.what()), expected);
                          });
    return;
  }
  const auto results = ir::run_entry(program, entry, args);
  const auto expected = values_of(test.expected, folder);
  bool same = results.size() == expected.size();
  for (std::size_t i = 0; same && i < results.size(); ++i) same = agree(results[i], expected[i]);
  BOOST_TEST(same, entry << ", line " << test.line << ": got\n"
                         << in_words(results) << "expected\n"
                         << in_words(expected));
}

std::optional<ir::Program> lowered(const fs::path& path, const std::string& text) {
  source::SourceMap sources;
  source::Diagnostics diagnostics;
  const auto tree = imports::read_program(path.string(), sources.add(path.filename().string(), text), {}, sources,
                                          diagnostics);
  std::optional<check::TypedProgram> typed;
  if (!diagnostics.has_errors()) typed = modules::check_program(tree, sources, diagnostics);
  std::optional<ir::Program> program;
  if (typed) program = lower::lower_program(*typed, diagnostics);
  for (const source::Diagnostic& diagnostic : diagnostics.all())
    BOOST_ERROR(to_string(diagnostic, sources));
  if (diagnostics.has_errors()) return std::nullopt;
  return program;
}

void run_program(const fs::path& path) {
  const std::string text = values::read_file(path.string());
  const auto specification = test_blocks::read_test_blocks(text);
  const auto program = lowered(path, text);
  if (!program) return;
  const std::pair<const char*, ir::Program> stages[] = {
      {"lowered", *program}, {"inlined", lower::inline_functions(*program)}};
  for (const auto& [stage, stage_program] : stages) {
    BOOST_TEST_CONTEXT(stage << ":\n" << ir::to_string(stage_program)) {
      const auto violations = ir::verify(stage_program);
      for (const std::string& violation : violations) BOOST_ERROR(violation);
      for (const auto& block : specification.blocks) {
        for (const std::string& entry : block.entries) {
          for (const auto& test : block.cases) {
            BOOST_TEST_CONTEXT(entry << ", line " << test.line) {
              try {
                run_case(stage_program, entry, test, path.parent_path());
              } catch (const std::exception& error) {
                BOOST_ERROR("threw: " << error.what());
              }
            }
          }
        }
      }
    }
  }
}

/// One test case a file, made before the tests start.
[[maybe_unused]] const bool registered = [] {
  namespace ut = boost::unit_test;
  ut::test_suite* suite = BOOST_TEST_SUITE("lower_programs");
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(fs::path(tests::source_folder) /
                                                  "tests/unit/transform/lower/programs")) {
    if (entry.path().extension() == ".fut") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  for (const fs::path& path : paths) {
    suite->add(ut::make_test_case([path] { run_program(path); }, path.stem().string(), __FILE__,
                                  __LINE__));
  }
  ut::framework::master_test_suite().add(suite);
  return true;
}();

}  // namespace

BOOST_AUTO_TEST_CASE(programs_on_the_command_line) {
  const auto& suite = boost::unit_test::framework::master_test_suite();
  for (int i = 1; i < suite.argc; ++i) {
    BOOST_TEST_CONTEXT(suite.argv[i]) { run_program(suite.argv[i]); }
  }
  BOOST_TEST(suite.argc >= 1);
}

}  // namespace programs_tests
