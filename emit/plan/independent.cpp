#include "emit/plan/independent.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "emit/plan/build.hpp"
#include "emit/plan/planner/arithmetic.hpp"
#include "emit/plan/walk.hpp"

namespace boustro::plan {
namespace {

/// GCC compares 10 pairs of places at most, Clang 8.
constexpr std::size_t pairs_that_compilers_compare = 8;

/// Rows that follow each other in an array, of which a loop uses several.
constexpr int most_rows = 16;

/// Where a pointer points: into one of these arrays, so far behind its begin.
struct Place {
  std::set<std::string> arrays;
  Expr offset;
};

/// Of the pointers in scope; nothing of one that may point anywhere.
using Places = std::map<std::string, std::optional<Place>>;

std::optional<Place> place_of(const Expr& pointer, const Places& places) {
  if (const auto* variable = std::get_if<Var>(&pointer.head)) {
    const auto found = places.find(variable->name);
    return found != places.end() ? found->second : Place{{variable->name}, lit(0)};
  }
  if (const auto* piece = std::get_if<Field>(&pointer.head)) return Place{{"buffers." + piece->name}, lit(0)};
  const Op* op = std::get_if<Op>(&pointer.head);
  if (!op || *op != Op::add) return std::nullopt;
  auto result = place_of(pointer.args[0], places);
  if (result) result->offset = planner::plus(result->offset, pointer.args[1]);
  return result;
}

/// What a new pointer points to. One of two arrays: the pointer itself is where it begins.
std::optional<Place> place_of(const Let& let, const Places& places) {
  if (let.changes || !let.value) return std::nullopt;
  if (let.value->head != Head(Op::select)) return place_of(*let.value, places);
  const auto x = place_of(let.value->args[1], places), y = place_of(let.value->args[2], places);
  if (!x || !y) return std::nullopt;
  Place result{x->arrays, var(let.name, PrimType::i64)};
  result.arrays.insert(y->arrays.begin(), y->arrays.end());
  return result;
}

bool reads_element(const Expr& expr) {
  return std::holds_alternative<Element>(expr.head) || std::any_of(expr.args.begin(), expr.args.end(), reads_element);
}

/// What a loop reads and writes.
class Accesses {
 public:
  /// False if the loop does other things than that.
  bool collect(const Stms& stms, Places places) {
    for (const Stm& stm : stms) {
      if (const auto* let = std::get_if<Let>(&stm.what)) {
        if (let->type.pointer) places[let->name] = place_of(*let, places);
        inside_.insert(let->name);
        if (let->value && !let->type.pointer && !read(*let->value, places)) return false;
      } else if (const auto* assign = std::get_if<Assign>(&stm.what)) {
        if (!read(assign->value, places) || !write(*assign, places)) return false;
      } else if (const auto* branch = std::get_if<If>(&stm.what)) {
        if (!read(branch->condition, places) || !collect(branch->then_body, places) || !collect(branch->else_body, places))
          return false;
      } else {
        return false;
      }
    }
    return true;
  }

  /// Of a loop whose index goes from 0 to `count` - 1.
  bool are_apart(const std::string& i, const Expr& count) const {
    return std::all_of(all_.begin(), all_.end(), [&](const Access& write) {
      if (!write.writes) return true;
      return goes_along(write.index, i) && std::all_of(all_.begin(), all_.end(), [&](const Access& other) {
               return is_same(write, other) || !meet(write, other) || (goes_along(other.index, i) && are_rows_apart(write, other, count));
             });
    });
  }

  /// Pairs of places of which one is written: compilers do not see which of them are in one array.
  std::size_t pairs() const {
    std::vector<const Access*> places, written;
    const auto add = [](std::vector<const Access*>& to, const Access& access) {
      if (std::none_of(to.begin(), to.end(), [&](const Access* other) { return is_same(*other, access); })) to.push_back(&access);
    };
    for (const Access& access : all_) {
      add(places, access);
      if (access.writes) add(written, access);
    }
    return written.size() * (places.size() - 1);
  }

