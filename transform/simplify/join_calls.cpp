#include "transform/simplify/join_calls.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "transform/facts/work.hpp"
#include "transform/ir/traversal.hpp"
#include "transform/simplify/common_statements.hpp"

namespace boustro::simplify {

using namespace ir;

namespace {

/// A function on scalars that does not ask to stay as it is.
bool is_joinable(const Function& function) {
  return !function.entry && function.attributes.empty() && all_scalar(function.params) &&
         all_scalar(function.result_types);
}

/// What is called with which arguments, but for their names: only which of them are equal matters.
using Calls = std::tuple<Name, Name, std::vector<Atom>>;

Calls without_names(const Call& a, const Call& b) {
  std::vector<Atom> args = a.args;
  args.insert(args.end(), b.args.begin(), b.args.end());
  std::map<Name, Name> numbers;
  for (Atom& arg : args)
    if (const Name* name = name_in(arg))
      arg = numbers.emplace(*name, Name{"", -1 - static_cast<int>(numbers.size())}).first->second;
  return {a.function, b.function, std::move(args)};
}

class CallJoiner {
 public:
  explicit CallJoiner(const Program& program)
      : names_(program), callees_([this](const Name& name) { return find(name); }), works_(callees_) {
    for (const Function& function : program.functions) functions_.emplace(function.name, function);
  }

  bool join_in(Body& body) {
    bool any = false;
    for (Stm& stm : body.stms) map_bodies(stm.exp, [&](Body& inner) { any = join_in(inner) || any; });
    for (std::size_t later = 1; later < body.stms.size(); ++later)
      for (std::size_t earlier = 0; earlier < later; ++earlier) {
        if (!join(body.stms, earlier, later)) continue;
        any = true;
        --later;
        break;
      }
    return any;
  }

  /// The functions that have been made since this was asked before.
  std::vector<Function> take_new() { return std::exchange(new_, {}); }

 private:
  const Function* find(const Name& name) const {
    const auto found = functions_.find(name);
    return found == functions_.end() ? nullptr : &found->second;
  }

  /// A call of a function that takes long enough for others to share something with it.
  bool is_candidate(const Stm& stm) {
    const auto* call = std::get_if<Call>(&stm.exp);
    if (!call) return false;
    const auto [known, first] = candidates_.emplace(call->function, false);
    const Function& function = functions_.at(call->function);
    if (first) known->second = is_joinable(function) && is_long(function.body.stms);
    return known->second;
  }

  bool is_long(const std::vector<Stm>& stms) { return !takes_at_most(works_.of(stms), facts::less_than_a_load); }

  /// Whether statement number `user` uses what the other one yields.
  static bool depends(const std::vector<Stm>& stms, std::size_t user, std::size_t other) {
    const NameSet used = free_names(stms[user].exp);
    const auto& pattern = stms[other].pattern;
    return std::any_of(pattern.begin(), pattern.end(), [&](const Param& param) { return used.contains(param.name); });
  }

  /// One statement for two, if that pays, where the later one is, or else the earlier one.
  bool join(std::vector<Stm>& stms, std::size_t earlier, std::size_t later) {
    if (!is_candidate(stms[later]) || !is_candidate(stms[earlier]) || depends(stms, later, earlier)) return false;
    bool up = true, down = true;
    for (std::size_t between = earlier + 1; between < later; ++between) {
      down = down && !depends(stms, between, earlier);
      up = up && !depends(stms, later, between);
    }
    if ((!up && !down) || !join(stms[earlier], stms[later])) return false;
    if (down) std::swap(stms[earlier], stms[later]);
    stms.erase(stms.begin() + static_cast<std::ptrdiff_t>(down ? earlier : later));
    return true;
  }

  /// The earlier statement becomes one of both, if that pays.
  bool join(Stm& earlier, const Stm& later) {
    const Call a = std::get<Call>(earlier.exp), b = std::get<Call>(later.exp);
    const Function f = functions_.at(a.function), g = rename(functions_.at(b.function), names_);
    Substitution same;
    for (std::size_t i = 0; i < b.args.size(); ++i) {
      const auto equal = std::find(a.args.begin(), a.args.end(), b.args[i]);
      if (equal == a.args.end()) continue;
      same.emplace(g.params[i].name, f.params[static_cast<std::size_t>(equal - a.args.begin())].name);
    }
    std::vector<Stm> shared;
    for (const std::size_t i : common_statements(f.body.stms, g.body.stms, same).positions)
      shared.push_back(g.body.stms[i]);
    if (!is_long(shared)) return false;
    earlier.exp = joined(f, a, g, b);
    earlier.pattern.insert(earlier.pattern.end(), later.pattern.begin(), later.pattern.end());
    return true;
  }

  /// A call of a function with the results of both, which may be there already.
  Call joined(const Function& f, const Call& a, const Function& g, const Call& b) {
    const auto [known, first] = joined_.emplace(without_names(a, b), Name{});
    std::vector<Name> args;
    for (const auto* call : {&a, &b})
      for (const Atom& arg : call->args)
        if (const Name* name = name_in(arg); name && std::find(args.begin(), args.end(), *name) == args.end())
          args.push_back(*name);
    if (first) known->second = make_joined(f, a, g, b, args);
    return {known->second, {args.begin(), args.end()}};
  }

  Name make_joined(const Function& f, const Call& a, const Function& g, const Call& b, const std::vector<Name>& args) {
    Function both{names_.fresh(f.name), {}, 0, {}, 0, {}, {}, {}, f.at, {}};
    both.params.resize(args.size());
    const auto add = [&](const Function& function, const Call& call) {
      Substitution values;
      for (std::size_t i = 0; i < call.args.size(); ++i) {
        Atom value = call.args[i];
        if (const Name* name = name_in(value)) {
          const auto at = std::find(args.begin(), args.end(), *name) - args.begin();
          Param& param = both.params[static_cast<std::size_t>(at)];
          if (param.name == Name{}) param = names_.fresh_param(function.params[i].name.base, function.params[i].type);
          value = param.name;
        }
        values.emplace(function.params[i].name, value);
      }
      const Body body = rename(function.body, names_, values);
      both.body.stms.insert(both.body.stms.end(), body.stms.begin(), body.stms.end());
      both.body.result.insert(both.body.result.end(), body.result.begin(), body.result.end());
      both.result_types.insert(both.result_types.end(), function.result_types.begin(), function.result_types.end());
    };
    add(f, a);
    add(g, b);
    names_.bind_function(both);
    functions_.emplace(both.name, both);
    new_.push_back(both);
    return both.name;
  }

  std::map<Name, Function> functions_;
  std::map<Name, bool> candidates_;
  std::map<Calls, Name> joined_;
  std::vector<Function> new_;
  Names names_;
  facts::Callees callees_;
  facts::Works works_;
};

}  // namespace

bool join_calls(Program& program) {
  CallJoiner joiner(program);
  bool any = false;
  std::vector<Function> functions;
  for (Function& function : program.functions) {
    any = joiner.join_in(function.body) || any;
    for (Function& made : joiner.take_new()) functions.push_back(std::move(made));
    functions.push_back(std::move(function));
  }
  program.functions = std::move(functions);
  return any;
}

}  // namespace boustro::simplify
