// The order of keys, by the sort of the core language, which sorts i64s by some of their bits.
//
// Rule      A slot is one number for a point: some bits of its key, and below them the number of the point. Slots are sorted by the former.
//           Keys of at most 32 bits are sorted in one go, those of 64 by their lower half, and then by their upper one, which keeps the
//           order of the lower half where upper ones are equal. Of signed keys the sign is turned, so that the least of them has no bit set.
// Cost      one or two radix sorts of n numbers by 32 bits, 8 or 16 for small types
// Limit     n < 2^31, checked at run time: the number of a point has its place beside 32 bits
#include "transform/reorder/order.hpp"

#include <algorithm>
#include <limits>

namespace boustro::reorder {

using namespace ir;

namespace {

constexpr int half = 32;

int bits_of(PrimType type) {
  switch (type) {
    case PrimType::i8: case PrimType::u8: return 8;
    case PrimType::i16: case PrimType::u16: return 16;
    case PrimType::i32: case PrimType::u32: return 32;
    default: return 64;
  }
}

class Sorting {
 public:
  Sorting(Builder& b, const Name& keys) : b_(b), keys_(keys), type_(b.names.type_of(keys).elem), width_(b.names.type_of(keys).shape.at(0)) {}

  Name run() {
    const Atom leading = b_.math("leading", MathFn::clz, {width_});
    number_bits_ = b_.binop("number_bits", BinOpKind::sub, int_atom(64), b_.convert("leading", PrimType::i64, leading));
    const int bits = std::min(bits_of_keys(), half);
    end_bit_ = b_.binop("end_bit", BinOpKind::add, number_bits_, int_atom(bits));
    b_.assert_that(b_.cmp("fits", CmpOpKind::lt, end_bit_, int_atom(64)), "{} points are too many to be sorted", {width_});
    const Atom beyond = b_.binop("beyond", BinOpKind::shl, int_atom(1), number_bits_);
    mask_ = b_.binop("mask", BinOpKind::sub, beyond, int_atom(1));
    const Name places = sorted_by_part(b_.let("places", Iota{width_}), [&](Builder& b, const Atom& key) { return lower_half(b, key); });
    if (bits_of_keys() == bits) return places;
    return sorted_by_part(places, [&](Builder& b, const Atom& key) { return upper_half(b, key); });
  }

 private:
  int bits_of_keys() const { return bits_of(type_); }

  /// As an i64 whose bits have the order of the key's: none is negative but a u64 that is large, or what was an i64.
  Atom without_sign(Builder& b, const Atom& key) const {
    const Atom wide = type_ == PrimType::i64 ? key : b.convert("key", PrimType::i64, key);
    if (!values::is_signed(type_)) return wide;
    if (type_ == PrimType::i64) return b.binop("key", BinOpKind::bit_xor, wide, int_atom(std::numeric_limits<std::int64_t>::min()));
    return b.binop("key", BinOpKind::add, wide, int_atom(std::int64_t{1} << (bits_of_keys() - 1)));
  }
  Atom lower_half(Builder& b, const Atom& key) const {
    const Atom whole = without_sign(b, key);
    return bits_of_keys() <= half ? whole : b.binop("lower", BinOpKind::bit_and, whole, int_atom((std::int64_t{1} << half) - 1));
  }
  Atom upper_half(Builder& b, const Atom& key) const { return b.binop("upper", BinOpKind::ushr, without_sign(b, key), int_atom(half)); }

  /// The places in the order of a part of the keys at them; those where it is equal stay in their order.
  template <typename Part>
  Name sorted_by_part(const Name& places, Part&& part) {
    const Lambda to_slot = b_.lambda({{"place", scalar(PrimType::i64)}}, [&](Builder& b, const std::vector<Name>& p) {
      const Atom above = b.binop("above", BinOpKind::shl, part(b, b.index("key", keys_, {p[0]})), number_bits_);
      return std::vector<Atom>{b.binop("slot", BinOpKind::bit_or, above, p[0])};
    });
    const Name slots = b_.let("slots", Map{width_, to_slot, {places}, {}});
    const Name sorted = b_.let("sorted", Sort{number_bits_, end_bit_, slots});
    const Lambda to_place = b_.lambda({{"slot", scalar(PrimType::i64)}}, [&](Builder& b, const std::vector<Name>& p) {
      return std::vector<Atom>{b.binop("place", BinOpKind::bit_and, p[0], mask_)};
    });
    return b_.let("places", Map{width_, to_place, {sorted}, {}});
  }

  Builder& b_;
  Name keys_;
  PrimType type_;
  Atom width_;
  Atom number_bits_, end_bit_, mask_;  // of the number of a point in a slot; behind its part of the key; the number
};

}  // namespace

Name order_of(Builder& b, const Name& keys) { return Sorting(b, keys).run(); }

}  // namespace boustro::reorder
