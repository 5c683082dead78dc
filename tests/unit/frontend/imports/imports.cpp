#include <boost/test/unit_test.hpp>

#include <fstream>

#include <unistd.h>

#include "frontend/imports/imports.hpp"

using namespace boustro;
namespace fs = std::filesystem;

namespace {

/// A folder of programs that lives as long as the test.
struct Folder {
  fs::path path = fs::temp_directory_path() / fs::path("boustro_imports_" + std::to_string(::getpid()));
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((path / name).parent_path());
    std::ofstream(path / name) << text;
  }
};

struct Read {
  source::SourceMap sources;
  source::Diagnostics diagnostics;
  imports::Program program;

  Read(const fs::path& main, const std::string& text, const std::vector<std::string>& folders = {}) {
    program = imports::read_program(main.string(), sources.add("main.fut", text), folders, sources, diagnostics);
  }
  std::string errors() const {
    std::string text;
    for (const auto& diagnostic : diagnostics.all()) text += source::to_string(diagnostic, sources);
    return text;
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(imports_suite, Folder)

BOOST_AUTO_TEST_CASE(two_paths_to_a_file_are_one_file) {
  write("a.fut", "import \"lib/b\"");
  write("lib/b.fut", "import \"../lib/c\"");
  write("lib/c.fut", "def x = 1");
  const Read read(path / "main.fut", "import \"a\"\nmodule m = {open import \"lib/../lib/c\"}");
  BOOST_TEST(read.errors() == "");
  BOOST_TEST(read.program.files.size() == 4u);
  BOOST_TEST(read.program.main->imports.at("lib/../lib/c")->path.string() == (path / "lib/c.fut").string());
}

BOOST_AUTO_TEST_CASE(finds_imports_wherever_a_module_stands) {
  write("a.fut", "");
  for (const std::string text :
       {"open import \"a\"", "local import \"a\"", "module m = import \"a\"", "module m = {module n : {} = import \"a\"}",
        "module f = \\(p: {}) -> import \"a\"", "module g = f (import \"a\")", "module m = (import \"a\") : {}"}) {
    const Read read(path / "main.fut", text);
    BOOST_TEST(read.errors() == "");
    BOOST_TEST(read.program.main->imports.count("a") == 1u, text);
  }
}

BOOST_AUTO_TEST_CASE(other_folders_must_be_named) {
  write("lib/a.fut", "def x = 1");
  write("programs/here.fut", "");
  const fs::path main = path / "programs/main.fut";
  const std::string text = "import \"../lib/a\"\nimport \"../programs/here\"";
  const Read refused(main, text);
  BOOST_TEST(refused.errors().find("`../lib/a` lies outside the folder of the program") != std::string::npos);
  BOOST_TEST(refused.diagnostics.all().size() == 1u);
  BOOST_TEST(Read(main, text, {(path / "lib").string()}).errors() == "");
  BOOST_TEST(Read(main, text, {(path / "li").string()}).diagnostics.has_errors());
}

BOOST_AUTO_TEST_CASE(a_cycle_is_told_with_its_files) {
  write("a.fut", "import \"b\"");
  write("b.fut", "import \"a\"");
  const Read read(path / "main.fut", "import \"a\"");
  BOOST_TEST(read.errors().find("b.fut:1:1: error: `a.fut` imports itself") != std::string::npos);
  BOOST_TEST(read.errors().find("`a.fut` imports `b.fut` imports `a.fut`") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(mistakes_are_shown_in_the_file_that_has_them) {
  write("lib/a.fut", "def x = \n\ndef y = )");
  const Read read(path / "main.fut", "import \"lib/a\"");
  BOOST_TEST(read.errors().find("lib/a.fut:3:") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
