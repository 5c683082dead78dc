// Precompiled headers change how long a judgement takes, and nothing else.
#include "emit/verify/header_cache.hpp"

#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include <fmt/ranges.h>
#include <boost/test/unit_test.hpp>

#include "emit/verify/verify.hpp"

namespace boustro::verify::header_cache_tests {
namespace {
namespace fs = std::filesystem;

/// A folder that goes with this program; making headers takes its time, so that the cases share it.
struct Folder {
  fs::path path = fs::temp_directory_path() / fmt::format("boustro-headers-{}", getpid());
  ~Folder() { fs::remove_all(path); }
};

/// Headers are kept there while this lives.
struct Cache {
  const fs::path& folder;
  Cache() : folder(shared().path) { setenv("BOUSTRO_CACHE", folder.c_str(), 1); }
  ~Cache() { unsetenv("BOUSTRO_CACHE"); }

  static const Folder& shared() {
    static const Folder folder;
    return folder;
  }

  std::vector<fs::path> files() const {
    std::vector<fs::path> result;
    if (fs::exists(folder))
      for (const auto& entry : fs::directory_iterator(folder)) result.push_back(entry.path());
    return result;
  }
};

CudaText sum_of(const std::string& include, const std::string& statement = "") {
  return {"test.cu",
          "#include \"test.hpp\"\n" + include +
              "namespace test {\ncudaError_t entry(float* y, const float* xs, int n, cudaStream_t stream) {\n"
              "std::size_t bytes = 0;\n" + statement +
              "return cub::DeviceReduce::Sum(nullptr, bytes, xs, y, n, stream);\n}\n}  // namespace test\n",
          "test.hpp",
          "#pragma once\n#include <cuda_runtime_api.h>\nnamespace test {\n[[nodiscard]] cudaError_t "
          "entry(float* y, const float* xs, int n, cudaStream_t stream);\n}\n"};
}

std::string problems_of(const CudaText& text) {
  return fmt::format("{}", fmt::join(verify_cuda(text, {.entries = {"entry"}}).problems, "\n"));
}

const std::string reduce = "#include <cub/device/device_reduce.cuh>\n";

void damage(const fs::path& file) { std::ofstream(file) << "no headers"; }

}  // namespace

BOOST_FIXTURE_TEST_CASE(headers_are_kept_for_host_and_device, Cache) {
  BOOST_TEST(problems_of(sum_of(reduce)) == "");
  BOOST_TEST(files().size() == 2);
  BOOST_TEST(problems_of(sum_of(reduce)) == "");
  BOOST_TEST(files().size() == 2);
}

BOOST_FIXTURE_TEST_CASE(they_hide_no_problem, Cache) {
  const std::string unused = problems_of(sum_of(reduce, "int unused = 1;\n"));
  BOOST_TEST(unused.find("unused variable 'unused'") != std::string::npos, unused);
  const std::string forgotten = problems_of(sum_of("#include <thrust/iterator/counting_iterator.h>\n"));
  BOOST_TEST(forgotten.find("no member named 'DeviceReduce'") != std::string::npos, forgotten);
}

BOOST_FIXTURE_TEST_CASE(damaged_ones_are_replaced, Cache) {
  BOOST_TEST(problems_of(sum_of(reduce)) == "");
  for (const fs::path& file : files()) damage(file);
  BOOST_TEST(problems_of(sum_of(reduce)) == "");
  BOOST_TEST(files().empty());
  BOOST_TEST(problems_of(sum_of(reduce)) == "");
  BOOST_TEST(files().size() == 2);
}

BOOST_AUTO_TEST_CASE(an_empty_name_keeps_none) {
  setenv("BOUSTRO_CACHE", "", 1);
  bool asked = false;
  BOOST_TEST(!cached_headers({"clang"}, [&](const fs::path&) { return asked = true; }).has_value());
  BOOST_TEST(!asked);
  unsetenv("BOUSTRO_CACHE");
}

BOOST_FIXTURE_TEST_CASE(what_could_not_be_made_is_not_kept, Cache) {
  const auto half = [](const fs::path& file) {
    damage(file);
    return false;
  };
  const std::size_t before = files().size();
  BOOST_TEST(!cached_headers({"clang"}, half).has_value());
  BOOST_TEST(files().size() == before);
}

}  // namespace boustro::verify::header_cache_tests
