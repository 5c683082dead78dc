#include "transform/simplify/flat_maps.hpp"

#include <numeric>
#include <optional>
#include <unordered_map>

#include "transform/ir/builder.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::simplify {

using namespace ir;

namespace {

constexpr std::int64_t max_width = 64;

/// (i / divisor) % modulus for the index i; the modulus is 0 if there is none.
struct Digit {
  std::int64_t divisor = 1, modulus = 0;
  /// Multiples of this do not change the digit, or, without a modulus, change it by a multiple.
  std::int64_t period() const { return modulus == 0 ? divisor : divisor * modulus; }
};

/// No index is negative: rounding down and rounding to zero are the same.
bool divides(BinOpKind kind) { return kind == BinOpKind::div || kind == BinOpKind::quot; }
bool remains(BinOpKind kind) { return kind == BinOpKind::mod || kind == BinOpKind::rem; }

std::optional<Digit> digit_of(const Digit& x, BinOpKind kind, std::int64_t by) {
  if (by < 2 || by > max_width) return std::nullopt;
  Digit result = x;
  if (x.modulus != 0 && x.modulus % by != 0) return std::nullopt;
  if (divides(kind)) {
    result.divisor *= by;
    result.modulus /= by;
  } else if (remains(kind)) {
    result.modulus = by;
  } else {
    return std::nullopt;
  }
  return result.modulus == 1 || result.period() > max_width ? std::nullopt : std::optional(result);
}

/// The names in a body that are digits of an index.
class Digits {
 public:
  Digits(const Name& index, const Body& body) : index_(index) {
    digits_.emplace(index, Digit{});
    collect(body);
  }

  /// The smallest width of an inner map that has all of them; none if the index is used in another way, or not at all.
  std::optional<std::int64_t> width() const {
    return used_otherwise_ || width_ == 1 || width_ > max_width ? std::nullopt : std::optional(width_);
  }
  /// The digit that a statement computes.
  const Digit* of(const Stm& stm) const {
    const auto found = stm.pattern.size() == 1 ? digits_.find(stm.pattern[0].name) : digits_.end();
    return found == digits_.end() ? nullptr : &found->second;
  }

 private:
  void collect(const Body& body) {
    for (const Stm& stm : body.stms) {
      if (const auto digit = computed(stm.exp)) {
        digits_.emplace(stm.pattern[0].name, *digit);
        width_ = width_ > max_width ? width_ : std::lcm(width_, digit->period());
        continue;
      }
      for_each_atom(stm.exp, [&](const Atom& atom) { use(atom); });
      for_each_body(stm.exp, [&](const Body& inner) { collect(inner); });
    }
    for (const Atom& atom : body.result) use(atom);
  }

  void use(const Atom& atom) { used_otherwise_ = used_otherwise_ || atom == Atom(index_); }

  std::optional<Digit> computed(const Exp& exp) const {
    const auto* e = std::get_if<BinOp>(&exp);
    const Name* name = e ? name_in(e->lhs) : nullptr;
    const PrimValue* by = e ? literal_in(e->rhs) : nullptr;
    const auto of = name && by ? digits_.find(*name) : digits_.end();
    return of == digits_.end() ? std::nullopt : digit_of(of->second, e->kind, by->as_int());
  }

  const Name& index_;
  std::unordered_map<Name, Digit> digits_;
  std::int64_t width_ = 1;
  bool used_otherwise_ = false;
};

/// Its statements for the index o * width + j.
class Split {
 public:
  Split(const Digits& digits, std::int64_t width, const Name& o, const Name& j, Names& names)
      : digits_(digits), width_(width), o_(o), j_(j), names_(names) {}

  void body(Body& body) const {
    std::vector<Stm> stms;
    for (Stm& stm : body.stms) {
      if (const Digit* digit = digits_.of(stm)) {
        Builder builder(names_, stm.origin);
        Exp exp = value(*digit, builder);
        builder.let(stm.pattern, std::move(exp), stm.attributes);
        stms.insert(stms.end(), builder.stms.begin(), builder.stms.end());
        continue;
      }
      map_bodies(stm.exp, [&](Body& inner) { this->body(inner); });
      stms.push_back(std::move(stm));
    }
    body.stms = std::move(stms);
  }

 private:
  /// Both parts are divided without a rest: by the divisor, and what o adds by the modulus.
  Exp value(const Digit& digit, Builder& b) const {
    if (digit.modulus == 0 && digit.divisor == width_) return AtomExp{o_};
    const Atom quotient =
        digit.divisor == 1 ? Atom(j_) : b.binop("quotient", BinOpKind::div, j_, int_atom(digit.divisor));
    if (digit.modulus == 0) {
      const Atom start = b.binop("start", BinOpKind::mul, o_, int_atom(width_ / digit.divisor));
      return BinOp{BinOpKind::add, PrimType::i64, start, quotient};
    }
    if (digit.period() == width_) return AtomExp{quotient};
    return BinOp{BinOpKind::mod, PrimType::i64, quotient, int_atom(digit.modulus)};
  }

