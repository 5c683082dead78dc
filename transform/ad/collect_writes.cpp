#include "transform/ad/collect_writes.hpp"

#include <algorithm>

#include "transform/ad/iteration_log.hpp"
#include "transform/ad/scalar.hpp"
#include "transform/ad/scope.hpp"
#include "transform/ad/tensor.hpp"
#include "transform/facts/history.hpp"

namespace boustro::ad {

using namespace ir;

namespace {

/// What is written into one accumulator: arrays of this shape, or scalars and one row if it has no dimensions.
struct Writes {
  Shape shape;
  std::vector<Atom> indices;  // i64
  Atom value;

  std::vector<Atom> parts() const {
    std::vector<Atom> all = indices;
    all.push_back(value);
    return all;
  }
  static Writes of_parts(Shape shape, std::vector<Atom> parts) {
    const Atom value = parts.back();
    parts.pop_back();
    return {std::move(shape), std::move(parts), value};
  }
};

/// Of each accumulator of the with_acc, in the order of execution.
using Lists = std::vector<std::vector<Writes>>;

template <typename T>
void erase_at(std::vector<T>& list, std::size_t position) {
  list.erase(list.begin() + static_cast<std::ptrdiff_t>(position));
}

class Collector {
 public:
  Collector(const Builder& builder, const WithAcc& e)
      : names_(builder.names),
        inputs_(e.inputs),
        fn_(rename(e.fn, builder.names)),
        before_(builder.names, builder.origin),
        outside_(free_names(fn_)) {}

  std::optional<CollectedWrites> run() {
    for (std::size_t k = 0; k < inputs_.size(); ++k) number_.emplace(fn_.params[k].name, k);
    Builder body(names_, before_.origin);
    Lists lists(inputs_.size());
    statements(body, fn_.body.stms, lists);
    CollectedWrites result;
    for (std::size_t i = 0; i < fn_.body.result.size(); ++i) {
      const Atom& atom = fn_.body.result[i];
      if (i >= inputs_.size())
        result.others.push_back(atom);
      else if (number_of(atom) != i)
        is_regular_ = false;
      else
        result.written.push_back(written(body, lists[i], i));
    }
    if (!is_regular_) return std::nullopt;
    before_.add(body.stms);
    result.stms = std::move(before_.stms);
    return result;
  }

 private:
  void statements(Builder& b, const std::vector<Stm>& stms, Lists& lists) {
    for (const Stm& stm : stms) statement(b, stm, lists);
  }

  void statement(Builder& b, const Stm& stm, Lists& lists) {
    const NameSet used = free_names(stm.exp);
    if (std::none_of(used.begin(), used.end(),
                     [&](const Name& name) { return number_.contains(name); }))
      return b.add(stm);
    const auto same_number = [&](const Name& from, const Name& to) {
      if (number_.contains(from)) number_.emplace(to, number_.at(from));
    };
    facts::accumulators_into(stm.exp, same_number);
    match(
        stm.exp,                                       //
        [&](const AtomExp& e) { number_of(e.atom); },  //
        [&](const UpdateAcc& e) { update(e, lists); },
        [&](const Map& e) { map(b, stm, e, lists); },      //
        [&](const Loop& e) { loop(b, stm, e, lists); },    //
        [&](const If& e) { branches(b, stm, e, lists); },  //
        [&](const auto&) { is_regular_ = false; });
    facts::accumulators_out_of(stm, same_number);
  }

  /// Which accumulator of the with_acc an atom is.
  std::size_t number_of(const Atom& atom) {
    const auto found = number_.find(std::get<Name>(atom));
    if (found != number_.end()) return found->second;
    is_regular_ = false;  // another with_acc's, of the same type
    return 0;
  }
  bool is_accumulator(const Atom& atom) const {
    const Name* name = name_in(atom);
    return name && number_.contains(*name);
  }

  void update(const UpdateAcc& e, Lists& lists) {
    const std::size_t number = number_of(e.accumulator);
    std::vector<Writes>& list = lists[number];
    if (e.indices.empty() ||
        e.indices.size() != rank_.emplace(number, e.indices.size()).first->second)
      is_regular_ = false;
    list.push_back({{}, e.indices, e.value});
  }

