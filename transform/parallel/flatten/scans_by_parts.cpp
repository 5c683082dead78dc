#include "transform/parallel/flatten/scans_by_parts.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "transform/facts/sizes.hpp"
#include "transform/ir/needed.hpp"
#include "transform/ir/traversal.hpp"
#include "transform/machine/machine.hpp"
#include "transform/parallel/flatten/reversals.hpp"
#include "transform/parallel/functor.hpp"

namespace boustro::parallel {
namespace {

using namespace ir;

constexpr std::int64_t threads = machine::block_threads;
constexpr std::int64_t most_each = 9;  // elements a thread; odd, so that neighbours scan in different banks of shared memory
constexpr std::int64_t least_each = 3;

/// Elements of a part whose values have so many bytes each; 0 if there is no room. CUB needs a value for each thread, and for some more.
std::int64_t points_of_part(std::int64_t bytes) {
  const std::int64_t of_threads = threads * bytes;
  std::int64_t each = std::min(most_each, (machine::block_shared_bytes - of_threads * 9 / 8) / of_threads);
  if (each % 2 == 0) --each;
  return each < least_each ? 0 : each * threads;
}

/// Of a struct of them.
std::int64_t bytes_of_value(const std::vector<Type>& types) {
  std::int64_t total = 0, widest = 1;
  for (const Type& type : types) {
    total += values::byte_size(type.elem);
    widest = std::max<std::int64_t>(widest, values::byte_size(type.elem));
  }
  return (total + widest - 1) / widest * widest;
}

/// An element that is read, as its indices follow from the point's own.
struct Read {
  Name array;
  std::vector<facts::Polynomial> at;
  bool operator==(const Read&) const = default;
};

/// A scan, and how the nest reads it.
struct Source {
  std::size_t at, out;             // the statement, and which of its scans
  std::vector<Param> results;
  bool from_end = false, inclusive = false;
  std::vector<std::string> bases = {};   // what the reader calls its components
  std::vector<bool> read = {};           // which of them it reads
  std::vector<std::size_t> stored = {};  // those that are needed behind the reader
  Lambda point = {};                     // from the number of an element, whichever way the scan goes
};

class ByParts {
 public:
  ByParts(Body& body, Names& names, const facts::Callees& callees) : body_(body), names_(names), callees_(callees) {}

  void run() {
    for (std::size_t at = 0; at < body_.stms.size(); ++at)
      if (is_reader(body_.stms[at]) && find_sources(at) && may_wait(at) && is_worth_it(at)) at = replace(at);
  }

 private:
  const Nest& nest(std::size_t at) const { return std::get<Nest>(body_.stms[at].exp); }

  static bool is_grid(const Nest& nest) { return nest.over == Level::grid && nest.each == Level::thread && nest.space.size() == 1 && nest.accumulators.empty(); }

  static bool is_reader(const Stm& stm) {
    const auto* nest = std::get_if<Nest>(&stm.exp);
    return nest && is_grid(*nest) && all_scalar(nest->point.result_types) && is_safe_scalar_code(nest->point.body) &&
           std::all_of(nest->outs.begin(), nest->outs.end(), [](const Out& out) { return out.kind == OutKind::store || out.kind == OutKind::scatter; });
  }

  bool is_scan(const Stm& stm, const Shape& space) const {
    const auto* nest = std::get_if<Nest>(&stm.exp);
    return nest && is_grid(*nest) && nest->space == space && is_safe_scalar_code(nest->point.body) &&
           std::all_of(nest->outs.begin(), nest->outs.end(), [&](const Out& out) { return out.kind == OutKind::scan && !out.epilogue && is_functor(out.op->op, callees_); });
  }

  // ---- What the nest reads

  /// The scans that the nest at `reader` reads, in `sources_`, and the nest's body without views, in `point_`.
  bool find_sources(std::size_t reader) {
    sources_.clear();
    point_ = nest(reader).point;
    read_directly(point_.body, body_, names_);
    sizes_ = {};
    is_first_.clear();
    for (const Stm& stm : body_.stms) sizes_.define(stm);
    for (std::size_t at = 0; at < reader; ++at)
      if (is_scan(body_.stms[at], nest(reader).space)) add_sources(at);
    if (sources_.size() < 2) return false;  // one alone: CUB has it
    if (!note_reads(point_.body)) return false;
    return keep_those_read(reader) && sources_.size() >= 2 && std::all_of(sources_.begin(), sources_.end(), [&](Source& source) { return finish(source, reader); });
  }

