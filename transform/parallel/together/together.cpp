// Threads that go through the same summands for each member of a fold, and read these again for each of them.
//
// Rule      where members read a matrix across its rows, in columns that data tell, it is turned (turned.hpp), and pairs of a point and a
//           member get a thread each (pairs.hpp), if that pays; otherwise a thread adds up several sums at a time (sums_together.hpp)
// Pays      asked when the program runs: each point reads several columns, so that there may be `columns_of_point` times as many columns as
//           points, and there are no more than `members_of_pairs` members, whose sums are about as much memory as what a point reads
// Applies   to nests of the grid that make new arrays, or values, as what may have been changed is not read twice
//
// Before:  nest n (\i -> nest k (\c -> .. loop for j < count do .. yss[c, columns[i, j]] ..) (reduce ..))
// After:   if m <= n * 16 && k <= 256
//          then let yss_columns = nest (m, k) (\column c -> yss[c, column])
//               let sums = nest (n, k) (\i c -> loop for j < count do .. yss_columns[columns[i, j], c] ..)
//               in nest n (\i -> nest k (\c -> .. sums[i, c] ..) (reduce ..))
//          else nest n (\i -> .. sums of 16 members at a time ..)
#include <algorithm>

#include "transform/ir/traversal.hpp"
#include "transform/parallel/parallel.hpp"
#include "transform/parallel/together/pairs.hpp"
#include "transform/parallel/together/turned.hpp"

namespace boustro::parallel {
namespace {

using namespace ir;

constexpr std::int64_t columns_of_point = 16, members_of_pairs = 256;

void add_all_bound(const Body& body, NameSet& names) {
  for (const Stm& stm : body.stms) {
    for (const Param& param : stm.pattern) names.insert(param.name);
    for_each_lambda(stm.exp, [&](const Lambda& lambda) {
      for (const Param& param : lambda.params) names.insert(param.name);
    });
    if (const auto* loop = std::get_if<Loop>(&stm.exp))
      for (const LoopParam& p : loop->params) names.insert(p.param.name);
    for_each_body(stm.exp, [&](const Body& inner) { add_all_bound(inner, names); });
  }
}

class Grids {
 public:
  Grids(Names& names, const facts::Callees& callees) : names_(names), callees_(callees) {}

  void run(Body& body) {
    std::vector<Stm> stms;
    for (Stm& stm : body.stms) {
      const auto* nest = std::get_if<Nest>(&stm.exp);
      if (!nest) map_bodies(stm.exp, [&](Body& inner) { run(inner); });
      if (auto parts = nest && applies(*nest) ? in_place_of(stm) : std::nullopt)
        stms.insert(stms.end(), std::make_move_iterator(parts->begin()), std::make_move_iterator(parts->end()));
      else
        stms.push_back(std::move(stm));
    }
    body.stms = std::move(stms);
  }

 private:
  static bool applies(const Nest& nest) {
    const auto is_new = [](const Out& out) { return out.destinations.empty(); };
    return nest.over == Level::grid && nest.accumulators.empty() && std::all_of(nest.outs.begin(), nest.outs.end(), is_new);
  }

  std::optional<std::vector<Stm>> in_place_of(const Stm& stm) {
    std::vector<Stm> together{stm};
    if (!add_up_together_in(std::get<Nest>(together[0].exp).point.body)) return std::nullopt;
    auto choice = by_pairs(stm, together);
    return choice ? std::move(choice) : std::move(together);
  }

  /// Whether there is a nest of a thread, at any depth, that does so now.
  bool add_up_together_in(Body& body) {
    bool any = false;
    std::vector<Stm> stms;
    for (Stm& stm : body.stms) {
      const auto* nest = std::get_if<Nest>(&stm.exp);
      const auto sums = nest ? sums_together_of(*nest, callees_) : std::nullopt;
      if (!sums) {
        map_bodies(stm.exp, [&](Body& inner) { any = add_up_together_in(inner) || any; });
        stms.push_back(std::move(stm));
        continue;
      }
      any = true;
      std::vector<Stm> loops = add_up_together(stm, *sums, names_);
      stms.insert(stms.end(), std::make_move_iterator(loops.begin()), std::make_move_iterator(loops.end()));
    }
    body.stms = std::move(stms);
    return any;
  }

  // ---- Pairs

  /// Where they pay; otherwise these others.
  std::optional<std::vector<Stm>> by_pairs(const Stm& stm, const std::vector<Stm>& others) {
    Stm by_columns = stm;
    Nest& nest = std::get<Nest>(by_columns.exp);
    const auto at = only_fold_of(nest);
    if (!at) return std::nullopt;
    Stm& fold = nest.point.body.stms[*at];
    NameSet inside;
    add_all_bound(nest.point.body, inside);
    std::vector<Turned> turned;
    fold.exp = read_columns(std::get<Nest>(fold.exp), inside, turned, names_);
    if (turned.empty()) return std::nullopt;
    Builder b(names_, stm.origin);
    If choice{where_it_pays(b, nest, std::get<Nest>(fold.exp), turned), {}, {}};
    const auto pairs = sums_of_pairs(by_columns, {*at, *sums_together_of(std::get<Nest>(fold.exp), callees_)}, choice.condition, names_);
    if (!pairs) return std::nullopt;
    std::vector<Stm> stms;
    for (const Turned& matrix : turned) stms.push_back(turn(matrix, stm.origin, names_));
    stms.insert(stms.end(), pairs->begin(), pairs->end());
    choice.then_body = branch(stms);
    choice.else_body = branch(others);
    b.let(stm.pattern, std::move(choice));
    return std::move(b.stms);
  }

  /// That stands in the point itself.
  std::optional<std::size_t> only_fold_of(const Nest& nest) const {
    std::optional<std::size_t> found;
    const auto& stms = nest.point.body.stms;
    for (std::size_t at = 0; at < stms.size(); ++at) {
      const auto* inner = std::get_if<Nest>(&stms[at].exp);
      if (!inner || !sums_together_of(*inner, callees_)) continue;
      if (found) return std::nullopt;
      found = at;
    }
    return found;
  }

  /// Which yields what the last statement does.
  Body branch(const std::vector<Stm>& stms) {
    Substitution none;
    Body body{rename(stms, names_, none), {}};
    for (const Param& param : body.stms.back().pattern) body.result.emplace_back(param.name);
    return body;
  }

  Atom where_it_pays(Builder& b, const Nest& nest, const Nest& fold, const std::vector<Turned>& turned) {
    Atom most = int_atom(columns_of_point);
    for (const Atom& extent : nest.space) most = b.binop("most_columns", BinOpKind::mul, most, extent);
    Atom pays = b.cmp("pays", CmpOpKind::le, fold.space[0], int_atom(members_of_pairs));
    for (const Turned& matrix : turned) {
      const Atom few = b.cmp("few_columns", CmpOpKind::le, names_.type_of(matrix.columns).shape[0], most);
      pays = b.let("pays", BinOp{BinOpKind::bit_and, PrimType::boolean, pays, few});
    }
    return pays;
  }

  Names& names_;
  const facts::Callees& callees_;
};

}  // namespace

Program sums_together(Program program) {
  Names names(program);
  const facts::Callees callees(program);
  for (Function& function : program.functions)
    if (function.entry) Grids(names, callees).run(function.body);
  return program;
}

}  // namespace boustro::parallel
