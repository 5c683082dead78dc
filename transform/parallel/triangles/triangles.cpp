#include <algorithm>

#include "transform/ir/traversal.hpp"
#include "transform/parallel/parallel.hpp"
#include "transform/parallel/triangles/short_sums.hpp"
#include "transform/parallel/triangles/symmetric.hpp"

namespace boustro::parallel {
namespace {

using namespace ir;

class Triangles {
 public:
  explicit Triangles(Names& names) : names_(names) {}

  /// `over`: who shares nests that stand in the body.
  void body(Body& body, Level over) {
    std::vector<Stm> stms;
    for (Stm& stm : body.stms) {
      definitions_.note(stm);
      const Name outside = next_around_;
      if (const auto* nest = std::get_if<Nest>(&stm.exp)) enter(*nest);
      map_bodies(stm.exp, [&](Body& inner) { this->body(inner, std::holds_alternative<Nest>(stm.exp) ? Level::thread : over); });
      next_around_ = outside;
      std::vector<Stm> behind;
      if (std::holds_alternative<WithAcc>(stm.exp)) behind = add_halves(stm, over, definitions_, names_);
      auto shorter = short_sum(stm, zeros_, around_, next_around_, names_);
      zeros_.note(stm);
      if (shorter.has_value()) stms.insert(stms.end(), shorter->begin(), shorter->end());
      else stms.push_back(std::move(stm));
      stms.insert(stms.end(), behind.begin(), behind.end());
    }
    body.stms = std::move(stms);
  }

 private:
  void enter(const Nest& nest) {
    const bool stores = std::any_of(nest.outs.begin(), nest.outs.end(), [](const Out& out) { return out.kind == OutKind::store; });
    for (std::size_t d = 0; d < nest.space.size(); ++d) {
      next_around_ = nest.point.params[nest.accumulators.size() + d].name;
      around_.insert_or_assign(next_around_, IndexOf{nest.space[d], stores});
    }
  }

  Names& names_;
  facts::Zeros zeros_;
  Definitions definitions_;
  Indices around_;
  Name next_around_;
};

}  // namespace

Program shorten_to_triangles(Program program) {
  Names names(program);
  for (const Function& function : program.functions) names.bind_function(function);
  Triangles triangles(names);
  for (Function& function : program.functions) triangles.body(function.body, Level::workers);
  return program;
}

}  // namespace boustro::parallel
