// What facts claim of aliases and consumption, compared with what happens when random programs run.
#include "tests/unit/transform/ad/random_differentiable.hpp"
#include "tests/unit/transform/facts/random_sharing.hpp"
#include "tests/unit/transform/random_program.hpp"
#include "transform/facts/aliases.hpp"

namespace observed_tests {

using namespace boustro::ir;
using namespace boustro::ir::testing;
using boustro::facts::Aliases;
using boustro::facts::Callees;

namespace {

/// For each name that a statement binds, the arrays that can be used behind it.
class Usable {
 public:
  Usable(const Aliases& aliases, const Callees& callees) : aliases_(aliases), callees_(callees) {}

  void body(const Body& body, const std::vector<Param>& params, NameSet names) {
    add(params, names);
    for (const Stm& stm : body.stms) statement(stm, names);
  }
  bool knows(const Name& name) const { return behind_.contains(name); }
  const NameSet& behind(const Name& name) const { return behind_.at(name); }

 private:
  void statement(const Stm& stm, NameSet& names) {
    NameSet inside = names;
    remove(callees_.consumed_operands(stm.exp), inside);
    if (const auto* e = std::get_if<Loop>(&stm.exp)) {
      std::vector<Param> params;
      for (const LoopParam& p : e->params) params.push_back(p.param);
      body(e->body, params, inside);
    } else if (const auto* branch = std::get_if<If>(&stm.exp)) {
      body(branch->then_body, {}, inside);
      body(branch->else_body, {}, inside);
    } else {
      for_each_lambda(stm.exp, [&](const Lambda& fn) { body(fn.body, fn.params, inside); });
    }
    remove(boustro::facts::consumed_by(stm.exp, callees_), names);
    add(stm.pattern, names);
    for (const Param& param : stm.pattern) behind_[param.name] = names;
  }

  static void add(const std::vector<Param>& params, NameSet& names) {
    for (const Param& param : params)
      if (!param.type.is_scalar() && !param.type.accumulator) names.insert(param.name);
  }
  void remove(const std::vector<Name>& consumed, NameSet& names) const {
    for (const Name& gone : consumed)
      std::erase_if(names, [&](const Name& name) { return aliases_.may_alias(name, gone); });
  }

  const Aliases& aliases_;
  const Callees& callees_;
  std::unordered_map<Name, NameSet> behind_;
};

/// Runs the program, whose last function is the entry; counts pairs of arrays that share memory.
int check(const Program& program, const Arguments& args) {
  BOOST_TEST_INFO_SCOPE(to_string(program));
  const Callees callees(program);
  const Aliases all(program);
  Usable usable(all, callees);
  for (const Function& function : program.functions) usable.body(function.body, function.params, {});
  const Function& entry = program.functions.back();
  const Aliases of_entry(entry.body.stms, callees);
  Usable in_entry(of_entry, callees);
  in_entry.body(entry.body, entry.params, {});

  int shared = 0;
  const auto compare = [&](const Name& name, const Scene& scene, const Usable& known, const Aliases& aliases) {
    const NameSet& names = known.behind(name);
    for (const Name& other : names)
      BOOST_TEST(!scene.is_consumed(other), to_string(other) << " is consumed by what binds " << to_string(name));
    for (const Name& other : scene.sharing(name)) {
      if (!names.contains(other)) continue;
      ++shared;
      BOOST_TEST(aliases.may_alias(name, other), to_string(name) << " shares memory with " << to_string(other));
    }
  };
  const auto observe = [&](const Stm& stm, const Scene& scene) {
    for (const Param& param : stm.pattern) {
      if (param.type.is_scalar() || param.type.accumulator) continue;
      compare(param.name, scene, usable, all);
      if (in_entry.knows(param.name)) compare(param.name, scene, in_entry, of_entry);
    }
  };
  run_entry(program, entry.entry->name, args, {.observe = observe});
  return shared;
}

}  // namespace

BOOST_AUTO_TEST_CASE(programs_that_share_memory_in_many_ways) {
  int shared = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    BOOST_TEST_INFO_SCOPE("seed " << seed);
    const Program program = RandomSharing(seed).make();
    check_verified(program);
    for (const std::int64_t n : {1, 4})
      shared += check(program, {f64_value(seed % 7), some_f64s({n}, seed), some_f64s({n}, seed + 1)});
  }
  BOOST_TEST(shared > 10'000);
}

BOOST_AUTO_TEST_CASE(programs_of_all_kinds) {
  int shared = 0;
  for (unsigned seed = 0; seed < 100; ++seed) {
    BOOST_TEST_INFO_SCOPE("seed " << seed);
    for (const Arguments& args : random_arguments(seed)) shared += check(RandomProgram(seed).make(), args);
    const Arguments args{f64_value(0.5), some_f64s({3}, seed), some_f64s({3, 3}, seed + 1)};
    shared += check(boustro::ad::testing::RandomDifferentiable(seed).make(), args);
  }
  BOOST_TEST(shared > 1'000);
}

}  // namespace observed_tests
