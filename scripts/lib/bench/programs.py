"""The implementations that are compared: what builds each, and what is missing here."""

import dataclasses
import hashlib
import pathlib
import shutil
import subprocess
import sys

from lib.bench.workers import Implementation

HERE = pathlib.Path(__file__).resolve().parent.parent.parent.parent
SOURCES = HERE / "scripts/bench_peers"
OPTIONS = ["-O3", "-march=native"]
SEQUENTIAL = "Boustro"  # without -fopenmp
ALL_KINDS = ("gmm", "lstm", "ba", "hand")
EIGEN = pathlib.Path("/usr/include/eigen3")

# ADBench's modules, as its build files list their sources.
MODULES = {
    "Tapenade": ["tapenade/utils/{adBuffer,adStack}.c", "tapenade/gmm/{gmm,gmm_b}.c", "tapenade/lstm/{lstm,lstm_b}.c",
                 "tapenade/ba/{ba,ba_b}.c", "tapenade/hand/{hand,hand_d}.c", "tapenade/Tapenade{GMM,LSTM,BA,Hand}.cpp"],
    "Manual": ["manual/{gmm,lstm,ba,hand}_d.cpp", "manual/Manual{GMM,LSTM,BA,Hand}.cpp"],
    "ManualEigen": ["manualEigen/{gmm,gmm_scalar,lstm_eigen,ba,hand_eigen}_d.cpp",
                    "manualEigen/ManualEigen{GMM,LSTM,BA,Hand}.cpp"],
}


@dataclasses.dataclass(frozen=True)
class Compiler:
    title: str
    cpp: str
    c: str  # the driver that tells C from C++ by the file's name


