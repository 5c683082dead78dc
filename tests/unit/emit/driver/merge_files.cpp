// What `boustro translate --keep-base` and `--merge` leave behind.
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>

#include <boost/test/unit_test.hpp>

#include "workplace.hpp"

namespace boustro::driver {
namespace {

const std::string cubes = "entry squares [n] (xs: [n]f64) : [n]f64 = map (\\x -> x * x * x) xs\n";

TranslateOptions keeping(const std::string& target = "cpp") {
  TranslateOptions options;
  options.file = "program.fut";
  options.target = target;
  options.keep_base = true;
  return options;
}

TranslateOptions merging(const std::string& target = "cpp") {
  TranslateOptions options;
  options.file = "program.fut";
  options.target = target;
  options.merge = target == "cpp" ? "program.cpp" : "program.cu";
  return options;
}

void write(const Workplace& place, const std::string& file, const std::string& text) {
  std::ofstream(place.path(file), std::ios::binary) << text;
}

/// Replaces the first occurrence.
void edit(const Workplace& place, const std::string& file, const std::string& from, const std::string& to) {
  std::string text = place.read(file);
  BOOST_REQUIRE(text.find(from) != text.npos);
  write(place, file, text.replace(text.find(from), from.size(), to));
}

bool has(const Workplace& place, const std::string& file, const std::string& text) {
  return place.read(file).find(text) != std::string::npos;
}

/// While it lives no file can grow, as if there were no space, not even for root.
class FullDisk {
 public:
  FullDisk() {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit none{0, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &none);
  }
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  void (*handler_)(int) = std::signal(SIGXFSZ, SIG_IGN);
  rlimit before_{};
};

/// squares, emitted, with bases.
struct Emitted : Workplace {
  explicit Emitted(const std::string& target = "cpp") : Workplace(squares) {
    TranslateOptions options = keeping(target);
    options.verify = VerifyWith::nothing;
    BOOST_REQUIRE(translate(options) == 0);
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(bases_are_kept_beside_both_files) {
  const Emitted place;
  BOOST_TEST(place.files() == 5);
  BOOST_TEST(place.read("program.cpp.base") == place.read("program.cpp"));
  BOOST_TEST(place.read("program.hpp.base") == place.read("program.hpp"));
}

BOOST_AUTO_TEST_CASE(a_base_that_is_there_is_kept_up_to_date) {
  Emitted place;
  write(place, "program.fut", cubes);
  TranslateOptions options = keeping();
  options.keep_base = false;
  BOOST_TEST(place.translate(options) == 0);
  BOOST_TEST(place.read("program.cpp.base") == place.read("program.cpp"));
  BOOST_TEST(has(place, "program.cpp", "x * x * x"));
}

BOOST_AUTO_TEST_CASE(edits_are_not_written_over) {
  for (const std::string file : {"program.cpp", "program.hpp"}) {
    Emitted place;
    edit(place, file, "namespace program {", "// tuned by hand\nnamespace program {");
    write(place, "program.fut", cubes);
    BOOST_TEST(place.translate(keeping()) == 1);
    BOOST_TEST(place.has_printed("cannot write `" + file + "`: it was edited since it was emitted: --merge"), place.printed());
    BOOST_TEST(has(place, file, "tuned"));
    fs::remove(place.path(file));
    BOOST_TEST(place.translate(keeping()) == 0);
    BOOST_TEST(has(place, "program.cpp", "x * x * x"));
  }
}

BOOST_AUTO_TEST_CASE(edits_stay_and_what_changed_comes) {
  for (const std::string target : {"cpp", "cuda"}) {
    Emitted place(target);
    const std::string file = merging(target).merge;
    edit(place, file, "namespace program {", "// tuned by hand\nnamespace program {");
    edit(place, "program.hpp", "#pragma once", "#pragma once  // ours");
    write(place, "program.fut", cubes);
    BOOST_TEST(place.translate(merging(target)) == 0, place.printed());
    BOOST_TEST(place.printed() == "");
    for (const char* text : {"// tuned by hand", "x * x * x"}) BOOST_TEST(has(place, file, text), text);
    BOOST_TEST(has(place, "program.hpp", "#pragma once  // ours"));
    BOOST_TEST(!has(place, file + ".base", "tuned"));
    BOOST_TEST(has(place, file + ".base", "x * x * x"));
    BOOST_TEST(!has(place, "program.hpp.base", "ours"));
  }
}

BOOST_AUTO_TEST_CASE(a_second_merge_changes_nothing) {
  Emitted place;
  edit(place, "program.cpp", "namespace program {", "// tuned by hand\nnamespace program {");
  write(place, "program.fut", cubes);
  BOOST_TEST(place.translate(merging()) == 0);
  const std::string once = place.read("program.cpp");
  BOOST_TEST(place.translate(merging()) == 0);
  BOOST_TEST(place.read("program.cpp") == once);
}

BOOST_AUTO_TEST_CASE(conflicts_are_marked_and_named) {
  Emitted place;
  edit(place, "program.cpp", "x * x;", "std::pow(x, 2);");
  write(place, "program.fut", cubes);
  BOOST_TEST(place.translate(merging()) == 3);
  const std::string text = place.read("program.cpp");
  for (const char* line : {"<<<<<<< edited\n", "std::pow(x, 2);\n", "||||||| emitted before\n", "=======\n", ">>>>>>> emitted now\n"})
    BOOST_TEST(text.find(line) != text.npos, line);
  const auto lines = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(text.find("<<<<<<<")), '\n');
  BOOST_TEST(place.has_printed("program.cpp:" + std::to_string(lines + 1) + ":1: error: lines that were edited"), place.printed());
  BOOST_TEST(has(place, "program.cpp.base", "x * x * x"));  // for the next merge, once this one is settled
  BOOST_TEST(place.translate(merging()) == 1);
  BOOST_TEST(place.has_printed("line " + std::to_string(lines + 1) + " begins a conflict of an earlier merge"), place.printed());
  BOOST_TEST(place.read("program.cpp") == text);
}

BOOST_AUTO_TEST_CASE(line_ends_of_other_systems_stay) {
  Emitted place;
  std::string text = place.read("program.cpp");
  for (std::size_t at = text.find('\n'); at != text.npos; at = text.find('\n', at + 2)) text.insert(at, "\r");
  write(place, "program.cpp", text);
  write(place, "program.fut", cubes);
  BOOST_TEST(place.translate(merging()) == 0, place.printed());
  BOOST_TEST(has(place, "program.cpp", "x * x * x"));
  text = place.read("program.cpp");
  BOOST_TEST(std::count(text.begin(), text.end(), '\n') == std::count(text.begin(), text.end(), '\r'));
}

BOOST_AUTO_TEST_CASE(what_is_missing_is_named_and_nothing_written) {
  for (const std::string missing : {"program.cpp", "program.hpp", "program.cpp.base", "program.hpp.base"}) {
    Emitted place;
    write(place, "program.fut", cubes);
    fs::remove(place.path(missing));
    BOOST_TEST(place.translate(merging()) == 1);
    BOOST_TEST(place.has_printed("cannot read `" + missing + "`: there is no such file"), place.printed());
    BOOST_TEST(place.has_printed("--keep-base") == missing.ends_with(".base"));
    BOOST_TEST(place.files() == 4);
    for (const std::string file : {"program.cpp", "program.cpp.base"}) BOOST_TEST(!has(place, file, "x * x * x"));
  }
}

BOOST_AUTO_TEST_CASE(a_faulty_program_is_not_merged) {
  Emitted place;
  const std::string before = place.read("program.cpp");
  write(place, "program.fut", "entry squares (x: f64) : i64 = x\n");
  BOOST_TEST(place.translate(merging()) == 1);
  BOOST_TEST(place.read("program.cpp") == before);
  BOOST_TEST(place.read("program.cpp.base") == before);
}

BOOST_AUTO_TEST_CASE(files_of_other_programs_are_left_alone) {
  Emitted place;
  const std::string before = place.read("program.cpp");
  write(place, "program.fut", "entry roots [n] (xs: [n]f64) : [n]f64 = map f64.sqrt xs\n");
  BOOST_TEST(place.translate(merging()) == 1);
  BOOST_TEST(place.has_printed("cannot merge with `program.cpp.base`: it has none of the program's entry points"), place.printed());
  fs::rename(place.path("program.fut"), place.path("other.fut"));
  TranslateOptions other = merging();
  other.file = "other.fut";
  BOOST_TEST(place.translate(other) == 1);
  BOOST_TEST(place.has_printed("another program"), place.printed());
  BOOST_TEST(place.read("program.cpp") == before);
  BOOST_TEST(place.read("program.cpp.base") == before);
}

BOOST_AUTO_TEST_CASE(files_for_other_targets_are_left_alone) {
  Emitted place;
  TranslateOptions options = merging();
  options.target = "cuda";
  options.verify = VerifyWith::nothing;
  const std::string before = place.read("program.cpp");
  BOOST_TEST(place.translate(options) == 1);
  BOOST_TEST(place.has_printed("for another target"), place.printed());
  BOOST_TEST(place.read("program.cpp") == before);
}

BOOST_AUTO_TEST_CASE(nothing_is_written_where_a_base_cannot_be) {
  Workplace place(squares);
  fs::create_directory(place.path("program.hpp.base"));
  BOOST_TEST(place.translate(keeping()) == 1);
  BOOST_TEST(place.has_printed("cannot write `program.hpp.base`: it is a folder"), place.printed());
  BOOST_TEST(place.files() == 2);
}

BOOST_AUTO_TEST_CASE(what_is_no_file_is_not_merged_with) {
  Emitted place;
  fs::remove(place.path("program.cpp.base"));
  BOOST_REQUIRE(mkfifo(place.path("program.cpp.base").c_str(), 0600) == 0);
  BOOST_TEST(place.translate(merging()) == 1);
  BOOST_TEST(place.has_printed("`program.cpp.base`"), place.printed());
}

BOOST_AUTO_TEST_CASE(where_nothing_can_be_written_all_stays) {
  Emitted place;
  edit(place, "program.cpp", "namespace program {", "// tuned by hand\nnamespace program {");
  const std::string before = place.read("program.cpp"), base = place.read("program.cpp.base");
  write(place, "program.fut", cubes);
  {
    const FullDisk full;
    BOOST_TEST(place.translate(merging()) == 1);
  }
  BOOST_TEST(place.has_printed("cannot write `program.hpp`: "), place.printed());
  BOOST_TEST(place.read("program.cpp") == before);
  BOOST_TEST(place.read("program.cpp.base") == base);
  BOOST_TEST(place.files() == 5);
}

BOOST_AUTO_TEST_CASE(edits_of_a_file_behind_a_link_stay) {
  Emitted place;
  fs::rename(place.path("program.cpp"), place.path("tuned.cpp"));
  fs::create_symlink("tuned.cpp", place.path("program.cpp"));
  edit(place, "tuned.cpp", "namespace program {", "// tuned by hand\nnamespace program {");
  write(place, "program.fut", cubes);
  BOOST_TEST(place.translate(merging()) == 0, place.printed());
  BOOST_TEST(fs::is_symlink(place.path("program.cpp")));
  for (const char* text : {"// tuned by hand", "x * x * x"}) BOOST_TEST(has(place, "tuned.cpp", text));
}

}  // namespace boustro::driver
