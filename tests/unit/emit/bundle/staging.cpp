// A folder that is put at a place whole or not at all.
#include "emit/bundle/staging.hpp"

#include <fstream>
#include <iterator>

#include <boost/test/unit_test.hpp>

#include "emit/run/process.hpp"

namespace boustro::bundle {
namespace {

namespace fs = std::filesystem;

std::ptrdiff_t entries_in(const fs::path& folder) {
  return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_is_published_replaces_what_was_there) {
  const run::TemporaryFolder around;
  const fs::path place = around.path() / "place", link = around.path() / "link";
  for (const char* const name : {"first", "second"}) {
    Staging staging(place);
    std::ofstream(staging.folder() / name) << name;
    BOOST_TEST(!fs::exists(place / name));
    staging.publish();
    BOOST_TEST(fs::exists(place / name));
  }
  BOOST_TEST(entries_in(place) == 1);
  BOOST_TEST(entries_in(around.path()) == 1);
  fs::create_directory_symlink(place, link);
  Staging(link / "").publish();
  BOOST_TEST(fs::is_symlink(link));
  BOOST_TEST(entries_in(place) == 0);
}

BOOST_AUTO_TEST_CASE(what_is_not_published_leaves_nothing) {
  const run::TemporaryFolder around;
  const fs::path place = around.path() / "place";
  fs::create_directory(place);
  std::ofstream(place / "kept") << "kept";
  {
    const Staging staging(place);
    std::ofstream(staging.folder() / "file") << "lost";
  }
  BOOST_TEST(entries_in(around.path()) == 1);
  BOOST_TEST(fs::exists(place / "kept"));
  BOOST_CHECK_THROW(Staging(around.path() / "none" / "place"), fs::filesystem_error);
}

}  // namespace boustro::bundle
