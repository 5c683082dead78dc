#include "transform/raise/fold.hpp"

#include <algorithm>
#include <optional>

#include "frontend/ast/print.hpp"
#include "transform/raise/origins.hpp"
#include "transform/raise/tidy.hpp"
#include "transform/raise/unused.hpp"
#include "transform/raise/uses.hpp"

namespace boustro::raise {
namespace {

/// In columns: of what is folded into something; of a branch that is.
constexpr std::size_t longest_operand = 72;
constexpr std::size_t longest_branch = 40;

/// Columns of the expression on one line, without the tags of names; 0 if it takes several.
std::size_t columns_of(const ast::Exp& exp) {
  const auto text = ast::print_on_one_line(exp);
  if (!text) return 0;
  std::size_t columns = 0;
  bool in_tag = false;
  for (const char c : *text) {
    in_tag = c == '#' || (in_tag && '0' <= c && c <= '9');
    columns += !in_tag;
  }
  return columns;
}

bool is_atom(const ast::Exp& exp) { return plain_name(exp) || is_literal(exp); }

// ---- What is used once -----------------------------------------------------------------------------

class Folder {
 public:
  Folder(Uses& uses, const Memory& memory) : uses_(uses), memory_(memory) {}

  void fold(ast::Exp& exp) {
    if (const std::string* name = plain_name(exp)) return use(exp, *name);
    if (node_in<ast::Let>(exp)) return fold_let(exp);
    for_each_child(exp, [&](ast::Exp& child) { fold(child); });
    tidy(exp);
  }

  std::string origins;  // of what is being folded

 private:
  /// A binding that waits for its use.
  struct Pending {
    std::string name;
    ast::LetBinding binding;
    std::vector<std::string> reads;
    bool for_any_use = false;  // an atom
    int depth = 0;             // of the let that it belongs to
    ast::Exp& bound() { return *std::get<ast::LetPattern>(binding.node).bound; }
  };

  void use(ast::Exp& exp, const std::string& name) {
    const auto found = std::find_if(pending_.begin(), pending_.end(), [&](const Pending& p) { return p.name == name; });
    if (found == pending_.end()) return;
    add_origins(origins, found->binding.comment.text);
    if (found->for_any_use) {
      ast::Exp copy = found->bound();
      exp = std::move(copy);
    } else {
      exp = std::move(found->bound());
      pending_.erase(found);
    }
  }

  void fold_let(ast::Exp& exp) {
    ast::Let let = std::move(*node_in<ast::Let>(exp));
    ++depth_;
    std::vector<ast::LetBinding> bindings;
    for (ast::LetBinding& binding : let.bindings) {
      flush_before(binding, bindings);
      auto& bound = *std::get<ast::LetPattern>(binding.node).bound;
      fold_with_origins(bound, binding.comment.text);
      apply_to_last(bound, binding.comment.text, bindings);
      put_off(binding) ? wait(std::move(binding)) : bindings.push_back(std::move(binding));
    }
    fold_with_origins(*let.body, let.comment.text);
    std::erase_if(pending_, [&](Pending& pending) {
      if (pending.depth != depth_) return false;
      if (!pending.for_any_use) bindings.push_back(std::move(pending.binding));
      return true;
    });
    --depth_;
    apply_to_last(*let.body, let.comment.text, bindings);
    let.bindings = std::move(bindings);
    end_in_last(let);
    if (let.bindings.empty()) {
      add_origins(origins, let.comment.text);
      ast::Exp body = std::move(*let.body);
      exp = std::move(body);
    } else {
      exp = raise::exp(std::move(let));
    }
  }

  void fold_with_origins(ast::Exp& exp, std::string& its) {
    std::swap(origins, its);
    fold(exp);
    std::swap(origins, its);
  }

