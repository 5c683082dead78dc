// Writes the syntax tree of one function: a `let` for each statement, which fold.cpp puts together afterwards.
//
// An expression without syntax is a call into the module `core`; where sizes are existential, patterns have types. What this form
// has no words for, as nests and maps fused with what follows them, throws NotRaised, and the function is printed as core.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "transform/facts/aliases.hpp"
#include "transform/raise/fold.hpp"
#include "transform/raise/literals.hpp"
#include "transform/raise/tree.hpp"

namespace boustro::raise {

struct NotRaised {};

/// A function of the program, as others call it.
struct Callee {
  std::string name;
  std::vector<bool> size_args;  // those that follow from the others and are left out
};

/// A function that raising adds for an operator without a name in the prelude; equal ones share it.
struct Helper {
  std::string name;
  std::string text;  // as core
  ast::Definition definition;
};

/// What raising a function needs to know of its program.
struct Surroundings {
  const source::SourceMap* sources = nullptr;
  bool annotate = false;  // parameters of lambdas and loops say the types of arrays
  std::unordered_map<ir::Name, Callee> callees;
  std::unordered_map<ir::Name, std::vector<bool>> fresh_results;
  const facts::Callees* functions = nullptr;  // for what calls consume
  std::unordered_set<std::string> taken;      // names at top level
  std::vector<Helper> helpers;
};

/// What a statement says.
struct Binding {
  ast::Pattern pattern;
  ast::Exp exp;
};

class Raiser {
 public:
  Raiser(const ir::Function& function, Surroundings& surroundings);

  ast::Definition definition();
  /// Of the definition, once it is made.
  Memory memory;

  // ---- For idioms ----

  const ir::Stm* definition_of(const ir::Name& name) const;
  bool is_used(const ir::Name& name) const { return used_.contains(name); }
  ir::Type type_of(const ir::Name& name) const;
  /// A literal needs no suffix if the class of `like` is known.
  ast::Exp operand(const ir::Atom& atom, const ir::Name& like) const;
  ast::Exp operand(const ir::Atom& atom, bool known) const;
  ast::Exp count(const ir::Atom& atom) const { return operand(atom, true); }  // an i64
  /// An array; iota is written where it is read, unless it would be made more often.
  ast::Exp array(const ir::Name& name) const;
  std::vector<ast::Exp> arrays(const std::vector<ir::Name>& names) const;
  ast::Type type(const ir::Type& type, bool unique = false) const;
  ast::Pattern names_of(const std::vector<ir::Param>& pattern) const;  // as zip nests them
  ast::Exp operator_exp(const ir::Lambda& op, const std::vector<ir::Name>& like);
  /// Whether the name means the prelude's function: an entry may be called like one.
  bool is_prelude(const std::string& function) const { return !around_.taken.contains(function); }
  bool is_known(const ir::Name& name) const { return literals_.is_known(name); }
  Surroundings& surroundings() { return around_; }

 private:
  enum class Tuples { flat, nested };  // results of lambdas that are applied to arrays nest as zip does
  using Bindings = std::vector<ast::LetBinding>;

  // Scopes.
  ast::Exp body(const ir::Body& body, const std::vector<ir::Name>& like, Tuples tuples, const std::vector<bool>& left_out = {});
  std::vector<ast::Exp> results(const ir::Body& body, const std::vector<ir::Name>& like, const std::vector<bool>& left_out);
  ast::Exp scope(const ir::Body& body, ast::Exp result);
  ast::Exp lambda(const ir::Lambda& fn, std::vector<ast::Pattern> params, const std::vector<ir::Name>& like);
  ast::Pattern param(const ir::Param& param) const;
  std::vector<ast::Pattern> params(const std::vector<ir::Param>& list, std::size_t begin, std::size_t count) const;

