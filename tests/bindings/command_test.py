#!/usr/bin/env python3
"""--bindings on the command line: what is written, what is refused, and that nothing is left half-written.

Usage: command_test.py BOUSTRO
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

BOUSTRO = sys.argv.pop(1)
PROGRAM = """
-- | Product.
entry scaled [n] (xs: [n]f64) (factor: f64) : [n]f64 = map (* factor) xs
entry words [n] (xs: [n]u32) : [n]u32 = map (+ 1) xs
entry chosen [n] (xs: [n]f64) : []f64 = filter (> 0) xs
entry nothing (x: f64) : () = ()
"""


class Command(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name)
        (self.folder / "program.fut").write_text(PROGRAM)
        self.addCleanup(self.temporary.cleanup)

    def translate(self, *words, code=0, program="program.fut"):
        """What it wrote to stderr."""
        outcome = subprocess.run([BOUSTRO, "translate", "--verify=none", *words, program], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(outcome.returncode, code, outcome.stderr)
        return outcome.stderr

    def written(self):
        return sorted(path.name for path in self.folder.iterdir() if path.name != "program.fut")

    def assert_refused(self, text, *words, code=1):
        self.assertIn(text, self.translate(*words, code=code))
        self.assertEqual(self.written(), [])

    def test_files(self):
        self.translate("--bindings", "python,torch", "--bindings", "jax", "--entry", "scaled")
        self.assertEqual(self.written(), ["program.cpp", "program.hpp", "program_jax.cpp", "program_jax.py", "program_python.cpp",
            "program_torch.cpp"])

    def test_files_for_a_gpu(self):
        self.translate("--bindings", "torch,jax", "--target", "cuda", "--entry", "scaled", "-o", "to.cu")
        self.assertEqual(self.written(), ["to.cu", "to.hpp", "to_cpu.cpp", "to_cpu.hpp", "to_jax.cpp", "to_jax.py", "to_torch.cpp"])
        self.assertIn("namespace to_cpu {", (self.folder / "to_cpu.hpp").read_text())

    def test_typical_sizes(self):
        """Of kernels some are chosen for them; the C++ for a CPU has none."""
        self.translate("--bindings", "jax", "--target", "cuda", "--entry", "scaled", "--size", "n=1000", "-o", "to.cu")
        self.assertIn("for n = 1000", (self.folder / "to.cu").read_text())
        self.assertNotIn("Kernels", (self.folder / "to_cpu.cpp").read_text())

    def test_namespace(self):
        self.translate("--bindings", "python", "--entry", "scaled", "--namespace", "a::b")
        self.assertIn("a::b::scaled(", (self.folder / "program_python.cpp").read_text())

    def test_derivatives(self):
        """Of all functions, of one, of none, and twice."""
        self.translate("--bindings", "torch", "--entry", "scaled")
        self.assertIn("scaled_vjp(", (self.folder / "program.hpp").read_text())
        self.assertNotIn("scaled_vjp_vjp(", (self.folder / "program.hpp").read_text())
        self.translate("--bindings", "torch", "--entry", "scaled", "--double")
        self.assertIn("scaled_vjp_vjp(", (self.folder / "program.hpp").read_text())
        self.translate("--bindings", "torch", "--entry", "scaled", "--vjp", "scaled", "--wrt", "factor")
        self.assertIn("return {at::Tensor(), factor_adj};", (self.folder / "program_torch.cpp").read_text())
        self.assertIn("scaled: xs requires a gradient, of which there is none", (self.folder / "program_torch.cpp").read_text())
        self.translate("--bindings", "jax", "--entry", "scaled", "--vjp", "scaled", "--wrt", "factor")
        self.assertIn("return (jnp.full_like(xs, jnp.nan), found_)", (self.folder / "program_jax.py").read_text())
        self.translate("--bindings", "python", "--entry", "scaled")
        self.assertNotIn("scaled_vjp(", (self.folder / "program.hpp").read_text())

    def test_usage(self):
        self.assert_refused("--double: needs --bindings torch or jax", "--double", "--bindings", "python", code=2)
        self.assert_refused("numpy not in {python,torch,jax}", "--bindings", "numpy", code=2)
        self.assert_refused("python needs --target cpp", "--bindings", "torch,python", "--target", "cuda", code=2)
        self.assert_refused("--bindings torch needs --vjp", "--bindings", "torch", "--jvp", "scaled", code=2)
        self.assert_refused("--jvp goes without it", "--bindings", "jax", "--jvp", "scaled", "--wrt", "xs", code=2)

    def test_what_a_library_cannot_pass(self):
        self.assert_refused("program.fut:4:1: unsupported: cannot emit code for a binding of PyTorch: "
                            "`xs` of `words` has elements of type u32, as no tensor has",
                            "--bindings", "torch")
        self.assert_refused("a binding of JAX: `chosen` returns `result`, whose size depends on data", "--bindings", "python,jax",
            "--entry", "chosen")
        self.assert_refused("a binding of JAX: `nothing` returns nothing", "--bindings", "jax", "--entry", "nothing")

    def test_names(self):
        self.assert_refused("no module of Python can have that name", "--bindings", "python", "-o", "a-b.cpp")
        self.assert_refused("no module of Python can have that name", "--bindings", "python", "-o", "class.cpp")
        self.assert_refused("a library that bindings use has that name", "--bindings", "torch", "--entry", "scaled", "-o", "torch.cpp")
        self.assert_refused("`py` is a namespace that bindings use", "--bindings", "python", "--namespace", "py")

    def test_what_is_in_the_way(self):
        (self.folder / "program_python.cpp").mkdir()
        self.assertIn("cannot write `program_python.cpp`", self.translate("--bindings", "python", code=1))
        self.assertEqual(self.written(), ["program_python.cpp"])

    def test_edited_files_are_merged_and_bindings_written_anew(self):
        self.translate("--bindings", "python", "--keep-base")
        source = self.folder / "program.cpp"
        source.write_text("// Edited.\n" + source.read_text())
        (self.folder / "program_python.cpp").write_text("")
        self.translate("--bindings", "python", "--merge", "program.cpp")
        self.assertTrue(source.read_text().startswith("// Edited.\n"))
        self.assertIn("PYBIND11_MODULE(program", (self.folder / "program_python.cpp").read_text())


if __name__ == "__main__":
    unittest.main()
