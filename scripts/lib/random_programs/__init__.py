"""Random well-typed programs for `scripts/fuzz_emit`, as text, with inputs.

All numbers stay small and whole, so that no order of additions shows. Statements stand on lines of their own, and so does each
result, so that a failing program can be made smaller line by line. A file for each family of statements; their classes are parts of
RandomProgram, which chooses among them.
"""

import random

from .arrays import Arrays
from .control import Control
from .derivatives import Derivatives
from .late_sizes import LateSizes
from .numbers import Numbers
from .reductions import Reductions
from .scope import COLUMNS, Scope, indented
from .tuples import Tuples
from .updates import Updates

# Variables of these names hide the modules.
MODULES = {kind + bits for kind in "iu" for bits in ("8", "16", "32", "64")} | {"f16", "f32", "f64"}

PRELUDE = """def wrap_f64 (x: f64) : f64 = x f64.% 64
def wrap_f32 (x: f32) : f32 = x f32.% 32
def wrap_f16 (x: f16) : f16 = x f16.% 8
def wrap_i64 (x: i64) : i64 = x i64.% 97
def wrap_i32 (x: i32) : i32 = x i32.% 89
def wrap_u8 (x: u8) : u8 = x u8.% 100
def at [n] 't (xs: [n]t) (i: i64) (otherwise: t) : t = if 0 <= i && i < n then xs[i] else otherwise
"""


class RandomProgram(Numbers, Arrays, Reductions, Control, Updates, Tuples, LateSizes, Derivatives):
    def __init__(self, seed, half=False):
        self.random = random.Random(seed)
        self.fresh = 0
        self.half = half

    # ---- The whole

    def entry(self, name):
        """The text of an entry, and its parameters' types."""
        parameters = [("x", "f64", ()), ("k", "i64", ()), ("xs", "f64", ("n",)), ("ys", "f64", ("n",)), ("is", "i64", ("n",)),
                      ("zss", "f64", ("n", "m")), ("us", self.pick(["f32", "i32", "u8", "bool", *self.halves()]), ("m",)),
                      ("js", "i64", ("m",))]
        scope = Scope([*parameters], ["n", "m"])
        lines = self.statements(scope, self.random.randint(3, 9))
        results = [self.result(scope) for _ in range(self.random.randint(1, 4))]
        types = ", ".join(self.type(elem, shape) for _, elem, shape in results)
        head = " ".join(f"({p}: {self.type(elem, shape)})" for p, elem, shape in parameters)
        text = [f"entry {name} [n] [m] {head} : ({types}) =", *indented(lines), "  in", "  ( " + "\n  , ".join(r for r, _, _ in results) + "\n  )"]
        return "\n".join(text) + "\n", parameters

    def halves(self):
        return ["f16"] if self.half else []

    def result(self, scope):
        """A variable whose size the caller knows, or a number made of one."""
        name, elem, shape = self.late(scope.variables)
        if all(size in ("n", "m") or size.isdigit() for size in shape):
            return name, elem, shape
        if len(shape) == 1 and elem != "bool" and self.chance(3):
            return self.sum_of(elem, name), elem, ()
        return f"length {name}", "i64", ()

    def inputs(self, parameters):
        """Arguments for a few sizes, in words."""
        sizes = [(4, 3), (0, 2), (1, 1), (5, 0), (33, 2), (300, 3)]
        return [" ".join(self.value(elem, [{"n": n, "m": m}[size] for size in shape]) for _, elem, shape in parameters)
                for n, m in sizes]

    def value(self, elem, shape):
        if not shape:
            return self.number(elem)
        if 0 in shape:
            return f"empty({''.join(f'[{size}]' for size in shape)}{elem})"
        return "[" + ", ".join(self.value(elem, shape[1:]) for _ in range(shape[0])) + "]"

    def number(self, elem):
        if elem == "bool":
            return self.pick(["true", "false"])
        least = 0 if elem == "u8" else -6
        text = str(self.random.randint(least, 9))
        return text + (".0" if elem.startswith("f") else "") + elem

    # ---- Choices

    def pick(self, choices):
        return self.random.choice(list(choices))

    def chance(self, of):
        return self.random.randrange(of) == 0

    def late(self, choices):
        """One of them; later ones more often, for longer chains."""
        return choices[max(self.random.randrange(len(choices)), self.random.randrange(len(choices)))]

    def name(self, base):
        self.fresh += 1
        name = f"{base}{self.fresh}"
        return self.name(base) if name in MODULES else name

    def type(self, elem, shape):
        return "".join(f"[{size}]" for size in shape) + elem

    # ---- Statements

    def statements(self, scope, count):
        return [line for _ in range(count) for line in self.statement(scope)]

    def statement(self, scope):
        """Lines; what they bind comes into scope."""
        simple = [self.let_scalar, self.let_scalar, self.new_array, self.view]
        nested = [self.map, self.map, self.map, self.map_rows, self.reduce, self.reduce, self.scan, self.branch, self.loop, self.update,
                  self.update_loop, self.scatter, self.histogram, self.rows, self.gather]
        odd = [self.filter, self.partition, self.growing, self.branch_of_sizes, self.while_loop, self.reduce_tuples, self.scan_tuples,
               self.derivative, self.derivative, self.tuples, self.late_size, self.slice, self.histogram_of_tuples, self.dependent_rows,
               self.reduce_rows, self.record]
        choices = simple + (nested * 2 if scope.depth > 0 else []) + (odd if scope.depth > 0 and not scope.differentiable else [])
        return self.pick(choices)(scope)

    def bind(self, scope, base, elem, shape, text):
        """let name: type = text, which may have several lines."""
        name = self.name(base)
        scope.variables.append((name, elem, tuple(shape)))
        first, *rest = text if isinstance(text, list) else [text]
        return [f"let {name} : {self.type(elem, shape)} = {first}", *indented(rest)]

    def elem(self, scope):
        if scope.differentiable:
            return "f64"
        return self.pick(["f64", "f64", "f64", "i64", "i64", "f32", "i32", "u8", "bool", *self.halves(), *self.halves()])

    def size(self, scope):
        return self.pick(["n", "n", *scope.sizes, str(COLUMNS)])
