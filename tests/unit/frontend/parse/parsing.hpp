// What the tests of this folder share. Two texts mean the same if they parse to equal trees, so parentheses
// say what a text without them should mean.
#pragma once

#include <string>

#include <boost/test/unit_test.hpp>

#include "frontend/ast/print.hpp"
#include "frontend/parse/parse.hpp"

namespace boustro::parse {

struct Parsed {
  ast::Program program;
  std::vector<std::string> errors;  // "line:column: text"
  std::size_t effort = 0;
};

inline Parsed parse_text(const std::string& text) {
  source::SourceMap sources;
  source::Diagnostics diagnostics;
  Parsed parsed;
  parsed.program = parse_program(sources.add("test.fut", text), sources, diagnostics, &parsed.effort);
  for (const auto& diagnostic : diagnostics.all()) {
    const source::Position at = sources.position(diagnostic.at);
    parsed.errors.push_back(fmt::format("{}:{}: {}", at.line, at.column, diagnostic.text));
  }
  return parsed;
}

inline ast::Program program(const std::string& text) {
  Parsed parsed = parse_text(text);
  for (const std::string& error : parsed.errors) BOOST_ERROR(text << "\n" << error);
  return std::move(parsed.program);
}

inline ast::Exp exp(const std::string& text) {
  source::SourceMap sources;
  source::Diagnostics diagnostics;
  auto result = parse_expression(sources.add("test.fut", text), sources, diagnostics);
  for (const auto& error : diagnostics.all()) BOOST_ERROR(to_string(error, sources));
  return result ? std::move(*result) : ast::Exp{};
}

inline ast::Type type(const std::string& text) {
  source::SourceMap sources;
  source::Diagnostics diagnostics;
  auto result = parse_type(sources.add("test.fut", text), sources, diagnostics);
  for (const auto& error : diagnostics.all()) BOOST_ERROR(to_string(error, sources));
  return result ? std::move(*result) : ast::Type{};
}

template <typename Node, typename Tree>
const Node& as(const Tree& tree) {
  const Node* node = std::get_if<Node>(&tree.node);
  BOOST_REQUIRE_MESSAGE(node, "another kind of node: number " << tree.node.index());
  return *node;
}

inline void check_same(const std::string& text, const std::string& meaning) {
  BOOST_TEST((exp(text) == exp(meaning)),
             text << " is not " << meaning << " but " << ast::print(exp(text)));
}
inline void check_different(const std::string& a, const std::string& b) {
  BOOST_TEST(!(exp(a) == exp(b)), a << " should not be " << b);
}
inline void check_errors(const std::string& text, const std::vector<std::string>& errors) {
  const auto found = parse_text(text).errors;
  BOOST_TEST(found == errors, boost::test_tools::per_element());
}

}  // namespace boustro::parse
