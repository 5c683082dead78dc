"""shown.py [--update] BOUSTRO FOLDER FILE.md...: commands that texts in a folder show print what they show.

In blocks that begin with ```console each line `$ command` is run, one after the other, by a shell that finds `boustro`, where the text lies in
a copy of the folder. The lines behind it are what it prints, also on standard error; a line `..` stands for any lines. With --update the text gets
what is printed now, but where `..` stands.
"""
import difflib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"^```console\n(.*?)^```$", re.M | re.S)


def run(command, folder, boustro):
    path = f"{pathlib.Path(boustro).resolve().parent}:{os.environ['PATH']}"
    done = subprocess.run(["bash", "-c", command], cwd=folder, env={**os.environ, "PATH": path, "LC_ALL": "C"}, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    return done.stdout.splitlines()


def matches(shown, printed):
    """Whether the lines are the same, where `..` stands for any."""
    pattern = "".join("(?:.*\n)*?" if line == ".." else re.escape(line + "\n") for line in shown)
    return re.fullmatch(pattern, "".join(line + "\n" for line in printed)) is not None


def steps(block):
    """Each command of a block with the lines behind it."""
    for step in re.split(r"^\$ ", block, flags=re.M)[1:]:
        command, *shown = step.rstrip("\n").split("\n")
        yield command, shown


def check(root, file, boustro, update):
    """The number of commands, and those that print something else than what is shown."""
    text = file.read_text()
    count, wrong = 0, []

    def run_block(found):
        nonlocal count
        lines = []
        for command, shown in steps(found[1]):
            printed = run(command, folder, boustro)
            count += 1
            if not matches(shown, printed):
                wrong.append((command, shown, printed))
                shown = printed
            lines += ["$ " + command, *shown]
        return "```console\n" + "".join(line + "\n" for line in lines) + "```"

    with tempfile.TemporaryDirectory() as work:
        folder = shutil.copytree(root, pathlib.Path(work) / "copy") / file.resolve().parent.relative_to(root.resolve())
        now = BLOCK.sub(run_block, text)
    if update and now != text:
        file.write_text(now)
    return count, wrong


def main(arguments):
    update = "--update" in arguments
    boustro, root, *files = [word for word in arguments if word != "--update"]
    failed = False
    for file in map(pathlib.Path, files):
        count, wrong = check(pathlib.Path(root), file, boustro, update)
        print(f"{file}: {count} commands, {len(wrong)} print something else{' now' if update else ''}")
        for command, shown, printed in [] if update else wrong:
            print(f"$ {command}")
            print("\n".join(difflib.unified_diff(shown, printed, "shown", "printed", lineterm="")))
        failed = failed or count == 0 or (bool(wrong) and not update)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
