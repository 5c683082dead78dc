// What each expression shares and consumes, in the order of evaluation; see uniqueness.hpp for the rules.
//
// Every array that a name stands for has a root. An expression yields a Sharing; consuming a value consumes
// its roots, and no use may have a root that was consumed before.
#pragma once

#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "frontend/check/sharing.hpp"
#include "frontend/check/typed.hpp"
#include "frontend/source/diagnostics.hpp"

namespace boustro::check {

class Consumption {
 public:
  Consumption(const std::set<int>& lasting, source::Diagnostics& diagnostics)
      : lasting_(lasting), diagnostics_(diagnostics) {}

  void check(Definition& definition, bool infers_result);

 private:
  enum class Owner { scope, parameter, constant };
  struct Root {
    std::string text;
    Owner owner;
    int depth;
  };

  // ---- Results of functions: uniqueness.cpp
  /// The result, or those of its fields that are.
  void infer_unique(Definition& definition, const Sharing& result);
  /// Nothing else has to do with its memory, and no two parts share any.
  bool is_fresh(const Sharing& sharing);
  void expect_unique(const Definition& definition, const Sharing& result);
  void expect_unique(bool all, const std::vector<std::string>& fields, const Sharing& result,
                     SourceRange at);
  void report_not_unique(const Roots& roots, SourceRange at);
  /// A function makes what it yields, or has it from its arguments.
  void expect_no_constant(const Sharing& result, SourceRange at);
  void expect_fresh(const Sharing& sharing, SourceRange at);

  // ---- Names and their roots: consumption_of_names.cpp
  void bind(const Pattern& pattern, const Sharing& sharing, Owner owner = Owner::scope);
  /// A root for each array of the value, so that fields of a record are consumed one by one.
  void add_roots(Sharing& sharing, const Type& type, const Root& root, int id, Roots& added);
  /// What a variable shares, or a field of one; without looking whether it is consumed.
  Sharing of_variable(const Var& var, const Type& type);
  /// Functions in it make what they yield, and what an abstract type hides is no array to the user.
  static Sharing of_constant(const Type& type, int root);
  void use(const Sharing& sharing, const std::string& text, SourceRange at);
  void consume(const Sharing& sharing, SourceRange at);
  int new_root(const std::string& text);

  // ---- Expressions: consumption_of_expressions.cpp
  Sharing function_body(const std::vector<Pattern>& params, const Exp& body);
  Sharing visit(const Exp& exp);
  /// A function that was made by consuming something could be applied more than once.
  Sharing visit_kept(const Exp& exp);
  void local_function(const Definition& definition);
  /// What the free variables of a function share.
  Roots closure(const Exp& body);
  Sharing visit_node(const Exp& exp);
  Sharing visit_lambda(const Lambda& lambda, const FunctionType* type, SourceRange at);
  /// The innermost arrow of a function with so many parameters.
  static const FunctionType* function_type_after(const Type& type, std::size_t params);
  /// r.x is a use of the field alone.
  Sharing visit_project(const Project& project, const Exp& exp);
  void visit_indices(const std::vector<DimIndex>& indices);
  Sharing visit_update(const Update& update, SourceRange at);
  Sharing branches(const std::vector<const Exp*>& bodies);
  /// What one branch consumes and another yields belongs to the result alone.
  static Sharing with_roots(const Sharing& sharing, const std::map<int, int>& renewed);
  Sharing visit_match(const Match& node);

  // ---- Calls: consumption_of_calls.cpp
  /// f x y: arguments are evaluated first, then consumed. The result shares what the function does
  /// not make itself.
  Sharing visit_apply(const Exp& exp);
  /// What is given where a value of the type is expected: a function whose results must be unique if
  /// the type says so.
  Sharing visit_given(const Exp& exp, const Type& expected);
  /// The prelude's unzip, unzip3, ...: the parts share with each other only what those of the
  /// argument do. Their types cannot say so.
  static bool is_unzip(const Var& head);
  /// The lambda that core.with_add or its like is applied to.
  static const Lambda* function_applied_once(const Var& head,
                                             const std::vector<const Exp*>& applications);
  /// The body runs exactly once, as if it stood here, so that it may consume accumulators from
  /// outside. What it yields is the result.
  Sharing visit_with_accumulator(const std::vector<const Exp*>& applications,
                                 const Lambda& function);

  // ---- Loops: consumption_of_loops.cpp
  /// A loop parameter that the body consumes consumes the initial value, and its next value must be
  /// its own. So does one that is said to be unique, unless the body only reads it and makes the next.
  Sharing visit_loop(const Loop& loop);
  struct LoopBody {
    const Loop& loop;
    int depth;
    std::size_t first_use;  // in it, of uses_
    Roots yielded;          // by the next values
    Roots shared;           // by several of them

    bool yields(const Roots& roots) const;
  };
  /// `renewed` has the roots that stand for those of the body after the loop.
  Sharing loop_result(const Pattern& pattern, const Sharing& initial, const Sharing& next,
                      const LoopBody& body, std::map<int, int>& renewed);
  bool is_consumed(const Name& name);
  /// What the loop consumes at its first iteration is used by none.
  void consume_initial(const LoopBody& body, const Sharing& initial);

  const std::set<int>& lasting_;  // names that are said to be consumed by nothing
  source::Diagnostics& diagnostics_;
  std::map<int, Root> roots_;
  std::map<int, Sharing> sharing_;
  std::map<int, Roots> own_roots_;  // of names
  std::map<int, SourceRange> consumed_;
  std::map<int, int> consumptions_;  // how many, by depth
  struct Use {
    int root;
    std::string text;
    SourceRange at;
  };
  std::vector<Use> uses_;
  std::set<int> fresh_functions_;
  SourceRange reported_;  // the last use after consumption
  int next_root_ =
      std::numeric_limits<int>::max();  // of roots without a name of their own; names count upwards
  int depth_ = 1;  // of lambdas, local functions and loops; 0 is outside of the definition
};

}  // namespace boustro::check
