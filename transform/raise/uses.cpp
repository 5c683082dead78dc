#include "transform/raise/uses.hpp"

namespace boustro::raise {

namespace {

struct UsedNames {
  std::vector<std::string> names;
  void use(std::string& name) { names.push_back(name); }
  void mention(std::string& name) { names.push_back(name); }
  void bind(std::string&) {}
  void enter(ScopeKind) {}
  void leave() {}
};

}  // namespace

std::vector<std::string> names_in(ast::Exp& exp) {
  UsedNames used;
  walk(exp, used);
  return std::move(used.names);
}

std::vector<std::string> bound_names(const ast::Pattern& pattern) {
  if (const auto* tuple = std::get_if<ast::TuplePattern>(&pattern.node)) {
    std::vector<std::string> names;
    for (const ast::Pattern& element : tuple->elements)
      for (std::string& name : bound_names(element)) names.push_back(std::move(name));
    return names;
  }
  if (const auto* with_type = std::get_if<ast::AscribedPattern>(&pattern.node)) return bound_names(*with_type->pattern);
  const std::string* name = single_name(pattern);
  return name ? std::vector{*name} : std::vector<std::string>{};
}

}  // namespace boustro::raise
