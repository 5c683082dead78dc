// Arrays whose elements combine few elements of others, all but one of them smaller, are computed where they are read.
//
// Rule      ds = nest (n, m) (\i j -> f xs[i] ys[i, j])    .. ds[i, j] ..   gives   .. f xs[i] ys[i, j] ..
// Applies   to nests of the grid that store one array and nothing else. f is a few additions and multiplications and cannot fail; it reads
//           at most one array as large as ds, and that at its point's own place: others lack a dimension of the nest. Nobody updates what f
//           reads. All uses of ds are reads of elements by nests behind it, through whatever views, which cannot fail
// Cost      f, and a read of each smaller array, for each read of ds. These stay in caches, and ds is neither stored nor read, which
//           goes through memory
// Source    derived here
//
// Before:  let ds = nest (n, m) (\i j -> xs[i, j] - ms[j])  in nest (n, n) (\i l -> nest m (\j -> ds[i, j] * ds[l, j]) (reduce (+) 0))
// After:   nest (n, n) (\i l -> nest m (\j -> (xs[i, j] - ms[j]) * (xs[l, j] - ms[j])) (reduce (+) 0))
#include <algorithm>

#include "transform/facts/aliases.hpp"
#include "transform/ir/builder.hpp"
#include "transform/ir/nest.hpp"
#include "transform/ir/traversal.hpp"
#include "transform/parallel/parallel.hpp"

namespace boustro::parallel {
namespace {

using namespace ir;

constexpr std::size_t most_operations = 4, most_reads = 3;

/// One operation that takes about as long as an addition.
bool is_quick(const Exp& exp) {
  if (may_fail(exp) || std::holds_alternative<MathOp>(exp)) return false;
  const auto* op = std::get_if<BinOp>(&exp);
  return is_scalar_operation(exp) && (!op || (op->kind != BinOpKind::div && op->kind != BinOpKind::mod && op->kind != BinOpKind::pow));
}

/// An element or a row at some indices, known to be in bounds.
const Index* as_part(const Stm& stm) {
  const auto* read = std::get_if<Index>(&stm.exp);
  const auto is_number = [](const DimIndex& at) { return std::holds_alternative<Atom>(at); };
  return read && !read->checked && std::all_of(read->indices.begin(), read->indices.end(), is_number) ? read : nullptr;
}

std::vector<Atom> numbers(const Index& read) {
  std::vector<Atom> result;
  for (const DimIndex& at : read.indices) result.push_back(std::get<Atom>(at));
  return result;
}

/// What a nest reads and computes for each of its points.
class Operations {
 public:
  Operations(const Nest& nest, const facts::Aliases& aliases) : aliases_(aliases) {
    for (const Param& param : nest.point.params) indices_.push_back(param.name);
    quick_ = std::all_of(nest.point.body.stms.begin(), nest.point.body.stms.end(), [&](const Stm& stm) { return note(stm); });
  }

  bool pays() const { return quick_ && operations_ <= most_operations && reads_ <= most_reads && large_ <= 1 && large_ <= operations_; }

 private:
  bool note(const Stm& stm) {
    if (is_quick(stm.exp)) return ++operations_, true;
    const Index* read = as_part(stm);
    if (!read) return false;
    std::vector<Atom> at = numbers(*read);
    Name array = read->array;
    if (const auto row = rows_.find(array); row != rows_.end()) {
      at.insert(at.begin(), row->second.second.begin(), row->second.second.end());
      array = row->second.first;
    }
    if (!stm.pattern[0].type.is_scalar()) return rows_.emplace(stm.pattern[0].name, std::pair(array, at)), true;
    return note_read(array, at);
  }

  bool note_read(const Name& array, const std::vector<Atom>& at) {
    ++reads_;
    if (!aliases_.settled(array)) return false;
    const auto is_index = [&](const Atom& atom) { return std::find(indices_.begin(), indices_.end(), atom) != indices_.end(); };
    if (!std::all_of(at.begin(), at.end(), [&](const Atom& atom) { return is_index(atom) || literal_in(atom); })) return false;
    const bool smaller = std::any_of(indices_.begin(), indices_.end(), [&](const Atom& index) { return std::find(at.begin(), at.end(), index) == at.end(); });
    large_ += !smaller;
    return smaller || at == indices_;
  }

  const facts::Aliases& aliases_;
  std::vector<Atom> indices_;
  std::unordered_map<Name, std::pair<Name, std::vector<Atom>>> rows_;
  bool quick_ = false;
  std::size_t operations_ = 0, reads_ = 0, large_ = 0;
};

/// Of a view of the array: for each of the array's dimensions an index, or else the number of a dimension of the view.
using View = std::vector<std::variant<Atom, std::size_t>>;

/// The view's first dimensions at these indices.
View at(const View& view, const std::vector<Atom>& indices) {
  View result = view;
  for (auto& dimension : result) {
    const auto* number = std::get_if<std::size_t>(&dimension);
    if (!number) continue;
    if (*number < indices.size())
      dimension = indices[*number];
    else
      dimension = *number - indices.size();
  }
  return result;
}

View rearranged(const View& view, const std::vector<int>& permutation) {
  View result = view;
  for (auto& dimension : result) {
    const auto* number = std::get_if<std::size_t>(&dimension);
    if (!number || *number >= permutation.size()) continue;
    dimension = static_cast<std::size_t>(std::find(permutation.begin(), permutation.end(), static_cast<int>(*number)) - permutation.begin());
  }
  return result;
}

/// Finds the reads of one array behind the nest that makes it, or puts computations in their place.
class Readers {
 public:
  Readers(const Stm& made, Names& names) : nest_(std::get<Nest>(made.exp)), names_(names) {
    View whole;
    for (std::size_t d = 0; d < nest_.space.size(); ++d) whole.emplace_back(d);
    views_.emplace(made.pattern[0].name, whole);
  }