  // Statements.
  void statement(const ir::Stm& stm, Bindings& out);
  void bind(const ir::Stm& stm, ast::Pattern pattern, ast::Exp exp, Bindings& out, std::vector<ast::Identifier> sizes = {});
  void bind_sized(const ir::Stm& stm, ast::Exp exp, Bindings& out);  // the types of some results mention others
  void bind_arrays(const ir::Stm& stm, std::vector<std::string> names, ast::Exp zipped, Bindings& out);
  void bind_map(const ir::Stm& stm, const ir::Map& map, Bindings& out);
  void bind_scatter(const ir::Stm& stm, const ir::Scatter& scatter, Bindings& out);
  std::vector<ast::Exp> columns(const ir::Stm& stm, const ir::Lambda& fn, const ir::Atom& width, const std::vector<ir::Name>& from,
                                Bindings& out);
  void bind_histograms(const ir::Stm& stm, const ir::ReduceByIndex& hist, Bindings& out);
  std::string fresh(const std::string& base) { return base + "#x" + std::to_string(++fresh_); }
  void note(const ir::Stm& stm, const ast::Pattern& first);

  // Expressions.
  ast::Exp attributed(const ir::Stm& stm, ast::Exp exp) const;
  ast::Exp expression(const ir::Stm& stm);
  ast::Exp comparison(const ir::CmpOp& e) const;
  ast::Exp binary_operation(const ir::BinOp& e, const ir::Name& result) const;
  ast::Exp if_exp(const ir::If& e, const std::vector<ir::Param>& pattern);
  ast::Exp loop(const ir::Loop& e);
  ast::Exp call(const ir::Call& e) const;
  ast::Exp replicated(const ir::Replicate& e, const ir::Name& result) const;
  ast::Exp concat(const ir::Concat& e) const;
  ast::Exp rearranged(const ir::Rearrange& e) const;
  ast::Exp reshaped(const ir::Reshape& e) const;
  ast::Exp indexed(const ir::Index& e, const ir::Type& type) const;
  ast::Exp updated(const ir::Update& e) const;
  ast::Exp written(const ir::Update& e) const;
  ast::SliceIndex slice(const ir::Slice& s) const;
  std::vector<ast::DimIndex> indices(const std::vector<ir::DimIndex>& list) const;
  ast::Exp mapped(const ir::Map& e, const std::vector<ir::Param>& pattern);
  ast::Exp over_numbers(ast::Exp width, ast::Exp fn) const;
  ast::Exp folded(std::string_view function, const ir::Lambda& op, const std::vector<ir::Atom>& neutral,
                  const std::vector<ir::Name>& arrays);
  ast::Exp with_accumulators(const ir::WithAcc& e, const std::vector<ir::Param>& pattern);
  ast::Exp update_of_accumulator(const ir::UpdateAcc& e) const;

  // The interface of an entry: interface.cpp.
  void add_params(ast::ValueDefinition& definition) const;
  ast::Exp results_and_type(std::optional<ast::Type>& type);

  const ir::Function& function_;
  Surroundings& around_;
  Literals literals_;
  std::unordered_map<ir::Name, const ir::Stm*> definitions_;
  std::unordered_map<ir::Name, ir::Type> types_;
  std::unordered_map<ir::Name, int> level_of_;  // of arrays made by iota
  std::unordered_set<ir::Name> used_;
  int level_ = 0, levels_ = 0, fresh_ = 0;
};

std::vector<bool> sizes_among(const std::vector<ir::Param>& params);
/// A literal of that value.
ast::Exp literal(const values::PrimValue& value, bool known);

/// What the program calls the function, which is added if no equal one is there yet.
const std::string& helper_named(Surroundings& around, const std::string& base, ir::Function function);
/// Comments that say where lines come from, for people (origins.hpp) or for lines.hpp.
enum class Comments { groups, marks };
/// From a `let` a statement to what is printed: folds, spells names, says where lines come from.
void finish(ast::Definition& definition, Memory memory, Comments comments = Comments::groups);

/// What people would write for the statement, if there are words for it: idioms.cpp lists them.
std::optional<Binding> idiom(Raiser& raiser, const ir::Stm& stm);

}  // namespace boustro::raise
