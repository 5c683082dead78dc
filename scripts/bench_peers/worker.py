"""What worker.hpp does, for peers in Python: reads a case, writes the derivative or objective, and answers the driver."""

import array
import math
import struct
import sys
import time

LEAST_SAMPLE = 0.02  # seconds


class Case:
    def __init__(self, path):
        self.file = open(path, "rb")

    def values(self, code):
        result = array.array(code)
        result.fromfile(self.file, struct.unpack("<q", self.file.read(8))[0])
        return result

    def reals(self):
        return self.values("d")

    def integers(self):
        return self.values("q")

    def integer(self):
        return self.integers()[0]

    def real(self):
        return self.reals()[0]


def write_result(path, arrays):
    """`arrays`: flat NumPy arrays of float64."""
    with open(path, "wb") as file:
        for values in arrays:
            file.write(struct.pack("<q", values.size))
            file.write(values.tobytes())


def memory(row):
    """Kibibytes by a row of /proc/self/status."""
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith(row))


def seconds_of(run, times):
    """Wall clock and processor, of one run."""
    wall, processor = time.perf_counter(), time.process_time()
    for _ in range(times):
        run()
    return (time.perf_counter() - wall) / times, (time.process_time() - processor) / times


def serve(result, run):
    """`run` returns the derivative, a list of flat NumPy arrays."""
    loaded = memory("VmRSS:")
    write_result(result, run())
    once = min(seconds_of(run, 1))  # compiled by now
    peak = memory("VmHWM:")
    print("ready", loaded, peak, flush=True)
    times = max(1, math.ceil(LEAST_SAMPLE / once))
    for _ in sys.stdin:
        print(*seconds_of(run, times), flush=True)
