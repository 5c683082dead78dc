#include "transform/ad/derivative_entry.hpp"

#include <algorithm>
#include <map>

#include "frontend/source/messages.hpp"
#include "transform/ir/builder.hpp"
#include "transform/ir/print.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::ad {
namespace {

using source::Message;

const ir::Function& find_entry(const ir::Program& program, const std::string& name) {
  const auto found =
      std::find_if(program.functions.begin(), program.functions.end(),
                   [&](const ir::Function& f) { return f.entry && f.entry->name == name; });
  if (found == program.functions.end()) source::refuse(Message::no_such_entry, {}, name);
  return *found;
}

/// `name`, or `name_1` and so on if the program has an entry of that name.
std::string free_entry_name(const ir::Program& program, const std::string& name) {
  const auto is_taken = [&](const std::string& candidate) {
    return std::any_of(
        program.functions.begin(), program.functions.end(),
        [&](const ir::Function& f) { return f.entry && f.entry->name == candidate; });
  };
  std::string candidate = name;
  for (int i = 1; is_taken(candidate); ++i) candidate = name + "_" + std::to_string(i);
  return candidate;
}

bool is_float_value(const ir::Type& type) {
  return values::is_float(type.elem) && !type.accumulator;
}

/// The new function while it grows: a copy of f's parameters under fresh names, and what they stand
/// for.
struct Draft {
  ir::Names& names;
  const ir::Function& f;
  ir::Function result;
  ir::Substitution fresh;  // f's parameters to the new ones

  Draft(ir::Names& names, const ir::Function& f, const std::string& name) : names(names), f(f) {
    result.name = names.fresh(name);
    result.size_params = f.size_params;
    result.at = f.at;
    result.entry = ir::Entry{name, f.entry->params, {}};
    for (const ir::Param& param : f.params) {
      ir::Type type = param.type;
      ir::substitute(type, fresh);
      result.params.push_back(names.fresh_param(param.name.base, type));
      fresh[param.name] = result.params.back().name;
    }
  }

  ir::Type translated(ir::Type type) const {
    ir::substitute(type, fresh);
    return type;
  }

  /// A further parameter of the entry.
  ir::Atom add_param(const std::string& base, const ir::Type& type) {
    result.params.push_back(names.fresh_param(base, type));
    result.entry->params.push_back({base, ir::to_string(type), 1});
    return result.params.back().name;
  }

  /// A size that the caller's arguments have.
  ir::Name add_size(const std::string& base) {
    const ir::Param size = names.fresh_param(base, ir::scalar(values::PrimType::i64));
    result.params.insert(result.params.begin() + result.size_params++, size);
    return size.name;
  }

  void add_result(const ir::Name& value) {
    result.body.result.push_back(value);
    result.result_types.push_back(names.type_of(value));
    result.entry->results.push_back({"", ir::to_string(names.type_of(value)), 1});
  }

  /// A size that results have.
  void add_result_size(const ir::Name& size) {
    result.body.result.push_back(size);
    result.result_types.push_back(names.type_of(size));
    ++result.size_results;
  }

