#!/usr/bin/python3
"""Tests of what scripts/readability counts by. Run by CTest."""

import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
SCRIPTS = pathlib.Path(__file__).resolve().parent.parent.parent / "scripts"
sys.path.insert(0, str(SCRIPTS))
from lib import emitted, programs, readability

# Enough of CUDA to read launches without its headers.
CUDA = """
#define __global__ __attribute__((global))
struct dim3 { unsigned x, y, z; dim3(unsigned x, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {} };
typedef struct stream* cudaStream_t;
typedef int cudaError_t;
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, unsigned long bytes = 0, void* stream = 0);
extern "C" cudaError_t cudaLaunchKernel(const void*, dim3, dim3, void**, unsigned long, cudaStream_t);
cudaError_t cudaGetLastError();
enum Kind { cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice };
cudaError_t cudaMemcpyAsync(void*, const void*, unsigned long, Kind);
namespace cub { struct DeviceReduce { static cudaError_t Reduce(); }; }
"""
ENTRY = """
namespace {
__global__ void xs_kernel(int* xs) { *xs = 1; }
cudaError_t copy_array(int* to, const int* from, int n) { return cudaMemcpyAsync(to, from, n, cudaMemcpyDeviceToDevice); }
cudaError_t reduce_xs() { return cub::DeviceReduce::Reduce(); }
}
cudaError_t f_scratch(unsigned long* bytes) { return 0; }
cudaError_t f(int* xs, int* ys, int n) {
  if (n < 0) return 1;
  if (n > 0) {
    const int grid = n / 2;
    xs_kernel<<<grid, 1>>>(xs);
    if (const auto error = cudaGetLastError()) return error;
  }
  xs_kernel<<<1, 1>>>(xs);
  if (const auto error = reduce_xs()) return error;
  if (const auto error = cudaMemcpyAsync(&n, ys, 4, cudaMemcpyDeviceToHost)) return error;
  return copy_array(ys, xs, n);
}
"""


