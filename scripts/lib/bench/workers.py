"""Starts programs that measure themselves, and asks them in turn."""

import dataclasses
import os
import pathlib
import statistics
import subprocess
import threading
import time

SETTLE = 0.3  # seconds until the idle threads of a team no longer wait actively


@dataclasses.dataclass(frozen=True)
class Implementation:
    name: str  # of the method; the rows of tables
    column: str  # which compiler made it, or "" if that is its own affair
    command: tuple
    kinds: tuple
    workers: int = 1
    ours: bool = False

    @property
    def family(self):
        """The name without the number of workers."""
        return self.name.split(",")[0]

    @property
    def title(self):
        return f"{self.name} ({self.column})" if self.column else self.name


@dataclasses.dataclass
class Measured:
    """Of one implementation on one case."""
    implementation: Implementation
    seconds: list
    loaded: int = 0  # kibibytes
    peak: int = 0
    failure: str = ""
    expired: bool = False

    @property
    def best(self):
        return min(self.seconds, default=None)

    @property
    def noise(self):
        """How much longer the median sample took than the shortest."""
        return statistics.median(self.seconds) / self.best if self.seconds else 1.0


class Worker:
    """A process that has computed the result once and waits for orders."""

    def __init__(self, implementation, kind, case, result, what, patience):
        self.measured = Measured(implementation, [])
        self.result = pathlib.Path(result)
        self.patience = patience
        team = str(implementation.workers)  # JAX reads NPROC
        environment = {**os.environ, "OMP_NUM_THREADS": team, "NPROC": team, "PYTHONDONTWRITEBYTECODE": "1"}
        self.process = subprocess.Popen([*map(str, implementation.command), kind, str(case), str(result), what],
                                        env=environment, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE)
        answer = self.answer()
        if answer[:1] == ["ready"] and len(answer) == 3:
            self.measured.loaded, self.measured.peak = map(int, answer[1:])
        else:
            self.fail()

    def answer(self):
        """The words of its next line; none if it ends or takes too long."""
        watch = threading.Timer(self.patience, self.expire)
        watch.start()
        words = self.process.stdout.readline().split()
        watch.cancel()
        return words

    def expire(self):
        self.measured.expired = True
        self.process.kill()

    def fail(self):
        self.process.kill()
        said = self.process.communicate()[1].strip().splitlines()
        if self.measured.expired:
            self.measured.failure = f"takes longer than {self.patience:g} s"
        else:
            self.measured.failure = said[-1] if said else "ends without an answer"

    def sample(self):
        """Asks for one more time. That of the processor, which a busy machine disturbs less, unless threads share the
        work."""
        try:
            self.process.stdin.write("\n")
            self.process.stdin.flush()
        except OSError:
            return self.fail()
        answer = self.answer()
        if len(answer) != 2:
            return self.fail()
        wall, processor = map(float, answer)
        several = self.measured.implementation.workers > 1
        self.measured.seconds.append(wall if several else processor)
        if several:
            time.sleep(SETTLE)

    def end(self):
        if self.process.poll() is None:
            self.process.communicate()


def take_turns(workers, least_rounds, most_rounds, seconds):
    """Samples of all, one after the other, in rounds: at least and at most so many, in between while there is time."""
    begin = time.monotonic()
    for done in range(most_rounds):
        if done >= least_rounds and time.monotonic() - begin > seconds:
            break
        for worker in workers:
            if not worker.measured.failure:
                worker.sample()
