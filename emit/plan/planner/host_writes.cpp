// Writes by index at the host's level: updates in place, scatter, histograms and accumulators.
#include <algorithm>

#include "emit/plan/planner/host.hpp"

namespace boustro::plan::planner {

/// Elements one by one are left to host_single.cpp.
void Host::update(const ir::Stm& stm, const ir::Update& e) {
  const View whole = writable(e.array, &stm);
  const View part = std::get<View>(value_of(e.value));
  if (is_known(e.indices)) {
    if (e.checked) code_.check_access(e.indices, whole, stm.origin);
    copy(code_.slice(whole, e.indices), part, stm.pattern[0].name.base, &stm,
         "made elsewhere, since it or this place is needed meanwhile");
  } else {
    launch({.base = stm.pattern[0].name.base,
            .extents = {part.extents[0]},
            .index_bases = {letter_of(context_.letters, part.extents[0].expr)},
            .stm = &stm,
            .grid = "one thread per {0}"},
           [&](Code& code, Capture& capture, const std::vector<Scalar>& indices) {
             code.bind(e.array, capture.written(whole, e.array.base, Access::updated));
             code.update_at(stm, e, indices[0]);
           });
  }
  code_.bind(stm.pattern[0].name, whole);
}

void Host::with_acc(const ir::Stm& stm, const ir::WithAcc& e) {
  std::vector<View> destinations;
  for (std::size_t i = 0; i < e.inputs.size(); ++i) {
    destinations.push_back(writable(e.inputs[i].destination, &stm));
    code_.bind(e.fn.params[i].name, Accumulator{destinations.back(), e.inputs[i].kind, true});
  }
  for (std::size_t i = e.inputs.size(); i < stm.pattern.size(); ++i) {
    if (const auto claimed = code_.destination(stm.pattern[i].name)) {
      code_.claim(e.fn.body.stms, e.fn.body.result[i], *claimed);
    }
  }
  stms(e.fn.body.stms);
  flush();
  for (std::size_t i = 0; i < stm.pattern.size(); ++i) {
    code_.bind(stm.pattern[i].name,
               i < destinations.size() ? Value(destinations[i]) : value_of(e.fn.body.result[i]));
  }
}

void Host::update_acc(const ir::Stm& stm, const ir::UpdateAcc& e) {
  Accumulator accumulator = code_.accumulator(e.accumulator);
  code_.bind(stm.pattern[0].name, accumulator);
  const Value value = value_of(e.value);
  const View* array = std::get_if<View>(&value);
  Space space{.base = e.accumulator.base,
              .extents = {},
              .index_bases = {},
              .stm = &stm,
              .grid = "one thread"};
  if (array && array->rank() > 0) {
    space.extents.push_back(array->extents[0]), space.index_bases.push_back(letter_of(context_.letters, array->extents[0].expr));
    space.grid = "one thread per element";
  }
  launch(space, [&](Code& code, Capture& capture, const std::vector<Scalar>& indices) {
    const View cells =
        capture.written(accumulator.destination, e.accumulator.base, Access::added_to);
    // The kernel is alone, and its threads add to different cells.
    code.bind(e.accumulator, Accumulator{cells, accumulator.kind, false});
    code.add_one(e, indices);
  });
}

}  // namespace boustro::plan::planner
