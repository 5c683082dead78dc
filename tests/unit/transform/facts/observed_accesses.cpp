// What facts claim of the places that loops and nests read and write, compared with those that random programs use when they run.
#include <deque>
#include <functional>
#include <map>

#include "tests/unit/transform/facts/random_accesses.hpp"
#include "tests/unit/transform/random_program.hpp"
#include "transform/facts/access.hpp"
#include "transform/facts/dependences.hpp"
#include "transform/parallel/parallel.hpp"

namespace observed_accesses_tests {

using namespace boustro::ir;
using namespace boustro::ir::testing;
using namespace boustro::facts;

namespace {

std::int64_t integer_of(const Atom& atom, const Scene& scene) {
  const Name* name = name_in(atom);
  return name ? scene.integer(*name) : std::get<PrimValue>(atom).as_int();
}

std::int64_t value_of(const Polynomial& p, const Scene& scene) {
  std::int64_t sum = 0;
  for (const auto& [product, coefficient] : p.terms()) {
    std::int64_t term = coefficient;
    for (const Name& name : product) term *= scene.integer(name);
    sum += term;
  }
  return sum;
}

/// The array that a statement reads or writes at some indices, and these.
struct Access {
  Name array;
  const std::vector<DimIndex>* at;
};
std::optional<Access> access_of(const Stm& stm) {
  if (const auto* e = std::get_if<Index>(&stm.exp)) return Access{e->array, &e->indices};
  if (const auto* e = std::get_if<Update>(&stm.exp)) return Access{e->array, &e->indices};
  return std::nullopt;
}

/// Where in a row-major array of this shape the element, row or slice begins.
std::int64_t address(const std::vector<DimIndex>& at, const Shape& shape, const Scene& scene) {
  std::int64_t address = 0;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    address *= integer_of(shape[d], scene);
    if (d >= at.size()) continue;
    const auto* slice = std::get_if<Slice>(&at[d]);
    address += integer_of(slice ? slice->start : std::get<Atom>(at[d]), scene);
  }
  return address;
}

// ---- Access functions

/// An outermost loop or nest: what is known before it and what it computes, for all accesses inside.
struct Root {
  Sizes known;
  std::vector<Stm> stms;
  NameSet varying;
};

/// An access, and the indices around it, the outermost first.
struct Site {
  const Stm* stm;
  std::vector<IndexRange> around;
  /// A while loop or a function on elements is around it too, so that it may happen several times at one point.
  bool repeats;
  const Root* root;
};

class Sites {
 public:
  std::vector<Site> sites;
  std::unordered_map<const Stm*, const Root*> roots;  // by the loop or nest

  void function(const Function& function) {
    Sizes known;
    for (const Param& param : function.params) known.declare(param.type);
    outside(function.body, known);
  }

 private:
  void outside(const Body& body, Sizes& known) {
    for (const Stm& stm : body.stms) {
      if (std::holds_alternative<Loop>(stm.exp) || std::holds_alternative<Nest>(stm.exp)) {
        Root& root = all_.emplace_back();
        root.known = known;
        roots.emplace(&stm, &root);
        inside(stm, {nullptr, {}, false, &root}, root);
      } else {
        for_each_body(stm.exp, [&](const Body& inner) { outside(inner, known); });
      }
      known.define(stm);
    }
  }

  void inside(const Body& body, const Site& here, Root& root) {
    for (const Stm& stm : body.stms) {
      inside(stm, here, root);
      root.stms.push_back(stm);
      if (!access_of(stm) || here.around.empty()) continue;
      sites.push_back(here);
      sites.back().stm = &stm;
    }
  }

  void inside(const Stm& stm, Site here, Root& root) {
    if (const auto* loop = std::get_if<Loop>(&stm.exp)) {
      for (const LoopParam& p : loop->params) root.varying.insert(p.param.name);
      const auto* form = std::get_if<ForLoop>(&loop->form);
      if (form && form->type == PrimType::i64) here.around.push_back({form->index, form->bound});
      else here.repeats = true;
      return inside(loop->body, here, root);
    }
    if (const auto* nest = std::get_if<Nest>(&stm.exp)) {
      points(nest->point, nest->accumulators.size(), nest->space, here, root);
      for (const Out& out : nest->outs) {
        if (out.op) function(out.op->op, here, root);
        const auto kept = out.kind == OutKind::scan ? nest->space.size() : static_cast<std::size_t>(out.rank);
        if (out.epilogue) points(*out.epilogue, 0, {nest->space.begin(), nest->space.begin() + static_cast<std::ptrdiff_t>(kept)}, here, root);
      }
      return;
    }
    bool any_lambda = false;
    for_each_lambda(stm.exp, [&](const Lambda& fn) { any_lambda = true, function(fn, here, root); });
    if (!any_lambda) for_each_body(stm.exp, [&](const Body& body) { inside(body, here, root); });
  }

