"""A tool of GradBench (https://github.com/gradbench/gradbench): answers the messages of an eval, one line of JSON each, on standard output.

    python3 tool.py [--boustro PROGRAM] [--folder FOLDER] [--multithreaded] [--flags FLAGS]

`define` translates one of the programs beside this file for the CPU (`--target cpp --bindings python`) and compiles it; `evaluate` calls
it as often as the input asks for, and times each call by itself. What goes wrong is an answer as well: `"success": false` and why.
"""
import argparse
import json
import sys
import tempfile
import time

import building
import evals


def timing(name, start):
    return {"name": name, "nanoseconds": time.perf_counter_ns() - start}


def run(function, arguments, min_runs, min_seconds):
    """The result of the last call, and a timing for each call: at least `min_runs` of them, and for at least `min_seconds` of calls."""
    timings, elapsed = [], 0
    while len(timings) < max(min_runs, 1) or elapsed < min_seconds * 1e9:
        start = time.perf_counter_ns()
        result = function(*arguments)
        timings.append(timing("evaluate", start))
        elapsed += timings[-1]["nanoseconds"]
    return result, timings


class Tool:
    def __init__(self, options):
        self.options = options
        self.modules = {}

    def start(self, message):
        return {"tool": "boustro", "config": {"multithreaded": self.options.multithreaded}}

    def define(self, message):
        name = message["module"]
        if name not in evals.EVALS:
            raise KeyError(f"there is no program for the module {name!r}; there are {', '.join(sorted(evals.EVALS))}")
        start = time.perf_counter_ns()
        building.translate(self.options, evals.EVALS[name].program)
        translated = timing("translate", start)
        start = time.perf_counter_ns()
        self.modules[name] = building.compile_and_import(self.options, evals.EVALS[name].program)
        return {"success": True, "timings": [translated, timing("compile", start)]}

    def evaluate(self, message):
        name, function = message["module"], message["function"]
        if name not in self.modules:
            raise KeyError(f"the module {name!r} was not defined")
        functions = evals.EVALS[name].functions
        if function not in functions:
            raise KeyError(f"{name} has no function {function!r}; it has {', '.join(functions)}")
        given = message["input"]
        call = functions[function](given)
        runs = (given.get("min_runs", 1), given.get("min_seconds", 0)) if isinstance(given, dict) else (1, 0)
        result, timings = run(getattr(self.modules[name], call.entry), call.arguments, *runs)
        return {"success": True, "output": call.output(result), "timings": timings}

    def answer(self, message):
        """The answer to a message; of its kinds only these three are for a tool, and all others need no more than their number."""
        handler = {"start": self.start, "define": self.define, "evaluate": self.evaluate}.get(message["kind"])
        try:
            answer = {"id": message["id"], **(handler(message) if handler else {})}
            return json.dumps(answer, allow_nan=False)
        except Exception as error:  # whatever it is: the eval goes on
            said = error.args[0] if isinstance(error, KeyError) and error.args else error
            return json.dumps({"id": message["id"], "success": False, "error": f"{type(error).__name__}: {said}"})


def read(line):
    """The message in a line; all of them have a number and a kind."""
    try:
        message = json.loads(line)
        message["id"], message["kind"]
        return message
    except (ValueError, KeyError, TypeError) as error:
        sys.exit(f"tool.py: this is no message of the protocol ({type(error).__name__}: {error}): {line.strip()[:80]}")


def main():
    parser = argparse.ArgumentParser(description="A tool of GradBench that answers by what Boustro emits.")
    parser.add_argument("--boustro", default="boustro", help="the program `boustro` (found in PATH if it is not given)")
    parser.add_argument("--folder", help="where to write and compile (a temporary folder if it is not given)")
    parser.add_argument("--multithreaded", action="store_true", help="use all processors")
    parser.add_argument("--flags", default="-O3 -march=native", help="how to compile (default: %(default)s)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        options.folder = options.folder or temporary
        tool = Tool(options)
        for line in sys.stdin:
            print(tool.answer(read(line)), flush=True)


if __name__ == "__main__":
    try:
        main()
    except BrokenPipeError:  # the eval has gone
        pass
