// What the parser remembers besides the tree: how far it came, what would have helped there, and how
// deep it is. All parsers of this folder reach it through the X3 context.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include <boost/spirit/home/x3.hpp>

#include "frontend/ast/syntax.hpp"
#include "frontend/parse/token.hpp"

namespace boustro::parse {

namespace x3 = boost::spirit::x3;

constexpr int deepest_nesting = 1000;

/// The grammar is predictive: after a token that cannot go on, every alternative fails without
/// consuming anything. So the error is where the parser came farthest, and what was tried there is what
/// was expected.
struct State {
  source::FileId file;
  source::Diagnostics& diagnostics;
  const Token* farthest = nullptr;
  std::vector<std::string_view> expected = {};  // at `farthest`; empty texts stand for what goes unsaid
  const Token* too_deep = nullptr;              // where nesting exceeded the limit
  bool long_row = false;                        // by a row of operators
  int depth = 0;                                // of the parse
  int height = 0;                               // of the trees made since the enclosing `Deeper` began
  std::size_t tests = 0;                        // how often a token was looked at

  /// For the next definition. `farthest` stays: in `def x = a +` the definition ends before the operator.
  void restart() {
    too_deep = nullptr;
    long_row = false;
    depth = height = 0;
  }

  void missed(const Token* at, std::string_view wanted) {
    if (at < farthest) return;
    if (at > farthest) expected.clear();
    farthest = at;
    if (std::find(expected.begin(), expected.end(), wanted) == expected.end()) {
      expected.push_back(wanted);
    }
  }
  /// Gives one name to what was missed at `at` after `mark` was the number of expectations there.
  std::size_t mark(const Token* at) const { return at == farthest ? expected.size() : 0; }
  void relabel(const Token* at, std::size_t mark, std::string_view label) {
    if (at != farthest || expected.size() <= mark) return;
    expected.resize(mark);
    missed(at, label);
  }

  /// Notes that `levels` nodes are about to be put on top of each other.
  bool grow(const Token* at, std::size_t levels) {
    if (levels + static_cast<std::size_t>(height) > deepest_nesting) {
      if (!too_deep) long_row = true;
      if (!too_deep) too_deep = at;
      return false;
    }
    height += static_cast<int>(levels);
    return true;
  }

  ast::Place place(const Token* first, const Token* last) const {
    return source::SourceRange{file, first->begin, last == first ? first->end() : (last - 1)->end()};
  }
};
struct StateTag;

using Iterator = const Token*;
using Context = x3::context<StateTag, State>;

template <typename C>
State& state_of(const C& context) {
  return x3::get<StateTag>(context);
}

}  // namespace boustro::parse
