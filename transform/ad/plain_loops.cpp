#include "transform/ad/plain_loops.hpp"

#include <algorithm>

#include "transform/ad/fixed_point.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::ad {

using namespace ir;

namespace {

constexpr std::int64_t more_steps = 8;

bool has_fixed_points(const std::vector<Stm>& stms) {
  return std::any_of(stms.begin(), stms.end(), [](const Stm& stm) {
    bool found = is_fixed_point(stm);
    for_each_body(stm.exp, [&](const Body& body) { found = found || has_fixed_points(body.stms); });
    return found;
  });
}

/// The loop under other names, and what goes on from its end.
std::vector<Stm> continued(Names& names, Stm stm) {
  std::erase_if(stm.attributes, [](const Attribute& a) { return a.name == "fixed_point"; });
  Stm more = stm;
  Loop& loop = std::get<Loop>(more.exp);
  for (std::size_t i = 0; i < stm.pattern.size(); ++i) {
    stm.pattern[i].name = names.bind_fresh(stm.pattern[i].name.base, stm.pattern[i].type);
    loop.params[i].init = stm.pattern[i].name;
  }
  loop.form = ForLoop{names.bind_fresh("i", scalar(PrimType::i64)), PrimType::i64, int_atom(more_steps)};
  // Everything that the loop binds is bound twice now; what the statement itself binds keeps its name.
  const std::vector<Param> pattern = more.pattern;
  Substitution none;
  more = rename({more}, names, none).at(0);
  more.pattern = pattern;
  return {std::move(stm), std::move(more)};
}

void make_plain(Names& names, std::vector<Stm>& stms) {
  std::vector<Stm> result;
  for (Stm& stm : stms) {
    map_bodies(stm.exp, [&](Body& body) { make_plain(names, body.stms); });
    if (!is_fixed_point(stm)) {
      result.push_back(std::move(stm));
      continue;
    }
    for (Stm& part : continued(names, std::move(stm))) result.push_back(std::move(part));
  }
  stms = std::move(result);
}

}  // namespace

bool has_fixed_points(const Program& program) {
  return std::any_of(program.functions.begin(), program.functions.end(), [](const Function& f) { return has_fixed_points(f.body.stms); });
}

Program with_plain_loops(Program program) {
  Names names(program);
  for (Function& function : program.functions) make_plain(names, function.body.stms);
  return program;
}

}  // namespace boustro::ad
