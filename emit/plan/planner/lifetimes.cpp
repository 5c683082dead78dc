#include "emit/plan/planner/lifetimes.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "emit/plan/walk.hpp"

namespace boustro::plan::planner {
namespace {

using Pieces = std::set<std::string>;

/// In steps of the entry.
struct Span {
  int first = std::numeric_limits<int>::max(), last = -1;

  void include(const Span& other) {
    first = std::min(first, other.first);
    last = std::max(last, other.last);
  }
  bool meets(const Span& other) const { return first <= other.last && other.first <= last; }
  bool within(const Span& other) const { return other.first <= first && last <= other.last; }
};

/// What a sequential loop is known by: Piece::made_in.
std::string name_of(const Stm& loop) {
  if (const auto* counted = std::get_if<For>(&loop.what)) return counted->name;
  const auto* condition = std::get_if<Var>(&std::get<While>(loop.what).condition.head);
  return condition ? condition->name : "";
}

/// The statements in it run one after the other, iteration by iteration.
bool is_sequential_loop(const Stm& stm) {
  const auto* counted = std::get_if<For>(&stm.what);
  return counted ? !counted->parallel && !counted->points : std::holds_alternative<While>(stm.what);
}

class Lifetimes {
 public:
  explicit Lifetimes(const Entry& entry) {
    for (const Piece& piece : entry.scratch.pieces) made_in_[piece.name] = piece.made_in;
    follow_pointers(entry.body);
    walk(entry.body);
    for (const Loop& loop : loops_) extend(loop);
  }

  /// Null if nothing mentions it.
  const Span* of(const Piece& piece) const {
    const auto found = spans_.find(piece.name);
    return found == spans_.end() ? nullptr : &found->second;
  }

 private:
  struct Loop {
    std::string name;
    Span span;
  };

  static bool can_point(const Type& type) { return type.pointer || type.reference || !type.name.empty(); }

  /// A number may be called like a pointer of another scope.
  void add_pieces(const Expr& expr, Pieces& pieces) const {
    if (const auto* field = std::get_if<Field>(&expr.head); field && made_in_.contains(field->name) && is_variable(expr.args[0], "buffers")) {
      pieces.insert(field->name);
      return;
    }
    if (const auto* variable = std::get_if<Var>(&expr.head); variable && can_point(expr.type)) {
      const auto found = pointers_.find(variable->name);
      if (found != pointers_.end()) pieces.insert(found->second.begin(), found->second.end());
    }
    for (const Expr& arg : expr.args) add_pieces(arg, pieces);
  }

  Pieces pieces_in(const Stm& stm) const {
    Pieces pieces;
    for_each_expr(stm, [&](const Expr& expr) { add_pieces(expr, pieces); });
    if (const auto* swap = std::get_if<Swap>(&stm.what))
      for (const std::string* name : {&swap->x, &swap->y})
        if (const auto found = pointers_.find(*name); found != pointers_.end()) pieces.insert(found->second.begin(), found->second.end());
    return pieces;
  }

  bool add_pointer(const std::string& variable, const Pieces& pieces) {
    if (pieces.empty()) return false;
    Pieces& known = pointers_[variable];
    const std::size_t before = known.size();
    known.insert(pieces.begin(), pieces.end());
    return known.size() > before;
  }

  /// Which pieces the statement may let variables point to. Whether that is news.
  bool follow(const Stm& stm) {
    if (const auto* let = std::get_if<Let>(&stm.what)) return can_point(let->type) && add_pointer(let->name, pieces_in(stm));
    if (const auto* array = std::get_if<LocalArray>(&stm.what)) return can_point(array->elem) && add_pointer(array->name, pieces_in(stm));
    if (const auto* swap = std::get_if<Swap>(&stm.what)) {
      const Pieces both = pieces_in(stm);
      const bool x = add_pointer(swap->x, both), y = add_pointer(swap->y, both);
      return x || y;
    }
    const auto* assign = std::get_if<Assign>(&stm.what);
    if (!assign || !can_point(assign->value.type)) return false;
    const Expr* target = &assign->target;
    while (!target->args.empty()) target = &target->args[0];
    const auto* variable = std::get_if<Var>(&target->head);
    return variable && add_pointer(variable->name, pieces_in(stm));
  }

