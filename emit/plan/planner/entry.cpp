#include "emit/plan/planner/entry.hpp"

#include <algorithm>
#include <map>

#include "emit/plan/planner/code.hpp"
#include "frontend/source/messages.hpp"
#include "transform/ir/print.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::plan::planner {
namespace {

/// What the source calls its results, the parts of tuples and records one by one; `result` where it gives them no name.
std::vector<std::string> source_names(const ir::Entry& entry) {
  std::vector<std::string> names;
  for (const ir::EntryValue& result : entry.results) names.insert(names.end(), result.called.begin(), result.called.end());
  const bool several = std::count(names.begin(), names.end(), "") > 1;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i].empty()) names[i] = several ? "result_" + std::to_string(i) : "result";
  return names;
}

/// The name of result number `i`: the source's, else the one that the program computes it under, if that says something.
std::string result_base(const ir::Function& function, std::size_t i) {
  const std::size_t first = static_cast<std::size_t>(function.size_results);
  const std::vector<std::string> named = function.entry ? source_names(*function.entry) : std::vector<std::string>();
  if (i >= first && named.size() == function.result_types.size() - first) return named[i - first];
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

std::vector<Expr> exprs_of(const View& view) {
  std::vector<Expr> result;
  for (const Scalar& extent : view.extents) result.push_back(extent.expr);
  return result;
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
      if (!in_sizes.range) in_sizes.range = Range{-size_range.high, size_range.high, true};
      arithmetic_.bind(name, in_sizes);
    }
    interface_.values.emplace_back(name, std::move(value));
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
      const Scalar size = arithmetic_.scalar_of(stm);
      arithmetic_.bind(name, size);
      return size;
    }
    return std::nullopt;
  }

  /// Nothing if one of them depends on data.
  std::optional<std::vector<Scalar>> extents_of(const ir::Type& type) {
    std::vector<Scalar> extents;
    for (const ir::Atom& size : type.shape) {
      const auto known = size_of(size);
      if (!known) return std::nullopt;
      extents.push_back(*known);
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
      context_.early_variables.insert(text);
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
        context_.early_variables.insert(name);
        inputs_.push_back({.name = name, .type = value.type});
        bind(param.name, Scalar{value, value, std::nullopt, true});
        continue;
      }
      const Expr pointer = var(name, const_pointer_to(param.type.elem));
      const View view = dense_view(pointer, param.type.elem, extents_of(param.type).value());
      inputs_.push_back(
          {.name = name, .type = pointer.type, .shape = shape_text(view), .access = Access::read, .extents = exprs_of(view)});
      context_.param_extents.emplace(name, exprs_of(view));
      bind(param.name, view);
    }
  }

  void outputs() {
    const std::size_t first = static_cast<std::size_t>(function_.size_results);
    interface_.destinations.resize(function_.result_types.size());
    interface_.scalars.resize(function_.result_types.size());
    for (std::size_t i = first; i < function_.result_types.size(); ++i) {
      const ir::Type& type = function_.result_types[i];
      const Expr pointer = var(output_name(result_base(function_, i)), pointer_to(type.elem));
      Param param{.name = std::get<Var>(pointer.head).name,
                  .type = pointer.type,
                  .access = Access::written};
      if (type.is_scalar()) {
        interface_.scalars[i] = pointer;
      } else if (auto extents = extents_of(type)) {
        const View view = dense_view(pointer, type.elem, std::move(*extents));
        param.shape = shape_text(view);
        param.extents = exprs_of(view);
        context_.param_extents.emplace(param.name, param.extents);
        interface_.destinations[i] = view;
      } else {
        late_output(i, type, std::move(param));
        continue;
      }
      outputs_.push_back(param);
    }
  }

  /// What a parameter is called, and becomes, has another name when it comes out.
  std::string output_name(const std::string& base) {
    return identifiers_.fresh(identifiers_.taken(identifier(base)) ? base + "_out" : base);
  }

  /// A result that the entry allocates, and where it says how large that is.
  void late_output(std::size_t result, const ir::Type& type, Param param) {
    LateResult late{result, {}, {}};
    std::vector<Param> sizes;
    for (const ir::Atom& size : type.shape) {
      late.extents.emplace_back();
      if (const auto known = size_of(size)) {
        param.shape.push_back(to_string(known->expr));
        param.extents.push_back(known->expr);
        continue;
      }
      std::string& name = late_sizes_[std::get<ir::Name>(size)];
      if (name.empty()) {
        const bool only = type.shape.size() == 1;
        name = identifiers_.fresh(param.name + (only              ? "_size"
                                                : param.shape.empty() ? "_rows"
                                                                      : "_columns"));
        sizes.push_back({.name = name,
                         .type = pointer_to(PrimType::i64),
                         .access = Access::written,
                         .note = "in host memory: an extent of " + param.name,
                         .late = true});
        late.extents.back() = name;
      }
      param.shape.push_back(name);
      param.extents.push_back(var(name, PrimType::i64));
    }
    param.late = true;
    param.note = "allocated by the function";
    late.param = param;
    outputs_.push_back(std::move(param));
    outputs_.insert(outputs_.end(), sizes.begin(), sizes.end());
    interface_.late.push_back(std::move(late));
  }

  Context& context_;
  const ir::Function& function_;
  Identifiers& identifiers_;
  Code arithmetic_;  // of sizes
  Interface interface_;
  std::vector<Param> outputs_, inputs_, sizes_;
  std::map<ir::Name, std::string> late_sizes_;
};

}  // namespace

Interface plan_interface(Context& context, const ir::Function& function, Identifiers& identifiers) {
  return InterfacePlanner(context, function, identifiers).run();
}

void refuse_unknown_size(source::SourceRange at) {
  source::refuse(
      source::Message::plan_cannot_translate, at,
      "an array of one thread that grows by what it holds, so that no other kernel can find its size first: inside of a "
      "map, start from an array that is large enough and update its elements");
}

Expr upper_size(const std::vector<Scalar>& extents) {
  std::vector<Expr> factors;
  for (const Scalar& extent : extents) {
    if (!extent.upper) refuse_unknown_size({});
    factors.push_back(*extent.upper);
  }
  return product(factors);
}

bool is_bounded(const Context& context, const std::vector<Scalar>& extents) {
  return std::all_of(extents.begin(), extents.end(), [&](const Scalar& extent) {
    return extent.upper && !context.is_late(*extent.upper);
  });
}

View allocate_array(Context& context, Identifiers& identifiers, Code& code, const std::string& base,
                    PrimType elem, const std::vector<Scalar>& extents) {
  if (is_bounded(context, extents)) return allocate_piece(context, identifiers, base, elem, extents);
  return code.allocated(code.buffer(base, elem), extents);
}

View allocate_piece(Context& context, Identifiers& identifiers, const std::string& base,
                    PrimType elem, const std::vector<Scalar>& extents) {
  const std::string name = identifiers.fresh_outside(base);
  View view = dense_view(scratch_field(name, pointer_to(elem)), elem, extents);
  context.add_piece({.name = name, .elem = type(elem), .count = upper_size(extents), .shape = shape_text(view)});
  return view;
}

}  // namespace boustro::plan::planner
