#!/usr/bin/env python3
"""--bindings jax: values, derivatives of both modes and orders, transformations and errors of functions on arrays of JAX.

Usage: jax_test.py BOUSTRO, by a Python that has JAX; scripts/test_integrations makes one.
"""
import importlib
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import jax
import jax.numpy as jnp
import numpy as np
from jax.test_util import check_grads

import building

BOUSTRO = sys.argv.pop(1)
FOLDER = tempfile.TemporaryDirectory()
NARROW = "single"
ENTRIES = [word for name in ("layer", "swing", "overwritten", "longest", "counted", "half_of", "const", NARROW) for word in ("--entry",
    name)]


def load(program, name, *words):
    """The module of that name, of a program of this folder."""
    folder = pathlib.Path(FOLDER.name)
    building.translate(BOUSTRO, building.HERE / program, folder, "-o", str(folder / f"{name}.cpp"), "--bindings", "jax", "--double", *words)
    building.build(folder, f"{name}_jax.cpp")
    return importlib.import_module(f"{name}_jax")


def setUpModule():
    global reverse, forward
    jax.config.update("jax_enable_x64", True)
    sys.path.insert(0, FOLDER.name)
    reverse = load("differentiable.fut", "reverse", *ENTRIES)
    forward = load("differentiable.fut", "forward", "--entry", "swing", "--jvp", "swing")


def tearDownModule():
    FOLDER.cleanup()


def random(*shape, seed=[0]):
    seed[0] += 1
    return jax.random.uniform(jax.random.key(seed[0]), shape, jnp.float64)


def swing(places, stiffness, steps, damped):
    """What differentiable.fut says."""
    for _ in range(steps):
        places = (0.9 if damped else 1.0) * (places - stiffness * jnp.sin(places))
    return (places**2).sum(), places, (places > 0).sum()


class Values(unittest.TestCase):
    def test_layer(self):
        weights, bias, xs = random(3, 4), random(3), random(4)
        np.testing.assert_allclose(reverse.layer(weights, bias, xs), jnp.tanh(weights @ xs + bias), rtol=1e-12)

    def test_several_results(self):
        places = random(4)
        found, expected = reverse.swing(places, 0.5, 2, True), swing(places, 0.5, 2, True)
        for ours, theirs in zip(found, expected):
            np.testing.assert_allclose(ours, theirs, rtol=1e-12)
            self.assertEqual(ours.dtype, theirs.dtype)

    def test_numbers(self):
        np.testing.assert_array_equal(reverse.counted(5, 3), [5, 6, 7])
        np.testing.assert_array_equal(jax.jit(reverse.counted, static_argnums=1)(5, 3), [5, 6, 7])
        np.testing.assert_array_equal(reverse.overwritten(np.zeros(3), np.int32(1), 2.0), [0, 4, 0])

    def test_narrow_elements(self):
        halves = reverse.half_of(jnp.array([3, 4], jnp.float16), jnp.array([True, False]), jnp.array([7, 8], jnp.uint8))
        np.testing.assert_array_equal(halves, np.array([1.5, 8], np.float16))

    def test_descriptions(self):
        self.assertIn("weights : [n][m]f64\n        array of float64", reverse.layer.__doc__)
        self.assertIn("result_adj : [n]f64\n        array of float64", reverse.layer_vjp.__doc__)

    def test_empty(self):
        self.assertEqual(reverse.layer(random(0, 4), random(0), random(4)).shape, (0,))

    def test_without_64_bits(self):
        with jax.enable_x64(False):
            np.testing.assert_array_equal(reverse.single(jnp.ones(3), 2.0), np.full(3, 2, np.float32))
            with self.assertRaisesRegex(TypeError, "layer: weights must be float64, not float32; jax_enable_x64 is off"):
                reverse.layer(jnp.ones((2, 2)), jnp.ones(2), jnp.ones(2))


class Derivatives(unittest.TestCase):
    def test_reverse_mode(self):
        check_grads(reverse.layer, (random(3, 4), random(3), random(4)), order=2, modes=["rev"])
        check_grads(lambda x, k: reverse.swing(x, k, 3, True)[:2], (random(4), 0.7), order=2, modes=["rev"])
        check_grads(lambda x, v: reverse.overwritten(x, 1, v), (random(4), 0.7), order=2, modes=["rev"])
        check_grads(reverse.longest, (random(4), random(4)), order=2, modes=["rev"])
        check_grads(lambda xs, x: reverse.const_(class_=xs, x_prime=x), (random(4), 0.5), order=2, modes=["rev"])

    def test_forward_mode(self):
        check_grads(lambda x, k: forward.swing(x, k, 3, True)[:2], (random(4), jnp.float64(0.7)), order=2, modes=["fwd"])

    def test_against_jax(self):
        places = random(4)
        for steps in range(3):
            ours = jax.jacrev(jax.grad(lambda x: reverse.swing(x, 0.5, steps, False)[0]))
            theirs = jax.hessian(lambda x: swing(x, 0.5, steps, False)[0])
            np.testing.assert_allclose(ours(places), theirs(places), rtol=1e-9)

    def test_third_derivatives_are_refused(self):
        third = jax.grad(lambda y: jax.grad(lambda x: jax.grad(lambda v: reverse.swing(v * jnp.ones(1), 0.5, 1, True)[0])(x))(y))
        with self.assertRaisesRegex(ValueError, "swing_vjp_vjp"):
            third(0.3)


