// What lowering carries along: the program so far, the statements of the blocks that are being
// filled, where in the source we are, and what names should be called.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "frontend/source/diagnostics.hpp"
#include "transform/facts/aliases.hpp"
#include "transform/ir/builder.hpp"
#include "transform/lower/mentions.hpp"
#include "transform/lower/scope.hpp"
#include "transform/lower/value.hpp"

namespace boustro::lower {

/// Statements of one body, and the sizes computed in it, so that equal sizes are the same atom.
struct Block {
  explicit Block(ir::Names& names) : builder(names), first_tag(names.fresh("").tag) {}
  ir::Builder builder;
  int first_tag;  // names with this tag or a later one belong to this block or one inside of it
  std::map<std::tuple<ir::BinOpKind, Atom, Atom>, Atom> sizes;
  std::map<std::pair<const check::Exp*, std::vector<Atom>>, Atom> size_exps;
  // Of a printed program: scalars that were computed, and those that were computed again.
  std::vector<std::pair<ir::Exp, ir::Name>> values;
  ir::Substitution same;
};

/// The core function that is being filled.
struct FunctionState {
  bool is_entry = false;
  /// The first block is the prologue: constants that the function uses.
  std::vector<std::unique_ptr<Block>> blocks;
  std::vector<SourceRange> call_sites;  // outermost first
  std::map<const check::Definition*, Value> constants;
  /// Constants that callers pass in, with the parameters that they become.
  std::vector<const check::Definition*> constant_params;
  std::vector<ir::Param> constant_sizes, constant_values;
  int inlined_lambdas = 0;  // that are being evaluated, one inside the other
  /// What the user calls the function, and what its `let`s bind whose right sides we are in, outermost first.
  std::string called;
  std::vector<std::string> lets;
};

class Context;
struct KeyedMap;

/// What evaluation finds out about constants, each once.
class KnownConstants {
 public:
  KnownConstants() { function_.is_entry = true; }  // takes nothing from outside

  /// The constant where all of it are known numbers.
  std::optional<Value> literal(Context& context, const check::Definition& definition);
  /// It was asked for, and fails or takes too long, and so does what uses it.
  bool fails(const check::Definition& definition) const;

 private:
  struct Known {
    std::optional<Value> literal;
    bool fails = false;
  };
  Known find_out(Context& context, const check::Definition& definition);

  FunctionState function_;  // all that were asked for
  std::map<const check::Definition*, Known> known_;
  bool one_fails_ = false;  // of those that were asked for while one is being found out
};

/// A function that was lowered, or is being lowered; see functions.cpp.
struct LoweredFunction {
  ir::Name name;
  bool finished = false;
  bool is_shuffle = false;  // has no statements: its result is a rearrangement of its arguments
  std::vector<ir::Param> params;
  std::vector<const check::Definition*> constants;
  std::vector<ir::Param> size_results, value_results;
  Value result;  // in terms of `params` and the result parameters
};

class Context {
 public:
  explicit Context(const check::TypedProgram& source);
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  // ---- Statements.
  ir::Name emit(std::string_view base, ir::Exp exp);
  std::optional<ir::Name> recalled(ir::Exp exp) const;
  void note_value(const ir::Name& name, ir::Exp exp);
  std::vector<ir::Name> emit_all(const std::vector<std::string>& bases, ir::Exp exp);
  void emit(std::vector<ir::Param> pattern, ir::Exp exp);
  /// assert condition
  void check(const Atom& condition, std::string message, std::vector<Atom> args = {}) {
    emit(std::vector<ir::Param>{}, ir::Assert{condition, std::move(message), std::move(args)});
  }
  /// An operation on sizes; folds literals, and yields the same atom for the same operands.
  Atom size_op(ir::BinOpKind kind, Atom x, Atom y, std::string_view base = "n");
  /// The operation as a statement of its own, which `size_op` finds later.
  Atom size_op_as_printed(ir::BinOpKind kind, const Atom& x, const Atom& y, std::string_view base);
  /// The size that an expression has where the names that it mentions are these atoms, if it was
  /// computed before.
  using SizeKey = std::pair<const check::Exp*, std::vector<Atom>>;
  std::optional<Atom> known_size(const SizeKey& key) const;

  /// Runs `fill`, which returns the results, with a block of its own.
  template <typename Fill>
  ir::Body body(Fill&& fill) {
    open_block();
    std::vector<Atom> result = fill();
    return close_block(std::move(result));
  }
  void open_block();
  ir::Body close_block(std::vector<Atom> result);
  Block& block() { return *function->blocks.back(); }
  /// True if the name was bound in the block that is open now.
  bool is_local(const Atom& atom) const;

  // ---- Places.
  SourceRange at() const { return at_; }

