#include "emit/plan/planner/versions.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>
#include <ranges>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "emit/plan/build.hpp"
#include "emit/plan/planner/known_values.hpp"
#include "emit/plan/polish/references.hpp"
#include "emit/plan/walk.hpp"

namespace boustro::plan::planner {
namespace {

using NamesUsed = std::set<std::string>;

/// That there is a tile, if the condition says that tiles pay: in a launch for any sizes that is asked instead.
std::optional<Expr> any_tiles(const Expr& condition) {
  const auto* call = std::get_if<Call>(&condition.head);
  if (!call || (call->function != "tiles_pay" && call->function != "rows_of_tiles_pay")) return std::nullopt;
  const Expr &rows = condition.args[0], &columns = condition.args[1], &matrices = condition.args[3];
  std::vector<Expr> needed{rows};
  if (call->function == "tiles_pay" && columns != rows) needed.push_back(columns);
  if (matrices != rows && matrices != columns) needed.push_back(matrices);
  std::optional<Expr> some;
  for (const Expr& size : needed)
    if (!int_value(size)) some = some ? *some && size > 0 : size > 0;
  return some.value_or(true_lit());
}

void append(Stms& to, Stms stms, bool gap) {
  if (gap && !stms.empty()) stms.front().gap = true;
  to.insert(to.end(), std::make_move_iterator(stms.begin()), std::make_move_iterator(stms.end()));
}

class Versions {
 public:
  explicit Versions(KnownValues known) : known_(std::move(known)) {}

  bool any_gone() const { return any_gone_; }

  void in(Stms& stms) {
    Stms result;
    for (Stm& stm : stms) {
      note(stm);
      auto* const choice = std::get_if<If>(&stm.what);
      const auto holds = choice && choice->versions ? known_.of(choice->condition) : std::nullopt;
      if (!holds) {
        for_each_body(stm, [&](Stms& body) { in(body); });
        result.push_back(std::move(stm));
      } else {
        choose(std::move(stm), *holds, result);
      }
    }
    stms = std::move(result);
  }

 private:
  void choose(Stm stm, const Known& holds, Stms& to) {
    auto& choice = std::get<If>(stm.what);
    const auto tiles = any_tiles(choice.condition);
    if (holds.value != 0 && !holds.exact && !tiles) {  // right where it holds, which other sizes do not promise
      in(choice.then_body), in(choice.else_body);
      to.push_back(std::move(stm));
      return;
    }
    any_gone_ = true;
    Stms chosen = std::move(holds.value != 0 ? choice.then_body : choice.else_body);
    in(chosen);
    say_why(chosen, fmt::format("{}{}", holds.value != 0 ? "" : "not ", to_string(choice.condition)));
    if (holds.value == 0 || !tiles || *tiles == true_lit()) return append(to, std::move(chosen), stm.gap);
    Stm guarded = If{*tiles, std::move(chosen)};
    guarded.gap = stm.gap;
    to.push_back(std::move(guarded));
  }

  static void say_why(Stms& stms, const std::string& condition) {
    for_each_stm(std::span(stms), [&](Stm& stm) {
      if (auto* launch = std::get_if<Launch>(&stm.what)) launch->why += (launch->why.empty() ? "chosen: " : "; chosen: ") + condition;
    });
  }

  void note(const Stm& stm) {
    const auto* let = std::get_if<Let>(&stm.what);
    if (!let) return;
    const auto value = let->value && !let->changes ? known_.of(*let->value) : std::nullopt;
    value ? known_.set(let->name, *value) : known_.forget(let->name);
  }