  /// The parameters from number `first` on are indices of the space.
  void points(const Lambda& fn, std::size_t first, const Shape& space, Site here, Root& root) {
    for (const Param& param : fn.params) root.varying.insert(param.name);
    for (std::size_t d = 0; d < space.size(); ++d) {
      here.around.push_back({fn.params[first + d].name, space[d]});
      root.varying.erase(fn.params[first + d].name);
    }
    inside(fn.body, here, root);
  }

  void function(const Lambda& fn, Site here, Root& root) {
    for (const Param& param : fn.params) root.varying.insert(param.name);
    here.repeats = true;
    inside(fn.body, here, root);
  }

  std::deque<Root> all_;
};

/// What is claimed of one access, and what it was seen to do since its root began.
class AccessCheck {
 public:
  AccessCheck(const Site& site, const Names& names) : site_(site), shape_(names.type_of(access_of(*site.stm)->array).shape) {
    const Accesses accesses(site.around, site.root->stms, site.root->known, site.root->varying);
    const std::vector<DimIndex>& at = *access_of(*site.stm)->at;
    along_ = accesses.along(at, shape_);
    std::vector<Atom> numbers;
    for (const DimIndex& index : at)
      if (const auto* number = std::get_if<Atom>(&index)) numbers.push_back(*number);
    if (numbers.size() == at.size() && accesses.is_injective(numbers)) numbers_ = numbers;
    is_exact_ = std::none_of(along_.begin(), along_.end(), [](const Along& a) { return a.kind == Along::Kind::other; });
  }

  const Root* root() const { return site_.root; }

  /// The address, less what is linear in the indices, differs with no more than the other indices.
  void see(const Scene& scene) {
    std::vector<std::int64_t> point, others;
    std::int64_t rest = address(*access_of(*site_.stm)->at, shape_, scene);
    for (std::size_t d = 0; d < along_.size(); ++d) {
      point.push_back(scene.integer(site_.around[d].index));
      if (along_[d].kind == Along::Kind::other) others.push_back(point.back());
      else rest -= value_of(along_[d].stride, scene) * point.back();
    }
    if (is_exact_ || !site_.repeats) {
      const auto [known, is_new] = rests_.emplace(others, rest);
      BOOST_TEST(known->second == rest, "not the address that is claimed: " << to_string(site_.stm->exp));
      claims += !is_new && others.size() < along_.size();
    }
    if (!numbers_) return;
    std::vector<std::int64_t> numbers;
    for (const Atom& number : *numbers_) numbers.push_back(integer_of(number, scene));
    BOOST_TEST(points_.emplace(numbers, point).first->second == point, "two points meet: " << to_string(site_.stm->exp));
    injective += 1;
  }

  void end() { rests_.clear(), points_.clear(); }

  int claims = 0, injective = 0;  // that were put to the test

 private:
  Site site_;
  Shape shape_;
  std::vector<Along> along_;
  std::optional<std::vector<Atom>> numbers_;  // which no two points have in common
  bool is_exact_;
  std::map<std::vector<std::int64_t>, std::int64_t> rests_;                 // by the indices that are not linear
  std::map<std::vector<std::int64_t>, std::vector<std::int64_t>> points_;  // by numbers
};

// ---- Dependences

/// What is claimed of an array that a loop updates, and what the loop was seen to do since it began.
class DependenceCheck {
 public:
  DependenceCheck(const Loop& loop, std::size_t param, std::vector<Dependence> claimed)
      : index_(std::get<ForLoop>(loop.form).index), shape_(loop.params[param].param.type.shape), claimed_(std::move(claimed)),
        versions_(*versions_of(loop, param)) {}

  bool concerns(const Stm& stm) const {
    const auto access = access_of(stm);
    return access && versions_.contains(access->array);
  }

  void see(const Stm& stm, const Scene& scene) {
    auto& log = std::holds_alternative<Update>(stm.exp) ? writes_ : reads_;
    log.emplace(address(*access_of(stm)->at, shape_, scene), std::pair(&stm, scene.integer(index_)));
  }

  /// All that met is claimed, at the distance that is claimed.
  void end() {
    for (const auto& [cell, write] : writes_) {
      const auto [first, last] = reads_.equal_range(cell);
      for (auto read = first; read != last; ++read) compare(write, read->second);
    }
    writes_.clear(), reads_.clear();
  }

  int met = 0, at_distances = 0;

 private:
  using Event = std::pair<const Stm*, std::int64_t>;  // and the iteration

