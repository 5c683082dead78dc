// Where programs look for Boustro's own files: installed, built, and where somebody says so.
#include "emit/run/own_files.hpp"

#include <cstdlib>
#include <optional>

#include <boost/test/unit_test.hpp>

#include "emit/run/process.hpp"
#include "emit/run/toolchain.hpp"

namespace boustro::run {
namespace fs = std::filesystem;
namespace {

/// A folder for the time of a test.
struct Place {
  TemporaryFolder folder;
  fs::path at(const std::string& path) const { return folder.path() / path; }
};

/// A variable of the environment, changed for the time of a test.
class Variable {
 public:
  Variable(const char* name, const fs::path& value) : name_(name) {
    if (const char* const before = std::getenv(name)) before_ = before;
    setenv(name, value.c_str(), 1);
  }
  ~Variable() { before_ ? setenv(name_, before_->c_str(), 1) : unsetenv(name_); }

 private:
  const char* name_;
  std::optional<std::string> before_;
};

/// The text of what is missing.
template <typename Action>
std::string complaint_of(const Action& action) {
  try {
    action();
  } catch (const Missing& missing) {
    return missing.what();
  }
  return "";
}

}  // namespace

BOOST_AUTO_TEST_CASE(they_are_below_the_prefix_of_the_program) {
  const Place place;
  fs::create_directories(place.at("lib/boustro/templates"));
  fs::create_directories(place.at("bin"));
  BOOST_TEST(own_files_above(place.at("bin/boustro")) == place.at("lib/boustro"));
  BOOST_TEST(own_files_above(place.at("emit/driver/boustro")) == place.at("lib/boustro"));
}

BOOST_AUTO_TEST_CASE(the_nearest_prefix_counts) {
  const Place place;
  fs::create_directories(place.at("lib/boustro/templates"));
  fs::create_directories(place.at("inner/lib/boustro/templates"));
  BOOST_TEST(own_files_above(place.at("inner/bin/boustro")) == place.at("inner/lib/boustro"));
}

BOOST_AUTO_TEST_CASE(tests_find_those_of_their_build) {
  BOOST_TEST(fs::exists(own_files() / "templates" / "harness" / "cpp.hpp"));
}

BOOST_AUTO_TEST_CASE(a_variable_says_where_they_are) {
  const Place place;
  fs::create_directories(place.at("elsewhere/templates"));
  const Variable home("BOUSTRO_HOME", place.at("elsewhere"));
  BOOST_TEST(own_files() == place.at("elsewhere"));
  const Variable wrong("BOUSTRO_HOME", place.at("nowhere"));
  BOOST_TEST(complaint_of(own_files).find("BOUSTRO_HOME is " + place.at("nowhere").string()) == 0U);
}

BOOST_AUTO_TEST_CASE(a_missing_compiler_is_named) {
  const Place place;
  const Variable path("PATH", place.folder.path()), cuda("CUDA_PATH", place.folder.path());
  const fs::path source = place.at("a.cpp");
  const std::string cpp = complaint_of([&] { compile_cpp({source}, Mode::plain, {}, place.at("a")); });
  BOOST_TEST(cpp.find("`g++` was not found") == 0U, cpp);
  const std::string nvcc = complaint_of([&] { compile_nvcc({source}, {}); });
  BOOST_TEST(nvcc.find("`nvcc` was not found") == 0U, nvcc);
  const std::string headers = complaint_of([&] { compile_cuda_for_cpu({}, Mode::plain, place.at("a.o")); });
  BOOST_TEST(headers.find("CUDA's headers were not found in " + place.at("include").string()) == 0U, headers);
}

}  // namespace boustro::run
