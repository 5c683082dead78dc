#include "transform/lower/consumption.hpp"

#include <algorithm>
#include <set>

#include "transform/ir/traversal.hpp"

namespace boustro::lower {
namespace {

using ir::Name;
using NameSet = std::set<Name>;

/// Follows aliases through the statements of a body.
class Aliases {
 public:
  explicit Aliases(Context& context) : context_(context) {}

  NameSet consumed;  // with everything that a consumed name may share memory with

  void visit(const ir::Body& body) {
    for (const ir::Stm& stm : body.stms) visit(stm);
  }

  /// The name and what it may share memory with.
  NameSet of(const ir::Atom& atom) const {
    const Name* name = ir::name_in(atom);
    if (!name) return {};
    NameSet result{*name};
    if (const auto found = known_.find(*name); found != known_.end()) {
      result.insert(found->second.begin(), found->second.end());
    }
    return result;
  }

 private:
  void visit(const ir::Stm& stm) {
    visit_branches(stm);
    for (const Name& name : ir::consumed_by(stm.exp, &context_.program)) {
      const NameSet all = of(name);
      consumed.insert(all.begin(), all.end());
    }
    for (std::size_t i = 0; i < stm.pattern.size(); ++i) {
      if (stm.pattern[i].type.is_scalar()) continue;
      known_[stm.pattern[i].name] = of_result(stm.exp, i);
    }
  }

  void visit_branches(const ir::Stm& stm) {
    if (const auto* branch = std::get_if<ir::If>(&stm.exp)) {
      visit(branch->then_body);
      visit(branch->else_body);
    }
    if (const auto* loop = std::get_if<ir::Loop>(&stm.exp)) {
      for (const ir::LoopParam& p : loop->params) {
        if (!p.param.type.is_scalar()) known_[p.param.name] = of(p.init);
      }
      Aliases inside(*this);
      inside.visit(loop->body);
      for (const ir::LoopParam& p : loop->params) known_.erase(p.param.name);
      in_loop_ = inside.known_;
    }
  }

  NameSet of_result(const ir::Exp& exp, std::size_t i) const {
    NameSet result;
    const auto add = [&](const NameSet& more) { result.insert(more.begin(), more.end()); };
    ir::match(
        exp,  //
        [&](const ir::AtomExp& e) { add(of(e.atom)); },
        [&](const ir::Rearrange& e) { add(of(e.array)); },
        [&](const ir::Reshape& e) { add(of(e.array)); },
        [&](const ir::Coerce& e) { add(of(e.array)); },
        [&](const ir::Index& e) { add(of(e.array)); },
        [&](const ir::If& e) {
          add(of(e.then_body.result.at(i)));
          add(of(e.else_body.result.at(i)));
        },
        [&](const ir::Loop& e) {
          if (!e.params.at(i).param.unique) add(of(e.params[i].init));
          Aliases inside(context_);
          inside.known_ = in_loop_;
          add(inside.of(e.body.result.at(i)));
        },
        [&](const ir::Call& e) {
          for (const std::size_t arg : context_.result_aliases.at(e.function).at(i))
            add(of(e.args.at(arg)));
        },
        [](const auto&) {});
    return result;
  }

  Context& context_;
  std::map<Name, NameSet> known_;
  std::map<Name, NameSet> in_loop_;
};

}  // namespace

void mark_unique(Context& context, ir::Function& function) {
  Aliases aliases(context);
  aliases.visit(function.body);
  for (ir::Param& param : function.params) {
    if (aliases.consumed.contains(param.name)) param.unique = true;
  }
  std::vector<std::vector<std::size_t>> of_results;
  for (const Atom& result : function.body.result) {
    const NameSet all = aliases.of(result);
    std::vector<std::size_t> mine;
    for (std::size_t i = 0; i < function.params.size(); ++i) {
      const bool consumed = function.params[i].unique;
      if (!consumed && !function.params[i].type.is_scalar() &&
          all.contains(function.params[i].name))
        mine.push_back(i);
    }
    of_results.push_back(std::move(mine));
  }
  context.result_aliases[function.name] = std::move(of_results);
}

void mark_unique(Context& context, ir::Lambda& lambda) {
  Aliases aliases(context);
  aliases.visit(lambda.body);
  for (ir::Param& param : lambda.params) {
    if (aliases.consumed.contains(param.name)) param.unique = true;
  }
}

void mark_unique(Context& context, ir::Loop& loop, const std::unordered_set<Name>& said_unique) {
  Aliases aliases(context);
  aliases.visit(loop.body);
  for (ir::LoopParam& p : loop.params)
    p.param.unique = !p.param.type.is_scalar() && said_unique.contains(p.param.name) &&
                     (context.printed ||
                      std::any_of(loop.body.result.begin(), loop.body.result.end(),
                                 [&](const Atom& next) { return aliases.of(next).contains(p.param.name); }));
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < loop.params.size(); ++i) {
      ir::Param& param = loop.params[i].param;
      if (param.type.is_scalar() || param.unique) continue;
      bool consumed = aliases.consumed.contains(param.name);
      for (std::size_t j = 0; j < loop.params.size(); ++j) {
        const bool flows =
            loop.params[j].param.unique && aliases.of(loop.body.result.at(j)).contains(param.name);
        consumed = consumed || flows;
      }
      param.unique = consumed;
      changed = changed || consumed;
    }
  }
}

}  // namespace boustro::lower