  void map(Builder& b, const Stm& stm, Map e, Lists& lists) {
    std::vector<Param> pattern = stm.pattern;
    require_known(e.width);
    for (std::size_t i = e.accumulators.size(); i-- > 0;) {
      if (!is_accumulator(e.accumulators[i])) continue;
      erase_at(e.accumulators, i);
      erase_at(e.fn.params, i);
      erase_at(e.fn.body.result, i);
      erase_at(e.fn.result_types, i);
      erase_at(pattern, i);
    }
    Builder body(names_, b.origin);
    Lists inner(lists.size());
    statements(body, e.fn.body.stms, inner);
    for (std::size_t k = 0; k < inner.size(); ++k) {
      const auto writes = in_sequence(body, inner[k], k);
      if (!writes) continue;
      std::vector<Atom> parts;
      for (const Atom& part : writes->parts()) {
        const Type type = names_.type_of(part);
        e.fn.body.result.push_back(part);
        e.fn.result_types.push_back(type);
        pattern.push_back(names_.fresh_param(base_of(part), array_of(e.width, type)));
        parts.emplace_back(pattern.back().name);
      }
      lists[k].push_back(Writes::of_parts(with_outer(e.width, writes->shape), parts));
    }
    e.fn.body.stms = std::move(body.stms);
    b.add(Stm{std::move(pattern), std::move(e), stm.origin, stm.attributes});
  }

  void loop(Builder& b, const Stm& stm, Loop e, Lists& lists) {
    const auto* form = std::get_if<ForLoop>(&e.form);
    if (!form) {
      is_regular_ = false;
      return;
    }
    require_known(form->bound);
    std::vector<Param> pattern = stm.pattern;
    Builder body(names_, b.origin);
    Lists inner(lists.size());
    statements(body, e.body.stms, inner);
    for (std::size_t i = pattern.size(); i-- > 0;) {
      if (!is_accumulator(e.params[i].init)) continue;
      const std::size_t number = number_of(e.params[i].init);
      if (number_of(e.body.result[i]) != number) is_regular_ = false;  // accumulators change places
      erase_at(e.params, i);
      erase_at(e.body.result, i);
      erase_at(pattern, i);
    }
    const Atom count =
        before_.binop("steps", BinOpKind::max, as_i64(before_, form->bound), int_atom(0));
    const Atom position = as_i64(body, form->index);
    for (std::size_t k = 0; k < inner.size(); ++k) {
      const auto writes = in_sequence(body, inner[k], k);
      if (!writes) continue;
      std::vector<Atom> parts;
      for (const Atom& part : writes->parts()) {
        const Type type = array_of(count, names_.type_of(part));
        const Param log = names_.fresh_param(base_of(part), type, true);
        e.params.push_back({log, b.let(log.name.base, Scratch{type.elem, type.shape})});
        e.body.result.emplace_back(
            body.let(log.name.base, Update{log.name, {position}, part, false}));
        pattern.push_back(names_.fresh_param(log.name.base, type));
        parts.emplace_back(pattern.back().name);
      }
      lists[k].push_back(Writes::of_parts(with_outer(count, writes->shape), parts));
    }
    e.body.stms = std::move(body.stms);
    b.add(Stm{std::move(pattern), std::move(e), stm.origin, stm.attributes});
  }

