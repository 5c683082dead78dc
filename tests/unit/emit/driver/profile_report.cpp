#include "emit/driver/profile_report.hpp"

#include <boost/test/unit_test.hpp>

namespace boustro::driver {
namespace {

Profile sample() {
  run::Counts kernel, copy;
  kernel.launches = 3;
  kernel.threads = 1200;
  kernel.global_loads = 100000;
  kernel.global_load_bytes = 400000;
  kernel.global_atomics = 70;
  kernel.most_global_atomics = 7;
  kernel.shared_stores = 2;
  kernel.shared_load_conflicts = 20;
  kernel.shared_store_conflicts = 11;
  copy.launches = 1;
  copy.global_load_bytes = 8;
  copy.most_global_atomics = 9;
  return {"", {{"kernel", "counts_kernel", kernel}, {"copy", "copy to the host", copy}}};
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_table_has_columns_where_there_are_numbers) {
  BOOST_TEST(
      profile_table(sample()) ==
      "                                     global                           shared\n"
      "                  launches  threads   loads   bytes  atomics  on one  stores  conflicts\n"
      "counts_kernel            3     1200  100000  400000       70       7       2         31\n"
      "copy to the host         1        0       0       8        0       9       0          0\n"
      "total                    4     1200  100000  400008       70       9       2         31\n");
}

BOOST_AUTO_TEST_CASE(a_program_that_does_nothing_has_a_table) {
  BOOST_TEST(profile_table({}) == "\n\ntotal\n");
}

BOOST_AUTO_TEST_CASE(json_has_every_number) {
  const std::string text = profile_json(sample());
  for (const char* const part :
       {"\"failure\": null", "\"work\": \"kernel\"", "\"name\": \"counts_kernel\"",
        "\"global_loads\": 100000", "\"shared_loads\": 0", "\"total\": {"})
    BOOST_TEST(text.find(part) != text.npos, part);
  Profile failed = sample();
  failed.failure = "index \"7\" is wrong";
  BOOST_TEST(profile_json(failed).find(R"("failure": "index \"7\" is wrong")") !=
             std::string::npos);
}

}  // namespace boustro::driver
