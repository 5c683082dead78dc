#include "transform/lower/accumulator_origin.hpp"

#include <algorithm>

namespace boustro::lower {
namespace {

using ir::Atom;
using ir::Name;
using Origin = std::optional<Name>;

template <typename Params>
std::optional<std::size_t> place_of(const Params& params, const Name& name) {
  for (std::size_t i = 0; i < params.size(); ++i) {
    if (params[i].name == name) return i;
  }
  return std::nullopt;
}

class Search {
 public:
  explicit Search(const ir::Program& program) : program_(program) {}

  Origin of(const std::vector<ir::Stm>& stms, const Atom& accumulator) const {
    const Name* name = ir::name_in(accumulator);
    if (!name) return std::nullopt;
    Name current = *name;
    for (auto stm = stms.rbegin(); stm != stms.rend(); ++stm) {
      const auto place = place_of(stm->pattern, current);
      if (!place) continue;
      const Origin before = through(stm->exp, *place);
      if (!before) return std::nullopt;
      current = *before;
    }
    return current;
  }

 private:
  Origin of_result(const ir::Body& body, std::size_t i) const {
    return of(body.stms, body.result.at(i));
  }

  /// The operand that result `i` of the expression comes from.
  Origin through(const ir::Exp& exp, std::size_t i) const {
    return ir::match(
        exp,  //
        [](const ir::UpdateAcc& e) -> Origin { return e.accumulator; },
        [](const ir::AtomExp& e) -> Origin {
          const Name* name = ir::name_in(e.atom);
          return name ? Origin(*name) : std::nullopt;
        },
        [&](const ir::Map& e) -> Origin {
          return operand(place_in(e.fn.params, of_result(e.fn.body, i)), e.accumulators);
        },
        [&](const ir::Nest& e) -> Origin {
          return operand(place_in(e.point.params, of_result(e.point.body, i)), e.accumulators);
        },
        [&](const ir::MapReduce& e) -> Origin {
          return operand(place_in(e.fn.params, of_result(e.fn.body, i)), e.accumulators);
        },
        [&](const ir::If& e) -> Origin {
          const Origin origin = of_result(e.then_body, i);
          return origin == of_result(e.else_body, i) ? origin : std::nullopt;
        },
        [&](const ir::Loop& e) -> Origin {
          const bool stays = of_result(e.body, i) == Origin(e.params.at(i).param.name);
          const Name* init = ir::name_in(e.params.at(i).init);
          return stays && init ? Origin(*init) : std::nullopt;
        },
        [&](const ir::WithAcc& e) { return of_result(e.fn.body, i); },
        [&](const ir::Call& e) -> Origin {
          const auto callee =
              std::find_if(program_.functions.begin(), program_.functions.end(),
                           [&](const ir::Function& f) { return f.name == e.function; });
          if (callee == program_.functions.end()) return std::nullopt;
          return operand(place_in(callee->params, of_result(callee->body, i)), e.args);
        },
        [](const auto&) -> Origin { return std::nullopt; });
  }

  static std::optional<std::size_t> place_in(const std::vector<ir::Param>& params,
                                             const Origin& origin) {
    return origin ? place_of(params, *origin) : std::nullopt;
  }

  template <typename Operand>
  static Origin operand(std::optional<std::size_t> place, const std::vector<Operand>& operands) {
    if (!place || *place >= operands.size()) return std::nullopt;
    const Atom atom = operands[*place];
    const Name* name = ir::name_in(atom);
    return name ? Origin(*name) : std::nullopt;
  }

  const ir::Program& program_;
};

}  // namespace

std::optional<ir::Name> accumulator_origin(const ir::Program& program,
                                           const std::vector<ir::Stm>& stms,
                                           const ir::Atom& accumulator) {
  return Search(program).of(stms, accumulator);
}

}  // namespace boustro::lower
