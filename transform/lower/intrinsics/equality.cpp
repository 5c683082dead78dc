// `==` and `!=` on values of any type without functions: component by component.
#include "transform/lower/intrinsics/intrinsics.hpp"
#include "transform/lower/sizes.hpp"
#include "transform/lower/sums.hpp"

namespace boustro::lower {
namespace {

const Atom yes = PrimValue::of_bool(true);

class Equality {
 public:
  explicit Equality(Context& context) : context_(context) {}

  Atom equal(const Value& x, const Value& y, const Type& type) {
    return ir::match(
        type.node,  //
        [&](const PrimType& prim) { return compare(prim, atom_of(x), atom_of(y)); },
        [&](const ArrayType& array) { return equal_arrays(x, y, array); },
        [&](const RecordType& record) {
          Atom result = yes;
          for (const FieldType& f : record.fields) {
            result = both(result, equal(field(x, f.name), field(y, f.name), f.type));
          }
          return result;
        },
        [&](const SumType& sum) {
          return equal_sums(std::get<DynamicSum>(x.node), std::get<DynamicSum>(y.node), sum);
        },
        [](const FunctionType&) -> Atom {
          source::internal_error("lower: functions are compared");
        },
        [](const AccumulatorType&) -> Atom {
          source::internal_error("lower: accumulators are compared");
        });
  }

 private:
  Atom equal_arrays(const Value& x, const Value& y, const ArrayType& type) {
    const std::vector<Atom> xs = leaves(x), ys = leaves(y);
    ir::Map map;
    map.width = context_.names.type_of(xs.front()).shape.at(0);
    const auto params = [&](const std::vector<Atom>& arrays) {
      std::vector<Atom> elements;
      for (const Atom& array : arrays) {
        map.arrays.push_back(std::get<ir::Name>(array));
        map.fn.params.push_back(
            context_.names.fresh_param("x", ir::row_type(context_.names.type_of(array))));
        elements.push_back(map.fn.params.back().name);
      }
      return from_leaves(*type.row, elements);
    };
    const Value a = params(xs), b = params(ys);
    map.fn.body = context_.body([&] { return std::vector{equal(a, b, *type.row)}; });
    map.fn.result_types = {ir::scalar(PrimType::boolean)};
    const Atom width = map.width;
    const ir::Name equals = context_.emit("equals", std::move(map));
    return context_.emit("all_equal", ir::Reduce{width, conjunction(), {yes}, {equals}, true});
  }

  ir::Lambda conjunction() {
    return context_.block().builder.lambda(
        {{"x", ir::scalar(PrimType::boolean)}, {"y", ir::scalar(PrimType::boolean)}},
        [](ir::Builder& builder, const std::vector<ir::Name>& xs) {
          return std::vector<Atom>{builder.let(
              "both", ir::BinOp{ir::BinOpKind::bit_and, PrimType::boolean, xs[0], xs[1]})};
        });
  }

  /// The tags are equal, and so are the payloads of the constructor that they name.
  Atom equal_sums(const DynamicSum& x, const DynamicSum& y, const SumType& type) {
    Atom result = compare(tag_type, x.tag, y.tag);
    for (std::size_t c = 0; c < type.constructors.size(); ++c) {
      const auto constructor = static_cast<int>(c);
      const std::vector<Value> xs = payload_of(x, constructor), ys = payload_of(y, constructor);
      Atom same = yes;
      for (std::size_t i = 0; i < xs.size(); ++i) {
        same = both(same, equal(xs[i], ys[i], type.constructors[c].payload[i]));
      }
      if (same == yes) continue;
      const Atom other = context_.emit(
          "other", ir::CmpOp{ir::CmpOpKind::ne, tag_type, x.tag, tag_atom(constructor)});
      result = both(result, context_.emit("equals", ir::BinOp{ir::BinOpKind::bit_or,
                                                              PrimType::boolean, other, same}));
    }
    return result;
  }

  Atom compare(PrimType type, const Atom& x, const Atom& y) {
    return context_.emit("equals", ir::CmpOp{ir::CmpOpKind::eq, type, x, y});
  }
  Atom both(const Atom& x, const Atom& y) {
    if (x == yes) return y;
    if (y == yes) return x;
    return context_.emit("equals", ir::BinOp{ir::BinOpKind::bit_and, PrimType::boolean, x, y});
  }

  Context& context_;
};

}  // namespace

Value lower_equality(Context& context, const Use& use) {
  const bool negated = use.intrinsic == check::Intrinsic::ne;
  if (const auto* prim = std::get_if<PrimType>(&use.type(0).node)) {
    const auto kind = negated ? ir::CmpOpKind::ne : ir::CmpOpKind::eq;
    return {context.emit(negated ? "differs" : "equals",
                         ir::CmpOp{kind, *prim, atom_of(use.arg(0)), atom_of(use.arg(1))})};
  }
  const auto dynamic = [&](std::size_t i) {
    return coerce(context, make_dynamic(context, use.arg(i)), use.type(0));
  };
  const Value x = dynamic(0), y = dynamic(1);
  const Atom equal = Equality(context).equal(x, y, use.type(0));
  if (!negated) return {equal};
  return {context.emit("differs", ir::UnOp{ir::UnOpKind::complement, PrimType::boolean, equal})};
}

}  // namespace boustro::lower