  /// A nest goes with all of its scans: those that nobody reads must not be needed elsewhere.
  bool keep_those_read(std::size_t reader) {
    const auto is_read = [](const Source& source) { return std::find(source.read.begin(), source.read.end(), true) != source.read.end(); };
    const auto may_go = [&](const Source& source) {
      return std::none_of(source.results.begin(), source.results.end(), [&](const Param& result) {
        return is_needed_before(result.name, source.at, reader) || is_needed_behind(result.name, reader);
      });
    };
    for (const Source& source : sources_) {
      const bool goes = std::any_of(sources_.begin(), sources_.end(), [&](const Source& other) { return other.at == source.at && is_read(other); });
      if (goes && !is_read(source) && !may_go(source)) return false;
    }
    std::erase_if(sources_, [&](const Source& source) { return !is_read(source); });
    return true;
  }

  void add_sources(std::size_t at) {
    auto next = body_.stms[at].pattern.begin();
    const auto& outs = nest(at).outs;
    for (std::size_t out = 0; out < outs.size(); ++out) {
      const auto end = next + static_cast<std::ptrdiff_t>(outs[out].values());
      Source source{at, out, {next, end}};
      for (const Param& param : source.results) source.bases.push_back(param.name.base);
      source.read.resize(source.results.size());
      sources_.push_back(std::move(source));
      next = end;
    }
  }

  bool note_reads(const Body& body) {
    for (const Stm& stm : body.stms) {
      sizes_.define(stm);
      note_condition(stm);
      const auto* index = std::get_if<Index>(&stm.exp);
      const auto scanned = index ? source_of(index->array) : std::nullopt;
      if (scanned && !note_read(*index, stm.pattern[0].name, scanned->first, scanned->second)) return false;
      bool all = true;
      for_each_body(stm.exp, [&](const Body& inner) { all = all && note_reads(inner); });
      if (!all) return false;
    }
    return true;
  }

  /// Whether the point is the first one, or the last one.
  void note_condition(const Stm& stm) {
    const auto* compared = std::get_if<CmpOp>(&stm.exp);
    if (!compared || compared->kind != CmpOpKind::eq || compared->type != PrimType::i64) return;
    const facts::Polynomial place = sizes_.value(compared->lhs) - sizes_.value(compared->rhs), i = point_.params[0].name;
    const facts::Polynomial last = sizes_.value(body_width(sources_[0])) - 1;
    if (place == i) is_first_.emplace(stm.pattern[0].name, false);
    if (place == last - i) is_first_.emplace(stm.pattern[0].name, true);
  }

  std::optional<std::pair<std::size_t, std::size_t>> source_of(const Name& array) const {
    for (std::size_t k = 0; k < sources_.size(); ++k) {
      const auto& results = sources_[k].results;
      for (std::size_t i = 0; i < results.size(); ++i)
        if (results[i].name == array) return std::pair(k, i);
    }
    return std::nullopt;
  }

  bool note_read(const Index& index, const Name& value, std::size_t k, std::size_t component) {
    Source& source = sources_[k];
    const Atom* at = index.indices.size() == 1 && !index.checked ? std::get_if<Atom>(&index.indices[0]) : nullptr;
    if (!at) return false;
    const facts::Polynomial place = sizes_.value(*at), i = point_.params[0].name, last = sizes_.value(body_width(source)) - 1;
    const bool is_first = std::find(source.read.begin(), source.read.end(), true) == source.read.end();
    const bool forwards = place == i || place == i - 1, backwards = place == last - i || place == last - i - 1;
    if (!forwards && !backwards) return false;
    const bool inclusive = place == i || place == last - i;
    if (!is_first && (source.from_end != backwards || source.inclusive != inclusive)) return false;
    source.from_end = backwards;
    source.inclusive = inclusive;
    source.read[component] = true;
    source.bases[component] = value.base;
    return true;
  }

  const Atom& body_width(const Source& source) const { return nest(source.at).space[0]; }

  /// Who else reads it comes behind the reader, or is a view for the reader alone.
  bool finish(Source& source, std::size_t reader) {
    source.point = by_element(source);
    for (std::size_t i = 0; i < source.results.size(); ++i) {
      const Name& array = source.results[i].name;
      if (is_needed_before(array, source.at, reader)) return false;
      if (!is_needed_behind(array, reader)) continue;
      if (!source.inclusive) return false;
      source.stored.push_back(i);
    }
    return true;
  }

