"""Random well-typed programs for `scripts/fuzz_emit`, as text, with inputs.

All numbers stay small and whole, so that no order of additions shows. Statements stand on lines of their own, and so does each
result, so that a failing program can be made smaller line by line.
"""

import random

FLOATS = ["f64", "f64", "f64", "f32"]
INTEGERS = ["i64", "i64", "i32", "u8"]
# What a number is wrapped by, so that it stays small.
MODULUS = {"f64": 64, "f32": 32, "f16": 8, "i64": 97, "i32": 89, "u8": 100}
COLUMNS = 3
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


class Scope:
    """Variables by type: a type is an element and a shape, whose sizes are names or numbers in words."""

    def __init__(self, variables=(), sizes=(), depth=3, differentiable=False):
        self.variables = list(variables)  # (name, elem, shape)
        self.sizes = list(sizes)  # names of sizes that may be used here
        self.depth = depth
        self.differentiable = differentiable

    def inner(self, variables=(), sizes=()):
        return Scope([*self.variables, *variables], [*self.sizes, *sizes], self.depth - 1, self.differentiable)

    def of(self, elem, shape):
        return [name for name, e, s in self.variables if e == elem and s == tuple(shape)]

    def arrays(self, rank=None, elem=None):
        return [v for v in self.variables if v[2] and (rank is None or len(v[2]) == rank) and (elem is None or v[1] == elem)]


