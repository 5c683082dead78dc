"""Random expressions of one number."""


class Numbers:
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
