"""Measures emitted derivatives beside ADBench's, JAX's and PyTorch's: same data, samples in turns, compared results."""

import argparse
import datetime
import os
import pathlib
import shlex
import sys
import tempfile

from lib.bench import agreement, cases, report, workers
from lib.bench.programs import ALL_KINDS, HERE, SEQUENTIAL, Programs
from lib.bench.tables import Table


def main(words, built):
    """`built` makes the program boustro, unless --boustro names one."""
    args = arguments(words)
    args.boustro = args.boustro or built()
    args.adbench = args.adbench.resolve()
    out = HERE / "out/bench"
    out.mkdir(parents=True, exist_ok=True)
    programs = Programs(args, out)
    session = Session(args)
    implementations = list(programs.all())
    sequential = [one for one in implementations if one.name == SEQUENTIAL]
    chosen = [case for case in cases.ALL if case.kind in args.only and (case.quick or not args.quick)]
    tables = [session.measure(case, implementations) for case in chosen]
    growth = [session.measure(case, sequential) for case in cases.GROWTH if "gmm" in args.only and not args.quick]

    columns = [compiler.title for compiler in programs.compilers]
    facts = report.Facts(command_of(words), programs.compilers, programs.notes + session.notes + session.failures,
                         session.loads, datetime.date.today(), args.rounds, "An objective" if args.objectives else "A derivative")
    print(report.text(facts, tables, growth, columns, markdown=False))
    if args.markdown:
        write(args.markdown, report.text(facts, tables, growth, columns, markdown=True))
    for failure in session.failures:
        print(f"FAILED: {failure}", file=sys.stderr)
    return 1 if session.failures else 0


def arguments(words):
    parser = argparse.ArgumentParser(prog="bench peers", description=__doc__)
    parser.add_argument("adbench", type=pathlib.Path, metavar="ADBENCH_CHECKOUT")
    parser.add_argument("--futhark", type=pathlib.Path, metavar="CHECKOUT",
                        help="of futhark-benchmarks, for Boustro's ba and hand; without, there is only gmm and lstm")
    parser.add_argument("--only", type=kinds, default=ALL_KINDS, metavar="KINDS", help="of gmm,lstm,ba,hand")
    parser.add_argument("--quick", action="store_true", help="the small cases only, and fewer rounds")
    parser.add_argument("--objectives", action="store_true", help="of the objectives themselves, not of their derivatives")
    parser.add_argument("--rounds", type=int, help="how often each is sampled at least (3; with --quick 2)")
    parser.add_argument("--seconds", type=float,
                        help="how long a case goes on for up to 20 rounds (20; with --quick 5)")
    parser.add_argument("--patience", type=float, default=60, metavar="SECONDS",
                        help="that one answer may take (60); others that take longer are left out")
    parser.add_argument("--python", type=pathlib.Path, action="append", metavar="PROGRAM",
                        help="that may have jax or torch; may be given several times")
    parser.add_argument("--boustro", type=pathlib.Path, help="instead of building it")
    parser.add_argument("--markdown", type=pathlib.Path, metavar="FILE", help="where the report goes as Markdown")
    args = parser.parse_args(words)
    args.rounds = args.rounds or (2 if args.quick else 3)
    args.seconds = args.seconds or (5 if args.quick else 20)
    args.python = args.python or [pathlib.Path(sys.executable)]
    for checkout, inside in ((args.adbench, "src/cpp/modules"), (args.futhark, "adbench")):
        if checkout and not (checkout / inside).is_dir():
            parser.error(f"{checkout} has no {inside}; is it the right checkout?")
    return args


def kinds(text):
    chosen = tuple(text.split(","))
    if not set(chosen) <= set(ALL_KINDS):
        raise argparse.ArgumentTypeError(f"{text} is not some of {','.join(ALL_KINDS)}")
    return chosen


class Session:
    def __init__(self, args):
        self.args = args
        self.loads = []
        self.notes = []  # of others that take too long
        self.slow = set()  # which those are, and on what kind
        self.failures = []

    def measure(self, case, implementations):
        """The times of those that know the case, once their results have been compared. Others that took too long on a
        case of this kind are not asked again, since later cases are larger."""
        print(f"measuring {case.name}", file=sys.stderr)
        with tempfile.TemporaryDirectory(prefix="boustro-") as folder:
            folder = pathlib.Path(folder)
            case.write(folder / "case", self.args.adbench / "data")
            started = [workers.Worker(one, case.kind, folder / "case", folder / f"result{i}",
                                      "objective" if self.args.objectives else "derivative", self.args.patience)
                       for i, one in enumerate(implementations)
                       if case.kind in one.kinds and (one.family, case.kind) not in self.slow]
            self.compare(case, started)
            workers.take_turns(started, self.args.rounds, max(20, self.args.rounds), self.args.seconds)
            for worker in started:
                worker.end()
        self.loads.append(os.getloadavg()[0])
        for worker in started:
            self.keep_failure(case, worker.measured)
        return Table(case, [worker.measured for worker in started])

    def keep_failure(self, case, one):
        if not one.failure:
            return
        text = f"{case.name}: {one.implementation.title}: {one.failure}"
        if one.expired and not one.implementation.ours:
            self.notes.append(text + ", and is left out of later cases of this kind")
            self.slow.add((one.implementation.family, case.kind))
        else:
            self.failures.append(text)

    def compare(self, case, started):
        """All results with the first one."""
        running = [worker for worker in started if not worker.measured.failure]
        if not running:
            return
        reference = agreement.read_result(running[0].result)
        for worker in running[1:]:
            difference = agreement.difference(agreement.read_result(worker.result), reference)
            worker.result.unlink()
            if not difference <= agreement.TOLERANCE:
                one, first = (of.measured.implementation.title for of in (worker, running[0]))
                self.failures.append(f"{case.name}: {one} DISAGREES with {first}: relative difference {difference:.1e}")


def command_of(words):
    """For readers elsewhere: of paths only the last name."""
    return " ".join(["scripts/bench", "peers", *(shlex.quote(word.rsplit("/", 1)[-1]) for word in words)])


def write(path, text):
    part = path.with_name(path.name + ".part")
    part.write_text(text + "\n")
    part.replace(path)
