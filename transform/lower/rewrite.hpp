// Replaces the atoms of a value, closures and what they capture included, and spells out its static
// part.
#pragma once

#include <string>
#include <unordered_map>

#include "transform/lower/context.hpp"

namespace boustro::lower {

/// A walk over values in a fixed order. Two values with equal keys differ in the replaced atoms
/// alone.
class Rewrite {
 public:
  explicit Rewrite(Context& context) : context(context) {}
  virtual ~Rewrite() = default;
  Rewrite(const Rewrite&) = delete;
  Rewrite& operator=(const Rewrite&) = delete;

  Value value(const Value& value);
  Type type(const Type& type);
  Size size(const Size& size);
  Closure closure(const Closure& closure);

  std::string key;

 protected:
  /// Both append to `key` what is static about the atom.
  virtual Atom on_size(const Atom& atom) = 0;
  virtual Atom on_atom(const Atom& atom) = 0;

  Context& context;
  int closures = 0;  // that the atom stands in, one inside the other

 private:
  ClosureRef shared_closure(const ClosureRef& closure);
  Scope* captured(const Closure& closure);

  // A closure that occurs twice is walked once: closures of closures would take exponential time
  // otherwise.
  std::unordered_map<const Closure*, std::pair<std::size_t, ClosureRef>> seen_;
  std::vector<ClosureRef> alive_;
};

}  // namespace boustro::lower
