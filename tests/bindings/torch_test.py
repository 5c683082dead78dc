#!/usr/bin/env python3
"""--bindings torch --double: values, derivatives of both orders, layouts and errors of operators of PyTorch on the CPU.

Usage: torch_test.py BOUSTRO
"""
import os
import pathlib
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import unittest
import warnings

import torch

import building

BOUSTRO = sys.argv.pop(1)
CUDA = pathlib.Path(os.environ.get("CUDA_PATH", "/usr/local/cuda")) / "include" / "cuda_runtime.h"
FOLDER = tempfile.TemporaryDirectory()


def setUpModule():
    global ops
    folder = pathlib.Path(FOLDER.name)
    building.translate(BOUSTRO, building.HERE / "differentiable.fut", folder, "--bindings", "torch", "--double")
    building.build(folder, "differentiable_torch.cpp")
    torch.ops.load_library(str(folder / "differentiable_torch.so"))
    ops = torch.ops.differentiable
    torch.manual_seed(1)


def tearDownModule():
    FOLDER.cleanup()


def random(*shape, **options):
    return torch.rand(*shape, dtype=torch.float64, **options)


def number(value, dtype=torch.float64, **options):
    return torch.tensor(value, dtype=dtype, **options)


class Values(unittest.TestCase):
    def test_layer(self):
        weights, bias, xs = random(3, 4), random(3), random(4)
        torch.testing.assert_close(ops.layer(weights, bias, xs), torch.tanh(weights @ xs + bias))

    def test_any_strides(self):
        weights, bias, xs = random(8, 6), random(3), random(8)
        for matrix, vector in ((weights[::3, ::2], xs[1:4]), (weights.T[::2, 2:5], xs[:6:2]), (random(1, 1).expand(3, 3),
            xs[:1].expand(3))):
            torch.testing.assert_close(ops.layer(matrix, bias, vector), torch.tanh(matrix @ vector + bias))

    def test_several_results(self):
        places = random(3)
        energy, swung, positive = ops.swing(places, number(0.5), 2, True)
        expected = places
        for _ in range(2):
            expected = 0.9 * (expected - 0.5 * torch.sin(expected))
        torch.testing.assert_close(swung, expected)
        torch.testing.assert_close(energy, (expected**2).sum())
        self.assertEqual((positive.item(), positive.dtype), (3, torch.int64))

    def test_what_is_given_away_stays_as_it_is(self):
        xs = random(3)
        before = xs.clone()
        torch.testing.assert_close(ops.overwritten(xs, 1, number(2.0))[1], number(4.0))
        torch.testing.assert_close(xs, before)

    def test_sizes_that_depend_on_data(self):
        torch.testing.assert_close(ops.larger(number([1.0, 5, 2]), number(1.5)), number([25.0, 4]))
        self.assertEqual(ops.larger(number([1.0]), number(1.5)).shape, (0,))

    def test_numbers_alone(self):
        torch.testing.assert_close(ops.counted(5, 3), torch.tensor([5, 6, 7], dtype=torch.int32))

    def test_narrow_elements(self):
        halves = ops.half_of(torch.tensor([3, 4], dtype=torch.float16), torch.tensor([True, False]), torch.tensor([7, 8],
            dtype=torch.uint8))
        torch.testing.assert_close(halves, torch.tensor([1.5, 8], dtype=torch.float16))

    def test_shapes_alone(self):
        energy, swung, positive = ops.swing(random(3, device="meta"), number(0.5, device="meta"), 2, True)
        self.assertEqual((energy.shape, swung.shape, positive.dtype, swung.device.type), ((), (3,), torch.int64, "meta"))
        with self.assertRaisesRegex(RuntimeError, "larger: the shape of result depends on data"):
            ops.larger(random(3, device="meta"), number(0.5, device="meta"))

    def test_empty(self):
        self.assertEqual(ops.layer(random(0, 4), random(0), random(4)).shape, (0,))
        torch.testing.assert_close(ops.layer(random(2, 0), torch.zeros(2).double(), random(0)), torch.zeros(2).double())


