// Primitive types and single values of them: literals of the language and of the core IR.
#pragma once

#include <bit>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace boustro::values {

enum class PrimType { i8, i16, i32, i64, u8, u16, u32, u64, f16, f32, f64, boolean };

std::string_view name_of(PrimType type);                     // "i32", "bool"
std::optional<PrimType> prim_type_named(std::string_view name);
int byte_size(PrimType type);                                // 1 for bool

bool is_float(PrimType type);
bool is_signed(PrimType type);    // i8 to i64
bool is_unsigned(PrimType type);  // u8 to u64
bool is_integer(PrimType type);   // signed or unsigned

/// One value. `bits` holds it as in memory, zero-extended: two's complement for integers, IEEE 754
/// for floats, 0 or 1 for bool. So equality is identity: NaNs of one payload are equal, 0.0 and
/// -0.0 are not.
struct PrimValue {
  PrimType type = PrimType::i64;
  std::uint64_t bits = 0;

  auto operator<=>(const PrimValue&) const = default;

  /// The integer `value`, wrapped around to the width of `type`; also for floats (rounded) and bool.
  static PrimValue of_int(PrimType type, std::int64_t value);
  /// The float `value`, rounded to `type`, which is a float type.
  static PrimValue of_float(PrimType type, double value);
  static PrimValue of_bool(bool value) { return {PrimType::boolean, value ? 1u : 0u}; }
  static PrimValue zero(PrimType type) { return {type, 0}; }
  static PrimValue one(PrimType type) { return of_int(type, 1); }

  /// Sign- or zero-extended by type. For integers and bool.
  std::int64_t as_int() const;
  /// For floats; exact.
  double as_float() const;
  bool as_bool() const { return bits != 0; }
  bool is_zero() const;  // 0, 0.0, -0.0, false
};

/// IEEE 754 binary16 from and to double, rounding to nearest even.
std::uint16_t f16_from_double(double value);
double f16_to_double(std::uint16_t bits);

/// As Futhark writes it, so that it reads back as the same value: `1i32`, `0.5f64`, `-f32.inf`, `true`.
std::string to_string(PrimValue value);

}  // namespace boustro::values
