// Nests: the types of their outs, and which level may stand in which.
#include "transform/ir/nest.hpp"
#include "transform/ir/traversal.hpp"
#include "transform/ir/verify/types.hpp"

namespace boustro::ir::verification {
namespace {

bool is_gpu(Level level) {
  return level == Level::grid || level == Level::block || level == Level::warp;
}
bool is_cpu(Level level) { return level == Level::workers || level == Level::lanes; }

/// Who runs a point comes after who shares the points: grid, block, warp, thread, or workers, lanes, thread.
bool goes_inwards(Level over, Level each) {
  if (over == Level::thread) return each == Level::thread;
  if (each == Level::thread) return true;
  return static_cast<int>(over) < static_cast<int>(each) && is_gpu(over) == is_gpu(each) &&
         is_cpu(over) == is_cpu(each);
}

std::vector<Type> part(const std::vector<Type>& types, std::size_t begin, std::size_t count) {
  if (begin + count > types.size()) return {};
  const auto first = types.begin() + static_cast<std::ptrdiff_t>(begin);
  return {first, first + static_cast<std::ptrdiff_t>(count)};
}

}  // namespace

void TypeChecker::check(const Nest& e, const Stm&) {
  if (!goes_inwards(e.over, e.each))
    report_.add("the points of a nest are run by who does not share them");
  for_each_body(Exp(e), [&](const Body& body) {
    for (const Stm& stm : body.stms) {
      const auto* inner = std::get_if<Nest>(&stm.exp);
      if (inner && inner->over != e.each)
        report_.add("a nest inside of another is shared by others than who run its points");
    }
  });
  if (e.space.empty()) report_.add("a nest without dimensions");
  for (const Atom& extent : e.space) expect_size(extent);
  for (const Name& name : e.accumulators) {
    if (in_scope(name) && !names_.type_of(name).accumulator)
      report_.add("{} is not an accumulator", to_string(name));
  }
  check_additions(e);
  const std::vector<Type> accumulators = types_of(e.accumulators);
  std::vector<Type> params = accumulators;
  params.insert(params.end(), e.space.size(), scalar(PrimType::i64));
  check_lambda(e.point, params, "the point");
  const std::vector<Type>& results = e.point.result_types;
  expect_same(part(results, 0, accumulators.size()), accumulators, "the point's accumulators");
  std::size_t next = accumulators.size();
  for (const Out& out : e.outs) {
    if (next + out.indices() + out.values() > results.size())
      return report_.add("a point yields too little for its outs");
    check_method(e, out);
    check_out(e, out, part(results, next, out.indices()),
              part(results, next + out.indices(), out.values()));
    next += out.indices() + out.values();
  }
  if (next != results.size()) report_.add("a point yields more than its outs take");
}

/// Who shares the points can do it so.
void TypeChecker::check_method(const Nest& e, const Out& out) {
  const auto only = [&](bool can, const char* who) {
    if (!can) report_.add("an out is made {}, by who cannot", who);
  };
  switch (out.method) {
    case Method::library:
      return only(e.over == Level::grid && combines_all_points(out), "by a library call");
    case Method::atomic:
      return only(e.over == Level::grid && !out.destinations.empty(), "by atomic operations");
    case Method::apart:
    case Method::once:
      return only(false, "as additions alone are");
    case Method::copies:
      return only(e.over == Level::grid && out.kind == OutKind::histogram, "by copies of blocks");
    case Method::parts:
      return only(e.over == Level::workers, "in parts");
    default:
      return;
  }
}

void TypeChecker::check_additions(const Nest& e) {
  const bool on_grid = e.additions == Method::atomic || e.additions == Method::copies;
  if (e.additions == Method::library || (on_grid && e.over != Level::grid) ||
      (adds_apart(e) && e.over != Level::grid && e.over != Level::workers) ||
      (e.additions == Method::parts && e.over != Level::workers))
    report_.add("points add to accumulators as those who share them cannot");
  if (e.additions != Method::open && e.accumulators.empty()) report_.add("additions without accumulators");
}

/// The rows of the destinations under the bins, which have the shape that is stated.
std::vector<Type> TypeChecker::rows_of_destinations(const Out& out) {
  std::vector<Type> rows;
  const auto rank = static_cast<int>(out.bins.size());
  for (const Name& name : out.destinations) {
    if (!expect_array(name, rank)) continue;
    const Type& type = names_.type_of(name);
    rows.push_back(row_type(type, rank));
    if (array_of(out.bins, rows.back()) != type)
      report_.add("the destination {} of type {} has other bins", to_string(name), to_string(type));
  }
  return rows;
}

void TypeChecker::check_out(const Nest& e, const Out& out, const std::vector<Type>& indices,
                            const std::vector<Type>& values) {
  const auto rank = static_cast<int>(e.space.size());
  const bool indexed = out.kind == OutKind::histogram || out.kind == OutKind::scatter;
  const bool combines =
      out.kind == OutKind::reduce || out.kind == OutKind::scan || out.kind == OutKind::histogram;
  if (out.op.has_value() != combines)
    report_.add("an operator of a nest is missing, or combines nothing");
  if (indexed == (out.destinations.empty() || out.bins.empty()))
    report_.add("an out has places that its kind does not use, or lacks them");
  const int wanted = out.kind == OutKind::reduce ? std::clamp(out.rank, 0, rank - 1)
                     : out.kind == OutKind::scan ? rank - 1
                                                 : rank;
  if (!indexed && out.rank != wanted)
    report_.add("an out keeps {} of {} dimensions", out.rank, rank);
  for (const Atom& size : out.bins) expect_size(size);
  expect_same(indices, std::vector<Type>(out.bins.size(), scalar(PrimType::i64)),
              "the indices of an out");
  for (const Type& type : values) {
    if (type.accumulator) report_.add("an accumulator is stored in an array");
  }
  if (indexed) expect_same(values, rows_of_destinations(out), "the values of an out");
  if (out.op) check_operator(out.op->op, out.op->neutral, values, "an operator");
  if (!out.epilogue) return;
  if (out.kind != OutKind::reduce && out.kind != OutKind::scan)
    report_.add("an epilogue of what is not combined");
  std::vector<Type> params(static_cast<std::size_t>(out.kind == OutKind::scan ? rank : out.rank),
                           scalar(PrimType::i64));
  params.insert(params.end(), values.begin(), values.end());
  check_lambda(*out.epilogue, params, "an epilogue");
}

}  // namespace boustro::ir::verification
