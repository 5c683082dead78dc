#include "transform/parallel/flatten/reversals.hpp"

#include <unordered_map>

#include "transform/ir/traversal.hpp"

namespace boustro::parallel {

using namespace ir;

bool is_reversal(const Index& index, const Names& names) {
  const auto* slice = index.indices.size() == 1 ? std::get_if<Slice>(&index.indices[0]) : nullptr;
  const PrimValue* stride = slice ? literal_in(slice->stride) : nullptr;
  return stride && !index.checked && stride->as_int() == -1 && slice->count == names.type_of(index.array).shape[0];
}

bool is_reversal(const Stm& stm, const Names& names) {
  const auto* index = std::get_if<Index>(&stm.exp);
  return index && is_reversal(*index, names);
}

namespace {

class DirectReads {
 public:
  DirectReads(const Body& around, Names& names) : names_(names) {
    for (const Stm& stm : around.stms)
      if (std::holds_alternative<Iota>(stm.exp) || is_reversal(stm, names)) views_.emplace(stm.pattern[0].name, &stm);
  }

  void run(Body& body) {
    change(body);
    substitute(body, numbers_);
  }

 private:
  void change(Body& body) {
    std::vector<Stm> stms;
    for (Stm& stm : body.stms) {
      map_bodies(stm.exp, [&](Body& inner) { change(inner); });
      const auto* index = std::get_if<Index>(&stm.exp);
      const bool reads = index && views_.contains(index->array) && is_element(*index);
      if (!reads || !read(stm, *index, stms)) stms.push_back(std::move(stm));
    }
    body.stms = std::move(stms);
  }

  static bool is_element(const Index& index) { return !index.checked && index.indices.size() == 1 && std::holds_alternative<Atom>(index.indices[0]); }

  /// True if the element is a number, which stands for what the statement binds.
  bool read(Stm& stm, Index index, std::vector<Stm>& before) {
    for (auto view = views_.find(index.array); view != views_.end(); view = views_.find(index.array)) {
      const Atom place = substitute(std::get<Atom>(index.indices[0]), numbers_);
      if (std::holds_alternative<Iota>(view->second->exp)) return numbers_.emplace(stm.pattern[0].name, place).second;
      const auto& reversal = std::get<Index>(view->second->exp);
      const Param from_end = names_.fresh_param("place", scalar(PrimType::i64));
      before.push_back({{from_end}, BinOp{BinOpKind::sub, PrimType::i64, std::get<Slice>(reversal.indices[0]).start, place}, stm.origin, {}});
      index = Index{reversal.array, {Atom(from_end.name)}, false};
    }
    stm.exp = std::move(index);
    return false;
  }

  std::unordered_map<Name, const Stm*> views_;
  Names& names_;
  Substitution numbers_;
};

}  // namespace

void read_directly(Body& body, const Body& around, Names& names) { DirectReads(around, names).run(body); }

}  // namespace boustro::parallel