  // ---- Names. The first source name that a value is bound to becomes the name of its atoms, but for names of the prelude and
  // those that number the components of a tuple, which stay only where the user has none.
  void call(const Value& value, const std::string& text) { call(value, text, at_); }
  void call(const Value& value, const std::string& text, SourceRange at);
  /// The parameter of a function that the value is an argument of. A short name of one says less than the number of a component.
  void call_argument(const Value& value, const std::string& text, SourceRange at);
  /// The value just made becomes a field of a record: its name, unless the value gets a better one, or a tuple numbers its fields.
  void call_field(const Value& value, const std::string& field);
  /// A map goes through the array by a parameter that the source calls so: one without a name is called as many of them.
  void call_by_elements(const ir::Name& array, const ir::Name& element);
  /// A map goes through the array that the source calls so: a scalar without a name is called as one of its elements.
  void call_by_array(const ir::Name& element, const ir::Name& array);
  std::string called(const ir::Name& name) const;
  bool of_prelude(SourceRange at) const { return sources && at.valid() && sources->is_prelude(at); }

  /// Copies of the arrays, for what the language takes to be new arrays, such as the result of zip. Simplification leaves those that
  /// something updates in place.
  Value fresh(const Value& value, const Type& element);

  Scope* new_scope(const Scope* parent) {
    scopes_.emplace_back().parent = parent;
    return &scopes_.back();
  }
  /// A top-level definition; null for other names.
  const check::Definition* definition(const check::Name& name) const;

  const check::TypedProgram& source;
  ir::Names names;
  ir::Program program;
  facts::Callees callees{program};
  KnownConstants constants;
  FunctionState* function = nullptr;
  bool unsafe = false;      // inside of #[unsafe]
  bool printed = false;     // the source is a printed core program: Options::printed
  bool recalls = false;     // what is emitted may have been computed before
  bool uses_accumulators = false;  // the source does, so that their rules are still to be checked
  bool uses_nests = false;         // likewise
  KeyedMap* keyed_map = nullptr;   // with #[reorder(..)], whose value is being made: reorder.hpp
  bool keep_names = false;  // `call` does nothing: patterns are bound for the sake of their sizes
  std::map<std::string, LoweredFunction> functions;  // by static key
  std::map<const void*, Mentions> mentions;          // by code
  std::deque<check::Lambda> made_lambdas;            // that the source does not have
  const source::SourceMap* sources = nullptr;
  /// What the source calls them. One that tells more takes the place of one that tells less: of the prelude, with the number of a component.
  struct SourceName {
    enum class Tells { nothing, component, all };
    std::string text;
    Tells tells = Tells::all;
    bool is_vague() const { return tells != Tells::all; }
  };
  std::unordered_map<ir::Name, SourceName> preferred;
  std::unordered_map<ir::Name, std::string> roles;  // what those without a name there are for

 private:
  void call_as(const Value& value, const SourceName& called);
  SourceName source_name(const std::string& text, SourceRange at) const;

  friend class At;
  SourceRange at_;
  std::deque<Scope> scopes_;
  std::unordered_map<int, const check::Definition*> definitions_;
};

/// While it lives, statements come from `range`.
class At {
 public:
  At(Context& context, SourceRange range) : context_(context), before_(context.at_) {
    if (range.valid()) context.at_ = range;
  }
  ~At() { context_.at_ = before_; }
  At(const At&) = delete;
  At& operator=(const At&) = delete;

 private:
  Context& context_;
  SourceRange before_;
};

/// While it lives, statements compute what a `let` of the user binds under a name.
class InLet {
 public:
  InLet(Context& context, const check::Pattern& pattern) : lets_(context.function->lets), before_(lets_.size()) {
    const auto* name = std::get_if<check::NamePattern>(&pattern.node);
    if (name && !context.of_prelude(pattern.at)) lets_.push_back(name->name.text);
  }
  ~InLet() { lets_.resize(before_); }
  InLet(const InLet&) = delete;
  InLet& operator=(const InLet&) = delete;

 private:
  std::vector<std::string>& lets_;
  std::size_t before_;
};

/// While it lives, statements were reached through a call at the place where we are.
class CallSite {
 public:
  explicit CallSite(Context& context) : function_(*context.function) {
    function_.call_sites.push_back(context.at());
  }
  ~CallSite() { function_.call_sites.pop_back(); }
  CallSite(const CallSite&) = delete;
  CallSite& operator=(const CallSite&) = delete;

 private:
  FunctionState& function_;
};

/// Sets a variable for as long as it lives.
template <typename T>
class Setting {
 public:
  Setting(T& variable, T value) : variable_(variable), before_(std::move(variable)) {
    variable_ = std::move(value);
  }
  ~Setting() { variable_ = std::move(before_); }
  Setting(const Setting&) = delete;
  Setting& operator=(const Setting&) = delete;

 private:
  T& variable_;
  T before_;
};

}  // namespace boustro::lower
