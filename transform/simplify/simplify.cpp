#include "transform/simplify/simplify.hpp"

#include "transform/ir/builder.hpp"
#include "transform/simplify/dead_code.hpp"
#include "transform/simplify/walk.hpp"

namespace boustro::simplify {

ir::Program simplify(ir::Program program, const Trace& trace) {
  // Every rule makes progress, so this ends by itself; the limit is for what we have overlooked.
  constexpr int max_rounds = 40;
  for (int round = 0; round < max_rounds; ++round) {
    ir::Names names(program);
    const bool walked = walk(program, names, trace);
    const bool removed = remove_dead_code(program);
    if (!walked && !removed) break;
  }
  return program;
}

}  // namespace boustro::simplify
