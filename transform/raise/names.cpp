#include "transform/raise/names.hpp"

#include <algorithm>
#include <cctype>
#include <unordered_map>

#include "transform/ir/print/namer.hpp"
#include "transform/raise/walk.hpp"

namespace boustro::raise {
namespace {

/// Places are numbered in the order of a walk. A variable holds from `begin` to `end`.
struct Variable {
  std::string tagged;
  int scope = 0;
  int begin = 0, end = 0;
  std::string spelling = {};
  bool is_fixed = false;  // a size that the head of the definition binds, and which means the same everywhere
};

/// Finds out where variables hold and where names occur.
struct Survey {
  std::vector<Variable> variables;                               // outer ones first
  std::unordered_map<std::string, std::vector<int>> occurrences;  // in order; of tagged and of fixed names

  void use(std::string& name) { occurrences[name].push_back(place_++); }
  void mention(std::string& name) { use(name); }
  void enter(ScopeKind) { open_.push_back({scopes_++, variables.size()}); }
  void bind(std::string& name) {
    open_.back().bound.push_back(variables.size());
    variables.push_back({name, open_.back().number, place_++, 0});
  }
  void leave() {
    for (const std::size_t i : open_.back().bound) variables[i].end = place_;
    open_.pop_back();
  }

  bool occurs_within(const std::string& name, const Variable& where) const {
    const auto found = occurrences.find(name);
    if (found == occurrences.end()) return false;
    const auto first = std::lower_bound(found->second.begin(), found->second.end(), where.begin);
    return first != found->second.end() && *first < where.end;
  }

 private:
  struct Open {
    int number;
    std::size_t first;
    std::vector<std::size_t> bound = {};
  };
  std::vector<Open> open_;
  int scopes_ = 0, place_ = 0;
};

std::string numbered(const std::string& base, int number) {
  if (number == 1) return base;
  const bool ends_in_digit = std::isdigit(static_cast<unsigned char>(base.back())) != 0;
  return base + (ends_in_digit ? "_" : "") + std::to_string(number);
}

/// Chooses spellings, outer variables first.
class Speller {
 public:
  Speller(Survey& survey, std::size_t sizes) : survey_(survey) {
    for (Variable& variable : survey.variables) {
      const std::string base = ir::printing::mended(is_tagged(variable.tagged) ? base_of(variable.tagged) : variable.tagged);
      int number = 1;
      while (!is_free(numbered(base, number), variable)) ++number;
      variable.spelling = numbered(base, number);
      variable.is_fixed = &variable < survey.variables.data() + sizes;
      chosen_[variable.spelling].push_back(&variable);
      spellings_[variable.tagged] = variable.spelling;
    }
  }

  void use(std::string& name) { spell(name); }
  void mention(std::string& name) { spell(name); }
  void bind(std::string& name) { spell(name); }
  void enter(ScopeKind) {}
  void leave() {}

 private:
  bool is_free(const std::string& spelling, const Variable& variable) const {
    if (ir::printing::mended(spelling) != spelling || survey_.occurs_within(spelling, variable)) return false;
    const auto found = chosen_.find(spelling);
    if (found == chosen_.end()) return true;
    return std::none_of(found->second.begin(), found->second.end(), [&](const Variable* other) {
      if (other->scope == variable.scope || other->is_fixed) return true;
      const bool is_around = other->begin <= variable.begin && variable.end <= other->end;
      return is_around && survey_.occurs_within(other->tagged, variable);
    });
  }
  void spell(std::string& name) const {
    const auto found = spellings_.find(name);
    if (found != spellings_.end()) name = found->second;
  }

  const Survey& survey_;
  std::unordered_map<std::string, std::vector<const Variable*>> chosen_;
  std::unordered_map<std::string, std::string> spellings_;
};

}  // namespace

void spell_names(ast::ValueDefinition& definition) {
  Survey survey;
  walk(definition, survey);
  Speller speller(survey, definition.type_params.size());
  walk(definition, speller);
}

void write_updates(ast::Exp& exp) {
  for_each_child(exp, write_updates);
  auto* let = node_in<ast::Let>(exp);
  if (!let) return;
  for (ast::LetBinding& binding : let->bindings) {
    auto* bound = std::get_if<ast::LetPattern>(&binding.node);
    auto* name = bound ? std::get_if<ast::NamePattern>(&bound->pattern.node) : nullptr;
    auto* with = name ? node_in<ast::With>(*bound->bound) : nullptr;
    const std::string* array = with ? plain_name(*with->exp) : nullptr;
    if (!array || *array != name->name.text) continue;
    ast::LetUpdate update{name->name, std::move(with->path), std::move(with->value)};
    binding.node = std::move(update);
  }
}

}  // namespace boustro::raise
