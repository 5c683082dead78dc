#include "transform/parallel/flatten/epilogue.hpp"

#include <algorithm>

#include "transform/ir/traversal.hpp"
#include "transform/parallel/flatten/reversals.hpp"

namespace boustro::parallel {
namespace {

using namespace ir;

const Nest* as_scan(const Stm& stm) {
  const auto* nest = std::get_if<Nest>(&stm.exp);
  const bool scans = nest && nest->over == Level::grid && nest->space.size() == 1 &&
                     nest->outs.size() == 1 && nest->outs[0].kind == OutKind::scan &&
                     !nest->outs[0].epilogue;
  return scans && all_scalar(nest->outs[0].op->op.result_types) ? nest : nullptr;
}

const Nest* as_reader(const Stm& stm, const Atom& width) {
  const auto* nest = std::get_if<Nest>(&stm.exp);
  const bool stores = nest && nest->over == Level::grid && nest->space == Shape{width} &&
                      nest->accumulators.empty() &&
                      std::all_of(nest->outs.begin(), nest->outs.end(),
                                  [](const Out& out) { return out.kind == OutKind::store; });
  return stores && all_scalar(nest->point.result_types) && is_scalar_code(nest->point.body)
             ? nest
             : nullptr;
}

/// Reads of the array's element at the point's own index.
bool reads_own_element(const Stm& stm, const Nest& nest, const Name& array) {
  const auto* index = std::get_if<Index>(&stm.exp);
  return index && index->array == array && !index->checked && index->indices.size() == 1 &&
         index->indices[0] == DimIndex(Atom(nest.point.params[0].name));
}

class Attacher {
 public:
  Attacher(Body& body, Names& names, const facts::Callees& callees)
      : body_(body), names_(names), callees_(callees) {}

  void run() {
    for (std::size_t at = 0; at < body_.stms.size(); ++at) attach(at);
  }

 private:
  /// One result of the scan, and how the reader gets at it.
  struct Link {
    std::size_t value;
    Name read;                         // the result, or the slice of it
    std::optional<std::size_t> slice;  // the statement that reverses it
  };

  void attach(std::size_t at) {
    const Nest* scan = as_scan(body_.stms[at]);
    if (!scan) return;
    std::vector<Link> links;
    std::optional<std::size_t> reader;
    for (std::size_t k = 0; k < body_.stms[at].pattern.size(); ++k) {
      const Name& result = body_.stms[at].pattern[k].name;
      const std::vector<std::size_t> users = users_of(result);
      if (users.empty()) continue;
      if (users.size() != 1) return;
      Link link{k, result, {}};
      std::size_t user = users[0];
      const auto* index =
          user < body_.stms.size() ? std::get_if<Index>(&body_.stms[user].exp) : nullptr;
      if (index && index->array == result && is_reversal(*index, names_)) {
        link.slice = user;
        link.read = body_.stms[user].pattern[0].name;
        const std::vector<std::size_t> further = users_of(link.read);
        if (further.size() != 1) return;
        user = further[0];
      }
      if (reader && *reader != user) return;
      reader = user;
      links.push_back(std::move(link));
    }
    if (!reader || *reader >= body_.stms.size() || !fits(at, *reader, links, scan->space[0]))
      return;
    links[0].slice ? attach_backwards(at, *reader, links) : attach_forwards(at, *reader, links);
  }

  /// The statements that mention the name; the number of statements stands for the results of the body.
  std::vector<std::size_t> users_of(const Name& name) const {
    std::vector<std::size_t> users;
    for (std::size_t i = 0; i < body_.stms.size(); ++i) {
      if (free_names(body_.stms[i]).contains(name)) users.push_back(i);
    }
    if (std::find(body_.result.begin(), body_.result.end(), Atom(name)) != body_.result.end())
      users.push_back(body_.stms.size());
    return users;
  }

