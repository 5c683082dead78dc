"""What was measured, as tables."""

from lib.rows import table_lines


class Table:
    """Of the measurements of one case: rows are methods, columns are compilers."""

    def __init__(self, case, measured):
        self.case = case
        self.measured = [one for one in measured if one.best is not None]

    def cell(self, name, column):
        of = {(one.implementation.name, one.implementation.column): one for one in self.measured}
        return of.get((name, column))

    def names(self, ours):
        return list(dict.fromkeys(one.implementation.name for one in self.measured if one.implementation.ours == ours))

    def best_other(self, workers):
        """The fastest of the others with at most so many workers."""
        others = [one for one in self.measured if not one.implementation.ours and one.implementation.workers <= workers]
        return min(others, key=lambda one: one.best, default=None)


def milliseconds(one):
    if one is None:
        return "-"
    value = 1e3 * one.best
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"


def ratio(numerator, denominator):
    if not numerator or not denominator:
        return "-"
    return f"{numerator / denominator:.2f}"


def seconds(one):
    return one.best if one else None


def apart(cells):
    """How many times slower one compiler's program is than the other's."""
    times = [one.best for one in cells if one]
    return ratio(max(times), min(times)) if len(times) > 1 else "-"


def summary(tables, columns):
    """Our programs: how far from the best of the others with each compiler, and how far the compilers are apart."""
    lines = [["case", "program", "best other", "ms", *(f"ours, {column}" for column in columns),
              *(f"{column} / best" for column in columns), "slower / faster"]]
    for table in tables:
        for name in table.names(ours=True):
            cells = [table.cell(name, column) for column in columns]
            best = table.best_other(next(one for one in cells if one).implementation.workers)
            lines.append([table.case.name, name, best.implementation.title if best else "-", milliseconds(best),
                          *map(milliseconds, cells), *(ratio(seconds(one), seconds(best)) for one in cells),
                          apart(cells)])
    return without_repetition(lines)


def everything(tables, columns):
    """A row for each method and case; the column without a compiler is of those that bring their own."""
    lines = [["case", "implementation", *(f"ms, {column}" for column in columns), "ms, its own", "slower / faster",
              "MB at most"]]
    for table in tables:
        for name in [*table.names(ours=False), *table.names(ours=True)]:
            cells = [table.cell(name, column) for column in (*columns, "")]
            peak = max(one.peak for one in cells if one)
            lines.append([table.case.name, name, *map(milliseconds, cells), apart(cells), f"{peak / 1024:,.0f}"])
    return without_repetition(lines)


def growth(tables, columns):
    """Time and memory of our programs, each also relative to the first case, whose sizes the others double in turn."""
    lines = [["case", "program", *(head for column in columns for head in (f"ms, {column}", "times")),
              "MB beside the data", "times"]]
    for table in tables:
        for name in table.names(ours=True):
            cells, first = ([of.cell(name, column) for column in columns] for of in (table, tables[0]))
            added, least = (max(one.peak - one.loaded for one in of if one) for of in (cells, first))
            times = ((milliseconds(one), ratio(seconds(one), seconds(base))) for one, base in zip(cells, first))
            lines.append([table.case.name, name, *(cell for pair in times for cell in pair), f"{added / 1024:,.1f}",
                          ratio(added, least)])
    return without_repetition(lines)


def without_repetition(lines):
    """Names a case in its first row only."""
    return [[" " if i and line[0] == lines[i - 1][0] else line[0], *line[1:]] for i, line in enumerate(lines)]


def text(lines, markdown, left=2):
    return "\n".join(table_lines(lines, markdown, left))
