// The printer behind print.hpp. Each node has a strength, each place a least strength that may stand there
// without parentheses.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frontend/ast/syntax.hpp"

namespace boustro::ast {

/// Strengths of types, and of the places where they stand.
enum class TypeStrength { arrow, sum, application, atom };
/// Strengths of expressions below those of infix operators (precedence.hpp), and above them.
namespace strength {
constexpr int open_ended = -3;  // if, let, lambda, ..: extend as far to the right as possible
constexpr int ascription = -2;  // e : t
constexpr int range = -1;       // a..b...c
constexpr int chain = 0;        // infix operators, by their level
constexpr int prefix = 12;      // -x
constexpr int application = 13;
constexpr int atom = 14;
}  // namespace strength
enum class PatternPlace { whole, after_case, ascribed, param };

/// Appends to `text`. Line breaks are followed by the current indentation. Without a width, lines break after the bindings of a
/// let and before cases alone, however long they get; with one, print_fitted.cpp says where.
class Printer {
 public:
  explicit Printer(int width = 0) : width_(width) {}

  std::string text;

  void print(const Program& program);
  void print(const Definition& definition);
  void print(const ModuleExp& exp);
  void print(const ModuleType& type);
  void print(const Attribute& attribute);  // without #[ ]
  void print(const TypeParam& param);
  void print(const Type& type, TypeStrength least = TypeStrength::arrow);
  void print(const Pattern& pattern, PatternPlace place = PatternPlace::whole);
  void print(const Exp& exp, int least = strength::open_ended);

  /// The expression in what is left of the line, if it fits.
  std::optional<std::string> on_one_line(const Exp& exp, int least, bool comments = true) const;

 private:
  void node(const NamedType& type);
  void node(const ArrayType& type);
  void node(const TupleType& type);
  void node(const RecordType& type);
  void node(const SumType& type);
  void node(const FunctionType& type);
  void node(const UniqueType& type);
  void node(const ExistentialType& type);
  void size(const Size& size);

  void node(const NamePattern& pattern);
  void node(const WildcardPattern& pattern);
  void node(const LiteralPattern& pattern);
  void node(const TuplePattern& pattern);
  void node(const RecordPattern& pattern);
  void node(const ConstructorPattern& pattern);
  void node(const AttributedPattern& pattern);
  void ascribed(const AscribedPattern& pattern, PatternPlace place);

  void node(const IntLiteral& literal);
  void node(const FloatLiteral& literal);
  void node(const BoolLiteral& literal);
  void node(const CharLiteral& literal);
  void node(const StringLiteral& literal);

  void node(const Var& exp);
  void node(const Hole& exp);
  void node(const Tuple& exp);
  void node(const Record& exp);
  void node(const ArrayLiteral& exp);
  void node(const LocalOpen& exp);
  void node(const Project& exp);
  void node(const Index& exp);
  void node(const LeftSection& exp);
  void node(const RightSection& exp);
  void node(const AccessSection& exp);
  void node(const Apply& exp);
  void node(const Construct& exp);
  void node(const Binary& exp);
  void node(const Unary& exp);
  void node(const Ascribe& exp);
  void node(const Coerce& exp);
  void node(const Range& exp);
  void node(const If& exp);
  void node(const Lambda& exp);
  void node(const Let& exp);
  void node(const Loop& exp);
  void node(const Match& exp);
  void node(const Assert& exp);
  void node(const With& exp);
  void node(const Attributed& exp);
  void before_postfix(const Exp& exp);
  void indices(const std::vector<DimIndex>& indices);
  void path(const std::vector<Access>& path, bool dot_first);

  void node(const LetPattern& binding);
  void node(const LetFunction& binding);
  void node(const LetUpdate& binding);
  void node(const ForLoop& form);
  void node(const ForInLoop& form);
  void node(const WhileLoop& form);
  void body(const Exp& exp);  // after `=`, `do`, `->`: on a line of its own if it takes several