class Reading(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def read(self, text, target="cpp"):
        path = self.folder / "emitted.cpp"
        path.write_text(text)
        flags = ["-x", "cuda", "--cuda-host-only", "-nocudainc", "-nocudalib"] if target == "cuda" else emitted.flags(target)
        return emitted.parse(path, flags)

    def measures(self, text, target="cpp"):
        return readability.measure(self.read(text, target), 1)[0]

    def entry(self):
        (self.folder / "cuda.h").write_text(CUDA)
        return self.measures('#include "cuda.h"\n' + ENTRY, "cuda")

    # ---- Names

    def test_names_that_end_in_a_digit_are_numbered(self):
        names = ("x", "x_2", "x2", "exp_2_", "x2y", "exp_")
        self.assertEqual([name for name in names if readability.is_numbered(name)], ["x_2", "x2", "exp_2_"])

    def test_counts_what_the_file_declares_and_where_it_stands(self):
        m = self.measures("#include <cstdint>\nint twice(int32_t x_2) { const int y = x_2 + x_2; return y; }\n")
        self.assertEqual((m.names, m.numbered, m.uses, m.numbered_uses), (3, 1, 6, 3))

    def test_numbers_of_the_source_and_of_results_have_a_reason(self):
        names = ("x_2", "tmp2", "sum_of_tmp2", "tmp_2", "y1_", "result_0", "xs_result_0")
        self.assertEqual([name for name in names if not readability.has_reason(name, {"tmp2", "y1"})], ["x_2", "tmp_2", "xs_result_0"])
        m = readability.measure(self.read("int f(int tmp2, int result_1, int x_2) { return tmp2 + result_1 + x_2; }\n"), 1, {"tmp2"})[0]
        self.assertEqual((m.numbered, m.told_apart), (3, 1))

    def test_names_of_the_source_that_end_in_a_digit(self):
        (self.folder / "other.fut").write_text("def g2 x1 = x1\n")
        path = self.folder / "main.fut"
        path.write_text('import "other"\n-- v9\ndef f y = g2 (y + 12)\n')
        self.assertEqual(programs.source_numbered(path), {"g2", "x1", "v9"})

    def test_comments_have_no_names(self):
        self.assertEqual(self.measures("// x_2\nint x_2 = 1;  // x_2\n").numbered_uses, 1)

    # ---- Sizes

    def test_lines_of_the_longest_function(self):
        m = self.measures("int a() { return 1; }\nstruct B {\n  int b() {\n    return 1;\n  }\n};\nint c();\n")
        self.assertEqual((m.lines, m.longest_function, m.longest_line), (7, (3, "b"), 21))

    def test_lines_of_the_source(self):
        (self.folder / "lib").mkdir()
        (self.folder / "lib/far.fut").write_text("def far = 1\n")
        (self.folder / "near.fut").write_text('import "main"\n\ndef near = 1\n')
        main = self.folder / "main.fut"
        main.write_text('-- A comment\nimport "near"\nimport "lib/far"\n-- import "not"\n'
                        'entry main = near  -- this one\n\n-- ==\n-- input { 1 }\n')
        self.assertEqual(programs.source_lines(main), 5)

    # ---- Entries

    def test_steps_are_launches_calls_of_a_library_and_copies(self):
        m = self.entry()
        self.assertEqual((m.entries, m.steps, m.copies, m.one_thread), (1, 5, 1, 1))

    def test_an_underscore_that_ends_a_name_is_not_repeated(self):
        self.assertEqual(self.measures("void main_scratch() {}\nvoid main_() {}\nvoid f() {}\n").entries, 1)

    def test_statements_of_entries_are_counted_in_blocks_and_under_conditions(self):
        self.assertEqual(self.entry().statements, 2 + 5 + 1 + 2 + 2 + 1)

    def test_outermost_loops_are_the_steps_of_cpp(self):
        m = self.measures("void f_scratch() {}\nvoid f(int n) {\n  for (int i = 0; i < n; ++i) {\n"
                          "    for (int j = 0; j < n; ++j) n += j;\n  }\n"
                          "  while (n > 0) --n;\n}\n")
        self.assertEqual((m.steps, m.statements), (2, 5))

    # ---- What could be left out

    def known(self, text):
        return [text for _, text in readability.known_conditions(self.read(text))]

    def test_finds_comparisons_that_are_known(self):
        text = "constexpr int block = 8;\nint f(int n) {\n  if (1 < 2) n = 1;\n  if (n > 0 && block > 1) n = 2;\n"
        text += "  return block == 8 || 0 < 1 ? n : 0;\n}\n"
        self.assertEqual(self.known(text), ["1 < 2", "block > 1", "block == 8 || 0 < 1"])

    def test_finds_conditions_that_are_known(self):
        self.assertEqual(self.known("int f(int n) {\n  if (true) n = 1;\n  while (true) n = n ? 1 : 2;\n}\n"), ["true"])

    def test_what_depends_on_a_template_is_not_known(self):
        self.assertEqual(self.known("template <typename T> bool f() { return sizeof(T) < 4; }\n"), [])

    # ---- Equal functions

    def equal(self, text):
        return readability.equal_functions(self.read("namespace {\n" + text + "}\n"))

    def test_functions_are_equal_but_for_their_own_names(self):
        self.assertEqual(self.equal("float f(float x) { const float y = x + 1; return y; }\n"
                                    "float g(float a) { const float b = a + 1; return b; }\n"),
                         [["f", "g"]])

    def test_names_are_compared_where_they_mean_something(self):
        self.assertEqual(self.equal("int f(int x, int y) { return x - y; }\nint g(int x, int y) { return y - x; }\n"), [])
        self.assertEqual(self.equal("int f(int);\nint g(int);\nint h(int x) { return f(x); }\nint k(int x) { return g(x); }\n"), [])
        self.assertEqual(self.equal("void f(int n) { for (int i = 0; i < n; ++i); for (int i = 0; i < n; ++i); }\n"
                                    "void g(int n) { for (int i = 0; i < n; ++i); for (int j = 0; j < n; ++j); }\n"), [["f", "g"]])

    def test_callers_of_equal_functions_are_equal(self):
        self.assertEqual(self.equal("struct A { int x; };\nstruct B { int y; };\n"
                                    "struct F { A operator()(A a) const { return {a.x}; } };\n"
                                    "struct G { B operator()(B b) const { return {b.y}; } };\n"
                                    "A f(A a) { return F()(a); }\nB g(B b) { return G()(b); }\n"), [["F", "G"], ["f", "g"]])

    def test_entries_are_equal_to_none(self):
        self.assertEqual(readability.equal_functions(self.read("int f(int x) { return x; }\nint g(int x) { return x; }\n")), [])

    def test_other_types_are_other_functions(self):
        self.assertEqual(self.equal("int f(int x) { return x; }\nfloat g(float x) { return x; }\n"), [])

    def test_what_clang_rejects_is_an_error(self):
        with self.assertRaisesRegex(ValueError, "undeclared"):
            self.read("int x = y;\n")


class Adding(unittest.TestCase):
    def test_counts_add_up_and_the_longest_counts(self):
        a = readability.Measures(entries=1, lines=10, longest_function=(5, "f"), longest_line=80)
        b = readability.Measures(entries=2, lines=20, longest_function=(7, "g"), longest_line=70)
        self.assertEqual(a + b, readability.Measures(entries=3, lines=30, longest_function=(7, "g"), longest_line=80))


if __name__ == "__main__":
    unittest.main()