class RandomProgram:
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

    # ---- Numbers

    def scalar(self, scope, elem, depth=1):
        """An expression of one number, in parentheses if it needs them."""
        names = scope.of(elem, ())
        if depth == 0 or self.chance(4):
            return self.late(names) if names and not self.chance(5) else self.literal(elem)
        if elem == "bool":
            return f"({self.condition(scope, depth - 1)})"
        return self.pick([self.arithmetic, self.arithmetic, self.arithmetic, self.selected, self.converted, self.element])(scope, elem, depth - 1)

    def literal(self, elem):
        return f"({self.number(elem)})"

    def arithmetic(self, scope, elem, depth):
        x, y = self.scalar(scope, elem, depth), self.scalar(scope, elem, depth)
        if elem == "bool":
            return f"({x} {self.pick(['&&', '||'])} {y})"
        choices = [f"({x} + {y})", f"({x} - {y})", f"({x} * {y})", f"{elem}.max {x} {y}", f"{elem}.min {x} {y}"]
        if elem in ("i64", "i32", "u8"):
            choices += [f"({x} / {self.positive(elem)})", f"({x} %% {self.positive(elem)})", f"({x} ^ {y})"]
        else:
            choices += [f"{elem}.abs {x}", f"({elem}.neg {x})"]
        return f"(wrap_{elem} ({self.pick(choices)}))"

    def positive(self, elem):
        return f"{self.random.randint(1, 7)}{elem}"

    def selected(self, scope, elem, depth):
        return f"(if {self.condition(scope, depth)} then {self.scalar(scope, elem, depth)} else {self.scalar(scope, elem, depth)})"

    def converted(self, scope, elem, depth):
        others = [e for e in ("f64", "f32", "i64", "i32", "u8", *self.halves()) if e != elem and scope.of(e, ())]
        if not others or elem == "bool" or scope.differentiable:
            return self.arithmetic(scope, elem, depth)
        other = self.pick(others)
        inner = self.scalar(scope, other, 0)
        if elem in ("u8", "f16") or elem == "f32":
            inner = f"({inner} %% {other}.i64 7)" if not other.startswith("f") else f"({other}.abs {inner} % {other}.i64 7)"
        return f"({elem}.{other} {inner})"

    def element(self, scope, elem, depth):
        arrays = scope.arrays(1, elem)
        if not arrays:
            return self.arithmetic(scope, elem, depth)
        name, _, shape = self.late(arrays)
        if self.chance(25) and not scope.differentiable:
            return f"{name}[{self.scalar(scope, 'i64', depth)}]"
        index = self.scalar(scope, "i64", depth)
        return f"(at {name} ({index}) {self.scalar(scope, elem, 0)})"

    def condition(self, scope, depth):
        elems = [e for e in ("f64", "i64", "f32", "i32") if scope.of(e, ())] or ["i64"]
        elem = self.pick(elems)
        if scope.of("bool", ()) and self.chance(3):
            return self.late(scope.of("bool", ()))
        return f"{self.scalar(scope, elem, depth)} {self.pick(['<', '<=', '==', '>'])} {self.scalar(scope, elem, depth)}"

    def sum_of(self, elem, array):
        return f"(reduce (\\a b -> wrap_{elem} (a + b)) 0 {array})"

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

    def let_scalar(self, scope):
        elem = self.elem(scope)
        return self.bind(scope, "s", elem, (), self.scalar(scope, elem, 2))

    def array_of(self, scope, elem, size):
        """An array of that type: a variable, or a new one in words."""
        names = scope.of(elem, (size,))
        if names and not self.chance(6):
            return self.late(names)
        if elem == "i64" and self.chance(2):
            return f"(iota {size})"
        if self.chance(2):
            return f"(replicate {size} {self.scalar(scope, elem, 0)})"
        return f"(tabulate {size} (\\i -> {self.of_index(elem, 'i')}))"

    def of_index(self, elem, index):
        if elem == "bool":
            return f"{index} % 3 == 1"
        return f"{elem}.i64 (({index} * {self.random.randint(1, 5)} + {self.random.randint(0, 4)}) % 7)" if elem != "i64" else f"({index} * {self.random.randint(1, 5)}) % 7"

    def new_array(self, scope):
        elem, size = self.elem(scope), self.size(scope)
        if size == str(COLUMNS) and self.chance(2):
            return self.bind(scope, "vs", elem, (size,), "[" + ", ".join(self.scalar(scope, elem, 1) for _ in range(COLUMNS)) + "]")
        text = self.pick([f"replicate {size} {self.scalar(scope, elem, 1)}", f"tabulate {size} (\\i -> {self.of_index(elem, 'i')})"])
        return self.bind(scope, "vs", elem, (size,), text)

    def view(self, scope):
        arrays = scope.arrays()
        if not arrays:
            return self.let_scalar(scope)
        name, elem, shape = self.late(arrays)
        if len(shape) == 2:
            text, new = self.pick([(f"transpose {name}", shape[::-1]), (f"reverse {name}", shape), (f"copy {name}", shape),
                                   (f"map reverse {name}", shape),
                                   (f"unflatten (sized ({shape[0]} * {shape[1]}) (flatten {name}))", shape)])
            return self.bind(scope, "vs", elem, new, text)
        if self.chance(6) and shape[0] != str(COLUMNS):
            return self.bind(scope, "vss", elem, (str(COLUMNS), *shape), f"replicate {COLUMNS} {name}")
        if self.chance(4) and not scope.differentiable:
            other = self.array_of(scope, elem, shape[0])
            return self.bind(scope, "vs", elem, shape, f"take {shape[0]} ({name} ++ {other})")
        text = self.pick([f"reverse {name}", f"rotate {self.scalar(scope, 'i64', 0)} {name}" if not scope.differentiable else f"reverse {name}",
                          f"copy {name}"])
        return self.bind(scope, "vs", elem, shape, text)

    def lambda_of(self, scope, parameters, result_elem, result_shape=(), sizes=(), row=None):
        """The lines of a function in parentheses; with a size for `row`, of a number and a row."""
        inner = scope.inner(parameters, sizes)
        lines = self.statements(inner, self.random.randint(0, 3))
        if result_shape:
            names = inner.of(result_elem, result_shape)
            result = self.late(names) if names else self.array_of(inner, result_elem, result_shape[0]) if len(result_shape) == 1 else None
        else:
            result = self.scalar(inner, result_elem, 2)
        if row:
            result = f"({result}, {self.array_of(inner, result_elem, row)})"
        head = "(\\" + " ".join(f"({p}: {self.type(elem, shape)})" for p, elem, shape in parameters) + " ->"
        return [head, *indented(lines), ("  in " if lines else "  ") + result + ")"]

    def outer(self, scope):
        """A size, and arrays with it as their first."""
        size = self.size(scope)
        arrays = [v for v in scope.arrays() if v[2][0] == size]
        chosen = [self.late(arrays) for _ in range(self.random.randint(1, 3))] if arrays else []
        if not chosen or self.chance(4):
            chosen.append((f"(iota {size})", "i64", (size,)))
        return size, chosen

    def map_text(self, scope, chosen, result_elem, result_shape=(), row=None):
        parameters = [(self.name("e" if len(shape) == 1 else "row"), elem, shape[1:]) for _, elem, shape in chosen]
        lines = self.lambda_of(scope, parameters, result_elem, result_shape, row=row)
        function = "map" if len(chosen) == 1 else f"map{len(chosen)}"
        lines[0] = f"{function} {lines[0]}"
        lines[-1] += " " + " ".join(name for name, _, _ in chosen)
        return lines

    def map(self, scope):
        size, chosen = self.outer(scope)
        elem = self.elem(scope)
        return self.bind(scope, "ms", elem, (size,), self.map_text(scope, chosen, elem))

    def map_rows(self, scope):
        size, chosen = self.outer(scope)
        elem, inner = self.elem(scope), self.size(scope)
        return self.bind(scope, "mss", elem, (size, inner), self.map_text(scope, chosen, elem, (inner,)))

    def operator(self, scope, elem):
        """An associative operator and its neutral element."""
        if elem == "bool":
            return self.pick([("(&&)", "true"), ("(||)", "false"), ("(!=)", "false")])
        wrapped = [(f"(\\a b -> wrap_{elem} (a + b))", f"0{elem}")]
        if elem.startswith("f"):
            ordered = [(f"{elem}.max", f"(-{elem}.inf)"), (f"{elem}.min", f"{elem}.inf")]
            return self.pick(ordered + [(f"(\\a b -> a + b)", f"0{elem}")] if scope.differentiable else ordered + wrapped * 2)
        ordered = [(f"{elem}.max", f"{elem}.lowest"), (f"{elem}.min", f"{elem}.highest"), ("(^)", f"0{elem}"), ("(+)", f"0{elem}")]
        last = [(f"(\\a b -> if b == 77 then a else b)", f"77{elem}")]
        return self.pick(ordered + last + wrapped)

    def reduced(self, elem, text):
        """Back to a small number, also where an empty array left an infinity or an end of the range."""
        if elem == "bool":
            return text
        if elem.startswith("f"):
            return f"(let r = {text} in if {elem}.abs r < 1000 then wrap_{elem} r else 0)"
        return f"(wrap_{elem} ({text}))"

    def reduce(self, scope):
        arrays = scope.arrays(1)
        if not arrays:
            return self.let_scalar(scope)
        name, elem, shape = self.late(arrays)
        op, neutral = self.operator(scope, elem)
        return self.bind(scope, "r", elem, (), self.reduced(elem, f"reduce {op} {neutral} {name}"))

    def scan(self, scope):
        arrays = scope.arrays(1)
        if not arrays:
            return self.let_scalar(scope)
        name, elem, shape = self.late(arrays)
        op, neutral = self.operator(scope, elem)
        reduced = self.reduced(elem, "v")
        return self.bind(scope, "ss", elem, shape, f"map (\\v -> {reduced}) (scan {op} {neutral} {name})")

    def rows(self, scope):
        """Reduces or scans each row."""
        matrices = scope.arrays(2)
        if not matrices:
            return self.map_rows(scope)
        name, elem, shape = self.late(matrices)
        op, neutral = self.operator(scope, elem)
        if self.chance(2):
            return self.bind(scope, "ss", elem, shape, f"map (\\row -> map (\\v -> {self.reduced(elem, 'v')}) (scan {op} {neutral} row)) {name}")
        return self.bind(scope, "rs", elem, shape[:1], f"map (\\row -> {self.reduced(elem, f'reduce {op} {neutral} row')}) {name}")

    def reduce_rows(self, scope):
        """A reduction whose operator works on rows."""
        matrices = [v for v in scope.arrays(2) if v[1] != "bool"]
        if not matrices:
            return self.rows(scope)
        name, elem, shape = self.late(matrices)
        return self.bind(scope, "rs", elem, shape[1:],
                         f"reduce (map2 (\\a b -> wrap_{elem} (a + b))) (replicate {shape[1]} 0{elem}) {name}")

    def gather(self, scope):
        arrays = scope.arrays(1)
        if not arrays:
            return self.new_array(scope)
        name, elem, shape = self.late(arrays)
        size = self.size(scope)
        indices = self.array_of(scope, "i64", size)
        return self.bind(scope, "gs", elem, (size,), f"map (\\i -> at {name} i {self.scalar(scope, elem, 0)}) {indices}")

    # ---- Control

    def body(self, scope, variables, elem, shape, sizes=()):
        """Lines and a result of that type."""
        inner = scope.inner(variables, sizes)
        lines = self.statements(inner, self.random.randint(0, 2))
        names = inner.of(elem, shape)
        result = self.scalar(inner, elem, 2) if not shape else self.late(names) if names else self.array_of(inner, elem, shape[0])
        return lines, result

    def branch(self, scope):
        elem = self.elem(scope)
        shape = self.pick([(), (self.size(scope),)])
        lines = [f"if {self.condition(scope, 1)} then"]
        for word in ("else", None):
            body, result = self.body(scope, [], elem, shape)
            lines += [*indented(body), ("  in " if body else "  ") + result]
            lines += [word] if word else []
        return self.bind(scope, "b", elem, shape, lines)

    def loop(self, scope):
        """A number and an array are carried."""
        elem, size = self.elem(scope), self.size(scope)
        v, vs, i = self.name("v"), self.name("vs"), self.name("i")
        carried = [(v, elem, ()), (vs, elem, (size,))]
        lines, result = self.body(scope, [*carried, (i, "i64", ())], elem, (size,))
        inner = scope.inner([*carried, (i, "i64", ())])
        bound = self.pick([str(self.random.randint(0, 4)), *(["m"] if "m" in scope.sizes else [])])
        last = [self.name("last"), self.name("lasts")]
        text = [f"let ({last[0]}, {last[1]}) = loop ({v} : {elem}, {vs} : [{size}]{elem}) = ({self.scalar(scope, elem, 0)}, "
                f"{self.array_of(scope, elem, size)}) for {i} < {bound} do",
                *indented(lines), ("  in " if lines else "  ") + f"({self.scalar(inner, elem, 1)}, {result})"]
        scope.variables += [(last[0], elem, ()), (last[1], elem, (size,))]
        return text

    def while_loop(self, scope):
        v, i = self.name("v"), self.name("i")
        lines, result = self.body(scope, [(v, "i64", ()), (i, "i64", ())], "i64", ())
        last = self.name("last")
        text = [f"let ({last}, _) = loop ({v} : i64, {i} : i64) = ({self.scalar(scope, 'i64', 0)}, 0) "
                f"while {i} < {self.random.randint(1, 6)} && {v} % 5 != 4 do", *indented(lines),
                ("  in " if lines else "  ") + f"({result}, {i} + 1)"]
        scope.variables.append((last, "i64", ()))
        return text

    # ---- Updates in place

    def update(self, scope):
        arrays = scope.arrays()
        if not arrays:
            return self.new_array(scope)
        name, elem, shape = self.late(arrays)
        index = self.scalar(scope, "i64", 1)
        if len(shape) == 2:
            row = self.array_of(scope, elem, shape[1])
            text = f"(if 0 <= {index} && {index} < {shape[0]} then (copy {name}) with [{index}] = {row} else {name})"
        elif self.chance(4) and not scope.differentiable:
            low = f"(i64.max 0 (i64.min {index} ({shape[0]})))"
            text = f"(let low = {low} in (copy {name}) with [low:] = replicate ({shape[0]} - low) {self.scalar(scope, elem, 1)})"
        else:
            text = f"(if 0 <= {index} && {index} < {shape[0]} then (copy {name}) with [{index}] = {self.scalar(scope, elem, 1)} else {name})"
        return self.bind(scope, "us", elem, shape, text)

    def update_loop(self, scope):
        """A loop that updates an array, element by element, each from what is there."""
        arrays = scope.arrays(1)
        if not arrays:
            return self.new_array(scope)
        name, elem, shape = self.late(arrays)
        us, i = self.name("us"), self.name("i")
        lines, result = self.body(scope, [(i, "i64", ()), (f"old{us}", elem, ())], elem, ())
        index = self.pick([i, f"(({i} * 2) % {shape[0]})", f"({shape[0]} - 1 - {i})"])
        text = [f"loop ({us} : *[{shape[0]}]{elem}) = copy {name} for {i} < {shape[0]} do",
                f"  let old{us} = {us}[{index}]", *indented(lines), f"  in {us} with [{index}] = {result}"]
        return self.bind(scope, "us", elem, shape, text)

    def scatter(self, scope):
        arrays = scope.arrays(1)
        if not arrays:
            return self.new_array(scope)
        name, elem, shape = self.late(arrays)
        size = self.size(scope)
        places = f"(map (\\i -> {self.pick(['i - 1', 'i * 2', 'i + 1', f'{size} - 1 - i'])}) (iota {size}))"
        return self.bind(scope, "cs", elem, shape, f"scatter (copy {name}) {places} {self.array_of(scope, elem, size)}")

    def histogram(self, scope):
        arrays = scope.arrays(1)
        if not arrays:
            return self.new_array(scope)
        name, elem, shape = self.late(arrays)
        size = self.size(scope)
        op, neutral = self.operator(scope, elem)
        bins = self.array_of(scope, "i64", size)
        text = f"reduce_by_index (copy {name}) {op} {neutral} {bins} {self.array_of(scope, elem, size)}"
        return self.bind(scope, "hs", elem, shape, f"map (\\v -> {self.reduced(elem, 'v')}) ({text})")

    def histogram_of_tuples(self, scope):
        size, cells = self.size(scope), self.size(scope)
        values = f"{self.array_of(scope, 'i64', size)} (zip {self.array_of(scope, 'f64', size)} {self.array_of(scope, 'i64', size)})"
        a, b = self.name("hs"), self.name("hs")
        scope.variables += [(a, "f64", (cells,)), (b, "i64", (cells,))]
        return [f"let ({a}, {b}) = unzip (map (\\(x, i) -> (if f64.abs x < 1000 then x else 0, wrap_i64 i)) "
                f"(reduce_by_index (replicate {cells} (-f64.inf, -1)) {self.winner()} (-f64.inf, -1) {values}))"]

    # ---- Tuples and records

    def winner(self):
        return self.pick(["(\\(x, i) (y, j) -> if x > y || (x == y && i > j) then (x, i) else (y, j))",
                          "(\\(x, i) (y, j) -> (f64.max x y, i64.max i j))"])

    def reduce_tuples(self, scope):
        size = self.size(scope)
        values = f"(zip {self.array_of(scope, 'f64', size)} {self.array_of(scope, 'i64', size)})"
        a, b = self.name("r"), self.name("r")
        scope.variables += [(a, "f64", ()), (b, "i64", ())]
        return [f"let ({a}, {b}) = (\\(x, i) -> (if f64.abs x < 1000 then x else 0, wrap_i64 i)) "
                f"(reduce {self.winner()} (-f64.inf, -1) {values})"]

    def scan_tuples(self, scope):
        """Segmented sums, or products of affine functions."""
        size = self.size(scope)
        first, second = self.pick([("f64", "bool"), ("i64", "i64")])
        elements = self.array_of(scope, first, size)
        if second == "bool":  # 0 is neutral for what is wrapped already
            elements = f"(map wrap_f64 {elements})"
        values = f"(zip {elements} {self.array_of(scope, second, size)})"
        a, b = self.name("ss"), self.name("ss")
        scope.variables += [(a, first, (size,)), (b, second, (size,))]
        if second == "bool":
            return [f"let ({a}, {b}) = unzip (scan (\\(x, f) (y, g) -> (if g then y else wrap_f64 (x + y), f || g)) (0, false) {values})"]
        return [f"let ({a}, {b}) = unzip (map (\\(x, y) -> (wrap_i64 x, wrap_i64 y)) "
                f"(scan (\\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) {values}))"]

    def tuples(self, scope):
        """A map to pairs of a number and a row."""
        size, chosen = self.outer(scope)
        inner = self.size(scope)
        elem = self.elem(scope)
        lines = self.map_text(scope, chosen, elem, row=inner)
        a, b = self.name("ms"), self.name("mss")
        scope.variables += [(a, elem, (size,)), (b, elem, (size, inner))]
        return [f"let ({a}, {b}) = unzip ({lines[0]}", *lines[1:-1], lines[-1] + ")"]

    def record(self, scope):
        elem, size = self.elem(scope), self.size(scope)
        r, a, b = self.name("rec"), self.name("s"), self.name("vs")
        made = f"{{a = {self.scalar(scope, elem, 1)}, b = {self.array_of(scope, elem, size)}}}"
        other = f"{{a = {self.scalar(scope, elem, 1)}, b = {self.array_of(scope, elem, size)}}}"
        text = f"if {self.condition(scope, 1)} then {made} else {other}" if self.chance(2) else made
        scope.variables += [(a, elem, ()), (b, elem, (size,))]
        return [f"let {r} = {text}", f"let {a} = {r}.a", f"let {b} = {r}.b"]

    # ---- Sizes that are known late

    def new_size(self, scope, size):
        scope.sizes.append(size)

    def late_size(self, scope):
        size = self.name("q")
        lines = [f"let {size} = i64.abs ({self.scalar(scope, 'i64', 1)}) % {self.random.randint(2, 7)}"]
        scope.variables.append((size, "i64", ()))
        self.new_size(scope, size)
        elem = self.elem(scope)
        return [*lines, *self.bind(scope, "vs", elem, (size,), f"tabulate {size} (\\i -> {self.of_index(elem, 'i')})")]

    def filter(self, scope):
        arrays = [v for v in scope.arrays(1)]
        if not arrays:
            return self.late_size(scope)
        name, elem, shape = self.late(arrays)
        size, new = self.name("q"), self.name("fs")
        condition = "v" if elem == "bool" else f"v {self.pick(['>', '<='])} {self.number(elem)}"
        scope.variables += [(new, elem, (size,)), (size, "i64", ())]
        self.new_size(scope, size)
        return [f"let [{size}] ({new} : [{size}]{elem}) = filter (\\v -> {condition}) {name}"]

    def partition(self, scope):
        arrays = [v for v in scope.arrays(1) if v[1] in ("f64", "i64", "i32", "f32")]
        if not arrays:
            return self.filter(scope)
        name, elem, shape = self.late(arrays)
        one, two, first, second = self.name("q"), self.name("q"), self.name("fs"), self.name("fs")
        scope.variables += [(first, elem, (one,)), (second, elem, (two,)), (one, "i64", ()), (two, "i64", ())]
        self.new_size(scope, one)
        self.new_size(scope, two)
        return [f"let ({first}', {second}') = partition (\\v -> v > {self.number(elem)}) {name}",
                f"let {one} = length {first}'", f"let {two} = length {second}'",
                f"let {first} = sized {one} {first}'", f"let {second} = sized {two} {second}'"]

    def growing(self, scope):
        """A loop that changes the shape of its array."""
        elem, size = self.pick(["f64", "i64", "i32"]), self.size(scope)
        vs, i, last, new = self.name("vs"), self.name("i"), self.name("gs"), self.name("q")
        step = self.pick([f"({vs} ++ [{self.scalar(scope, elem, 0)}])", f"(filter (\\v -> v > {self.number(elem)}) {vs})",
                          f"(take (length {vs} / 2) {vs})", f"({vs} ++ {self.array_of(scope, elem, str(COLUMNS))})"])
        lines = [f"let {last}' = loop ({vs} : []{elem}) = {self.array_of(scope, elem, size)} for {i} < {self.random.randint(0, 3)} do {step}",
                 f"let {new} = length {last}'", f"let {last} = sized {new} {last}'"]
        scope.variables += [(last, elem, (new,)), (new, "i64", ())]
        self.new_size(scope, new)
        return lines

    def branch_of_sizes(self, scope):
        elem = self.elem(scope)
        new, size = self.name("vs"), self.name("q")
        yes, no = self.array_of(scope, elem, self.size(scope)), self.array_of(scope, elem, self.size(scope))
        lines = [f"let {new}' : []{elem} = if {self.condition(scope, 1)} then {yes} else {no}", f"let {size} = length {new}'",
                 f"let {new} = sized {size} {new}'"]
        scope.variables += [(new, elem, (size,)), (size, "i64", ())]
        self.new_size(scope, size)
        return lines

    def slice(self, scope):
        arrays = scope.arrays(1)
        if not arrays:
            return self.late_size(scope)
        name, elem, shape = self.late(arrays)
        low, high, new, size = self.name("low"), self.name("high"), self.name("vs"), self.name("q")
        lines = [f"let {low} = i64.max 0 (i64.min {self.scalar(scope, 'i64', 1)} {shape[0]})",
                 f"let {high} = i64.max {low} (i64.min {self.scalar(scope, 'i64', 1)} {shape[0]})",
                 f"let {size} = {high} - {low}", f"let {new} = sized {size} {name}[{low}:{high}]"]
        scope.variables += [(low, "i64", ()), (high, "i64", ()), (size, "i64", ()), (new, elem, (size,))]
        self.new_size(scope, size)
        return lines

    def dependent_rows(self, scope):
        """Rows whose length differs, reduced within the map."""
        size = self.size(scope)
        e, q, elem = self.name("e"), self.name("q"), self.pick(["f64", "i64"])
        parameters = [(e, "i64", ()), (q, "i64", ())]
        inner = scope.inner(parameters, [q])
        row = self.name("row")
        inner.variables.append((row, elem, (q,)))
        lines = self.statements(inner, self.random.randint(0, 2))
        result = self.pick([self.sum_of(elem, row), self.scalar(inner, elem, 2)])
        text = [f"map (\\({e}: i64) ->", f"    let {q} = i64.abs {e} % 6", f"    let {row} : [{q}]{elem} = tabulate {q} (\\i -> {self.of_index(elem, f'(i + {e})')})",
                *indented(lines, 4), f"    in {result}) {self.array_of(scope, 'i64', size)}"]
        return self.bind(scope, "ms", elem, (size,), text)

    # ---- Derivatives

    def derivative(self, scope):
        shape = self.pick([(), ("n",)]) if "n" in scope.sizes else ()
        v = self.name("v")
        inner = Scope([*scope.variables, (v, "f64", shape), (v, "f64", shape)], scope.sizes, min(scope.depth - 1, 2), True)
        lines = self.statements(inner, self.random.randint(1, 4))
        result_shape = self.pick([(), shape])
        names = inner.of("f64", result_shape)
        result = self.scalar(inner, "f64", 2) if not result_shape else self.late(names)
        function = [f"(\\({v}: {self.type('f64', shape)}) ->", *indented(lines), f"  in {result})"]
        at = self.scalar(scope, "f64", 0) if not shape else self.array_of(scope, "f64", shape[0])
        if self.chance(2):
            seed = "1f64" if not result_shape else self.array_of(scope, "f64", result_shape[0])
            mode, new = "vjp", shape
        else:
            seed = "1f64" if not shape else self.array_of(scope, "f64", shape[0])
            mode, new = "jvp", result_shape
        tamed = "(\\g -> if f64.abs g < 100000 then wrap_f64 g else 0)"
        function[0] = f"{'map ' if new else ''}{tamed} ({mode} {function[0]}"
        function[-1] += f" {at} {seed})"
        return self.bind(scope, "g", "f64", new, function)


def indented(lines, by=2):
    return [" " * by + line for line in lines]
