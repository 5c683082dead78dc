#include "emit/profile/compare.hpp"

#include <boost/test/unit_test.hpp>

#include "emit/profile/report.hpp"

namespace boustro::profile::compare_tests {
namespace {

run::CountedWork kernel(const std::string& name, std::uint64_t launches, std::uint64_t bytes) {
  run::Counts counts;
  counts.launches = launches;
  counts.blocks = counts.threads = launches;
  counts.needed_bytes = bytes;
  counts.global_atomics = 5;
  return {"kernel", name, counts};
}

Profile profile_of(const std::vector<run::CountedWork>& work, const std::string& device = "h200") {
  return make_profile(work, *machine::find_gpu(device));
}

std::string error_of(const std::string& before) {
  try {
    compare_table(before, "old.json", profile_of({}));
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

}  // namespace

BOOST_AUTO_TEST_CASE(rows_stand_beside_those_of_their_name) {
  const std::string before =
      profile_json(profile_of({kernel("a", 2, 100), kernel("gone", 1, 50), kernel("same", 3, 0)}));
  const Profile now = profile_of({kernel("same", 3, 0), kernel("a", 1, 300), kernel("added", 4, 0)});
  BOOST_TEST(compare_table(before, "old.json", now) ==
             "           time                   launches              memory bytes              atomics\n"
             "            old       new  ratio       old  new  ratio           old  new  ratio      old  new "
             " ratio\n"
             "a       4.66 us   2.33 us   0.50         2    1   0.50           100  300   3.00        5    5 "
             "  1.00\n"
             "gone    2.33 us         -      -         1    -      -            50    -      -        5    - "
             "     -\n"
             "same    6.99 us   6.99 us   1.00         3    3   1.00             0    0      -        5    5 "
             "  1.00\n"
             "added         -   9.32 us      -         -    4      -             -    0      -        -    5 "
             "     -\n"
             "total  13.98 us  18.65 us   1.33         6    8   1.33           150  300   2.00       15   15 "
             "  1.00\n");
}

BOOST_AUTO_TEST_CASE(what_does_not_differ_is_left_out_but_for_times) {
  const Profile profile = profile_of({kernel("a", 2, 100)});
  BOOST_TEST(compare_table(profile_json(profile), "old.json", profile) ==
             "          time\n"
             "           old      new  ratio\n"
             "a      4.66 us  4.66 us   1.00\n"
             "total  4.66 us  4.66 us   1.00\n");
}

BOOST_AUTO_TEST_CASE(what_cannot_be_compared_is_refused) {
  BOOST_TEST(error_of("no json") == "old.json: no report of `boustro profile --json`");
  BOOST_TEST(error_of("[1]") == "old.json: no report of `boustro profile --json`");
  BOOST_TEST(error_of("{\"rows\": []}") == "old.json: no report of `boustro profile --json`");
  BOOST_TEST(error_of("{\"format\": 99}") ==
             "old.json: a report of format 99, but this version reads format 1; make it anew");
  BOOST_TEST(error_of("{\"format\": 1, \"device\": \"h200\", \"rows\": [{}]}") ==
             "old.json: a report of `boustro profile --json` that lacks something");
  BOOST_TEST(error_of("{\"format\": 1, \"device\": 7}") ==
             "old.json: times of 7, not of h200; choose it by --device");
  BOOST_TEST(error_of(profile_json(profile_of({}, "a100"))) ==
             "old.json: times of \"a100\", not of h200; choose it by --device");
}

}  // namespace boustro::profile::compare_tests
