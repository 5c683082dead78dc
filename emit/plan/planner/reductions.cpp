// Reductions at the host's level: library calls, or kernels where no call can do it.
#include "emit/plan/planner/library.hpp"
#include "emit/plan/planner/unfuse.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::plan::planner {
namespace {

/// CUB reduces in an order of its own.
bool in_any_order(const ir::Operator& op) {
  const auto kind = ir::as_binop(op.op);
  return op.commutative || (kind && ir::commutes(*kind));
}

}  // namespace

void Host::reduce(const ir::Stm& stm, const ir::Reduce& e) {
  const auto vectorised = ir::as_vectorised_binop(e.op);
  if (vectorised && vectorised->depth > 0) return vectorised_reduce(stm, e, *vectorised);
  const ir::Lambda fn = identity_of(context_.names, e.op, e.arrays.size());
  context_.uses.add(fn);
  const ir::MapReduce fused{e.width, {{e.op, e.neutral, e.commutative}}, fn, e.arrays, {}};
  if (!library_reduce(stm, fused)) sequential(stm);
}

void Host::map_reduce(const ir::Stm& stm, const ir::MapReduce& e) {
  if (e.arrays.empty()) code_.check_sizes(stm, {e.width});
  if (library_reduce(stm, e)) return;
  // The operands in memory, then one reduction for each operator.
  const std::vector<ir::Stm> parts = unfused(stm, e, context_.names);
  for (const ir::Stm& part : parts) this->stm(part);
  flush();
}

bool Host::library_reduce(const ir::Stm& stm, const ir::MapReduce& e) {
  std::size_t components = 0;
  for (const ir::Operator& op : e.operators) {
    if (!all_scalar(op.op.result_types) || !in_any_order(op)) return false;
    components += op.neutral.size();
  }
  if (!e.accumulators.empty() || stm.pattern.size() != components || components == 0) return false;
  return LibraryPlanner(*this, stm, e.operators, e.fn, e.arrays, e.width).plan(LibraryKind::reduce);
}

/// reduce (map2 (+)): one thread for each element of the result.
void Host::vectorised_reduce(const ir::Stm& stm, const ir::Reduce& e, ir::VectorisedOp op) {
  const View to = place(stm.pattern[0]);
  ir::Builder builder(context_.names);
  const ir::Type elem = ir::scalar(to.elem);
  const ir::Lambda scalar =
      builder.lambda({{"x", elem}, {"y", elem}}, [&](ir::Builder& b, const auto& args) {
        return std::vector<ir::Atom>{b.binop("combined", op.kind, args[0], args[1])};
      });
  context_.uses.add(scalar);
  const ir::Name start = context_.names.bind_fresh("start", elem);
  Space space{.base = stm.pattern[0].name.base,
              .extents = {to.extents.front()},
              .index_bases = {"i"},
              .stm = &stm,
              .grid = "one thread per element of the result"};
  if (to.rank() > 1) space.extents.push_back(to.extents.back()), space.index_bases.push_back("j");
  launch(space, [&](Code& code, Capture& capture, const std::vector<Scalar>& indices) {
    const View result = capture.written(to, stm.pattern[0].name.base);
    const View neutral = std::get<View>(code.value_of(std::get<ir::Name>(e.neutral[0])));
    const View array = code.view(e.arrays[0]);
    const Scalar width = code.extents({e.width})[0];
    const auto element = [&](const View& cell, const View& zero, const std::vector<Expr>& at) {
      code.bind(start, code.load(zero));
      Results values = code.running({scalar, {start}, true}, {"combined"});
      code.loop(width, "l", [&](const Scalar& l) {
        View part = code.row(array, l.expr);
        for (const Expr& index : at) part = code.row(part, index);
        code.step({scalar, {start}, true}, values, {Value(code.load(part))});
      });
      code.store(cell, std::get<Scalar>(values[0]).expr);
    };
    const std::function<void(const View&, const View&, std::vector<Expr>)> level =
        [&](const View& cell, const View& zero, std::vector<Expr> at) {
          if (cell.rank() == 0) return element(cell, zero, at);
          const auto inside = [&](const Scalar& i) {
            std::vector<Expr> next = at;
            next.push_back(i.expr);
            level(code.row(cell, i.expr), code.row(zero, i.expr), next);
          };
          if (at.empty()) return inside(indices[0]);
          if (cell.rank() == 1) return inside(indices[1]);
          code.loop(cell.extents[0], "l", inside);
        };
    level(result, neutral, {});
  });
  code_.bind(stm.pattern[0].name, to);
}

}  // namespace boustro::plan::planner
