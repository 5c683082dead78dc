#include "frontend/test_blocks/test_blocks.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <boost/spirit/home/x3.hpp>

namespace boustro::test_blocks {
namespace {

namespace x3 = boost::spirit::x3;

/// The text of one block, the dashes removed but line breaks kept.
struct RawBlock {
  std::string text;
  int first_line = 0;  // of the line after `-- ==`
};

std::vector<RawBlock> find_blocks(std::string_view program) {
  std::vector<RawBlock> blocks;
  bool inside = false;
  int line_number = 0;
  while (!program.empty()) {
    const std::size_t end = std::min(program.find('\n'), program.size());
    const std::string_view line = program.substr(0, end);
    program.remove_prefix(std::min(end + 1, program.size()));
    ++line_number;
    if (line.starts_with("-- ==")) {
      blocks.push_back({"", line_number + 1});
      inside = true;
    } else if (inside && line.starts_with("--")) {
      blocks.back().text.append(line.substr(2)).append("\n");
    } else {
      inside = false;
    }
  }
  return blocks;
}

// ---- Grammar of a block

using Iterator = std::string::const_iterator;

/// What the semantic actions fill in.
struct State {
  Specification& result;
  Iterator begin;
  int first_line;
  Block block{{"main"}, {}};
  Case current{};

  int line_of(Iterator position) const {
    return first_line + static_cast<int>(std::count(begin, position, '\n'));
  }
};

struct StateTag;
const auto state = [](auto& context) -> State& { return x3::get<StateTag>(context); };
const auto text_of = [](auto& context) {
  const auto& range = x3::_attr(context);
  return std::string(range.begin(), range.end());
};

std::string trimmed(std::string text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == text.npos) return "";
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

std::vector<std::string> words(const std::string& text) {
  std::vector<std::string> result;
  x3::phrase_parse(text.begin(), text.end(), *x3::lexeme[+x3::graph], x3::space, result);
  return result;
}

const auto set_tags = [](auto& context) { state(context).result.tags = words(text_of(context)); };
const auto set_compile_error = [](auto& context) {
  state(context).result.compile_error = trimmed(text_of(context));
};
const auto set_entries = [](auto& context) {
  state(context).block.entries = words(text_of(context));
};
const auto begin_case = [](auto& context) {
  state(context).current = Case{};
  state(context).current.line = state(context).line_of(x3::_where(context).begin());
};
const auto set_name = [](auto& context) {
  const std::string quoted = text_of(context);
  state(context).current.name = quoted.substr(1, quoted.size() - 2);
};
const auto add_tag = [](auto& context) { state(context).current.tags.push_back(text_of(context)); };
bool has_tag(const Case& test, std::string_view tag) {
  return std::find(test.tags.begin(), test.tags.end(), tag) != test.tags.end();
}

const auto set_input_text = [](auto& context) {
  Case& current = state(context).current;
  const std::string text = text_of(context);
  if (has_tag(current, "random")) {
    current.input = RandomValues{words(text)};
  } else if (has_tag(current, "script")) {
    current.input = ScriptValues{text};
  } else {
    current.input = InlineValues{text};
  }
  if (current.name.empty()) current.name = trimmed(text).substr(0, 50);
};
const auto set_input_file = [](auto& context) {
  Case& current = state(context).current;
  if (has_tag(current, "script"))
    current.input = ScriptFile{text_of(context)};
  else
    current.input = FileValues{text_of(context)};
  if (current.name.empty()) current.name = text_of(context);
};
const auto expect_text = [](auto& context) {
  state(context).current.expected = InlineValues{text_of(context)};
};
const auto expect_file = [](auto& context) {
  state(context).current.expected = FileValues{text_of(context)};
};
const auto expect_auto = [](auto& context) { state(context).current.expected = AutomaticResult{}; };
const auto expect_error = [](auto& context) {
  state(context).current.expected = RuntimeError{trimmed(text_of(context))};
};
const auto end_case = [](auto& context) {
  state(context).block.cases.push_back(state(context).current);
};

// The skipper is off before `raw` begins: it would skip the end of an empty line.
const auto to_end_of_line = x3::no_skip[x3::raw[*(x3::char_ - x3::eol)]];
const auto braces_char = x3::char_ - x3::char_("{}\"");
const auto quoted = x3::lexeme['"' >> *(('\\' >> x3::char_) | (x3::char_ - '"')) >> '"'];
const x3::rule<struct BracedTag> braced = "braced text";
const auto braced_def = *(braces_char | quoted | ('{' >> braced >> '}'));
BOOST_SPIRIT_DEFINE(braced)
const auto in_braces = x3::raw[x3::no_skip[braced]];
const auto path = x3::raw[x3::lexeme[+x3::graph]];
const auto word = x3::raw[x3::lexeme[+(x3::alnum | x3::char_("_-"))]];
const auto keyword = [](const char* text) {
  return x3::lexeme[x3::lit(text) >> !(x3::alnum | '_')];
};

const auto dataset_name = x3::raw[quoted][set_name];
const auto tag =
    (word - (keyword("input") | keyword("structure") | (x3::lit("warning") >> ':')))[add_tag];
const auto input =
    keyword("input") > (('@' >> path[set_input_file]) | ('{' >> in_braces[set_input_text] >> '}'));
const auto expected =
    (keyword("auto") >> keyword("output"))[expect_auto] |
    (keyword("output") > (('@' >> path[expect_file]) | ('{' >> in_braces[expect_text] >> '}'))) |
    (x3::lit("error") >> *(x3::char_ - ':' - x3::space) >> ':' >> to_end_of_line[expect_error]);
const auto one_case =
    x3::eps[begin_case] >> -dataset_name >> *tag >> input >> -expected >> x3::eps[end_case];
const auto structure = keyword("structure") >> *(word - '{') >> '{' >> in_braces >> '}';
const auto warning = x3::lit("warning") >> ':' >> to_end_of_line;
const auto tags = keyword("tags") >> '{' >> in_braces[set_tags] >> '}';
const auto compile_error = x3::lit("error") >> ':' >> to_end_of_line[set_compile_error];
const auto entries = x3::lit("entry") >> ':' >> to_end_of_line[set_entries];
const auto property = x3::lit("property") >> ':' >> to_end_of_line;
const auto block =
    -tags >> (compile_error | property | (-entries >> *(structure | warning | one_case)));

void read_block(const RawBlock& raw, Specification& result) {
  State current{result, raw.text.begin(), raw.first_line};
  Iterator position = raw.text.begin();
  bool complete = false;
  try {
    complete = x3::phrase_parse(position, raw.text.end(),
                                x3::with<StateTag>(current)[x3::omit[block]], x3::space) &&
               position == raw.text.end();
  } catch (const x3::expectation_failure<Iterator>& failure) {
    position = failure.where();
  }
  if (!complete) {
    throw TestBlockError("test block: expected `input`, `output`, `entry:` or `error:`",
                         current.line_of(position));
  }
  result.blocks.push_back(std::move(current.block));
}

}  // namespace

bool Specification::has_cases() const {
  return std::any_of(blocks.begin(), blocks.end(),
                     [](const Block& block) { return !block.cases.empty(); });
}

Specification read_test_blocks(std::string_view program) {
  Specification result;
  for (const RawBlock& raw : find_blocks(program)) read_block(raw, result);
  return result;
}

}  // namespace boustro::test_blocks
