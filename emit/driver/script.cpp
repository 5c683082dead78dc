// A script is an expression of the language but for the `$` functions, so it becomes one more entry
// of the program, whose parameters are the data that it loads.
#include "emit/driver/script.hpp"

#include <regex>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "emit/driver/runner.hpp"
#include "frontend/values/read.hpp"

namespace boustro::driver {
namespace {

using values::PrimType;
using values::Value;

constexpr const char* entry_name = "script_input";

Value bytes_of(const std::string& text) {
  Value result = Value::zeros(PrimType::u8, {static_cast<std::int64_t>(text.size())});
  std::copy(text.begin(), text.end(), result.as<char>());
  return result;
}

std::string type_of(const Value& value) {
  std::string dimensions;
  for (int d = 0; d < value.rank(); ++d) dimensions += "[]";
  return dimensions + std::string(name_of(value.type));
}

/// The script as an entry, and the arguments for it.
class ScriptEntry {
 public:
  ScriptEntry(const std::string& script, const std::filesystem::path& folder) : folder_(folder) {
    static const std::regex builtin("\\$(\\w+)\\s*(?:\"([^\"]*)\")?");
    auto rest = script.begin();
    for (std::sregex_iterator it(script.begin(), script.end(), builtin), end; it != end; ++it) {
      const std::smatch& found = *it;
      body_.append(rest, found[0].first).append(load(found[1], found[2]));
      rest = found[0].second;
    }
    body_.append(rest, script.end());
  }

  std::string definition() const {
    return fmt::format("entry {}{} =\n{}\n", entry_name, params_, body_);
  }

  std::vector<Value> arguments = {};

 private:
  /// The expression that stands for what a function loads from a file.
  std::string load(const std::string& function, const std::string& file) {
    if (file.empty() || (function != "loaddata" && function != "loadbytes"))
      throw RunError(fmt::format("script input: `${}` is not supported", function));
    const std::string text = values::read_file((folder_ / file).string());
    if (function == "loadbytes") return add(bytes_of(text));
    std::vector<std::string> names;
    for (Value& value : values::read_values(text)) names.push_back(add(std::move(value)));
    return fmt::format("({})", fmt::join(names, ", "));
  }

  /// The parameter that has this value.
  std::string add(Value value) {
    const std::string name = fmt::format("script_data_{}", arguments.size());
    params_ += fmt::format(" ({}: {})", name, type_of(value));
    arguments.push_back(std::move(value));
    return name;
  }

  const std::filesystem::path folder_;
  std::string body_, params_;
};

}  // namespace

std::vector<Value> run_script(const std::string& script, const std::filesystem::path& program,
                              const std::vector<std::string>& folders) {
  ScriptEntry entry(script, program.parent_path());
  Session session;
  session.folders = folders;
  session.appendix = entry.definition();
  auto core = load_core(session, program.string(), {.entries = {entry_name}});
  std::optional<RunEntry> run;
  if (core) run = make_runner(session, std::move(*core), "evaluate", "plain");
  if (!run) throw RunError("script input: " + session.first_error());
  return (*run)(entry_name, entry.arguments);
}

}  // namespace boustro::driver
