#include "emit/plan/lower/loops.hpp"

#include <algorithm>

#include "emit/plan/planner/in_order.hpp"

namespace boustro::plan::planner {

Loops::Loops(Code& code, const ir::Stm& stm, const ir::Nest& nest, std::vector<OutPlace>& places,
             std::vector<std::optional<Scalar>> given, LoopForm form)
    : code_(code),
      stm_(stm),
      nest_(nest),
      places_(places),
      points_(code, stm, nest, places),
      given_(std::move(given)),
      form_(std::move(form)) {
  given_.resize(nest.space.size());
  const auto open = std::find_if(given_.begin(), given_.end(), [](const auto& index) { return !index.has_value(); });
  outermost_ = static_cast<std::size_t>(open - given_.begin());
  std::size_t next = nest.accumulators.size();
  for (std::size_t out = 0; out < nest.outs.size(); ++out) {
    first_.push_back(next);
    next += nest.outs[out].results();
    if (!nest.outs[out].op) continue;
    const bool folds = nest.outs[out].kind == ir::OutKind::reduce;
    places_[out].op =
        folds ? in_order(*nest.outs[out].op, points_.counts(out)) : *nest.outs[out].op;
  }
}

void Loops::dimension(std::size_t at) {
  points_.enter(indices_);
  start_folds(at);
  if (at == nest_.space.size()) return points_.run(indices_);
  if (given_[at]) {
    indices_.push_back(*given_[at]);
    dimension(at + 1);
    indices_.pop_back();
  } else {
    loop_over(at);
  }
  finish_folds(at);
}

void Loops::loop_over(std::size_t at) {
  const std::string base = nest_.point.params[nest_.accumulators.size() + at].name.base;
  const auto iteration = [&](const Scalar& index) {
    indices_.push_back(index);
    dimension(at + 1);
    indices_.pop_back();
  };
  LoopForm form = at == outermost_ ? form_ : LoopForm{};
  form.in_point = is_part_of_point() && at + 1 == nest_.space.size();
  code_.guarded(form.where, [&] { code_.loop(code_.extents({nest_.space[at]})[0], base, iteration, form); });
}

/// One thread runs the nest, whose points only store.
bool Loops::is_part_of_point() const {
  return nest_.over == ir::Level::thread && nest_.accumulators.empty() &&
         std::all_of(nest_.outs.begin(), nest_.outs.end(), [](const ir::Out& out) { return out.kind == ir::OutKind::store; });
}

bool Loops::folds_from(std::size_t out, std::size_t dimension) const {
  const ir::Out& what = nest_.outs[out];
  return (what.kind == ir::OutKind::reduce || what.kind == ir::OutKind::scan) &&
         static_cast<std::size_t>(what.rank) == dimension;
}

/// A reduction of the whole space is bound to its variables at once: nothing stores it.
void Loops::start_folds(std::size_t dimension) {
  for (std::size_t out = 0; out < nest_.outs.size(); ++out) {
    if (!folds_from(out, dimension)) continue;
    const bool scans = nest_.outs[out].kind == ir::OutKind::scan;
    const bool part = places_[out].part;
    std::vector<std::string> bases;
    for (std::size_t k = 0; k < nest_.outs[out].values(); ++k)
      bases.push_back((scans ? "running_" : part ? "own_" : "") + result(out, k).name.base);
    places_[out].running = code_.running(places_[out].op, bases);
    if (places_[out].arrays.empty() && !part && !nest_.outs[out].epilogue) bind(out, places_[out].running);
  }
}

void Loops::finish_folds(std::size_t dimension) {
  for (std::size_t out = 0; out < nest_.outs.size(); ++out) {
    if (!folds_from(out, dimension) || nest_.outs[out].kind == ir::OutKind::scan) continue;
    const Results results = points_.concluded(out, indices_);
    if (places_[out].arrays.empty() && nest_.outs[out].epilogue) bind(out, results);
    for (std::size_t k = 0; k < places_[out].arrays.size(); ++k) {
      View cell = places_[out].arrays[k];
      for (const Scalar& index : indices_) cell = code_.row(cell, index.expr);
      code_.put(cell, results[k]);
    }
  }
}

void Loops::bind(std::size_t out, const Results& results) {
  for (std::size_t k = 0; k < results.size(); ++k) code_.bind(result(out, k).name, results[k]);
}

}  // namespace boustro::plan::planner
