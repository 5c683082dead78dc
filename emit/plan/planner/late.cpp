// Arrays whose sizes are known only while the entry runs: in buffers, which get their memory from the caller's allocator.
#include "emit/plan/planner/code.hpp"
#include "emit/plan/planner/entry.hpp"
#include "frontend/source/diagnostics.hpp"

namespace boustro::plan::planner {

const std::string& buffer_of(const View& array) {
  return std::get<Var>(array.memory()->base.head).name;
}

View Code::buffer(std::string_view base, PrimType elem) {
  if (!surroundings_.host) refuse_unknown_size(context_.place());
  context_.entry.allocates = true;
  const std::string name = identifiers_.fresh(base);
  emit(Buffer{name, type(elem)});
  View result{elem, {}, Memory{var(name, pointer_to(elem)), lit(0), {}}};
  result.late = true;
  return result;
}

View Code::allocated(const View& late, const std::vector<Scalar>& extents) {
  Allocate allocate{buffer_of(late), {}};
  for (const Scalar& extent : extents) allocate.extents.push_back(extent.expr);
  emit(std::move(allocate));
  return dense_view(late.memory()->base, late.elem, extents);
}

View Code::settled(const View& destination, const std::vector<Scalar>& extents) {
  return destination.late ? allocated(destination, extents) : destination;
}

View Code::moved(const View& destination, const View& array) {
  const bool there = destination.late && array.memory() &&
                     array.memory()->base == destination.memory()->base;
  if (there) return array;
  const View to = settled(destination, array.extents);
  copy(to, array);
  return to;
}

void Code::open_late_results(Interface& interface) {
  for (const LateResult& late : interface.late)
    interface.destinations[late.result] = buffer(late.param.name + "_buffer", late.param.type.prim);
}

void Code::close_late_results(const Interface& interface, const Results& results) {
  if (interface.late.empty()) return;
  if (context_.gpu()) emit(EndIfFailed{});
  for (const LateResult& late : interface.late) {
    const View& array = std::get<View>(results[late.result]);
    emit(Release{late.param.name, buffer_of(array)});
    for (std::size_t i = 0; i < late.extents.size(); ++i) {
      if (!late.extents[i]) continue;
      const Expr output = var(*late.extents[i], pointer_to(PrimType::i64));
      emit(Assign{op(Op::dereference, output), cast(PrimType::i64, array.extents[i].expr)});
    }
  }
}

}  // namespace boustro::plan::planner