  bool is_needed_before(const Name& array, std::size_t at, std::size_t reader) const {
    const auto is_used = [&](const Name& name, bool seen_reversed) {
      for (std::size_t i = at + 1; i < reader; ++i)
        if (free_names(body_.stms[i]).contains(name) && !(seen_reversed && is_reversal(body_.stms[i], names_))) return true;
      return false;
    };
    if (is_used(array, true)) return true;
    for (std::size_t i = at + 1; i < reader; ++i)
      if (is_reversal(body_.stms[i], names_) && std::get<Index>(body_.stms[i].exp).array == array && is_used(body_.stms[i].pattern[0].name, false)) return true;
    return false;
  }

  bool is_needed_behind(const Name& array, std::size_t reader) const {
    Body rest{{body_.stms.begin() + static_cast<std::ptrdiff_t>(reader) + 1, body_.stms.end()}, body_.result};
    if (free_names(rest).contains(array)) return true;
    return std::any_of(body_.stms.begin(), body_.stms.begin() + static_cast<std::ptrdiff_t>(reader), [&](const Stm& stm) {
      return is_reversal(stm, names_) && std::get<Index>(stm.exp).array == array && is_needed_behind(stm.pattern[0].name, reader);
    });
  }

  // ---- The scan's point, from the number of an element

  Lambda by_element(const Source& source) {
    const Nest& scan = nest(source.at);
    Lambda point = scan.point;
    std::size_t first = 0;
    for (std::size_t out = 0; out < source.out; ++out) first += scan.outs[out].values();
    const auto own = [&](auto& list) {
      const auto begin = list.begin() + static_cast<std::ptrdiff_t>(first);
      list = std::decay_t<decltype(list)>(begin, begin + static_cast<std::ptrdiff_t>(source.results.size()));
    };
    own(point.body.result);
    own(point.result_types);
    drop_dead(point.body);
    point = rename(point, names_);
    read_directly(point.body, body_, names_);
    if (!source.from_end) return point;
    // The scan's own index is last - element; what the point reads at last - that is at the element.
    Builder b(names_, body_.stms[source.at].origin);
    const Name element = names_.bind_fresh("i", scalar(PrimType::i64));
    const Atom last = b.binop("last", BinOpKind::sub, scan.space[0], int_atom(1));
    b.let({point.params[0]}, BinOp{BinOpKind::sub, PrimType::i64, last, element});
    point.params[0].name = element;
    point.body.stms.insert(point.body.stms.begin(), b.stms.begin(), b.stms.end());
    count_from(element, point.body, sizes_);
    drop_dead(point.body);
    return point;
  }

  /// Numbers that are the element's, or so many more, are computed from it.
  static void count_from(const Name& element, Body& body, facts::Sizes sizes) {
    Substitution same;
    for (Stm& stm : body.stms) {
      sizes.define(stm);
      map_bodies(stm.exp, [&](Body& inner) { count_from(element, inner, sizes); });
      if (!std::holds_alternative<BinOp>(stm.exp) || stm.pattern[0].type != scalar(PrimType::i64)) continue;
      const auto more = (sizes.value(stm.pattern[0].name) - facts::Polynomial(element)).constant();
      if (!more) continue;
      if (*more == 0) same.emplace(stm.pattern[0].name, element);
      else stm.exp = BinOp{BinOpKind::add, PrimType::i64, element, int_atom(*more)};
    }
    substitute(body, same);
  }

  static void drop_dead(Body& body) {
    NameSet wanted = names_among(body.result);
    body.stms = statements_for(wanted, body.stms);
  }

  // ---- Whether it may be done, and pays

  /// Scans may be computed where the reader is: what they read is still there, and stays there while the reader writes.
  bool may_wait(std::size_t reader) const {
    for (std::size_t i = sources_[0].at; i < reader; ++i)
      if (!facts::consumed_by(body_.stms[i].exp, callees_).empty()) return false;
    const std::vector<Name> written = facts::consumed_by(body_.stms[reader].exp, callees_);
    if (written.empty()) return true;
    const facts::Aliases aliases(body_.stms, callees_);
    NameSet made = bound_names(body_.stms), reads;
    for (const Source& source : sources_) reads.merge(free_names(source.point));
    return std::all_of(written.begin(), written.end(), [&](const Name& array) {
      const NameSet roots = aliases.roots(array);
      return std::all_of(roots.begin(), roots.end(), [&](const Name& root) { return made.contains(root); }) &&
             std::none_of(reads.begin(), reads.end(), [&](const Name& read) { return aliases.may_alias(read, array); });
    });
  }