class Programs:
    """Builds what is there, one program at a time; says of the rest, in `notes`, why it is left out."""

    def __init__(self, args, out):
        self.args = args
        self.out = out
        self.notes = []
        self.compilers = [one for one in (self.compiler("g++", "gcc"), self.compiler("clang++-22", "clang-22")) if one]

    def all(self):
        return [*self.peers(), *self.ours(), *self.frameworks()]

    def compiler(self, cpp, c):
        if not shutil.which(cpp) or not shutil.which(c):
            self.leave_out(cpp, "it is not installed (scripts/setup)")
            return None
        version = subprocess.run([cpp, "-dumpversion"], capture_output=True, text=True, check=True).stdout.split(".")[0]
        return Compiler(f"{cpp.split('-')[0]} {version.strip()}", cpp, c)

    def leave_out(self, what, why):
        self.notes.append(f"{what} is left out: {why}")
        print(self.notes[-1], file=sys.stderr)

    # ---- ADBench

    def peers(self):
        for name, files in MODULES.items():
            if name == "ManualEigen" and not (EIGEN / "Eigen/Dense").is_file():
                self.leave_out(name, "Eigen is missing (Debian's package libeigen3-dev)")
                continue
            for compiler in self.compilers:
                program = self.peer(name, files, compiler)
                yield Implementation(name, compiler.title, (program,), ALL_KINDS)

    def peer(self, name, files, compiler):
        root = self.args.adbench / "src/cpp"
        own = SOURCES / "adbench.cpp"
        names = [name for pattern in files for name in expand(pattern)]
        theirs = [root / "shared/utils.cpp", *(root / "modules" / name for name in names)]
        headers = [*root.glob("shared/*.h"), *root.glob("modules/*/*.h")]
        # Nobody here acts on warnings about ADBench's sources.
        options = [*OPTIONS, "-w", "-I", root, "-isystem", EIGEN]
        objects = self.objects(f"{name}-{compiler.cpp}", [compiler.c, *options, "-c", *theirs], [*theirs, *headers])
        command = [compiler.c, *options, own, *objects, "-lstdc++", "-lm"]
        return self.build(f"{name}-{compiler.cpp}", command, [own, *objects, *headers, SOURCES / "worker.hpp"])

    # ---- Boustro

    def ours(self):
        sources = {kind: source for kind, source in self.programs_in_futhark() if kind in self.args.only}
        texts = {kind: self.emitted(kind, source) for kind, source in sources.items()}
        for compiler in self.compilers:
            yield from self.ours_by(compiler, SEQUENTIAL, texts, [], [1])
            parallel = self.openmp(compiler)
            if parallel is None:
                self.leave_out(f"-fopenmp of {compiler.cpp}", "its library is missing (libomp-22-dev or libomp-dev)")
            else:
                yield from self.ours_by(compiler, f"{SEQUENTIAL}, -fopenmp", texts, parallel, [1, 2])

    def ours_by(self, compiler, name, texts, options, teams):
        for kind, text in texts.items():
            sources = [SOURCES / f"boustro_{kind}.cpp", text]
            command = [compiler.cpp, "-std=c++17", *OPTIONS, *options, "-I", text.parent, *sources]
            program = self.build(f"boustro_{kind}-{compiler.cpp}{''.join(options[:1])}", command,
                                 [*sources, text.with_suffix(".hpp"), SOURCES / "worker.hpp"])
            for workers in teams:
                title = f"{name}, {workers} worker{'s' * (workers > 1)}" if options else name
                yield Implementation(title, compiler.title, (program,), (kind,), workers, ours=True)

    def programs_in_futhark(self):
        yield "gmm", HERE / "samples/gmm.fut"
        yield "lstm", HERE / "samples/lstm.fut"
        if self.args.futhark:
            yield "ba", self.args.futhark / "adbench/ba.fut"
            yield "hand", self.args.futhark / "adbench/hand.fut"
        else:
            self.leave_out("Boustro's ba and hand", "--futhark names no checkout of futhark-benchmarks")

    def emitted(self, kind, source):
        text = self.out / f"emitted/{kind}.cpp"
        text.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run([self.args.boustro, "translate", source, "--target", "cpp", "-o", text], check=True)
        return text

    def openmp(self, compiler):
        """The options by which it links OpenMP: Debian's libomp need not be of the compiler's release."""
        probe = self.out / "probe.cpp"
        probe.write_text("int main() {\n#pragma omp parallel\n  {\n  }\n}\n")
        folders = [path.parent for path in sorted(pathlib.Path("/usr/lib").glob("llvm-*/lib/libomp.so"), reverse=True)]
        for options in (["-fopenmp"], *(["-fopenmp", f"-L{folder}", f"-Wl,-rpath,{folder}"] for folder in folders)):
            command = [compiler.cpp, *options, probe, "-o", self.out / "probe"]
            if succeeds(command) and succeeds([self.out / "probe"]):
                return options
        return None

    # ---- JAX and PyTorch

    def frameworks(self):
        for name, module in (("JAX", "jax"), ("PyTorch", "torch")):
            python, version = self.python_with(module)
            if python is None:
                self.leave_out(name, f"no Python that was named has a module {module} (--python)")
                continue
            for workers in (1, 2):
                yield Implementation(f"{name} {version}, {workers} worker{'s' * (workers > 1)}", "",
                                     (python, SOURCES / f"{module}_peer.py"), ("gmm", "lstm"), workers)

    def python_with(self, module):
        for python in self.args.python:
            command = [python, "-c", f"import {module}; print({module}.__version__)"]
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode == 0:
                return python, done.stdout.strip()
        return None, None

    # ---- Building

    def objects(self, name, command, read):
        """What a compiler makes of sources, which takes long and so is kept when what calls them changes."""
        folder = self.out / "objects" / name
        folder.mkdir(parents=True, exist_ok=True)
        renew(folder, command, read, cwd=folder)
        return sorted(folder.glob("*.o"))

    def build(self, name, command, read):
        program = self.out / "programs" / name
        program.parent.mkdir(parents=True, exist_ok=True)
        renew(program, [*command, "-o", program], read)
        return program


def renew(target, command, read, cwd=None):
    """Runs the command if it or a file that it reads is not what it was when it succeeded last."""
    stamp, kept = digest(command, read), target.with_name(target.name + ".stamp")
    if target.exists() and kept.exists() and kept.read_text() == stamp:
        return
    print(f"building {target.parent.name}/{target.name}", file=sys.stderr)
    if subprocess.run(["nice", "-n", "5", *map(str, command)], cwd=cwd).returncode != 0:
        sys.exit(f"bench: {target.name} cannot be built; the compiler says why above")
    kept.write_text(stamp)


def expand(pattern):
    """The files that a pattern with one {a,b} names."""
    if "{" not in pattern:
        return [pattern]
    before, rest = pattern.split("{")
    choices, after = rest.split("}")
    return [before + choice + after for choice in choices.split(",")]


def succeeds(command):
    return subprocess.run(command, capture_output=True).returncode == 0


def digest(command, files):
    result = hashlib.sha256(" ".join(map(str, command)).encode())
    for file in files:
        result.update(pathlib.Path(file).read_bytes())
    return result.hexdigest()