  /// let xs = map .. let y = f xs is let y = f (map ..), which may take several lines.
  void apply_to_last(ast::Exp& exp, std::string& its_origins, std::vector<ast::LetBinding>& bindings) {
    auto* apply = node_in<ast::Apply>(exp);
    const auto* function = apply && apply->args.size() == 1 ? node_in<ast::Var>(*apply->function) : nullptr;
    const std::string* argument = function ? plain_name(apply->args[0]) : nullptr;
    if (!argument || bindings.empty() || uses_.of(*argument).uses != 1) return;
    if (function->name.qualifiers == std::vector<std::string>{"core"}) return;
    auto& last = std::get<ast::LetPattern>(bindings.back().node);
    const auto* name = std::get_if<ast::NamePattern>(&last.pattern.node);
    if (!name || name->name.text != *argument || !last.sizes.empty() || !node_in<ast::Apply>(*last.bound)) return;
    if (calls_once(*node_in<ast::Apply>(*last.bound))) return;  // what is added up has a name
    std::string origins_of_both = bindings.back().comment.text;
    add_origins(origins_of_both, its_origins);
    its_origins = std::move(origins_of_both);
    ast::Exp array = std::move(*last.bound);
    apply->args[0] = std::move(array);
    bindings.pop_back();
  }

  /// let (_, y) = e in y is e.1
  void end_in_component(ast::Let& let) {
    const std::string* result = let.bindings.empty() ? nullptr : plain_name(*let.body);
    if (!result) return;
    auto& last = std::get<ast::LetPattern>(let.bindings.back().node);
    const auto* tuple = std::get_if<ast::TuplePattern>(&last.pattern.node);
    if (!tuple || !last.sizes.empty() || uses_.of(*result).uses != 1) return;
    std::optional<std::size_t> component;
    for (std::size_t i = 0; i < tuple->elements.size(); ++i) {
      const auto* name = std::get_if<ast::NamePattern>(&tuple->elements[i].node);
      if (name && name->name.text == *result) component = i;
      else if (!name || uses_.of(name->name.text).uses != 0) return;
    }
    if (!component) return;
    add_origins(let.comment.text, let.bindings.back().comment.text);
    ast::Exp body = exp(ast::Project{std::move(last.bound), {std::to_string(*component), {}}});
    let.bindings.pop_back();
    let.body = std::move(body);
  }

  /// let (x, y) = e in (x, y) is e
  void end_in_tuple(ast::Let& let) {
    const auto* result = let.bindings.empty() ? nullptr : node_in<ast::Tuple>(*let.body);
    if (!result) return;
    auto& last = std::get<ast::LetPattern>(let.bindings.back().node);
    const auto* tuple = std::get_if<ast::TuplePattern>(&last.pattern.node);
    if (!tuple || !last.sizes.empty() || tuple->elements.size() != result->elements.size()) return;
    for (std::size_t i = 0; i < tuple->elements.size(); ++i) {
      const auto* name = std::get_if<ast::NamePattern>(&tuple->elements[i].node);
      const std::string* yielded = plain_name(result->elements[i]);
      if (!name || !yielded || *yielded != name->name.text || uses_.of(*yielded).uses != 1) return;
    }
    add_origins(let.comment.text, let.bindings.back().comment.text);
    ast::Exp body = std::move(*last.bound);
    let.bindings.pop_back();
    let.body = std::move(body);
  }

  /// let x = e in x is e, and a let in a let goes on.
  void end_in_last(ast::Let& let) {
    end_in_tuple(let);
    end_in_component(let);
    while (!let.bindings.empty()) {
      const std::string* result = plain_name(*let.body);
      auto& last = std::get<ast::LetPattern>(let.bindings.back().node);
      const std::string* name = single_name(last.pattern);
      if (!result || !name || *result != *name || !last.sizes.empty() || uses_.of(*name).uses != 1) break;
      if (std::holds_alternative<ast::AscribedPattern>(last.pattern.node)) break;
      add_origins(let.comment.text, let.bindings.back().comment.text);
      ast::Exp body = std::move(*last.bound);
      let.bindings.pop_back();
      let.body = std::move(body);
    }
    if (auto* inner = node_in<ast::Let>(*let.body)) {
      for (ast::LetBinding& binding : inner->bindings) let.bindings.push_back(std::move(binding));
      add_origins(let.comment.text, inner->comment.text);
      ast::Exp body = std::move(*inner->body);
      let.body = std::move(body);
    }
  }

