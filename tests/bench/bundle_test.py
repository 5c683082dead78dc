#!/usr/bin/env python3
"""boustro bundle: what it writes and refuses, and that the folder builds, checks and times, with CUDA run on the CPU.

Usage: bundle_test.py BOUSTRO [Written|Run]
"""
import json
import struct
import sys
import unittest

from commands import BOUSTRO, InFolder

PROGRAM = """
-- ==
-- entry: squares
-- "good" input { [1.0f32, 2.0f32] } output { 5.0f32 }
-- "wrong" input { [1.0f32, 2.0f32] } output { 5.5f32 }
-- "large" random input { [1000]f32 }
-- "must fail" input { [1.0f32] } error: never
entry squares [n] (xs: [n]f32) : f32 = f32.sum (map (\\x -> x * x) xs)

-- ==
-- entry: rows
-- "late" input { [[1i64, 2i64], [-1i64, 5i64], [3i64, 4i64]] } output { [[1i64, 2i64], [3i64, 4i64]] 2i64 }
-- "wrong" input { [[1i64, 2i64]] } output { [[1i64, 3i64]] 1i64 }
-- "wrong size" input { [[1i64, 2i64]] } output { [[1i64, 2i64], [3i64, 4i64]] 1i64 }
entry rows [n] [m] (xss: [n][m]i64) : ([][m]i64, i64) = let yss = filter (all (> 0)) xss in (yss, length yss)

-- ==
-- entry: first
-- "inside" input { [true, false] 1i32 2u8 } output { false 3u8 }
-- "outside" input { [true] 7i32 2u8 } output { false 3u8 }
entry first (xs: []bool) (i: i32) (x: u8) : (bool, u8) = (xs[i], x + 1)

def cube (x: f64) : f64 = x * x * x
"""


class Written(InFolder):
    def setUp(self):
        super().setUp()
        self.write("program.fut", PROGRAM)

    def bundle(self, *words, code=0):
        return self.run_command(BOUSTRO, "bundle", "program.fut", "-o", "out", *words, code=code)

    def assert_refused(self, text, *words, code=1):
        before = self.names()
        self.assertIn(text, self.bundle(*words, code=code))
        self.assertEqual(self.names(), before)

    def test_files(self):
        self.bundle("-e", "squares", "--vjp", "squares")
        out = self.folder / "out"
        self.assertEqual(sorted(path.name for path in out.iterdir()), ["Makefile", "README.md", "cases.tsv", "data", "harness", "main.cu", "programs"])
        self.assertEqual(sorted(path.name for path in (out / "programs").iterdir()), ["program.cu", "program.hpp", "program_calls.cu"])
        lines = [line.split("\t") for line in (out / "cases.tsv").read_text().splitlines()[1:]]
        self.assertEqual([(line[1], line[2], line[4]) for line in lines],
            [(entry, role, name) for name in ("good", "wrong", "large") for entry, role in (("squares", "primal"), ("squares_vjp", "vjp"))])
        # The derivative of the sum of squares at (1, 2) with the adjoint 1, and its arguments.
        head = b"b\x02\x01 f32" + struct.pack("<Q", 2)
        self.assertEqual((out / lines[1][6]).read_bytes(), head + struct.pack("<ff", 2, 4))
        self.assertEqual((out / lines[1][5]).read_bytes(),
            head + struct.pack("<ff", 1, 2) + b"b\x02\x00 f32" + struct.pack("<f", 1) + b"b\x02\x00 i64" + struct.pack("<q", 2))

    def test_what_is_in_the_way(self):
        self.bundle("-e", "squares")
        (self.folder / "out" / "results.json").write_text("")
        self.bundle("-e", "rows")  # a bundle is replaced
        self.assertFalse((self.folder / "out" / "results.json").exists())
        (self.folder / "out" / "cases.tsv").unlink()
        self.assert_refused("`out` is not empty, and not a bundle")
        self.assertFalse((self.folder / "out" / "cases.tsv").exists())
        self.bundle("-e", "rows", "--force")
        self.assertTrue((self.folder / "out" / "cases.tsv").exists())
        self.write("file", "")
        self.assertIn("`file` is no folder", self.run_command(BOUSTRO, "bundle", "program.fut", "-o", "file", code=1))
        self.assertIn("cannot write `none/out`: No such file", self.run_command(BOUSTRO, "bundle", "program.fut", "-o", "none/out", code=1))
        self.assertEqual(self.names(), ["file", "out", "program.fut"])

    def test_refusals(self):
        self.assert_refused("the program has no function `none`", "-e", "none")
        self.assert_refused("`cube` has no data sets", "--vjp", "cube")
        self.assert_refused("`first` has no float parameter or no float result", "--jvp", "first")
        self.assert_refused("two programs are named `program`", "./program.fut")
        self.write("a b.fut", PROGRAM)
        self.assertIn("`a b.fut`: names in a bundle have letters", self.run_command(BOUSTRO, "bundle", "a b.fut", "-o", "out", code=1))
        (self.folder / "a b.fut").unlink()
        self.write("empty.fut", "entry f (x: i64) : i64 = x")
        self.assertIn("no entry has data sets", self.run_command(BOUSTRO, "bundle", "empty.fut", "-o", "out", code=1))
        self.write("fails.fut", "-- ==\n-- \"none\" input { 0 }\nentry main (x: i32) : i32 = 1 / x")
        self.assertIn("fails.fut: `main` on `none`: fails.fut:3:29: division by zero",
            self.run_command(BOUSTRO, "bundle", "fails.fut", "-o", "out", code=1))
        self.assertEqual(self.names(), ["empty.fut", "fails.fut", "program.fut"])


