// What comments of emitted files say.
#include <sstream>

#include <boost/test/unit_test.hpp>

#include "workplace.hpp"

namespace boustro::driver {
namespace {

/// The comments of the CUDA program, each on one line.
std::string comments_of(const std::string& program) {
  Workplace place(program);
  TranslateOptions options;
  options.file = "program.fut";
  options.verify = VerifyWith::nothing;
  BOOST_REQUIRE(place.translate(options) == 0);
  std::istringstream text(place.read("program.cu"));
  std::string result;
  for (std::string line; std::getline(text, line);) {
    const auto comment = line.find("//");
    if (comment == std::string::npos) continue;
    auto begin = line.find_first_not_of("/", comment);
    // What goes on is indented by more than a paragraph of its own.
    const auto word = line.find_first_not_of(' ', std::min(begin, line.size()));
    const bool goes_on = word != std::string::npos && word - begin > 4;
    result += (goes_on ? " " : "\n") + (word == std::string::npos ? "" : line.substr(word));
  }
  return result;
}

void check_has(const std::string& comments, const std::string& line) {
  BOOST_TEST(comments.find("\n" + line + "\n") != std::string::npos, line << " is not in" << comments);
}

}  // namespace

BOOST_AUTO_TEST_CASE(comments_say_which_thread_computes_what) {
  check_has(comments_of("entry sums [n] [m] (xs: [n][m]f32) : [n]f32 = map f32.sum xs\n"),
            "grid    a row of threads (one threadIdx.y) per `i`, which share its sums");
  check_has(comments_of("entry sums [l] [n] [m] (xs: [l][n][m]f32) : [l][n]f32 = map (map f32.sum) xs\n"),
            "grid    a row of threads (one threadIdx.y) per `i` and `j`, which share its sums: `j` to blockIdx.x and threadIdx.y, `i` to blockIdx.y");
  check_has(comments_of("entry sums [n] [m] (xs: [n][m]f32) : [m]f32 = map f32.sum (transpose xs)\n"),
            "grid    a column of threads (one threadIdx.x) per `i`, which share its sums");
}

BOOST_AUTO_TEST_CASE(comments_say_which_block_computes_what) {
  const std::string product = comments_of("entry product [n] [m] [k] (xs: [n][k]f32) (ys: [k][m]f32) : [n][m]f32 =\n"
                                          "  map (\\x -> map (\\y -> f32.sum (map2 (*) x y)) (transpose ys)) xs\n");
  check_has(product, "grid    one block per tile of results: `i` to blockIdx.x and threadIdx.y, `j` to blockIdx.y and threadIdx.x");
  const std::string nearest = comments_of("entry nearest [n] [m] [k] (xs: [n][k]f32) (ys: [m][k]f32) : [n]f32 =\n"
                                          "  map (\\x -> f32.minimum (map (\\y -> f32.sum (map2 (\\a b -> (a - b) * (a - b)) x y)) ys)) xs\n");
  check_has(nearest, "grid    one block per tile_width points `i` (blockIdx.x, threadIdx.y), tile after tile of `j` (threadIdx.x)");
}

BOOST_AUTO_TEST_CASE(comments_name_all_indices_that_threads_take) {
  check_has(comments_of("entry turned [n] [m] [k] (xs: [m][n][k]f32) : [n][m][k]f32 = tabulate_3d n m k (\\i j t -> 2 * xs[j, i, t])\n"),
            "grid    one thread per `i`, `j` and `t`: `i` to blockIdx.x and threadIdx.y, `t` to blockIdx.y and threadIdx.x, `j` to blockIdx.z");
}

}  // namespace boustro::driver
