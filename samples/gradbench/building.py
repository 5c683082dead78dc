"""Makes an extension module of Python of a program: by `boustro translate --bindings python`, and a compiler of C++ ($CXX, or c++)."""
import importlib.util
import os
import pathlib
import subprocess
import sysconfig

HERE = pathlib.Path(__file__).resolve().parent


def call(command):
    """Runs a command; nothing of what it prints gets to standard output, which belongs to the protocol."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"`{' '.join(map(str, command))}` failed:\n{done.stdout}{done.stderr}")


def emitted(options, program):
    return pathlib.Path(options.folder) / (pathlib.Path(program).stem + ".cpp")


def translate(options, program):
    target = emitted(options, program)
    target.parent.mkdir(parents=True, exist_ok=True)
    call([options.boustro, "translate", HERE / program, "--target", "cpp", "--bindings", "python", "-o", target])


def compile_and_import(options, program):
    source = emitted(options, program)
    library = source.with_name(source.stem + sysconfig.get_config_var("EXT_SUFFIX"))
    flags = options.flags.split() + (["-fopenmp"] if options.multithreaded else [])
    call([os.environ.get("CXX", "c++"), "-std=c++17", *flags, "-shared", "-fPIC", "-isystem", sysconfig.get_path("include"),
          source, source.with_name(source.stem + "_python.cpp"), "-o", library])
    spec = importlib.util.spec_from_file_location(source.stem, library)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
