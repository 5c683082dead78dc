#include "emit/run/harness.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "emit/plan/query_name.hpp"
#include "emit/text/file.hpp"
#include "emit/text/types.hpp"

namespace boustro::run {
namespace {

/// Filled by the entry alone; the others come with their values.
bool is_set_or_added_to(const plan::Param& param) {
  return param.access == plan::Access::written || param.access == plan::Access::added_to;
}

/// Holds a result afterwards: outputs, and arguments that are updated in place.
bool holds_result(const plan::Param& param) {
  return is_set_or_added_to(param) || param.access == plan::Access::updated;
}

/// As the emitted header spells it.
std::string element_type(const plan::Param& param, const text::Place& place) {
  plan::Type type = param.type;
  type.pointer = type.reference = type.read_only = type.restricted = false;
  return text::type_text(type, place);
}

/// What the entry allocates; of others that are late, an extent.
bool is_late_array(const plan::Param& param) { return param.late && !param.shape.empty(); }

/// Takes an argument from the input into a variable of the parameter's name. What the entry is to set is something else
/// at first.
std::string declaration(const plan::Param& param, const text::Place& place) {
  if (is_late_array(param)) {
    return fmt::format(
        "  {1}* {0} = reinterpret_cast<{1}*>(1);\n  std::size_t {0}_elements = "
        "INPUT.known_elements();\n",
        param.name, element_type(param, place));
  }
  if (param.late) return fmt::format("  std::int64_t {} = -1;\n", param.name);
  if (!param.type.pointer) {
    return fmt::format("  const auto {0} = INPUT.scalar<{1}>();\n", param.name,
                       element_type(param, place));
  }
  return fmt::format("  harness::Array<{1}> {0}(INPUT, {2});\n", param.name,
                     element_type(param, place), is_set_or_added_to(param));
}

std::string argument(const plan::Param& param) {
  if (param.late) return "&" + param.name;
  return param.type.pointer ? param.name + ".data()" : param.name;
}

std::vector<std::string> query_arguments(const plan::Entry& entry) {
  std::vector<std::string> args = {"&scratch_bytes"};
  for (const plan::Param& param : text::query_params(entry)) args.push_back(param.name);
  return args;
}

/// The failure record follows the outputs.
std::vector<std::string> arguments(const plan::Program& program, const plan::Entry& entry) {
  std::vector<std::string> args;
  bool failure_due = entry.can_fail;
  for (const plan::Param& param : entry.params) {
    if (failure_due && !is_set_or_added_to(param)) {
      args.push_back("failure.data()");
      failure_due = false;
    }
    args.push_back(argument(param));
  }
  if (failure_due) args.push_back("failure.data()");
  if (entry.allocates) args.push_back("allocator");
  args.insert(args.end(), {"scratch.data()", "scratch_bytes"});
  if (program.target == plan::Target::gpu) args.push_back("nullptr");
  return args;
}

/// The number of elements has been multiplied by the extents that were known before.
std::string write_late_array(const plan::Entry& entry, const plan::Param& param) {
  std::string text;
  for (const std::string& extent : param.shape) {
    const bool late = std::any_of(
        entry.params.begin(), entry.params.end(),
        [&](const plan::Param& other) { return other.late && other.name == extent; });
    if (late)
      text += fmt::format("  {}_elements *= static_cast<std::size_t>({});\n", param.name, extent);
  }
  return text + fmt::format(
                    "  harness::write_array(OUTPUT, {0}, {0}_elements);\n"
                    "  allocator.take_back({0});\n",
                    param.name);
}

std::string allocation_check(const plan::Entry& entry) {
  std::vector<std::string> results, extents;
  for (const plan::Param& param : entry.params) {
    if (param.late) (is_late_array(param) ? results : extents).push_back(param.name);
  }
  return fmt::format(
      "    const bool FAILED = !harness::succeeds(status){};\n"
      "    harness::check_allocations(FAILED, allocator.held(), {{{}}}, {{{}}});\n",
      !entry.can_fail ? "" : " || failure.failed()", fmt::join(results, ", "),
      fmt::join(extents, ", "));
}

/// Gives back what an earlier call allocated, if there was one. Arguments are only read.
std::string undo_text(const plan::Entry& entry, const text::Place& place) {
  std::string undo;
  for (const plan::Param& param : entry.params) {
    if (is_late_array(param)) {
      undo += fmt::format("      allocator.take_back({0});\n      {0} = reinterpret_cast<{1}*>(1);\n",
                          param.name, element_type(param, place));
    } else if (param.late) {
      undo += fmt::format("      {} = -1;\n", param.name);
    }
  }
  return undo.empty() ? "" : "    if (CALLS.again()) {\n" + undo + "    }\n";
}

/// Calls are timed if the environment says so; else there is one.
std::string calls_text(const plan::Program& program, const plan::Entry& entry,
                       const text::Place& place) {
  std::string text = "  harness::Calls CALLS;\n  CALLS.tell_scratch(scratch_bytes);\n";
  text += "  while (CALLS.next()) {\n" + undo_text(entry, place);
  text += "    harness::begin_entry();\n    CALLS.begin();\n";
  text += fmt::format("    const auto status = {}::{}({});\n", program.name_space, entry.name,
                      fmt::join(arguments(program, entry), ", "));
  text += "    harness::end_entry();\n    CALLS.end(&harness::finish_entry);\n";
  if (entry.allocates) text += allocation_check(entry);
  if (entry.can_fail)
    text += fmt::format("    failure.check({}::failure_text);\n", program.name_space);
  return text + "    harness::check(status);\n    harness::wait();\n  }\n";
}

/// Its own parameters are in capitals, as no name of a program is.
std::string run_function(const plan::Program& program, const plan::Entry& entry,
                         const text::Place& place) {
  std::string text =
      fmt::format("void run_{}(harness::Input& INPUT, harness::Output& OUTPUT) {{\n", entry.name);
  for (const plan::Param& param : entry.params) text += declaration(param, place);
  text += "  std::size_t scratch_bytes = 0;\n";
  text += fmt::format("  harness::check({}::{}({}));\n", program.name_space,
                      plan::query_name(entry.name), fmt::join(query_arguments(entry), ", "));
  text += "  harness::Array<std::byte> scratch(scratch_bytes);\n";
  if (entry.can_fail) {
    text += fmt::format("  harness::Checks<{}::Failure> failure;\n", program.name_space);
  }
  if (entry.allocates) {
    text += fmt::format("  harness::Allocator<{}::DefaultAllocator> allocator;\n",
                        program.name_space);
  }
  text += calls_text(program, entry, place);
  for (const plan::Param& param : entry.params) {
    if (param.late && !is_late_array(param))
      text += fmt::format("  OUTPUT.write_extent({});\n", param.name);
  }
  for (const plan::Param& param : entry.params) {
    if (is_late_array(param)) {
      text += write_late_array(entry, param);
    } else if (holds_result(param) && !param.late) {
      text += fmt::format("  {}.write_to(OUTPUT);\n", param.name);
    }
  }
  return text + "}\n\n";
}

}  // namespace

std::string write_calls(const plan::Program& program) {
  text::Dialect dialect{};  // of which types ask for the language alone
  dialect.language = program.target == plan::Target::gpu ? templates::Language::cuda : templates::Language::cpp;
  text::Needs needs;
  const text::Place place{dialect, needs};
  std::string text;
  for (const plan::Entry& entry : program.entries) text += run_function(program, entry, place);
  return text;
}

std::string write_choice(const plan::Program& program, const std::string& name, const std::string& arguments) {
  std::string text;
  for (const plan::Entry& entry : program.entries)
    text += fmt::format("  if (std::strcmp({1}, \"{0}\") == 0) return run_{0}({2});\n", entry.name, name, arguments);
  return text + "  harness::give_up(\"no such entry\");\n";
}

std::string write_harness(const plan::Program& program, const std::string& header_name) {
  const bool cuda = program.target == plan::Target::gpu;
  std::string text = fmt::format(
      "// Runs an entry point of {0} on values from a file.\n#include <cstddef>\n#include "
      "<cstdint>\n#include <cstring>\n#include <new>\n\n"
      "#include \"{0}\"\n#include \"harness/{1}.hpp\"\n\nnamespace {{\n\n",
      header_name, cuda ? "cuda" : "cpp");
  text += write_calls(program);
  text +=
      "void run([[maybe_unused]] const char* entry, [[maybe_unused]] harness::Input& input, [[maybe_unused]] harness::Output& output) {\n" +
      write_choice(program, "entry", "input, output") + "}\n\n";
  text +=
      "}  // namespace\n\nint main(int count, char** words) {\n"
      "  if (count != 4) harness::give_up(\"usage: harness ENTRY ARGUMENTS RESULTS\");\n"
      "  std::set_new_handler(harness::out_of_memory);\n"
      "  harness::Input input(words[2]);\n  harness::Output output(words[3]);\n"
      "  run(words[1], input, output);\n}\n";
  return text;
}

}  // namespace boustro::run