  /// But for what scans yield. `own`: the number of the element that the code is for.
  void add_reads(const Body& body, const Name& own, facts::Sizes sizes, std::vector<Read>& reads) const {
    for (const Stm& stm : body.stms) {
      sizes.define(stm);
      const auto* index = std::get_if<Index>(&stm.exp);
      if (index && !source_of(index->array)) {
        Read read{index->array, {}};
        for (const DimIndex& at : index->indices)
          if (const auto* atom = std::get_if<Atom>(&at)) read.at.push_back(sizes.value(*atom).with(own, facts::Polynomial(point_.params[0].name)));
        if (std::find(reads.begin(), reads.end(), read) == reads.end()) reads.push_back(std::move(read));
      }
      for_each_body(stm.exp, [&](const Body& inner) { add_reads(inner, own, sizes, reads); });
    }
  }

  std::int64_t bytes_of(const std::vector<Read>& reads) const {
    std::int64_t result = 0;
    for (const Read& read : reads) result += values::byte_size(names_.type_of(read.array).elem);
    return result;
  }

  /// Of memory that is read and written for each point. One scan that the reader reads at its own element needs no memory as it is
  /// (epilogue.hpp).
  bool is_worth_it(std::size_t reader) const {
    std::vector<Read> inputs, others;
    std::int64_t now = 0, spared = 0, kept = 0;
    for (const Source& source : sources_) {
      std::vector<Read> own;
      add_reads(source.point.body, source.point.params[0].name, sizes_, own);
      add_reads(source.point.body, source.point.params[0].name, sizes_, inputs);
      const std::int64_t stored = bytes_stored(source, false);
      if (source.inclusive && source.stored.empty()) spared = std::max(spared, 2 * stored);
      now += bytes_of(own) + 2 * stored;
      kept += bytes_stored(source, true);
    }
    add_reads(point_.body, point_.params[0].name, sizes_, others);
    std::vector<Read> all = inputs;
    add_reads(point_.body, point_.params[0].name, sizes_, all);
    return bytes_of(inputs) + bytes_of(all) + kept < now - spared + bytes_of(others) && points() > 0 && !is_short(reader);
  }

  /// Of what a scan yields; what is needed behind the reader alone, or what the reader reads, too.
  std::int64_t bytes_stored(const Source& source, bool behind) const {
    std::int64_t result = 0;
    for (std::size_t i = 0; i < source.results.size(); ++i) {
      const bool kept = std::find(source.stored.begin(), source.stored.end(), i) != source.stored.end();
      if (kept || (!behind && source.read[i])) result += values::byte_size(source.results[i].type.elem);
    }
    return result;
  }

  bool is_short(std::size_t reader) const {
    const PrimValue* width = literal_in(nest(reader).space[0]);
    return width && width->as_int() < 4 * points();
  }

  std::int64_t points() const {
    std::int64_t bytes = 0;
    for (const Source& source : sources_) bytes += bytes_of_value(source.point.result_types);
    return points_of_part(bytes);
  }

  // ---- Parts

  Atom width(std::size_t reader) const { return nest(reader).space[0]; }
  Operator operator_of(const Source& source) {
    const Operator& op = *nest(source.at).outs[source.out].op;
    return {rename(op.op, names_), op.neutral, op.commutative};
  }

  /// The first element of a part, and the one behind its last.
  std::pair<Atom, Atom> bounds(Builder& b, const Atom& part, const Atom& all) const {
    const Atom first = b.binop("first", BinOpKind::mul, part, int_atom(points()));
    const Atom next = b.binop("next", BinOpKind::add, first, int_atom(points()));
    return {first, b.binop("end", BinOpKind::min, next, all)};
  }