class Run(InFolder):
    def make(self, target, *words, code=0):
        printed = self.run_command("make", "-C", "out", target, f"NVCC={BOUSTRO} cuda-on-cpu", *words, code=code)
        self.assertNotIn("warning", printed)
        return printed, json.loads((self.folder / "out" / "results.json").read_text())

    def test_check_and_bench(self):
        self.write("program.fut", PROGRAM)
        self.run_command(BOUSTRO, "bundle", "program.fut", "-o", "out")
        printed, results = self.make("check", code=2)
        outcomes = {(result["entry"], result["data_set"]): result for result in results["results"]}
        self.assertEqual(sorted(key for key, result in outcomes.items() if result["passed"]),
            [("first", "inside"), ("rows", "late"), ("squares", "good"), ("squares", "large")])
        failures = {key: result["failure"] for key, result in outcomes.items() if not result["passed"]}
        self.assertEqual(failures[("squares", "wrong")], "result 0 is 5, expected 5.5")
        self.assertEqual(failures[("rows", "wrong")], "result 0 at [0][1] is 2, expected 3")
        self.assertEqual(failures[("rows", "wrong size")], "result 0 has 2 elements, expected 4")
        self.assertIn("out of bounds", failures[("first", "outside")])
        self.assertAlmostEqual(outcomes[("squares", "wrong")]["max_relative_error"], 0.5 / 5.5, places=6)
        self.assertLess(outcomes[("squares", "large")]["max_relative_error"], 1e-5)
        self.assertIn("4 passed, 4 failed", printed)

        self.run_command(BOUSTRO, "bundle", "program.fut", "-o", "out", "--vjp", "squares", "--size", "n=50", "--reference", "cpp")
        printed, results = self.make("bench", "RUNS=4", "SECONDS=0", "CONVERGENCE=0")
        self.assertIn("2 passed, 0 failed", printed)
        primal, derivative = results["results"]
        self.assertEqual((primal["runs"], len(derivative["seconds"])), (4, 4))
        self.assertAlmostEqual(primal["mean_seconds"], sum(primal["seconds"]) / 4, places=8)
        self.assertEqual(derivative["primal"], "squares")
        self.assertAlmostEqual(derivative["ratio"], derivative["mean_seconds"] / primal["mean_seconds"], delta=1e-3 * derivative["ratio"])


if __name__ == "__main__":
    del sys.argv[1]
    unittest.main()
