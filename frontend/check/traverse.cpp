#include "frontend/check/traverse.hpp"

#include "frontend/check/match.hpp"

namespace boustro::check {
namespace {

using Visit = std::function<void(const Exp&)>;

void visit_indices(const std::vector<DimIndex>& indices, const Visit& visit) {
  for (const DimIndex& index : indices) {
    match(
        index, [&](const Box<Exp>& exp) { visit(*exp); },
        [&](const SliceIndex& slice) {
          for (const auto* part : {&slice.start, &slice.end, &slice.stride})
            if (*part) visit(***part);
        });
  }
}

void visit_form(const Loop& loop, const Visit& visit) {
  match(
      loop.form, [&](const ForLoop& form) { visit(*form.bound); },
      [&](const ForInLoop& form) { visit(*form.array); },
      [&](const WhileLoop& form) { visit(*form.condition); });
}

}  // namespace

void for_each_child(const Exp& exp, const Visit& visit) {
  match(
      exp.node, [](const Literal&) {}, [](const StringLiteral&) {}, [](const Var&) {},
      [](const Hole&) {},
      [&](const Record& e) {
        for (const RecordField& field : e.fields) visit(field.value);
      },
      [&](const ArrayLiteral& e) {
        for (const Exp& element : e.elements) visit(element);
      },
      [&](const Project& e) { visit(*e.record); },
      [&](const RecordUpdate& e) { visit(*e.record), visit(*e.value); },
      [&](const Construct& e) {
        for (const Exp& payload : e.payload) visit(payload);
      },
      [&](const Lambda& e) { visit(*e.body); },
      [&](const Apply& e) { visit(*e.function), visit(*e.argument); },
      [&](const Let& e) { visit(*e.bound), visit(*e.body); },
      [&](const LetFunction& e) { visit(e.definition->body), visit(*e.body); },
      [&](const If& e) { visit(*e.condition), visit(*e.then_branch), visit(*e.else_branch); },
      [&](const Match& e) {
        visit(*e.scrutinee);
        for (const Case& alternative : e.cases) visit(alternative.body);
      },
      [&](const Loop& e) { visit(*e.initial), visit_form(e, visit), visit(*e.body); },
      [&](const Index& e) { visit(*e.array), visit_indices(e.indices, visit); },
      [&](const Update& e) { visit(*e.array), visit_indices(e.indices, visit), visit(*e.value); },
      [&](const Range& e) {
        visit(*e.first);
        if (e.second) visit(**e.second);
        visit(*e.last);
      },
      [&](const Coerce& e) { visit(*e.exp); },
      [&](const Assert& e) { visit(*e.condition), visit(*e.exp); },
      [&](const Attributed& e) { visit(*e.exp); });
}

void for_each_binding(const Pattern& pattern,
                      const std::function<void(const Name&, const Pattern&)>& visit) {
  match(
      pattern.node, [&](const NamePattern& name) { visit(name.name, pattern); },
      [](const WildcardPattern&) {}, [](const LiteralPattern&) {},
      [&](const RecordPattern& record) {
        for (const PatternField& field : record.fields) for_each_binding(field.pattern, visit);
      },
      [&](const ConstructorPattern& constructor) {
        for (const Pattern& payload : constructor.payload) for_each_binding(payload, visit);
      });
}

}  // namespace boustro::check
