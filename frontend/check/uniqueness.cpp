#include "frontend/check/uniqueness.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "frontend/check/intrinsics.hpp"
#include "frontend/check/match.hpp"
#include "frontend/check/traverse.hpp"
#include "frontend/check/types.hpp"
#include "frontend/source/messages.hpp"

namespace boustro::check {
namespace {

using source::Message;

/// The ids of the names whose memory a value may share.
using Roots = std::set<int>;

/// What a value shares: a record each field for itself, anything else as a whole.
struct Sharing {
  Roots roots;
  std::map<std::string, Sharing> fields;
};

Roots all_roots(const Sharing& sharing) {
  Roots roots = sharing.roots;
  for (const auto& [name, field] : sharing.fields) roots.merge(all_roots(field));
  return roots;
}

bool holds_arrays(const Type& type) {
  return match(
      type.node, [](PrimType) { return false; }, [](const ArrayType&) { return true; },
      [](const RecordType& record) {
        return std::any_of(record.fields.begin(), record.fields.end(),
                           [](const Field& field) { return holds_arrays(field.type); });
      },
      [](const SumType& sum) {
        return std::any_of(sum.constructors.begin(), sum.constructors.end(), [](const auto& c) {
          return std::any_of(c.payload.begin(), c.payload.end(), holds_arrays);
        });
      },
      [](const FunctionType&) { return true; }, [](const TypeVariable&) { return true; },
      [](const AccumulatorType&) { return true; });
}

/// Arrays outside of functions.
bool holds_data(const Type& type) {
  if (const auto* record = std::get_if<RecordType>(&type.node))
    return std::any_of(record->fields.begin(), record->fields.end(),
                       [](const Field& field) { return holds_data(field.type); });
  return !std::holds_alternative<FunctionType>(type.node) && holds_arrays(type);
}

/// Every use of an accumulator consumes it, said or not; so of a tuple of them.
bool is_linear(const Type& type) {
  if (std::holds_alternative<AccumulatorType>(type.node)) return true;
  const auto* record = std::get_if<RecordType>(&type.node);
  return record && !record->fields.empty() &&
         std::all_of(record->fields.begin(), record->fields.end(),
                     [](const Field& field) { return is_linear(field.type); });
}

/// Every part of a value of that type shares these.
Sharing everywhere(const Type& type, const Roots& roots) {
  if (!holds_arrays(type)) return {};
  const auto* record = std::get_if<RecordType>(&type.node);
  if (!record) return {roots, {}};
  Sharing result;
  for (const Field& field : record->fields)
    result.fields.emplace(field.name, everywhere(field.type, roots));
  return result;
}

Sharing either(const Sharing& a, const Sharing& b) {
  Sharing result = a;
  result.roots.insert(b.roots.begin(), b.roots.end());
  for (const auto& [name, field] : b.fields) {
    const auto found = result.fields.find(name);
    if (found == result.fields.end())
      result.fields.emplace(name, field);
    else
      found->second = either(found->second, field);
  }
  return result;
}

Sharing part(const Sharing& sharing, const std::string& field) {
  const auto found = sharing.fields.find(field);
  if (found != sharing.fields.end()) return found->second;
  return {sharing.roots, {}};
}

class Consumption {
 public:
  explicit Consumption(source::Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  void check(Definition& definition, bool infers_result) {
    const Sharing result = function_body(definition.params, definition.body);
    if (infers_result)
      infer_unique(definition, result);
    else
      expect_unique(definition, result);
  }

  // The result, or those of its fields that are.
  void infer_unique(Definition& definition, const Sharing& result) {
    if (!definition.params.empty()) expect_no_constant(result, definition.body.at);
    definition.unique_result = is_fresh(result) && holds_arrays(definition.result);
    const auto* record = std::get_if<RecordType>(&definition.result.node);
    if (definition.unique_result || !record) return;
    const Roots shared = shared_by_parts(result);
    for (const Field& field : record->fields) {
      const Sharing own = part(result, field.name);
      const Roots roots = all_roots(own);
      const bool apart = std::none_of(roots.begin(), roots.end(),
                                      [&](int root) { return shared.count(root) > 0; });
      if (holds_arrays(field.type) && apart && is_fresh(own))
        definition.unique_fields.push_back(field.name);
    }
  }

 private:
  enum class Owner { scope, parameter, constant };
  struct Root {
    std::string text;
    Owner owner;
    int depth;
  };

  // ---- Names
  // -------------------------------------------------------------------------------------
  void bind(const Pattern& pattern, const Sharing& sharing, Owner owner = Owner::scope) {
    match(
        pattern.node, [](const WildcardPattern&) {}, [](const LiteralPattern&) {},
        [&](const NamePattern& name) {
          if (!holds_arrays(pattern.type)) return;
          const bool unique = pattern.unique || owner == Owner::scope || is_linear(pattern.type);
          const Root root{name.name.text, unique ? Owner::scope : owner, depth_};
          Sharing own = sharing;
          if (own.fields.empty() && own.roots.empty()) own = everywhere(pattern.type, {});
          Roots& roots = own_roots_[name.name.id];
          roots.clear();
          add_roots(own, pattern.type, root, name.name.id, roots);
          sharing_[name.name.id] = std::move(own);
        },
        [&](const RecordPattern& record) {
          for (const PatternField& field : record.fields) {
            Pattern inner = field.pattern;
            inner.unique = inner.unique || pattern.unique;
            bind(inner, part(sharing, field.name), owner);
          }
        },
        [&](const ConstructorPattern& constructor) {
          for (const Pattern& payload : constructor.payload)
            bind(payload, everywhere(payload.type, all_roots(sharing)), owner);
        });
  }

  /// A root for each array of the value, so that fields of a record are consumed one by one.
  void add_roots(Sharing& sharing, const Type& type, const Root& root, int id, Roots& added) {
    if (!holds_arrays(type)) return;
    const auto* record = std::get_if<RecordType>(&type.node);
    if (!record || sharing.fields.empty()) {
      roots_[id] = root;
      sharing.roots.insert(id);
      added.insert(id);
    }
    if (!record) return;
    for (auto& [name, field] : sharing.fields)
      if (const Field* found = find_field(*record, name))
        add_roots(field, found->type, {root.text + "." + name, root.owner, root.depth},
                  next_root_--, added);
  }

  /// What a variable shares, or a field of one; without looking whether it is consumed.
  Sharing of_variable(const Var& var, const Type& type) {
    if (is_intrinsic(var.name) || !holds_arrays(type)) return {};
    const auto found = sharing_.find(var.name.id);
    if (found != sharing_.end()) return found->second;
    if (!var.type_args.empty() || !var.size_args.empty()) return {};  // made anew for each use
    roots_[var.name.id] = {var.name.text, Owner::constant, 0};
    return of_constant(type, var.name.id);
  }

  /// Functions in it make what they yield, and what an abstract type hides is no array to the user.
  static Sharing of_constant(const Type& type, int root) {
    if (std::holds_alternative<TypeVariable>(type.node) || !holds_data(type)) return {};
    const auto* record = std::get_if<RecordType>(&type.node);
    if (!record) return {{root}, {}};
    Sharing result;
    for (const Field& field : record->fields)
      result.fields.emplace(field.name, of_constant(field.type, root));
    return result;
  }

  void use(const Sharing& sharing, const std::string& text, SourceRange at) {
    if (at == reported_) return;
    for (const int root : all_roots(sharing)) {
      uses_.push_back({root, text, at});
      const auto found = consumed_.find(root);
      if (found == consumed_.end()) continue;
      reported_ = at;
      source::Diagnostic& diagnostic =
          diagnostics_.report(Message::use_after_consumption, at, text);
      diagnostic.notes.push_back({found->second, "`" + roots_[root].text + "` is consumed here"});
      return;
    }
  }

  void consume(const Sharing& sharing, SourceRange at) {
    for (const int id : all_roots(sharing)) {
      const Root& root = roots_[id];
      if (root.owner == Owner::parameter)
        diagnostics_.report(Message::consumes_parameter, at, root.text)
            .notes.push_back({at, "write `*` before the parameter's type, or `copy`"});
      else if (root.owner == Owner::constant)
        diagnostics_.report(Message::consumes_constant, at, root.text);
      else if (root.depth < depth_)
        diagnostics_.report(Message::consumes_outer, at, root.text);
      else {
        consumed_.emplace(id, at);
        ++consumptions_[depth_];
        continue;
      }
      return;
    }
  }

  /// Nothing else has to do with its memory, and no two parts share any.
  bool is_fresh(const Sharing& sharing) {
    const Roots roots = all_roots(sharing);
    if (!shared_by_parts(sharing).empty()) return false;
    return std::all_of(roots.begin(), roots.end(), [&](int root) {
      return roots_[root].owner == Owner::scope && roots_[root].depth >= depth_;
    });
  }
  void expect_unique(const Definition& definition, const Sharing& result) {
    expect_unique(definition.unique_result, definition.unique_fields, result, definition.body.at);
    if (!definition.params.empty()) expect_no_constant(result, definition.body.at);
  }
  void expect_unique(bool all, const std::vector<std::string>& fields, const Sharing& result,
                     SourceRange at) {
    if (all) expect_fresh(result, at);
    const Roots shared = all || !fields.empty() ? shared_by_parts(result) : Roots();
    if (all && !shared.empty()) return report_not_unique(shared, at);
    for (const std::string& field : fields) {
      expect_fresh(part(result, field), at);
      for (const int root : all_roots(part(result, field)))
        if (shared.count(root)) return report_not_unique({root}, at);
    }
  }
  void report_not_unique(const Roots& roots, SourceRange at) {
    diagnostics_.report(Message::result_not_unique, at, roots_[*roots.begin()].text);
  }
  /// A function makes what it yields, or has it from its arguments.
  void expect_no_constant(const Sharing& result, SourceRange at) {
    for (const int root : all_roots(result)) {
      if (roots_[root].owner != Owner::constant) continue;
      diagnostics_.report(Message::result_is_constant, at, roots_[root].text);
      return;
    }
  }
  /// The roots that several fields have in common.
  static Roots shared_by_parts(const Sharing& sharing) {
    Roots seen, shared;
    for (const auto& [name, field] : sharing.fields) {
      shared.merge(shared_by_parts(field));
      for (const int root : all_roots(field))
        if (!seen.insert(root).second) shared.insert(root);
    }
    return shared;
  }
  void expect_fresh(const Sharing& sharing, SourceRange at) {
    for (const int root : all_roots(sharing)) {
      if (roots_[root].owner == Owner::scope && roots_[root].depth >= depth_) continue;
      diagnostics_.report(Message::result_not_unique, at, roots_[root].text);
      return;
    }
  }

  // ---- Expressions
  // ---------------------------------------------------------------------------------
  Sharing function_body(const std::vector<Pattern>& params, const Exp& body) {
    for (const Pattern& param : params) bind(param, {}, Owner::parameter);
    return visit(body);
  }

  Sharing visit(const Exp& exp) {
    const Exp* at = &exp;
    while (true) {  // rows of lets are long
      if (const auto* let = std::get_if<Let>(&at->node)) {
        bind(let->pattern, visit_kept(*let->bound));
        at = &*let->body;
      } else if (const auto* function = std::get_if<LetFunction>(&at->node)) {
        local_function(*function->definition);
        at = &*function->body;
      } else {
        return visit_node(*at);
      }
    }
  }

  /// A function that was made by consuming something could be applied more than once.
  Sharing visit_kept(const Exp& exp) {
    const int before = consumptions_[depth_];
    const Sharing sharing = visit(exp);
    if (consumptions_[depth_] != before && mentions_function(exp.type))
      diagnostics_.report(Message::function_of_consumed, exp.at);
    return sharing;
  }

  void local_function(const Definition& definition) {
    const std::set<int> captured = closure(definition.body);
    ++depth_;
    const Sharing result = function_body(definition.params, definition.body);
    expect_unique(definition, result);
    if (is_fresh(result)) fresh_functions_.insert(definition.name.id);
    --depth_;
    roots_[definition.name.id] = {definition.name.text, Owner::scope, depth_};
    sharing_[definition.name.id] = {captured, {}};
  }

  /// What the free variables of a function share.
  Roots closure(const Exp& body) {
    Roots roots;
    if (const auto* var = std::get_if<Var>(&body.node)) {
      const auto found = sharing_.find(var->name.id);
      if (found != sharing_.end()) roots.merge(all_roots(found->second));
    }
    for_each_child(body, [&](const Exp& child) { roots.merge(closure(child)); });
    return roots;
  }

  Sharing visit_node(const Exp& exp) {
    return match(
        exp.node, [](const Literal&) -> Sharing { return {}; },
        [](const StringLiteral&) -> Sharing { return {}; },
        [](const Hole&) -> Sharing { return {}; }, [](const Let&) -> Sharing { return {}; },
        [](const LetFunction&) -> Sharing { return {}; },
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
        [&](const Lambda& lambda) -> Sharing {
          const Roots captured = closure(*lambda.body);
          ++depth_;
          const Sharing result = function_body(lambda.params, *lambda.body);
          if (const auto* type = function_type_after(exp.type, lambda.params.size()))
            expect_unique(type->unique_result, type->unique_fields, result, lambda.body->at);
          expect_no_constant(result, lambda.body->at);
          --depth_;
          return {captured, {}};
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

  /// The innermost arrow of a function with so many parameters.
  static const FunctionType* function_type_after(const Type& type, std::size_t params) {
    const Type* at = &type;
    for (std::size_t i = 1; i < params; ++i) {
      const auto* function = std::get_if<FunctionType>(&at->node);
      if (!function) return nullptr;
      at = &*function->to;
    }
    return std::get_if<FunctionType>(&at->node);
  }

  // r.x is a use of the field alone.
  Sharing visit_project(const Project& project, const Exp& exp) {
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

  void visit_indices(const std::vector<DimIndex>& indices) {
    for (const DimIndex& index : indices) {
      match(
          index, [&](const Box<Exp>& exp) { visit(*exp); },
          [&](const SliceIndex& slice) {
            for (const auto* bound : {&slice.start, &slice.end, &slice.stride})
              if (*bound) visit(***bound);
          });
    }
  }

  Sharing visit_update(const Update& update, SourceRange at) {
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

  /// f x y: arguments are evaluated first, then consumed. The result shares what the function does
  /// not make itself.
  Sharing visit_apply(const Exp& exp) {
    std::vector<const Exp*> applications;
    const Exp* at = &exp;
    while (const auto* apply = std::get_if<Apply>(&at->node)) {
      applications.insert(applications.begin(), at);
      at = &*apply->function;
    }
    const auto* head = std::get_if<Var>(&at->node);
    const auto* once = head ? function_applied_once(*head, applications) : nullptr;
    if (once) return visit_with_accumulator(applications, *once);
    Roots roots = all_roots(visit(*at));
    bool fresh = head && fresh_functions_.count(head->name.id);
    std::vector<std::pair<Sharing, const Exp*>> consumed;
    std::vector<std::string> unique_fields;
    for (const Exp* application : applications) {
      const Apply& apply = std::get<Apply>(application->node);
      const Sharing argument = visit_kept(*apply.argument);
      const auto* type = std::get_if<FunctionType>(&apply.function->type.node);
      if (type && (type->consumes || is_linear(*type->from)))
        consumed.emplace_back(argument, &*apply.argument);
      else
        roots.merge(all_roots(argument));
      if (application == &exp && type && type->unique_result) fresh = true;
      if (application == &exp && type) unique_fields = type->unique_fields;
    }
    for (const auto& [sharing, argument] : consumed) {
      if (const Roots shared = shared_by_parts(sharing); !shared.empty())
        diagnostics_.report(Message::consumes_shared, argument->at, roots_[*shared.begin()].text);
      for (const int root : all_roots(sharing)) {
        if (!roots.count(root)) continue;
        diagnostics_.report(Message::consumes_shared, argument->at, roots_[root].text);
        break;
      }
      use(sharing, "the argument", argument->at);
      consume(sharing, argument->at);
    }
    if (fresh && !std::holds_alternative<FunctionType>(exp.type.node)) return {};
    // What is not said to be unique may share memory with the rest of the result.
    if (std::holds_alternative<RecordType>(exp.type.node) && !(head && is_unzip(*head)))
      roots.insert(new_root("the result of a function"));
    Sharing result = everywhere(exp.type, roots);
    for (const std::string& field : unique_fields) result.fields[field] = {};
    return result;
  }

  /// The prelude's unzip, unzip3, ...: the parts share with each other only what those of the
  /// argument do. Their types cannot say so.
  static bool is_unzip(const Var& head) {
    const bool renamed = is_intrinsic(head.name) && intrinsic_of(head.name) == Intrinsic::unzip;
    return renamed || (head.of_prelude && head.name.text.rfind("unzip", 0) == 0);
  }

  /// The lambda that core.with_add or its like is applied to.
  static const Lambda* function_applied_once(const Var& head,
                                             const std::vector<const Exp*>& applications) {
    if (!is_intrinsic(head.name) || !opens_accumulator(intrinsic_of(head.name))) return nullptr;
    const auto arity = static_cast<std::size_t>(arity_of(intrinsic_of(head.name)));
    if (applications.size() != arity) return nullptr;
    return std::get_if<Lambda>(&std::get<Apply>(applications.back()->node).argument->node);
  }

  /// The body runs exactly once, as if it stood here, so that it may consume accumulators from
  /// outside. What it yields is the result.
  Sharing visit_with_accumulator(const std::vector<const Exp*>& applications,
                                 const Lambda& function) {
    for (const Exp* application : applications) {
      const Apply& apply = std::get<Apply>(application->node);
      if (application == applications.back()) break;
      const Sharing argument = visit(*apply.argument);
      const auto* type = std::get_if<FunctionType>(&apply.function->type.node);
      if (!type || !type->consumes) continue;
      use(argument, "the argument", apply.argument->at);
      consume(argument, apply.argument->at);
    }
    return function_body(function.params, *function.body);
  }

  Sharing branches(const std::vector<const Exp*>& bodies) {
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

  int new_root(const std::string& text) {
    roots_[next_root_] = {text, Owner::scope, depth_};
    return next_root_--;
  }

  /// What one branch consumes and another yields belongs to the result alone.
  static Sharing with_roots(const Sharing& sharing, const std::map<int, int>& renewed) {
    Sharing result;
    for (const int root : sharing.roots) {
      const auto found = renewed.find(root);
      result.roots.insert(found == renewed.end() ? root : found->second);
    }
    for (const auto& [name, field] : sharing.fields)
      result.fields.emplace(name, with_roots(field, renewed));
    return result;
  }

  Sharing visit_match(const Match& node) {
    const Sharing scrutinee = visit(*node.scrutinee);
    std::vector<const Exp*> bodies;
    for (const Case& alternative : node.cases) {
      bind(alternative.pattern, scrutinee);
      bodies.push_back(&alternative.body);
    }
    return branches(bodies);
  }

  // ---- Loops
  // ----------------------------------------------------------------------------------------- A
  // loop parameter that the body consumes consumes the initial value, and its next value must be
  // its own.
  Sharing visit_loop(const Loop& loop) {
    const Sharing initial = visit(*loop.initial);
    match(
        loop.form, [&](const ForLoop& form) { visit(*form.bound); },
        [&](const ForInLoop& form) {
          const Sharing array = visit(*form.array);
          bind(form.element, everywhere(form.element.type, all_roots(array)));
        },
        [](const WhileLoop&) {});
    ++depth_;
    const std::size_t first_use = uses_.size();
    bind(loop.pattern, {});
    if (const auto* form = std::get_if<WhileLoop>(&loop.form)) visit(*form->condition);
    const Sharing next = visit(*loop.body);
    const int inner = depth_--;
    const LoopBody body{loop, inner, first_use, shared_by_parts(next)};
    std::map<int, int> renewed;
    return loop_result(loop.pattern, initial, next, body, renewed);
  }

  struct LoopBody {
    const Loop& loop;
    int depth;
    std::size_t first_use;  // in it, of uses_
    Roots shared;           // by several of the next values
  };
  /// `renewed` has the roots that stand for those of the body after the loop.
  Sharing loop_result(const Pattern& pattern, const Sharing& initial, const Sharing& next,
                      const LoopBody& body, std::map<int, int>& renewed) {
    if (!holds_arrays(pattern.type)) return {};
    if (const auto* record = std::get_if<RecordPattern>(&pattern.node)) {
      Sharing result;
      for (const PatternField& field : record->fields) {
        Pattern inner_pattern = field.pattern;
        inner_pattern.unique = inner_pattern.unique || pattern.unique;
        result.fields[field.name] = loop_result(inner_pattern, part(initial, field.name),
                                                part(next, field.name), body, renewed);
      }
      return result;
    }
    const auto* name = std::get_if<NamePattern>(&pattern.node);
    if (pattern.unique || (name && is_consumed(name->name))) {
      use(initial, "the initial value", body.loop.initial->at);
      consume(initial, body.loop.initial->at);
      check_uses_in(body, initial);
      for (const int root : all_roots(next)) {
        if (roots_[root].depth >= body.depth && !body.shared.count(root)) continue;
        diagnostics_.report(Message::loop_result_shares, body.loop.body->at,
                            name ? name->name.text : "_", roots_[root].text);
        break;
      }
      return everywhere(pattern.type, {});
    }
    Roots outer = all_roots(initial);
    for (const int root : all_roots(next)) {
      if (roots_[root].depth < body.depth)
        outer.insert(root);
      else if (body.shared.count(root))
        outer.insert(renewed.try_emplace(root, 0).first->second
                         ? renewed[root]
                         : renewed[root] = new_root(roots_[root].text));
    }
    return everywhere(pattern.type, outer);
  }

  bool is_consumed(const Name& name) {
    const Roots& roots = own_roots_[name.id];
    return std::any_of(roots.begin(), roots.end(),
                       [&](int root) { return consumed_.count(root) > 0; });
  }

  /// What the loop consumes at its first iteration is used by none.
  void check_uses_in(const LoopBody& body, const Sharing& initial) {
    const Roots roots = all_roots(initial);
    for (std::size_t i = body.first_use; i < uses_.size(); ++i) {
      const Use& use = uses_[i];
      if (!roots.count(use.root) || use.at == body.loop.initial->at) continue;
      diagnostics_.report(Message::use_after_consumption, use.at, use.text)
          .notes.push_back(
              {body.loop.initial->at, "`" + roots_[use.root].text + "` is consumed here"});
      return;
    }
  }

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

}  // namespace

void check_uniqueness(Definition& definition, bool infers_result,
                      source::Diagnostics& diagnostics) {
  Consumption(diagnostics).check(definition, infers_result);
}

}  // namespace boustro::check
