#include "transform/fuse/concats.hpp"

#include <algorithm>
#include <optional>

#include "transform/fuse/traversal_form.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::fuse {

using namespace ir;

namespace {

/// A part of an array, in its order: xs[start : start + count].
struct Part {
  Name array;
  Atom start;
};

std::optional<Part> as_part(const Body& body, const Name& name) {
  for (const Stm& stm : body.stms) {
    if (stm.pattern.size() != 1 || stm.pattern[0].name != name) continue;
    const auto* index = std::get_if<Index>(&stm.exp);
    const auto* slice = index && !index->checked && index->indices.size() == 1 ? std::get_if<Slice>(&index->indices[0]) : nullptr;
    return slice && slice->stride == int_atom(1) ? std::optional(Part{index->array, slice->start}) : std::nullopt;
  }
  return std::nullopt;
}

/// Element by element, and in no other way.
bool only_mapped(const Body& body, std::size_t at, Names& names) {
  const Name& name = body.stms[at].pattern[0].name;
  if (std::find(body.result.begin(), body.result.end(), Atom(name)) != body.result.end()) return false;
  bool found = false;
  for (std::size_t i = at + 1; i < body.stms.size(); ++i) {
    if (!free_names(body.stms[i]).contains(name)) continue;
    auto form = as_traversal(body.stms[i].exp, names);
    if (!form) return false;
    form->arrays.clear();
    if (free_names(to_exp(std::move(*form))).contains(name)) return false;
    found = true;
  }
  return found;
}

class ConcatMapper {
 public:
  ConcatMapper(Body& body, Names& names) : body_(body), names_(names) {}

  void run() {
    for (std::size_t i = 0; i < body_.stms.size(); ++i) {
      const auto* concat = std::get_if<Concat>(&body_.stms[i].exp);
      if (!concat || concat->arrays.size() != 2 || !only_mapped(body_, i, names_)) continue;
      if (auto stms = mapped(body_.stms[i], *concat)) {
        const auto at = body_.stms.begin() + static_cast<std::ptrdiff_t>(i);
        body_.stms.insert(body_.stms.erase(at), stms->begin(), stms->end());
      }
    }
  }

  void updates() {
    for (std::size_t i = 0; i < body_.stms.size(); ++i) {
      const auto* update = std::get_if<Update>(&body_.stms[i].exp);
      const auto* value = update ? constant_of(update->array) : nullptr;
      if (!value || !only_mapped(body_, i, names_)) continue;
      if (auto stms = chosen_by_place(body_.stms[i], *update, *value)) {
        const auto at = body_.stms.begin() + static_cast<std::ptrdiff_t>(i);
        body_.stms.insert(body_.stms.erase(at), stms->begin(), stms->end());
      }
    }
  }

 private:
  /// What all elements of the array are.
  const Atom* constant_of(const Name& array) const {
    const auto made = std::find_if(body_.stms.begin(), body_.stms.end(), [&](const Stm& stm) { return stm.pattern.size() == 1 && stm.pattern[0].name == array; });
    const auto* replicate = made == body_.stms.end() ? nullptr : std::get_if<Replicate>(&made->exp);
    return replicate && names_.type_of(replicate->value).is_scalar() ? &replicate->value : nullptr;
  }

  std::optional<std::vector<Stm>> chosen_by_place(const Stm& stm, const Update& update, const Atom& value) {
    const auto* slice = update.indices.size() == 1 && !update.checked ? std::get_if<Slice>(&update.indices[0]) : nullptr;
    const Name* part = name_in(update.value);
    if (!slice || !part || slice->stride != int_atom(1) || stm.pattern[0].type.shape.size() != 1) return std::nullopt;
    const Slice written = *slice;
    const Name array = *part;
    const Atom otherwise = value, width = stm.pattern[0].type.shape[0];
    Builder builder(names_, stm.origin);
    const Name is = builder.let("is", Iota{width});
    const Lambda fn = builder.lambda({{"i", scalar(values::PrimType::i64)}}, [&](Builder& b, const std::vector<Name>& i) {
      const bool from_start = written.start == int_atom(0);
      const Atom behind = from_start ? Atom(i[0]) : b.binop("behind", BinOpKind::sub, i[0], written.start);
      Atom in_part = b.cmp("written", CmpOpKind::lt, behind, written.count);
      if (!from_start) in_part = b.binop("written", BinOpKind::bit_and, b.cmp("behind_start", CmpOpKind::le, int_atom(0), behind), in_part);
      return std::vector<Atom>{chosen(b, "x", in_part, [&](Builder& yes) { return Atom(yes.index("x", array, {behind})); },
                                      [&](Builder&) { return otherwise; })};
    });
    builder.let(stm.pattern, Map{width, fn, {is}, {}}, stm.attributes);
    return std::move(builder.stms);
  }

  std::optional<std::vector<Stm>> mapped(const Stm& stm, const Concat& concat) {
    const auto first = as_part(body_, concat.arrays[0]), second = as_part(body_, concat.arrays[1]);
    const bool of_one = first && second && first->array == second->array;
    if (!of_one && stm.pattern[0].type.shape.size() != 1) return std::nullopt;
    const Atom count = names_.type_of(concat.arrays[0]).shape[0];
    Builder builder(names_, stm.origin);
    const Name is = builder.let("is", Iota{concat.width});
    const Lambda fn = builder.lambda({{"i", scalar(values::PrimType::i64)}}, [&](Builder& b, const std::vector<Name>& i) {
      const Atom in_first = b.cmp("first", CmpOpKind::lt, i[0], count);
      const auto behind = [&](Builder& there) { return there.binop("behind", BinOpKind::sub, i[0], count); };
      if (of_one) {
        const Atom place = chosen(b, "place", in_first,
                                  [&](Builder& yes) { return yes.binop("place", BinOpKind::add, i[0], first->start); },
                                  [&](Builder& no) { return no.binop("place", BinOpKind::add, behind(no), second->start); });
        return std::vector<Atom>{b.index("x", first->array, {place})};
      }
      return std::vector<Atom>{
          chosen(b, "x", in_first, [&](Builder& yes) { return Atom(yes.index("x", concat.arrays[0], {i[0]})); },
                 [&](Builder& no) { return Atom(no.index("x", concat.arrays[1], {behind(no)})); })};
    });
    builder.let(stm.pattern, Map{concat.width, fn, {is}, {}}, stm.attributes);
    return std::move(builder.stms);
  }

  template <typename Yes, typename No>
  Atom chosen(Builder& b, const std::string& base, const Atom& condition, Yes&& yes, No&& no) {
    Builder then_builder(names_, b.origin), else_builder(names_, b.origin);
    const Atom x = yes(then_builder), y = no(else_builder);
    return b.let(base, If{condition, {std::move(then_builder.stms), {x}}, {std::move(else_builder.stms), {y}}});
  }

  Body& body_;
  Names& names_;
};

}  // namespace

void map_concats(Body& body, Names& names) { ConcatMapper(body, names).run(); }

void map_updates(Body& body, Names& names) {
  ConcatMapper(body, names).updates();
  for (Stm& stm : body.stms) map_bodies(stm.exp, [&](Body& inner) { map_updates(inner, names); });
}

}  // namespace boustro::fuse
