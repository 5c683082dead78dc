// Checks one definition: syntax in, typed tree out. The work is spread over files by theme; see the
// comments.
//
// While a definition is being checked its types hold inference variables; finish.cpp replaces them
// at the end.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "frontend/check/globals.hpp"

namespace boustro::check {

/// A type as written. `anonymous` are the sizes written `[]` or bound by `?[n].`, in the type
/// itself and not in function types inside it.
struct WrittenType {
  Type type;
  std::vector<Name> anonymous;
  bool unique = false;
  std::vector<std::string>
      unique_fields;  // (*t, u): those of a tuple or record that are, if not all
};

class Checker {
 public:
  Checker(Globals& globals, Namespace& home);

  /// A whole definition, with inference variables resolved. Fills in the value's name and scheme.
  Definition check(GlobalValue& value);

  // type_expression.cpp
  TypeAbbreviation abbreviation(Liftedness liftedness, const ast::Identifier& name,
                                const std::vector<ast::TypeParam>& params, const ast::Type& type);
  /// Sizes that a function type leaves open in its parameters become parameters of the scheme.
  Scheme scheme(const std::vector<ast::TypeParam>& params, const ast::Type& type);
  std::vector<TypeParam> bind_type_params(const std::vector<ast::TypeParam>& params);

  /// Whether arrays and type arguments of what may hide functions or sizes are reported. Not where
  /// a type stands for another than that which was written there: then the latter was looked at.
  bool looks_for_hidden = true;

  // specification.cpp
  /// The value as one of the specified type, in terms of its parameters; nothing, and why, if it is
  /// none. Sizes of a constant that the specification leaves open become those of the value.
  std::optional<Var> as_specified(const GlobalValue& value, Scheme& specified, SourceRange at,
                                  std::string& reason);

 private:
  // ---- Scopes: scope.cpp
  struct LocalValue {
    std::string text;
    Name name;
    Scheme scheme;
  };
  struct LocalType {
    std::string text;
    Name name;
  };
  using ScopeEntry = std::variant<LocalValue, LocalType, Namespace*>;
  /// Restores the scope at the end of a block.
  class Scope {
   public:
    explicit Scope(Checker& checker) : checker_(checker), size_(checker.scope_.size()) {}
    ~Scope() { checker_.scope_.resize(size_, ScopeEntry{static_cast<Namespace*>(nullptr)}); }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Checker& checker_;
    std::size_t size_;
  };
  Name bind(const std::string& text, Type type);
  void bind(const Name& name, Scheme scheme);
  Name bind_size(const std::string& text);
  /// The value that a name stands for, instantiated; nothing if there is none.
  std::optional<Exp> find_value(const std::string& name, SourceRange at);
  const TypeAbbreviation* find_type(const std::string& name);
  const Module* find_module(const std::string& name);
  Module module_named(const std::vector<std::string>& path, SourceRange at);
  bool means_module(const std::string& name);
  Exp instantiate(const Name& name, const Scheme& scheme, SourceRange at, bool top_level);
  Exp instantiate(const GlobalValue& value, SourceRange at);
  Exp look_through(const GlobalValue& value, Exp use);
  Exp intrinsic(Intrinsic which, SourceRange at);
  Exp qualified(const ast::QualifiedName& name);
  Exp member_of_module(const std::vector<std::string>& path, SourceRange at);
  Exp own_constant(Exp use);
  Exp project(Exp value, const std::vector<std::string>& fields, SourceRange at);
  Exp operator_named(const ast::QualifiedName& name);
  bool is_redefined(const ast::QualifiedName& op) const;

