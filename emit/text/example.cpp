// A function that calls an entry, for the head of the header: whoever reads it sees what surrounds a call, and can copy it.
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "emit/format/format.hpp"
#include "emit/plan/query_name.hpp"
#include "emit/text/comment.hpp"
#include "emit/text/file.hpp"
#include "emit/text/function.hpp"
#include "emit/text/types.hpp"

namespace boustro::text {
namespace {

using namespace plan;

const std::string margin = "//     ";

/// The entry that is called, and where. Its parameters have none of the names that the example declares: the planner keeps them free.
struct Call {
  const Entry& entry;
  const Place& place;
  std::string scope;  // "kmeans::"

  bool checks() const { return entry.can_fail; }
  bool has_stream() const { return place.dialect.has_stream; }
};

bool is_destination(const Param& param) { return param.access == Access::written || param.access == Access::added_to; }

/// `double* ys = nullptr;` of a result that the entry allocates, `int64_t size = 0;` of one of its extents.
std::string late_variables(const Call& call) {
  std::string result;
  for (const Param& param : call.entry.params) {
    if (!param.late) continue;
    Type type = param.type;
    type.pointer = !param.shape.empty();
    result += fmt::format("{} = {};\n", variable_text(type, param.name, call.place), type.pointer ? "nullptr" : "0");
  }
  return result;
}

std::string parameters(const Call& call) {
  std::vector<std::string> texts;
  for (const Param& param : call.entry.params)
    if (!param.late) texts.push_back(param_text(param, all_params(call.entry), call.place));
  if (call.has_stream()) texts.push_back("cudaStream_t stream");
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string query(const Call& call) {
  std::string args = "&bytes";
  for (const Param& param : query_params(call.entry)) args += ", " + param.name;
  return fmt::format("{}{}({})", call.scope, query_name(call.entry.name), args);
}

/// The order of entry_signature.
std::string entry_call(const Call& call, const std::string& failure) {
  std::vector<std::string> args;
  bool passed = !call.checks();
  for (const Param& param : call.entry.params) {
    if (!passed && !is_destination(param)) args.push_back(failure), passed = true;
    args.push_back((param.late ? "&" : "") + param.name);
  }
  if (!passed) args.push_back(failure);
  if (call.entry.allocates) args.push_back("allocator");
  args.insert(args.end(), {"scratch", "bytes"});
  if (call.has_stream()) args.push_back("stream");
  return fmt::format("{}{}({})", call.scope, call.entry.name, fmt::join(args, ", "));
}

std::string allocator_variable(const Call& call) {
  return call.entry.allocates ? fmt::format("{}DefaultAllocator allocator;\n", call.scope) : "";
}

/// ... of results that the entry has allocated.
std::string give_back(const Call& call) {
  std::string result;
  for (const Param& param : call.entry.params) {
    if (!param.late || param.shape.empty()) continue;
    result += fmt::format("if ({0} != nullptr) allocator.deallocate({0}{1});  // after its last use\n", param.name,
                          call.has_stream() ? ", stream" : "");
  }
  return result;
}

std::string print_failure(const Call& call) {
  return fmt::format("if (failure_found.check != 0) std::cerr << {}failure_text(failure_found) << '\\n';\n", call.scope);
}

/// Each step is taken if there is no error yet, so that all memory is given back at the end.
std::string cuda_body(const Call& call) {
  std::string result = "std::size_t bytes = 0;\nvoid* scratch = nullptr;\n" + allocator_variable(call) + late_variables(call);
  if (call.checks()) result += fmt::format("void* failure = nullptr;\n{}Failure failure_found{{}};\n", call.scope);
  result += fmt::format("cudaError_t error = {};\nif (!error) error = cudaMalloc(&scratch, bytes);\n", query(call));
  if (call.checks()) result += "if (!error) error = cudaMalloc(&failure, sizeof(failure_found));\n";
  result += fmt::format("if (!error) {{\nerror = {};\n}}\n", entry_call(call, fmt::format("static_cast<{}Failure*>(failure)", call.scope)));
  if (call.checks()) {
    result += "if (!error) {\nerror = cudaMemcpyAsync(&failure_found, failure, sizeof(failure_found), cudaMemcpyDeviceToHost, stream);\n}\n"
              "if (!error) error = cudaStreamSynchronize(stream);\n" +
              print_failure(call);
  }
  result += give_back(call);
  if (call.checks()) result += "cudaFree(failure);\n";
  return result + "cudaFree(scratch);  // once the device no longer uses it\nreturn error;\n";
}

std::string cpp_body(const Call& call) {
  std::string result = fmt::format(
      "std::size_t bytes = 0;\n{0}Status status = {1};\nif (status != {0}Status::success) return status;\n"
      "void* const scratch = ::operator new(bytes, std::align_val_t{{64}});\n{2}{3}",
      call.scope, query(call), allocator_variable(call), late_variables(call));
  if (call.checks()) result += fmt::format("{}Failure failure_found{{}};\n", call.scope);
  result += fmt::format("status = {};\n", entry_call(call, "&failure_found"));
  if (call.checks()) result += print_failure(call);
  return result + give_back(call) + "::operator delete(scratch, std::align_val_t{64});\nreturn status;\n";
}

std::string includes(const Program& program, const Call& call) {
  return fmt::format("{}{}#include \"{}.hpp\"\n", call.checks() ? "#include <iostream>\n" : "",
                     call.has_stream() ? "" : "#include <new>\n", program.name);
}

}  // namespace

std::string example(const Program& program, const Place& place) {
  if (program.entries.empty()) return "";
  const Call call{program.entries[0], place, program.name_space + "::"};
  const std::string function =
      fmt::format("{}{} call_{}({}) {{\n{}}}\n", call.has_stream() ? "" : call.scope, place.dialect.error_type, call.entry.name,
                  parameters(call), call.has_stream() ? cuda_body(call) : cpp_body(call));
  std::istringstream lines(format::format_cpp(includes(program, call) + "\n" + function, page_width - margin.size()));
  std::string result = "//\n// Example of a call:\n//\n";
  for (std::string line; std::getline(lines, line);) result += line.empty() ? "//\n" : margin + line + "\n";
  return result;
}

}  // namespace boustro::text
