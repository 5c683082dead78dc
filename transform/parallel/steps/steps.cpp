// Which loops: those of the host, innermost first.
#include "transform/parallel/parallel.hpp"
#include "transform/parallel/steps/steps_together.hpp"

namespace boustro::parallel {
namespace {

using namespace ir;

class HostLoops {
 public:
  HostLoops(const Program& program, Names& names) : callees_(program), names_(names) {}

  void body(Body& body) {
    std::vector<Stm> stms;
    for (Stm& stm : body.stms) {
      const bool is_loop = std::holds_alternative<Loop>(stm.exp);
      if (is_loop || std::holds_alternative<If>(stm.exp)) map_bodies(stm.exp, [&](Body& inner) { this->body(inner); });
      auto together = is_loop ? steps_together(stm, names_, callees_) : std::nullopt;
      if (!together) together = {std::move(stm)};
      stms.insert(stms.end(), std::make_move_iterator(together->begin()), std::make_move_iterator(together->end()));
    }
    body.stms = std::move(stms);
  }

 private:
  const facts::Callees callees_;
  Names& names_;
};

}  // namespace

Program compute_steps_together(Program program) {
  const Program original = program;
  Names names(program);
  for (const Function& function : program.functions) names.bind_function(function);
  for (Function& function : program.functions)
    if (function.entry) HostLoops(original, names).body(function.body);
  return program;
}

}  // namespace boustro::parallel
