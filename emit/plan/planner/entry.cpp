#include "emit/plan/planner/entry.hpp"

#include <algorithm>
#include <functional>
#include <map>

#include "emit/plan/planner/code.hpp"
#include "emit/plan/walk.hpp"
#include "frontend/source/messages.hpp"
#include "transform/ir/print.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::plan::planner {
namespace {

std::vector<std::string> shape_text(const View& view) {
  std::vector<std::string> shape;
  for (const Scalar& extent : view.extents) shape.push_back(to_string(extent.expr));
  return shape;
}

View dense_view(const Expr& pointer, PrimType elem, std::vector<Scalar> extents) {
  std::vector<Expr> strides(extents.size(), lit(1));
  for (std::size_t i = extents.size(); i-- > 1;)
    strides[i - 1] = times(extents[i].expr, strides[i]);
  return {elem, std::move(extents), Memory{pointer, lit(0), std::move(strides)}};
}

/// The name of result number `i`: the one that the program computes it under, if that says
/// something.
std::string result_base(const ir::Function& function, std::size_t i) {
  const ir::Name* name = ir::name_in(function.body.result[i]);
  bool parameter = false;
  for (const ir::Param& param : function.params)
    parameter = parameter || (name && param.name == *name);
  if (name && !parameter && !name->base.empty() &&
      std::isalpha(static_cast<unsigned char>(name->base[0]))) {
    return name->base;
  }
  return "result";
}

Surroundings on_the_host() {
  Surroundings around;
  around.host = true;
  return around;
}

class InterfacePlanner {
 public:
  InterfacePlanner(Context& context, const ir::Function& function, Identifiers& identifiers)
      : context_(context),
        function_(function),
        identifiers_(identifiers),
        arithmetic_(context, identifiers, on_the_host()) {}

  Interface run() {
    Entry& entry = context_.entry;
    entry.name = context_.entry_name(function_);
    entry.doc = function_.doc.empty() ? std::vector<std::string>{} : std::vector{function_.doc};
    entry.source = context_.line_of(ir::Provenance{{function_.at}, {}, ir::Sweep::none});
    entry.scratch.name = context_.file_name(type_name(entry.name) + "Scratch");
    identifiers_.reserve(entry.name);
    sizes();
    inputs();
    outputs();
    auto& params = entry.params;
    params.insert(params.end(), outputs_.begin(), outputs_.end());
    params.insert(params.end(), inputs_.begin(), inputs_.end());
    params.insert(params.end(), sizes_.begin(), sizes_.end());
    return std::move(interface_);
  }

 private:
  std::string named(std::string_view base) {
    const std::string result = identifiers_.fresh(base);
    if (result != base) context_.entry.renamed.push_back(std::string(base) + " is " + result);
    return result;
  }

  void bind(const ir::Name& name, Value value) {
    if (const auto* scalar = std::get_if<Scalar>(&value)) {
      Scalar in_sizes = *scalar;
      // Whatever makes a size overflow is too large for an array.
      if (!in_sizes.range) in_sizes.range = Range{-size_range.high, size_range.high};
      arithmetic_.bind(name, in_sizes);
    }
    interface_.values.emplace_back(name, std::move(value));
  }

  Scalar value_of(const ir::Atom& atom) {
    if (const auto known = size_of(atom)) return *known;
    source::refuse(source::Message::plan_cannot_translate, function_.at,
                   "an entry point whose result has a size that depends on data");
  }

  /// A literal, a parameter, or what integer arithmetic makes of them at the start of the function.
  std::optional<Scalar> size_of(const ir::Atom& atom) {
    if (const auto* value = ir::literal_in(atom)) return literal(*value);
    const auto& name = std::get<ir::Name>(atom);
    if (arithmetic_.knows(name)) return arithmetic_.scalar(name);
    for (const ir::Stm& stm : function_.body.stms) {
      if (stm.pattern.empty() || !(stm.pattern[0].name == name)) continue;
      if (!ir::is_size_arithmetic(stm.exp)) return std::nullopt;
      bool known = true;
      ir::for_each_atom(stm.exp,
                        [&](const ir::Atom& operand) { known = known && size_of(operand); });
      if (!known) return std::nullopt;
      const Scalar size = arithmetic_.scalar_exp(stm.exp);
      arithmetic_.bind(name, size);
      return size;
    }
    return std::nullopt;
  }

  std::vector<Scalar> extents_of(const ir::Type& type) {
    std::vector<Scalar> extents;
    for (const ir::Atom& size : type.shape) {
      extents.push_back(value_of(size));
      if (!not_negative(extents.back().range)) extents.back().range = size_range;
    }
    return extents;
  }