  void branches(Builder& b, const Stm& stm, If e, Lists& lists) {
    std::vector<Param> pattern = stm.pattern;
    Builder then_body(names_, b.origin), else_body(names_, b.origin);
    Lists then_lists(lists.size()), else_lists(lists.size());
    statements(then_body, e.then_body.stms, then_lists);
    statements(else_body, e.else_body.stms, else_lists);
    for (std::size_t i = pattern.size(); i-- > 0;) {
      if (!is_accumulator(e.then_body.result[i])) continue;
      const std::size_t number = number_of(e.then_body.result[i]);
      if (number_of(e.else_body.result[i]) != number) is_regular_ = false;
      erase_at(e.then_body.result, i);
      erase_at(e.else_body.result, i);
      erase_at(pattern, i);
    }
    const auto yield = [&](std::size_t k, const Writes& then_writes, const Writes& else_writes) {
      const auto then_parts = then_writes.parts(), else_parts = else_writes.parts();
      std::vector<Atom> parts;
      for (std::size_t i = 0; i < then_parts.size(); ++i) {
        e.then_body.result.push_back(then_parts[i]);
        e.else_body.result.push_back(else_parts[i]);
        pattern.push_back(
            names_.fresh_param(base_of(then_parts[i]), names_.type_of(then_parts[i])));
        parts.emplace_back(pattern.back().name);
      }
      lists[k].push_back(Writes::of_parts(then_writes.shape, parts));
    };
    for (std::size_t k = 0; k < lists.size(); ++k) {
      const auto then_writes = in_sequence(then_body, then_lists[k], k);
      const auto else_writes = in_sequence(else_body, else_lists[k], k);
      if (then_writes && else_writes && then_writes->shape == else_writes->shape) {
        yield(k, *then_writes, *else_writes);
        continue;
      }
      if (then_writes) yield(k, *then_writes, none_like(else_body, *then_writes));
      if (else_writes) yield(k, none_like(then_body, *else_writes), *else_writes);
    }
    e.then_body.stms = std::move(then_body.stms);
    e.else_body.stms = std::move(else_body.stms);
    b.add(Stm{std::move(pattern), std::move(e), stm.origin, stm.attributes});
  }

  /// As many writes, none of them in bounds.
  Writes none_like(Builder& b, const Writes& writes) {
    const Atom outside = int_atom(-1);
    const Atom indices =
        writes.shape.empty() ? outside : Atom(b.let("is", Replicate{writes.shape, outside}));
    return {writes.shape, std::vector<Atom>(writes.indices.size(), indices),
            zeros(b, "none", names_.type_of(writes.value))};
  }

  /// The writes of a list as one; several with one dimension.
  std::optional<Writes> in_sequence(Builder& b, const std::vector<Writes>& list,
                                    std::size_t number) {
    if (list.empty() || !is_regular_) return std::nullopt;
    if (list.size() == 1) return list[0];
    Writes all = in_one_dimension(b, list[0], number);
    std::vector<std::vector<Name>> parts(all.parts().size());
    Atom count = int_atom(0);
    for (const Writes& writes : list) {
      const Writes flat = in_one_dimension(b, writes, number);
      const auto flat_parts = flat.parts();
      for (std::size_t i = 0; i < parts.size(); ++i)
        parts[i].push_back(std::get<Name>(flat_parts[i]));
      count = before_.binop("count", BinOpKind::add, count, flat.shape[0]);
    }
    std::vector<Atom> joined;
    for (const auto& arrays : parts)
      joined.emplace_back(b.let(arrays[0].base, Concat{count, arrays}));
    return Writes::of_parts({count}, joined);
  }

  Writes in_one_dimension(Builder& b, const Writes& writes, std::size_t number) {
    if (writes.shape.size() == 1) return writes;
    Atom count = int_atom(1);
    for (const Atom& size : writes.shape)
      count = count == int_atom(1) ? size : before_.binop("count", BinOpKind::mul, count, size);
    std::vector<Atom> parts;
    for (const Atom& part : writes.parts()) {
      Type row = scalar(PrimType::i64);
      if (parts.size() == writes.indices.size()) row = row_of(number);
      const Shape shape = array_of(count, row).shape;
      parts.emplace_back(writes.shape.empty()
                             ? b.let(base_of(part), Replicate{{count}, part})
                             : b.let(base_of(part), Reshape{shape, std::get<Name>(part)}));
    }
    return Writes::of_parts({count}, parts);
  }