  // ---- Types: type_expression.cpp
  WrittenType written(const ast::Type& type);
  /// With inference variables for anonymous sizes.
  Type flexible(const WrittenType& type, SourceRange at);
  Size size(const ast::Size& size, std::vector<Name>& anonymous);
  bool means_value(const std::string& name, SourceRange at);
  Type convert(const ast::Type& type, std::vector<Name>& anonymous);
  Type convert(const ast::NamedType& type, SourceRange at, std::vector<Name>& anonymous);
  Type convert(const ast::FunctionType& type, std::vector<Name>& anonymous);
  void check_element(const ast::NamedType& element, SourceRange at);
  /// An abbreviation is of a type that could not be made out; that has been reported.
  bool uses_faulty_type_ = false;
  std::optional<std::string_view> hidden_in(const Type& type) const;
  TypeParam shown_param(TypeParam param, const TypeAbbreviation& abbreviation) const;
  Type argument_for(const TypeParam& param, Type type, SourceRange at);
  Type expand(const TypeAbbreviation& abbreviation, const ast::NamedType& type, SourceRange at,
              std::vector<Name>& anonymous);

  // ---- Patterns: pattern.cpp
  void check_distinct(const std::vector<ast::TypeParam>& type_params,
                      const std::vector<ast::Pattern>& params);
  /// Each size that `let [n] pattern` and its like name must occur in the pattern.
  void check_sizes_named(const std::vector<ast::Identifier>& sizes, const ast::Pattern& pattern);
  /// Binds the pattern's names.
  Pattern pattern(const ast::Pattern& pattern, const Type& type);
  Pattern tuple_pattern(const ast::TuplePattern&, const Type&, SourceRange);
  Pattern record_pattern(const ast::RecordPattern&, const Type&, SourceRange);
  Pattern constructor_pattern(const ast::ConstructorPattern&, const Type&, SourceRange);
  Pattern literal_pattern(const ast::LiteralPattern&, const Type&, SourceRange);
  Pattern ascribed_pattern(const ast::AscribedPattern&, const Type&, SourceRange);

  // ---- Expressions: expression.cpp
  Exp check(const ast::Exp& exp);
  Exp check_exp(const ast::IntLiteral& literal, SourceRange at);
  Exp check_exp(const ast::FloatLiteral& literal, SourceRange at);
  Exp check_exp(const ast::BoolLiteral& literal, SourceRange at);
  Exp check_exp(const ast::CharLiteral& literal, SourceRange at);
  Exp check_exp(const ast::StringLiteral& literal, SourceRange at);
  Exp check_exp(const ast::Var& var, SourceRange at);
  Exp check_exp(const ast::Hole& hole, SourceRange at);
  Exp check_exp(const ast::Tuple& tuple, SourceRange at);
  Exp check_exp(const ast::Record& record, SourceRange at);
  Exp check_exp(const ast::ArrayLiteral& array, SourceRange at);
  Exp check_exp(const ast::LocalOpen& open, SourceRange at);
  Exp check_exp(const ast::Project& project, SourceRange at);
  Exp check_exp(const ast::Construct& construct, SourceRange at);
  Exp check_exp(const ast::Ascribe& ascribe, SourceRange at);
  Exp check_exp(const ast::Coerce& coerce, SourceRange at);
  Exp check_exp(const ast::Assert& assertion, SourceRange at);
  Exp check_exp(const ast::Attributed& attributed, SourceRange at);
  // Attributes that only loops can have: loop_attributes.cpp
  void check_loop_attribute(const ast::Attribute& attribute, Exp& exp);
  void check_definition_attribute(const ast::Attribute& attribute);
  void check_pattern_attribute(const ast::Attribute& attribute, Pattern& pattern);
  void check_integer_argument(const ast::Attribute& attribute, Message otherwise);
  void check_reorder(const ast::Attribute& attribute, const Exp& exp);  // reorder.cpp
  Exp project(Exp record, const std::string& field, SourceRange at);

