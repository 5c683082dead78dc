#!/usr/bin/env python3
"""--bindings python: values, types, shapes, errors, memory and threads of a module on arrays of NumPy.

Usage: numpy_test.py BOUSTRO
"""
import inspect
import pathlib
import resource
import sys
import tempfile
import threading
import time
import unittest

import numpy as np

import building

BOUSTRO = sys.argv.pop(1)
FOLDER = tempfile.TemporaryDirectory()


def setUpModule():
    global functions
    folder = pathlib.Path(FOLDER.name)
    building.translate(BOUSTRO, building.HERE / "functions.fut", folder, "--bindings", "python")
    building.build(folder, "functions_python.cpp")
    functions = building.import_module(folder, "functions")


def tearDownModule():
    FOLDER.cleanup()


class Values(unittest.TestCase):
    def test_arrays(self):
        weights, bias, xs = np.random.rand(3, 4), np.random.rand(3), np.random.rand(4)
        result = functions.layer(weights, bias, xs)
        np.testing.assert_allclose(result, np.tanh(weights @ xs + bias))
        self.assertEqual(result.dtype, np.float64)
        self.assertTrue(result.flags.owndata and result.flags.writeable)

    def test_what_is_given_away_stays_as_it_is(self):
        xs = np.zeros(4)
        np.testing.assert_array_equal(functions.overwritten(xs, np.array([1, 3]), 2.0), [0, 2, 0, 2])
        np.testing.assert_array_equal(xs, np.zeros(4))

    def test_results_whose_size_depends_on_data(self):
        chosen, count = functions.larger(np.array([1.0, 5, 2, 7]), 1.5)
        np.testing.assert_array_equal(chosen, [5, 2, 7])
        self.assertEqual(count, 3)
        self.assertIsInstance(count, np.int64)
        chosen[0] = 0  # is the caller's
        none, count = functions.larger(np.array([1.0]), 1.5)
        self.assertEqual((none.shape, none.dtype, count), ((0,), np.float64, 0))

    def test_records_are_several(self):
        mass, solid, places = functions.moved(body_mass_0=2.5, body_mass_1=True, body_places=np.arange(3.0), by=-2)
        np.testing.assert_array_equal(places, [-2, -1, 0])
        self.assertEqual((mass, solid), (np.float32(2.5), True))
        self.assertEqual(functions.centre(np.array([1.0, 3]), np.array([2.0, 6])), (2.0, 4.0))

    def test_numbers_are_those_of_numpy(self):
        scaled, total, positive = functions.scaled(np.ones(3, np.float32), np.float32(2), np.True_)
        np.testing.assert_array_equal(scaled, np.full(3, -2, np.float32))
        self.assertEqual((total.dtype, total), (np.float32, -6))
        self.assertIsInstance(positive, np.bool_)
        self.assertEqual(functions.element(np.arange(3.0), np.int8(1)), 1.0)
        self.assertEqual(functions.element(np.arange(3.0), np.array(1)), 1.0)

    def test_integers_of_every_width(self):
        kinds = [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64]
        for bound in ("min", "max"):
            values = [int(getattr(np.iinfo(kind), bound)) for kind in kinds]
            results = functions.integers(*values)
            self.assertEqual([int(result) for result in results], values)
            self.assertEqual([result.dtype for result in results], kinds)

    def test_narrow_elements(self):
        words, flags, halves = functions.narrow(np.array([7], np.uint16), np.array([True]), np.array([0.5], np.float16))
        self.assertEqual((words[0], flags[0], halves[0]), (8, False, 1))
        self.assertEqual(halves.dtype, np.float16)

    def test_sizes_that_are_computed(self):
        extended = functions.extended(np.zeros(2), np.ones(3), 2, np.array([1, 2], np.int32), lambda_=np.array([9, 4], np.uint8))
        np.testing.assert_array_equal(extended, [7, 7, 8, 8, 8])
        np.testing.assert_array_equal(functions.repeated(3, 1.5), np.full(3, 1.5))
        np.testing.assert_array_equal(functions.halves(9, 3), np.arange(3))
        np.testing.assert_array_equal(functions.halves(5, 9), np.arange(2))
        self.assertEqual(functions.nothing(1.0), ())

    def test_empty_arrays(self):
        self.assertEqual(functions.layer(np.zeros((0, 4)), np.zeros(0), np.zeros(4)).shape, (0,))
        self.assertEqual(functions.repeated(0, 1.0).shape, (0,))

    def test_lists(self):
        np.testing.assert_array_equal(functions.overwritten([0.0, 1, 2], [0], 5), [5, 1, 2])
        self.assertEqual(functions.narrow([65534], [False], [0.25])[0][0], 65535)


class Layouts(unittest.TestCase):
    def test_any_strides(self):
        weights, bias, xs = np.random.rand(8, 6), np.random.rand(3), np.random.rand(8)
        for matrix, vector in ((weights[::3, ::2], xs[1:4]), (weights.T[::2, 2:5], xs[6:0:-2]), (np.asfortranarray(weights[:3, :3]),
            xs[:3])):
            np.testing.assert_allclose(functions.layer(matrix, bias, vector), np.tanh(matrix @ vector + bias))

    def test_unaligned(self):
        packed = np.zeros(5, np.dtype([("flag", np.int8), ("x", np.float64)]))
        packed["x"] = np.arange(5)
        self.assertEqual(functions.element(packed["x"], 3), 3)

    def test_nothing_is_copied_that_need_not_be(self):
        functions.element(np.zeros(1), 0)
        xs = np.zeros(40_000_000)
        begin = time.perf_counter()
        for _ in range(100):
            functions.element(xs, 1)
        self.assertLess(time.perf_counter() - begin, 0.5)  # a copy takes longer than that ten times

    def test_read_only(self):
        xs = np.arange(3.0)
        xs.flags.writeable = False
        self.assertEqual(functions.element(xs, 2), 2)