  std::optional<Written> written(Builder& b, const std::vector<Writes>& list, std::size_t number) {
    const auto writes = in_sequence(b, list, number);
    if (!writes) return std::nullopt;
    const Writes flat = in_one_dimension(b, *writes, number);
    Written result{flat.shape[0], {}, std::get<Name>(flat.value), writes->shape.size()};
    for (const Atom& index : flat.indices) result.indices.push_back(std::get<Name>(index));
    return result;
  }

  /// The type of what one write changes.
  Type row_of(std::size_t number) const {
    return row_type(names_.type_of(inputs_[number].destination),
                    static_cast<int>(rank_.at(number)));
  }

  /// Sizes of what is stored must be known before the with_acc.
  void require_known(const Atom& size) {
    const Name* name = name_in(size);
    if (name && !outside_.contains(*name)) is_regular_ = false;
  }

  static Shape with_outer(const Atom& size, const Shape& shape) {
    Shape result{size};
    result.insert(result.end(), shape.begin(), shape.end());
    return result;
  }

  static std::string base_of(const Atom& part) {
    const Name* name = name_in(part);
    return name ? name->base : "written";
  }

  Names& names_;
  const std::vector<AccumulatorInput>& inputs_;
  Lambda fn_;
  Builder before_;                                     // sizes
  NameSet outside_;                                    // names that are known before the with_acc
  std::unordered_map<Name, std::size_t> number_;       // which accumulator a name is
  std::unordered_map<std::size_t, std::size_t> rank_;  // how many indices its writes have
  bool is_regular_ = true;
};

/// ys = scatter xs is vs, or reduce_by_index xs op neutral is vs. False if the operator is one on parts of what is written.
bool write_at_once(Builder& b, const Param& y, const AccumulatorInput& input,
                   const Written& written) {
  if (std::holds_alternative<Overwrite>(input.kind)) {
    b.let({y}, Scatter{written.width, written.indices, {input.destination}, {written.values}});
    return true;
  }
  const Shape& whole = b.names.type_of(input.destination).shape;
  const Type row = row_type(b.names.type_of(written.values));
  const Shape cells(whole.begin(),
                    whole.begin() + static_cast<std::ptrdiff_t>(written.indices.size()));
  Histogram histogram{cells, {input.destination}, {}, {}};
  if (const auto* combine = std::get_if<Combine>(&input.kind)) {
    if (b.names.type_of(combine->neutral) != row) return false;
    histogram.op = rename(combine->op, b.names);
    histogram.neutral = {combine->neutral};
  } else {
    histogram.op = operator_on(b, addition_of(row.elem), row);
    histogram.neutral = {zeros(b, "zeros", row)};
  }
  std::vector<Name> arrays = written.indices;
  arrays.push_back(written.values);
  std::vector<std::pair<std::string, Type>> params;
  for (const Name& array : arrays)
    params.emplace_back(array.base, row_type(b.names.type_of(array)));
  const Lambda identity = b.lambda(params, [](Builder&, const std::vector<Name>& p) {
    return std::vector<Atom>(p.begin(), p.end());
  });
  b.let({y}, ReduceByIndex{written.width, {histogram}, identity, arrays});
  return true;
}

}  // namespace

std::optional<CollectedWrites> collect_writes(const Builder& builder, const WithAcc& e) {
  return Collector(builder, e).run();
}

std::optional<std::vector<Stm>> without_accumulators(const Builder& builder, const Stm& stm,
                                                     const WithAcc& e) {
  const auto collected = collect_writes(builder, e);
  if (!collected) return std::nullopt;
  Builder b(builder.names, builder.origin);
  b.add(collected->stms);
  const std::size_t inputs = e.inputs.size();
  for (std::size_t k = 0; k < inputs; ++k) {
    const auto& written = collected->written[k];
    if (!written)
      bind_as(b, stm.pattern[k], e.inputs[k].destination);
    else if (!write_at_once(b, stm.pattern[k], e.inputs[k], *written))
      return std::nullopt;
  }
  for (std::size_t i = inputs; i < stm.pattern.size(); ++i)
    bind_as(b, stm.pattern[i], collected->others[i - inputs]);
  return std::move(b.stms);
}

}  // namespace boustro::ad
