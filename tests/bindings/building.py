"""What tests of bindings share: translate a program, build it by the command in the head of the file, and import it."""
import importlib.util
import pathlib
import re
import shlex
import subprocess
import sys
import sysconfig

HERE = pathlib.Path(__file__).resolve().parent


def translate(boustro, program, folder, *words):
    """Translates into a folder; returns what it printed, and fails if it failed."""
    output = [] if "-o" in words else ["-o", str(folder / (pathlib.Path(program).stem + ".cpp"))]
    command = [boustro, "translate", str(program), *output, *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def build_commands(text):
    """The lines of a head comment that are indented: `//     c++ ...`."""
    return [line.lstrip("/#").strip() for line in text.splitlines() if re.match(r"(//|#)     ?(c\+\+|nvcc|python3) ", line)]


def build(folder, binding):
    """Runs the command of a binding file in its folder, with the Python that runs this test first in PATH."""
    command = build_commands((folder / binding).read_text())[0]
    path = str(pathlib.Path(sys.executable).parent)
    subprocess.run(f"PATH={shlex.quote(path)}:$PATH; {command}", shell=True, check=True, cwd=folder)


def import_module(folder, name):
    """The extension module that was built there."""
    path = folder / (name + sysconfig.get_config_var("EXT_SUFFIX"))
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