  KnownValues known_;
  bool any_gone_ = false;
};

/// The parameter's name in the emitted text.
std::string emitted_name(const Entry& entry, const std::string& name) {
  for (const std::string& renamed : entry.renamed)
    if (const std::string prefix = name + " is "; renamed.starts_with(prefix)) return renamed.substr(prefix.size());
  return name;
}

KnownValues typical_values(const Entry& entry, const std::map<std::string, std::int64_t>& typical) {
  KnownValues known;
  for (const auto& [name, value] : typical) {
    const std::string emitted = emitted_name(entry, name);
    const bool is_param = std::any_of(entry.params.begin(), entry.params.end(), [&](const Param& param) { return param.name == emitted; });
    if (is_param) known.set(emitted, {value, false});
  }
  return known;
}

// ---- What nothing uses any more

/// Fields of the scratch memory, variables, kernels and library functions.
NamesUsed used_by(const Stms& stms) {
  NamesUsed used = names_in(stms);
  const std::function<void(const Expr&)> fields = [&](const Expr& expr) {
    if (const auto* field = std::get_if<Field>(&expr.head)) used.insert(field->name);
    for (const Expr& arg : expr.args) fields(arg);
  };
  for_each_stm(stms, [&](const Stm& stm) {
    for_each_expr(stm, fields);
    if (const auto* launch = std::get_if<Launch>(&stm.what)) used.insert(launch->kernel);
    if (const auto* run = std::get_if<Run>(&stm.what)) used.insert(run->library);
  });
  return used;
}

/// What the first note begins with, and the note if there is nothing else in it.
void leave_out(std::vector<std::string>& notes, const std::string& beginning) {
  std::string& note = notes.front();
  note.erase(0, beginning.size());
  note.erase(0, note.find_first_not_of(' '));
  if (note.empty()) notes.erase(notes.begin());
}

/// Kernels that nobody launches; of those of tiles one that says plainly what they compute is left, for their comments.
void drop_kernels(std::vector<Kernel>& kernels, const NamesUsed& used) {
  std::vector<Kernel> left;
  bool explains = false, dropped = false;
  for (Kernel& kernel : kernels) {
    const bool launched = used.contains(kernel.name) || kernel.only_meant;
    explains = explains || (launched && kernel.of_tiles);
    if (!launched && !kernel.of_tiles && explains) kernel.only_meant = true;
    if (!kernel.of_tiles) explains = false;
    const bool was_dropped = std::exchange(dropped, !launched && !kernel.only_meant);
    if (dropped) continue;
    if (was_dropped && !kernel.beside_others.empty()) leave_out(kernel.comment.notes, kernel.beside_others);
    left.push_back(std::move(kernel));
  }
  kernels = std::move(left);
}

/// The function that is all that a kernel does, with the parameters that the kernel has.
const Function* function_of(const Kernel& kernel, const std::vector<Definition>& definitions) {
  const auto* effect = kernel.body.size() == 1 ? std::get_if<Do>(&kernel.body[0].what) : nullptr;
  const auto* call = effect ? std::get_if<Call>(&effect->call.head) : nullptr;
  if (!call) return nullptr;
  for (const Definition& definition : definitions) {
    const auto* function = std::get_if<Function>(&definition);
    if (!function || function->name != call->function) continue;
    const bool same = std::equal(function->params.begin(), function->params.end(), effect->call.args.begin(), effect->call.args.end(),
                                 [](const Param& param, const Expr& arg) { return is_variable(arg, param.name); });
    return same ? function : nullptr;
  }
  return nullptr;
}

/// What a kernel had in common with another one that is gone becomes its body.
void inline_lone_functions(Entry& entry) {
  std::map<std::string, int> calls;
  const References count([&](const std::string& name) { ++calls[name]; });
  for (Kernel& kernel : entry.kernels) count.in(kernel);
  for (Kernel& kernel : entry.kernels) {
    const Function* function = function_of(kernel, entry.definitions);
    if (!function || calls[function->name] != 1) continue;
    kernel.body = function->body;
    if (const auto see = kernel.comment.grid.find("; see "); see != std::string::npos) kernel.comment.grid.resize(see);
  }
}

void drop_scratch(Scratch& scratch, const NamesUsed& before, const NamesUsed& after) {
  const auto is_gone = [&](const std::string& name) { return before.contains(name) && !after.contains(name); };
  std::erase_if(scratch.pieces, [&](const Piece& piece) { return is_gone(piece.name); });
  std::erase_if(scratch.library, [&](const Run& run) { return is_gone(run.library); });
  NamesUsed wanted = after;
  for (const Piece& piece : scratch.pieces) add_names(piece.count, wanted);
  std::vector<Let> sizes;
  for (Let& size : scratch.sizes | std::views::reverse) {
    if (!wanted.contains(size.name)) continue;
    add_names(*size.value, wanted);
    sizes.insert(sizes.begin(), std::move(size));
  }
  scratch.sizes = std::move(sizes);
}

}  // namespace

void choose_versions(Entry& entry, const std::map<std::string, std::int64_t>& typical) {
  const NamesUsed before = used_by(entry.body);
  Versions versions(typical_values(entry, typical));
  versions.in(entry.body);
  if (!versions.any_gone()) return;
  const NamesUsed after = used_by(entry.body);
  drop_kernels(entry.kernels, after);
  std::erase_if(entry.libraries, [&](const Library& library) { return !after.contains(library.name); });
  drop_scratch(entry.scratch, before, after);
  inline_lone_functions(entry);
}

void say_typical(Program& program, const std::map<std::string, std::int64_t>& typical) {
  std::vector<std::string> sizes;
  for (const auto& [name, value] : typical) sizes.push_back(fmt::format("{} = {}", name, value));
  program.head.push_back("");
  program.head.push_back(fmt::format("  Kernels are those for {}. Results are right for other sizes, too.", fmt::join(sizes, ", ")));
}

void drop_unreferenced(Program& program) {
  NamesUsed used;
  const References note([&](const std::string& name) { used.insert(name); });
  for (Entry& entry : program.entries) {
    note.in(entry.params), note.in(entry.scratch), note.in(entry.prologue), note.in(entry.body);
    for (RejectIf& reject : entry.rejects) note.in(reject.condition);
    for (Kernel& kernel : entry.kernels) note.in(kernel);
    for (Library& library : entry.libraries) note.in(library);
  }
  // Each uses earlier ones only.
  const auto drop_from = [&](std::vector<Definition>& definitions) {
    std::vector<Definition> left;
    for (Definition& definition : definitions | std::views::reverse) {
      const bool stays = ir::match(definition, [](const Table&) { return true; }, [&](const auto& x) { return used.contains(x.name); });
      if (!stays) continue;
      ir::match(definition, [&](auto& x) { note.in(x); });
      left.push_back(std::move(definition));
    }
    std::reverse(left.begin(), left.end());
    definitions = std::move(left);
  };
  for (Entry& entry : program.entries) drop_from(entry.definitions);
  drop_from(program.definitions);
}

}  // namespace boustro::plan::planner
