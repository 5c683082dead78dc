// Sum values: constructing, making dynamic, taking apart.
//
// A dynamic sum is a tag, the constructor's place in the type, and slots for the payloads of all
// constructors. Constructors share slots for scalars of one type; arrays are not shared, since
// their sizes differ. The slots of constructors other than the value's own are blanks: zeros of the
// sizes that the type names, of size 0 if it names none.
#pragma once

#include <vector>

#include "transform/lower/value.hpp"

namespace boustro::lower {

class Context;

inline constexpr PrimType tag_type = PrimType::i8;

struct SumLayout {
  std::vector<Leaf> slots;
  /// For each constructor the slot of each of its payload's leaves.
  std::vector<std::vector<int>> slots_of;
};
SumLayout layout_of(const SumType& type);

int constructor_index(const SumType& type, std::string_view name);
/// The payload that the value would have if `constructor` were its own.
std::vector<Value> payload_of(const DynamicSum& sum, int constructor);
/// The same value with all known sums in it made dynamic, so that it has leaves.
Value make_dynamic(Context& context, const Value& value);
/// The tag as an atom.
Atom tag_atom(int constructor);

}  // namespace boustro::lower
