#include "transform/facts/neighbours.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include <fmt/format.h>

#include "transform/facts/access.hpp"
#include "transform/facts/history.hpp"

namespace boustro::facts {

using namespace ir;

namespace {

constexpr std::int64_t warp = 32, sector_bytes = 32;

/// An array, row or element: how far apart those of neighbours are, along each dimension of the nest, and where it goes on.
struct Place {
  std::vector<Stride> apart;
  std::vector<Stride> strides;
};

/// How often something runs: loops around it, and iterations of those whose length is a number.
struct Often {
  std::size_t loops = 0;
  double times = 1;
  Often in(const Atom& extent) const {
    const auto length = Polynomial(extent).constant();
    if (!length) return {loops + 1, times};
    return {loops, times * static_cast<double>(std::max<std::int64_t>(*length, 1))};
  }
};

Stride times(Stride x, Stride y) {
  if (x == 0 || y == 0) return 0;
  return x && y ? Stride(*x * *y) : std::nullopt;
}
Stride plus(Stride x, Stride y) { return x && y ? Stride(*x + *y) : std::nullopt; }

std::int64_t sectors(Stride apart, PrimType elem) {
  if (!apart || std::abs(*apart) >= sector_bytes) return warp;
  const std::int64_t bytes = std::abs(*apart) * values::byte_size(elem) * warp;
  return std::clamp<std::int64_t>(bytes / sector_bytes, 1, warp);
}

/// All statements, those inside of others before these.
void collect(const Body& body, std::vector<Stm>& stms) {
  for (const Stm& stm : body.stms) {
    for_each_body(stm.exp, [&](const Body& inner) { collect(inner, stms); });
    stms.push_back(stm);
  }
}

/// What loops carry and operators are applied to, at any depth: nobody says that it is the same for neighbours.
void collect_carried(const Body& body, NameSet& names) {
  for (const Stm& stm : body.stms) {
    if (const auto* loop = std::get_if<Loop>(&stm.exp))
      for (const LoopParam& param : loop->params) names.insert(param.param.name);
    if (const auto* nest = std::get_if<Nest>(&stm.exp))
      for (const Out& out : nest->outs) {
        if (out.op) for (const Param& param : out.op->op.params) names.insert(param.name);
        if (out.epilogue) for (const Param& param : out.epilogue->params) names.insert(param.name);
      }
    for_each_body(stm.exp, [&](const Body& inner) { collect_carried(inner, names); });
  }
}

class Counter {
 public:
  Counter(const Stm& stm, const Nest& nest, const Layout& layout)
      : stm_(stm), nest_(nest), kept_(kept_dimensions(nest)), inside_(statements_of(nest)), accesses_(accesses_of(nest, inside_)), along_(kept_) {
    for (const Stm& inner : inside_)
      for (const Param& param : inner.pattern) definitions_.emplace(param.name, &inner);
    for (const Name& name : free_names(stm.exp))
      if (const auto strides = layout(name)) places_.emplace(name, start(*strides));
    for (const Param& result : stm.pattern)
      if (const auto strides = layout(result.name)) places_.emplace(result.name, start(*strides));
  }

  std::vector<Sectors> run() {
    accumulators_into(stm_.exp, [&](const Name& from, const Name& to) { same_place(from, to); });
    body(nest_.point.body, {});
    outs();
    return std::move(along_);
  }

 private:
  static std::vector<Stm> statements_of(const Nest& nest) {
    std::vector<Stm> stms;
    collect(nest.point.body, stms);
    return stms;
  }

  static Accesses accesses_of(const Nest& nest, const std::vector<Stm>& stms) {
    std::vector<IndexRange> ranges;
    for (std::size_t d = 0; d < nest.space.size(); ++d)
      ranges.push_back({nest.point.params[nest.accumulators.size() + d].name, nest.space[d]});
    NameSet carried;
    collect_carried(nest.point.body, carried);
    return Accesses(ranges, stms, {}, carried);
  }

  Place start(std::vector<Stride> strides) const {
    return {std::vector<Stride>(nest_.space.size(), 0), std::move(strides)};
  }

  // ---- What happens at a point

  void body(const Body& body, const Often& often) {
    for (const Stm& stm : body.stms) {
      accumulators_into(stm.exp, [&](const Name& from, const Name& to) { same_place(from, to); });
      statement(stm, often);
      accumulators_out_of(stm, [&](const Name& from, const Name& to) { same_place(from, to); });
    }
  }

