#include "transform/lower/intrinsics/intrinsics.hpp"

#include "transform/lower/arrays.hpp"
#include "transform/lower/sizes.hpp"
#include "transform/lower/sums.hpp"

namespace boustro::lower {

using check::Intrinsic;

Value lower_intrinsic(Context& context, Intrinsic intrinsic, const Closure& instance) {
  const Use use{intrinsic, instance};
  switch (intrinsic) {
    case Intrinsic::neg:
    case Intrinsic::complement:
    case Intrinsic::abs:
    case Intrinsic::sgn:
      return lower_unary(context, use);
    case Intrinsic::add:
    case Intrinsic::sub:
    case Intrinsic::mul:
    case Intrinsic::div:
    case Intrinsic::mod:
    case Intrinsic::quot:
    case Intrinsic::rem:
    case Intrinsic::pow:
    case Intrinsic::min:
    case Intrinsic::max:
    case Intrinsic::bit_and:
    case Intrinsic::bit_or:
    case Intrinsic::bit_xor:
    case Intrinsic::shl:
    case Intrinsic::shr:
    case Intrinsic::ushr:
      return lower_binary(context, use);
    case Intrinsic::eq:
    case Intrinsic::ne:
      return lower_equality(context, use);
    case Intrinsic::lt:
    case Intrinsic::le:
    case Intrinsic::gt:
    case Intrinsic::ge:
      return lower_comparison(context, use);
    case Intrinsic::convert:
      return lower_convert(context, use);
    case Intrinsic::iota:
      return lower_iota(context, use);
    case Intrinsic::replicate:
      return lower_replicate(context, use);
    case Intrinsic::copy:
      return lower_copy(context, use);
    case Intrinsic::concat:
      return lower_concat(context, use);
    case Intrinsic::transpose:
      return lower_transpose(context, use);
    case Intrinsic::flatten:
      return lower_flatten(context, use);
    case Intrinsic::unflatten:
      return lower_unflatten(context, use);
    case Intrinsic::length:
      return lower_length(context, use);
    case Intrinsic::zip:
      return lower_zip(context, use);
    case Intrinsic::map:
      return lower_map(context, use);
    case Intrinsic::reduce:
    case Intrinsic::reduce_comm:
      return lower_reduce(context, use);
    case Intrinsic::scan:
      return lower_scan(context, use);
    case Intrinsic::scatter:
    case Intrinsic::scatter_2d:
    case Intrinsic::scatter_3d:
    case Intrinsic::scatter_4d:
      return lower_scatter(context, use);
    case Intrinsic::reduce_by_index:
    case Intrinsic::reduce_by_index_2d:
    case Intrinsic::reduce_by_index_3d:
    case Intrinsic::reduce_by_index_4d:
      return lower_reduce_by_index(context, use);
    case Intrinsic::scratch:
      return lower_scratch(context, use);
    case Intrinsic::with_add:
    case Intrinsic::with_overwrite:
    case Intrinsic::with_combine:
      return lower_with_accumulator(context, use);
    case Intrinsic::update_0d:
    case Intrinsic::update_1d:
    case Intrinsic::update_2d:
    case Intrinsic::update_3d:
    case Intrinsic::update_4d:
      return lower_update_accumulator(context, use);
    case Intrinsic::map_acc:
      return lower_map_with_accumulators(context, use);
    case Intrinsic::sort:
      return lower_core_sort(context, use);
    case Intrinsic::check:
      return lower_check(context, use);
    case Intrinsic::slice:
      return lower_core_slice(context, use);
    case Intrinsic::update_slice:
      return lower_core_update(context, use);
    case Intrinsic::join:
      return lower_core_concat(context, use);
    case Intrinsic::fill:
      return lower_core_replicate(context, use);
    case Intrinsic::reshape:
      return lower_core_reshape(context, use);
    case Intrinsic::rearrange:
      return lower_core_rearrange(context, use);
    case Intrinsic::fused:
    case Intrinsic::fused_acc:
      return lower_fused(context, use);
    case Intrinsic::nest:
    case Intrinsic::nest_acc:
      return lower_nest(context, use);
    case Intrinsic::out_store:
    case Intrinsic::out_reduce:
    case Intrinsic::out_reduce_comm:
    case Intrinsic::out_scan:
    case Intrinsic::out_histogram:
    case Intrinsic::out_scatter:
    case Intrinsic::out_epilogue:
    case Intrinsic::out_direct:
    case Intrinsic::out_library:
    case Intrinsic::out_atomic:
    case Intrinsic::out_copies:
    case Intrinsic::out_parts:
      return lower_out(context, use);
    case Intrinsic::jvp2:
    case Intrinsic::jmp2:
      return lower_jvp(context, use);
    case Intrinsic::vjp2:
    case Intrinsic::mjp2:
      return lower_vjp(context, use);
    case Intrinsic::with_vjp:
      return lower_with_vjp(context, use);
    case Intrinsic::finish:  // the accumulator stands for its array, until core.with_add is
                             // complete
    case Intrinsic::fresh:
    case Intrinsic::unzip:
    case Intrinsic::opaque:
    case Intrinsic::trace:
      return lower_identity(context, use);
    default:
      return lower_math(context, use);  // all that ir::MathFn lists
  }
}

PrimType Use::prim() const { return std::get<PrimType>(type(0).node); }

Atom Use::size(std::size_t i) const {
  const Size& size = closure.size_args.at(i);
  source::internal_check(size.has_value(), "lower: an intrinsic is applied at an unknown size");
  return *size;
}

Atom Use::width(const Context& context, std::size_t i, const Value& array) const {
  return context.printed ? size_of(context, array, 0) : size(i);
}

std::vector<Atom> leaves_as(Context& context, const Value& value, const Type& type) {
  return leaves(coerce(context, make_dynamic(context, value), type));
}

std::vector<ir::Name> arrays_as(Context& context, const Value& value, const Type& type) {
  std::vector<ir::Name> result;
  for (const Atom& atom : leaves_as(context, value, type))
    result.push_back(std::get<ir::Name>(atom));
  return result;
}

}  // namespace boustro::lower
