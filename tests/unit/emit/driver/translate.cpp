// What `boustro translate` leaves behind: both files, or none.
#include <sys/stat.h>

#include <boost/test/unit_test.hpp>

#include "frontend/values/read.hpp"
#include "tests/source_folder.hpp"
#include "workplace.hpp"

namespace boustro::driver {
namespace {

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

BOOST_AUTO_TEST_CASE(elementary_functions_are_ours_or_the_librarys) {
  Workplace place("entry powers [n] (xs: [n]f64) : [n]f64 = map f64.exp xs\n");
  TranslateOptions options = to_cpp();
  BOOST_TEST(place.translate(options) == 0);
  BOOST_TEST(place.read("program.cpp").find("= vector_exp(") != std::string::npos);
  options.vector_math = false;
  BOOST_TEST(place.translate(options) == 0);
  BOOST_TEST(place.read("program.cpp").find("= std::exp(") != std::string::npos);
  BOOST_TEST(place.read("program.cpp").find("vector_exp") == std::string::npos);
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

BOOST_AUTO_TEST_CASE(a_fixed_order_has_its_price_beside_the_plan) {
  Workplace place("entry sums [n] [k] (ys: [k]f32) (is: [n]i64) (xs: [n]f32) : [k]f32 = reduce_by_index (copy ys) (+) 0 is xs\n"
                  "entry counts [n] [k] (ys: [k]i64) (is: [n]i64) (xs: [n]i64) : [k]i64 = reduce_by_index (copy ys) (+) 0 is xs\n");
  TranslateOptions options;
  options.file = "program.fut";
  options.verify = VerifyWith::nothing;
  options.explain_plan = options.deterministic = true;
  BOOST_TEST(place.translate(options) == 0);
  BOOST_TEST(place.has_printed("price of the fixed order in sums:\n  more        scratch "), place.printed());
  BOOST_TEST(place.has_printed("  more        kernel parts_kernel"), place.printed());
  BOOST_TEST(place.has_printed("  instead of  kernel"), place.printed());
  BOOST_TEST(place.has_printed("price of the fixed order in counts: nothing\n"), place.printed());
  options.deterministic = false;
  BOOST_TEST(place.translate(options) == 0);
  BOOST_TEST(!place.has_printed("price"));
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

BOOST_AUTO_TEST_CASE(a_file_may_be_called_like_what_the_headers_declare) {
  for (const auto& [name, free] : {std::pair<std::string, std::string>{"random", "random_"},
                                   {"float4", "float4_"},
                                   {"NULL", "null"},
                                   {"SQUARES", "SQUARES"}}) {
    for (const std::string target : {"cuda", "cpp"}) {
      Workplace place(squares);
      fs::rename(place.path("program.fut"), place.path(name + ".fut"));
      TranslateOptions options;
      options.file = name + ".fut";
      options.target = target;
      BOOST_TEST(place.translate(options) == 0, place.printed());
      BOOST_TEST(place.read(name + ".hpp").find("namespace " + free + " {") != std::string::npos);
    }
  }
}

/// What cannot be translated is refused where it stands, and nothing is written.
BOOST_AUTO_TEST_CASE(what_cannot_be_translated_is_refused_at_its_place) {
  Workplace place("-- The start of the scan is what the derivative is by.\nentry g (xs: [3]f64) : [3]f64 =\n"
                  "  vjp (\\xs -> scan f64.max xs[0] xs) xs xs\n");
  TranslateOptions options = to_cpp();
  options.target = "cuda";
  BOOST_TEST(place.translate(options) == 1);
  BOOST_TEST(place.printed().find("unsupported") != std::string::npos, place.printed());
  BOOST_TEST(place.printed().find("program.fut:3:") != std::string::npos, place.printed());
  BOOST_TEST(place.files() == 1);
}

/// What does not round is the same in any order, and the library's reductions keep to one.
BOOST_AUTO_TEST_CASE(only_what_rounds_in_an_order_that_varies_is_not_deterministic) {
  const std::pair<const char*, int> cases[] = {
      {"entry g [n] (is: [n]i64) (xs: [n]i32) : [3]i32 = reduce_by_index (replicate 3 0) (+) 0 is xs\n", 0},
      {"entry g [n] (is: [n]i64) (xs: [n]f32) : [3]f32 = reduce_by_index (replicate 3 0) f32.max (-f32.inf) is xs\n", 0},
      {"entry g [n] (xs: [n]f32) : f32 = f32.sum xs\n", 0},
      {"entry g [n] (xs: [n]i32) : [n]i32 = scan (+) 0 xs\n", 0},
      {"entry g [n] (xs: [n]f32) : [n]f32 = scan (+) 0 xs\n", 0},
      {"entry g [n] (is: [n]i64) (xs: [n]f32) (ys: [3]f32) : [3]f32 = vjp (\\ys -> f32.sum (map2 (\\i x -> x * ys[i]) is xs)) ys 1\n", 0},
  };
  for (const auto& [program, code] : cases) {
    Workplace place(program);
    TranslateOptions options = to_cpp();
    options.target = "cuda";
    options.deterministic = true;
    BOOST_TEST(place.translate(options) == code, program << place.printed());
    options.target = "cpp";  // sizes alone decide who adds what there
    BOOST_TEST(place.translate(options) == 0, program << place.printed());
  }
}

/// Their accumulators stand within each other, in maps and in branches.
BOOST_AUTO_TEST_CASE(samples_can_be_deterministic) {
  for (const char* name : {"gmm", "kmeans", "lstm", "ode", "recurrence"}) {
    Workplace place(values::read_file(std::string(tests::source_folder) + "/samples/" + name + ".fut"));
    TranslateOptions options = to_cpp();
    options.target = "cuda";
    options.deterministic = true;
    BOOST_TEST(place.translate(options) == 0, name << place.printed());
    BOOST_TEST(place.read("program.hpp").find("varies between runs") == std::string::npos, name);
  }
}

BOOST_AUTO_TEST_CASE(a_derivative_can_be_asked_for_by_name) {
  Workplace place(
      "def cost [n] (xs: [n]f64) (a: f64) : f64 = a * f64.sum (map (\\x -> x * x) xs)\n");
  TranslateOptions options = to_cpp();
  options.derivatives = {{true, "cost", {"a"}}};
  BOOST_TEST(place.translate(options) == 0);
  BOOST_TEST(place.read("program.hpp").find("a_adj") != std::string::npos);
  BOOST_TEST(place.read("program.hpp").find("xs_adj") == std::string::npos);
  options.derivatives[0].wrt = {"b"};
  BOOST_TEST(place.translate(options) == 1);
  BOOST_TEST(place.printed().find("`b`") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(several_derivatives_become_entries_of_one_file) {
  Workplace place(
      "entry cost [n] (xs: [n]f64) : f64 = f64.sum (map (\\x -> x * x) xs)\n"
      "def scale (a: f64) (x: f64) : f64 = a * x\n");
  TranslateOptions options = to_cpp();
  options.derivatives = {{true, "cost", {}}, {true, "scale", {}}, {false, "scale", {}}};
  BOOST_TEST(place.translate(options) == 0, place.printed());
  const std::string header = place.read("program.hpp");
  for (const char* name : {" cost(", " cost_vjp(", " scale_vjp(", " scale_jvp("}) BOOST_TEST(header.find(name) != std::string::npos, name);
  BOOST_TEST(header.find(" scale(") == std::string::npos);  // is still no entry
}

BOOST_AUTO_TEST_CASE(a_depfile_names_all_files_of_the_program) {
  Workplace place("import \"a b/part\"\nentry f (x: f64) = double x\n");
  fs::create_directory(place.path("a b"));
  std::ofstream(place.path("a b/part.fut")) << "import \"more\"\ndef double (x: f64) = twice x\n";
  std::ofstream(place.path("a b/more.fut")) << "def twice (x: f64) = x + x\n";
  TranslateOptions options = to_cpp();
  options.depfile = "program.d";
  BOOST_TEST(place.translate(options) == 0, place.printed());
  const std::string folder = fs::current_path().string();
  BOOST_TEST(place.read("program.d") == "program.cpp program.hpp: \\\n  " + folder + "/program.fut \\\n  " + folder + "/a\\ b/part.fut \\\n  " +
                                            folder + "/a\\ b/more.fut\n");
}

BOOST_AUTO_TEST_CASE(a_depfile_is_written_over_no_other_file) {
  Workplace place("import \"part\"\nentry f (x: f64) = double x\n");
  std::ofstream(place.path("part.fut")) << "def double (x: f64) = x + x\n";
  const std::ptrdiff_t before = place.files();
  for (const auto& [depfile, reason] : {std::pair{"program.fut", "it is the program"}, {"part.fut", "it is the program"},
                                        {"./program.cpp", "it is an output"}, {"program.hpp", "it is an output"},
                                        {"missing/program.d", "there is no such folder"}}) {
    TranslateOptions options = to_cpp();
    options.depfile = depfile;
    BOOST_TEST(place.translate(options) == 1);
    BOOST_TEST(place.has_printed(reason), place.printed());
  }
  BOOST_TEST(place.files() == before);
}

BOOST_AUTO_TEST_CASE(the_program_is_never_written_over) {
  Workplace place(squares);
  fs::create_symlink("program.fut", place.path("link.cpp"));
  fs::create_symlink("program.fut", place.path("header.hpp"));
  fs::create_directory(place.path("folder"));
  const std::ptrdiff_t before = place.files();
  for (const char* output : {"program.fut", "folder/../program.fut", "link.cpp", "header.cpp"}) {
    TranslateOptions options = to_cpp();
    options.output = output;
    BOOST_TEST(place.translate(options) == 1);
    BOOST_TEST(place.has_printed("it is the program"), place.printed());
  }
  BOOST_TEST(place.read("program.fut") == squares);
  BOOST_TEST(place.files() == before);
}

BOOST_AUTO_TEST_CASE(source_and_header_are_two_files) {
  Workplace place(squares);
  TranslateOptions options = to_cpp();
  options.output = "other.hpp";
  BOOST_TEST(place.translate(options) == 1);
  BOOST_TEST(place.has_printed("header"), place.printed());
  BOOST_TEST(place.files() == 1);
}

BOOST_AUTO_TEST_CASE(only_regular_files_are_replaced) {
  Workplace place(squares);
  fs::create_directory(place.path("folder.cpp"));
  BOOST_REQUIRE(mkfifo(place.path("fifo.hpp").c_str(), 0600) == 0);
  fs::create_symlink("fifo.hpp", place.path("link.cpp"));
  const std::ptrdiff_t before = place.files();
  const std::pair<const char*, const char*> refused[] = {
      {"folder.cpp", "it is a folder"},
      {"fifo.cpp", "it is no regular file"},  // its header
      {"link.cpp", "it is no regular file"}};
  for (const auto& [output, reason] : refused) {
    TranslateOptions options = to_cpp();
    options.output = output;
    BOOST_TEST(place.translate(options) == 1);
    BOOST_TEST(place.has_printed(reason), place.printed());
  }
  BOOST_TEST(place.files() == before);
  BOOST_CHECK_THROW(run::write_file(place.path("folder.cpp"), "text"), std::system_error);
  BOOST_TEST(fs::is_directory(place.path("folder.cpp")));
}

BOOST_AUTO_TEST_CASE(symbolic_links_stay) {
  Workplace place(squares);
  fs::create_directory(place.path("elsewhere"));
  std::ofstream(place.path("elsewhere/old.cpp")) << "old";
  fs::create_symlink("elsewhere/old.cpp", place.path("program.cpp"));
  fs::create_symlink("elsewhere/new.hpp", place.path("program.hpp"));
  BOOST_TEST(place.translate(to_cpp()) == 0);
  BOOST_TEST(fs::is_symlink(place.path("program.cpp")));
  BOOST_TEST(fs::is_symlink(place.path("program.hpp")));
  for (const char* file : {"elsewhere/old.cpp", "elsewhere/new.hpp"})
    BOOST_TEST(place.read(file).find("squares(") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(names_that_no_include_can_hold_are_refused) {
  Workplace place(squares);
  for (const char* name : {"a\"b.cpp", "a\\b.cpp", "a\nb.cpp"}) {
    TranslateOptions options = to_cpp();
    options.output = name;
    BOOST_TEST(place.translate(options) == 1);
    BOOST_TEST(place.has_printed("#include"), place.printed());
  }
  for (const char* name : {"a\"b.fut", "a\nb.fut"}) {
    fs::copy_file("program.fut", name);
    TranslateOptions options = to_cpp();
    options.file = name;
    BOOST_TEST(place.translate(options) == 1);
  }
  BOOST_TEST(place.files() == 3);
}

BOOST_AUTO_TEST_CASE(a_namespace_may_be_nested) {
  Workplace place(squares);
  TranslateOptions options = to_cpp();
  options.name_space = "outer::inner";
  BOOST_TEST(place.translate(options) == 0);  // Clang has read it
  BOOST_TEST(place.read("program.hpp").find("namespace outer::inner {") != std::string::npos);
}

/// Also where an entry is called like the query of another, or ends with an underscore.
BOOST_AUTO_TEST_CASE(each_query_has_a_name_of_its_own) {
  Workplace place(
      "entry f_scratch (n: i64) (x: f64) = x * f64.i64 n\n"
      "entry f (n: i64) (x: f64) = f64.i64 n + x\n"
      "entry main (x: f64) = x\n");
  BOOST_TEST(place.translate(to_cpp()) == 0);
  const std::string header = place.read("program.hpp");
  for (const char* name : {" f_scratch(", " f_scratch_scratch(", " other_f(", " other_f_scratch(",
                           " main_(", " main_scratch("})
    BOOST_TEST(header.find(name) != std::string::npos, name);
  BOOST_TEST(header.find("__") == std::string::npos);
}

/// What cannot be an entry has no derivative as an entry.
BOOST_AUTO_TEST_CASE(derivatives_are_of_what_could_be_entries) {
  const std::pair<const char*, const char*> refused[] = {
      {"def f 'a (x: a) = x\n", "program.fut:1:8: error: an entry point cannot be polymorphic"},
      {"def f x = x\n", "program.fut:1:5: error: an entry point cannot be polymorphic"},
      {"def f (g: f64 -> f64) (x: f64) = g x\n", "program.fut:1:8: error: a function cannot be"},
      {"def f (x: f64) = \\y -> x * y\n", "program.fut:1:5: error: a function cannot be"}};
  for (const auto& [program, message] : refused) {
    Workplace place(program);
    TranslateOptions options = to_cpp();
    options.derivatives = {{true, "f", {}}};
    BOOST_TEST(place.translate(options) == 1);
    BOOST_TEST(place.has_printed(message), place.printed());
  }
}

BOOST_AUTO_TEST_CASE(parameters_to_differentiate_for_hold_floats) {
  Workplace place("def f (x: f64) (k: i64) (p: (i32, {z: f64})) = x * f64.i64 k * p.1.z\n");
  TranslateOptions options = to_cpp();
  options.derivatives = {{true, "f", {"x", "k"}}};
  BOOST_TEST(place.translate(options) == 1);
  BOOST_TEST(place.has_printed("`k` of `f` holds no float"), place.printed());
  options.derivatives[0].wrt = {"p"};
  BOOST_TEST(place.translate(options) == 0);
}

BOOST_AUTO_TEST_CASE(sizes_that_are_rejected_if_negative_are_not_clipped) {
  Workplace place("entry f [n] (k: i64) (is: [n]i64) (xs: [n]f32) : [n]f32 =\n"
                  "  let ys = reduce_by_index (replicate k 0) (+) 0 is xs in map (\\i -> #[unsafe] ys[i]) is\n");
  TranslateOptions options;
  options.file = "program.fut";
  options.verify = VerifyWith::nothing;
  BOOST_REQUIRE(place.translate(options) == 0);
  const std::string text = place.read("program.cu");
  BOOST_TEST(text.find("if (k < 0) return cudaErrorInvalidValue;") != std::string::npos);
  BOOST_TEST(text.find("ys = take<float>(k);") != std::string::npos);
}

}  // namespace boustro::driver
