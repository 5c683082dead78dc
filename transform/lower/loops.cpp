// Loops. A loop's parameters are the leaves of its pattern, after the sizes that change with the
// iterations. A while loop carries its condition as its last parameter, unless it is one of the others.
#include <algorithm>
#include <unordered_set>

#include "transform/lower/arrays.hpp"
#include "transform/lower/consumption.hpp"
#include "transform/lower/expression.hpp"
#include "transform/lower/patterns.hpp"
#include "transform/lower/sizes.hpp"
#include "transform/lower/sums.hpp"

namespace boustro::lower {
namespace {

/// The atoms that a loop carries: sizes, leaves, and the condition of a while loop.
using Carried = std::vector<Atom>;

class LoopLowering {
 public:
  LoopLowering(Context& context, Scope& scope, const check::Loop& e)
      : context_(context), outer_(scope), e_(e), while_(std::get_if<check::WhileLoop>(&e.form)) {}

  Value run() {
    const Value first = lower_exp(context_, outer_, *e_.initial);
    bind_form();
    ir::Loop loop;
    Carried initial;
    do {
      initial = carried(outer_, first);
      const Value params = make_params(initial);
      find_attributes(e_.pattern, params, false);
      loop.body = context_.body([&] { return lower_body(params); });
    } while (find_hidden_sizes(initial, loop.body.result));
    for (std::size_t i = 0; i < params_.size(); ++i)
      loop.params.push_back({params_[i], initial.at(i), true_deps_.contains(params_[i].name)});
    loop.form = form_;
    mark_unique(context_, loop, said_unique_);
    return emit(std::move(loop));
  }

 private:
  /// Brings a value of the pattern's type into the form that is carried; sizes are bound in a scope
  /// of their own.
  Carried carried(const Scope& around, const Value& result) {
    const Value value = make_dynamic(context_, result);
    Scope* scope = context_.new_scope(&around);
    const Setting only_sizes(context_.keep_names, true);
    bind_sizes(context_, *scope, e_.sizes, e_.pattern.type, value);
    Carried atoms;
    for (const check::Name& size : e_.sizes) atoms.push_back(atom_of(*scope->find_value(size.id)));
    const Value fitting = coerce(context_, value, evaluate_type(context_, *scope, e_.pattern.type));
    const std::vector<Atom> all = leaves(fitting);
    for (const auto& [leaf, d] : hidden_sizes_)
      atoms.push_back(context_.names.type_of(all.at(leaf)).shape.at(d));
    atoms.insert(atoms.end(), all.begin(), all.end());
    if (while_ && !condition_is_param_) {
      bind_pattern(context_, *scope, e_.pattern, fitting);
      atoms.push_back(atom_of(lower_exp(context_, *scope, *while_->condition)));
    }
    return atoms;
  }

  void bind_form() {
    ir::match(
        e_.form,
        [&](const check::ForLoop& form) {
          const Atom bound = atom_of(lower_exp(context_, outer_, *form.bound));
          const PrimType type = context_.names.type_of(bound).elem;
          form_ = ir::ForLoop{context_.names.bind_fresh("i", ir::scalar(type)), type, bound};
        },
        [&](const check::ForInLoop& form) {
          elements_ = lower_exp(context_, outer_, *form.array);
          const Type type = evaluate_type(context_, outer_, form.array->type);
          const Size known = std::get<ArrayType>(type.node).size;
          const Atom width = known ? *known : size_of(context_, elements_, 0);
          form_ = ir::ForLoop{context_.names.bind_fresh("i", ir::scalar(PrimType::i64)),
                              PrimType::i64, width};
        },
        [](const check::WhileLoop&) {});
  }

  /// Fresh parameters, and the pattern's value in terms of them. Binds the sizes in the scope of
  /// the body.
  Value make_params(const Carried& initial) {
    body_scope_ = context_.new_scope(&outer_);
    params_.clear();
    for (const check::Name& size : e_.sizes) {
      params_.push_back(context_.names.fresh_param(size.text, ir::scalar(PrimType::i64)));
      body_scope_->bind(size, {params_.back().name});
    }
    type_ = evaluate_type(context_, *body_scope_, e_.pattern.type);
    std::vector<Leaf> wanted = leaves_of(type_);
    for (const auto& [leaf, d] : hidden_sizes_) {
      params_.push_back(context_.names.fresh_param("n", ir::scalar(PrimType::i64)));
      wanted[leaf].shape[d] = params_.back().name;
    }
    std::vector<Atom> atoms;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const ir::Type actual = context_.names.type_of(initial.at(size_count() + i));
      for (std::size_t d = 0; d < wanted[i].shape.size(); ++d) {
        if (!wanted[i].shape[d]) wanted[i].shape[d] = actual.shape.at(d);
      }
      params_.push_back(context_.names.fresh_param("x", core_type(wanted[i])));
      atoms.push_back(params_.back().name);
    }
    const Value value = from_leaves(type_, atoms);
    if (condition_is_param_) {
      form_ = ir::WhileLoop{condition_among(value)};
    } else if (while_) {
      params_.push_back(context_.names.fresh_param("continues", ir::scalar(PrimType::boolean)));
      form_ = ir::WhileLoop{params_.back().name};
    }
    return value;
  }