class Derivatives(unittest.TestCase):
    def check(self, function, *inputs):
        inputs = [x.requires_grad_() for x in inputs]
        self.assertTrue(torch.autograd.gradcheck(function, inputs))
        self.assertTrue(torch.autograd.gradgradcheck(function, inputs))

    def test_layer(self):
        self.check(ops.layer, random(3, 4), random(3), random(4))
        self.check(lambda w, b, x: ops.layer(w.t(), b, x[::2]), random(2, 3), random(3), random(4))

    def test_numbers_and_several_results(self):
        self.check(lambda x, k: ops.swing(x, k, 3, True)[:2], random(4), number(0.7))
        self.check(lambda x, k: ops.swing(x, k, 1, False)[1], random(4), number(0.7))

    def test_other_programs(self):
        self.check(lambda x, v: ops.overwritten(x, 2, v), random(4), number(0.5))
        self.check(ops.longest, random(4), random(4))
        self.check(ops.const_, random(4), number(0.5))
        self.check(ops.y_prime, number(0.5))

    def test_sizes_that_depend_on_data(self):
        xs, limit = random(6, requires_grad=True), number(0.5)
        self.assertTrue(torch.autograd.gradcheck(ops.larger, (xs, limit)))

    def test_where_not_all_is_asked_for(self):
        weights, bias, xs = random(3, 4, requires_grad=True), random(3), random(4)
        gradient, = torch.autograd.grad(ops.layer(weights, bias, xs).sum(), weights)
        expected, = torch.autograd.grad(torch.tanh(weights @ xs + bias).sum(), weights)
        torch.testing.assert_close(gradient, expected)
        self.assertFalse(ops.layer(weights.detach(), bias, xs).requires_grad)

    def test_third_derivatives_are_refused(self):
        xs = random(3, requires_grad=True)
        first, = torch.autograd.grad(ops.layer(random(2, 3), random(2), xs).sum(), xs, create_graph=True)
        second, = torch.autograd.grad(first.sum(), xs, create_graph=True)
        with self.assertRaisesRegex(RuntimeError, "differentiable::layer_vjp_vjp is not implemented"):
            torch.autograd.grad(second.sum(), xs)

    def test_a_graph(self):
        """Operators among others, as in a larger program."""
        def function(x):
            y = ops.layer(x.outer(x), x, x * 2)
            return ops.longest(y, y * x).exp()
        self.check(function, random(3))


class Errors(unittest.TestCase):
    def assert_raises(self, kind, text, function, *args):
        with self.assertRaises(kind) as caught:
            function(*args)
        self.assertEqual(str(caught.exception).splitlines()[0], text)

    def test_types(self):
        xs = random(3)
        self.assert_raises(TypeError, "layer: weights must be float64, not float32", ops.layer, xs.float().outer(xs.float()), xs, xs)
        self.assert_raises(TypeError, "layer: bias must be float64, not int64", ops.layer, xs.outer(xs), torch.arange(3), xs)
        self.assert_raises(TypeError, "longest: points_x must be float64, not complex128", ops.longest, xs.to(torch.complex128), xs)
        self.assert_raises(TypeError, "single: factor must be float32, not bfloat16", ops.single, xs.float(), number(1.0, torch.bfloat16))

    def test_shapes(self):
        xs = random(3)
        self.assert_raises(ValueError, "layer: weights must have 2 dimensions, not 1", ops.layer, xs, xs, xs)
        self.assert_raises(ValueError, "layer: dimension 0 of xs must be 3, which is m by dimension 1 of weights, not 2", ops.layer,
            xs.outer(xs), xs, xs[:2])
        self.assert_raises(ValueError, "swing: stiffness must have 0 dimensions, not 1", ops.swing, xs, xs, 1, True)

    def test_devices(self):
        xs = random(3)
        self.assert_raises(ValueError, "longest: points_y must be on cpu, as points_x is, not on meta", ops.longest, xs, random(3,
            device="meta"))

    def test_integers(self):
        self.assert_raises(ValueError, "counted: start must fit in int32, unlike 4294967296", ops.counted, 1 << 32, 1)
        with self.assertRaises((RuntimeError, TypeError)):
            ops.counted(1.5, 1)

    def test_what_fails_inside(self):
        with self.assertRaisesRegex(RuntimeError, "^overwritten: differentiable.fut:15: .*7.*3"):
            ops.overwritten(random(3), 7, number(0.0))
        with self.assertRaisesRegex(RuntimeError, "^counted: "):
            ops.counted(0, -1)

    def test_too_large(self):
        self.assert_raises(RuntimeError, "counted: no memory for result", ops.counted, 0, 1 << 50)


