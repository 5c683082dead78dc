// What is known while one entry point is planned.
#pragma once

#include <memory>

#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "emit/plan/planner.hpp"
#include "emit/plan/planner/index_letters.hpp"
#include "emit/plan/planner/names.hpp"
#include "emit/plan/planner/tables.hpp"
#include "emit/plan/planner/uses.hpp"
#include "emit/plan/planner/values.hpp"
#include "transform/facts/aliases.hpp"
#include "transform/facts/zeros.hpp"
#include "transform/ir/builder.hpp"

namespace boustro::plan::planner {

/// The name of an operator's functor, for one that does not combine in a known way as the base says: "Add", "CombineRow".
std::string operator_name(const ir::Lambda& op, const std::string& base);
/// Of the struct that a function of several results returns: what the function calls them, or `result_0` where that does not tell them apart.
std::vector<std::string> field_names(const ir::Function& function);
/// What comments say: contractions are of return sweeps, whatever the sums were that they take apart, and so is what makes adjoints.
ir::Sweep sweep_of(const ir::Stm& stm);

class Context {
 public:
  Context(const ir::Program& core, const Options& options, Program& plan);

  const ir::Program& core;
  const facts::Callees callees;  // its functions
  const Options& options;
  Program& plan;
  Entry entry;
  ir::Names names;
  Uses uses;
  facts::Zeros zeros;    // that sums leave out; none on the cpu target, whose programs have shorter sums instead
  ir::NameSet gathered;  // see gathered.hpp; none on the gpu target
  ir::NameSet counts;    // products of sizes that do not overflow: see counts.hpp
  Tables tables;
  /// Of functions, kernels, functors and structs of the file; local names stay clear of them.
  Identifiers file_names;
  Others others;  // of all names that were given out

  /// A new name for the file that no variable of the program has: it is called where they live.
  std::string file_name(std::string_view base);
  /// What the program's variables are called.
  const std::set<std::string>& variables() const { return variables_; }

  void begin_entry(const ir::Function& function);
  /// An entry's name as a C++ identifier.
  const std::string& entry_name(const ir::Function& entry) const;
  bool gpu() const { return options.target == Target::gpu; }

  const ir::Function& function(const ir::Name& name) const;
  /// The function's body for these arguments in new names: for calls that are not worth a device
  /// function.
  ir::Body inlined(const ir::Call& call);
  /// Of an array, inlined or not: facts::Aliases says what that means.
  bool settled(const ir::Name& array) const;
  /// Scalars to scalars, and nothing in it can fail: it becomes a function of the plan, under this
  /// name.
  bool is_device_function(const ir::Function& function);
  const Function& device_function(const ir::Name& name);

  /// The functor of an operator on scalars, which entries share.
  std::string functor_for(const ir::Lambda& op, bool commutative, const std::string& base);
  /// The struct of an operator's operands, and its functor, if these are several scalars; entries share both.
  struct RecordOperator {
    Type value;
    std::vector<std::string> fields;
    std::string functor;
  };
  const RecordOperator& operator_on_records(const ir::Lambda& op, bool commutative, const std::string& base);
  /// One of the entry, or of all of them, that does the same by one expression; null if there is none.
  const Functor* known_operator(const Functor& op) const;

  /// The place of a checked operation: a number for Fail. The entry then has a Failure parameter.
  int check_site(const ir::Provenance& origin, std::string message);

  /// An array or extent of this size is indexed by `int`: the entry rejects larger ones. False if
  /// the size is no product of the entry's sizes, so that this cannot be checked before anything is
  /// queued, and on the cpu target, where indices may be wide.
  bool limit_to_int(const Expr& size);
  /// The sizes among the entry's parameters.
  std::set<std::string> entry_sizes;
  IndexLetters letters;  // of the entry
  /// Whether its form says so: sizes of the entry, and what is made of such without subtractions.
  bool is_never_negative(const Expr& expr) const;

  /// Variables of the host that follow from what the caller gave: scratch memory may be sized by
  /// them.
  std::set<std::string> early_variables;
  /// Of the entry's arrays.
  std::map<std::string, std::vector<Expr>> param_extents;
  /// Whether the host computes it only while the entry runs.
  bool is_late(const Expr& expr) const;
  /// What bounds the scalar: an early expression, or what the host has at this point.
  Expr bound_here(const Scalar& scalar) const;
  /// The entry has the library function; its call. What the call needs by the way is scratch memory, as much as `query` asks for: arguments for
  /// `most` elements. Where that is late, the call gets it by itself.
  Run library_call(const Library& library, std::vector<Expr> args, std::vector<Expr> query, const Expr& most);

  /// The entry has the piece of scratch memory, made by each iteration of the innermost of `loops`.
  void add_piece(Piece piece);
  /// The sequential loops of the entry whose bodies are being planned, as Piece::made_in has them.
  std::vector<std::string> loops;

  std::string line_of(const ir::Provenance& origin) const;  // kmeans.fut:9

  /// The statement that is being planned: the place of what is refused without one.
  void at(const ir::Stm& stm);
  source::SourceRange place() const { return place_; }

  /// Of the innermost statement that is being planned: what is planned for it gets this.
  MadeFor origin;
  MadeFor origin_of(const ir::Stm& stm) const;

 private:
  std::vector<std::pair<ir::Lambda, std::unique_ptr<RecordOperator>>> record_operators_;
  /// A new name for an entry that leaves one for its query.
  std::string fresh_entry_name(std::string_view base);

  std::set<std::string> variables_;
  facts::Aliases aliases_;  // of the program
  std::unordered_map<ir::Name, ir::Name> originals_;  // of the names of inlined bodies
  std::map<ir::Name, std::string> function_names_;
  std::map<ir::Name, Function> emitted_;
  std::vector<Expr> limits_;
  source::SourceRange place_ = {};
  ir::Provenance origin_;  // of the statement that is being planned
};

/// While it lives, the statement is the one that is being planned.
class OriginScope {
 public:
  OriginScope(Context& context, const ir::Stm& stm) : context_(context), before_(std::exchange(context.origin, context.origin_of(stm))) {}
  ~OriginScope() { context_.origin = std::move(before_); }
  OriginScope(const OriginScope&) = delete;
  OriginScope& operator=(const OriginScope&) = delete;

 private:
  Context& context_;
  MadeFor before_;
};

/// While it lives, the body of this sequential loop is being planned.
class LoopScope {
 public:
  LoopScope(Context& context, std::string loop) : context_(context) { context_.loops.push_back(std::move(loop)); }
  ~LoopScope() { context_.loops.pop_back(); }
  LoopScope(const LoopScope&) = delete;
  LoopScope& operator=(const LoopScope&) = delete;

 private:
  Context& context_;
};

/// The C++ type of a scalar of the core IR.
Type scalar_type(PrimType prim);

}  // namespace boustro::plan::planner