  const Digits& digits_;
  const std::int64_t width_;
  const Name &o_, &j_;
  Names& names_;
};

/// A size as a literal times other sizes.
struct Product {
  std::int64_t literal = 1;
  std::vector<Name> names = {};
};

class FlatMaps {
 public:
  explicit FlatMaps(Program& program) : names_(program) {}

  bool split_in(Body& body) {
    bool any = false;
    std::vector<Stm> stms;
    for (Stm& stm : body.stms) {
      map_bodies(stm.exp, [&](Body& inner) { any = split_in(inner) || any; });
      auto split = this->split(stm);
      any = any || split;
      if (split) {
        stms.insert(stms.end(), std::make_move_iterator(split->begin()), std::make_move_iterator(split->end()));
        continue;
      }
      if (const auto* e = std::get_if<Iota>(&stm.exp)) iotas_.emplace(stm.pattern[0].name, e->width);
      if (const auto* e = std::get_if<BinOp>(&stm.exp); e && e->kind == BinOpKind::mul && e->type == PrimType::i64)
        products_.emplace(stm.pattern[0].name, *e);
      stms.push_back(std::move(stm));
    }
    body.stms = std::move(stms);
    return any;
  }

 private:
  std::optional<std::vector<Stm>> split(Stm& stm) {
    auto* map = std::get_if<Map>(&stm.exp);
    if (!map || map->arrays.size() != 1 || !map->accumulators.empty()) return std::nullopt;
    if (!iotas_.contains(map->arrays[0])) return std::nullopt;
    const Product product = factors(map->width);
    const Name index = map->fn.params[0].name;
    const Digits digits(index, map->fn.body);
    const auto width = digits.width();
    if (product.names.empty() || !width || product.literal % *width != 0) return std::nullopt;

    Builder builder(names_, stm.origin);
    const Atom count = outer_width(product, *width, builder);
    const Name is = builder.let("is", Iota{count});
    const Type integer = scalar(PrimType::i64);
    const Param o = names_.fresh_param(index.base, integer), j = names_.fresh_param("j", integer);
    Lambda inner{{j}, std::move(map->fn.body), map->fn.result_types};
    Split(digits, *width, o.name, j.name, names_).body(inner.body);
    builder.add(flattened(stm, {count, nested(std::move(inner), o, *width, stm), {is}, {}}));
    return std::move(builder.stms);
  }

  Product factors(const Atom& size) const {
    if (const PrimValue* literal = literal_in(size)) return {literal->as_int(), {}};
    const auto found = products_.find(std::get<Name>(size));
    if (found == products_.end()) return {1, {std::get<Name>(size)}};
    Product x = factors(found->second.lhs);
    const Product y = factors(found->second.rhs);
    x.literal *= y.literal;
    x.names.insert(x.names.end(), y.names.begin(), y.names.end());
    return x;
  }

  static Atom outer_width(const Product& product, std::int64_t width, Builder& builder) {
    Atom count = product.names[0];
    for (std::size_t i = 1; i < product.names.size(); ++i)
      count = builder.binop("n", BinOpKind::mul, count, product.names[i]);
    const std::int64_t rest = product.literal / width;
    return rest == 1 ? count : builder.binop("n", BinOpKind::mul, count, int_atom(rest));
  }

  /// \o -> map inner (iota width)
  Lambda nested(Lambda inner, const Param& o, std::int64_t width, const Stm& like) {
    Builder builder(names_, like.origin);
    Lambda outer{{o}, {}, {}};
    std::vector<Param> rows;
    for (std::size_t i = 0; i < like.pattern.size(); ++i) {
      outer.result_types.push_back(array_of(int_atom(width), inner.result_types[i]));
      rows.push_back(names_.fresh_param(like.pattern[i].name.base, outer.result_types[i]));
      outer.body.result.push_back(rows[i].name);
    }
    const Name is = builder.let("is", Iota{int_atom(width)});
    builder.let(std::move(rows), Map{int_atom(width), std::move(inner), {is}, {}});
    outer.body.stms = std::move(builder.stms);
    return outer;
  }

  /// The map of rows, and the statement's results as views of what it yields.
  std::vector<Stm> flattened(const Stm& stm, Map map) {
    Builder builder(names_, stm.origin);
    std::vector<Param> arrays;
    for (std::size_t i = 0; i < stm.pattern.size(); ++i) {
      const Type type = array_of(map.width, map.fn.result_types[i]);
      arrays.push_back(names_.fresh_param(stm.pattern[i].name.base, type));
    }
    builder.let(arrays, std::move(map), stm.attributes);
    for (std::size_t i = 0; i < stm.pattern.size(); ++i)
      builder.let({stm.pattern[i]}, Reshape{stm.pattern[i].type.shape, arrays[i].name});
    return std::move(builder.stms);
  }

  Names names_;
  std::unordered_map<Name, BinOp> products_;
  std::unordered_map<Name, Atom> iotas_;
};

}  // namespace

bool split_flat_maps(Program& program) {
  FlatMaps maps(program);
  bool any = false;
  for (Function& function : program.functions) any = maps.split_in(function.body) || any;
  return any;
}

}  // namespace boustro::simplify
