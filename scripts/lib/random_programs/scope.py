"""What may be named at one place of a random program."""

COLUMNS = 3


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


def indented(lines, by=2):
    return [" " * by + line for line in lines]
