// Values cross the boundary of a core function as their atoms: what is passed in becomes
// parameters, what comes out results; the rest of a value is static.
#pragma once

#include <set>

#include "transform/lower/rewrite.hpp"

namespace boustro::lower {

/// Finds the atoms that are used as sizes.
class CollectSizes : public Rewrite {
 public:
  using Rewrite::Rewrite;
  std::set<Atom> sizes;

 protected:
  Atom on_size(const Atom& atom) override;
  Atom on_atom(const Atom& atom) override;
};

/// Replaces names by parameters. A name that is used as a size becomes one parameter, however often
/// it occurs, so that what has equal sizes outside has equal sizes inside. Literal sizes are
/// static.
class AbstractArguments : public Rewrite {
 public:
  AbstractArguments(Context& context, const std::set<Atom>& sizes)
      : Rewrite(context), sizes_(sizes) {}
  std::vector<ir::Param> size_params, params;
  std::vector<Atom> size_args, args;

 protected:
  Atom on_size(const Atom& atom) override;
  Atom on_atom(const Atom& atom) override;

 private:
  const std::set<Atom>& sizes_;
};

/// Replaces the atoms of a result by placeholders, one for each of a function's results. Sizes that
/// are parameters are known to the caller and stay.
class AbstractResult : public Rewrite {
 public:
  AbstractResult(Context& context, std::set<Atom> params)
      : Rewrite(context), params_(std::move(params)) {}
  std::vector<ir::Param> size_results, results;
  std::vector<Atom> sizes, atoms;  // what they stand for

 protected:
  Atom on_size(const Atom& atom) override;
  Atom on_atom(const Atom& atom) override;

 private:
  std::set<Atom> params_;
};

/// Replaces names by atoms.
class Substitute : public Rewrite {
 public:
  Substitute(Context& context, ir::Substitution substitution)
      : Rewrite(context), substitution_(std::move(substitution)) {}

 protected:
  Atom on_size(const Atom& atom) override { return on_atom(atom); }
  Atom on_atom(const Atom& atom) override;

 private:
  const ir::Substitution substitution_;
};

}  // namespace boustro::lower