 private:
  struct Access {
    std::set<std::string> arrays;
    Expr index;
    bool writes;
  };

  /// Another element in each iteration: i, or i added to what stays the same.
  bool goes_along(const Expr& index, const std::string& i) const {
    if (is_variable(index, i)) return true;
    if (index.head == Head(Op::add))
      return (stays(index.args[0], i) && goes_along(index.args[1], i)) || (stays(index.args[1], i) && goes_along(index.args[0], i));
    return std::holds_alternative<Cast>(index.head) && goes_along(index.args[0], i);
  }

  /// In all iterations: it depends on nothing that an iteration defines or finds in memory.
  bool stays(const Expr& expr, const std::string& i) const {
    std::set<std::string> names;
    add_names(expr, names);
    return !names.contains(i) && !reads_element(expr) &&
           std::none_of(names.begin(), names.end(), [&](const std::string& name) { return inside_.contains(name); });
  }

  /// The same element of different rows of `count` elements, in all iterations: so the rows are apart.
  static bool are_rows_apart(const Access& x, const Access& y, const Expr& count) {
    if (x.arrays.size() != 1 || x.arrays != y.arrays) return false;
    for (int rows = -most_rows; rows <= most_rows; ++rows)
      if (rows != 0 && planner::known_difference(x.index, planner::plus(y.index, planner::times(lit(rows), count))) == 0) return true;
    return false;
  }

  static bool is_same(const Access& x, const Access& y) { return x.arrays == y.arrays && x.index == y.index; }
  static bool meet(const Access& x, const Access& y) {
    return std::any_of(x.arrays.begin(), x.arrays.end(), [&](const std::string& array) { return y.arrays.contains(array); });
  }

  bool add(const Expr& element, bool writes, const Places& places) {
    const auto place = place_of(element.args[0], places);
    if (place) all_.push_back({place->arrays, planner::plus(place->offset, element.args[1]), writes});
    return place.has_value();
  }

  bool read(const Expr& expr, const Places& places) {
    if (std::holds_alternative<Element>(expr.head)) return add(expr, false, places) && read(expr.args[1], places);
    if (expr.type.pointer) return false;
    return std::all_of(expr.args.begin(), expr.args.end(), [&](const Expr& arg) { return read(arg, places); });
  }

  /// Variables of the outside are what the loop comes to.
  bool write(const Assign& assign, const Places& places) {
    if (const auto* variable = std::get_if<Var>(&assign.target.head)) return inside_.contains(variable->name);
    if (!std::holds_alternative<Element>(assign.target.head)) return false;
    return add(assign.target, true, places) && read(assign.target.args[1], places);
  }

  std::vector<Access> all_;
  std::set<std::string> inside_;
};

void mark(Stms& stms, Places places) {
  for (Stm& stm : stms) {
    if (const auto* let = std::get_if<Let>(&stm.what); let && let->type.pointer) places[let->name] = place_of(*let, places);
    auto* loop = std::get_if<For>(&stm.what);
    Accesses accesses;
    const bool known = loop && !loop->parallel && !loop->step && !loop->down && int_value(loop->from) == 0 && accesses.collect(loop->body, places);
    if (known && accesses.pairs() > pairs_that_compilers_compare && accesses.are_apart(loop->name, loop->to)) loop->independent = true;
    // Loops over lanes are vectors anyway, and GCC warns of hints at a loop over a single lane.
    if (std::holds_alternative<ForLanes>(stm.what)) continue;
    for_each_body(stm, [&](Stms& body) { mark(body, places); });
  }
}

}  // namespace

void mark_independent_loops(Entry& entry) {
  Places places;
  // What exchanges arrays points to one of them now, and to another one later.
  for_each_stm(std::as_const(entry.body), [&](const Stm& stm) {
    if (const auto* swap = std::get_if<Swap>(&stm.what)) places[swap->x] = places[swap->y] = std::nullopt;
  });
  mark(entry.body, places);
}

}  // namespace boustro::plan