  void sizes() {
    for (int i = 0; i < function_.size_params; ++i) {
      const ir::Name& name = function_.params[static_cast<std::size_t>(i)].name;
      const Expr size = var(named(name.base));
      const std::string text = std::get<Var>(size.head).name;
      sizes_.push_back({.name = text, .type = type(PrimType::i64)});
      context_.entry_sizes.insert(text);
      context_.entry.rejects.push_back({size < 0});
      bind(name, Scalar{size, size, size_range, true});
    }
  }

  void inputs() {
    for (std::size_t i = static_cast<std::size_t>(function_.size_params);
         i < function_.params.size(); ++i) {
      const ir::Param& param = function_.params[i];
      const std::string name = named(param.name.base);
      if (param.type.is_scalar()) {
        const Expr value = var(name, param.type.elem);
        inputs_.push_back({.name = name, .type = value.type});
        bind(param.name, Scalar{value, value, std::nullopt, true});
        continue;
      }
      const Expr pointer = var(name, const_pointer_to(param.type.elem));
      const View view = dense_view(pointer, param.type.elem, extents_of(param.type));
      inputs_.push_back(
          {.name = name, .type = pointer.type, .shape = shape_text(view), .access = Access::read});
      bind(param.name, view);
    }
  }

  void outputs() {
    const std::size_t first = static_cast<std::size_t>(function_.size_results);
    interface_.destinations.resize(function_.result_types.size());
    interface_.scalars.resize(function_.result_types.size());
    for (std::size_t i = first; i < function_.result_types.size(); ++i) {
      const ir::Type& type = function_.result_types[i];
      const Expr pointer =
          var(identifiers_.fresh(result_base(function_, i)), pointer_to(type.elem));
      Param param{.name = std::get<Var>(pointer.head).name,
                  .type = pointer.type,
                  .access = Access::written};
      if (type.is_scalar()) {
        interface_.scalars[i] = pointer;
      } else {
        const View view = dense_view(pointer, type.elem, extents_of(type));
        param.shape = shape_text(view);
        interface_.destinations[i] = view;
      }
      outputs_.push_back(param);
    }
  }

  Context& context_;
  const ir::Function& function_;
  Identifiers& identifiers_;
  Code arithmetic_;  // of sizes
  Interface interface_;
  std::vector<Param> outputs_, inputs_, sizes_;
};

}  // namespace

Interface plan_interface(Context& context, const ir::Function& function, Identifiers& identifiers) {
  return InterfacePlanner(context, function, identifiers).run();
}

Expr upper_size(const std::vector<Scalar>& extents) {
  std::vector<Expr> factors;
  for (const Scalar& extent : extents) {
    if (!extent.upper) {
      source::refuse(source::Message::plan_cannot_translate, {},
                     "an array whose size is known only while it runs");
    }
    factors.push_back(*extent.upper);
  }
  return product(factors);
}

View allocate_piece(Context& context, Identifiers& identifiers, const std::string& base,
                    PrimType elem, const std::vector<Scalar>& extents) {
  const std::string name = identifiers.fresh(base);
  View view = dense_view(scratch_field(name, pointer_to(elem)), elem, extents);
  context.entry.scratch.pieces.push_back(
      {.name = name, .elem = type(elem), .count = upper_size(extents), .shape = shape_text(view)});
  return view;
}

// ---- The prologue

namespace {

/// What a statement of host scalars mentions, and the variables that it sets for those behind it.
void collect_names(const Stm& stm, std::set<std::string>& mentioned, std::set<std::string>& set) {
  std::set<std::string> inside;  // variables that end with the statement
  for_each_stm({stm}, [&](const Stm& inner) {
    for_each_expr(inner, [&](const Expr& expr) { add_names(expr, mentioned); });
    if (const auto* let = std::get_if<Let>(&inner.what)) inside.insert(let->name);
    // An element of an array is no variable, although its index mentions some.
    if (const auto* assign = std::get_if<Assign>(&inner.what)) {
      if (const auto* variable = std::get_if<Var>(&assign->target.head)) set.insert(variable->name);
    }
  });
  if (const auto* let = std::get_if<Let>(&stm.what)) {
    set.insert(let->name);
  } else {
    for (const std::string& name : inside) set.erase(name);
  }
}

bool intersects(const std::set<std::string>& x, const std::set<std::string>& y) {
  return std::any_of(x.begin(), x.end(), [&](const std::string& name) { return y.contains(name); });
}

/// Moves scalars that sizes depend on to the front.
class Hoisting {
 public:
  explicit Hoisting(const Entry& entry) {
    for (const Let& size : entry.scratch.sizes) add_names(*size.value, wanted);
    for (const Piece& piece : entry.scratch.pieces) add_names(piece.count, wanted);
    for (const Run& run : entry.scratch.library)
      for (const Expr& arg : run.args) add_names(arg, wanted);
    for (const Stms* stms : {&entry.prologue, &entry.body})
      for_each_stm(*stms, [&](const Stm& stm) {
        const auto* let = std::get_if<Let>(&stm.what);
        if (let && !let->changes && let->value) values_.emplace(let->name, *let->value);
      });
  }