  void compare(const Event& write, const Event& read) {
    const auto claim = std::find_if(claimed_.begin(), claimed_.end(), [&](const Dependence& d) { return d.write == write.first && d.read == read.first; });
    ++met;
    BOOST_TEST((claim != claimed_.end()), "never to meet: " << to_string(write.first->exp) << " and " << to_string(read.first->exp));
    if (claim == claimed_.end() || !claim->distance) return;
    ++at_distances;
    BOOST_TEST(*claim->distance == read.second - write.second, to_string(write.first->exp) << " and " << to_string(read.first->exp));
  }

  Name index_;
  Shape shape_;
  std::vector<Dependence> claimed_;
  NameSet versions_;
  std::multimap<std::int64_t, Event> writes_, reads_;  // by cell
};

// ---- Programs

struct Tested {
  int claims = 0, injective = 0, met = 0, at_distances = 0;
};

class Checker {
 public:
  explicit Checker(const Program& program) : program_(program), names_(program) {
    for (const Function& function : program.functions) {
      names_.bind_function(function);
      sites_.function(function);
      find_loops(function.body);
    }
    for (const Site& site : sites_.sites) by_access_[site.stm].emplace_back(of_root_[site.root].emplace_back(site, names_));
  }

  Tested run(const std::vector<Arguments>& runs) {
    BOOST_TEST_INFO_SCOPE(to_string(program_));
    for (const Arguments& args : runs)
      run_entry(program_, "main", args, {.observe = [&](const Stm& stm, const Scene& scene) { see(stm, scene); }});
    Tested tested;
    for (const auto& [root, checks] : of_root_)
      for (const AccessCheck& check : checks) tested.claims += check.claims, tested.injective += check.injective;
    for (const auto& [loop, checks] : of_loop_)
      for (const DependenceCheck& check : checks) tested.met += check.met, tested.at_distances += check.at_distances;
    return tested;
  }

 private:
  void find_loops(const Body& body) {
    for (const Stm& stm : body.stms) {
      for_each_body(stm.exp, [&](const Body& inner) { find_loops(inner); });
      const auto* loop = std::get_if<Loop>(&stm.exp);
      const auto* form = loop ? std::get_if<ForLoop>(&loop->form) : nullptr;
      if (!form || form->type != PrimType::i64) continue;
      for (std::size_t i = 0; i < loop->params.size(); ++i)
        if (auto claimed = dependences_of(*loop, i)) of_loop_[&stm].emplace_back(*loop, i, std::move(*claimed));
    }
  }

  void see(const Stm& stm, const Scene& scene) {
    if (access_of(stm)) {
      for (AccessCheck& check : by_access_[&stm]) check.see(scene);
      for (auto& [loop, checks] : of_loop_)
        for (DependenceCheck& check : checks)
          if (check.concerns(stm)) check.see(stm, scene);
    }
    if (const auto found = of_loop_.find(&stm); found != of_loop_.end())
      for (DependenceCheck& check : found->second) check.end();
    if (const auto root = sites_.roots.find(&stm); root != sites_.roots.end())
      for (AccessCheck& check : of_root_[root->second]) check.end();
  }

  const Program& program_;
  Names names_;
  Sites sites_;
  std::unordered_map<const Root*, std::deque<AccessCheck>> of_root_;
  std::unordered_map<const Stm*, std::vector<std::reference_wrapper<AccessCheck>>> by_access_;
  std::unordered_map<const Stm*, std::deque<DependenceCheck>> of_loop_;
};

void add(Tested& to, const Tested& more) {
  to.claims += more.claims, to.injective += more.injective, to.met += more.met, to.at_distances += more.at_distances;
}

}  // namespace

BOOST_AUTO_TEST_CASE(places_computed_of_indices) {
  Tested tested;
  for (unsigned seed = 0; seed < 400; ++seed) {
    BOOST_TEST_INFO_SCOPE("seed " << seed);
    const Program program = RandomAccesses(seed).make();
    check_verified(program);
    std::vector<Arguments> runs;
    for (const auto& [n, m] : {std::pair(1, 4), std::pair(5, 3), std::pair(3, 5)})
      runs.push_back({i64_value(n), i64_value(m), i64s({4, 1, 0, 1, 3})});
    add(tested, Checker(program).run(runs));
  }
  BOOST_TEST(tested.claims > 10'000);
  BOOST_TEST(tested.injective > 1'000);
  BOOST_TEST(tested.met > 10'000);
  BOOST_TEST(tested.at_distances > 1'000);
}

BOOST_AUTO_TEST_CASE(places_in_nests_of_all_kinds) {
  Tested tested;
  for (unsigned seed = 0; seed < 100; ++seed) {
    BOOST_TEST_INFO_SCOPE("seed " << seed);
    const Program program = boustro::parallel::flatten(RandomProgram(seed).make(), boustro::parallel::Machine::gpu);
    add(tested, Checker(program).run(random_arguments(seed)));
  }
  BOOST_TEST(tested.claims > 10'000);
  BOOST_TEST(tested.injective > 1'000);
}

}  // namespace observed_accesses_tests
