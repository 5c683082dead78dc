"""Which programs are meant, what they are called in tables, and how much text they are."""

import dataclasses
import pathlib
import re


@dataclasses.dataclass(frozen=True)
class Program:
    name: str  # from the given folder on
    path: pathlib.Path
    include: pathlib.Path  # a folder that imports may come from


def programs_in(given):
    """The program itself, or those of a folder, but not what lies under a lib/."""
    if not given.is_dir():
        return [Program(name_of(given, given.parent), given, given.parent)]
    paths = [path for path in sorted(given.rglob("*.fut")) if "lib" not in path.relative_to(given).parts]
    return [Program(name_of(path, given), path, given) for path in paths]


def name_of(path, folder):
    return str(path.resolve().relative_to(folder.resolve().parent))


def source_lines(path):
    """How many lines of the program, and of those that it imports, hold code: test blocks are comments. What lies under a lib/ is
    left out."""
    return sum(code_lines(file.read_text(errors="replace")) for file in with_imports(path, set()))


def source_numbered(path):
    """The names in the program, and in those that it imports, that end in a digit."""
    texts = (file.read_text(errors="replace") for file in with_imports(path, set()))
    return {name for text in texts for name in re.findall(r"\b[a-zA-Z_]\w*\d\b", text)}


def code_lines(text):
    words = (line.strip() for line in text.splitlines())
    return sum(bool(line) and not line.startswith("--") for line in words)


def with_imports(path, seen):
    """The file and what it imports, each once."""
    path = path.resolve()
    if path in seen or not path.exists():
        return []
    seen.add(path)
    imports = re.findall(r'^[^-"\n]*\bimport\s+"([^"]+)"', path.read_text(errors="replace"), re.M)
    own = [name for name in imports if "lib" not in name.split("/") and not name.startswith("/")]
    return [path] + [file for name in own for file in with_imports(path.parent / f"{name}.fut", seen)]
