// #[reorder(key)] at a map. In core programs the attribute has an array of keys: `#[reorder(keys)]`, one integer for each point.
#pragma once

#include "frontend/check/reorder.hpp"
#include "transform/lower/context.hpp"

namespace boustro::lower {

/// A map with the attribute, which is about to be lowered, and the keys, once they are known.
struct KeyedMap {
  check::MapUse map;
  check::Name key;  // the variable of the map's function that has the key, if there are no keys yet
  check::Type type;
  std::optional<Atom> keys;
};

/// Nothing if the attribute is another one, or stands where it has no effect.
std::optional<KeyedMap> keyed_map(Context& context, const Scope& scope, const check::Attributed& e);

/// The keys of `context.keyed_map`, the last of these applications: a map of what its function needs for the key, in front of it.
void lower_keys(Context& context, Scope& scope, const std::vector<const check::Exp*>& applications, const std::vector<Value>& arguments);

}  // namespace boustro::lower
