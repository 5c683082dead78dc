"""The report of `scripts/bench peers`: what was measured where, how to read it, and the tables."""

import dataclasses
import datetime
import os
import pathlib
import re
import subprocess
import textwrap

from lib.bench import tables as tabular
from lib.bench.agreement import TOLERANCE
from lib.bench.programs import OPTIONS

LEGEND = """\
{what} is computed on the same data, in milliseconds: the shortest of several samples of at least 20 ms, taken in
turns with those of all other programs. Results that differ by more than {tolerance}, relatively, would be listed
below. With one worker it is processor time, which other programs on the machine disturb less; with two it is the
time that passed. Tapenade, Manual and ManualEigen are ADBench's C and C++, compiled as ours is: {options}, no
-ffast-math. Boustro without -fopenmp is sequential. "Best other" is the fastest of all others, with either
compiler, that has at most as many workers; what follows is how many times as long ours takes. "Slower / faster" is
how far the two compilers are apart. Memory is what a process had resident at most, with its copy of the data and,
for JAX and PyTorch, their libraries."""


@dataclasses.dataclass(frozen=True)
class Facts:
    command: str
    compilers: list
    notes: list
    loads: list  # averages of the machine while it ran
    date: datetime.date
    rounds: int
    what: str  # that was measured


def text(facts, tables, growth, columns, markdown):
    sections = [("Ours and the best of the others", tabular.summary(tables, columns)),
                ("All", tabular.everything(tables, columns))]
    if growth:
        sections.append(("Growth: one size after the other doubled", tabular.growth(growth, columns)))
    head = ["# Speed of emitted C++"] if markdown else []
    legend = textwrap.fill(LEGEND.format(what=facts.what, options=" ".join(OPTIONS), tolerance=TOLERANCE), width=116, break_on_hyphens=False)
    parts = [*head, legend, circumstances(facts, tables + growth, markdown)]
    for title, lines in sections:
        if len(lines) > 1:
            parts.append(f"{'## ' if markdown else ''}{title}\n\n{tabular.text(lines, markdown)}")
    return "\n\n".join(parts)


def circumstances(facts, tables, markdown):
    code = "`{}`" if markdown else "{}"
    noise = max((one.noise for table in tables for one in table.measured), default=1.0)
    lines = [f"{facts.date}: {code.format(facts.command)}",
             f"{processor()}, {os.cpu_count()} cores; {'; '.join(map(version, facts.compilers))}",
             f"Load average from {min(facts.loads):.1f} to {max(facts.loads):.1f}{busy(facts.loads)}; "
             f"at least {facts.rounds} rounds; the median sample took up to {noise:.2f} times as long as the shortest",
             *facts.notes]
    return "\n".join(f"- {line}" for line in lines)


def busy(loads):
    """Between the programs only one of ours runs, so that more than one is others' work."""
    return ": the machine was busy with other work, so that rows of 2 workers say little" if max(loads) > 1.5 else ""


def version(compiler):
    done = subprocess.run([compiler.cpp, "--version"], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()[0]


def processor():
    found = re.search(r"^model name\s*:\s*(.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.M)
    return found[1] if found else "an unknown processor"
