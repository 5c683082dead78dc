// What `boustro translate` leaves behind: both files, or none.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include <boost/test/unit_test.hpp>

#include "emit/driver/commands.hpp"
#include "emit/run/process.hpp"

namespace boustro::driver {
namespace {

namespace fs = std::filesystem;

/// A folder with one program, and what a command prints there.
class Workplace {
 public:
  explicit Workplace(const std::string& program) {
    std::ofstream(path("program.fut")) << program;
    fs::current_path(folder_.path());
  }
  ~Workplace() { fs::current_path(before_); }

  /// The exit code.
  int translate(const TranslateOptions& options) {
    std::ostringstream text;
    std::streambuf* const out = std::cout.rdbuf(text.rdbuf());
    std::streambuf* const err = std::cerr.rdbuf(text.rdbuf());
    const int code = driver::translate(options);
    std::cout.rdbuf(out);
    std::cerr.rdbuf(err);
    printed_ = text.str();
    return code;
  }
  const std::string& printed() const { return printed_; }
  fs::path path(const std::string& name) const { return folder_.path() / name; }
  std::string read(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(path(name)).rdbuf();
    return text.str();
  }
  std::ptrdiff_t files() const {
    return std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator());
  }

 private:
  run::TemporaryFolder folder_;
  fs::path before_ = fs::current_path();
  std::string printed_;
};

const std::string squares = "entry squares [n] (xs: [n]f64) : [n]f64 = map (\\x -> x * x) xs\n";

TranslateOptions to_cpp() {
  TranslateOptions options;
  options.file = "program.fut";
  options.target = "cpp";
  return options;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_source_and_its_header_are_written) {
  Workplace place(squares);
  BOOST_TEST(place.translate(to_cpp()) == 0);
  BOOST_TEST(place.files() == 3);
  BOOST_TEST(place.read("program.cpp").find("#include \"program.hpp\"") != std::string::npos);
  BOOST_TEST(place.read("program.hpp").find("squares(") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(explaining_writes_only_what_is_asked_for) {
  Workplace place(squares);
  TranslateOptions options = to_cpp();
  options.explain_plan = true;
  BOOST_TEST(place.translate(options) == 0);
  BOOST_TEST(place.files() == 1);
  BOOST_TEST(place.printed().find("squares") != std::string::npos);
  options.output = "other.cpp";
  BOOST_TEST(place.translate(options) == 0);
  BOOST_TEST(place.files() == 3);
}

BOOST_AUTO_TEST_CASE(a_faulty_program_leaves_earlier_files_alone) {
  Workplace place("entry main (x: f64) : i64 = x\n");
  std::ofstream(place.path("program.cpp")) << "mine";
  BOOST_TEST(place.translate(to_cpp()) == 1);
  BOOST_TEST(place.files() == 2);
  BOOST_TEST(place.read("program.cpp") == "mine");
  BOOST_TEST(place.printed().find("program.fut:1:") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_folder_that_does_not_exist_is_named) {
  Workplace place(squares);
  TranslateOptions options = to_cpp();
  options.output = "missing/program.cpp";
  BOOST_TEST(place.translate(options) == 1);
  BOOST_TEST(place.files() == 1);
  BOOST_TEST(place.printed().find("missing/program.") != std::string::npos);
}

/// What the plan cannot hold is refused where it stands, for both targets, and nothing is written.
BOOST_AUTO_TEST_CASE(what_cannot_be_emitted_is_refused_at_its_place) {
  const std::pair<std::string, std::string> refused[] = {
      {"entry g (x: [2]f64) =\n  vjp (\\x ->\n    (loop (y, z) = (x[0], x[1]) while y < 10 do (y * "
       "z + 1, z * 1.1)).0) x 1\n",
       "program.fut:3:"},
      {"entry g (x: [4]f64) =\n  vjp (\\x ->\n    loop y = copy x for i < 4 do\n      loop y for j "
       "< i do y with [j] = y[j] * y[i]) x (replicate 4 1)\n",
       "program.fut:3:"},
      {"entry g (xs: []f64) = filter (> 0) xs\n", "program.fut:1:"},
  };
  for (const auto& [program, line] : refused)
    for (const char* target : {"cuda", "cpp"}) {
      Workplace place(program);
      TranslateOptions options = to_cpp();
      options.target = target;
      BOOST_TEST(place.translate(options) == 1);
      BOOST_TEST(place.printed().find("unsupported") != std::string::npos, place.printed());
      BOOST_TEST(place.printed().find(line) != std::string::npos, place.printed());
      BOOST_TEST(place.files() == 1);
    }
}

BOOST_AUTO_TEST_CASE(a_derivative_can_be_asked_for_by_name) {
  Workplace place(
      "def cost [n] (xs: [n]f64) (a: f64) : f64 = a * f64.sum (map (\\x -> x * x) xs)\n");
  TranslateOptions options = to_cpp();
  options.derivative = Derivative{true, "cost", {"a"}};
  BOOST_TEST(place.translate(options) == 0);
  BOOST_TEST(place.read("program.hpp").find("a_adj") != std::string::npos);
  BOOST_TEST(place.read("program.hpp").find("xs_adj") == std::string::npos);
  options.derivative->wrt = {"b"};
  BOOST_TEST(place.translate(options) == 1);
  BOOST_TEST(place.printed().find("`b`") != std::string::npos);
}

}  // namespace boustro::driver
