// Loops of the host go into the threads: which loops, outermost first.
#include <functional>
#include <utility>

#include "transform/facts/aliases.hpp"
#include "transform/parallel/inwards/columns.hpp"
#include "transform/parallel/inwards/rows_in_place.hpp"
#include "transform/parallel/inwards/starts.hpp"
#include "transform/parallel/inwards/states_in_place.hpp"
#include "transform/parallel/inwards/steps_apart.hpp"
#include "transform/parallel/parallel.hpp"

namespace boustro::parallel {
namespace {

using namespace ir;
using Stms = std::vector<Stm>;

/// What becomes of a loop for which names are needed behind it; nothing if it stays.
using Rule = std::function<std::optional<Stms>(Stm& loop, const NameSet& needed, const Surroundings& around)>;

/// The host runs what is inside.
bool is_of_host(const Exp& exp) {
  return std::holds_alternative<Loop>(exp) || std::holds_alternative<If>(exp) || std::holds_alternative<WithAcc>(exp);
}

class Walk {
 public:
  explicit Walk(const Rule& rule) : rule_(rule) {}

  void function(Function& function) {
    for (const Param& param : function.params) around_.sizes.declare(param.type);
    around_.numbers = around_.sizes;
    body(function.body);
  }

 private:
  /// One that the host runs.
  void body(Body& body) {
    Stms stms;
    for (auto stm = body.stms.begin(); stm != body.stms.end(); ++stm) {
      around_.sizes.define(*stm);
      if (all_scalar(stm->pattern)) around_.numbers.define(*stm);
      if (std::holds_alternative<Scratch>(stm->exp)) around_.undefined.insert(stm->pattern[0].name);
      if (const auto* loop = std::get_if<Loop>(&stm->exp)) {
        if (auto others = rule_(*stm, free_names(Body{{stm + 1, body.stms.end()}, body.result}), around_)) {
          stms.insert(stms.end(), std::make_move_iterator(others->begin()), std::make_move_iterator(others->end()));
          continue;
        }
        const auto* form = std::get_if<ForLoop>(&loop->form);
        if (form && form->type == PrimType::i64) around_.sizes.declare_index(form->index, form->bound);
      }
      const bool outermost = std::exchange(around_.is_outermost, false);
      if (is_of_host(stm->exp)) map_bodies(stm->exp, [&](Body& inner) { this->body(inner); });
      around_.is_outermost = outermost;
      stms.push_back(std::move(*stm));
    }
    body.stms = std::move(stms);
  }

  const Rule& rule_;
  Surroundings around_;
};

Program with(Program program, const std::function<Rule(Names&, const facts::Callees&)>& rule) {
  const Program original = program;
  const facts::Callees callees(original);
  Names names(program);
  for (const Function& function : program.functions) names.bind_function(function);
  for (Function& function : program.functions) Walk(rule(names, callees)).function(function);
  return program;
}

/// Where threads run.
void fill_rows_of_threads(Body& body, Names& names, const facts::Aliases& aliases) {
  for (Stm& stm : body.stms) {
    map_bodies(stm.exp, [&](Body& inner) {
      is_of_host(stm.exp) ? fill_rows_of_threads(inner, names, aliases) : fill_rows_in_place(inner, names, aliases);
    });
  }
}

}  // namespace

Program rows_in_place(Program program) {
  const Program original = program;
  const facts::Aliases aliases(original);
  Names names(program);
  for (Function& function : program.functions) fill_rows_of_threads(function.body, names, aliases);
  return program;
}

Program starts_undefined(Program program) {
  return with(std::move(program), [](Names& names, const facts::Callees&) -> Rule {
    return [&](Stm& loop, const NameSet&, const Surroundings& around) -> std::optional<Stms> {
      Stms stms = start_undefined(loop, names, around.sizes, around.numbers);
      if (stms.empty()) return std::nullopt;
      stms.push_back(std::move(loop));
      return stms;
    };
  });
}

Program loops_inwards(Program program) {
  return with(std::move(program), [](Names& names, const facts::Callees&) -> Rule {
    return [&](Stm& loop, const NameSet& needed, const Surroundings& around) { return loop_inwards(loop, needed, names, around); };
  });
}

Program loops_apart_by_steps(Program program) {
  return with(std::move(program), [](Names& names, const facts::Callees& callees) -> Rule {
    return [&](Stm& loop, const NameSet& needed, const Surroundings& around) { return steps_apart(loop, needed, names, around, callees); };
  });
}

Program keep_states_in_place(Program program) {
  const facts::Aliases aliases(program);
  return with(std::move(program), [&](Names& names, const facts::Callees& callees) -> Rule {
    return [&](Stm& loop, const NameSet& needed, const Surroundings& around) { return states_in_place(loop, needed, names, around, callees, aliases); };
  });
}

}  // namespace boustro::parallel
