#include "frontend/parse/path_def.hpp"

namespace boustro::parse {

BOOST_SPIRIT_INSTANTIATE(indices_type, Iterator, Context)
BOOST_SPIRIT_INSTANTIATE(path_step_type, Iterator, Context)
BOOST_SPIRIT_INSTANTIATE(update_path_type, Iterator, Context)

std::vector<ast::Access> fields_of(const ast::QualifiedName& name) {
  std::vector<ast::Access> fields;
  ast::SourceRange at = name.at;
  const auto add = [&](const std::string& text) {
    const auto end = at.begin + static_cast<std::uint32_t>(text.size());
    fields.push_back(ast::Identifier{text, ast::SourceRange{at.file, at.begin, end}});
    at.begin = end + 1;
  };
  for (const std::string& qualifier : name.qualifiers) add(qualifier);
  add(name.name);
  return fields;
}

}  // namespace boustro::parse
