// C++ types behind the primitive types, and tables of functions over them. Internal to scalar*.cpp.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include "transform/ir/scalar.hpp"

namespace boustro::ir::representation {

template <PrimType P> struct Cpp;
template <> struct Cpp<PrimType::i8> { using type = std::int8_t; };
template <> struct Cpp<PrimType::i16> { using type = std::int16_t; };
template <> struct Cpp<PrimType::i32> { using type = std::int32_t; };
template <> struct Cpp<PrimType::i64> { using type = std::int64_t; };
template <> struct Cpp<PrimType::u8> { using type = std::uint8_t; };
template <> struct Cpp<PrimType::u16> { using type = std::uint16_t; };
template <> struct Cpp<PrimType::u32> { using type = std::uint32_t; };
template <> struct Cpp<PrimType::u64> { using type = std::uint64_t; };
template <> struct Cpp<PrimType::f16> { using type = float; };  // rounded by `store`
template <> struct Cpp<PrimType::f32> { using type = float; };
template <> struct Cpp<PrimType::f64> { using type = double; };
template <> struct Cpp<PrimType::boolean> { using type = bool; };

template <PrimType P>
typename Cpp<P>::type load(Bits bits) {
  using T = typename Cpp<P>::type;
  if constexpr (P == PrimType::f16) return static_cast<T>(values::f16_to_double(static_cast<std::uint16_t>(bits)));
  else if constexpr (P == PrimType::f32) return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  else if constexpr (P == PrimType::f64) return std::bit_cast<double>(bits);
  else return static_cast<T>(bits);
}

/// Rounds or wraps `value`, which may be of a wider type, to P.
template <PrimType P, typename Value>
Bits store(Value value) {
  using T = typename Cpp<P>::type;
  if constexpr (P == PrimType::f16) return values::f16_from_double(value);
  else if constexpr (P == PrimType::f32) return std::bit_cast<std::uint32_t>(static_cast<T>(value));
  else if constexpr (P == PrimType::f64) return std::bit_cast<Bits>(static_cast<T>(value));
  else if constexpr (P == PrimType::boolean) return value ? 1 : 0;
  else return static_cast<std::make_unsigned_t<T>>(value);
}

template <PrimType P, auto op>
Bits unary(Bits x) {
  return store<P>(op(load<P>(x)));
}

/// `table(type, entry)` is entry's value for that type, entry being called with std::integral_constant.
template <PrimType P> using Constant = std::integral_constant<PrimType, P>;

template <typename Entry>
auto for_signed(PrimType type, Entry entry) -> decltype(entry(Constant<PrimType::i8>{})) {
  switch (type) {
    case PrimType::i8: return entry(Constant<PrimType::i8>{});
    case PrimType::i16: return entry(Constant<PrimType::i16>{});
    case PrimType::i32: return entry(Constant<PrimType::i32>{});
    case PrimType::i64: return entry(Constant<PrimType::i64>{});
    default: return nullptr;
  }
}

template <typename Entry>
auto for_integers(PrimType type, Entry entry) -> decltype(entry(Constant<PrimType::i8>{})) {
  switch (type) {
    case PrimType::u8: return entry(Constant<PrimType::u8>{});
    case PrimType::u16: return entry(Constant<PrimType::u16>{});
    case PrimType::u32: return entry(Constant<PrimType::u32>{});
    case PrimType::u64: return entry(Constant<PrimType::u64>{});
    default: return for_signed(type, entry);
  }
}

template <typename Entry>
auto for_floats(PrimType type, Entry entry) -> decltype(entry(Constant<PrimType::f16>{})) {
  switch (type) {
    case PrimType::f16: return entry(Constant<PrimType::f16>{});
    case PrimType::f32: return entry(Constant<PrimType::f32>{});
    case PrimType::f64: return entry(Constant<PrimType::f64>{});
    default: return nullptr;
  }
}

template <typename Entry>
auto for_numbers(PrimType type, Entry entry) -> decltype(entry(Constant<PrimType::i8>{})) {
  return values::is_float(type) ? for_floats(type, entry) : for_integers(type, entry);
}

template <typename Entry>
auto for_all(PrimType type, Entry entry) -> decltype(entry(Constant<PrimType::i8>{})) {
  if (type == PrimType::boolean) return entry(Constant<PrimType::boolean>{});
  return for_numbers(type, entry);
}

}  // namespace boustro::ir::representation
