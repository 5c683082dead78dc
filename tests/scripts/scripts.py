#!/usr/bin/env python3
"""Tests of what scripts/ counts by, and of how it makes failing programs smaller. Run by CTest."""

import importlib.machinery
import importlib.util
import pathlib
import sys
import unittest

sys.dont_write_bytecode = True
SCRIPTS = pathlib.Path(__file__).resolve().parent.parent.parent / "scripts"
sys.path.insert(0, str(SCRIPTS))
from lib import boustro, rows, shrink, targets
from lib.random_programs import RandomProgram


def script(name):
    """A script without an extension, as a module."""
    loader = importlib.machinery.SourceFileLoader(name, str(SCRIPTS / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    return module


PLAN = """entry cost, waits
  scratch xs: n x double
  if n > 0
    kernel first_kernel: blocks_for(n, block_size) blocks of block_size
    kernel second_kernel: 1 blocks of 1
  loop i < n
    kernel third_kernel: 1 blocks of 1, 1 atomic
    copy a to b: n elements
    if i > 0
      reduction reduce_total of n elements by Add
  copy b to c: n elements
  reduction in order reduce_last of n elements by CombineLast
  while goes_on
    read goes_on: waits
  kernel last_kernel: (1, 1) blocks of 1
"""


class Counting(unittest.TestCase):
    def test_counts_what_a_plan_launches_and_copies(self):
        figures = script("count_launches").figures_of(PLAN, 100)
        self.assertEqual(figures, {"launches": 4, "of one thread": 2, "in loops": 1, "CUB": 2, "copies": 2, "copies in loops": 1,
                                   "waits": 1, "lines": 100})

    def test_compares_with_an_earlier_table(self):
        count_launches = script("count_launches")
        row = dict.fromkeys(count_launches.FIGURES, 3)
        before = count_launches.table_of("| program | launches |\n|--|--:|\n| a.fut | 7 | 3 | 3 (was 9) | 3 | 3 | 3 | 3 | 3 |\n")
        self.assertEqual(count_launches.cells(row, before["a.fut"]), ["3 (was 7)"] + ["3"] * 7)

    def test_reads_the_first_error(self):
        output = "note: this\nx.fut:3:5: error: `y` is unknown [no-such-name]\n"
        self.assertEqual(boustro.last_reason(output), "`y` is unknown [no-such-name]")
        self.assertEqual(boustro.message_ids(output), ["no-such-name"])

    def test_reasons_do_not_depend_on_names(self):
        self.assertEqual(targets.kind_of_reason("unsupported: cannot emit code for `f` [a-b]"), "cannot emit code for `...` [a-b]")

    def test_what_is_set_apart_does_not_count(self):
        counter = rows.collections.Counter()
        for verdict in ("ok", "refused", "wrong", "slow", "apart"):
            rows.count(counter, rows.Row("f", "run", "x", verdict))
        self.assertEqual(rows.part(counter, "run"), "1 of 4")


class Fuzzing(unittest.TestCase):
    def test_keeps_the_lines_that_matter(self):
        lines = [str(number) for number in range(20)]
        self.assertEqual(shrink.shrink(lines, lambda some: {"3", "17"} <= set(some)), ["3", "17"])

    def test_asks_no_more_often_than_it_may(self):
        asked = []
        shrink.shrink([str(number) for number in range(50)], lambda some: asked.append(some), most=7)
        self.assertEqual(len(asked), 7)

    def test_a_seed_is_always_the_same_program(self):
        self.assertEqual(RandomProgram(7).entry("p"), RandomProgram(7).entry("p"))
        self.assertNotEqual(RandomProgram(7).entry("p"), RandomProgram(8).entry("p"))


if __name__ == "__main__":
    unittest.main()