  void statement(const Stm& stm, const Often& often) {
    match(
        stm.exp,  //
        [&](const Index& e) {
          const Place* array = known(e.array);
          if (!array) return;
          const Place place = at(*array, e.indices);
          const Param& result = stm.pattern[0];
          result.type.is_scalar() ? add(place, result.type.elem, often) : is_at(result.name, place);
        },
        [&](const UpdateAcc& e) {
          const Place* array = known(e.accumulator);
          if (array) add(at(*array, {e.indices.begin(), e.indices.end()}), stm.pattern[0].type.elem, often, true);
        },
        [&](const Rearrange& e) {
          const Place* array = known(e.array);
          if (!array) return;
          Place place = *array;
          for (std::size_t d = 0; d < e.permutation.size(); ++d)
            place.strides[d] = array->strides[static_cast<std::size_t>(e.permutation[d])];
          is_at(stm.pattern[0].name, place);
        },
        [&](const Reshape& e) {
          const Place* array = known(e.array);
          if (!array || array->strides.empty() || e.shape.empty()) return;
          Place place{array->apart, std::vector<Stride>(e.shape.size())};
          place.strides.back() = array->strides.back();
          is_at(stm.pattern[0].name, place);
        },
        [&](const Coerce& e) { same_place(e.array, stm.pattern[0].name); },
        [&](const AtomExp& e) {
          if (const Name* name = name_in(e.atom)) same_place(*name, stm.pattern[0].name);
        },
        [&](const Nest& e) {
          Often inside = often;
          for (const Atom& extent : e.space) inside = inside.in(extent);
          body(e.point.body, inside);
        },
        [&](const Loop& e) {
          const auto* form = std::get_if<ForLoop>(&e.form);
          body(e.body, form ? often.in(form->bound) : Often{often.loops + 1, often.times});
        },
        [&](const If& e) { body(e.then_body, often), body(e.else_body, often); },
        [&](const WithAcc& e) { body(e.fn.body, often); },
        [&](const Copy& e) { all_of(e.array, often); },
        [&](const Concat& e) {
          for (const Name& array : e.arrays) all_of(array, often);
        },
        [&](const Update& e) {
          if (const Name* value = name_in(e.value)) all_of(*value, often);
        },
        [](const auto&) {});
  }

  /// What becomes of a point's values.
  void outs() {
    std::size_t value = nest_.accumulators.size(), result = value;
    for (const Out& out : nest_.outs) {
      const auto first = nest_.point.body.result.begin() + static_cast<std::ptrdiff_t>(value);
      const std::vector<DimIndex> bin(first, first + static_cast<std::ptrdiff_t>(out.indices()));
      for (std::size_t k = 0; k < out.results(); ++k, ++result) {
        const Param& stored = stm_.pattern[result];
        const Place* array = known(stored.name);
        if (!array) continue;
        const bool adds = !out.destinations.empty();
        std::vector<DimIndex> own;
        for (std::size_t d = 0; !adds && d < static_cast<std::size_t>(out.rank); ++d) own.push_back(index(d));
        add(at(*array, adds ? bin : own), stored.type.elem, {}, adds);
      }
      value += out.indices() + out.values();
    }
  }

  // ---- Where that is

  const Name& index(std::size_t d) const { return nest_.point.params[nest_.accumulators.size() + d].name; }
  const Place* known(const Name& array) const {
    const auto found = places_.find(array);
    return found == places_.end() ? nullptr : &found->second;
  }
  void is_at(const Name& array, Place place) { places_.insert_or_assign(array, std::move(place)); }
  void same_place(const Name& from, const Name& to) {
    if (const Place* place = known(from)) is_at(to, Place(*place));
  }

  Place at(const Place& array, const std::vector<DimIndex>& indices) const {
    Place place{array.apart, {}};
    for (std::size_t d = 0; d < array.strides.size(); ++d) {
      const auto* slice = d < indices.size() ? std::get_if<Slice>(&indices[d]) : nullptr;
      if (slice) place.strides.push_back(times(array.strides[d], Polynomial(slice->stride).constant()));
      if (d >= indices.size()) place.strides.push_back(array.strides[d]);
      if (d >= indices.size()) continue;
      const Atom& index = slice ? slice->start : std::get<Atom>(indices[d]);
      for (std::size_t k = 0; k < nest_.space.size(); ++k)
        place.apart[k] = plus(place.apart[k], times(array.strides[d], step(index, k)));
    }
    return place;
  }