class Transformations(unittest.TestCase):
    def test_jit(self):
        weights, bias, xs = random(3, 4), random(3), random(4)
        np.testing.assert_allclose(jax.jit(reverse.layer)(weights, bias, xs), reverse.layer(weights, bias, xs), rtol=1e-14)
        gradient = jax.jit(jax.grad(lambda x: reverse.layer(weights, bias, x).sum()))
        np.testing.assert_allclose(gradient(xs), jax.grad(lambda x: jnp.tanh(weights @ x + bias).sum())(xs), rtol=1e-10)

    def test_vmap(self):
        weights, bias, batch = random(3, 4), random(3), random(5, 4)
        mapped = jax.vmap(reverse.layer, in_axes=(None, None, 0))
        np.testing.assert_allclose(mapped(weights, bias, batch), jnp.tanh(batch @ weights.T + bias), rtol=1e-12)
        gradients = jax.vmap(jax.grad(lambda x: reverse.layer(weights, bias, x).sum()))(batch)
        expected = jax.vmap(jax.grad(lambda x: jnp.tanh(weights @ x + bias).sum()))(batch)
        np.testing.assert_allclose(gradients, expected, rtol=1e-10)
        steps = jax.vmap(lambda n: reverse.swing(random(2) * 0 + 1, 0.5, n, True)[0])(jnp.arange(3))
        np.testing.assert_allclose(steps, [swing(jnp.ones(2), 0.5, n, True)[0] for n in range(3)], rtol=1e-12)

    def test_grad_inside_scan(self):
        weights, bias = random(4, 4), random(4)

        def descend(layer):
            def step(x, _):
                return x - 0.1 * jax.grad(lambda y: layer(weights, bias, y).sum())(x), None
            return jax.jit(lambda x: jax.lax.scan(step, x, None, length=10)[0])
        start = random(4)
        np.testing.assert_allclose(descend(reverse.layer)(start), descend(lambda w, b, x: jnp.tanh(w @ x + b))(start), rtol=1e-10)

    def test_grad_of_scan(self):
        weights, bias = random(4, 4), random(4)

        def run(layer):
            return lambda x: jax.lax.scan(lambda y, _: (layer(weights, bias, y), None), x, None, length=5)[0].sum()
        start = random(4)
        np.testing.assert_allclose(jax.grad(run(reverse.layer))(start), jax.grad(run(lambda w, b, x: jnp.tanh(w @ x + b)))(start),
            rtol=1e-10)


class Errors(unittest.TestCase):
    def assert_raises(self, kind, text, function, *args):
        with self.assertRaises(kind) as caught:
            function(*args)
        self.assertEqual(str(caught.exception), text)

    def test_types(self):
        xs = random(3)
        self.assert_raises(TypeError, "layer: weights must be float64, not float32", reverse.layer, jnp.ones((3, 3), jnp.float32), xs, xs)
        self.assert_raises(TypeError, "layer: bias must be float64, not int64", reverse.layer, jnp.ones((3, 3)), jnp.arange(3), xs)
        self.assert_raises(TypeError, "swing: damped must be bool, not int64", reverse.swing, xs, 1.0, 1, 1)
        self.assert_raises(TypeError, "swing: steps must be an integer, not float64 of 0 dimensions", reverse.swing, xs, 1.0, 1.5, True)
        self.assert_raises(TypeError, "counted: k must be an integer, not float", reverse.counted, 1, 1.5)
        self.assert_raises(TypeError, "counted: k must be known while the program is traced, since shapes depend on it",
            jax.jit(reverse.counted), 1, 2)

    def test_shapes(self):
        xs = random(3)
        self.assert_raises(ValueError, "layer: weights must have 2 dimensions, not 1", reverse.layer, xs, xs, xs)
        self.assert_raises(ValueError, "layer: dimension 0 of xs must be 3, which is m by dimension 1 of weights, not 2",
            jax.jit(reverse.layer), jnp.ones((3, 3)), xs, xs[:2])
        self.assert_raises(ValueError, "reverse.counted: negative array size -1", reverse.counted, 1, -1)

    def test_what_fails_inside(self):
        with self.assertRaisesRegex(Exception, "overwritten: differentiable.fut:15: .*7.*3"):
            jax.block_until_ready(reverse.overwritten(random(3), 7, 0.0))
        with self.assertRaisesRegex(Exception, "counted: start must fit in int32, unlike 4294967296"):
            jax.block_until_ready(reverse.counted(1 << 32, 1))


class Cuda(unittest.TestCase):
    @unittest.skipUnless(shutil.which("nvcc"), "nvcc was not found")
    def test_it_compiles(self):
        folder = pathlib.Path(FOLDER.name) / "cuda"
        folder.mkdir()
        building.translate(BOUSTRO, building.HERE / "passed_on.fut", folder, "--bindings", "jax", "--target", "cuda", "--entry", "scaled",
            "--entry", "shrunk",
                           "-o", str(folder / "passed_on.cu"))
        building.build(folder, "passed_on_jax.cpp")


class Sample(unittest.TestCase):
    def test_fit(self):
        """samples/jax finds the parameters that its data were made of."""
        folder = pathlib.Path(FOLDER.name) / "sample"
        shutil.copytree(building.HERE.parent.parent / "samples" / "jax", folder)
        building.translate(BOUSTRO, folder / "pendulum.fut", folder, "--bindings", "jax")
        building.build(folder, "pendulum_jax.cpp")
        output = subprocess.run([sys.executable, "fit.py"], cwd=folder, check=True, capture_output=True, text=True).stdout
        found = [float(word.strip(",")) for word in output.split() if word[0].isdigit()]
        np.testing.assert_allclose(found, [9.81, 0.3], atol=0.02)


if __name__ == "__main__":
    unittest.main()
