#include "emit/plan/lower/joint_sums.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "emit/plan/lower/combine_threads.hpp"
#include "emit/plan/lower/loops.hpp"

namespace boustro::plan::planner {
namespace {

const Type long_type = type(PrimType::i64);

}  // namespace

JointSums::JointSums(Code& code, Identifiers& identifiers, const ir::Nest& nest, const facts::JointSums& sums, std::vector<Scalar> extents,
                     const std::vector<OutPlace>& places, bool along_rows, std::size_t neighbours)
    : code_(code),
      identifiers_(identifiers),
      nest_(nest),
      sums_(sums),
      extents_(std::move(extents)),
      places_(places),
      along_rows_(along_rows),
      neighbours_(neighbours) {}

Stms JointSums::run() {
  return code_.collect([&] {
    for (const Scalar& extent : extents_) code_.assume_nonzero(extent.expr);  // there are no threads otherwise
    for (std::size_t d = 0; d < extents_.size(); ++d) name_index(d);
    number_ = var(identifiers_.fresh("number"), type_of(neighbours_));
    const bool narrow = number_.type.prim == PrimType::i32;
    const Expr block = narrow ? position(Position::block_x) : cast(PrimType::i64, position(Position::block_x));
    const Expr number = block * position(along_rows_ ? Position::block_width_y : Position::block_width_x) +
                        position(along_rows_ ? Position::thread_y : Position::thread_x);
    code_.emit(Let{.name = std::get<Var>(number_.head).name, .type = number_.type, .value = narrow ? cast(PrimType::i32, number) : number});
    const Expr last = cast(number_.type.prim, extents_[neighbours_].expr - 1);
    code_.emit(Stm(Let{.name = index_names_[neighbours_], .type = number_.type, .value = runtime::min(number_, last)}).with_beside("threads past the end repeat the last: all combine"));
    index_names_.push_back(std::get<Var>(number_.head).name);
    over_others(0);
  });
}

std::string JointSums::grid() const {
  const char* const along = along_rows_ ? "row" : "column", *const number = along_rows_ ? "threadIdx.y" : "threadIdx.x";
  std::vector<std::string> names, places{fmt::format("`{}` to blockIdx.x and {}", index_names_[neighbours_], number)};
  for (std::size_t d = 0, others = 0; d < extents_.size(); ++d) {
    names.push_back("`" + index_names_[d] + "`");
    if (d == neighbours_) continue;
    places.push_back(names.back() + (others == 0 ? " to blockIdx.y" : others == 1 ? " to blockIdx.z" : " in a loop"));
    ++others;
  }
  std::string all = names.back();
  if (names.size() > 1) all = fmt::format("{} and {}", fmt::join(names.begin(), names.end() - 1, ", "), all);
  const std::string per = fmt::format("a {} of threads (one {}) per {}, which share its sums", along, number, all);
  return names.size() == 1 ? per : fmt::format("{}: {}", per, fmt::join(places, ", "));
}

Type JointSums::type_of(std::size_t dimension) const {
  const Expr& extent = extents_[dimension].expr;
  return dimension == 0 ? long_type : int_value(extent) ? type(PrimType::i32) : extent.type;
}

void JointSums::name_index(std::size_t dimension) {
  const ir::Name& index = index_of(dimension);
  index_names_.push_back(identifiers_.fresh(identifiers_.letter_for(index.base)));
  const Type own = type_of(dimension);
  Scalar bound{var(index_names_.back(), own), {}, indices_below(own.prim == PrimType::i32 ? int_size_range : size_range)};
  bound.end = extents_[dimension].expr;
  code_.bind(index, bound);
}

/// The other dimensions are loops, in which blocks take turns along two of them. All threads of a block are at the same point.
void JointSums::over_others(std::size_t dimension) {
  if (dimension == neighbours_) ++dimension;
  if (dimension >= extents_.size()) return point();
  const std::size_t before = dimension < neighbours_ ? dimension : dimension - 1;
  const Type own = type_of(dimension);
  For loop{.name = index_names_[dimension], .type = own, .from = lit(0, own.prim), .to = extents_[dimension].expr};
  if (before < 2) {
    loop.from = cast(own.prim, position(before == 0 ? Position::block_y : Position::block_z));
    loop.step = cast(own.prim, position(before == 0 ? Position::grid_width_y : Position::grid_width_z));
  }
  loop.body = code_.collect_loop(false, [&] { over_others(dimension + 1); });
  code_.emit(Stm(std::move(loop)).after_gap());
}

const ir::Name& JointSums::index_of(std::size_t dimension) const { return nest_.point.params[nest_.accumulators.size() + dimension].name; }

void JointSums::point() {
  for (std::size_t i = 0; i < nest_.accumulators.size(); ++i) code_.bind(nest_.point.params[i].name, code_.accumulator(nest_.accumulators[i]));
  const auto& stms = nest_.point.body.stms;
  for (std::size_t out = 0; out < places_.size(); ++out)
    if (is_row(out)) code_.claim(stms, result(out), place_of(out));
  const std::vector<bool> late = needed_late();
  for (std::size_t i = 0; i <= sums_.sums.back(); ++i) {
    if (late[i]) continue;
    if (is_joint(i)) sum(i);
    else if (std::holds_alternative<ir::UpdateAcc>(stms[i].exp)) by_one_thread(code_.collect([&] { code_.stm(stms[i]); }));
    else code_.stm(stms[i]);
  }
  store();
}

/// What no sum needs is left to the thread that stores: the array that it stores to may be the one that it reads, and threads without a
/// result must not read there what others store. But elements that rows are stored over are read before that.
std::vector<bool> JointSums::needed_late() const {
  const auto& stms = nest_.point.body.stms;
  std::vector<bool> late(stms.size(), false);
  bool rows = false;
  for (std::size_t out = 0; out < places_.size(); ++out) rows = rows || is_row(out);
  if (rows) return late;
  ir::NameSet needed;
  for (std::size_t i = sums_.sums.back() + 1; i-- > 0;) {
    const auto is_needed = [&](const ir::Param& param) { return needed.contains(param.name); };
    late[i] = !is_joint(i) && !std::holds_alternative<ir::UpdateAcc>(stms[i].exp) && std::none_of(stms[i].pattern.begin(), stms[i].pattern.end(), is_needed);
    if (!late[i]) needed.merge(ir::free_names(stms[i]));
  }
  return late;
}

/// The elements of a row are stored once: threads without a result leave them alone. What threads have stored, and what they have read where
/// others store next, is settled behind a barrier; a combination is one.
void JointSums::sum(std::size_t at) {
  const ir::Stm& stm = nest_.point.body.stms[at];
  const auto& nest = std::get<ir::Nest>(stm.exp);
  const bool folds = std::any_of(nest.outs.begin(), nest.outs.end(), [](const ir::Out& out) { return out.kind == ir::OutKind::reduce; });
  LoopForm form;
  form.from = position(along_rows_ ? Position::thread_x : Position::thread_y);
  form.step = position(along_rows_ ? Position::block_width_x : Position::block_width_y);
  std::vector<OutPlace> places(nest.outs.size());
  std::vector<std::vector<ir::Param>> results;
  auto next = stm.pattern.begin();
  for (std::size_t out = 0; out < nest.outs.size(); ++out) {
    results.emplace_back(next, next + static_cast<std::ptrdiff_t>(nest.outs[out].values()));
    next += static_cast<std::ptrdiff_t>(nest.outs[out].values());
    places[out].part = nest.outs[out].kind == ir::OutKind::reduce;
    if (places[out].part) continue;
    places[out].arrays.push_back(code_.place(results[out][0]));
    code_.bind(results[out][0].name, places[out].arrays[0]);
    form.where = has_result();
  }
  Loops(code_, stm, nest, places, {}, form).run();
  for (std::size_t out = 0; out < nest.outs.size(); ++out)
    if (places[out].part) combine_threads(code_, identifiers_, *nest.outs[out].op, places[out].running, results[out], along_rows_);
  if (!folds && !ends_with(at)) code_.emit(Barrier{results[0][0].name.base + " is complete"});
}

/// Nothing is done at the point behind this statement.
bool JointSums::ends_with(std::size_t at) const {
  bool stores_scalars = false;
  for (std::size_t out = 0; out < places_.size(); ++out) stores_scalars = stores_scalars || !is_row(out);
  return at + 1 == nest_.point.body.stms.size() && !stores_scalars;
}

View JointSums::place_of(std::size_t out) {
  View place = places_[out].arrays[0];
  for (std::size_t d = 0; d < nest_.space.size(); ++d) place = code_.row(place, code_.index(index_of(d)));
  return place;
}

/// Rows are where they belong.
void JointSums::store() {
  by_one_thread(code_.collect([&] {
    const auto& stms = nest_.point.body.stms;
    const std::vector<bool> late = needed_late();
    for (std::size_t i = 0; i < stms.size(); ++i)
      if (late[i] || i > sums_.sums.back()) code_.stm(stms[i]);
    for (std::size_t out = 0; out < places_.size(); ++out)
      if (!is_row(out)) code_.store(place_of(out), code_.final_value(result(out)));
  }));
}

void JointSums::by_one_thread(Stms stms) {
  if (stms.empty()) return;
  const Expr part = position(along_rows_ ? Position::thread_x : Position::thread_y);
  code_.emit(Stm(If{equal(part, lit(0, PrimType::i32)) && has_result(), std::move(stms)}));
}

}  // namespace boustro::plan::planner