  /// `while go`, where `go` is a name in the pattern: no condition needs to be carried besides.
  static bool names_condition(const check::Pattern& pattern, const check::Loop& e) {
    const auto* loop = std::get_if<check::WhileLoop>(&e.form);
    const auto* condition = loop ? std::get_if<check::Var>(&loop->condition->node) : nullptr;
    if (!condition) return false;
    if (const auto* name = std::get_if<check::NamePattern>(&pattern.node))
      return name->name.id == condition->name.id;
    const auto* record = std::get_if<check::RecordPattern>(&pattern.node);
    return record && std::any_of(record->fields.begin(), record->fields.end(),
                                 [&](const auto& f) { return names_condition(f.pattern, e); });
  }

  ir::Name condition_among(const Value& params) {
    Scope* scope = context_.new_scope(&outer_);
    const Setting only_sizes(context_.keep_names, true);
    bind_pattern(context_, *scope, e_.pattern, params);
    return std::get<ir::Name>(atom_of(lower_exp(context_, *scope, *while_->condition)));
  }

  /// The parameters that the pattern marks.
  void find_attributes(const check::Pattern& pattern, const Value& value, bool is_unique) {
    is_unique = is_unique || pattern.unique;
    for (const Atom& leaf : leaves(value)) {
      if (pattern.true_dep) true_deps_.insert(std::get<ir::Name>(leaf));
      if (is_unique) said_unique_.insert(std::get<ir::Name>(leaf));
    }
    if (const auto* record = std::get_if<check::RecordPattern>(&pattern.node))
      for (const check::PatternField& f : record->fields) find_attributes(f.pattern, field(value, f.name), is_unique);
  }

  /// A type may not tell a size, as that of a type parameter that hides sizes. If the body changes
  /// such a size, it is carried too. False if none was found.
  bool find_hidden_sizes(const Carried& initial, const Carried& next) {
    const std::vector<Leaf> wanted = leaves_of(type_);
    const std::size_t count = size_count(), known = hidden_sizes_.size();
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const ir::Shape before = context_.names.type_of(initial.at(count + i)).shape;
      const ir::Shape after = context_.names.type_of(next.at(count + i)).shape;
      for (std::size_t d = 0; d < before.size(); ++d) {
        const std::pair place(i, d);
        const bool is_known =
            std::find(hidden_sizes_.begin(), hidden_sizes_.end(), place) != hidden_sizes_.end();
        if (!wanted[i].shape[d] && !is_known && before[d] != after[d])
          hidden_sizes_.push_back(place);
      }
    }
    return hidden_sizes_.size() > known;
  }

  std::size_t size_count() const { return e_.sizes.size() + hidden_sizes_.size(); }

  Carried lower_body(const Value& params) {
    bind_pattern(context_, *body_scope_, e_.pattern, params);
    ir::match(
        e_.form,
        [&](const check::ForLoop& form) {
          bind_pattern(context_, *body_scope_, form.index, {index()});
        },
        [&](const check::ForInLoop& form) {
          const Value element = index_value(context_, elements_, {ir::DimIndex(index())}, false);
          bind_pattern(context_, *body_scope_, form.element, element);
        },
        [](const check::WhileLoop&) {});
    return carried(*body_scope_, lower_exp(context_, *body_scope_, *e_.body));
  }

  Atom index() const { return std::get<ir::ForLoop>(form_).index; }

  Value emit(ir::Loop loop) {
    std::vector<ir::Param> pattern;
    ir::Substitution sizes;
    for (const ir::LoopParam& p : loop.params) {
      ir::Type type = p.param.type;
      for (Atom& size : type.shape) {
        const ir::Name* name = ir::name_in(size);
        if (name && sizes.contains(*name)) size = sizes.at(*name);
      }
      pattern.push_back(context_.names.fresh_param(context_.called(p.param.name), type));
      if (type.is_scalar()) sizes.emplace(p.param.name, pattern.back().name);
    }
    std::vector<Atom> atoms;
    const std::size_t end = pattern.size() - (while_ && !condition_is_param_ ? 1 : 0);
    for (std::size_t i = size_count(); i < end; ++i) atoms.push_back(pattern[i].name);
    context_.emit(std::move(pattern), std::move(loop));
    return from_leaves(type_, atoms);
  }

  Context& context_;
  Scope& outer_;
  const check::Loop& e_;
  const check::WhileLoop* while_;
  const bool condition_is_param_ = names_condition(e_.pattern, e_);
  Scope* body_scope_ = nullptr;
  std::variant<ir::ForLoop, ir::WhileLoop> form_;
  Value elements_;
  std::vector<ir::Param> params_;
  std::unordered_set<ir::Name> true_deps_;
  std::unordered_set<ir::Name> said_unique_;
  Type type_;
  std::vector<std::pair<std::size_t, std::size_t>> hidden_sizes_;  // of which leaf, which dimension
};

}  // namespace

Value lower_loop(Context& context, Scope& scope, const check::Exp& exp, const check::Loop& e) {
  const Value result = LoopLowering(context, scope, e).run();
  bind_sizes(context, scope, e.existentials, exp.type, result);
  return result;
}

}  // namespace boustro::lower
