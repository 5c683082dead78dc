#include "emit/verify/verify.hpp"

#include <fmt/ranges.h>
#include <boost/test/unit_test.hpp>

namespace boustro::verify::verify_tests {
namespace {

/// A file of the right form around a kernel and the entry that launches it.
CudaText file_with(const std::string& device, const std::string& entry_body,
                   const std::string& top = "") {
  return {"test.cu",
          "#include \"test.hpp\"\n" + top + "namespace test {\nnamespace {\n" + device +
              "\n}  // namespace\ncudaError_t entry(float* ys, const float* xs, int n, "
              "cudaStream_t stream) {\n" +
              entry_body + "\n}\n}  // namespace test\n",
          "test.hpp",
          "#pragma once\n#include <cuda_runtime_api.h>\nnamespace test {\n"
          "[[nodiscard]] cudaError_t entry(float* ys, const float* xs, int n, cudaStream_t "
          "stream);\n}\n"};
}

const std::string kernel =
    "__global__ void twice(float* __restrict__ ys, const float* __restrict__ xs, int n) {\n"
    "  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);\n"
    "  if (i < n) ys[i] = 2.0f * xs[i];\n}\n";
const std::string launch = "twice<<<1, 32, 0, stream>>>(ys, xs, n);\n";

const Permissions permissions{.entries = {"entry"}};
std::string problems_of(const CudaText& text) {
  return fmt::format("{}", fmt::join(verify_cuda(text, permissions).problems, "\n"));
}
bool mentions(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_CASE(accepts_a_good_file) {
  BOOST_TEST(problems_of(file_with(kernel, launch + "return cudaGetLastError();")) == "");
  BOOST_TEST(
      problems_of(file_with(
          kernel,
          launch +
              "if (const auto error = cudaGetLastError()) return error;\nreturn cudaSuccess;")) ==
      "");
}

BOOST_AUTO_TEST_CASE(reports_clang_diagnostics_with_their_place) {
  const std::string problems =
      problems_of(file_with(kernel, launch + "int unused = 1;\nreturn cudaGetLastError();"));
  BOOST_TEST(mentions(problems, "unused variable 'unused'"));
  BOOST_TEST(mentions(problems, "test.cu:11:"));
}

BOOST_AUTO_TEST_CASE(device_parse_finds_host_calls) {
  const std::string bad =
      "float host_only(float x) { return x; }\n__global__ void k(float* ys) { *ys = "
      "host_only(1.0f); }\n";
  BOOST_TEST(mentions(
      problems_of(file_with(
          bad, "k<<<1, 1, 0, stream>>>(ys);\n(void)xs; (void)n;\nreturn cudaGetLastError();")),
      "host_only"));
}

BOOST_AUTO_TEST_CASE(every_launch_is_checked) {
  BOOST_TEST(
      mentions(problems_of(file_with(kernel, launch + "return cudaSuccess;")), "launch: no check"));
  BOOST_TEST(mentions(
      problems_of(file_with(kernel, "if (n > 0) " + launch + "return cudaGetLastError();")),
      "launch: no check"));
}

BOOST_AUTO_TEST_CASE(nothing_waits_allocates_or_throws) {
  const auto with = [](const std::string& statement) {
    return problems_of(file_with(kernel, statement + launch + "return cudaGetLastError();"));
  };
  BOOST_TEST(
      mentions(with("if (cudaDeviceSynchronize() != cudaSuccess) return cudaErrorUnknown;\n"),
               "waits for the device"));
  BOOST_TEST(mentions(
      with("void* p = nullptr; if (cudaMalloc(&p, 4) != cudaSuccess) return cudaErrorUnknown;\n"),
      "allocates"));
  BOOST_TEST(mentions(with("if (n < 0) throw 1;\n"), "does not throw"));
  BOOST_TEST(mentions(with("delete new int;\n"), "`new` allocates"));
}

BOOST_AUTO_TEST_CASE(a_waiting_entry_may_wait) {
  const CudaText text = file_with(
      kernel, "if (cudaStreamSynchronize(stream) != cudaSuccess) return cudaErrorUnknown;\n" +
                  launch + "return cudaGetLastError();");
  BOOST_TEST(verify_cuda(text, {.waiting_entries = {"entry"}, .entries = {"entry"}}).problems.empty());
}

BOOST_AUTO_TEST_CASE(only_entries_are_visible) {
  const CudaText good = file_with(kernel, launch + "return cudaGetLastError();");
  CudaText bad = good;
  bad.source += "namespace test { int helper() { return 1; } int counter = 0; }\n";
  BOOST_TEST(mentions(problems_of(bad), "linkage: `helper`"));
  BOOST_TEST(mentions(problems_of(bad), "linkage: `counter`"));
}

BOOST_AUTO_TEST_CASE(no_macros_and_no_foreign_includes) {
  const auto with = [](const std::string& top) {
    return problems_of(file_with(kernel, launch + "return cudaGetLastError();", top));
  };
  BOOST_TEST(mentions(with("#define SIZE 1\n"), "macro:"));
  BOOST_TEST(mentions(with("#include <unistd.h>\n"), "include: `unistd.h`"));
  BOOST_TEST(with("#include <cmath>\n#include <cuda_fp16.h>\n") == "");
}

BOOST_AUTO_TEST_CASE(kernel_parameters_are_used) {
  const std::string bad = "__global__ void k(float* ys, int n) { *ys = 1.0f; }\n";
  BOOST_TEST(
      mentions(problems_of(file_with(
                   bad, "k<<<1, 1, 0, stream>>>(ys, n);\n(void)xs;\nreturn cudaGetLastError();")),
               "`n`"));
}

BOOST_AUTO_TEST_CASE(dynamic_shared_arrays_have_their_own_names) {
  const std::string bad =
      "__global__ void a(float* ys) { extern __shared__ float tile[]; tile[0] = 1; *ys = tile[0]; "
      "}\n"
      "__global__ void b(float* ys) { extern __shared__ float tile[]; tile[0] = 1; *ys = tile[0]; "
      "}\n";
  const std::string body =
      "(void)xs; (void)n;\na<<<1, 1, 4, stream>>>(ys);\nif (const auto e = cudaGetLastError()) "
      "return e;\n"
      "b<<<1, 1, 4, stream>>>(ys);\nreturn cudaGetLastError();";
  BOOST_TEST(mentions(problems_of(file_with(bad, body)), "shared: dynamic shared array `tile`"));
}

BOOST_AUTO_TEST_CASE(the_emulator_knows_one_instruction_of_ptx) {
  const auto problems = [](const std::string& instruction) {
    const std::string device = "__global__ void k(double* ys) {\n  double x = 1, y = 2, z = 3, w = 4;\n  asm(\"" + instruction +
                               "\" : \"+d\"(x), \"+d\"(y), \"+d\"(z), \"+d\"(w) : \"d\"(ys[0]), \"d\"(ys[1]), \"d\"(ys[2]));\n"
                               "  ys[0] = x + y + z + w;\n}\n";
    const Rewritten rewritten = rewrite_for_cpu(file_with(device, "(void)xs; (void)n; (void)ys;\nk<<<1, 32, 0, stream>>>(nullptr);\nreturn cudaGetLastError();"));
    return fmt::format("{}", fmt::join(rewritten.problems, "\n"));
  };
  BOOST_TEST(problems("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};") == "");
  BOOST_TEST(mentions(problems("fma.rn.f64 %0, %4, %5, %1;"), "there is no other asm than mma.sync.aligned.m16n8k4 and m8n8k4 of f64"));
}

BOOST_AUTO_TEST_CASE(shared_arrays_keep_what_they_say_of_their_size) {
  const Rewritten rewritten = rewrite_for_cpu(file_with("template <typename T>\n__device__ T* row() {\n  static __shared__ T cells[static_cast<int>(sizeof(T))];\n"
                                                        "  return cells;\n}\n__global__ void k(float* ys) { *ys = *row<float>(); }\n",
                                                        "(void)xs; (void)n; (void)ys;\nk<<<1, 32, 0, stream>>>(ys);\nreturn cudaGetLastError();"));
  BOOST_TEST(mentions(rewritten.source, "T cells[static_cast<int>(sizeof(T))]; };"), rewritten.source);
  BOOST_TEST(!mentions(rewritten.source, "static  T"));
}

BOOST_AUTO_TEST_CASE(remarks_on_wide_divisions_in_kernels_only) {
  const std::string dividing =
      "__global__ void k(float* ys, int64_t n, int64_t m) { ys[n / m] = 1.0f; }\n";
  const CudaText text = file_with("using std::int64_t;\n" + dividing,
                                  "(void)xs;\nconst long q = 7L / n;\nk<<<1, 1, 0, stream>>>(ys, "
                                  "q, n);\nreturn cudaGetLastError();",
                                  "#include <cstdint>\n");
  const Verdict verdict = verify_cuda(text, permissions);
  BOOST_TEST(verdict.problems.empty(), fmt::format("{}", fmt::join(verdict.problems, "\n")));
  BOOST_REQUIRE(verdict.remarks.size() == 1);
  BOOST_TEST(mentions(verdict.remarks[0], "64-bit"));
}

BOOST_AUTO_TEST_CASE(outermost_nests_are_watched) {
  const Rewritten watched = time_nests({"test.cpp",
                                        "#include \"test.hpp\"\n"
                                        "namespace test {\nnamespace {\n"
                                        "void helper(float* ys) { for (int i = 0; i < 3; ++i) ys[i] = 0; }\n"
                                        "}\n"
                                        "void entry(float* ys, int n) {\n"
                                        "  for (int i = 0; i < n; ++i)\n"
                                        "    for (int j = 0; j < i; ++j) ys[i] += 1;\n"
                                        "  for (int step = 0; step < 2; ++step) {\n"
                                        "#ifdef _OPENMP\n"
                                        "#pragma omp parallel for if (n > 1)\n"
                                        "#endif\n"
                                        "    for (int i = 1; i < n; ++i) {\n"
                                        "      ys[i] *= 2;\n"
                                        "    }\n"
                                        "  }\n"
                                        "  int left = n;\n"
                                        "  while (left > 1) left /= 2;\n"
                                        "  helper(ys);\n"
                                        "}\n}\n",
                                        "test.hpp", "#pragma once\nnamespace test { void entry(float* ys, int n); }\n"});
  BOOST_TEST(watched.problems.empty());
  const auto watch = [](const std::string& number, const std::string& text) {
    return "static harness::Nest nest_" + number + "(" + number + ", \"" + text + "\"); const harness::NestWatch watch_" +
           number + "(nest_" + number + ");";
  };
  BOOST_TEST(watched.source ==
             "#include \"harness/nests.hpp\"\n"
             "#include \"test.hpp\"\n"
             "namespace test {\nnamespace {\n"
             "void helper(float* ys) { for (int i = 0; i < 3; ++i) ys[i] = 0; }\n"
             "}\n"
             "void entry(float* ys, int n) {\n" +
                 watch("0", "entry") + "\n  { " + watch("7", "i < n") +
                 "\n  for (int i = 0; i < n; ++i)\n"
                 "    for (int j = 0; j < i; ++j) ys[i] += 1; }\n"
                 "  for (int step = 0; step < 2; ++step) {\n"
                 "{ " +
                 watch("13", "i < n") +
                 "\n#ifdef _OPENMP\n"
                 "#pragma omp parallel for if (n > 1)\n"
                 "#endif\n"
                 "    for (int i = 1; i < n; ++i) {\n"
                 "      ys[i] *= 2;\n"
                 "    } }\n"
                 "  }\n"
                 "  int left = n;\n"
                 "  { " +
                 watch("18", "left > 1") +
                 "\n  while (left > 1) left /= 2; }\n"
                 "  helper(ys);\n"
                 "}\n}\n");
}

BOOST_AUTO_TEST_CASE(launches_are_watched) {
  const std::string sum = "void* scratch = nullptr;\nstd::size_t bytes = 0;\nreturn cub::DeviceReduce::Sum(scratch, bytes, xs, ys, n, stream);";
  const CudaText text = file_with(kernel, launch + "twice<<<1, 32>>>(ys, xs, n);\n" + sum, "#include <cub/cub.cuh>\n");
  std::string expected = "#include \"harness/launches.hpp\"\n" + text.source;
  const std::string call = "cub::DeviceReduce::Sum(scratch, bytes, xs, ys, n, stream)";
  expected.replace(expected.find(call), call.size(),
                   "(static_cast<void>(harness::LaunchWatch(\"cub::DeviceReduce::Sum\", stream, scratch != nullptr)), " + call + ")");
  expected.insert(expected.find("twice<<<1, 32, 0"), "static_cast<void>(harness::LaunchWatch(\"twice\", stream)), ");
  expected.insert(expected.find("twice<<<1, 32>"), "static_cast<void>(harness::LaunchWatch(\"twice\", nullptr)), ");
  const Rewritten watched = time_launches(text);
  BOOST_TEST(watched.problems.empty());
  BOOST_TEST(watched.source == expected);
}

}  // namespace boustro::verify::verify_tests
