"""What becomes of programs on a target: each is translated, and its runs are compared with what its test blocks expect.

What the front half or the evaluator does not pass is not counted. Results of runs are kept under out/conformance, and taken
from there as long as the emitted text, the test blocks, their data and what compiles and calls the text are the same.
"""

import argparse
import dataclasses
import hashlib
import json
import pathlib
import re
import tempfile

from lib.boustro import execute_for, last_reason, test
from lib.rows import Row, folder_of

HERE = pathlib.Path(__file__).resolve().parent.parent.parent
KEPT = HERE / "out/conformance"
# What compiles and calls emitted text, and judges the results. Other templates are part of the text.
RUNNING = ["emit/run", "emit/verify/rewrite.cpp", "emit/driver/compare.cpp", "emit/driver/test_program.cpp", "emit/driver/test_data.cpp",
           "templates/cuda_on_cpu", "templates/harness"]
TITLES = {
    ("translated", "refused"): "Refused",
    ("translated", "wrong"): "Translation fails",
    ("translated", "slow"): "Translation takes too long",
    ("run", "wrong"): "Runs that fail",
    ("run", "slow"): "Runs that take too long",
    ("run", "apart"): "Runs that are not counted",
    ("only run", "wrong"): "Runs without an expected value that fail",
    ("only run", "slow"): "Runs without an expected value that take too long",
    ("only run", "apart"): "Runs without an expected value that are not counted",
}


class Target:
    def __init__(self, args, root):
        self.args = argparse.Namespace(**{**vars(args), "jobs": 1})  # one program after the other in each thread
        self.root = root
        self.running = digest(path.read_bytes() for name in RUNNING for path in files_in(HERE / name))

    def rows(self, path, is_runnable):
        """Whether the program translates; with --run each of its runs, too."""
        translated, text = self.translate(path)
        runs = self.runs(path, translated, text) if is_runnable and self.args.run else []
        return [translated, *runs]

    # ---- Translating

    def translate(self, path):
        """A row, and the emitted text."""
        relative = path.relative_to(self.root)
        target, extension = ("cpp", "cpp") if self.args.target == "cpp" else ("cuda", "cu")
        with tempfile.TemporaryDirectory(prefix="boustro-") as folder:
            output = pathlib.Path(folder) / f"emitted.{extension}"
            code, said = execute_for(self.args, self.args.translate_seconds, "translate", "--target", target,
                                     f"--verify={self.args.verify}", "--include", self.root, "-o", output, path)
            text = b"".join(file.read_bytes() for file in files_in(pathlib.Path(folder)))
        reason = kind_of_reason(last_reason(said)) if code else ""
        return Row(folder_of(relative), "translated", str(relative), self.verdict(path, code), reason), text

    def verdict(self, path, code):
        if code in (0, "timeout"):
            return "slow" if code else "ok"
        if code != 1:
            return "wrong"
        derived, _ = execute_for(self.args, self.args.timeout, "derive", "--include", self.root, path)
        return "refused" if derived == 0 else "apart"

    # ---- Running

    def runs(self, path, translated, text):
        if translated.verdict == "ok":
            rows = self.kept_or_new(path, text)
            return rows if all(row.verdict == "ok" for row in rows) else self.judged_by_evaluator(path, rows)
        planned = [dataclasses.replace(row, verdict=translated.verdict, reason=translated.reason) for row in self.evaluated(path)]
        return self.judged_by_evaluator(path, planned)

    def judged_by_evaluator(self, path, rows):
        """Sets apart what it does not pass."""
        good = {row.name for row in self.evaluated(path) if row.verdict == "ok"}
        return [row if row.name in good else dataclasses.replace(row, verdict="apart") for row in rows]

    def evaluated(self, path):
        return test(self.args, self.root, [path], "evaluate")

    def kept_or_new(self, path, text):
        key = digest([text, path.read_bytes(), self.running.encode(), str(self.args.timeout).encode(), *stamps_of_data(path)])
        kept = KEPT / self.args.target / f"{key}.json"
        if kept.exists():
            return [Row(**row) for row in json.loads(kept.read_text())]
        rows = [mark_slow(row) for row in test(self.args, self.root, [path], self.args.target)]
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps([dataclasses.asdict(row) for row in rows]))
        return rows


def mark_slow(row):
    return dataclasses.replace(row, verdict="slow") if row.reason.startswith("takes longer than") else row


def kind_of_reason(reason):
    """The reason without what it owes to this program: names, numbers, C++ in the error of a compiler."""
    reason = re.sub(r"^unsupported: ", "", reason)
    return re.sub(r"`[^`]*`", "`...`", reason)


def digest(pieces):
    result = hashlib.sha256()
    for piece in pieces:
        result.update(piece)
        result.update(b"\0")
    return result.hexdigest()


def files_in(path):
    return sorted(file for file in path.rglob("*") if file.is_file()) if path.is_dir() else [path]


def stamps_of_data(path):
    """Of the files that the test blocks name."""
    names = sorted(set(re.findall(r"@\s*(\S+)", path.read_text(errors="replace"))))
    beside = [path.parent / name for name in names]
    return [f"{file} {file.stat().st_mtime_ns}".encode() for file in beside if file.is_file()]
