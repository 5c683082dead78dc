"""Random updates in place, scatters and histograms."""

from .scope import indented


class Updates:
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
        op, neutral = self.operator(scope, elem, commutes=True)
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