  /// So many elements of a part, in the order of the scan, from `start` on.
  std::vector<Name> fold(Builder& b, const Source& source, const Atom& first, const Atom& end, const Atom& count, const std::vector<Atom>& start,
                         const std::vector<std::string>& bases) {
    Operator op = operator_of(source);
    op.neutral = start;
    Nest nest;
    nest.space = {count};
    const Lambda of_element = rename(source.point, names_);
    const Atom last = source.from_end ? b.binop("last", BinOpKind::sub, end, int_atom(1)) : first;
    nest.point = b.lambda({{"j", scalar(PrimType::i64)}}, [&](Builder& inner, const std::vector<Name>& j) {
      inner.let({of_element.params[0]}, BinOp{source.from_end ? BinOpKind::sub : BinOpKind::add, PrimType::i64, last, j[0]});
      inner.add(of_element.body.stms);
      return of_element.body.result;
    });
    Out out;
    out.kind = OutKind::reduce;
    out.op = std::move(op);
    nest.outs = {std::move(out)};
    return b.let_all(bases, std::move(nest));
  }

  static Nest over_grid(const Atom& width, Lambda point) {
    Nest result;
    result.over = Level::grid;
    result.space = {width};
    result.point = std::move(point);
    return result;
  }

  /// What each part comes to by itself, for all scans in turn.
  std::vector<Name> totals(Builder& b, const Atom& parts, const Atom& all) {
    std::vector<std::string> bases;
    Nest nest = over_grid(parts, b.lambda({{"part", scalar(PrimType::i64)}}, [&](Builder& inner, const std::vector<Name>& part) {
      const auto [first, end] = bounds(inner, part[0], all);
      const Atom count = inner.binop("count", BinOpKind::sub, end, first);
      std::vector<Atom> results;
      for (const Source& source : sources_) {
        std::vector<std::string> own;
        for (const std::string& base : source.bases) own.push_back(base + "_total");
        for (const Name& total : fold(inner, source, first, end, count, this->nest(source.at).outs[source.out].op->neutral, own)) results.push_back(total);
        for (const std::string& base : source.bases) bases.push_back(base + "_totals");
      }
      return results;
    }));
    for (std::size_t k = 0; k < bases.size(); ++k) {
      Out out;
      out.rank = 1;
      nest.outs.push_back(out);
    }
    return b.let_all(bases, std::move(nest));
  }

  /// What the parts up to each come to, in the order of each scan.
  std::vector<Name> prefixes(Builder& b, const Atom& parts, const std::vector<Name>& totals) {
    Nest nest = over_grid(parts, b.lambda({{"part", scalar(PrimType::i64)}}, [&](Builder& inner, const std::vector<Name>& part) {
      std::vector<Atom> results;
      std::optional<Atom> mirrored;
      std::size_t k = 0;
      for (const Source& source : sources_) {
        for (const std::string& base : source.bases) {
          if (source.from_end && !mirrored) mirrored = mirror(inner, parts, part[0]);
          results.push_back(inner.index(base, totals[k++], {source.from_end ? *mirrored : Atom(part[0])}));
        }
      }
      return results;
    }));
    std::vector<std::string> bases;
    for (const Source& source : sources_)
      for (const std::string& base : source.bases) bases.push_back(base + "_prefixes");
    Out out;
    out.kind = OutKind::scan;
    out.op = all_operators();
    nest.outs = {std::move(out)};
    return b.let_all(bases, std::move(nest));
  }

  static Atom mirror(Builder& b, const Atom& parts, const Atom& part) {
    const Atom last = b.binop("last", BinOpKind::sub, parts, int_atom(1));
    return b.binop("from_end", BinOpKind::sub, last, part);
  }

  /// The operators of all scans side by side.
  Operator all_operators() {
    Operator result;
    std::vector<Param> left, right;
    for (const Source& source : sources_) {
      Operator op = operator_of(source);
      const auto middle = op.op.params.begin() + static_cast<std::ptrdiff_t>(op.neutral.size());
      left.insert(left.end(), op.op.params.begin(), middle);
      right.insert(right.end(), middle, op.op.params.end());
      result.op.body.stms.insert(result.op.body.stms.end(), op.op.body.stms.begin(), op.op.body.stms.end());
      result.op.body.result.insert(result.op.body.result.end(), op.op.body.result.begin(), op.op.body.result.end());
      result.op.result_types.insert(result.op.result_types.end(), op.op.result_types.begin(), op.op.result_types.end());
      result.neutral.insert(result.neutral.end(), op.neutral.begin(), op.neutral.end());
    }
    result.op.params = std::move(left);
    result.op.params.insert(result.op.params.end(), right.begin(), right.end());
    return result;
  }

