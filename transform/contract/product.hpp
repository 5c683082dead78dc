// Scalars as sums of products of array elements: how `contract` sees what is added to an accumulator.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "transform/ir/builder.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::contract {

/// An index that runs from 0 to extent - 1: of a map, or of a sum.
struct Dim {
  ir::Name index;
  ir::Atom extent;
};

/// A scalar, or the element of an array at these indices (names of dims, or other i64 atoms).
struct Factor {
  ir::Name array;
  std::vector<ir::Atom> at;
  bool mentions(const ir::Name& index) const;
};

/// coefficient * the sum over `sums` of the product of the factors.
struct Product {
  ir::PrimValue coefficient;
  std::vector<Factor> factors;
  std::vector<Dim> sums;
};

/// Where names come from along the maps that lead to an addition: level 0 is the body of the outermost of them.
class Scope {
 public:
  /// `names` gets the names of dims, and of copies of lambdas that are looked into.
  explicit Scope(ir::Names& names) : names_(names) {}

  /// Statements before the outermost map, of which only iotas are looked at.
  void outside(const std::vector<ir::Stm>& stms);
  /// A map before the outermost one, whose elements nobody else needs: they are looked through.
  void outside_for_it_alone(const ir::Stm& map) { bind({&map, 1}, before); }
  /// The body that the outermost map stands in: what it binds may be known to the points alone, as if it were of level 0.
  void around(const ir::Body& body);
  /// The next level: the body of a traversal, whose parameters from `first` on are rows of `arrays` at `dim`.
  void enter(const ir::Lambda& fn, std::size_t first, const std::vector<ir::Name>& arrays, const Dim& dim);

  /// The dim whose index a scalar is, if it is an element of an iota.
  std::optional<ir::Name> index_in(const ir::Atom& atom) const;
  /// At which level the name is bound; nothing for names from outside.
  std::optional<int> level_of(const ir::Name& name) const;

  /// The scalar as a product. What is no product, negation, sum or element of such stays a factor; so does an array's element all
  /// of whose factors differ from point to point of level 0 (`varying` is its index), since it is at hand, unless it is but a multiple of one
  /// factor. Nothing if it depends on
  /// what only a lambda that was looked into knows.
  std::optional<Product> product(const ir::Atom& scalar, const ir::Name& varying);

 private:
  static constexpr int before = -1;       // the level of what stands before the outermost map
  static constexpr int inside = 1 << 20;  // of names in copies of lambdas
  struct Element {
    ir::Name array;
    std::vector<ir::Atom> at;
  };
  struct Binding {
    int level;
    const ir::Stm* stm = nullptr;  // with the number of the result, or
    std::size_t result = 0;
    std::optional<Element> element;  // a row or element of an array
  };
  using Maybe = std::optional<Product>;

  void bind(const ir::Lambda& fn, std::size_t first, const std::vector<ir::Name>& arrays, const ir::Atom& index, int level);
  void bind(std::span<const ir::Stm> stms, int level);
  const ir::Lambda& look_into(const ir::Lambda& fn, std::size_t first, const std::vector<ir::Name>& arrays, const ir::Atom& index);
  std::optional<std::vector<ir::Atom>> known(std::vector<ir::Atom> at) const;
  Maybe leaf(const ir::Name& array, const std::vector<ir::Atom>& at) const;
  Maybe scalar(const ir::Atom& atom);
  Maybe leaf_or(const ir::Name& array, const std::vector<ir::Atom>& at, Maybe other) const;
  bool is_better_than_its_name(const Binding& binding, const Maybe& product) const;
  Maybe defined(const Binding& binding);
  Maybe sum_of(const ir::Atom& width, const ir::Lambda& op, const ir::Atom& neutral, const ir::Lambda* fn, std::size_t operand,
               const std::vector<ir::Name>& arrays);
  Maybe element(const ir::Name& array, const std::vector<ir::Atom>& at);
  Maybe element_of(const ir::Exp& exp, std::size_t result, const std::vector<ir::Atom>& at);
  Maybe mapped(const ir::Lambda& fn, std::size_t result, const std::vector<ir::Name>& arrays, const std::vector<ir::Atom>& at);
  Maybe accumulated(const ir::WithAcc& e, std::size_t result, const std::vector<ir::Atom>& at);

  ir::Names& names_;
  std::unordered_map<ir::Name, Binding> bindings_;
  std::unordered_map<ir::Name, ir::Atom> iotas_;  // their widths
  std::vector<std::unique_ptr<ir::Lambda>> copies_;
  int levels_ = 0;
  std::optional<ir::Name> varying_;
};

}  // namespace boustro::contract