class Traced(unittest.TestCase):
    def test_fake_tensors(self):
        from torch._subclasses.fake_tensor import FakeTensorMode
        with FakeTensorMode() as mode:
            weights, bias, xs = (mode.from_tensor(x) for x in (random(3, 4), random(3), random(4)))
            result = ops.layer(weights, bias, xs)
            self.assertEqual((result.shape, result.device.type, result.dtype), ((3,), "cpu", torch.float64))

    @unittest.skipUnless(hasattr(torch, "compile"), "PyTorch 2 compiles")
    def test_compile(self):
        def function(weights, bias, xs):
            return (ops.layer(weights, bias, xs) ** 2).sum() + ops.swing(xs, bias[0], 2, True)[0]
        compiled = torch.compile(function, backend="aot_eager", fullgraph=True)
        for m in (4, 6, 8):  # sizes become symbols
            inputs = [x.requires_grad_() for x in (random(3, m), random(3), random(m))]
            expected, found = (torch.autograd.grad(f(*inputs), inputs) for f in (function, compiled))
            torch.testing.assert_close(found, expected)

    @unittest.skipUnless(hasattr(torch.library, "opcheck"), "PyTorch 2 checks operators")
    def test_operators_are_as_pytorch_wants_them(self):
        differentiated = [x.requires_grad_() for x in (random(3, 4), random(3), random(4))]
        torch.library.opcheck(ops.layer.default, differentiated)
        torch.library.opcheck(ops.swing.default, (random(3, requires_grad=True), number(0.5), 2, True))
        torch.library.opcheck(ops.overwritten.default, (random(3), 1, number(0.5, requires_grad=True)))


class Sample(unittest.TestCase):
    def test_training(self):
        """samples/pytorch reaches the loss of PyTorch's own layers; its CUDA part compiles, where CUDA's headers are."""
        folder = pathlib.Path(FOLDER.name) / "sample"
        shutil.copytree(building.HERE.parent.parent / "samples" / "pytorch", folder)
        building.translate(BOUSTRO, folder / "layer.fut", folder, "--bindings", "torch")
        building.build(folder, "layer_torch.cpp")
        output = subprocess.run([sys.executable, "train.py"], cwd=folder, check=True, capture_output=True, text=True).stdout
        ours, theirs = (float(line.rsplit(" ", 1)[1]) for line in output.splitlines())
        self.assertLess(ours, 0.01)
        self.assertAlmostEqual(ours, theirs, delta=0.02 * theirs)

    @unittest.skipUnless(CUDA.exists(), "CUDA's headers were not found")
    def test_cuda_compiles(self):
        """Debian's PyTorch lacks one header of those for CUDA, which is made when PyTorch is built with it."""
        folder = pathlib.Path(FOLDER.name) / "cuda"
        macros = folder / "c10" / "cuda" / "impl" / "cuda_cmake_macros.h"
        macros.parent.mkdir(parents=True)
        macros.write_text("#pragma once\n")
        program = building.HERE / "passed_on.fut"
        building.translate(BOUSTRO, program, folder, "--bindings", "torch", "--target", "cuda", "-o", str(folder / "passed_on.cu"))
        from torch.utils import cpp_extension
        includes = [word for path in [*cpp_extension.include_paths(), str(CUDA.parent),
            sysconfig.get_paths()["include"]] for word in ("-isystem", path)]
        subprocess.run(["c++", "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-I", folder, *includes,
            folder / "passed_on_torch.cpp"], check=True)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    unittest.main()
