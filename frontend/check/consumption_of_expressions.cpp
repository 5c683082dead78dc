// What expressions share with what is there before, and what they consume of it.
#include "frontend/check/consumption.hpp"
#include "frontend/check/match.hpp"
#include "frontend/check/traverse.hpp"
#include "frontend/check/types.hpp"
#include "frontend/source/messages.hpp"

namespace boustro::check {

using source::Message;

Sharing Consumption::function_body(const std::vector<Pattern>& params, const Exp& body) {
  for (const Pattern& param : params) bind(param, {}, Owner::parameter);
  return visit(body);
}

Sharing Consumption::visit(const Exp& exp) {
  const Exp* at = &exp;
  while (true) {  // rows of lets are long
    if (const auto* let = std::get_if<Let>(&at->node)) {
      const bool is_function = std::holds_alternative<FunctionType>(let->pattern.type.node);
      bind(let->pattern,
           is_function ? visit_given(*let->bound, let->pattern.type) : visit_kept(*let->bound));
      at = &*let->body;
    } else if (const auto* function = std::get_if<LetFunction>(&at->node)) {
      local_function(*function->definition);
      at = &*function->body;
    } else {
      return visit_node(*at);
    }
  }
}

// A function that was made by consuming something could be applied more than once.
Sharing Consumption::visit_kept(const Exp& exp) {
  const int before = consumptions_[depth_];
  const Sharing sharing = visit(exp);
  if (consumptions_[depth_] != before && mentions_function(exp.type))
    diagnostics_.report(Message::function_of_consumed, exp.at);
  return sharing;
}

void Consumption::local_function(const Definition& definition) {
  const std::set<int> captured = closure(definition.body);
  ++depth_;
  const Sharing result = function_body(definition.params, definition.body);
  expect_unique(definition, result);
  if (is_fresh(result)) fresh_functions_.insert(definition.name.id);
  --depth_;
  roots_[definition.name.id] = {definition.name.text, Owner::scope, depth_};
  sharing_[definition.name.id] = {captured, {}};
}

// What the free variables of a function share.
Roots Consumption::closure(const Exp& body) {
  Roots roots;
  if (const auto* var = std::get_if<Var>(&body.node)) {
    const auto found = sharing_.find(var->name.id);
    if (found != sharing_.end()) roots.merge(all_roots(found->second));
  }
  for_each_child(body, [&](const Exp& child) { roots.merge(closure(child)); });
  return roots;
}

Sharing Consumption::visit_node(const Exp& exp) {
  return match(
      exp.node, [](const Literal&) -> Sharing { return {}; },
      [](const StringLiteral&) -> Sharing { return {}; }, [](const Hole&) -> Sharing { return {}; },
      [](const Let&) -> Sharing { return {}; }, [](const LetFunction&) -> Sharing { return {}; },
      [&](const Var& var) {
        const Sharing sharing = of_variable(var, exp.type);
        use(sharing, var.name.text, exp.at);
        return sharing;
      },
      [&](const Project& project) { return visit_project(project, exp); },
      [&](const Record& record) {
        Sharing result;
        for (const RecordField& field : record.fields)
          result.fields[field.name] = visit(field.value);
        return result;
      },
      [&](const ArrayLiteral& array) -> Sharing {
        for (const Exp& element : array.elements) visit(element);
        return {};
      },
      [&](const RecordUpdate& update) {
        Sharing result = visit(*update.record);
        Sharing* at = &result;
        for (const std::string& field : update.path) at = &at->fields[field];
        *at = visit(*update.value);
        return result;
      },
      [&](const Construct& construct) {
        Roots roots;
        for (const Exp& payload : construct.payload) roots.merge(all_roots(visit(payload)));
        return everywhere(exp.type, roots);
      },
      [&](const Lambda& lambda) {
        return visit_lambda(lambda, function_type_after(exp.type, lambda.params.size()),
                            lambda.body->at);
      },
      [&](const Apply&) { return visit_apply(exp); },
      [&](const If& conditional) {
        visit(*conditional.condition);
        return branches({&*conditional.then_branch, &*conditional.else_branch});
      },
      [&](const Match& node) { return visit_match(node); },
      [&](const Loop& loop) { return visit_loop(loop); },
      [&](const Index& index) {
        const Sharing array = visit(*index.array);
        visit_indices(index.indices);
        return everywhere(exp.type, all_roots(array));
      },
      [&](const Update& update) { return visit_update(update, exp.at); },
      [&](const Range& range) -> Sharing {
        visit(*range.first);
        if (range.second) visit(**range.second);
        visit(*range.last);
        return {};
      },
      [&](const Coerce& coerce) { return visit(*coerce.exp); },
      [&](const Assert& assertion) {
        visit(*assertion.condition);
        return visit(*assertion.exp);
      },
      [&](const Attributed& attributed) { return visit(*attributed.exp); });
}

Sharing Consumption::visit_lambda(const Lambda& lambda, const FunctionType* type, SourceRange at) {
  const Roots captured = closure(*lambda.body);
  ++depth_;
  const Sharing result = function_body(lambda.params, *lambda.body);
  if (type) expect_unique(type->unique_result, type->unique_fields, result, at);
  expect_no_constant(result, at);
  --depth_;
  return {captured, {}};
}

// The innermost arrow of a function with so many parameters.
const FunctionType* Consumption::function_type_after(const Type& type, std::size_t params) {
  const Type* at = &type;
  for (std::size_t i = 1; i < params; ++i) {
    const auto* function = std::get_if<FunctionType>(&at->node);
    if (!function) return nullptr;
    at = &*function->to;
  }
  return std::get_if<FunctionType>(&at->node);
}

// r.x is a use of the field alone.
Sharing Consumption::visit_project(const Project& project, const Exp& exp) {
  std::vector<std::string> path{project.field};
  const Exp* at = &*project.record;
  while (const auto* inner = std::get_if<Project>(&at->node)) {
    path.push_back(inner->field);
    at = &*inner->record;
  }
  const auto* var = std::get_if<Var>(&at->node);
  Sharing sharing = var ? of_variable(*var, at->type) : visit(*at);
  for (auto field = path.rbegin(); field != path.rend(); ++field) sharing = part(sharing, *field);
  if (!holds_arrays(exp.type)) return {};
  if (var) use(sharing, var->name.text, exp.at);
  return sharing;
}

void Consumption::visit_indices(const std::vector<DimIndex>& indices) {
  for (const DimIndex& index : indices) {
    match(
        index, [&](const Box<Exp>& exp) { visit(*exp); },
        [&](const SliceIndex& slice) {
          for (const auto* bound : {&slice.start, &slice.end, &slice.stride})
            if (*bound) visit(***bound);
        });
  }
}

Sharing Consumption::visit_update(const Update& update, SourceRange at) {
  visit_indices(update.indices);
  const Sharing value = visit(*update.value);
  const Sharing array = visit(*update.array);
  const Roots shared = all_roots(array);
  if (holds_arrays(update.value->type)) {
    for (const int root : all_roots(value)) {
      if (!shared.count(root)) continue;
      diagnostics_.report(Message::update_shares, update.value->at, roots_[root].text);
      break;
    }
  }
  consume(array, at);
  return {};
}

Sharing Consumption::branches(const std::vector<const Exp*>& bodies) {
  const auto before = consumed_;
  auto after = before;
  Sharing result;
  for (const Exp* body : bodies) {
    consumed_ = before;
    result = either(result, visit(*body));
    after.insert(consumed_.begin(), consumed_.end());
  }
  std::map<int, int> renewed;
  for (const auto& [root, at] : after)
    if (!before.count(root)) renewed.emplace(root, new_root(roots_[root].text));
  consumed_ = std::move(after);
  return with_roots(result, renewed);
}

// What one branch consumes and another yields belongs to the result alone.
Sharing Consumption::with_roots(const Sharing& sharing, const std::map<int, int>& renewed) {
  Sharing result;
  for (const int root : sharing.roots) {
    const auto found = renewed.find(root);
    result.roots.insert(found == renewed.end() ? root : found->second);
  }
  for (const auto& [name, field] : sharing.fields)
    result.fields.emplace(name, with_roots(field, renewed));
  return result;
}

Sharing Consumption::visit_match(const Match& node) {
  const Sharing scrutinee = visit(*node.scrutinee);
  std::vector<const Exp*> bodies;
  for (const Case& alternative : node.cases) {
    bind(alternative.pattern, scrutinee);
    bodies.push_back(&alternative.body);
  }
  return branches(bodies);
}

}  // namespace boustro::check
