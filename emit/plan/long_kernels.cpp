#include "emit/plan/long_kernels.hpp"

#include <map>

#include "emit/plan/walk.hpp"

namespace boustro::plan {
namespace {

constexpr int long_kernel = 200;

/// Statements, with those of the functions that they call.
class Lengths {
 public:
  explicit Lengths(const Program& program) {
    add(program.definitions);
    for (const Entry& entry : program.entries) add(entry.definitions);
  }

  int of(const Stms& stms) {
    int length = 0;
    for_each_stm(stms, [&](const Stm& stm) {
      ++length;
      for_each_expr(stm, [&](const Expr& expr) { length += of_calls(expr); });
    });
    return length;
  }

 private:
  void add(const std::vector<Definition>& definitions) {
    for (const Definition& definition : definitions)
      if (const auto* function = std::get_if<Function>(&definition)) functions_.emplace(function->name, function);
  }

  int of_calls(const Expr& expr) {
    int length = 0;
    if (const auto* call = std::get_if<Call>(&expr.head)) length += of_function(call->function);
    for (const Expr& arg : expr.args) length += of_calls(arg);
    return length;
  }

  /// Functions of the runtime are short. None calls itself.
  int of_function(const std::string& name) {
    const auto known = lengths_.find(name);
    if (known != lengths_.end()) return known->second;
    const auto function = functions_.find(name);
    return lengths_[name] = function == functions_.end() ? 0 : of(function->second->body);
  }

  std::map<std::string, const Function*> functions_;
  std::map<std::string, int> lengths_;
};

}  // namespace

void mark_long_kernels(Program& program) {
  Lengths lengths(program);
  for (Entry& entry : program.entries)
    for (Kernel& kernel : entry.kernels) kernel.is_long = !kernel.one_thread && kernel.threads == "block_size" && lengths.of(kernel.body) > long_kernel;
}

}  // namespace boustro::plan
