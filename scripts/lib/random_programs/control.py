"""Random branches and loops."""

from .scope import indented


class Control:
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
