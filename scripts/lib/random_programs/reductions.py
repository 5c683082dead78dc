"""Random reductions, scans and gathers."""


class Reductions:
    def operator(self, scope, elem, commutes=False):
        """An associative operator and its neutral element; with `commutes` one that takes its operands in either order, as histograms ask for."""
        if elem == "bool":
            return self.pick([("(&&)", "true"), ("(||)", "false"), ("(!=)", "false")])
        wrapped = [(f"(\\a b -> wrap_{elem} (a + b))", f"0{elem}")]
        if elem.startswith("f"):
            ordered = [(f"{elem}.max", f"(-{elem}.inf)"), (f"{elem}.min", f"{elem}.inf")]
            return self.pick(ordered + [(f"(\\a b -> a + b)", f"0{elem}")] if scope.differentiable else ordered + wrapped * 2)
        ordered = [(f"{elem}.max", f"{elem}.lowest"), (f"{elem}.min", f"{elem}.highest"), ("(^)", f"0{elem}"), ("(+)", f"0{elem}")]
        last = [(f"(\\a b -> if b == 77 then a else b)", f"77{elem}")]
        return self.pick(ordered + ([] if commutes else last) + wrapped)

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
