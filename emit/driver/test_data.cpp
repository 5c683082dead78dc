#include "emit/driver/test_data.hpp"

#include <algorithm>

#include "emit/driver/random.hpp"
#include "emit/driver/script.hpp"
#include "transform/ir/ir.hpp"

namespace boustro::driver {
namespace {

using values::Value;

std::string file_beside(const std::filesystem::path& program, const std::string& path) {
  return values::read_file((program.parent_path() / path).string());
}

bool contains(const std::vector<std::string>& tags, std::string_view tag) {
  return std::find(tags.begin(), tags.end(), tag) != tags.end();
}

}  // namespace

std::vector<EntryCase> cases_of(const test_blocks::Specification& specification) {
  std::vector<EntryCase> cases;
  for (const test_blocks::Block& block : specification.blocks) {
    for (const std::string& entry : block.entries) {
      for (const test_blocks::Case& test : block.cases) cases.push_back({entry, &test});
    }
  }
  return cases;
}

std::vector<Value> read_input(const std::filesystem::path& program,
                              const std::vector<std::string>& folders,
                              const test_blocks::Input& input) {
  return ir::match(
      input, [](const test_blocks::InlineValues& v) { return values::read_values(v.text); },
      [&](const test_blocks::FileValues& v) { return values::read_values(file_beside(program, v.path)); },
      [](const test_blocks::RandomValues& v) {
        std::vector<Value> result;
        for (const std::string& item : v.items) {
          driver::RandomValues random(1);  // equal items are equal data
          result.push_back(random_item(random, item));
        }
        return result;
      },
      [&](const test_blocks::ScriptValues& v) { return run_script(v.text, program, folders); },
      [&](const test_blocks::ScriptFile& v) {
        return run_script(file_beside(program, v.path), program, folders);
      });
}

std::optional<values::WrittenValues> read_output(const std::filesystem::path& program,
                                                 const test_blocks::Expected& expected) {
  if (const auto* const here = std::get_if<test_blocks::InlineValues>(&expected))
    return values::read_written_values(here->text);
  if (const auto* const file = std::get_if<test_blocks::FileValues>(&expected))
    return values::read_written_values(file_beside(program, file->path));
  return std::nullopt;
}

std::optional<std::string> excluding_tag(const std::vector<std::string>& tags,
                                         const std::string& target,
                                         const std::vector<std::string>& others) {
  std::vector<std::string> excluding = {"disable", "no_" + (target == "cuda-on-cpu" ? "cuda" : target)};
  excluding.insert(excluding.end(), others.begin(), others.end());
  for (const std::string& tag : excluding) {
    if (contains(tags, tag)) return tag;
  }
  return std::nullopt;
}

}  // namespace boustro::driver
