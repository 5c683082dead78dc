// Every .fut file of this folder is a test, which passes when exactly the errors that its comments announce are
// reported: `-- error: text` on the faulty line, where the message contains the text.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "frontend/modules/check_program.hpp"
#include "tests/source_folder.hpp"

namespace {

using namespace boustro;
namespace fs = std::filesystem;

std::string read(const fs::path& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

struct Announced {
  int line;
  std::string text;
};

std::vector<Announced> announced_in(const std::string& text) {
  std::vector<Announced> result;
  std::istringstream lines(text);
  std::string line;
  const std::string mark = "-- error: ";
  for (int number = 1; std::getline(lines, line); ++number) {
    const auto at = line.find(mark);
    if (at != std::string::npos) result.push_back({number, line.substr(at + mark.size())});
  }
  return result;
}

void run(const fs::path& path) {
  const std::string text = read(path);
  source::SourceMap sources;
  source::Diagnostics diagnostics;
  const source::FileId file = sources.add(path.filename().string(), text);
  const imports::Program program = imports::read_program(path.string(), file, {}, sources, diagnostics);
  if (!diagnostics.has_errors()) modules::check_program(program, sources, diagnostics);

  std::vector<Announced> expected = announced_in(text);
  BOOST_TEST(!expected.empty(), "the file announces no error");
  for (const source::Diagnostic& diagnostic : diagnostics.all()) {
    const int line = diagnostic.at.file == file ? sources.position(diagnostic.at).line : 0;
    const auto found = std::find_if(expected.begin(), expected.end(), [&](const Announced& error) {
      return error.line == line && diagnostic.text.find(error.text) != std::string::npos;
    });
    if (found == expected.end())
      BOOST_ERROR("not announced: " + source::to_string(diagnostic, sources));
    else
      expected.erase(found);
  }
  for (const Announced& error : expected)
    BOOST_ERROR("not reported in line " + std::to_string(error.line) + ": " + error.text);
}

bool add_files() {
  using namespace boost::unit_test;
  std::set<fs::path> files;
  for (const auto& entry : fs::directory_iterator(fs::path(tests::source_folder) / "tests/errors"))
    if (entry.path().extension() == ".fut") files.insert(entry.path());
  for (const fs::path& path : files)
    framework::master_test_suite().add(
        make_test_case([path] { run(path); }, path.stem().string(), __FILE__, __LINE__));
  return true;
}

}  // namespace

int main(int argc, char** argv) { return boost::unit_test::unit_test_main(add_files, argc, argv); }
