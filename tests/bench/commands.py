"""What tests of commands share: a temporary folder with a program, and the command run there."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

BOUSTRO = sys.argv[1]


class InFolder(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def write(self, name, text):
        (self.folder / name).write_text(text)

    def run_command(self, *words, code=0):
        """What it wrote, to stdout and stderr."""
        outcome = subprocess.run(words, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertEqual(outcome.returncode, code, outcome.stdout)
        return outcome.stdout

    def names(self):
        return sorted(path.name for path in self.folder.iterdir())
