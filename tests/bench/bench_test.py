#!/usr/bin/env python3
"""boustro bench: what is called, how results are judged, what is reported.

Usage: bench_test.py BOUSTRO
"""
import json
import sys
import unittest

from commands import BOUSTRO, InFolder

PROGRAM = """
-- ==
-- entry: squares
-- "good" input { [1.0, 2.0] } output { 5.0 }
-- "wrong" input { [1.0, 2.0] } output { 6.0 }
-- "computed" input { [3.0] } auto output
-- "left out" nobench input { [1.0] }
-- "slow" slow random input { [100]f64 }
-- "must fail" input { [] } error: empty
entry squares [n] (xs: [n]f64) : f64 = f64.sum (map (\\x -> x * x) xs)

-- ==
-- entry: gradient
-- "good" input { [1.0, 2.0] } output { [2.0, 4.0] }
entry gradient [n] (xs: [n]f64) : [n]f64 = map (* 2) xs

def cube (x: f64) : f64 = x * x * x

-- ==
-- entry: mk
-- script input { mk 3i64 }
entry mk (n: i64) : i64 = n + 1

-- ==
-- entry: first
-- "outside" input { [1i64] 1i64 }
-- "inside" input { [5i64] 0i64 } output { 5i64 }
entry first (xs: []i64) (i: i64) : i64 = xs[i]

-- ==
-- entry: positive
-- "late" input { [1.0, -1.0, 3.0] } output { [1.0, 3.0] }
entry positive (xs: []f64) : []f64 = filter (> 0) xs
"""
QUICK = ("--runs", "3", "--seconds", "0", "--no-convergence-phase")


class Bench(InFolder):
    def setUp(self):
        super().setUp()
        self.write("program.fut", PROGRAM)

    def bench(self, *words, code=0):
        return self.run_command(BOUSTRO, "bench", "program.fut", *QUICK, *words, code=code)

    def data_sets(self, entry):
        return json.loads((self.folder / "times.json").read_text())[f"program.fut:{entry}"]["datasets"]

    def test_all_entries(self):
        printed = self.bench("--json", "times.json", code=1)
        self.assertIn("FAILED  program.fut:squares wrong\n        value 0 is 5.0f64, expected 6.0f64", printed)
        self.assertIn("FAILED  program.fut:first outside\n", printed)
        self.assertIn("out of bounds", printed)
        squares = self.data_sets("squares")
        self.assertEqual(sorted(squares), ["computed", "good", "slow", "wrong"])
        self.assertEqual(squares["wrong"], "value 0 is 5.0f64, expected 6.0f64")
        self.assertEqual(len(squares["good"]["runtimes"]), 3)
        self.assertTrue(all(type(time) is int for time in squares["good"]["runtimes"]))
        self.assertTrue(all(time > 0 for time in squares["good"]["nanoseconds"]))
        self.assertIsInstance(squares["good"]["bytes"], dict)
        self.assertEqual([squares[name]["compared"] for name in ("good", "computed", "slow")], [True, True, False])
        self.assertEqual(len(self.data_sets("first")["inside"]["runtimes"]), 3)
        self.assertEqual(len(self.data_sets("positive")["late"]["runtimes"]), 3)
        self.assertEqual(len(self.data_sets("mk")["mk 3i64"]["runtimes"]), 3)

    def test_derivatives_beside_functions(self):
        printed = self.bench("--vjp", "squares", "--jvp", "squares", "--pair", "squares=gradient", "--exclude-case", "slow", "--json",
            "times.json", code=1)
        self.assertRegex(printed, r"primal +vjp +jvp +gradient")
        self.assertIn("FAILED  program.fut:squares_vjp wrong\n        the function itself has failed", printed)
        self.assertEqual(sorted(self.data_sets("squares")), ["computed", "good", "wrong"])
        times = {entry: self.data_sets(entry)["good"] for entry in ("squares", "squares_vjp", "squares_jvp", "gradient")}
        for entry in ("squares_vjp", "squares_jvp", "gradient"):
            ratio = sum(times[entry]["nanoseconds"]) / sum(times["squares"]["nanoseconds"])
            self.assertAlmostEqual(times[entry]["ratio"], ratio, delta=0.01 * ratio)
            self.assertEqual(times[entry]["primal"], "program.fut:squares")

    def test_random_arguments(self):
        self.bench("-e", "squares", "--size", "n=1000", "--json", "times.json")
        self.assertEqual(list(self.data_sets("squares")), ["n=1000"])
        self.assertIn("`squares` has no size and no integer parameter `m`", self.bench("-e", "squares", "--size", "m=1", code=1))

    def test_refusals(self):
        for text, words, code in (
            ("`cube` has no data sets", ("--vjp", "cube"), 1),
            ("the program has no function `none`", ("-e", "none"), 1),
            ("the program has no function `none`", ("--pair", "squares=none"), 1),
            ("`squares` is not of the form f=g", ("--pair", "squares"), 2),
            ("--wrt: needs --vjp or --jvp", ("--wrt", "xs"), 2),
            ("--kernels: only kernels of --target cuda can be measured", ("--kernels",), 2),
            ("cannot write `none/times.json`: No such file", ("--json", "none/times.json"), 1),
            ("cannot write `.`: it is a folder", ("--json", "."), 1),
        ):
            self.assertIn(text, self.bench(*words, code=code))
        self.assertEqual(self.names(), ["program.fut"])
        self.write("empty.fut", "entry f (x: i64) : i64 = x")
        self.assertIn("there is nothing to measure", self.run_command(BOUSTRO, "bench", "empty.fut", code=1))
        self.write("misspelt.fut", "-- ==\n-- entry: g\n-- input { 1i64 }\nentry f (x: i64) : i64 = x")
        self.assertIn("misspelt.fut:3: there is no entry point `g`", self.run_command(BOUSTRO, "bench", "misspelt.fut", code=1))
        self.assertIn("cannot read `none.fut`", self.run_command(BOUSTRO, "bench", "none.fut", code=1))
        self.assertIn("standard input can be read once only", self.run_command(BOUSTRO, "bench", "-", code=2))

    def test_folders(self):
        """Programs without the entry, or without data, are left out."""
        self.write("other.fut", "-- ==\n-- input { 1i64 }\nentry main (n: i64) : i64 = n")
        self.write("data.fut", "def unused = 1i32")
        self.write("rejected.fut", "-- ==\n-- error: never\nentry main (n: i64) : i64 = none")
        self.run_command(BOUSTRO, "bench", ".", *QUICK, "-e", "main", "--json", "times.json")
        self.assertEqual(list(json.loads((self.folder / "times.json").read_text())), ["./other.fut"])

    def test_time_limit(self):
        self.write("long.fut", "-- ==\n-- input { 1000000000000i64 }\nentry main (n: i64) : i64 = loop x = 1 for _i < n do (x * 3) % 1000003\n")
        self.assertIn("takes longer than 1 s", self.run_command(BOUSTRO, "bench", "long.fut", "--timeout", "1", code=1))


if __name__ == "__main__":
    del sys.argv[1]
    unittest.main()
