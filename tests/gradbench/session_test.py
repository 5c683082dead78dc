"""session_test.py BOUSTRO EVAL...: the answers to messages/EVAL.jsonl, each of them by a tool of its own.

A recorded message with a field `mistake` cannot be answered: what the field says is in the error.
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import oracles

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
from lib import gradbench

BOUSTRO = None


def play(name, folder):
    """Whether all went well, and pairs of messages and answers."""
    log = pathlib.Path(folder) / "log.jsonl"
    asks = [sys.executable, "-B", str(HERE / "play.py"), str(HERE / f"messages/{name}.jsonl")]
    tool = [sys.executable, "-B", str(ROOT / "samples/gradbench/tool.py"), "--boustro", BOUSTRO, "--folder", folder, "--flags=-O0"]
    well = gradbench.run(asks, tool, folder, log)
    lines = [json.loads(line) for line in open(log)]
    return well, [(first["message"], second["response"]) for first, second in zip(lines[::2], lines[1::2])]


class Session(unittest.TestCase):
    def __init__(self, name):
        super().__init__("session")
        self.name = name

    def __str__(self):
        return self.name

    def session(self):
        with tempfile.TemporaryDirectory() as folder:
            well, exchanges = play(self.name, folder)
        self.assertEqual(len(exchanges), sum(1 for _ in open(HERE / f"messages/{self.name}.jsonl")))
        self.assertEqual(well, not any("mistake" in message for message, _ in exchanges))
        for message, answer in exchanges:
            self.assertEqual(answer["id"], message["id"])
            if "mistake" in message:
                self.mistaken(message, answer)
            elif message["kind"] == "start":
                self.assertEqual(answer["tool"], "boustro")
            elif message["kind"] == "define":
                self.assertIs(answer["success"], True)
                self.assertEqual([timing["name"] for timing in answer["timings"]], ["translate", "compile"])
            elif message["kind"] == "evaluate":
                self.assertIs(answer["success"], True)
                self.evaluated(message, answer)
            else:
                self.assertEqual(list(answer), ["id"])

    def mistaken(self, message, answer):
        """The tool tells what is wrong with what it was asked, and goes on."""
        self.assertIs(answer["success"], False)
        self.assertNotIn("output", answer)
        self.assertIn(message["mistake"], answer["error"])

    def evaluated(self, message, answer):
        given = message["input"]
        least = given["min_runs"] if isinstance(given, dict) else 1
        self.assertGreaterEqual(len(answer["timings"]), least)
        self.assertEqual({timing["name"] for timing in answer["timings"]}, {"evaluate"})
        if isinstance(given, dict):
            self.assertGreaterEqual(sum(timing["nanoseconds"] for timing in answer["timings"]), given["min_seconds"] * 1e9)
        getattr(oracles, message["module"])(message["function"], given, answer["output"])


class Nonsense(unittest.TestCase):
    def test_what_is_no_message_ends_the_tool_with_a_reason(self):
        for line in ("define hello", '{"kind": "start"}', "[1]"):
            done = subprocess.run([sys.executable, "-B", str(ROOT / "samples/gradbench/tool.py")], input=line, capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertIn(line, done.stderr)
            self.assertNotIn("Traceback", done.stderr)


if __name__ == "__main__":
    BOUSTRO = sys.argv[1]
    suite = unittest.TestSuite(map(Session, sys.argv[2:]))
    suite.addTests(unittest.defaultTestLoader.loadTestsFromTestCase(Nonsense))
    sys.exit(not unittest.TextTestRunner(verbosity=2).run(suite).wasSuccessful())
