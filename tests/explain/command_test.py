#!/usr/bin/env python3
"""`boustro explain` and `boustro rules` on the command line: what is written and printed, what is refused, and that nothing is left half-written.

Usage: command_test.py BOUSTRO SAMPLES
"""
import html.parser
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

SAMPLES = pathlib.Path(sys.argv.pop(2)).resolve()
BOUSTRO = str(pathlib.Path(sys.argv.pop(1)).resolve())
PROGRAM = "-- | Squares. </script> & <b>\nentry squares [n] (xs: [n]f64) : f64 = f64.sum (map (\\x -> x * x) xs)\n"


def boustro(*words, folder=".", text=None):
    return subprocess.run([BOUSTRO, *map(str, words)], cwd=folder, capture_output=True, text=True, input=text)


class Page(html.parser.HTMLParser):
    """Elements that would load something, and the data."""

    def __init__(self, text):
        super().__init__()
        self.loads, self.data, self.in_data, self.scripts = [], "", False, 0
        self.feed(text)
        self.data = json.loads(self.data)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.scripts += tag == "script"
        self.in_data = tag == "script" and attrs.get("id") == "data"
        target = attrs.get("src") or (attrs.get("href") if tag == "link" else None)
        if target and not target.startswith("data:"):
            self.loads.append((tag, target))

    def handle_endtag(self, tag):
        self.in_data = self.in_data and tag != "script"

    def handle_data(self, data):
        if self.in_data:
            self.data += data


