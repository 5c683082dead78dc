// Matrices of which members of a fold (sums_together.hpp) each read their own row, in columns that data tell.
//
// Rule      y[c, column], for each member c, in a step of a loop      lies in as many places as there are members. It becomes
//           columns = nest (m, k): y[c, column], before;  row = columns[column], row[c]      side by side
// Applies   to matrices of the host with a row for each member of the nest, where the column is the same for all members and depends on an
//           element that the step reads. Of columns that follow each other, a thread finds the next element where it has just been
// Cost      a copy of the matrix; together.cpp says where that pays
//
// Before:  loop (sum = 0) for j < n do let column = columns[j] in sum + yss[c, column]
// After:   let yss_columns = nest (m, k) (\column c -> yss[c, column])
//          .. loop (sum = 0) for j < n do let column = columns[j] let row = yss_columns[column] in sum + row[c]
#include "transform/parallel/together/turned.hpp"

#include <algorithm>

namespace boustro::parallel {
namespace {

using namespace ir;

class Reads {
 public:
  Reads(Nest nest, const NameSet& inside, std::vector<Turned>& turned, Names& names) : nest_(std::move(nest)), inside_(inside), turned_(turned), names_(names) {}

  Nest run() {
    const Name member = nest_.point.params[0].name;
    NameSet of_member{member};
    for (Stm& stm : nest_.point.body.stms) {
      if (auto* loop = std::get_if<Loop>(&stm.exp)) in_loop(*loop, of_member);
      const NameSet used = free_names(stm);
      const bool varies = std::any_of(used.begin(), used.end(), [&](const Name& name) { return of_member.contains(name); });
      for (const Param& param : stm.pattern) {
        if (varies) of_member.insert(param.name);
        if (const auto row = row_of_member(stm)) rows_.push_back({param.name, *row});
      }
    }
    return std::move(nest_);
  }

 private:
  struct Row {
    Name name, matrix;
  };

  bool is_member(const DimIndex& index) const { return index == DimIndex(Atom(nest_.point.params[0].name)); }

  /// It has a row for each member, and the host has it.
  bool can_be_turned(const Name& name) const {
    const Type& type = names_.type_of(name);
    return type.rank() == 2 && !type.accumulator && type.shape[0] == nest_.space[0] && !inside_.contains(name);
  }

  std::optional<Name> row_of_member(const Stm& stm) const {
    const auto* read = std::get_if<Index>(&stm.exp);
    if (!read || read->indices.size() != 1 || !is_member(read->indices[0]) || !can_be_turned(read->array)) return std::nullopt;
    return read->array;
  }

  /// The matrix and the column that a member reads.
  std::optional<std::pair<Name, Atom>> read_of(const Stm& stm) const {
    const auto* read = std::get_if<Index>(&stm.exp);
    const auto* column = read ? std::get_if<Atom>(&read->indices.back()) : nullptr;
    if (!column || !stm.pattern[0].type.is_scalar()) return std::nullopt;
    if (read->indices.size() == 2 && is_member(read->indices[0]) && can_be_turned(read->array)) return std::pair(read->array, *column);
    const auto row = std::find_if(rows_.begin(), rows_.end(), [&](const Row& row) { return row.name == read->array; });
    if (row == rows_.end()) return std::nullopt;
    return std::pair(row->matrix, *column);
  }

  void in_loop(Loop& loop, NameSet of_member) {
    for (const LoopParam& p : loop.params) of_member.insert(p.param.name);
    NameSet found;  // by what the step reads
    std::vector<Stm> stms;
    for (Stm& stm : loop.body.stms) {
      const NameSet used = free_names(stm);
      const auto uses = [&](const NameSet& names) { return std::any_of(used.begin(), used.end(), [&](const Name& name) { return names.contains(name); }); };
      for (const Param& param : stm.pattern) {
        if (uses(of_member)) of_member.insert(param.name);
        else if (std::holds_alternative<Index>(stm.exp) || uses(found)) found.insert(param.name);
      }
      const auto read = read_of(stm);
      const Name* column = read ? name_in(read->second) : nullptr;
      if (!column || !found.contains(*column)) {
        stms.push_back(std::move(stm));
        continue;
      }
      Builder b(names_, stm.origin);
      const Name row = b.index(read->first.base + "_row", turned(read->first), {*column}, std::get<Index>(stm.exp).checked);
      b.let(stm.pattern, Index{row, {Atom(nest_.point.params[0].name)}, false}, stm.attributes);
      stms.insert(stms.end(), b.stms.begin(), b.stms.end());
    }
    loop.body.stms = std::move(stms);
  }

  Name turned(const Name& matrix) {
    const auto known = std::find_if(turned_.begin(), turned_.end(), [&](const Turned& other) { return other.matrix == matrix; });
    if (known != turned_.end()) return known->columns;
    const Type type = names_.type_of(matrix);
    turned_.push_back({matrix, names_.bind_fresh(matrix.base + "_columns", array(type.elem, {type.shape[1], type.shape[0]}))});
    return turned_.back().columns;
  }

  Nest nest_;
  const NameSet& inside_;
  std::vector<Turned>& turned_;
  Names& names_;
  std::vector<Row> rows_;  // of the member
};

}  // namespace

Nest read_columns(Nest nest, const NameSet& inside, std::vector<Turned>& turned, Names& names) { return Reads(std::move(nest), inside, turned, names).run(); }

Stm turn(const Turned& turned, const Provenance& origin, Names& names) {
  const Type type = names.type_of(turned.columns);
  Builder b(names, origin);
  Nest nest;
  nest.over = Level::grid;
  nest.space = type.shape;
  nest.point = b.lambda({{"column", scalar(PrimType::i64)}, {"i", scalar(PrimType::i64)}}, [&](Builder& inside, const std::vector<Name>& at) -> std::vector<Atom> {
    return {inside.index("x", turned.matrix, {at[1], at[0]})};
  });
  Out out;
  out.rank = 2;
  nest.outs = {out};
  b.let({{turned.columns, type}}, std::move(nest));
  return std::move(b.stms[0]);
}

}  // namespace boustro::parallel
