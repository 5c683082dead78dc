#include "transform/facts/inequalities.hpp"

#include <algorithm>
#include <random>

namespace boustro::facts {

using namespace ir;

namespace {

/// Attempts of a proof; each expresses one name by one inequality.
constexpr int most_expressed = 1500;
/// Places where the polynomial is computed before that: what is not so needs no long search for a proof.
constexpr int places = 400, largest_number = 6;

bool is_distance(const Name& name) { return name.tag < 0; }

class Proof {
 public:
  bool of(const Polynomial& p, const std::vector<Polynomial>& known) {
    if (has_no_negative_term(p)) return true;
    const auto name = next_in(p);
    if (!name) return false;
    // What most likely bounds it from the side that matters first.
    const std::int64_t side = rises(p, *name) ? 1 : -1;
    return any(p, *name, side, known) || any(p, *name, -side, known);
  }

 private:
  /// Expresses the name by an inequality in which it has this slope.
  bool any(const Polynomial& p, const Name& name, std::int64_t slope, const std::vector<Polynomial>& known) {
    return std::any_of(known.begin(), known.end(), [&](const Polynomial& inequality) {
      const auto linear = inequality.linear_in(name);
      if (!linear || linear->slope != Polynomial(slope) || --steps_ < 0) return false;
      const Polynomial value = Polynomial(slope) * (Polynomial(new_distance()) - linear->rest);
      std::vector<Polynomial> others;
      for (const Polynomial& other : known)
        if (&other != &inequality) others.push_back(other.with(name, value));
      return of(p.with(name, value), others);
    });
  }

  static bool rises(const Polynomial& p, const Name& name) {
    std::int64_t sum = 0;
    for (const auto& [product, coefficient] : p.terms())
      if (std::find(product.begin(), product.end(), name) != product.end()) sum += coefficient;
    return sum >= 0;
  }

  static std::optional<Name> next_in(const Polynomial& p) {
    const NameSet names = p.names();
    const auto next = std::find_if(names.begin(), names.end(), [](const Name& name) { return !is_distance(name); });
    return next == names.end() ? std::nullopt : std::optional(*next);
  }

  /// Distances are 0 or more. Other names have to be expressed first.
  static bool has_no_negative_term(const Polynomial& p) {
    return std::all_of(p.terms().begin(), p.terms().end(), [](const auto& term) {
      return term.second >= 0 && std::all_of(term.first.begin(), term.first.end(), is_distance);
    });
  }

  Name new_distance() { return {"distance", -++distances_}; }

  int distances_ = 0;
  int steps_ = most_expressed;
};

/// A polynomial of numbers by their place in a list.
class Computed {
 public:
  Computed(const Polynomial& p, const std::vector<Name>& names) {
    for (const auto& [product, coefficient] : p.terms()) {
      Term& term = terms_.emplace_back(Term{coefficient, {}});
      for (const Name& name : product)
        term.factors.push_back(static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin()));
    }
  }
  std::int64_t at(const std::vector<std::int64_t>& numbers) const {
    std::int64_t sum = 0;
    for (const Term& term : terms_) {
      std::int64_t product = term.coefficient;
      for (const std::size_t factor : term.factors) product *= numbers[factor];
      sum += product;
    }
    return sum;
  }

 private:
  struct Term {
    std::int64_t coefficient;
    std::vector<std::size_t> factors;
  };
  std::vector<Term> terms_;
};

/// The polynomial is negative somewhere.
bool is_refuted(const Polynomial& p, const std::vector<Polynomial>& known) {
  NameSet mentioned = p.names();
  for (const Polynomial& inequality : known) mentioned.merge(inequality.names());
  const std::vector<Name> names(mentioned.begin(), mentioned.end());
  std::vector<Computed> bounds;
  for (const Polynomial& inequality : known) bounds.emplace_back(inequality, names);
  const Computed claim(p, names);
  std::mt19937 random(1);
  std::vector<std::int64_t> numbers(names.size());
  for (int place = 0; place < places; ++place) {
    for (std::int64_t& number : numbers) number = static_cast<std::int64_t>(random() % (largest_number + 1));
    if (claim.at(numbers) < 0 && std::all_of(bounds.begin(), bounds.end(), [&](const Computed& bound) { return bound.at(numbers) >= 0; })) return true;
  }
  return false;
}

}  // namespace

void Inequalities::add(const Polynomial& p) {
  if (std::find(known_.begin(), known_.end(), p) == known_.end()) known_.push_back(p);
}

bool Inequalities::imply_not_negative(const Polynomial& p) const { return !is_refuted(p, known_) && Proof().of(p, known_); }

}  // namespace boustro::facts