  // ---- Functions and their uses: application.cpp
  Exp check_exp(const ast::Apply& apply, SourceRange at);
  Exp check_exp(const ast::Binary& binary, SourceRange at);
  Exp check_exp(const ast::Unary& unary, SourceRange at);
  Exp pipe(Exp argument, const ast::Exp& function, int mark, SourceRange at);
  std::optional<Exp> negative_literal(const ast::IntLiteral& literal, SourceRange at);
  Exp check_exp(const ast::LeftSection& section, SourceRange at);
  Exp check_exp(const ast::RightSection& section, SourceRange at);
  Exp check_exp(const ast::AccessSection& section, SourceRange at);
  Exp check_exp(const ast::Lambda& lambda, SourceRange at);
  Exp apply(Exp function, Exp argument, SourceRange at);
  Exp compose(Exp first, Exp second, SourceRange at);
  /// \x -> body, for a name that was made up.
  Exp make_lambda(const Name& param, const Type& type, Exp body, SourceRange at, int mark);
  void declare_unique(Type& type, std::size_t params, const WrittenType& result);
  Exp finish_lambda(std::vector<Pattern> params, Exp body, SourceRange at, int mark);
  Type function_type_of(const std::vector<Pattern>& params, const Type& result,
                        const std::vector<Name>& existentials);
  Type type_of(const Definition& definition);
  /// let name = bound in body, for a name that was made up.
  Exp make_let(const Name& name, Exp bound, Exp body);
  /// The expression itself if it costs nothing, else a new name for it, which is added to `lets`.
  Exp named(Exp exp, const std::string& text, std::vector<std::pair<Name, Exp>>& lets);
  Exp wrap(std::vector<std::pair<Name, Exp>> lets, Exp body);

  // ---- Control: control.cpp, loop.cpp
  Exp check_exp(const ast::If& conditional, SourceRange at);
  Exp check_exp(const ast::Match& match, SourceRange at);
  /// let [sizes] pattern = bound, whose body is yet to come.
  struct PendingLet {
    std::vector<Name> sizes;
    Pattern pattern;
    Exp bound;
  };
  Exp check_exp(const ast::Let& let, SourceRange at);
  PendingLet let_pattern(const ast::LetPattern& binding);
  Definition let_function(const ast::LetFunction& binding, SourceRange at);
  PendingLet let_update(const ast::LetUpdate& binding, SourceRange at);
  /// The type with unknown sizes, for a pattern that may name them; then makes them those of
  /// `type`.
  Type with_open_sizes(const Type& type);
  Type with_open_sizes_and_types(const Type& type);
  void close_sizes(const Type& open, const Type& type, const std::vector<Name>& named_sizes,
                   SourceRange at);
  std::vector<Size> sizes_of(const Type& type) const;
  Exp check_exp(const ast::Loop& loop, SourceRange at);
  Exp loop_initial(const ast::Loop& loop, SourceRange at);
  std::variant<ForLoop, ForInLoop, WhileLoop> loop_form(const ast::Loop& loop);
  /// Decides which sizes of a loop parameter change; those get names, which are added to `sizes`.
  void settle_loop_sizes(const Type& type, const Exp& initial, const Exp& body,
                         std::vector<Name>& sizes);
  bool stays(const Name& param, const Size& start, const Size& result,
             const std::vector<Size>& params, const std::vector<Size>& starts);

  // ---- Arrays: arrays.cpp
  Exp check_exp(const ast::Index& index, SourceRange at);
  Exp check_exp(const ast::Range& range, SourceRange at);
  Exp check_exp(const ast::With& with, SourceRange at);
  std::vector<DimIndex> indices(const std::vector<ast::DimIndex>& indices);
  Exp index(Exp array, std::vector<DimIndex> indices, SourceRange at);
  Exp update(Exp target, const std::vector<ast::Access>& path, std::size_t from, Exp value,
             SourceRange at);
  /// `existentials` gets the sizes of slices that are unknown; null: what is written there may be
  /// of any size.
  Type indexed_type(const Type& array, const std::vector<DimIndex>& indices,
                    std::vector<Name>* existentials, SourceRange at);
  Size slice_size(const Size& whole, const SliceIndex& slice, std::vector<Name>* existentials);
  std::optional<Size> range_size(const Range& range, const Type& type);

  // ---- Definitions: definition.cpp
  struct Header {
    const ast::Identifier& name;
    const std::vector<ast::TypeParam>& type_params;
    const std::vector<ast::Pattern>& params;
    const std::optional<ast::Type>& result;
    const ast::Exp& body;
  };
  Definition function(const Header& header, SourceRange at);
  void add_size_params(Definition& definition, int outer);
  /// Types that are left open, and that the scopes up to the level `outer` know nothing of, become
  /// parameters.
  void generalize(Definition& definition, int outer);
  void check_size_params(const Definition& definition);
  /// An entry that is defined as a function without naming its parameters gets them.
  void name_parameters(Definition& definition);
  void check_entry_is_known(const Definition& definition);
  void describe_entry(Definition& definition, const ast::ValueDefinition& syntax);