  void follow_pointers(const Stms& stms) {
    for (bool news = true; news;) {
      news = false;
      for_each_stm(stms, [&](const Stm& stm) { news = follow(stm) || news; });
    }
  }

  void mention(const Stm& stm) {
    for (const std::string& piece : pieces_in(stm)) spans_[piece].include({now_, now_});
  }

  void walk(const Stms& stms) {
    for (const Stm& stm : stms) {
      ++now_;
      mention(stm);
      if (std::holds_alternative<If>(stm.what)) {
        for_each_body(stm, [&](const Stms& body) { walk(body); });
      } else if (is_sequential_loop(stm)) {
        const int begin = now_;
        for_each_body(stm, [&](const Stms& body) { walk(body); });
        loops_.push_back({name_of(stm), {begin, ++now_}});  // behind those inside of it
      } else {
        for_each_body(stm, [&](const Stms& body) { for_each_stm(body, [&](const Stm& inner) { mention(inner); }); });
      }
    }
  }

  /// What is needed in the loop is needed all through it, unless an iteration of it, or of a loop inside of it, makes it.
  void extend(const Loop& loop) {
    for (auto& [piece, span] : spans_) {
      if (!span.meets(loop.span)) continue;
      const std::string& maker = made_in_.at(piece);
      const bool is_made_inside = !maker.empty() && span.within(loop.span) && std::any_of(loops_.begin(), loops_.end(), [&](const Loop& other) {
        return other.name == maker && span.within(other.span) && other.span.within(loop.span);
      });
      if (!is_made_inside) span.include(loop.span);
    }
  }

  std::map<std::string, std::string> made_in_;  // of all pieces
  std::map<std::string, Pieces> pointers_;      // what variables may point to
  std::map<std::string, Span> spans_;
  std::vector<Loop> loops_;
  int now_ = 0;
};

void add_factors(const Expr& expr, std::vector<Expr>& factors) {
  const auto* op = std::get_if<Op>(&expr.head);
  if (!op || *op != Op::mul) return factors.push_back(expr);
  for (const Expr& arg : expr.args) add_factors(arg, factors);
}

bool have_one_size(const Piece& x, const Piece& y) {
  std::vector<Expr> one, other;
  add_factors(x.count, one);
  add_factors(y.count, other);
  return x.elem == y.elem && std::is_permutation(one.begin(), one.end(), other.begin(), other.end());
}

/// Pieces in the same memory.
struct Place {
  std::vector<std::size_t> pieces;  // their numbers
  int until = 0;                    // needed
};

}  // namespace

void share_memory(Entry& entry) {
  std::vector<Piece>& pieces = entry.scratch.pieces;
  const Lifetimes lifetimes(entry);
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < pieces.size(); ++i)
    if (lifetimes.of(pieces[i])) order.push_back(i);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) { return lifetimes.of(pieces[x])->first < lifetimes.of(pieces[y])->first; });

  std::vector<Place> places;
  for (const std::size_t i : order) {
    const Span& span = *lifetimes.of(pieces[i]);
    // The one that was needed last: it may still be in the cache.
    Place* best = nullptr;
    for (Place& place : places)
      if (place.until < span.first && have_one_size(pieces[place.pieces[0]], pieces[i]) && (!best || best->until < place.until)) best = &place;
    if (!best) best = &places.emplace_back();
    best->pieces.push_back(i);
    best->until = span.last;
  }
  for (const Place& place : places) {
    const std::size_t owner = *std::min_element(place.pieces.begin(), place.pieces.end());
    for (const std::size_t i : place.pieces)
      if (i != owner) pieces[i].place_of = pieces[owner].name;
  }
}

}  // namespace boustro::plan::planner