  std::set<std::string> wanted;
  Stms hoisted;

  /// From the last statement to the first: what sets a wanted variable moves, and wants what it mentions.
  void outermost(Stms& stms) {
    for (std::size_t i = stms.size(); i-- > 0;) {
      Stm& stm = stms[i];
      std::set<std::string> mentioned, set;
      collect_names(stm, mentioned, set);
      const bool scalar =
          std::holds_alternative<Let>(stm.what) || std::holds_alternative<For>(stm.what) ||
          std::holds_alternative<While>(stm.what) || std::holds_alternative<If>(stm.what);
      if (!scalar || !intersects(set, wanted)) {
        inside(stm);
        continue;
      }
      wanted.insert(mentioned.begin(), mentioned.end());
      move(stms, i);
    }
  }

 private:
  /// Takes the constants that are wanted out of nested code: they do not depend on it. That code may not run, so what it
  /// computes must not fail before it.
  void nested(Stms& stms) {
    for (std::size_t i = stms.size(); i-- > 0;) {
      auto* let = std::get_if<Let>(&stms[i].what);
      if (let && !let->changes && let->value && wanted.contains(let->name)) {
        let->value = without_faults(std::move(*let->value));
        add_names(*let->value, wanted);
        move(stms, i);
      } else {
        inside(stms[i]);
      }
    }
  }

  void inside(Stm& stm) {
    if (auto* loop = std::get_if<For>(&stm.what)) nested(loop->body);
    if (auto* loop = std::get_if<While>(&stm.what)) nested(loop->body);
    if (auto* block = std::get_if<Block>(&stm.what)) nested(block->body);
    if (auto* branch = std::get_if<If>(&stm.what)) {
      nested(branch->else_body);
      nested(branch->then_body);
    }
  }

  void move(Stms& stms, std::size_t i) {
    hoisted.insert(hoisted.begin(), std::move(stms[i]));
    stms.erase(stms.begin() + static_cast<std::ptrdiff_t>(i));
  }

  /// The same where it has a value, and 0 where it would divide by zero.
  Expr without_faults(Expr expr) const {
    for (Expr& arg : expr.args) arg = without_faults(std::move(arg));
    const auto* op = std::get_if<Op>(&expr.head);
    const auto fn = binary_function(expr);
    const bool divides = is_integer(expr.type) &&
                         (fn ? *fn == ir::BinOpKind::div || *fn == ir::BinOpKind::mod ||
                                   *fn == ir::BinOpKind::quot || *fn == ir::BinOpKind::rem
                             : op && (*op == Op::div || *op == Op::rem));
    if (!divides || is_nonzero(expr.args[1])) return expr;
    const Expr zero = lit(0, expr.type.prim);
    return select(equal(expr.args[1], zero), zero, expr);
  }

  /// It is a number, or max 1 n.
  bool is_nonzero(const Expr& expr) const {
    if (const auto value = int_value(expr)) return *value != 0;
    if (const auto* variable = std::get_if<Var>(&expr.head)) {
      const auto found = values_.find(variable->name);
      return found != values_.end() && is_nonzero(found->second);
    }
    const auto* call = std::get_if<Call>(&expr.head);
    return call && call->function == "max" &&
           std::any_of(expr.args.begin(), expr.args.end(), [](const Expr& arg) { return int_value(arg).value_or(0) > 0; });
  }

  static std::optional<ir::BinOpKind> binary_function(const Expr& expr) {
    const auto* intrinsic = std::get_if<Intrinsic>(&expr.head);
    const auto* fn = intrinsic ? std::get_if<ir::BinOpKind>(&intrinsic->fn) : nullptr;
    return fn ? std::optional(*fn) : std::nullopt;
  }

  std::map<std::string, Expr> values_;  // of constants
};

}  // namespace

void hoist_prologue(Entry& entry) {
  Hoisting hoisting(entry);
  const std::set<std::string> direct = hoisting.wanted;
  hoisting.outermost(entry.body);
  entry.prologue.insert(entry.prologue.end(), hoisting.hoisted.begin(), hoisting.hoisted.end());

  std::set<std::string> own;
  for (const Let& size : entry.scratch.sizes) own.insert(size.name);
  for (const std::string& name : direct) {
    if (own.contains(name) || runtime::is_constant(name)) continue;
    Param param{.name = name, .type = type(PrimType::i64)};
    for (const Param& known : entry.params) {
      if (known.name == name) param.type = known.type;
    }
    for (const Stm& stm : entry.prologue) {
      const auto* let = std::get_if<Let>(&stm.what);
      if (let && let->name == name) param.type = let->type;
    }
    entry.scratch.params.push_back(param);
  }
}

}  // namespace boustro::plan::planner
