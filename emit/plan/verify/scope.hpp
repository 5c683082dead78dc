// What verification knows at one place of a plan: the names in scope, and what kind of code it
// stands in.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "emit/plan/plan.hpp"

namespace boustro::plan {

/// Where a statement stands.
enum class Where { entry, kernel, function };

struct Variable {
  Type type;
  Access access = Access::value;
  bool changes = false;
  /// In a kernel: may differ between threads.
  bool varies = false;
  /// Also between threads of one block.
  bool varies_in_block = false;
  bool parameter = false;
  bool constant = false;  // may be the size of an array
  bool alias = false;     // of a class
  bool matrix = false;    // an array of two dimensions
  bool late = false;    // a parameter for what the entry allocates
  bool buffer = false;  // holds memory of the allocator
};

/// Everything that the file defines, by name.
struct Callables {
  std::map<std::string, const Table*> tables;
  std::map<std::string, const Struct*> structs;
  std::map<std::string, const Function*> functions;
  std::map<std::string, const Functor*> functors;
  std::map<std::string, const Kernel*> kernels;
  std::map<std::string, const Library*> libraries;
};

class Scope {
 public:
  explicit Scope(Where where) : where(where) { open(); }

  void open() { levels_.emplace_back(); }
  void close() { levels_.pop_back(); }
  /// False if the name would hide another one.
  bool define(const std::string& name, Variable variable);
  const Variable* find(const std::string& name) const;
  /// `Tile::rows`, of an alias.
  bool is_member(const std::string& name) const;
  bool is_matrix(const Expr& array) const;
  Variable* find(const std::string& name);

  Where where;
  /// In a function that the host of the gpu target calls.
  bool host = false;
  /// Only some of the threads come here: an `if` on a thread-dependent condition is around.
  bool guarded = false;
  /// Only some of the threads of a block do.
  bool divided = false;
  bool single_thread = false;
  /// Around is a loop whose iterations may run at the same time; and, inside of it, what they do in their order.
  bool parallel = false;
  bool ordered = false;
  /// Around is another loop, in there.
  bool repeated = false;
  void enter_parallel() { shared_levels_ = levels_.size(); }
  /// All iterations of the parallel loop around have the same variable.
  bool is_shared(const std::string& name) const;

 private:
  std::vector<std::map<std::string, Variable>> levels_;
  std::size_t shared_levels_ = 0;  // outside of the parallel loop
};

}  // namespace boustro::plan