  /// f's parameters, in the names of this function.
  std::vector<ir::Atom> args() const {
    std::vector<ir::Atom> args;
    for (const ir::Param& param : f.params) args.push_back(fresh.at(param.name));
    return args;
  }
};

/// Sizes that f finds out, and what stands for them elsewhere.
using Sizes = ir::Substitution;

/// f args: its sizes first, which the types of its values mention. What it consumes is copied: the point is needed for the derivative.
std::vector<ir::Name> call(ir::Builder& builder, const ir::Function& f, std::vector<ir::Atom> args) {
  for (std::size_t i = 0; i < args.size(); ++i)
    if (f.params[i].unique && !f.params[i].type.is_scalar()) args[i] = builder.let(f.params[i].name.base, ir::Copy{std::get<ir::Name>(args[i])});
  const ir::Call exp{f.name, std::move(args)};
  std::vector<ir::Param> pattern;
  std::vector<ir::Name> bound;
  Sizes sizes;
  for (ir::Type type : builder.names.types_of(exp)) {
    ir::substitute(type, sizes);
    const auto i = bound.size();
    const bool is_size = i < static_cast<std::size_t>(f.size_results);
    pattern.push_back(builder.names.fresh_param(is_size ? "size" : "result", type));
    bound.push_back(pattern.back().name);
    const ir::Name* name = is_size ? ir::name_in(f.body.result[i]) : nullptr;
    if (name) sizes.emplace(*name, bound.back());
  }
  builder.let(std::move(pattern), exp);
  return bound;
}

/// \wrt -> the results of f that are floats, of these sizes
ir::Lambda wrt_to_results(Draft& draft, const std::vector<int>& wrt,
                          const std::vector<int>& results, const Sizes& sizes) {
  std::vector<std::pair<std::string, ir::Type>> params;
  for (const int i : wrt) {
    const ir::Param& param = draft.f.params[static_cast<std::size_t>(i)];
    params.emplace_back(param.name.base, draft.translated(param.type));
  }
  ir::Provenance origin{{draft.f.at}, "", ir::Sweep::none};
  ir::Builder outer(draft.names, origin);
  return outer.lambda(params, [&](ir::Builder& inner, const std::vector<ir::Name>& inside) {
    std::vector<ir::Atom> args = draft.args();
    for (std::size_t i = 0; i < wrt.size(); ++i) args[static_cast<std::size_t>(wrt[i])] = inside[i];
    const std::vector<ir::Name> all = call(inner, draft.f, args);
    std::vector<ir::Atom> chosen;
    for (const int i : results) {
      const ir::Name& value = all[static_cast<std::size_t>(i)];
      ir::Type known = draft.translated(draft.f.result_types[static_cast<std::size_t>(i)]);
      ir::substitute(known, sizes);
      const bool as_known = known == draft.names.type_of(value);
      chosen.push_back(as_known ? value : inner.let("result", ir::Coerce{known.shape, value}));
    }
    return chosen;
  });
}

/// Of those results that are floats: each has a size that is an argument of the derivative, since its
/// adjoint is.
Sizes sizes_of_adjoints(Draft& draft, const std::vector<int>& results) {
  Sizes sizes;
  for (const ir::Atom& size : draft.f.body.result) {
    const ir::Name* name = ir::name_in(size);
    const bool wanted = name && std::any_of(results.begin(), results.end(), [&](int i) {
      const ir::Shape& shape = draft.f.result_types[static_cast<std::size_t>(i)].shape;
      return std::find(shape.begin(), shape.end(), size) != shape.end();
    });
    const bool is_param = name && draft.fresh.contains(*name);
    if (wanted && !is_param && !sizes.contains(*name))
      sizes.emplace(*name, draft.add_size(name->base));
  }
  return sizes;
}

/// Of those results: f tells them, and so does the derivative.
Sizes sizes_of_results(Draft& draft, ir::Builder& builder) {
  Sizes sizes;
  if (draft.f.size_results == 0) return sizes;
  const std::vector<ir::Name> all = call(builder, draft.f, draft.args());
  for (int i = 0; i < draft.f.size_results; ++i) {
    const auto at = static_cast<std::size_t>(i);
    draft.add_result_size(all[at]);
    if (const ir::Name* name = ir::name_in(draft.f.body.result[at])) sizes.emplace(*name, all[at]);
  }
  return sizes;
}

/// The name of result number `i` of the entry: `result`, or `result_0`, `result_1` if there are
/// several.
std::string result_name(const std::vector<int>& results, std::size_t i) {
  return results.size() == 1 ? "result" : "result_" + std::to_string(i);
}

}  // namespace

