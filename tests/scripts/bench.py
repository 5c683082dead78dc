#!/usr/bin/env python3
"""Tests of how scripts/bench prepares data, compares results and writes tables. Run by CTest."""

import array
import contextlib
import datetime
import io
import math
import pathlib
import sys
import tempfile
import types
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "scripts"))
from lib.bench import agreement, cases, peers, programs, report, tables, workers

# A peer that answers as worker.hpp does: its result, then one time for each line.
PEER = """
import array, struct, sys
kind, case, result, what = sys.argv[1:]
with open(result, "wb") as file:
    file.write(struct.pack("<q", 2) + array.array("d", [1.5, -2.0]).tobytes())
print("ready 1000 3000", flush=True)
for number, _ in enumerate(sys.stdin):
    print(0.5 / (number + 1), 0.25 / (number + 1), flush=True)
"""


def reals(*values):
    return array.array("d", values)


def implementation(name, column="", workers_=1, ours=False, command=()):
    return workers.Implementation(name, column, command, ("gmm",), workers_, ours)


def measured(milliseconds, *which, loaded=0, peak=0, **more):
    return workers.Measured(implementation(*which, **more), [value / 1000 for value in milliseconds], loaded, peak)


class Data(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_random_data_are_the_same_each_time(self):
        first, second = cases.gmm_arrays(7, 3, 2), cases.gmm_arrays(7, 3, 2)
        self.assertEqual(first, second)
        self.assertEqual([len(values) for values in first], [1, 1, 1, 2, 6, 12, 21, 1, 1])

    def test_a_case_is_written_as_counts_and_values(self):
        case = cases.Case("a case", "gmm", lambda _: [cases.integers(3), reals(0.5, 2.0)])
        case.write(self.folder / "case", None)
        self.assertEqual((self.folder / "case").read_bytes(),
                         b"\1" + bytes(7) + b"\3" + bytes(7) + b"\2" + bytes(7) + reals(0.5, 2.0).tobytes())

    def test_reads_lstm_of_the_checkout(self):
        path = self.folder / "lstm.txt"
        path.write_text("1 2 1\n" + " ".join(map(str, range(15))))
        *_, main, extra, state, sequence = cases.lstm_arrays(1, 2, path, b=1)
        self.assertEqual([list(part) for part in (main, extra, state, sequence)],
                         [[0, 1, 2, 3, 4, 5, 6, 7], [8, 9, 10], [11, 12], [13, 14]])

    def test_refuses_an_lstm_of_other_sizes(self):
        path = self.folder / "lstm.txt"
        path.write_text("1 3 1\n" + " ".join(map(str, range(16))))
        with self.assertRaisesRegex(ValueError, "not as expected: 1 2 1"):
            cases.lstm_arrays(1, 2, path, b=1)

    def test_points_of_hands_become_rows_of_coordinates(self):
        simple = cases.read_hand("2 3  7 1 2 3  8 4 5 6  0.1 0.2 0.3", 2, 0)
        self.assertEqual([list(part) for part in simple], [[7, 8], [1, 4, 2, 5, 3, 6], [0.1, 0.2, 0.3], []])
        complicated = cases.read_hand("1 1  7 1 2 3  0.4 0.6  0.1", 1, 2)
        self.assertEqual([list(part) for part in complicated], [[7], [1, 2, 3], [0.1], [0.4, 0.6]])

    def test_reads_the_model_of_a_hand(self):
        numbers = [":".join(str(begin + i) for i in range(16)) for begin in (100, 200)]
        (self.folder / "bones.txt").write_text(f"wrist:-1:{':'.join(numbers)}\nthumb:0:{':'.join(numbers)}\n")
        (self.folder / "vertices.txt").write_text("1:2:3:0:0:0:0:0:1:1:0.5\n4:5:6:0:0:0:0:0:2:0:0.25:1:0.75\n")
        (self.folder / "triangles.txt").write_text("0:1:0\n")
        parents, relatives, inverses, weights, positions, vertices, triangles = cases.hand_model(self.folder)
        self.assertEqual((list(parents), relatives[16], inverses[31], vertices), ([-1, 0], 100, 215, 2))
        self.assertEqual(list(weights), [0, 0.25, 0.5, 0.75])
        self.assertEqual(list(positions), [1, 4, 2, 5, 3, 6, 1, 1])
        self.assertEqual(list(triangles), [0, 1, 0])


class Agreement(unittest.TestCase):
    def test_differences_are_relative_to_the_mean_of_each_array(self):
        reference = [reals(100.0, 300.0), reals(1.0, -1.0)]
        self.assertEqual(agreement.difference(reference, reference), 0)
        self.assertAlmostEqual(agreement.difference([reals(100.0, 302.0), reals(1.0, -1.0)], reference), 0.01)
        self.assertAlmostEqual(agreement.difference([reals(100.0, 300.0), reals(1.5, -1.0)], reference), 0.5)

    def test_no_number_and_other_sizes_never_agree(self):
        for bad in ([reals(math.nan, 1.0)], [reals(1.0, math.inf)], [reals(1.0)], [reals(1.0, 1.0), reals()]):
            self.assertEqual(agreement.difference(bad, [reals(1.0, 1.0)]), math.inf)
        self.assertEqual(agreement.difference([reals(math.nan)], [reals(math.nan)]), math.inf)

    def test_zeros_agree_with_zeros_only(self):
        self.assertEqual(agreement.difference([reals(0.0, 0.0)], [reals(0.0, 0.0)]), 0)
        self.assertEqual(agreement.difference([reals(0.0, 1e-300)], [reals(0.0, 0.0)]), math.inf)

    def test_a_disagreement_is_a_failure(self):
        with tempfile.TemporaryDirectory() as folder:
            paths = [pathlib.Path(folder) / name for name in ("first", "same", "other")]
            for path, value in zip(paths, (1.0, 1.0, 1.1)):
                path.write_bytes(b"\1" + bytes(7) + reals(value).tobytes())
            started = [types.SimpleNamespace(result=path, measured=measured([1], path.name)) for path in paths]
            session = peers.Session(None)
            session.compare(cases.gmm(1, 1, 1), started)
        self.assertEqual(session.failures, [
            "GMM, 1 points, d = 1, K = 1: other DISAGREES with first: relative difference 1.0e-01"])


class LeavingOut(unittest.TestCase):
    def session_after(self, **failure):
        session = peers.Session(types.SimpleNamespace(adbench=pathlib.Path(), patience=60, rounds=1, seconds=0, objectives=False))
        one = workers.Measured(implementation("JAX, 1 worker", ours=failure.pop("ours", False)), [], **failure)
        session.keep_failure(cases.gmm(1, 1, 1), one)
        return session

    def test_others_that_take_too_long_are_no_failure_and_not_asked_again(self):
        session = self.session_after(failure="takes longer than 60 s", expired=True)
        self.assertEqual((session.failures, len(session.notes)), ([], 1))
        again = implementation("JAX, 2 workers", command=("no such program",))
        with contextlib.redirect_stderr(io.StringIO()):
            self.assertEqual(session.measure(cases.gmm(1, 1, 1), [again]).measured, [])

    def test_errors_and_our_own_slowness_are_failures(self):
        for failure in ({"failure": "no memory"}, {"failure": "takes longer than 60 s", "expired": True, "ours": True}):
            session = self.session_after(**failure)
            self.assertEqual((len(session.failures), session.notes, session.slow), (1, [], set()))


class Asking(unittest.TestCase):
    def ask(self, program, workers_=1, rounds=3, patience=60):
        with tempfile.TemporaryDirectory() as folder:
            result = pathlib.Path(folder) / "result"
            peer = implementation("peer", workers_=workers_, command=(sys.executable, "-c", program))
            worker = workers.Worker(peer, "gmm", "case", result, "derivative", patience)
            workers.take_turns([worker], rounds, rounds, 0)
            worker.end()
            return worker.measured, agreement.read_result(result) if result.exists() else None

    def test_one_worker_is_judged_by_processor_time_and_two_by_the_clock(self):
        alone, result = self.ask(PEER)
        self.assertEqual((alone.best, alone.noise, alone.loaded, alone.peak), (0.25 / 3, 1.5, 1000, 3000))
        self.assertEqual([list(part) for part in result], [[1.5, -2.0]])
        self.assertEqual(self.ask(PEER, workers_=2, rounds=1)[0].best, 0.5)

    def test_a_peer_that_fails_says_why(self):
        self.assertEqual(self.ask("import sys; sys.exit('no memory')")[0].failure, "no memory")
        self.assertEqual(self.ask(PEER + "    sys.exit('one too many')")[0].failure, "one too many")


    def test_a_peer_that_takes_too_long_is_ended(self):
        slow, _ = self.ask("import time; time.sleep(60)", patience=0.2)
        self.assertEqual((slow.failure, slow.expired), ("takes longer than 0.2 s", True))


class Tables(unittest.TestCase):
    def setUp(self):
        gcc, clang = self.columns = ("g++ 12", "clang++ 22")
        self.table = tables.Table(cases.gmm(10, 2, 3), [
            measured([9, 8], "Manual", gcc, peak=4096), measured([4, 5], "Manual", clang, peak=2048),
            measured([2], "JAX", workers_=2, peak=204800), measured([], "Tapenade", gcc),
            measured([6], "Boustro", gcc, ours=True, peak=3072, loaded=1024),
            measured([2], "Boustro", clang, ours=True, peak=3072, loaded=2048),
            measured([3], "Boustro, 2 workers", gcc, workers_=2, ours=True)])

    def test_ours_are_compared_with_the_best_of_no_more_workers(self):
        self.assertEqual(tables.summary([self.table], self.columns)[1:], [
            ["GMM, 10 points, d = 2, K = 3", "Boustro", "Manual (clang++ 22)", "4", "6", "2", "1.50", "0.50", "3.00"],
            [" ", "Boustro, 2 workers", "JAX", "2", "3", "-", "1.50", "-", "-"]])

    def test_all_methods_have_a_row(self):
        self.assertEqual([line[1:] for line in tables.everything([self.table], self.columns)[1:]], [
            ["Manual", "8", "4", "-", "2.00", "4"], ["JAX", "-", "-", "2", "-", "200"],
            ["Boustro", "6", "2", "-", "3.00", "3"], ["Boustro, 2 workers", "3", "-", "-", "-", "0"]])

    def test_growth_is_relative_to_the_first_case(self):
        slower = measured([15], "Boustro", "g++ 12", ours=True, peak=6144, loaded=2048)
        doubled = tables.Table(cases.gmm(20, 2, 3), [slower])
        self.assertEqual(tables.growth([self.table, doubled], self.columns)[-1],
                         ["GMM, 20 points, d = 2, K = 3", "Boustro", "15", "2.50", "-", "-", "4.0", "2.00"])

    def test_the_report_tells_how_it_was_made(self):
        compiler = programs.Compiler("g++ 12", "g++", "gcc")
        command = peers.command_of(["/some/where/ADBench", "--quick"])
        facts = report.Facts(command, [compiler], ["JAX is left out: no"], [7.0, 0.5], datetime.date(2026, 1, 2), 3, "A derivative")
        text = report.text(facts, [self.table], [], self.columns, markdown=True)
        for line in ("- 2026-01-02: `scripts/bench peers ADBench --quick`", "- JAX is left out: no",
                     "## Ours and the best of the others"):
            self.assertIn(line, text.splitlines())
        self.assertIn("Load average from 0.5 to 7.0: the machine was busy with other work", text)
        self.assertIn("at least 3 rounds", text)
        self.assertIn("A derivative is computed on the same data", text)
        self.assertIn("the median sample took up to 1.12 times", text)


class Building(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.target, self.source = (pathlib.Path(folder.name) / name for name in ("target", "source"))
        self.source.write_text("first")

    def renew(self, program="echo built >> {}"):
        with contextlib.redirect_stderr(io.StringIO()):
            programs.renew(self.target, ["sh", "-c", program.format(self.target)], [self.source])

    def times(self):
        return self.target.read_text().count("built")

    def test_builds_anew_what_has_changed(self):
        self.renew()
        self.renew()
        self.assertEqual(self.times(), 1)
        self.source.write_text("second")
        self.renew()
        self.assertEqual(self.times(), 2)
        self.renew("echo built once more >> {}")
        self.assertEqual(self.times(), 3)

    def test_tries_again_what_failed(self):
        for _ in range(2):
            with self.assertRaisesRegex(SystemExit, "target cannot be built"):
                self.renew("echo built >> {}; exit 1")
        self.assertEqual(self.times(), 2)


class Choosing(unittest.TestCase):
    def test_kinds(self):
        self.assertEqual(peers.kinds("gmm,ba"), ("gmm", "ba"))
        with self.assertRaisesRegex(Exception, "gmn is not some of gmm,lstm,ba,hand"):
            peers.kinds("gmn")

    def test_sources_of_a_module(self):
        self.assertEqual(programs.expand("a/B{X,Y}.cpp"), ["a/BX.cpp", "a/BY.cpp"])
        self.assertEqual(programs.expand("a/b.cpp"), ["a/b.cpp"])


if __name__ == "__main__":
    unittest.main()