  // ---- Sizes that leave their scope: escape.cpp
  /// Replaces sizes that mention names made since `mark`, other than `allowed`, by new names.
  Type without_inner_sizes(const Type& type, int mark, const std::vector<Name>& allowed,
                           std::vector<Name>& existentials, bool of_function = false);
  void check_told(const Type& result, const std::vector<Name>& existentials, int mark,
                  const std::vector<Name>& allowed, SourceRange at);
  /// Unifies two types up to the sizes of arrays.
  std::optional<std::string> unify_up_to_sizes(const Type& a, const Type& b);
  Type without_sizes(const Type& type);
  bool is_undecided(const Size& size, const Size& other) const;
  /// The type of a value that either branch may yield: where their sizes differ, a new one.
  Type merge(const Type& a, const Type& b, std::vector<Name>& existentials, SourceRange a_at,
             SourceRange b_at);

  // ---- Sizes that expressions spell: computed_sizes.cpp
  /// The size that an expression spells, if any; see sizes.hpp. One that mentions arrays (`ks[0]`)
  /// gets a name instead, which costs nothing to look at and stays when the array is consumed.
  std::optional<Size> size_of(const Exp& exp) const;
  std::optional<Size> any_size_of(const Exp& exp) const;
  /// Remembers what such a name stands for.
  void define(const Name& name, const Exp& exp);
  void define(const Name& name, const Size& size);
  /// Are all arrays that the size mentions there for good?
  bool is_lasting(const Size& size) const;
  void remember_lasting(const Pattern& param);
  Type name_sizes(const Type& result, std::vector<Name>& existentials,
                  std::vector<std::pair<Name, Exp>>& lets);
  Exp settled(const Exp& exp) const;
  Exp settled_index(const Exp& exp) const;
  bool is_settled(const Exp& exp) const;
  /// `let m = n + 1`: as a size, m is n + 1.
  std::unordered_map<int, Size> size_definitions_;
  std::set<int> lasting_;  // arrays that nothing consumes, by the ids of their names
  bool in_loop_pattern_ = false;
  std::set<std::string> unknown_sizes_;  // that were reported

  // ---- Reporting: report.cpp
  /// An expression of unknown type in place of one that is wrong.
  Exp wrong(SourceRange at);
  /// Reports if the types differ. `why` explains the expected type and points at its origin.
  bool expect(const Type& expected, const Exp& actual, const std::string& why = "",
              SourceRange origin = {});
  void mismatch(SourceRange at, const Type& expected, const Type& actual, const std::string& reason,
                const std::string& why, SourceRange origin);

  template <typename... Args>
  source::Diagnostic& report(Message message, SourceRange at, const Args&... args) {
    return globals_.diagnostics.report(message, at, args...);
  }
  Type fresh(SourceRange at) { return inference_.fresh_type(at); }
  Type fresh(SourceRange at, TypeClass type_class);
  /// A type that can be an element of an array.
  Type fresh_plain(SourceRange at) {
    return inference_.fresh_type(at, {.lift = Lift::plain, .fields = {}, .constructors = {}});
  }
  /// Reports functions in what a branch, loop or array literal yields, and whatever else the type
  /// may not hold there.
  void restrict_result(const Type& type, Lift lift, const char* what, SourceRange at);
  Type i64() const { return prim_type(PrimType::i64); }
  Type boolean() const { return prim_type(PrimType::boolean); }

  Globals& globals_;
  Inference& inference_;
  Namespace& home_;
  std::vector<ScopeEntry> scope_;
  struct TypeArgument {
    TypeParam param;
    Type type;
    SourceRange at;
  };
  std::vector<TypeArgument>
      type_arguments_;    // of all uses of names, to be looked at when they are known
  std::string defining_;  // the definition that is being checked
};

/// An attribute with its arguments as text.
Attribute attribute_of(const ast::Attribute& syntax);

}  // namespace boustro::check