  /// All uses are reads of elements inside of nests.
  bool only_read(const std::vector<Stm>& stms, bool in_nest = false) {
    return std::all_of(stms.begin(), stms.end(), [&](const Stm& stm) { return only_read(stm, in_nest); });
  }
  bool is_in(const std::vector<Atom>& atoms) const {
    return std::any_of(atoms.begin(), atoms.end(), [&](const Atom& atom) { return name_in(atom) && views_.contains(*name_in(atom)); });
  }

  void compute(std::vector<Stm>& stms) {
    std::vector<Stm> result;
    for (Stm& stm : stms) {
      const View* view = view_read(stm);
      if (view && stm.pattern[0].type.is_scalar()) {
        compute(stm, at(*view, numbers(std::get<Index>(stm.exp))), result);
      } else if (!views_.contains(stm.pattern.empty() ? Name() : stm.pattern[0].name)) {
        map_bodies(stm.exp, [&](Body& body) { compute(body.stms); });
        result.push_back(std::move(stm));
      }
    }
    stms = std::move(result);
  }

 private:
  const View* view_read(const Stm& stm) const {
    const Index* read = as_part(stm);
    const auto found = read ? views_.find(read->array) : views_.end();
    return found == views_.end() ? nullptr : &found->second;
  }

  bool only_read(const Stm& stm, bool in_nest) {
    const NameSet used = free_names(stm);
    if (std::none_of(used.begin(), used.end(), [&](const Name& name) { return views_.contains(name); })) return true;
    if (const View* view = view_read(stm)) {
      if (stm.pattern[0].type.is_scalar()) return in_nest;
      return views_.emplace(stm.pattern[0].name, at(*view, numbers(std::get<Index>(stm.exp)))), true;
    }
    if (const auto* e = std::get_if<Rearrange>(&stm.exp)) {
      const View view = views_.at(e->array);
      return views_.emplace(stm.pattern[0].name, rearranged(view, e->permutation)), true;
    }
    std::vector<Atom> operands;
    for_each_atom(stm.exp, [&](const Atom& atom) { operands.push_back(atom); });
    bool inside = !is_in(operands);
    const bool is_nest = std::holds_alternative<Nest>(stm.exp);
    for_each_body(stm.exp, [&](const Body& body) { inside = inside && only_read(body.stms, in_nest || is_nest) && !is_in(body.result); });
    return inside;
  }

  /// The result of the computation takes the name of what was read.
  void compute(const Stm& read, const View& place, std::vector<Stm>& to) {
    std::vector<Atom> indices;
    for (const auto& index : place) indices.push_back(std::get<Atom>(index));
    Builder builder(names_, read.origin);
    const std::vector<Atom> value = inline_lambda(builder, rename(nest_.point, names_), indices);
    Stm& last = builder.stms.back();
    if (value[0] == Atom(last.pattern[0].name))
      last.pattern[0] = read.pattern[0];
    else
      builder.let(read.pattern, AtomExp{value[0]});
    to.insert(to.end(), builder.stms.begin(), builder.stms.end());
  }

  Nest nest_;
  Names& names_;
  std::unordered_map<Name, View> views_;
};

class HostBody {
 public:
  HostBody(Names& names, const facts::Aliases& aliases) : names_(names), aliases_(aliases) {}

  void run(Body& body) {
    for (std::size_t i = 0; i < body.stms.size();) {
      std::vector<Stm> behind(body.stms.begin() + static_cast<std::ptrdiff_t>(i) + 1, body.stms.end());
      if (applies(body.stms[i]) && replace(body.stms[i], behind, body.result)) {
        body.stms.erase(body.stms.begin() + static_cast<std::ptrdiff_t>(i), body.stms.end());
        body.stms.insert(body.stms.end(), std::make_move_iterator(behind.begin()), std::make_move_iterator(behind.end()));
      } else {
        if (!std::holds_alternative<Nest>(body.stms[i].exp)) map_bodies(body.stms[i].exp, [&](Body& inner) { run(inner); });
        ++i;
      }
    }
  }

 private:
  bool applies(const Stm& stm) const {
    const auto* nest = std::get_if<Nest>(&stm.exp);
    return nest && nest->over == Level::grid && stores_new_arrays(*nest) && stm.pattern.size() == 1 && nest->outs[0].kind == OutKind::store &&
           static_cast<std::size_t>(nest->outs[0].rank) == nest->space.size() && nest->point.result_types[0].is_scalar() && !nest->point.body.stms.empty() &&
           Operations(*nest, aliases_).pays();
  }

  bool replace(const Stm& stm, std::vector<Stm>& behind, const std::vector<Atom>& result) {
    Readers readers(stm, names_);
    if (!readers.only_read(behind) || readers.is_in(result)) return false;
    readers.compute(behind);
    return true;
  }

  Names& names_;
  const facts::Aliases& aliases_;
};

}  // namespace

Program compute_where_read(Program program) {
  Names names(program);
  const facts::Aliases aliases(program);
  for (Function& function : program.functions)
    if (function.entry) HostBody(names, aliases).run(function.body);
  return program;
}

}  // namespace boustro::parallel
