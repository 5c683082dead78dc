#!/usr/bin/env python3
"""Pages of `boustro explain` in a browser: panes in step, keys, slider, plan, profile, dark and light, a phone's width, print.

Usage: pages_test.py BOUSTRO SAMPLES [--screenshots DIR]
Leaves with 77 if there is no browser. With --screenshots it also keeps pictures of each sample's page, to be looked at.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import browser

parser = argparse.ArgumentParser()
parser.add_argument("boustro", type=pathlib.Path)
parser.add_argument("samples", type=pathlib.Path)
parser.add_argument("--screenshots", type=pathlib.Path)
WORDS, REST = parser.parse_known_args()
MARKED = "return panes.map(pane => pane.rows.flatMap((row, i) => row.element.classList.contains('marked') ? [i] : []))"
# The line of the file that a row of a pane shows, or 0.
LINE_OF = "return Number(panes[arguments[0]].rows[arguments[1]].element.querySelector('.number').textContent)"


def setUpModule():
    global VIEW, FOLDER, TEMPORARY
    TEMPORARY = tempfile.TemporaryDirectory()
    FOLDER = pathlib.Path(TEMPORARY.name)
    VIEW = browser.Browser()


def tearDownModule():
    VIEW.close()
    TEMPORARY.cleanup()


def explain(sample, *words):
    page = FOLDER / f"{sample}{'-'.join(word.strip('-') for word in words if '/' not in word)}.html"
    if not page.exists():
        source = WORDS.samples / f"{sample}.fut" if (WORDS.samples / f"{sample}.fut").exists() else FOLDER / f"{sample}.fut"
        subprocess.run([WORDS.boustro.resolve(), "explain", source, "-o", page, *words], check=True)
    return page


class Looking(unittest.TestCase):
    def setUp(self):
        VIEW.resize(1440, 900)
        VIEW.prefer("light")

    def open(self, sample, *words):
        from selenium.webdriver.support.ui import WebDriverWait

        self.page = explain(sample, *words)
        VIEW.open(self.page)
        WebDriverWait(VIEW.driver, 20).until(lambda driver: "ready" in VIEW.run("return {...document.documentElement.dataset}"))
        self.assertEqual(VIEW.console(), [])

    def tearDown(self):
        self.assertEqual(VIEW.console(), [])

    def press(self, *keys):
        from selenium.webdriver.common.action_chains import ActionChains
        from selenium.webdriver.common.keys import Keys

        for key in keys:
            ActionChains(VIEW.driver).send_keys(getattr(Keys, key, key)).perform()

    def row(self, pane, number):
        return VIEW.run("const row = panes[arguments[0]].rows[arguments[1]].element; row.scrollIntoView({block: 'center', behavior: 'instant'}); return row", pane, number)

    def point_at(self, pane, number):
        from selenium.webdriver.common.action_chains import ActionChains

        ActionChains(VIEW.driver).move_to_element(self.row(pane, number)).perform()

    def marked_lines(self):
        return [{VIEW.run(LINE_OF, pane, row) for row in rows} for pane, rows in enumerate(VIEW.run(MARKED))]

    def line_with(self, pane, text):
        return VIEW.run("return panes[arguments[0]].rows.findIndex(row => row.element.textContent.includes(arguments[1]))", pane, text)


class Samples(Looking):
    def test_every_page_shows_everything(self):
        for source in sorted(WORDS.samples.glob("*.fut")):
            for target in ("cuda", "cpp"):
                with self.subTest(source.stem, target=target):
                    self.open(source.stem, "--target", target)
                    self.assertLess(self.page.stat().st_size, 3_000_000)
                    self.assertEqual(VIEW.run("return document.querySelectorAll('.pane').length"), 3)
                    shown = VIEW.run("return panes[0].rows.map(row => row.element.querySelector('.text').textContent)")
                    self.assertEqual(shown, source.read_text().rstrip("\n").split("\n"))
                    self.assertGreater(VIEW.run("return document.querySelectorAll('.picture .step').length"), 2)
                    self.assertGreater(VIEW.run("return document.querySelectorAll('#rule-cards .card math').length"), 0)
                    self.assertEqual(VIEW.run("return document.querySelectorAll('#pass-names li').length"), len(VIEW.run("return page.passes.dumps")))

    def test_screenshots(self):
        if not WORDS.screenshots:
            self.skipTest("not asked for")
        WORDS.screenshots.mkdir(parents=True, exist_ok=True)
        for source in sorted(WORDS.samples.glob("*.fut")):
            for name, width, height, scheme in [("light", 1440, 900, "light"), ("dark", 1440, 900, "dark"), ("phone", 390, 844, "light")]:
                VIEW.resize(width, height)
                VIEW.prefer(scheme)
                self.open(source.stem)
                VIEW.run("document.head.append(element('style', {}, '.part { content-visibility: visible }'))")
                VIEW.run("const made = panes[1].rows.filter(row => row.origins.length > 0); pointAt(made[Math.floor(made.length / 2)], 'hold')")
                VIEW.screenshot_of_all(WORDS.screenshots / f"{source.stem}-{name}.png")


class Panes(Looking):
    def test_pointing_marks_what_belongs_to_a_line(self):
        """A group of the derivative says in a comment which lines of the source it comes from."""
        self.open("kmeans")
        at = self.line_with(1, "let winner_kept")
        said = VIEW.run("return panes[1].rows[arguments[0]].element.textContent", at - 1)
        lines = set(map(int, re.search(r"kmeans\.fut:([\d, ]+):", said)[1].split(", ")))
        self.point_at(1, at)
        source, derivative, emitted = self.marked_lines()
        self.assertTrue(source and source <= lines, said)
        self.assertIn(at + 1, derivative)
        text = "\n".join(VIEW.run("return panes[2].rows.filter(row => row.element.classList.contains('marked')).map(row => row.element.textContent)"))
        self.assertIn("winner_kept_kernel", text)
        self.assertNotIn("fill_zeros(", text)

    def test_what_is_marked_can_be_seen(self):
        self.open("gmm")
        for number in range(0, VIEW.run("return panes[1].rows.length"), 40):
            VIEW.run("pointAt(panes[1].rows[arguments[0]], 'point')", number)
            unseen = VIEW.run("""return panes.filter(pane => {
                const view = pane.code.getBoundingClientRect(), rows = [...pane.code.querySelectorAll('.row.marked:not([hidden])')].map(row => row.getBoundingClientRect());
                return rows.length > 0 && pane !== panes[1] && !rows.some(row => row.top >= view.top && row.top < view.bottom) }).map(pane => pane.description.id)""")
            self.assertEqual(unseen, [], number)

    def test_the_other_way_round(self):
        self.open("kmeans")
        at = self.line_with(2, "const float difference = points[i * d + j] - centres[winner * d + j];")
        self.point_at(2, at)
        source, derivative, emitted = self.marked_lines()
        self.assertIn(5, source)
        self.assertNotIn(11, source)
        text = "\n".join(VIEW.run("return panes[1].rows.filter(row => row.element.classList.contains('marked')).map(row => row.element.textContent)"))
        self.assertIn("map2 (\\x y -> -2 * (x - y)) p centres[winner]", text)

    def test_rules_of_the_line_are_shown(self):
        self.open("recurrence")
        at = self.line_with(1, "recurrence.fut:3: reverse_scan_linear")
        self.point_at(1, at + 1)
        self.assertEqual(VIEW.run("return [...document.querySelectorAll('#line .card')].map(card => card.dataset.rule)"), ["reverse_scan_linear"])
        text = VIEW.run("return document.querySelector('#line').textContent")
        for part in (" scalars per element", "[AD], 5.2", "Before", "After vjp"):
            self.assertIn(part, text)
        self.assertGreater(VIEW.run("return document.querySelector('#line math').getBoundingClientRect().width"), 5)

    def test_a_click_holds_and_escape_lets_go(self):
        self.open("kmeans")
        self.row(0, 8).click()
        held = self.marked_lines()
        self.assertEqual(held[0], {9})
        self.assertTrue(held[1] and held[2])
        self.point_at(0, 4)
        self.assertEqual(self.marked_lines(), held)
        self.press("ESCAPE")
        self.assertEqual(self.marked_lines(), [set(), set(), set()])
        self.point_at(0, 3)
        self.point_at(0, 4)
        self.assertEqual(self.marked_lines()[0], {5})

    def test_keys(self):
        self.open("kmeans")
        focused = "return document.activeElement.id"
        VIEW.run("document.getElementById('code-source').focus()")
        self.assertEqual(VIEW.run("return panes[0].cursor"), 4)  # the first line that something belongs to
        self.press("ARROW_DOWN", "j", "k")
        self.assertEqual(VIEW.run("return panes[0].cursor"), 5)
        self.press("k", "ENTER")
        held = self.marked_lines()
        self.assertEqual(held[0], {5})
        self.press("TAB")
        self.assertEqual(VIEW.run(focused), "code-derivative")
        self.press("HOME", "n")
        self.assertIn(VIEW.run("return panes[1].cursor"), VIEW.run(MARKED)[1])
        self.assertEqual(self.marked_lines(), held)
        self.press("TAB", "ESCAPE")
        self.assertEqual(VIEW.run(focused), "code-emitted")
        self.assertEqual(self.marked_lines(), [set(), set(), set()])

    def test_runtime_is_folded(self):
        self.open("kmeans")
        general, tiles = VIEW.run("return panes[2].rows.flatMap((row, at) => /lines of (runtime|tiles)/.test(row.element.textContent) ? [at] : [])")
        hidden = "return panes[2].rows.filter(row => row.element.hidden).length"
        both = VIEW.run(hidden)
        self.assertGreater(both, 200)
        self.row(2, general).click()
        self.assertLess(VIEW.run(hidden), both)
        self.assertGreater(VIEW.run(hidden), 100)
        self.row(2, tiles).click()
        self.assertEqual(VIEW.run(hidden), 0)
        self.row(2, general).click()
        self.row(2, tiles).click()
        self.assertEqual(VIEW.run(hidden), both)


class Below(Looking):
    def shown_program(self):
        return VIEW.run("return [...document.querySelectorAll('#pass-text .row:not(.removed) .text')].map(text => text.textContent)")

    def test_the_slider_goes_from_pass_to_pass(self):
        self.open("kmeans")
        self.assertEqual(VIEW.run("return dumps[document.getElementById('pass').value].name"), "ad")
        VIEW.run("document.getElementById('pass').focus()")
        before = int(VIEW.run("return document.getElementById('pass').value"))
        self.press("ARROW_RIGHT")
        self.assertEqual(int(VIEW.run("return document.getElementById('pass').value")), before + 1)
        self.assertIn("equal_functions", VIEW.run("return document.getElementById('pass-title').textContent"))
        VIEW.run("document.getElementById('pass-changes').click()")
        for number in range(VIEW.run("return dumps.length")):
            VIEW.run("showPass(arguments[0])", number)
            lines = VIEW.run("return dumps[arguments[0]].lines?.map(line => page.passes.lines[line])", number)
            self.assertEqual(self.shown_program(), lines or [], number)

    def test_differences(self):
        """A text is what stays and goes, the next what stays and comes."""
        self.open("ode")
        for before, after in [([], [1]), ([1, 2, 3], [1, 3]), ([1, 2, 3, 4], [2, 5, 4, 1]), ([1], []), ([1, 1, 2], [1, 2, 2])]:
            lines = VIEW.run("return difference(arguments[0], arguments[1])", before, after)
            self.assertEqual([line["line"] for line in lines if line["sign"] != "+"], before)
            self.assertEqual([line["line"] for line in lines if line["sign"] != "-"], after)
        self.assertEqual(sum(line["sign"] == " " for line in VIEW.run("return difference([1,2,3,4,5,6], [2,3,9,5,1,6])")), 4)

    def test_the_plan_and_the_panes_are_in_step(self):
        self.open("kmeans")
        step = VIEW.run("const step = [...document.querySelectorAll('.step')].find(step => step.textContent.includes('centres_adj_shared_kernel'));"
                        "step.scrollIntoView({block: 'center', behavior: 'instant'}); return step")
        step.click()
        text = "\n".join(VIEW.run("return panes[2].rows.filter(row => row.element.classList.contains('marked')).map(row => row.element.textContent)"))
        self.assertIn("centres_adj_shared_kernel(", text)
        self.assertEqual(self.marked_lines()[0], {5, 9})
        self.assertIn("lit", VIEW.run("return document.querySelector('.array[data-array=centres_adj]').classList.value"))

    def test_keys_go_from_step_to_step(self):
        self.open("kmeans")
        VIEW.run("document.querySelector('.picture .step[tabindex=\"0\"]').focus()")
        self.press("ARROW_DOWN", "j", "k")
        self.assertIn("winner_kept_tiles_kernel", VIEW.run("return document.activeElement.getAttribute('aria-label')"))
        self.press("ENTER")
        self.assertTrue(all(self.marked_lines()))
        self.assertEqual(VIEW.run("return document.querySelectorAll('.picture .step[tabindex=\"0\"]').length"), 1)

    def test_boxes_of_the_plan_do_not_overlap_and_hold_their_text(self):
        for sample in ("gmm", "lstm"):
            self.open(sample)
            VIEW.run("document.head.append(element('style', {}, '.part { content-visibility: visible !important } .picture { max-height: none !important }'))")
            boxes = VIEW.run("""return [...document.querySelectorAll('.picture')].map(picture => [...picture.querySelectorAll('.step')].map(step => {
                const box = step.querySelector('.box').getBoundingClientRect(), texts = [...step.querySelectorAll('text')].map(text => text.getBoundingClientRect());
                return [box.top, box.bottom, box.right, Math.min(...texts.map(text => text.top)), Math.max(...texts.map(text => text.bottom)), Math.max(...texts.map(text => text.right))]}))""")
            for picture in boxes:
                for (top, bottom, right, text_top, text_bottom, text_right), after in zip(picture, picture[1:] + [None]):
                    self.assertTrue(top <= text_top and text_bottom <= bottom and text_right <= right, (sample, top, bottom, right, text_top, text_bottom, text_right))
                    self.assertTrue(after is None or bottom < after[0])

    def test_profile(self):
        row = {"work": "kernel", "name": "winner_kept_kernel", "launches": 1, "seconds": 3e-6, "bound": "memory", "needed_bytes": 1280}
        report = {"format": 1, "entry": "cost_gradient", "device": "h200", "failure": None, "rows": [row], "total": {"launches": 1, "seconds": 4e-6}}
        path = FOLDER / "report.json"
        path.write_text(json.dumps(report))
        self.open("kmeans", "--profile", str(path))
        self.assertEqual(VIEW.run("return [...document.querySelectorAll('#profile tbody td')].map(cell => cell.textContent.trim())"),
                         ["winner_kept_kernel", "1", "3.00 µs", "memory", "1.28 kB", "75 %"])
        self.assertEqual(VIEW.run("return document.querySelectorAll('.picture .time').length"), 1)

    def test_without_a_profile_there_is_no_table(self):
        self.open("kmeans")
        self.assertTrue(VIEW.run("return document.getElementById('profile').hidden"))


class Looks(Looking):
    paper = "return getComputedStyle(document.body).backgroundColor"

    def test_dark_and_light(self):
        self.open("ode")
        light = VIEW.run(self.paper)
        VIEW.prefer("dark")
        dark = VIEW.run(self.paper)
        self.assertNotEqual(light, dark)
        VIEW.run("document.getElementById('theme').click()")
        self.assertEqual(VIEW.run(self.paper), light)
        VIEW.run("document.getElementById('theme').click()")
        self.assertEqual(VIEW.run(self.paper), dark)
        VIEW.run("localStorage.clear()")

    def test_a_phone_scrolls_in_one_direction(self):
        VIEW.resize(390, 844)
        for sample in ("gmm", "kmeans"):
            self.open(sample)
            self.assertEqual(VIEW.run("return document.documentElement.scrollWidth"), 390)
            lefts = VIEW.run("return [...document.querySelectorAll('.pane')].map(pane => pane.getBoundingClientRect().left)")
            self.assertEqual(len(set(lefts)), 1)

    def test_print_has_all_lines(self):
        self.open("kmeans")
        VIEW.resize(780, 1000)  # about a sheet of paper
        VIEW.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
        places = VIEW.run("return [...document.querySelectorAll('.pane, .part:not([hidden])')].map(part => part.getBoundingClientRect()).map(place => [place.top, place.bottom])")
        self.assertEqual(len(places), 6)
        for above, below in zip(places, places[1:]):
            self.assertLessEqual(above[1], below[0] + 1)
        clipped = "return [...document.querySelectorAll('.code, .picture, #pass-text')].filter(box => box.scrollHeight > box.clientHeight + 1).length"
        self.assertEqual(VIEW.run(clipped), 0)
        self.assertEqual(VIEW.run("return getComputedStyle(document.querySelector('.top nav')).display"), "none")
        VIEW.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})

    def test_text_can_be_read(self):
        """Contrast of 4.5 to 1 between text, comments among it, and what it stands on, in both schemes."""
        contrast = """const rgb = colour => colour.match(/[\\d.]+/g).slice(0, 3).map(Number);
            const light = colour => rgb(colour).map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
              .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
            const text = light(getComputedStyle(document.querySelector(arguments[0])).color), ground = light(getComputedStyle(document.querySelector(arguments[1])).backgroundColor);
            return (Math.max(text, ground) + 0.05) / (Math.min(text, ground) + 0.05)"""
        self.open("kmeans")
        VIEW.run("pointAt(panes[0].rows[8], 'hold')")
        for scheme in ("light", "dark"):
            VIEW.prefer(scheme)
            for text, ground in [("body", "body"), (".comment", ".code"), (".keyword", ".code"), (".type", ".code"), (".lead", "body"), (".row.marked .text", ".row.marked")]:
                self.assertGreater(VIEW.run(contrast, text, ground), 4.5, (scheme, text))


if __name__ == "__main__":
    lacking = browser.missing()
    if lacking:
        print(f"not tested: {lacking} not found (scripts/setup chromium chromium-driver python3-selenium)")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1] + REST)