  /// What waits and reads what the binding consumes comes before it. The value that an update writes may read the array.
  void flush_before(ast::LetBinding& binding, std::vector<ast::LetBinding>& bindings) {
    auto& let = std::get<ast::LetPattern>(binding.node);
    const std::vector<std::string> names = bound_names(let.pattern);
    const auto found = names.empty() ? memory_.consumed.end() : memory_.consumed.find(names[0]);
    if (found == memory_.consumed.end()) return;
    const std::vector<std::string> used = names_in(*let.bound);
    const bool is_update = node_in<ast::With>(*let.bound) != nullptr;
    std::erase_if(pending_, [&](Pending& pending) {
      const bool is_written = is_update && std::find(used.begin(), used.end(), pending.name) != used.end();
      if (pending.depth != depth_ || pending.for_any_use || is_written || !reads_any(pending, found->second)) return false;
      bindings.push_back(std::move(pending.binding));
      return true;
    });
  }

  bool reads_any(const Pending& pending, const std::vector<std::string>& consumed) const {
    return std::any_of(pending.reads.begin(), pending.reads.end(), [&](const std::string& read) {
      return std::any_of(consumed.begin(), consumed.end(), [&](const std::string& array) { return memory_.may_alias(read, array); });
    });
  }

  bool put_off(ast::LetBinding& binding) {
    auto& let = std::get<ast::LetPattern>(binding.node);
    const auto* pattern = std::get_if<ast::NamePattern>(&let.pattern.node);
    if (!pattern || !let.sizes.empty()) return false;
    const Usage& usage = uses_.of(pattern->name.text);
    if (usage.in_types || usage.uses == 0) return false;
    if (plain_name(*let.bound)) return true;
    if (usage.uses != 1) return false;
    if (is_literal(*let.bound)) return true;
    if (usage.bound.runs != usage.used.runs) return false;
    if (usage.bound.function != usage.used.function && consumes(pattern->name.text, *let.bound)) return false;
    return is_short(*let.bound);
  }

  bool consumes(const std::string& name, ast::Exp& exp) const {
    if (memory_.consumed.contains(name)) return true;
    const std::vector<std::string> names = names_in(exp);
    return std::any_of(names.begin(), names.end(), [&](const std::string& n) { return memory_.accumulators.contains(n); });
  }

  static bool is_short(const ast::Exp& exp) {
    if (node_in<ast::Let>(exp) || node_in<ast::Loop>(exp) || node_in<ast::Attributed>(exp) || node_in<ast::Coerce>(exp)) return false;
    const std::size_t columns = columns_of(exp);
    return columns > 0 && columns <= (node_in<ast::If>(exp) ? longest_branch : longest_operand);
  }

  void wait(ast::LetBinding binding) {
    auto& let = std::get<ast::LetPattern>(binding.node);
    Pending pending{*single_name(let.pattern), {}, names_in(*let.bound), is_atom(*let.bound), depth_};
    pending.binding = std::move(binding);
    pending_.push_back(std::move(pending));
  }

  Uses& uses_;
  const Memory& memory_;
  std::vector<Pending> pending_;
  int depth_ = 0;
};

}  // namespace

void fold(ast::ValueDefinition& definition, const Memory& memory) {
  remove_unused(definition);
  Uses uses;
  walk(definition, uses);
  Folder folder(uses, memory);
  folder.fold(definition.body);
  if (!node_in<ast::Let>(definition.body) && !folder.origins.empty())
    definition.body = exp(ast::Let{{}, std::move(definition.body), {folder.origins}});
  write_patterns(definition);
}

}  // namespace boustro::raise
