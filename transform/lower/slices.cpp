// Indices and slices xs[i:j:s].
//
// A slice goes from i, inclusive, to j, exclusive, by steps of s. If s is negative, the defaults of
// i and j are the last index and -1. A slice that is not empty must stay within the array, and not
// lie the wrong way round.
#include "transform/lower/arrays.hpp"
#include "transform/lower/expression.hpp"

namespace boustro::lower {
namespace {

using ir::BinOpKind;
using ir::CmpOpKind;

const Atom zero = ir::int_atom(0);
const Atom one = ir::int_atom(1);
const Atom minus_one = ir::int_atom(-1);

class SliceLowering {
 public:
  SliceLowering(Context& context, Atom width) : context_(context), width_(std::move(width)) {}

  ir::DimIndex lower(std::optional<Atom> start, std::optional<Atom> end,
                     const std::optional<Atom>& stride) {
    // All elements, the last one first.
    if (!start && !end && stride == minus_one) {
      return ir::Slice{minus(width_, one), width_, minus_one};
    }
    if (!stride || *stride == one) return forwards(start.value_or(zero), end.value_or(width_));
    if (const PrimValue* known = ir::literal_in(*stride)) {
      const bool back = known->as_int() < 0;
      const Atom i = start.value_or(back ? minus(width_, one) : zero);
      return general(i, end.value_or(back ? minus_one : width_), *stride);
    }
    const Atom back = compare(CmpOpKind::lt, *stride, zero);
    const Atom i = start ? *start : choose(back, minus(width_, one), zero);
    return general(i, end ? *end : choose(back, minus_one, width_), *stride);
  }

 private:
  ir::DimIndex forwards(const Atom& start, const Atom& end) {
    const bool whole = start == zero && end == width_;
    const Atom count = minus(end, start);
    if (!whole && !context_.unsafe) {
      Atom inside = compare(CmpOpKind::le, end, width_);
      if (start != zero) inside = both(compare(CmpOpKind::le, zero, start), inside);
      inside = both(compare(CmpOpKind::le, start, end), inside);
      check(either(compare(CmpOpKind::eq, count, zero), inside), start, end, one);
    }
    return ir::Slice{start, count, one};
  }

  ir::DimIndex general(const Atom& start, const Atom& end, const Atom& stride) {
    // Rounded away from zero, so that a part of a step counts: (j - i + s - sgn s) quot s.
    if (!context_.unsafe) {
      context_.check(compare(CmpOpKind::ne, stride, zero), "a slice has stride 0");
    }
    const Atom sign = context_.emit("sign", ir::UnOp{ir::UnOpKind::sgn, PrimType::i64, stride});
    const Atom distance = minus(context_.size_op(BinOpKind::add, minus(end, start), stride), sign);
    const Atom count =
        context_.emit("count", ir::BinOp{BinOpKind::quot, PrimType::i64, distance, stride});
    if (!context_.unsafe) check_general(start, end, stride, count);
    return ir::Slice{start, count, stride};
  }

  void check_general(const Atom& start, const Atom& end, const Atom& stride, const Atom& count) {
    const Atom steps = context_.size_op(BinOpKind::mul, minus(count, one), stride);
    const Atom last = context_.size_op(BinOpKind::add, start, steps);
    const Atom last_inside =
        both(compare(CmpOpKind::le, zero, last), compare(CmpOpKind::lt, last, width_));
    const Atom first_inside =
        both(compare(CmpOpKind::le, zero, start), compare(CmpOpKind::lt, start, width_));
    const Atom right_way = compare(CmpOpKind::lt, zero, count);
    const Atom inside = both(right_way, both(first_inside, last_inside));
    check(either(compare(CmpOpKind::eq, count, zero), inside), start, end, stride);
  }

  void check(const Atom& ok, const Atom& start, const Atom& end, const Atom& stride) {
    context_.check(ok, "slice [{}:{}:{}] is out of bounds for an array of size {}",
                   {start, end, stride, width_});
  }

  Atom minus(const Atom& x, const Atom& y) { return context_.size_op(BinOpKind::sub, x, y); }
  Atom compare(CmpOpKind kind, const Atom& x, const Atom& y) {
    return context_.emit("inside", ir::CmpOp{kind, PrimType::i64, x, y});
  }
  Atom both(const Atom& x, const Atom& y) {
    return context_.emit("inside", ir::BinOp{BinOpKind::bit_and, PrimType::boolean, x, y});
  }
  Atom either(const Atom& x, const Atom& y) {
    return context_.emit("inside", ir::BinOp{BinOpKind::bit_or, PrimType::boolean, x, y});
  }
  Atom choose(const Atom& condition, const Atom& x, const Atom& y) {
    std::vector<ir::Param> pattern{context_.names.fresh_param("bound", ir::scalar(PrimType::i64))};
    const Atom result = pattern.front().name;
    context_.emit(std::move(pattern), ir::If{condition, {{}, {x}}, {{}, {y}}});
    return result;
  }

  Context& context_;
  const Atom width_;
};

}  // namespace

std::vector<ir::DimIndex> lower_indices(Context& context, Scope& scope,
                                        const std::vector<check::DimIndex>& indices,
                                        const Value& array) {
  const auto part = [&](const std::optional<check::Box<check::Exp>>& e) -> std::optional<Atom> {
    if (!e) return std::nullopt;
    return to_i64(context, atom_of(lower_exp(context, scope, **e)));
  };
  std::vector<ir::DimIndex> result;
  for (std::size_t d = 0; d < indices.size(); ++d) {
    if (const auto* index = std::get_if<check::Box<check::Exp>>(&indices[d])) {
      result.push_back(to_i64(context, atom_of(lower_exp(context, scope, **index))));
      continue;
    }
    const auto& slice = std::get<check::SliceIndex>(indices[d]);
    const auto start = part(slice.start), end = part(slice.end), stride = part(slice.stride);
    result.push_back(SliceLowering(context, size_of(context, array, d)).lower(start, end, stride));
  }
  return result;
}

}  // namespace boustro::lower
