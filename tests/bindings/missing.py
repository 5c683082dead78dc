"""Prints which of these modules, and headers (with a dot and an h), are not installed. Usage: missing.py NAMES..."""
import importlib.util
import pathlib
import sys
import sysconfig

FOLDERS = [pathlib.Path(sysconfig.get_paths()["include"]), pathlib.Path("/usr/include"), pathlib.Path("/usr/local/include")]


def is_there(name):
    if name.endswith(".h"):
        return any((folder / name).exists() for folder in FOLDERS)
    return importlib.util.find_spec(name) is not None


print(", ".join(name for name in sys.argv[1:] if not is_there(name)))
