#include "transform/ad/kept.hpp"

#include <algorithm>
#include <tuple>
#include <unordered_map>

#include "frontend/values/primitive.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::ad {

using namespace ir;

namespace {

/// The array that a statement shows otherwise.
const Name* shown_by(const Stm& stm) {
  return match(
      stm.exp, [](const AtomExp& e) { return name_in(e.atom); }, [](const Rearrange& e) { return &e.array; },
      [](const Reshape& e) { return &e.array; }, [](const Coerce& e) { return &e.array; }, [](const Index& e) { return &e.array; },
      [](const auto&) -> const Name* { return nullptr; });
}

bool needs_no_memory(const Exp& exp) { return std::holds_alternative<Iota>(exp) || std::holds_alternative<Replicate>(exp); }

class Search {
 public:
  std::vector<KeptArray> run(const Function& function) {
    visit(function.body.stms);
    return std::move(found_);
  }

 private:
  void visit(const std::vector<Stm>& stms) {
    std::unordered_map<Name, const Stm*> makers;  // of the forward sweep's arrays
    std::unordered_map<Name, Name> shown;
    NameSet read;
    for (const Stm& stm : stms) {
      if (stm.origin.sweep == Sweep::reverse) {
        for (const Name& name : free_names(stm)) read.insert(original(name, shown));
      } else if (const Name* array = shown_by(stm); array && stm.pattern.size() == 1) {
        shown.emplace(stm.pattern[0].name, *array);
      } else if (!needs_no_memory(stm.exp)) {
        for (const Param& param : stm.pattern) makers.emplace(param.name, &stm);
      }
      around_.push_back(&stm);
      for_each_body(stm.exp, [&](const Body& body) { visit(body.stms); });
      around_.pop_back();
    }
    for (const Stm& stm : stms)
      for (const Param& param : stm.pattern)
        if (makers.contains(param.name) && read.contains(param.name) && !param.type.is_scalar() && !param.type.accumulator)
          found_.push_back({param, stm.origin, around_});
  }

  static Name original(Name name, const std::unordered_map<Name, Name>& shown) {
    for (auto it = shown.find(name); it != shown.end(); it = shown.find(name)) name = it->second;
    return name;
  }

  std::vector<const Stm*> around_;
  std::vector<KeptArray> found_;
};

}  // namespace

std::vector<std::string> KeptArray::factors() const {
  std::vector<std::string> result;
  for (const Atom& extent : array.type.shape)
    if (const Name* name = name_in(extent)) result.push_back(name->base);
  return result;
}

std::int64_t KeptArray::bytes() const {
  std::int64_t result = values::byte_size(array.type.elem);
  for (const Atom& extent : array.type.shape)
    if (const auto* number = literal_in(extent)) result *= number->as_int();
  return result;
}

std::vector<KeptArray> kept_arrays(const Function& function) {
  std::vector<KeptArray> result = Search().run(function);
  const auto size = [](const KeptArray& kept) { return std::tuple(kept.factors().size(), kept.bytes()); };
  std::stable_sort(result.begin(), result.end(), [&](const KeptArray& x, const KeptArray& y) { return size(x) > size(y); });
  return result;
}

bool has_return_sweep(const Function& function) {
  const std::function<bool(const Body&)> has_one = [&](const Body& body) {
    return std::any_of(body.stms.begin(), body.stms.end(), [&](const Stm& stm) {
      bool inside = stm.origin.sweep == Sweep::reverse;
      for_each_body(stm.exp, [&](const Body& inner) { inside = inside || has_one(inner); });
      return inside;
    });
  };
  return has_one(function.body);
}

}  // namespace boustro::ad
