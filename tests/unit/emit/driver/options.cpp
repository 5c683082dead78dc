// What the command line takes, and how it complains.
#include "emit/driver/options.hpp"

#include <iostream>
#include <sstream>

#include <boost/test/unit_test.hpp>

namespace boustro::driver {
namespace {

using Words = std::vector<std::string>;

Options parse(Words words) {
  words.insert(words.begin(), "boustro");
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  return parse_options(static_cast<int>(pointers.size()), pointers.data());
}

/// What is said of bad usage; empty if it is none.
std::string complaint(const Words& words) {
  std::ostringstream text;
  std::streambuf* const err = std::cerr.rdbuf(text.rdbuf());
  const Options options = parse(words);
  std::cerr.rdbuf(err);
  const auto* leave = std::get_if<Leave>(&options);
  if (leave == nullptr) return "";
  BOOST_TEST(leave->exit_code == 2);
  return text.str();
}

}  // namespace

BOOST_AUTO_TEST_CASE(bad_usage_is_explained) {
  const std::pair<Words, std::string> complaints[] = {
      {{"translate", "f.fut", "-o", "-"}, "two files"},
      {{"translate", "f.fut", "-o", ""}, "name of a file is missing"},
      {{"translate", "f.fut", "--namespace", ""}, "no C++ namespace"},
      {{"translate", "f.fut", "--namespace", "1a"}, "no C++ namespace"},
      {{"translate", "f.fut", "--namespace", "a::"}, "no C++ namespace"},
      {{"translate", "f.fut", "--namespace", "a;b"}, "no C++ namespace"},
      {{"translate", "f.fut", "--namespace", "a::class"}, "`class` is reserved"},
      {{"translate", "f.fut", "--namespace", "std"}, "`std` is reserved"},
      {{"translate", "f.fut", "--namespace", "a__b"}, "`a_b` is not"},
      {{"translate", "f.fut", "--namespace", "random"}, "`random` is reserved or a name of the headers"},
      {{"translate", "f.fut", "--namespace", "a::M_PI"}, "`m_pi` is not"},
      {{"translate", "f.fut", "-o", "f.cu", "--merge", "f.cu"}, "excludes --merge"},
      {{"translate", "f.fut", "--merge", ""}, "name of a file is missing"},
      {{"translate", "f.fut", "--wrt", "x"}, "needs --vjp or --jvp"},
      {{"translate", "f.fut", "--depfile", ""}, "name of a file is missing"},
      {{"translate", "f.fut", "--math", "libm"}, "needs --target cpp"},
      {{"translate", "f.fut", "--target", "cpp", "--size", "n=3"}, "needs --target cuda"},
      {{"translate", "f.fut", "--size", "n"}, "is not of the form n=10"},
      {{"translate", "f.fut", "--size", "n=10k"}, "is not of the form n=10"},
      {{"translate", "f.fut", "--size", "n=9223372036854775808"}, "is too large"},
      {{"translate", "f.fut", "--size", "n=10", "--size", "m=3", "--size", "n=20"}, "`n=20` is given a second time"},
      {{"translate", "f.fut", "--target", "cpp", "--math", "fast"}, "--math"},
      {{"derive", "f.fut", "--wrt", "x"}, "needs --vjp or --jvp"},
      {{"translate", "f.fut", "--vjp", ""}, "name of a function is missing"},
      {{"translate", "f.fut", "--stop-after", "simplfy"}, "`simplfy` is no pass of this command: perhaps `simplify` or "},
      {{"translate", "f.fut", "--start-after", "early_copy"}, "`early_copies`"},
      {{"translate", "f.fut", "--dump-after", "ad,al"}, "`al` is no pass of this command: perhaps `ad` or `all`"},
      {{"translate", "f.fut", "--stop-after", ""}, "--passes"},
      {{"derive", "f.fut", "--stop-after", "inlined"}, "`inline`"},
      {{"test", "f.fut", "--jobs", "0"}, "1 to 1024"},
      {{"test", "f.fut", "--memory", "100MB"}, "at least 500MB"},
      {{"test", "f.fut", "--memory", "much"}, "--memory"},
      {{"check", "f.fut", "--include", "no/such/folder"}, "no/such/folder"},
      {{"profile"}, "file is required"},
      {{"profile", "f.fut", "--target", "evaluate"}, "--target"},
      {{"profile", "f.fut", "--device", "h2000"}, "--device"},
      {{"profile", "f.fut", "--device", "cpu"}, "`cpu` does not run programs for `cuda`; --target cpp does"},
      {{"profile", "f.fut", "--target", "cpp", "--device", "a100"}, "`a100` does not run programs for `cpp`: leave it out"},
      {{"profile", "f.fut", "--target", "cpp", "--registers"}, "needs --target cuda"},
      {{"profile", "f.fut", "--compare", "no such file"}, "does not exist"},
      {{"profile", "f.fut", "--size", "n"}, "not of the form n=10"},
      {{"profile", "f.fut", "--extrapolate", "n=100"}, "needs --size n=.., from where to begin"},
      {{"profile", "f.fut", "--size", "n=2", "--extrapolate", "n=100"}, "needs a --size n of 3 at least"},
      {{"profile", "f.fut", "--size", "n=8", "--extrapolate", "n=8"}, "to n=8, which is no more than its --size"},
      {{"profile", "f.fut", "--target", "cpp", "--size", "n=8", "--extrapolate", "n=9"}, "needs --target cuda"}};
  for (const auto& [words, expected] : complaints) {
    const std::string text = complaint(words);
    BOOST_TEST(text.find(expected) != std::string::npos, words.back() + ": " + text);
    BOOST_TEST(text.size() < 300, text);
  }
  const std::string timeout = complaint({"test", "f.fut", "--timeout", "x"});
  BOOST_TEST(timeout.find("--timeout") != std::string::npos, timeout);
  BOOST_TEST(timeout.size() < 200, timeout);
}

BOOST_AUTO_TEST_CASE(good_usage_is_taken) {
  const auto options = std::get<TranslateOptions>(
      parse({"translate", "f.fut", "-o", "a/b.cu", "--namespace", "OUTER::random", "--vjp", "f",
             "--wrt", "x,y", "--dump-after", "ad,all", "--stop-after", "fuse", "--include", "."}));
  BOOST_TEST(options.output == "a/b.cu");
  BOOST_TEST(options.name_space == "OUTER::random");
  BOOST_TEST(options.derivatives.at(0).wrt == (Words{"x", "y"}), boost::test_tools::per_element());
  BOOST_TEST(options.look.dump_after == (Words{"ad", "all"}), boost::test_tools::per_element());
  BOOST_TEST(options.look.stop_after == "fuse");
  const auto test = std::get<TestOptions>(parse({"test", "f.fut", "-j", "4", "--timeout", "600", "--memory", "2500MB"}));
  BOOST_TEST(test.jobs == 4);
  BOOST_TEST(test.timeout == 600);
  BOOST_TEST(test.memory == 2'500'000'000u);
  const auto profile = std::get<ProfileOptions>(
      parse({"profile", "f.fut", "-e", "g", "--size", "n=10", "--size", "m=2", "--json"}));
  BOOST_TEST(profile.entry == "g");
  BOOST_TEST(profile.sizes.at("n") == 10);
  BOOST_TEST(profile.sizes.at("m") == 2);
  BOOST_TEST(profile.json);
  BOOST_TEST(profile.device == "h200");
  BOOST_TEST(profile.extrapolate.empty());
  const auto larger = std::get<ProfileOptions>(
      parse({"profile", "f.fut", "--size", "n=10", "--extrapolate", "n=100", "--size", "m=4", "--extrapolate", "m=5"}));
  BOOST_TEST(larger.sizes.at("n") == 10);
  BOOST_TEST(larger.extrapolate.at("n") == 100);
  BOOST_TEST(larger.extrapolate.at("m") == 5);
  BOOST_TEST(std::get<ProfileOptions>(parse({"profile", "f.fut", "--target", "cpp"})).device == "cpu");
}

}  // namespace boustro::driver
