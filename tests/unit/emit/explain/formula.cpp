// Formulas of rules beside MathML as one would write it by hand.
#include "emit/explain/formula.hpp"

#include <boost/test/unit_test.hpp>

#include "emit/explain/rules.hpp"

namespace boustro::explain {

BOOST_AUTO_TEST_CASE(letters_names_and_numbers) {
  BOOST_TEST(mathml("x") == "<mi>x</mi>");
  BOOST_TEST(mathml("xs") == "<mi class=\"name\">xs</mi>");
  BOOST_TEST(mathml("x0") == "<msub><mi>x</mi><mrow><mn>0</mn></mrow></msub>");
  BOOST_TEST(mathml("n-1") == "<mi>n</mi><mo>−</mo><mn>1</mn>");
  BOOST_TEST(mathml("f'") == "<msup><mi>f</mi><mo>′</mo></msup>");
}

BOOST_AUTO_TEST_CASE(adjoints_have_bars_and_tangents_dots) {
  BOOST_TEST(mathml("y_adj") == "<mover accent=\"true\" class=\"bar\"><mi>y</mi><mo stretchy=\"true\">¯</mo></mover>");
  BOOST_TEST(mathml("y_tan") == "<mover accent=\"true\"><mi>y</mi><mo>˙</mo></mover>");
  BOOST_TEST(mathml("xi_adj") == "<msub><mover accent=\"true\" class=\"bar\"><mi>x</mi><mo stretchy=\"true\">¯</mo></mover><mrow><mi>i</mi></mrow></msub>");
}

BOOST_AUTO_TEST_CASE(brackets_are_subscripts_and_carets_superscripts) {
  BOOST_TEST(mathml("ys[is[k]]") ==
             "<msub><mi class=\"name\">ys</mi><mrow><msub><mi class=\"name\">is</mi><mrow><mi>k</mi></mrow></msub></mrow></msub>");
  BOOST_TEST(mathml("J[i]^T") == "<msubsup><mi>J</mi><mrow><mi>i</mi></mrow><mrow><mi>T</mi></mrow></msubsup>");
  BOOST_TEST(mathml("r^(k-1)") == "<msup><mi>r</mi><mrow><mi>k</mi><mo>−</mo><mn>1</mn></mrow></msup>");
}

BOOST_AUTO_TEST_CASE(derivatives_are_fractions) {
  BOOST_TEST(mathml("dy/dx") == "<mfrac><mrow><mo>∂</mo><mi>y</mi></mrow><mrow><mo>∂</mo><mi>x</mi></mrow></mfrac>");
  BOOST_TEST(mathml("dy/dxs[i]") ==
             "<mfrac><mrow><mo>∂</mo><mi>y</mi></mrow><mrow><mo>∂</mo><msub><mi class=\"name\">xs</mi><mrow><mi>i</mi></mrow></msub></mrow></mfrac>");
}

BOOST_AUTO_TEST_CASE(sums_have_a_sign_and_their_index) {
  BOOST_TEST(mathml("y = sum of xs[i]") ==
             "<mi>y</mi><mo>=</mo><munder><mo movablelimits=\"true\">∑</mo><mrow><mi>i</mi></mrow></munder>"
             "<msub><mi class=\"name\">xs</mi><mrow><mi>i</mi></mrow></msub>");
}

BOOST_AUTO_TEST_CASE(words_stay_words) {
  BOOST_TEST(formula_html("the loop once more, as keep.cpp has it") == "<p>the loop once more, as <code>keep.cpp</code> has it</p>");
  BOOST_TEST(formula_html("strip-mined, the k-th root") == "<p>strip-mined, the k-th root</p>");
  BOOST_TEST(formula_html("k is kept") == "<p><math><mi>k</mi></math> is kept</p>");
  BOOST_TEST(formula_html("f's result") == "<p><span class=\"together\"><math><mi>f</mi></math>'s</span> result</p>");
  BOOST_TEST(formula_html("O(size of y)") == "<p><span class=\"together\"><math><mi>O</mi></math>(</span>size of <span class=\"together\"><math><mi>y</mi></math>)</span></p>");
}

BOOST_AUTO_TEST_CASE(what_stands_in_a_text_is_escaped) {
  BOOST_TEST(formula_html("a <b> & \"c\"").find("<b>") == std::string::npos);
  BOOST_TEST(mathml("i < n") == "<mi>i</mi><mo>&lt;</mo><mi>n</mi>");
}

BOOST_AUTO_TEST_CASE(lines_with_equations_are_paragraphs) {
  BOOST_TEST(formula_html("y = x    gives\n  x_adj += y_adj") ==
             "<p><math><mi>y</mi><mo>=</mo><mi>x</mi></math> <span class=\"gives\">⟹</span></p>"
             "<p><math><mover accent=\"true\" class=\"bar\"><mi>x</mi><mo stretchy=\"true\">¯</mo></mover>"
             "<mo lspace=\"0.28em\" rspace=\"0.28em\">+=</mo>"
             "<mover accent=\"true\" class=\"bar\"><mi>y</mi><mo stretchy=\"true\">¯</mo></mover></math></p>");
  BOOST_TEST(formula_html("one line\n  and more of it") == "<p>one line and more of it</p>");
}

namespace {

/// Whether each element is closed, in order.
bool is_well_formed(const std::string& html) {
  std::vector<std::string> open;
  for (std::size_t at = 0; (at = html.find('<', at)) != std::string::npos;) {
    const std::size_t end = html.find('>', at);
    if (end == std::string::npos) return false;
    const std::string tag = html.substr(at + 1, end - at - 1);
    const std::string name = tag.substr(0, tag.find(' '));
    if (name[0] == '/') {
      if (open.empty() || "/" + open.back() != name) return false;
      open.pop_back();
    } else if (tag.back() != '/' && tag != "wbr") {
      open.push_back(name);
    }
    at = end;
  }
  return open.empty();
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_rule_is_set) {
  for (const Rule& rule : all_rules())
    for (const std::string& text : {rule.formula, rule.brief, rule.applies, rule.cost}) {
      const std::string html = formula_html(text);
      BOOST_TEST(is_well_formed(html), rule.names[0] << ": " << html);
      BOOST_TEST((text.find("_adj") == std::string::npos || html.find("class=\"bar\"") != std::string::npos), rule.names[0]);
      BOOST_TEST(html.find("_adj") == std::string::npos, rule.names[0] << ": " << html);
    }
}

}  // namespace boustro::explain