  void node(const ModuleTypeName& type);
  void node(const Signature& type);
  void node(const ModuleTypeWith& type);
  void node(const ModuleArrow& type);
  void node(const ValueSpec& spec);
  void node(const TypeSpec& spec);
  void node(const ModuleSpec& spec);
  void node(const IncludeSpec& spec);

  void node(const ModuleName& exp);
  void node(const ModuleApply& exp);
  void node(const ModuleAscribe& exp);
  void node(const ModuleBody& exp);
  void node(const ModuleImport& exp);
  void node(const ModuleLambda& exp);
  void param(const ModuleParam& param);

  void node(const ValueDefinition& definition);
  void node(const TypeDefinition& definition);
  void node(const ModuleDefinition& definition);
  void node(const ModuleTypeDefinition& definition);
  void node(const Open& definition);
  void node(const Import& definition);
  void node(const Local& definition);
  void doc_and_attributes(const std::string& doc, const std::vector<Attribute>& attributes);
  void binder(const std::string& name);                      // x, (+)
  void params(const std::vector<TypeParam>& type_params, const std::vector<Pattern>& params);
  void result(const std::optional<Type>& type);              // " : t"

  // Lines of a width: print_fitted.cpp.
  bool put_on_one_line(const Exp& exp, int least);
  void print_fitted(const Exp& exp, int least);
  static bool is_weaker(const Exp& exp, int least);  // needs parentheses there
  void broken(const Apply& exp);
  void broken(const Binary& exp);
  void broken(const If& exp);
  void broken(const Tuple& exp);
  void broken(const ArrayLiteral& exp);
  void broken(const Lambda& exp);
  void broken(const Let& exp);
  void broken(const Loop& exp);
  void broken(const With& exp);
  void broken(const Attributed& exp);
  template <typename Other>
  void broken(const Other& exp) { node(exp); }
  bool put_with_last_hanging(const Apply& exp);
  void form_of_loop(const Loop& exp);
  void lambda_head(const Lambda& exp);
  void value_of_binding(const Exp& exp);
  void head_of_definition(const ValueDefinition& definition);
  void comment_line(const Comment& comment);
  int column() const { return static_cast<int>(text.size() - (text.rfind('\n') + 1)); }
  /// With the lines that follow indented to where this one is now.
  template <typename Body>
  void aligned(Body body) {
    const int before = std::exchange(indent_, column());
    body();
    indent_ = before;
  }

  void put(std::string_view piece) {
    text += piece;
    if (one_line_ && static_cast<int>(text.size()) > width_) overflows_ = true;
  }
  void line() {
    overflows_ = overflows_ || one_line_;
    start_line();
  }
  void start_line() { text.append("\n").append(static_cast<std::size_t>(indent_), ' '); }
  template <typename Items, typename PrintItem>
  void separated(const Items& items, std::string_view separator, PrintItem print_item) {
    bool first = true;
    for (const auto& item : items) {
      if (!std::exchange(first, false)) put(separator);
      print_item(item);
    }
  }
  /// As many on a line as fit, if there is a width; the others are aligned below the first.
  template <typename Items, typename PrintItem>
  void filled(const Items& items, PrintItem print_item) {
    if (width_ == 0 || one_line_) return separated(items, ", ", print_item);
    aligned([&] {
      bool first = true;
      for (const auto& item : items) {
        if (!first) put(",");
        const std::size_t begin = text.size();
        if (!first) put(" ");
        print_item(item);
        if (!std::exchange(first, false) && column() > width_) {
          text.resize(begin);
          line();
          print_item(item);
        }
      }
    });
  }
  template <typename Body>
  void indented(Body body) {
    indent_ += 2;
    body();
    indent_ -= 2;
  }

  int indent_ = 0;
  int width_;              // 0: without end
  int after_ = 0;          // columns that what follows on the last line needs
  bool one_line_ = false;  // a try whether it fits on one
  bool overflows_ = false;
  bool comments_ = true;
};

}  // namespace boustro::ast
