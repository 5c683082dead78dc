"""Random arrays whose sizes are known late."""

from .scope import COLUMNS, indented


class LateSizes:
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
