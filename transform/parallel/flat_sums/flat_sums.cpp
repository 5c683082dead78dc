// Sums over the leading dimension of an array go through the others as one.
//
// Rule      ys = nest (n, m) (\i j -> sum over l of xs[l, i, j])
//           gives   ys = reshape (nest (n * m) (\cell -> sum over l of xs'[l * (n * m) + cell])), xs' being xs as one dimension
// Applies   to nests of the grid whose points do nothing else, of whole rows of an array that another nest made, and whose result only nests
//           read; l may be numbered together with i, as in xs[l * n + i, j]
// Why       neighbouring threads have neighbouring cells however short the rows are, and all such sums are one kernel: those of slabs, mostly
// When      behind the passes that join such sums with what is computed of them
#include <algorithm>

#include "transform/ir/nest.hpp"
#include "transform/ir/traversal.hpp"
#include "transform/parallel/flatten/chunk.hpp"
#include "transform/parallel/parallel.hpp"

namespace boustro::parallel {
namespace {

using namespace ir;

bool is_product(const Stm& stm, const Atom& x, const Atom& y) {
  const auto* op = std::get_if<BinOp>(&stm.exp);
  return op && op->kind == BinOpKind::mul && ((op->lhs == x && op->rhs == y) || (op->lhs == y && op->rhs == x));
}
bool is_sum(const Stm& stm, const Atom& x, const Atom& y) {
  const auto* op = std::get_if<BinOp>(&stm.exp);
  return op && op->kind == BinOpKind::add && ((op->lhs == x && op->rhs == y) || (op->lhs == y && op->rhs == x));
}

/// Cells of the nest lie as those of the array, whose leading dimension, or its part that is numbered first, is summed over.
bool has_rows_of(const Nest& nest, const Shape& array) {
  const std::size_t same = array.size() - 1;
  return same <= nest.space.size() && std::equal(array.begin() + 1, array.end(), nest.space.end() - static_cast<std::ptrdiff_t>(same));
}

/// The array of which a nest adds up what lies in the same cell.
std::optional<Name> summed_up(const Nest& nest) {
  const bool stores = nest.over == Level::grid && nest.each == Level::thread && nest.accumulators.empty() && stores_new_arrays(nest) && nest.outs.size() == 1;
  if (!stores || nest.space.size() < 2 || nest.point.body.stms.size() != 1) return std::nullopt;
  const Stm& only = nest.point.body.stms[0];
  const auto* inner = std::get_if<Nest>(&only.exp);
  if (!inner || inner->space.size() != 1 || inner->outs.size() != 1 || inner->outs[0].kind != OutKind::reduce || inner->outs[0].values() != 1 || inner->outs[0].epilogue ||
      !inner->accumulators.empty() || nest.point.body.result[0] != Atom(only.pattern[0].name))
    return std::nullopt;
  const auto& stms = inner->point.body.stms;
  const Atom summand = inner->point.params[0].name;
  const auto* index = stms.empty() ? nullptr : std::get_if<Index>(&stms.back().exp);
  if (!index || inner->point.body.result[0] != Atom(stms.back().pattern[0].name)) return std::nullopt;
  std::vector<DimIndex> cell;
  for (const Param& param : nest.point.params) cell.emplace_back(Atom(param.name));
  if (stms.size() == 1) {
    cell.insert(cell.begin(), summand);
  } else {
    const Atom first = nest.point.params[0].name;
    if (stms.size() != 3 || !is_product(stms[0], summand, nest.space[0]) || !is_sum(stms[1], stms[0].pattern[0].name, first)) return std::nullopt;
    cell[0] = Atom(stms[1].pattern[0].name);
  }
  return index->indices == cell ? std::optional(index->array) : std::nullopt;
}

class FlatSums {
 public:
  FlatSums(Body& body, Names& names) : body_(body), names_(names), out_(names) {}

  /// Of a body that the host runs.
  void run() {
    // What is seen otherwise, or yielded, may be made as that.
    for (const Atom& atom : body_.result)
      if (const Name* name = name_in(atom)) seen_.insert(*name);
    for (const Stm& stm : body_.stms)
      if (!std::holds_alternative<Nest>(stm.exp)) seen_.merge(free_names(stm));
    for (Stm& stm : body_.stms) {
      if (!std::holds_alternative<Nest>(stm.exp)) map_bodies(stm.exp, [&](Body& inner) { FlatSums(inner, names_).run(); });
      if (auto* nest = std::get_if<Nest>(&stm.exp)) {
        const auto array = summed_up(*nest);
        if (array && made_.contains(*array) && has_rows_of(*nest, names_.type_of(*array).shape) && !seen_.contains(stm.pattern[0].name)) {
          flatten(stm, *nest, *array);
          continue;
        }
        for (const Param& param : stm.pattern) made_.insert(param.name);
      }
      out_.add(std::move(stm));
    }
    body_.stms = std::move(out_.stms);
  }

 private:
  Atom size_of(const std::string& base, const Shape& shape) {
    Atom size = shape[0];
    for (std::size_t d = 1; d < shape.size(); ++d) size = count(out_, base, size, shape[d]);
    return size;
  }

  /// If they are as many as there are summands, they are so many times all cells: sums of other cells may share the kernel.
  Atom size_of_parts(const Name& array, const Nest& nest, const Atom& cells) {
    const Shape& shape = names_.type_of(array).shape;
    const Atom& slabs = std::get<Nest>(nest.point.body.stms[0].exp).space[0];
    const auto is_all = [&](const Stm& stm) { return stm.pattern.size() == 1 && shape[0] == Atom(stm.pattern[0].name) && is_product(stm, slabs, nest.space[0]); };
    const bool all = shape.size() > nest.space.size() ? shape[0] == slabs : std::any_of(out_.stms.begin(), out_.stms.end(), is_all);
    return all ? count(out_, array.base + "_size", slabs, cells) : size_of(array.base + "_size", shape);
  }

  void flatten(const Stm& stm, const Nest& nest, const Name& array) {
    out_.origin = stm.origin;
    const Param& whole = stm.pattern[0];
    const Atom cells = size_of(whole.name.base + "_cells", nest.space), size = size_of_parts(array, nest, cells);
    const Name flat = out_.let(array.base, Reshape{{size}, array});
    Nest sums = nest;
    sums.space = {cells};
    sums.outs[0].rank = 1;
    sums.point = out_.lambda({{"cell", scalar(PrimType::i64)}}, [&](Builder& point, const std::vector<Name>& cell) {
      Nest sum = std::get<Nest>(nest.point.body.stms[0].exp);
      const Name number = sum.point.params[0].name;
      Builder inside(names_, stm.origin);
      const Atom at = inside.binop("at", BinOpKind::add, inside.binop("first", BinOpKind::mul, number, cells), cell[0]);
      sum.point.body.result = {inside.index(array.base, flat, {at})};
      sum.point.body.stms = std::move(inside.stms);
      return as_atoms(point.let_all({nest.point.body.stms[0].pattern[0].name.base}, sum));
    });
    const Param sum = names_.fresh_param(whole.name.base, ir::array(whole.type.elem, {cells}));
    out_.let({sum}, sums, stm.attributes);
    out_.let({whole}, Reshape{nest.space, sum.name});
  }

  Body& body_;
  Names& names_;
  Builder out_;
  NameSet made_, seen_;  // by nests; by others than nests
};

}  // namespace

Program flatten_sums(Program program) {
  Names names(program);
  for (const Function& function : program.functions) names.bind_function(function);
  for (Function& function : program.functions) FlatSums(function.body, names).run();
  return program;
}

}  // namespace boustro::parallel