  bool fits(std::size_t scan, std::size_t reader, const std::vector<Link>& links,
            const Atom& width) const {
    const Nest* nest = as_reader(body_.stms[reader], width);
    if (!nest) return false;
    for (const Link& link : links) {
      if (link.slice.has_value() != links[0].slice.has_value()) return false;
      for (const Stm& stm : nest->point.body.stms) {
        if (free_names(stm).contains(link.read) && !reads_own_element(stm, *nest, link.read))
          return false;
      }
    }
    for (std::size_t i = scan; i <= reader; ++i) {
      if (!facts::consumed_by(body_.stms[i].exp, callees_).empty()) return false;
    }
    return true;
  }

  /// The reader's point as a function of its index and the scan's values.
  Lambda epilogue(std::size_t scan, std::size_t reader, const std::vector<Link>& links) {
    const Stm& from = body_.stms[scan];
    const Nest& nest = std::get<Nest>(body_.stms[reader].exp);
    Lambda result = nest.point;
    for (const Param& value : from.pattern)
      result.params.push_back(names_.fresh_param(value.name.base, scalar(value.type.elem)));
    Substitution values;
    for (const Link& link : links) {
      std::erase_if(result.body.stms, [&](const Stm& stm) {
        if (!reads_own_element(stm, nest, link.read)) return false;
        values.emplace(stm.pattern[0].name, result.params[1 + link.value].name);
        return true;
      });
    }
    substitute(result, values);
    return result;
  }

  void attach_forwards(std::size_t scan, std::size_t reader, const std::vector<Link>& links) {
    Stm fused = body_.stms[scan];
    std::get<Nest>(fused.exp).outs[0].epilogue = epilogue(scan, reader, links);
    fused.pattern = body_.stms[reader].pattern;
    body_.stms[reader] = std::move(fused);
    erase({scan});
  }

  void attach_backwards(std::size_t scan, std::size_t reader, const std::vector<Link>& links) {
    Stm fused = body_.stms[scan];
    const Stm& from = body_.stms[reader];
    const Atom width = std::get<Nest>(fused.exp).space[0];
    Builder before(names_, from.origin), inside(names_, from.origin), after(names_, from.origin);
    const Atom last = before.binop("last", BinOpKind::sub, width, int_atom(1));

    Lambda read = epilogue(scan, reader, links);
    const Name from_end = names_.bind_fresh("from_end", scalar(PrimType::i64));
    inside.let({read.params[0]}, BinOp{BinOpKind::sub, PrimType::i64, last, from_end});
    read.params[0].name = from_end;
    read.body.stms.insert(read.body.stms.begin(), inside.stms.begin(), inside.stms.end());
    std::get<Nest>(fused.exp).outs[0].epilogue = std::move(read);

    fused.pattern.clear();
    for (const Param& result : from.pattern) {
      fused.pattern.push_back(names_.fresh_param(result.name.base, result.type));
      after.let({result},
                Index{fused.pattern.back().name, {Slice{last, width, int_atom(-1)}}, false});
    }
    const auto place = body_.stms.begin() + static_cast<std::ptrdiff_t>(reader);
    *place = std::move(fused);
    body_.stms.insert(place + 1, after.stms.begin(), after.stms.end());
    body_.stms.insert(body_.stms.begin() + static_cast<std::ptrdiff_t>(reader), before.stms.begin(),
                      before.stms.end());
    std::vector<std::size_t> gone{scan};
    for (const Link& link : links) gone.push_back(*link.slice);
    erase(gone);
  }

  void erase(std::vector<std::size_t> stms) {
    std::sort(stms.rbegin(), stms.rend());
    for (const std::size_t i : stms)
      body_.stms.erase(body_.stms.begin() + static_cast<std::ptrdiff_t>(i));
  }

  Body& body_;
  Names& names_;
  const facts::Callees& callees_;
};

}  // namespace

void attach_epilogues(Body& body, Names& names, const facts::Callees& callees) {
  Attacher(body, names, callees).run();
}

}  // namespace boustro::parallel
