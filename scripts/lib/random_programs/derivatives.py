"""Random derivatives."""

from .scope import Scope, indented


class Derivatives:
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