  /// What comes before the part in the order of the scan: the prefix that ends with the part before, if there is one.
  std::vector<Atom> start_of(Builder& b, const Source& source, const Atom& place, const std::vector<Name>& prefixes, std::size_t first) {
    const std::vector<Atom>& neutral = nest(source.at).outs[source.out].op->neutral;
    const Atom is_first = b.cmp("is_first", CmpOpKind::eq, place, int_atom(0));
    Builder inner(names_, b.origin);
    const Atom previous = inner.binop("previous", BinOpKind::sub, place, int_atom(1));
    std::vector<Atom> values;
    std::vector<std::string> bases;
    for (std::size_t i = 0; i < neutral.size(); ++i) {
      values.push_back(inner.index(source.bases[i], prefixes[first + i], {previous}));
      bases.push_back(source.bases[i] + "_start");
    }
    const std::vector<Name> start = b.let_all(bases, If{is_first, {{}, neutral}, {std::move(inner.stms), std::move(values)}});
    return {start.begin(), start.end()};
  }

  /// The reader's body with the prefixes that it reads.
  Body reading(std::size_t reader, const Atom& parts, const std::vector<Name>& prefixes, std::vector<std::vector<Name>>& values) {
    Builder b(names_, body_.stms[reader].origin);
    const Atom i = point_.params[0].name, part = b.binop("part", BinOpKind::div, i, int_atom(points()));
    const auto [first, end] = bounds(b, part, width(reader));
    std::size_t next = 0;
    for (const Source& source : sources_) {
      const Atom place = source.from_end ? mirror(b, parts, part) : part;
      const std::vector<Atom> start = start_of(b, source, place, prefixes, next);
      Atom count = source.from_end ? b.binop("behind", BinOpKind::sub, end, i) : b.binop("before", BinOpKind::sub, i, first);
      if (source.from_end && !source.inclusive) count = b.binop("behind", BinOpKind::sub, count, int_atom(1));
      if (!source.from_end && source.inclusive) count = b.binop("up_to", BinOpKind::add, count, int_atom(1));
      values.push_back(fold(b, source, first, end, count, start, source.bases));
      next += start.size();
    }
    Body rest = point_.body;
    Substitution prefixes_for;
    find_reads(rest, values, prefixes_for);
    drop_bound(prefixes_for, rest);
    substitute(rest, prefixes_for);
    rest.stms.insert(rest.stms.begin(), b.stms.begin(), b.stms.end());
    return rest;
  }

  /// Of statements that are prefixes then, what stands for what they bind.
  void find_reads(const Body& body, const std::vector<std::vector<Name>>& values, Substitution& found) const {
    for (const Stm& stm : body.stms) {
      const auto* index = std::get_if<Index>(&stm.exp);
      const auto scanned = index ? source_of(index->array) : guarded_read(stm);
      if (scanned) found.emplace(stm.pattern[0].name, values[scanned->first][scanned->second]);
      for_each_body(stm.exp, [&](const Body& inner) { find_reads(inner, values, found); });
    }
  }

  static void drop_bound(const Substitution& names, Body& body) {
    std::erase_if(body.stms, [&](const Stm& stm) { return names.contains(stm.pattern[0].name); });
    for (Stm& stm : body.stms) map_bodies(stm.exp, [&](Body& inner) { drop_bound(names, inner); });
  }

  /// `if place == 0 then neutral else scan[place - 1]`: before the first element the prefix is neutral anyway.
  std::optional<std::pair<std::size_t, std::size_t>> guarded_read(const Stm& stm) const {
    const auto* branch = std::get_if<If>(&stm.exp);
    const Name* condition = branch && stm.pattern.size() == 1 && branch->then_body.stms.empty() ? name_in(branch->condition) : nullptr;
    const Name* value = condition ? name_in(branch->else_body.result[0]) : nullptr;
    const auto read = value ? std::find_if(branch->else_body.stms.begin(), branch->else_body.stms.end(), [&](const Stm& inner) { return inner.pattern[0].name == *value; })
                            : std::vector<Stm>::const_iterator();
    const auto* index = value && read != branch->else_body.stms.end() ? std::get_if<Index>(&read->exp) : nullptr;
    const auto scanned = index ? source_of(index->array) : std::nullopt;
    if (!scanned || sources_[scanned->first].inclusive || !is_first_.contains(*condition)) return std::nullopt;
    const Source& source = sources_[scanned->first];
    const bool from_end = is_first_.at(*condition);
    const bool neutral = branch->then_body.result[0] == nest(source.at).outs[source.out].op->neutral[scanned->second];
    return neutral && from_end == source.from_end ? scanned : std::nullopt;
  }

