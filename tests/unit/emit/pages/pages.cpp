// What is written about command lines. How shells take it is seen in tests/install.
#include "emit/pages/pages.hpp"

#include <algorithm>

#include <CLI/CLI.hpp>
#include <boost/algorithm/string/replace.hpp>
#include <boost/test/unit_test.hpp>

#include "emit/driver/options.hpp"

namespace boustro::pages {
namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// A command with one option.
Command with(const Option& option) { return {"tool", "Tool: does \\it's `work`", "", {}, {{"act", "acts", ".legend\nmore", {option}, {}}}}; }

const Option& option_named(const Command& command, const std::string& name) {
  return *std::find_if(command.options.begin(), command.options.end(),
                       [&](const Option& option) { return std::find(option.names.begin(), option.names.end(), name) != option.names.end(); });
}

}  // namespace

BOOST_AUTO_TEST_CASE(definitions_become_plain_values) {
  CLI::App app{"about", "tool"};
  CLI::App& act = *app.add_subcommand("act", "acts");
  std::string target = "b", file, text;
  std::vector<std::string> folders, inputs;
  bool flag = false;
  act.add_option("-t,--target", target, "where")->check(CLI::IsMember({"a", "b"}))->capture_default_str();
  act.add_option("--output", file)->type_name("FILE");
  act.add_option("--folder", folders)->check(CLI::ExistingDirectory);
  act.add_option("--text", text);
  act.add_flag("--flag", flag)->group("More");
  act.add_option("inputs", inputs);
  const Command program = describe(app);
  BOOST_TEST(program.name == "tool");
  BOOST_TEST(program.help == "about");
  const Command& command = program.commands.at(0);
  const Option& choice = option_named(command, "--target");
  BOOST_TEST(choice.names == (std::vector<std::string>{"-t", "--target"}), boost::test_tools::per_element());
  BOOST_TEST((choice.value == Value::choice));
  BOOST_TEST(choice.choices == (std::vector<std::string>{"a", "b"}), boost::test_tools::per_element());
  BOOST_TEST(choice.placeholder == "a|b");
  BOOST_TEST(choice.standard == "b");
  BOOST_TEST((option_named(command, "--output").value == Value::file));
  BOOST_TEST((option_named(command, "--folder").value == Value::folder));
  BOOST_TEST(option_named(command, "--folder").repeats);
  BOOST_TEST((option_named(command, "--text").value == Value::text));
  BOOST_TEST((option_named(command, "--flag").value == Value::none));
  BOOST_TEST(option_named(command, "--flag").group == "More");
  BOOST_TEST(option_named(command, "inputs").positional);
}

BOOST_AUTO_TEST_CASE(manuals_show_text_as_it_is) {
  const Command program = with({.names = {"-o", "--out"}, .value = Value::file, .placeholder = "FILE", .standard = "a-b", .help = ".x `y` \\z", .group = "Options"});
  const std::string page = manual(program, program.commands[0], "1.2");
  BOOST_TEST(has(page, ".TH tool-act 1 \"\" \"boustro 1.2\""));
  BOOST_TEST(has(page, "\\fB\\-o\\fR, \\fB\\-\\-out\\fR \\fIFILE\\fR (default: a\\-b)\n\\&.x \\fBy\\fR \\ez\n"), page);
  BOOST_TEST(has(page, ".nf\n\\&.legend\nmore\n.fi"));
  BOOST_TEST(has(manual(program, "1.2"), "tool \\- does \\eit's \\fBwork\\fR\n"));
}

BOOST_AUTO_TEST_CASE(descriptions_are_quoted_for_shells) {
  const Command program = with({.names = {"--out"}, .help = "it's [a]: b"});
  BOOST_TEST(has(zsh_completion(program), "--out[it'\\''s \\[a\\]\\: b]'"));
  BOOST_TEST(has(fish_completion(program), "-l out -d 'it\\'s [a]: b'"));
}

/// All that the program takes is in its pages.
BOOST_AUTO_TEST_CASE(no_option_of_boustro_is_left_out) {
  Command program;
  driver::describe_options([&](const CLI::App& app) { program = describe(app); });
  BOOST_TEST(program.commands.size() >= 7U);
  for (const Command& command : program.commands) {
    const std::string page = manual(program, command, "");
    BOOST_TEST(has(manual(program, ""), boost::replace_all_copy("boustro-" + command.name, "-", "\\-") + " (1)"));
    for (const Option& option : command.options) {
      const std::string name = option.names.back();
      if (!option.positional) BOOST_TEST(has(page, "\\fB\\-\\-" + name.substr(2, name.find('-', 2) - 2)), name);  // a hyphen is written otherwise
      for (const std::string& text : {bash_completion(program), zsh_completion(program)})
        if (!option.positional) BOOST_TEST(has(text, name), name);
      BOOST_TEST((option.value != Value::text || option.placeholder != ""), name);
    }
  }
}

}  // namespace boustro::pages