class InFolder(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.folder = pathlib.Path(self.temporary.name)
        (self.folder / "program.fut").write_text(PROGRAM)

    def explain(self, *words, code=0, text=None):
        outcome = boustro("explain", *words, folder=self.folder, text=text)
        self.assertEqual(outcome.returncode, code, outcome.stderr)
        return outcome

    def written(self):
        return sorted(path.name for path in self.folder.iterdir() if path.name != "program.fut")

    def assert_refused(self, text, *words, code=1):
        self.assertIn(text, self.explain(*words, code=code).stderr)
        self.assertEqual(self.written(), [])


class Explain(InFolder):
    def test_page_is_one_file_that_loads_nothing(self):
        self.explain("program.fut")
        self.assertEqual(self.written(), ["program.html"])
        page = Page((self.folder / "program.html").read_text())
        self.assertEqual(page.loads, [])
        self.assertEqual(page.scripts, 2)

    def test_text_of_a_program_stays_text(self):
        text = self.explain("program.fut", "-o", "-").stdout
        self.assertEqual(text.count("</script>"), 2)
        self.assertEqual(Page(text).data["panes"][0]["files"], [{"name": "program.fut", "text": PROGRAM}])

    def test_page_from_standard_input(self):
        page = Page(self.explain("-", "-o", "-", text=PROGRAM).stdout)
        self.assertEqual(page.data["panes"][0]["files"][0]["name"], "<stdin>")

    def test_panes_are_what_other_commands_print(self):
        for target, extension in [("cuda", "cu"), ("cpp", "cpp")]:
            source = SAMPLES / "kmeans.fut"
            panes = Page(self.explain(source, "--target", target, "-o", "-").stdout).data["panes"]
            self.assertEqual(panes[0]["files"][0]["text"], source.read_text())
            self.assertEqual(panes[1]["text"], boustro("derive", source).stdout)
            translated = self.folder / f"kmeans.{extension}"
            boustro("translate", source, "--target", target, "--verify=none", "-o", translated)
            self.assertEqual(panes[2]["text"], translated.read_text())
            for pane in panes[1:]:
                self.assertEqual(len(pane["origins"]), pane["text"].count("\n"))

    def test_lines_come_from_what_the_comments_above_them_say(self):
        """Of each kernel the rules, and of each group of the derivative the rules and lines, that are in their comments."""
        data = Page(self.explain(SAMPLES / "kmeans.fut", "-o", "-").stdout).data
        origins_of = lambda pane, line: {data["origins"][number] for number in pane["origins"][line]}
        emitted, derivative = data["panes"][2], data["panes"][1]
        kernels = 0
        for number, line in enumerate(emitted["text"].splitlines()):
            if re.match(r"^//   rule    ", line):
                rules = set(re.findall(r"reverse_\w+", line))
            elif not line.startswith("// The same as "):  # the kernel before it
                continue
            kernels += 1
            self.assertLessEqual(rules, {origin.split("|")[0] for origin in origins_of(emitted, number)}, line)
        self.assertGreater(kernels, 3)
        groups = 0
        for number, line in enumerate(derivative["text"].splitlines()):
            said = re.match(r"^\s*-- kmeans.fut:([\d, ]+): (.*)", line)
            if not said or "," in said[2]:
                continue
            groups += 1
            self.assertEqual({origin.split("|")[0] for origin in origins_of(derivative, number + 1)} - {""}, {said[2]})
        self.assertGreater(groups, 0)

    def test_passes_are_the_dumps(self):
        data = Page(self.explain(SAMPLES / "kmeans.fut", "-o", "-").stdout).data["passes"]
        dumps = self.folder / "dumps"
        boustro("translate", SAMPLES / "kmeans.fut", "--explain-plan", "--verify=none", "--dump-after=all", f"--dump-dir={dumps}")
        files = sorted(dumps.iterdir())
        self.assertEqual([dump["name"] for dump in data["dumps"]], [path.stem.split("-")[1] for path in files])
        for dump, path in zip(data["dumps"], files):
            if path.read_text() == "-- (unchanged)\n":
                self.assertNotIn("lines", dump, path)
            else:
                self.assertEqual("".join(data["lines"][line] + "\n" for line in dump["lines"]), path.read_text())

    def test_plan_has_the_steps_of_explain_plan(self):
        def leaves(steps):
            return [leaf for step in steps for leaf in (leaves(step["steps"]) if "steps" in step else [step])]

        for sample in SAMPLES.glob("*.fut"):
            plan = Page(self.explain(sample, "-o", "-").stdout).data["plan"]
            told = boustro("translate", sample, "--explain-plan", "--verify=none").stdout
            steps = [step for entry in plan for step in leaves(entry["steps"])]
            self.assertEqual([step["name"] for step in steps if step["kind"] == "kernel"], re.findall(r"^ +kernel (\w+):", told, re.M))
            self.assertEqual(sum(step["kind"] == "library" for step in steps), len(re.findall(r"^ +(?:reduction|inclusive scan|radix sort)", told, re.M)))
            for entry in plan:
                known = {array["name"] for array in entry["arrays"]}
                touched = {port["array"] for step in leaves(entry["steps"]) for port in step["ports"]}
                self.assertLessEqual(touched, known, sample)
                self.assertLessEqual({array["name"] for array in entry["arrays"] if array["role"] == "output"}, touched, sample)

    def test_arrays_say_their_bytes(self):
        (entry,) = Page(self.explain(SAMPLES / "kmeans.fut", "-o", "-").stdout).data["plan"]
        bytes_of = {array["name"]: array["bytes"] for array in entry["arrays"]}
        self.assertEqual(bytes_of["points"], "4 · n · d")
        self.assertEqual(bytes_of["winner_kept"], "8 · n")

    def test_derivatives_and_entries(self):
        page = Page(self.explain("program.fut", "--vjp", "squares", "--entry", "squares", "-o", "-").stdout)
        self.assertIn("squares_vjp", page.data["panes"][1]["text"])
        self.assertIn("reverse_map", {name for rule in page.data["rules"] for name in rule["names"]})

    def test_profile(self):
        report = {"format": 1, "entry": "squares", "device": "h200", "failure": None, "rows": [], "total": {}}
        (self.folder / "report.json").write_text(json.dumps(report))
        self.assertEqual(Page(self.explain("program.fut", "--profile", "report.json", "-o", "-").stdout).data["profile"], report)

    def test_what_is_no_profile_is_refused(self):
        for text, complaint in [("{", "it is no JSON"), ("[]", "it is no report"), ('{"format": 2, "rows": []}', "another version")]:
            path = self.folder / "program.fut.json"
            path.write_text(text)
            self.assertIn(complaint, self.explain("program.fut", "--profile", path, code=1).stderr)
            path.unlink()
        self.assertEqual(self.written(), [])
        self.assert_refused("does not exist", "program.fut", "--profile", "none.json", code=2)

    def test_where_no_page_can_be_written(self):
        self.assert_refused("there is no such folder", "program.fut", "-o", "nowhere/page.html")
        self.assert_refused("it is the program", "program.fut", "-o", "program.fut")
        self.assertEqual((self.folder / "program.fut").read_text(), PROGRAM)
        (self.folder / "page.html").mkdir()
        self.assertIn("page.html", self.explain("program.fut", "-o", "page.html", code=1).stderr)
        self.assertEqual(self.written(), ["page.html"])

    def test_faulty_programs_write_nothing(self):
        (self.folder / "program.fut").write_text("entry f (x: f64) : f64 = y\n")
        self.assert_refused("program.fut:1:26: error:", "program.fut")
        self.assert_refused("none.fut", "none.fut")
        self.assert_refused("--target", "program.fut", "--target", "ptx", code=2)


class Rules(unittest.TestCase):
    def test_list_has_every_rule_of_every_file(self):
        listed = set(re.findall(r"^  (\w+) ", boustro("rules").stdout, re.M))
        folder = SAMPLES.parent / "transform" / "ad"
        shared = {"checkpoint_moves", "checkpoint_schedule", "checkpoint_states", "hist", "iteration_store", "prefix", "products", "scan", "winner", "bundle", "vectorised", "fold", "accumulators"}
        files = {f"{mode}_{path.stem}" for mode in ("reverse", "forward") for path in (folder / mode).glob("*.cpp") if path.stem not in shared}
        self.assertLessEqual(files, listed)
        self.assertLessEqual({"reverse_scan_vectorised", "forward_sum", "keep", "restore_loop"}, listed)

    def test_one_rule_is_what_its_file_says(self):
        text = boustro("rules", "reverse_scan_add").stdout
        for line in ["Reverse mode: scan with addition", "Rule      ys[i] = xs[0] + ... + xs[i]    gives    xs_adj[i] += ys_adj[i] + ... + ys_adj[n-1]",
                     "Cost      one scan, from the last element to the first", "Source    [AD], 5.2", "File      transform/ad/reverse/scan_add.cpp",
                     "          def f [n] (xs: [n]f64): [n]f64 = scan (+) 0 xs"]:
            self.assertIn(line + "\n", text)

    def test_first_words_name_several(self):
        text = boustro("rules", "reverse_scan").stdout
        self.assertEqual(re.findall(r"^File +transform/ad/reverse/(\w+)", text, re.M), ["vectorised", "scan_add", "scan_linear", "scan_sequential"])

    def test_unknown_rules_are_refused(self):
        outcome = boustro("rules", "reverse_scam_add")
        self.assertEqual(outcome.returncode, 2)
        self.assertIn("perhaps `reverse_scan_add`", outcome.stderr)


if __name__ == "__main__":
    unittest.main()
