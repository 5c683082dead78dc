// The expression is walked in the order of evaluation: arguments from left to right, then the
// function, branches each for itself. A size that some expression makes is known from there on.
#include "frontend/check/causality.hpp"

#include <set>

#include "frontend/check/match.hpp"
#include "frontend/check/sizes.hpp"
#include "frontend/check/traverse.hpp"
#include "frontend/check/types.hpp"
#include "frontend/source/messages.hpp"

namespace boustro::check {
namespace {

using source::Message;

class Causality {
 public:
  explicit Causality(source::Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  void check(const Definition& definition) {
    collect(definition.body);
    visit(definition.body);
  }

 private:
  // ---- The sizes that expressions make
  void collect(const Exp& exp) {
    for (const Name& name : made_by(exp)) made_.insert(name.id);
    const Exp* at = &exp;
    while (const auto* let = std::get_if<Let>(&at->node)) {  // rows of lets are long
      for (const Name& name : let->sizes) made_.insert(name.id);
      collect(*let->bound);
      at = &*let->body;
      for (const Name& name : made_by(*at)) made_.insert(name.id);
    }
    for_each_child(*at, [&](const Exp& child) { collect(child); });
  }

  static std::vector<Name> made_by(const Exp& exp) {
    return match(
        exp.node, [](const Apply& e) { return e.existentials; },
        [](const If& e) { return e.existentials; }, [](const Match& e) { return e.existentials; },
        [](const Loop& e) { return e.existentials; }, [](const Index& e) { return e.existentials; },
        [](const Range& e) { return e.existentials; },
        [](const Coerce& e) { return e.existentials; },
        [](const auto&) { return std::vector<Name>(); });
  }

  // ---- Needs
  void need(const Size& size, SourceRange at, const std::set<int>& given = {}) {
    for_each_name(size, [&](const Name& name) {
      if (given.count(name.id)) return;
      if (!made_.count(name.id) || known_.count(name.id) || !reported_.insert(name.id).second)
        return;
      diagnostics_.report(Message::size_not_known_yet, at, name.text);
    });
  }
  void need(const Type& type, SourceRange at) {
    for_each_witness(type, [&](const Size& size) { need(size, at); });
  }

  /// The sizes that a function reads off its arguments.
  static std::set<int> given_by_arguments(const Type& type) {
    std::set<int> given;
    const Type* at = &type;
    while (const auto* function = std::get_if<FunctionType>(&at->node)) {
      for_each_witness(*function->from, [&](const Size& size) {
        if (const auto* name = std::get_if<Name>(&size)) given.insert(name->id);
      });
      at = &*function->to;
    }
    return given;
  }

  // ---- Expressions
  void visit(const Exp& exp) {
    const Exp* at = &exp;
    while (const auto* let = std::get_if<Let>(&at->node)) {
      visit(*let->bound);
      know(let->sizes);
      at = &*let->body;
    }
    visit_node(*at);
    know(made_by(*at));
  }

  void know(const std::vector<Name>& names) {
    for (const Name& name : names) known_.insert(name.id);
  }

  /// What it makes is of no concern to what follows.
  void visit_apart(const Exp& exp) {
    const std::set<int> before = known_;
    visit(exp);
    known_ = before;
  }

  void visit_node(const Exp& exp) {
    match(
        exp.node,
        [&](const Var& var) {
          const std::set<int> given = given_by_arguments(exp.type);
          for (const Size& size : var.size_args) need(size, exp.at, given);
          for (const Type& type : var.type_args)
            for_each_witness(type, [&](const Size& size) { need(size, exp.at, given); });
        },
        [&](const ArrayLiteral& array) {
          if (array.elements.empty()) need(exp.type, exp.at);
          for (const Exp& element : array.elements) visit(element);
        },
        [&](const Construct& construct) {
          for (const Exp& payload : construct.payload) visit(payload);
          need(exp.type, exp.at);
        },
        [&](const Hole&) { need(exp.type, exp.at); }, [&](const Apply&) { visit_apply(exp); },
        [&](const Lambda& lambda) { visit_apart(*lambda.body); },
        [&](const LetFunction& function) {
          visit_apart(function.definition->body);
          visit(*function.body);
        },
        [&](const If& conditional) {
          visit(*conditional.condition);
          visit_apart(*conditional.then_branch);
          visit_apart(*conditional.else_branch);
        },
        [&](const Match& node) {
          visit(*node.scrutinee);
          for (const Case& alternative : node.cases) visit_apart(alternative.body);
        },
        [&](const Loop& loop) {
          visit(*loop.initial);
          match(
              loop.form, [&](const ForLoop& form) { visit(*form.bound); },
              [&](const ForInLoop& form) { visit(*form.array); }, [](const WhileLoop&) {});
          const std::set<int> before = known_;
          know(loop.sizes);
          if (const auto* form = std::get_if<WhileLoop>(&loop.form)) visit(*form->condition);
          visit(*loop.body);
          known_ = before;
        },
        [&](const auto&) { for_each_child(exp, [&](const Exp& child) { visit(child); }); });
  }

  void visit_apply(const Exp& exp) {
    std::vector<const Exp*> applications;  // the last first
    const Exp* at = &exp;
    while (const auto* apply = std::get_if<Apply>(&at->node)) {
      applications.push_back(at);
      at = &*apply->function;
    }
    for (auto application = applications.rbegin(); application != applications.rend();
         ++application)
      visit(*std::get<Apply>((*application)->node).argument);
    visit(*at);
    for (const Exp* application : applications) know(made_by(*application));
  }

  source::Diagnostics& diagnostics_;
  std::set<int> made_, known_, reported_;
};

}  // namespace

void check_causality(const Definition& definition, source::Diagnostics& diagnostics) {
  Causality(diagnostics).check(definition);
}

}  // namespace boustro::check