namespace {

/// Refuses names of `wrt` that are no parameters, or parameters without floats.
void check_wrt(const ir::Function& function, const std::vector<std::string>& wrt) {
  std::map<std::string, bool> has_floats;
  int position = function.size_params;
  for (const ir::EntryValue& value : function.entry->params) {
    bool& any = has_floats[value.name];
    for (int i = 0; i < value.count; ++i, ++position)
      any = any || is_float_value(function.params[static_cast<std::size_t>(position)].type);
  }
  for (const std::string& name : wrt) {
    const auto found = has_floats.find(name);
    if (found == has_floats.end())
      source::refuse(Message::no_such_parameter, function.at, function.entry->name, name);
    if (!found->second)
      source::refuse(Message::parameter_without_floats, function.at, name, function.entry->name);
  }
}

}  // namespace

std::vector<int> differentiable_params(const ir::Function& function,
                                       const std::vector<std::string>& wrt) {
  check_wrt(function, wrt);
  std::vector<int> positions;
  int position = function.size_params;
  for (const ir::EntryValue& value : function.entry->params) {
    const bool wanted = wrt.empty() || std::find(wrt.begin(), wrt.end(), value.name) != wrt.end();
    for (int i = 0; i < value.count; ++i, ++position) {
      if (wanted && is_float_value(function.params[static_cast<std::size_t>(position)].type))
        positions.push_back(position);
    }
  }
  return positions;
}

std::vector<int> differentiable_results(const ir::Function& function) {
  std::vector<int> positions;
  for (std::size_t i = static_cast<std::size_t>(function.size_results);
       i < function.result_types.size(); ++i) {
    if (is_float_value(function.result_types[i])) positions.push_back(static_cast<int>(i));
  }
  return positions;
}

std::string add_derivative_entry(ir::Program& program, const std::string& f,
                                 const std::vector<std::string>& wrt, bool reverse) {
  ir::Names names(program);
  const ir::Function& function = find_entry(program, f);
  const std::vector<int> inputs = differentiable_params(function, wrt);
  const std::vector<int> results = differentiable_results(function);
  if (inputs.empty() || results.empty())
    source::refuse(Message::nothing_to_differentiate, function.at, f);

  Draft draft(names, function, free_entry_name(program, f + (reverse ? "_vjp" : "_jvp")));
  ir::Builder builder(names, {{function.at}, "", ir::Sweep::none});
  const Sizes sizes =
      reverse ? sizes_of_adjoints(draft, results) : sizes_of_results(draft, builder);
  const ir::Lambda body = wrt_to_results(draft, inputs, results, sizes);
  std::vector<ir::Atom> args, seeds;
  for (const int i : inputs) args.push_back(draft.args()[static_cast<std::size_t>(i)]);

  if (reverse) {
    for (std::size_t i = 0; i < results.size(); ++i) {
      ir::Type type =
          draft.translated(function.result_types[static_cast<std::size_t>(results[i])]);
      ir::substitute(type, sizes);
      seeds.push_back(draft.add_param(result_name(results, i) + "_adj", type));
    }
  } else {
    for (const int i : inputs) {
      const ir::Param& param = function.params[static_cast<std::size_t>(i)];
      seeds.push_back(draft.add_param(param.name.base + "_tan", draft.translated(param.type)));
    }
  }

  std::vector<std::string> bases(results.size(), "result");
  for (std::size_t i = 0; i < (reverse ? inputs.size() : results.size()); ++i) {
    bases.push_back(reverse
                        ? function.params[static_cast<std::size_t>(inputs[i])].name.base + "_adj"
                        : result_name(results, i) + "_tan");
  }
  const std::vector<ir::Name> outputs =
      reverse ? builder.let_all(bases, ir::Vjp{body, args, seeds, {}})
              : builder.let_all(bases, ir::Jvp{body, args, seeds, {}});
  for (std::size_t i = results.size(); i < outputs.size(); ++i) draft.add_result(outputs[i]);
  draft.result.body.stms = std::move(builder.stms);
  program.functions.push_back(std::move(draft.result));
  return program.functions.back().entry->name;
}

}  // namespace boustro::ad
