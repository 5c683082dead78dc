"""Random operators on tuples, and records."""


class Tuples:
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
