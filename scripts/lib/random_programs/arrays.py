"""Random arrays, views of them, and maps."""

from .scope import COLUMNS, indented


class Arrays:
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
        lines[0] = f"{self.order(scope, chosen, parameters)}{function} {lines[0]}"
        lines[-1] += " " + " ".join(name for name, _, _ in chosen)
        return lines

    def order(self, scope, chosen, parameters):
        """Seldom an attribute: the points come in the order of an integer array, or of an integer that each has."""
        size = chosen[0][2][0]
        integers = [name for name, elem, shape in parameters if shape == () and elem in ("i64", "i32", "u8")]
        keys = integers + [name for elem in ("i64", "i32", "u8") for name in scope.of(elem, (size,))]
        return f"#[reorder({self.late(keys)})] " if keys and self.chance(12) else ""

    def map(self, scope):
        size, chosen = self.outer(scope)
        elem = self.elem(scope)
        return self.bind(scope, "ms", elem, (size,), self.map_text(scope, chosen, elem))

    def map_rows(self, scope):
        size, chosen = self.outer(scope)
        elem, inner = self.elem(scope), self.size(scope)
        return self.bind(scope, "mss", elem, (size, inner), self.map_text(scope, chosen, elem, (inner,)))
