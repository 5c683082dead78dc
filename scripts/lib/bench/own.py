"""How long translating, one emitted program, and building take."""

import os
import shutil
import statistics
import subprocess
import time

from lib.bench.programs import HERE, OPTIONS


def translate(boustro, out):
    print("boustro translate, seconds (goal: verified 0.7, with CUB 3; not verified 0.1)")
    print(f"  {'sample':<16} {'verified':>10} {'not verified':>14}")
    for sample in sorted((HERE / "samples").glob("*.fut")):
        command = [boustro, "translate", sample, "-o", out / f"{sample.stem}.cu"]
        unverified = [*command, "--verify=none"]
        print(f"  {sample.stem:<16} {median_seconds(command):>10.3f} {median_seconds(unverified):>14.3f}", flush=True)


def gmm(boustro, out):
    how = f"C++ target, one thread, g++ {' '.join(OPTIONS)}"
    print(f"GMM, 1000 points, d = 10, K = 25, {how} (goal: ratio at most 6)", flush=True)
    run([boustro, "translate", HERE / "samples/gmm.fut", "--target", "cpp", "-o", out / "gmm.cpp"])
    sources = [HERE / "scripts/bench_gmm.cpp", out / "gmm.cpp"]
    run(["g++", "-std=c++17", *OPTIONS, "-I", out, *sources, "-o", out / "bench_gmm"])
    run([out / "bench_gmm"])


def build(_, out):
    print("Clean build on 2 cores (goal: 10 minutes)")
    folder = out / "build"
    shutil.rmtree(folder, ignore_errors=True)
    begin = time.monotonic()
    environment = {**os.environ, "CCACHE_DISABLE": "1"}
    configure = ["cmake", "-S", HERE, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release"]
    subprocess.run(configure, env=environment, stdout=subprocess.DEVNULL, check=True)
    subprocess.run(["cmake", "--build", folder, "-j", "2"], env=environment, stdout=subprocess.DEVNULL, check=True)
    print(f"  {time.monotonic() - begin:.0f} seconds")
    shutil.rmtree(folder)


def median_seconds(command):
    """Of five runs after one that does not count."""
    return statistics.median([seconds(command) for _ in range(6)][1:])


def seconds(command):
    begin = time.monotonic()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    return time.monotonic() - begin


def run(command):
    subprocess.run(command, check=True)
