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

  void add_result(const ir::Name& value) {
    result.body.result.push_back(value);
    result.result_types.push_back(names.type_of(value));
    result.entry->results.push_back({"", ir::to_string(names.type_of(value)), 1});
  }
};

/// \wrt -> the results of f that are floats
ir::Lambda wrt_to_results(Draft& draft, const std::vector<int>& wrt,
                          const std::vector<int>& results) {
  std::vector<std::pair<std::string, ir::Type>> params;
  for (const int i : wrt) {
    const ir::Param& param = draft.f.params[static_cast<std::size_t>(i)];
    params.emplace_back(param.name.base, draft.translated(param.type));
  }
  ir::Provenance origin{{draft.f.at}, "", ir::Sweep::none};
  ir::Builder outer(draft.names, origin);
  return outer.lambda(params, [&](ir::Builder& inner, const std::vector<ir::Name>& inside) {
    std::vector<ir::Atom> args;
    for (const ir::Param& param : draft.result.params) args.push_back(param.name);
    args.resize(draft.f.params.size());
    for (std::size_t i = 0; i < wrt.size(); ++i) args[static_cast<std::size_t>(wrt[i])] = inside[i];
    const std::vector<ir::Name> all = inner.let_all({"result"}, ir::Call{draft.f.name, args});
    std::vector<ir::Atom> chosen;
    for (const int i : results) chosen.push_back(all[static_cast<std::size_t>(i)]);
    return chosen;
  });
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
  if (function.size_results > 0)
    source::refuse(Message::derivative_of_unknown_size, function.at, f);

  Draft draft(names, function, free_entry_name(program, f + (reverse ? "_vjp" : "_jvp")));
  const ir::Lambda body = wrt_to_results(draft, inputs, results);
  std::vector<ir::Atom> args, seeds;
  for (const int i : inputs) args.push_back(draft.result.params[static_cast<std::size_t>(i)].name);

  ir::Builder builder(names, {{function.at}, "", ir::Sweep::none});
  if (reverse) {
    for (std::size_t i = 0; i < results.size(); ++i) {
      const ir::Type& type = function.result_types[static_cast<std::size_t>(results[i])];
      seeds.push_back(draft.add_param(result_name(results, i) + "_adj", draft.translated(type)));
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