  /// From one neighbour's number to the next one's, for most of them: the digits of a number go on as it does, or stay.
  Stride step(const Atom& number, std::size_t k) const {
    const Along along = accesses_.along(number)[k];
    if (along.kind != Along::Kind::other) return along.stride.constant();
    const Name* name = name_in(number);
    const auto found = name ? definitions_.find(*name) : definitions_.end();
    const auto* e = found == definitions_.end() ? nullptr : std::get_if<BinOp>(&found->second->exp);
    if (!e) return std::nullopt;
    const Stride x = step(e->lhs, k), y = step(e->rhs, k);
    if (e->kind == BinOpKind::add) return plus(x, y);
    if (y != 0) return std::nullopt;
    switch (e->kind) {
      case BinOpKind::sub:
      case BinOpKind::rem:
      case BinOpKind::mod: return x;
      case BinOpKind::quot:
      case BinOpKind::div: return quotient(x, Polynomial(e->rhs).constant());
      default: return std::nullopt;
    }
  }

  /// By a size, which is large, or by a number.
  static Stride quotient(Stride x, std::optional<std::int64_t> y) {
    if (!x || !y) return x ? Stride(0) : std::nullopt;
    return *y == 0 ? std::nullopt : Stride(*x / *y);
  }

  // ---- How much it is

  void all_of(const Name& array, const Often& often) {
    if (const Place* place = known(array)) add(*place, PrimType::f64, often);
  }

  /// A row is as many loops more as it has dimensions. What is the same for all points that are combined is read once.
  void add(const Place& place, PrimType elem, Often often, bool adds = false) {
    often.loops += place.strides.size();
    for (std::size_t d = kept_; d < nest_.space.size(); ++d)
      if (adds || place.apart[d] != 0) often = often.in(nest_.space[d]);
    for (std::size_t d = 0; d < kept_; ++d) {
      const bool meet = adds && place.apart[d] == 0;
      along_[d].resize(std::max(along_[d].size(), often.loops + 1));
      along_[d][often.loops] += often.times * static_cast<double>(meet ? warp : sectors(place.apart[d], elem));
    }
  }

  const Stm& stm_;
  const Nest& nest_;
  std::size_t kept_;
  std::vector<Stm> inside_;  // all statements of a point
  Accesses accesses_;
  std::unordered_map<Name, const Stm*> definitions_;  // by those
  std::vector<Sectors> along_;
  std::unordered_map<Name, Place> places_;  // of arrays and accumulators that points did not make themselves
};

double in_loops(const Sectors& sectors, std::size_t loops) { return loops < sectors.size() ? sectors[loops] : 0; }

/// The most loops in which they differ.
std::optional<std::size_t> differ_in(const Sectors& x, const Sectors& y) {
  for (std::size_t loops = std::max(x.size(), y.size()); loops-- > 0;)
    if (in_loops(x, loops) != in_loops(y, loops)) return loops;
  return std::nullopt;
}

}  // namespace

bool is_less(const Sectors& x, const Sectors& y) {
  const auto loops = differ_in(x, y);
  return loops && in_loops(x, *loops) < in_loops(y, *loops);
}

std::string difference(const Sectors& x, const Sectors& y) {
  const auto loops = differ_in(x, y);
  if (!loops) return "as many sectors";
  const std::string where = *loops == 0 ? "" : *loops == 1 ? " in a loop" : fmt::format(" in {} loops", *loops);
  return fmt::format("{:.0f} instead of {:.0f} sectors{}", in_loops(x, *loops), in_loops(y, *loops), where);
}

std::vector<Stride> row_major(std::size_t rank) {
  std::vector<Stride> strides(rank);
  if (rank > 0) strides.back() = 1;
  return strides;
}

std::size_t kept_dimensions(const Nest& nest) {
  std::size_t kept = nest.space.size();
  for (const Out& out : nest.outs)
    if (out.kind == OutKind::reduce) kept = std::min(kept, static_cast<std::size_t>(out.rank));
  return kept;
}

std::vector<Sectors> sectors_along(const Stm& stm, const Nest& nest, const Layout& layout) {
  return Counter(stm, nest, layout).run();
}

}  // namespace boustro::facts