  /// Three statements in the place of the reader, and views of what is needed behind it. Returns where they end.
  std::size_t replace(std::size_t reader) {
    Builder b(names_, body_.stms[sources_[0].at].origin);
    const Atom more = b.binop("all", BinOpKind::add, width(reader), int_atom(points() - 1));
    const Atom parts = b.binop("parts", BinOpKind::div, more, int_atom(points()));
    const std::vector<Name> of_parts = prefixes(b, parts, totals(b, parts, width(reader)));

    Stm whole = body_.stms[reader];
    auto& nest = std::get<Nest>(whole.exp);
    std::vector<std::vector<Name>> values;
    nest.point.body = reading(reader, parts, of_parts, values);
    std::vector<Stm> behind = store_more(whole, nest, values);
    drop_dead(nest.point.body);
    b.stms.push_back(std::move(whole));
    b.stms.insert(b.stms.end(), behind.begin(), behind.end());

    body_.stms.erase(body_.stms.begin() + static_cast<std::ptrdiff_t>(reader));
    body_.stms.insert(body_.stms.begin() + static_cast<std::ptrdiff_t>(reader), b.stms.begin(), b.stms.end());
    return reader - erase_scans(reader) + b.stms.size() - 1;
  }

  /// And reversals of what they yield; returns how many statements.
  std::size_t erase_scans(std::size_t reader) {
    std::size_t erased = 0;
    for (std::size_t at = reader; at-- > 0;) {
      const Stm& stm = body_.stms[at];
      const bool scans = std::any_of(sources_.begin(), sources_.end(), [&](const Source& source) { return source.at == at; });
      const bool reverses = is_reversal(stm, names_) && source_of(std::get<Index>(stm.exp).array);
      if (!scans && !reverses) continue;
      body_.stms.erase(body_.stms.begin() + static_cast<std::ptrdiff_t>(at));
      ++erased;
    }
    return erased;
  }

  /// What is needed of the scans behind the reader, which it stores by element; and views of that from the other end.
  std::vector<Stm> store_more(Stm& whole, Nest& nest, const std::vector<std::vector<Name>>& values) {
    Builder views(names_, whole.origin);
    for (std::size_t k = 0; k < sources_.size(); ++k) {
      const Source& source = sources_[k];
      for (const std::size_t i : source.stored) {
        Out out;
        out.rank = 1;
        nest.outs.push_back(out);
        nest.point.body.result.push_back(values[k][i]);
        nest.point.result_types.push_back(row_type(source.results[i].type));
        whole.pattern.push_back(stored_as(views, source.results[i], source.from_end));
      }
    }
    return std::move(views.stms);
  }

  /// The array in the order of points, under the name that it has, or its reversal has: it is the other one that is a view.
  Param stored_as(Builder& views, const Param& array, bool from_end) {
    std::optional<Param> stored;
    const auto bind = [&](const Param& param, bool mirrored) {
      if (!mirrored && !stored) stored = param;
      else if (!mirrored) views.let({param}, AtomExp{stored->name});
    };
    const auto view = [&](const Param& param) {
      const Atom last = views.binop("last", BinOpKind::sub, param.type.shape[0], int_atom(1));
      views.let({param}, Index{stored->name, {Slice{last, param.type.shape[0], int_atom(-1)}}, false});
    };
    std::vector<Param> reversals;
    for (const Stm& stm : body_.stms)
      if (is_reversal(stm, names_) && std::get<Index>(stm.exp).array == array.name) reversals.push_back(stm.pattern[0]);
    bind(array, from_end);
    for (const Param& reversal : reversals) bind(reversal, !from_end);
    if (!stored) stored = names_.fresh_param(array.name.base, array.type);
    if (from_end) view(array);
    else for (const Param& reversal : reversals) view(reversal);
    return *stored;
  }

  Body& body_;
  Names& names_;
  const facts::Callees& callees_;
  std::vector<Source> sources_;
  Lambda point_;       // of the reader
  facts::Sizes sizes_;
  std::unordered_map<Name, bool> is_first_;  // conditions that say that the point is the first one; true: the last one
};

}  // namespace

void scan_by_parts(Body& body, Names& names, const facts::Callees& callees) { ByParts(body, names, callees).run(); }

}  // namespace boustro::parallel
