#include "transform/facts/own_rows.hpp"

#include <algorithm>
#include <unordered_map>

namespace boustro::facts {

using namespace ir;

namespace {

/// The first index of the nest: that of its rows.
const Name& row_index(const Nest& nest) { return nest.point.params[nest.accumulators.size()].name; }

bool is_row_of(const Index& read, const Name& index) {
  const auto* first = read.indices.empty() ? nullptr : std::get_if<Atom>(&read.indices[0]);
  return first && *first == Atom(index);
}

class RowFinder {
 public:
  RowFinder(const Nest& nest, const Names& names) : nest_(nest), names_(names), free_(free_names(nest.point)) {}

  std::vector<OwnRow> run() {
    const std::size_t first = nest_.accumulators.size();
    for (std::size_t d = 1; d < nest_.space.size(); ++d) enter(nest_.point.params[first + d].name, nest_.space[d]);
    body(nest_.point.body, true);
    std::erase_if(found_, [&](const OwnRow& row) { return !gone_through_.contains(row.array); });
    return std::move(found_);
  }

 private:
  /// Part of a row: of which one, and the indices so far.
  struct Part {
    Name array;
    std::vector<DimIndex> indices;
  };

  void enter(const Name& index, const Atom& extent) {
    loops_.emplace_back(index, extent);
    follows_.insert_or_assign(index, index);
  }

  /// The index of a loop that a number follows, up or down, one by one.
  const Name* followed(const Atom& number) const {
    const Name* name = name_in(number);
    const auto found = name ? follows_.find(*name) : follows_.end();
    return found == follows_.end() ? nullptr : &found->second;
  }

  void note_number(const Stm& stm) {
    const Name* index = nullptr;
    if (const auto* convert = std::get_if<Convert>(&stm.exp)) index = followed(convert->operand);
    if (const auto* op = std::get_if<BinOp>(&stm.exp); op && (op->kind == BinOpKind::add || op->kind == BinOpKind::sub)) {
      const Name *left = followed(op->lhs), *right = followed(op->rhs);
      if (!left != !right) index = left ? left : right;
    }
    if (index) follows_.insert_or_assign(stm.pattern[0].name, Name(*index));
  }

  /// `always`: all points come here.
  void body(const Body& body, bool always) {
    for (const Stm& stm : body.stms) {
      note_number(stm);
      if (const auto* read = std::get_if<Index>(&stm.exp)) index(*read, stm.pattern[0], always);
      const std::size_t around = loops_.size();
      if (const auto* nest = std::get_if<Nest>(&stm.exp))
        for (std::size_t d = 0; d < nest->space.size(); ++d) enter(nest->point.params[nest->accumulators.size() + d].name, nest->space[d]);
      if (const auto* loop = std::get_if<Loop>(&stm.exp)) {
        const auto* counted = std::get_if<ForLoop>(&loop->form);
        if (counted) enter(counted->index, counted->bound);
      }
      const bool branches = std::holds_alternative<If>(stm.exp);
      for_each_body(stm.exp, [&](const Body& inner) { this->body(inner, always && !branches); });
      loops_.resize(around);
    }
  }

  void index(const Index& read, const Param& result, bool always) {
    Part part{read.array, read.indices};
    if (const auto of = parts_.find(read.array); of != parts_.end()) {
      part = of->second;
      part.indices.insert(part.indices.end(), read.indices.begin(), read.indices.end());
    } else if (!is_row_of(read, row_index(nest_)) || !free_.contains(read.array)) {
      return;
    }
    if (names_.type_of(part.array).shape.size() < 2) return;
    OwnRow& row = row_of(part.array);
    if (part.indices.size() == 1) row.base = result.name.base;
    if (!result.type.is_scalar()) {
      parts_.emplace(result.name, std::move(part));
    } else if (always && goes_through(part)) {
      gone_through_.insert(part.array);
    }
  }

  /// The indices behind the first are those of loops around it, each as long as the row is there.
  bool goes_through(const Part& part) const {
    const Shape& shape = names_.type_of(part.array).shape;
    NameSet used;
    for (std::size_t d = 1; d < shape.size(); ++d) {
      const auto* at = std::get_if<Atom>(&part.indices[d]);
      const Name* index = at ? followed(*at) : nullptr;
      const auto is_its_index = [&](const auto& loop) { return index && *index == loop.first && is_same_size(loop.second, shape[d]); };
      const auto loop = std::find_if(loops_.begin(), loops_.end(), is_its_index);
      if (loop == loops_.end() || !used.insert(loop->first).second) return false;
    }
    return true;
  }

  static bool is_same_size(const Atom& x, const Atom& y) {
    const PrimValue *first = literal_in(x), *second = literal_in(y);
    return first && second ? first->as_int() == second->as_int() : x == y;
  }

  OwnRow& row_of(const Name& array) {
    const auto known = std::find_if(found_.begin(), found_.end(), [&](const OwnRow& row) { return row.array == array; });
    return known != found_.end() ? *known : found_.emplace_back(OwnRow{array, array.base});
  }

  const Nest& nest_;
  const Names& names_;
  NameSet free_;
  std::vector<OwnRow> found_;
  NameSet gone_through_;
  std::unordered_map<Name, Part> parts_;          // by the name of the row, or of what is inside of it
  std::unordered_map<Name, Name> follows_;
  std::vector<std::pair<Name, Atom>> loops_;      // around, with their extents
};

}  // namespace

std::vector<OwnRow> own_rows_of(const Nest& nest, const Names& names) { return RowFinder(nest, names).run(); }

Nest reading_rows(Nest nest, const std::vector<OwnRow>& own, const std::vector<Name>& rows) {
  const Name index = row_index(nest);
  const std::function<void(Body&)> change = [&](Body& body) {
    for (Stm& stm : body.stms) {
      map_bodies(stm.exp, change);
      auto* read = std::get_if<Index>(&stm.exp);
      if (!read || !is_row_of(*read, index)) continue;
      const auto row = std::find_if(own.begin(), own.end(), [&](const OwnRow& known) { return known.array == read->array; });
      if (row == own.end()) continue;
      read->array = rows[static_cast<std::size_t>(row - own.begin())];
      read->indices.erase(read->indices.begin());
      if (read->indices.empty()) stm.exp = AtomExp{read->array};
    }
  };
  change(nest.point.body);
  return nest;
}

}  // namespace boustro::facts
