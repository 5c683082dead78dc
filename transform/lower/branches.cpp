// If and match. A branch whose condition is known costs nothing.
#include <functional>
#include <map>

#include "transform/lower/expression.hpp"
#include "transform/lower/patterns.hpp"
#include "transform/lower/sizes.hpp"
#include "transform/lower/sums.hpp"

namespace boustro::lower {
namespace {

using Branch = std::function<Value()>;

/// The body of a branch: its value's leaves, brought to the sizes that the type names.
ir::Body lower_branch(Context& context, const Type& type, const Branch& branch) {
  return context.body([&] {
    const Value value = make_dynamic(context, branch());
    return leaves(coerce(context, value, type));
  });
}

/// Makes the pattern of an If. Sizes in which the branches differ become the first results.
class Join {
 public:
  Join(Context& context, ir::Body& then_body, ir::Body& else_body)
      : context_(context), then_(then_body), else_(else_body) {}

  std::vector<ir::Param> pattern(const std::vector<Leaf>& wanted) {
    std::vector<ir::Param> results;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      results.push_back(
          context_.names.fresh_param("result", type(then_.result[i], else_.result[i], wanted[i])));
    }
    add_sizes(then_, then_sizes_);
    add_sizes(else_, else_sizes_);
    sizes_.insert(sizes_.end(), results.begin(), results.end());
    return std::move(sizes_);
  }

  std::size_t size_count() const { return then_sizes_.size(); }

 private:
  ir::Type type(const Atom& then_atom, const Atom& else_atom, const Leaf& wanted) {
    ir::Type result = context_.names.type_of(then_atom);
    const ir::Type other = context_.names.type_of(else_atom);
    for (std::size_t d = 0; d < result.shape.size(); ++d) {
      const bool stays = context_.printed && result.shape[d] == other.shape[d];
      result.shape[d] = wanted.shape[d] && !stays ? *wanted.shape[d] : size(result.shape[d], other.shape[d]);
    }
    return result;
  }

  Atom size(const Atom& then_size, const Atom& else_size) {
    if (then_size == else_size) return then_size;
    for (std::size_t i = 0; i < then_sizes_.size(); ++i) {
      if (then_sizes_[i] == then_size && else_sizes_[i] == else_size) return sizes_[i].name;
    }
    then_sizes_.push_back(then_size);
    else_sizes_.push_back(else_size);
    const ir::Name* name = ir::name_in(then_size);
    sizes_.push_back(
        context_.names.fresh_param(name ? context_.called(*name) : "n", ir::scalar(PrimType::i64)));
    return sizes_.back().name;
  }

  static void add_sizes(ir::Body& body, const std::vector<Atom>& sizes) {
    body.result.insert(body.result.begin(), sizes.begin(), sizes.end());
  }

  Context& context_;
  ir::Body& then_;
  ir::Body& else_;
  std::vector<Atom> then_sizes_, else_sizes_;
  std::vector<ir::Param> sizes_;
};

Value branch_on(Context& context, const Atom& condition, const Type& type,
                const Branch& then_branch, const Branch& else_branch) {
  if (const PrimValue* known = ir::literal_in(condition))
    return known->as_bool() ? then_branch() : else_branch();
  ir::If result{condition, lower_branch(context, type, then_branch),
                lower_branch(context, type, else_branch)};
  Join join(context, result.then_body, result.else_body);
  std::vector<ir::Param> pattern = join.pattern(leaves_of(type));
  std::vector<Atom> atoms;
  for (std::size_t i = join.size_count(); i < pattern.size(); ++i) atoms.push_back(pattern[i].name);
  context.emit(std::move(pattern), std::move(result));
  return from_leaves(type, atoms);
}

class Matcher {
 public:
  Matcher(Context& context, Scope& scope, const check::Match& e, Value scrutinee, const Type& type)
      : context_(context),
        scope_(scope),
        cases_(e.cases),
        scrutinee_(std::move(scrutinee)),
        type_(type) {}

  /// Tries the cases from number `first` on. The last one matches, since matches are exhaustive.
  Value from(std::size_t first) {
    const check::Case& c = cases_.at(first);
    const bool last = first + 1 == cases_.size();
    const At here(context_, c.at);
    const Atom matches =
        last ? Atom(PrimValue::of_bool(true)) : match_pattern(context_, c.pattern, scrutinee_);
    return branch_on(
        context_, matches, type_, [&] { return body(c); }, [&] { return from(first + 1); });
  }

 private:
  Value body(const check::Case& c) {
    bind_pattern(context_, scope_, c.pattern, scrutinee_);
    return lower_exp(context_, scope_, c.body);
  }

  Context& context_;
  Scope& scope_;
  const std::vector<check::Case>& cases_;
  const Value scrutinee_;
  const Type& type_;
};

}  // namespace

Value lower_if(Context& context, Scope& scope, const check::Exp& exp, const check::If& e) {
  const Atom condition = atom_of(lower_exp(context, scope, *e.condition));
  const Type type = evaluate_type(context, scope, exp.type);
  const Value result = branch_on(
      context, condition, type, [&] { return lower_exp(context, scope, *e.then_branch); },
      [&] { return lower_exp(context, scope, *e.else_branch); });
  bind_sizes(context, scope, e.existentials, exp.type, result);
  return result;
}

Value lower_match(Context& context, Scope& scope, const check::Exp& exp, const check::Match& e) {
  Value scrutinee = lower_exp(context, scope, *e.scrutinee);
  const Type type = evaluate_type(context, scope, exp.type);
  const Value result = Matcher(context, scope, e, std::move(scrutinee), type).from(0);
  bind_sizes(context, scope, e.existentials, exp.type, result);
  return result;
}

}  // namespace boustro::lower
