// Indexing, slicing, in-place updates, ranges.
#include <algorithm>

#include "frontend/check/checker.hpp"
#include "frontend/check/match.hpp"
#include "frontend/check/sizes.hpp"
#include "frontend/source/messages.hpp"

namespace boustro::check {

std::vector<DimIndex> Checker::indices(const std::vector<ast::DimIndex>& syntax) {
  std::vector<DimIndex> result;
  const auto checked = [&](const ast::Exp& exp) {
    Exp index = check(exp);
    expect(fresh(index.at, TypeClass::integral), index, "an index is an integer");
    return index;
  };
  const auto part = [&](const std::optional<ast::Box<ast::Exp>>& exp) -> std::optional<Box<Exp>> {
    if (!exp) return std::nullopt;
    Exp index = check(**exp);
    expect(i64(), index, "the bounds of a slice are of type `i64`");
    return index;
  };
  for (const ast::DimIndex& index : syntax) {
    match(
        index, [&](const ast::Box<ast::Exp>& exp) { result.push_back(Box<Exp>(checked(*exp))); },
        [&](const ast::SliceIndex& slice) {
          result.push_back(SliceIndex{part(slice.start), part(slice.end), part(slice.stride)});
        });
  }
  return result;
}

Type Checker::indexed_type(const Type& array, const std::vector<DimIndex>& indices,
                           std::vector<Name>* existentials, SourceRange at) {
  std::vector<Size> kept;
  Type rest = array;
  for (const DimIndex& index : indices) {
    rest = inference_.resolve(rest);
    if (const auto* variable = std::get_if<TypeVariable>(&rest.node);
        variable && inference_.is_variable(variable->name)) {
      const Type open = array_type(inference_.fresh_size("n", at), fresh_plain(at));
      inference_.unify(rest, open);
      rest = open;
    }
    const auto* dimension = std::get_if<ArrayType>(&rest.node);
    if (!dimension) {
      report(Message::cannot_index, at, inference_.print(array), indices.size());
      return fresh(at);
    }
    if (const auto* slice = std::get_if<SliceIndex>(&index))
      kept.push_back(slice_size(dimension->size, *slice, existentials));
    const Type row = *dimension->row;
    rest = row;
  }
  for (auto size = kept.rbegin(); size != kept.rend(); ++size)
    rest = array_type(*size, std::move(rest));
  return rest;
}

// Known if the stride is 1 and the bounds are sizes, and for a whole array backwards. What is
// written to a slice may be of any size: whether it fits is checked when it is written.
Size Checker::slice_size(const Size& whole, const SliceIndex& slice,
                         std::vector<Name>* existentials) {
  if (!existentials) return inference_.fresh_size("d", {});
  const auto is_one = [](const Exp& exp) {
    const auto* literal = std::get_if<Literal>(&exp.node);
    return literal && literal->value.bits == 1;
  };
  const auto unknown = [&]() -> Size {
    existentials->push_back(inference_.fresh_name("d"));
    return existentials->back();
  };
  if (slice.stride && !is_one(**slice.stride)) {
    const auto* literal = std::get_if<Literal>(&(*slice.stride)->node);
    const bool backwards = literal && literal->value.as_int() == -1 && !slice.start && !slice.end;
    return backwards ? whole : unknown();
  }
  const auto start = slice.start ? any_size_of(**slice.start) : Size(SizeConstant(0));
  const auto end = slice.end ? any_size_of(**slice.end) : std::optional<Size>(whole);
  if (!start || !end) return unknown();
  const Size size = subtract_sizes(*end, *start);
  if (!mentions_array(size)) return size;
  const Size named = unknown();
  define(std::get<Name>(named), size);
  return named;
}

Exp Checker::index(Exp array, std::vector<DimIndex> indices, SourceRange at) {
  std::vector<Name> existentials;
  const Type type = indexed_type(array.type, indices, &existentials, at);
  return {Index{std::move(array), std::move(indices), std::move(existentials)}, type, at};
}
Exp Checker::check_exp(const ast::Index& syntax, SourceRange at) {
  Exp array = check(*syntax.array);
  return index(std::move(array), indices(syntax.indices), at);
}

// ---- Updates

Exp Checker::check_exp(const ast::With& syntax, SourceRange at) {
  Exp target = check(*syntax.exp);
  return update(std::move(target), syntax.path, 0, check(*syntax.value), at);
}

namespace {

bool is_element(const std::vector<DimIndex>& indices) {
  return std::none_of(indices.begin(), indices.end(), [](const DimIndex& index) {
    return std::holds_alternative<SliceIndex>(index);
  });
}

}  // namespace

// e with [i].x = v. A path that goes on behind indices updates a copy of the element and puts it
// back: what is left of the element stays in the array.
namespace {

/// The record with another type for that field: its sizes may differ.
Type with_field(Type record, const std::vector<std::string>& path, const Type& type) {
  Type* at = &record;
  for (const std::string& name : path) {
    auto* known = std::get_if<RecordType>(&at->node);
    if (!known) return record;
    for (Field& field : known->fields)
      if (field.name == name) at = &field.type;
  }
  *at = type;
  return record;
}

}  // namespace

Exp Checker::update(Exp target, const std::vector<ast::Access>& path, std::size_t from, Exp value,
                    SourceRange at) {
  if (const auto* first = std::get_if<ast::Identifier>(&path[from])) {
    std::vector<std::string> fields{first->text};
    while (from + fields.size() < path.size()) {
      const auto* field = std::get_if<ast::Identifier>(&path[from + fields.size()]);
      if (!field) break;
      fields.push_back(field->text);
    }
    std::vector<std::pair<Name, Exp>> lets;
    target = named(std::move(target), "r", lets);
    Exp old = target;
    for (const std::string& field : fields) old = project(std::move(old), field, at);
    Type type = target.type;
    from += fields.size();
    if (from < path.size()) {
      value = update(std::move(old), path, from, std::move(value), at);
    } else if (const auto failure = unify_up_to_sizes(old.type, value.type)) {
      mismatch(value.at, old.type, value.type, *failure, "by the field", at);
    } else {
      type = with_field(inference_.resolve_all(type), fields, inference_.resolve_all(value.type));
    }
    return wrap(std::move(lets),
                {RecordUpdate{std::move(target), std::move(fields), std::move(value)}, type, at});
  }
  std::vector<std::pair<Name, Exp>> lets;
  std::vector<DimIndex> checked = indices(std::get<std::vector<ast::DimIndex>>(path[from]));
  while (from + 1 < path.size() && is_element(checked)) {  // xss[i][j] is xss[i, j]
    const auto* next = std::get_if<std::vector<ast::DimIndex>>(&path[from + 1]);
    if (!next) break;
    for (DimIndex& index : indices(*next)) checked.push_back(std::move(index));
    ++from;
  }
  if (from + 1 < path.size()) {
    target = named(std::move(target), "xs", lets);
    for (DimIndex& index : checked)
      if (auto* exp = std::get_if<Box<Exp>>(&index)) **exp = named(std::move(**exp), "i", lets);
    Exp element = apply(intrinsic(Intrinsic::copy, at), this->index(target, checked, at), at);
    value = update(std::move(element), path, from + 1, std::move(value), at);
  } else {
    const Type type = indexed_type(target.type, checked, nullptr, at);
    expect(type, value, "by the elements of the array", target.at);
  }
  const Type type = target.type;
  return wrap(std::move(lets),
              {Update{std::move(target), std::move(checked), std::move(value)}, type, at});
}

// ---- Ranges

Exp Checker::check_exp(const ast::Range& syntax, SourceRange at) {
  const Type type = fresh(at, TypeClass::integral);
  const auto part = [&](const ast::Exp& exp) {
    Exp checked = check(exp);
    expect(type, checked, "the parts of a range are integers of one type");
    return checked;
  };
  Range range{part(*syntax.first), std::nullopt, RangeEnd::inclusive, Exp{Hole{}, type, at}, {}};
  if (syntax.second) range.second = part(**syntax.second);
  range.last = part(*syntax.last);
  range.kind = syntax.kind == ast::RangeEnd::inclusive ? RangeEnd::inclusive
               : syntax.kind == ast::RangeEnd::below   ? RangeEnd::below
                                                       : RangeEnd::above;
  const auto size = range_size(range, type);
  if (!size) range.existentials.push_back(inference_.fresh_name("d"));
  const Size length = size ? *size : Size(range.existentials[0]);
  return {std::move(range), array_type(length, type), at};
}

// Known if the range counts up by one in i64 and its ends are sizes.
std::optional<Size> Checker::range_size(const Range& range, const Type& type) {
  const auto constant = [](const Exp& exp) -> std::optional<std::uint64_t> {
    const auto* literal = std::get_if<Literal>(&exp.node);
    return literal ? std::optional(literal->value.bits) : std::nullopt;
  };
  if (range.kind == RangeEnd::above) return std::nullopt;
  if (range.second) {
    const auto first = constant(*range.first), second = constant(**range.second);
    if (!first || !second || *second != *first + 1) return std::nullopt;
  }
  const auto first = size_of(*range.first), last = size_of(*range.last);
  if (!first || !last) return std::nullopt;
  // Only i64 counts elements; a range of unknown type whose bound is a constant stays what it is.
  const Type resolved = inference_.resolve(type);
  if (!is_prim(resolved, PrimType::i64)) return std::nullopt;
  const bool inclusive = range.kind == RangeEnd::inclusive;
  return subtract_sizes(*last, inclusive ? subtract_sizes(*first, SizeConstant(1)) : *first);
}

}  // namespace boustro::check