class Errors(unittest.TestCase):
    def assert_raises(self, kind, text, function, *args):
        with self.assertRaises(kind) as caught:
            function(*args)
        self.assertEqual(str(caught.exception), text)

    def test_types(self):
        bias, xs = np.zeros(3), np.zeros(4)
        self.assert_raises(TypeError, "layer: weights must be float64, not float32", functions.layer, np.zeros((3, 4), np.float32), bias,
            xs)
        self.assert_raises(TypeError, "layer: weights must be float64, not int64", functions.layer, np.zeros((3, 4), int), bias, xs)
        self.assert_raises(TypeError, "layer: bias must be float64, not >f8", functions.layer, np.zeros((3, 4)), bias.astype(">f8"), xs)
        self.assert_raises(TypeError, "layer: bias must be an array of float64, not NoneType", functions.layer, np.zeros((3, 4)), None, xs)
        self.assert_raises(TypeError, "layer: bias must be an array of float64, not str", functions.layer, np.zeros((3, 4)), "bias", xs)
        self.assert_raises(TypeError, "overwritten: places must be int64, not float64", functions.overwritten, xs, [0.5], 1.0)

    def test_shapes(self):
        weights, bias, xs = np.zeros((3, 4)), np.zeros(3), np.zeros(4)
        self.assert_raises(ValueError, "layer: weights must have 2 dimensions, not 1", functions.layer, xs, bias, xs)
        self.assert_raises(ValueError, "layer: bias must have 1 dimension, not 0", functions.layer, weights, np.array(1.0), xs)
        self.assert_raises(ValueError, "layer: dimension 0 of xs must be 4, which is m by dimension 1 of weights, not 3", functions.layer,
            weights, bias, bias)
        self.assert_raises(ValueError, "moved: dimension 0 of body_places must be 3, not 4", functions.moved, 1.0, True, xs, 1)
        self.assert_raises(ValueError, "extended: dimension 0 of zs must be 2, not 1", functions.extended, xs, xs, 2, np.zeros(1,
            np.int32), [1, 2])
        self.assert_raises(ValueError, "layer: row 1 of weights must have 2 elements, as row 0 has, not 1", functions.layer, [[1.0, 2.0],
            [1.0]], bias, xs)

    def test_numbers(self):
        xs = np.arange(3.0)
        self.assert_raises(TypeError, "element: i must be an integer (int64), not float", functions.element, xs, 1.0)
        self.assert_raises(TypeError, "element: i must be an integer (int64), not bool", functions.element, xs, True)
        self.assert_raises(TypeError, "element: i must be an integer (int64), not ndarray", functions.element, xs, np.array([1]))
        self.assert_raises(TypeError, "element: i must be an integer (int64), not ndarray", functions.element, xs, np.array(1.0))
        self.assert_raises(TypeError, "repeated: x must be a number (float64), not str", functions.repeated, 1, "1")
        self.assert_raises(TypeError, "repeated: x must be a number (float64), not complex", functions.repeated, 1, 1j)
        self.assert_raises(TypeError, "scaled: negate must be a truth value (bool), not int", functions.scaled, np.zeros(1, np.float32),
            1, 1)
        self.assert_raises(OverflowError, "moved: by must fit in int8, unlike 128", functions.moved, 1.0, True, xs, 128)
        self.assert_raises(OverflowError, "element: i must fit in int64, unlike 9223372036854775808", functions.element, xs, 2**63)
        self.assert_raises(OverflowError, "narrow: xs must fit in uint16", functions.narrow, [65536], [True], [0.0])

    def test_what_fails_inside(self):
        with self.assertRaisesRegex(RuntimeError, r"^element: functions.fut:24: .*7.*3"):
            functions.element(np.arange(3.0), 7)
        with self.assertRaisesRegex(RuntimeError, r"^halves: functions.fut:33: .*-2"):
            functions.halves(5, -2)
        with self.assertRaisesRegex((RuntimeError, ValueError), "^repeated: "):
            functions.repeated(-1, 1.0)

    def test_too_large(self):
        self.assert_raises(MemoryError, "repeated: no memory for result", functions.repeated, 1 << 50, 1.0)
        self.assert_raises(ValueError, "repeated: no memory for result", functions.repeated, (1 << 63) - 1, 1.0)

    def test_other_numbers_of_arguments(self):
        with self.assertRaisesRegex(TypeError, r"element\(\)"):
            functions.element(np.zeros(1))


class Module(unittest.TestCase):
    def test_descriptions(self):
        self.assertEqual(str(inspect.signature(functions.layer)), "(weights, bias, xs)")
        text = inspect.getdoc(functions.layer)
        self.assertIn("Weighted sums of rows, through tanh.\n\nThe second paragraph", text)
        self.assertIn("weights : [n][m]f64\n    array of float64", text)
        self.assertIn("Returns\n-------\nresult : [n]f64", text)

    def test_other_threads_run_during_a_call(self):
        ticks = []
        thread = threading.Thread(target=lambda: functions.work(10_000_000, 0.5))
        thread.start()
        while thread.is_alive():
            ticks.append(time.perf_counter())
            time.sleep(0.001)
        self.assertGreater(len(ticks), 20)

    def test_memory_is_given_back(self):
        xs = np.ones(2_000_000)
        for _ in range(100):  # 16 MB each
            functions.larger(xs, 0.5)
        self.assertLess(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, 1_000_000)


if __name__ == "__main__":
    unittest.main()
