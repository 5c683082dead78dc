"""The data that all implementations get: ADBench's own where they are there, else random ones, always the same."""

import array
import dataclasses
import pathlib
import random
import struct
import typing

SEED = 1


@dataclasses.dataclass(frozen=True)
class Case:
    name: str
    kind: str  # gmm, lstm, ba, hand
    arrays: typing.Callable  # of the folder of ADBench's data: the values, in the order in which programs read them
    quick: bool = False

    def write(self, path, data):
        with open(path, "wb") as file:
            for values in self.arrays(data):
                file.write(struct.pack("<q", len(values)))
                file.write(values.tobytes())


def integers(*values):
    return array.array("q", values)


def reals(values):
    return array.array("d", values)


def normal(rng, size, spread=1.0, mean=0.0):
    return reals(rng.gauss(mean, spread) for _ in range(size))


# ---- Gaussian mixtures, distributed as in ADBench's generator

def gmm(n, d, k, quick=False):
    return Case(f"GMM, {n:,} points, d = {d}, K = {k}", "gmm", lambda _: gmm_arrays(n, d, k), quick)


def gmm_arrays(n, d, k):
    rng = random.Random(SEED)
    alphas, means = normal(rng, k), reals(rng.random() for _ in range(k * d))
    icf, xs = normal(rng, k * d * (d + 1) // 2), normal(rng, n * d)
    return [integers(n), integers(d), integers(k), alphas, means, icf, xs, reals([1.0]), integers(0)]


# ---- Long short-term memory

def lstm(l, c, quick=False):
    path = f"lstm/lstm_l{l}_c{c}.txt"
    return Case(f"D-LSTM, l = {l}, c = {c:,}", "lstm", lambda data: lstm_arrays(l, c, data / path), quick)


def lstm_arrays(l, c, path, b=14):
    sizes = [8 * l * b, 3 * b, 2 * l * b, c * b]
    if path.is_file():
        words = path.read_text().split()
        if [int(word) for word in words[:3]] != [l, c, b] or len(words) < 3 + sum(sizes):
            raise ValueError(f"{path} is not as expected: {l} {c} {b}, then {sum(sizes)} numbers")
        values = reals(map(float, words[3:]))
    else:
        rng = random.Random(SEED)
        values = reals(rng.random() for _ in range(sum(sizes)))
    return [integers(l), integers(c), integers(b), *split(values, sizes)]


def split(values, sizes):
    parts, begin = [], 0
    for size in sizes:
        parts.append(values[begin:begin + size])
        begin += size
    return parts


# ---- Bundle adjustment: ADBench repeats one camera and one point, here each differs a little

def ba(name, n, m, p, quick=False):
    return Case(f"BA, {name}: {n} cameras, {m:,} points, {p:,} observations", "ba", lambda _: ba_arrays(n, m, p), quick)


def ba_arrays(n, m, p):
    rng = random.Random(SEED)
    cameras = reals(value for _ in range(n) for value in camera(rng))
    points, weights = normal(rng, 3 * m), reals(rng.random() for _ in range(p))
    observations = integers(*(index for i in range(p) for index in (i % n, i % m)))
    return [integers(n), integers(m), integers(p), cameras, points, weights, observations, normal(rng, 2 * p, 300)]


def camera(rng):
    """Rotation, centre (the points are in front of it), focal length, principal point, radial distortion."""
    centre = [*normal(rng, 2), rng.gauss(-30, 1)]
    return [*normal(rng, 3, 0.1), *centre, rng.gauss(400, 20), *normal(rng, 2, 5), *normal(rng, 2, 0.01)]


# ---- Hand tracking

def hand(family, number, n, quick=False):
    path = f"hand/{family}/hand{number}_t26_c{n}.txt"
    title = f"HAND, {family.replace('_', ', ')}, c = {n:,}"
    return Case(title, "hand", lambda data: hand_arrays(data / path, n), quick)


def hand_arrays(path, n):
    *model, vertices, triangles = hand_model(path.parent / "model")
    limit, per_point = (len(triangles) // 3, 2) if "complicated" in str(path.parent) else (vertices, 0)
    if path.is_file():
        instance = read_hand(path.read_text(), n, per_point)
    else:
        rng = random.Random(SEED)
        instance = [integers(*(rng.randrange(limit) for _ in range(n))), normal(rng, 3 * n),
                    normal(rng, 26, 0.1), reals(rng.random() / 2 for _ in range(per_point * n))]
    return [*model, triangles, *instance]


def read_hand(text, n, per_point):
    """Correspondences, points (one coordinate after the other), parameters; if complicated, two for each point."""
    words = text.split()
    points, rest = words[2:2 + 4 * n], reals(map(float, words[2 + 4 * n:]))
    if int(words[0]) != n or len(rest) != per_point * n + int(words[1]):
        raise ValueError(f"the data of a hand are not as expected: {n} points")
    coordinates = reals(float(word) for axis in (1, 2, 3) for word in points[axis::4])
    return [integers(*map(int, points[0::4])), coordinates, rest[per_point * n:], rest[:per_point * n]]


def hand_model(folder):
    """Parents, relative and inverse absolute transforms, weights, positions; the number of vertices, and triangles."""
    bones = [line.split(":") for line in lines_of(folder / "bones.txt")]
    vertices = [line.split(":") for line in lines_of(folder / "vertices.txt")]
    weights = reals([0.0]) * (len(bones) * len(vertices))
    for i, vertex in enumerate(vertices):
        influences = vertex[9:9 + 2 * int(vertex[8])]
        for bone, weight in zip(influences[0::2], influences[1::2]):
            weights[int(bone) * len(vertices) + i] = float(weight)
    positions = reals(float(vertex[axis]) for axis in range(3) for vertex in vertices) + reals([1.0]) * len(vertices)
    triangles = integers(*(int(word) for line in lines_of(folder / "triangles.txt") for word in line.split(":")))
    return [integers(*(int(bone[1]) for bone in bones)),
            reals(float(word) for bone in bones for word in bone[2:18]),
            reals(float(word) for bone in bones for word in bone[18:34]),
            weights, positions, len(vertices), triangles]


def lines_of(path):
    return [line for line in pathlib.Path(path).read_text().splitlines() if line.strip()]


ALL = [
    gmm(1_000, 10, 25, quick=True),
    gmm(1_000, 64, 25, quick=True),
    gmm(10_000, 64, 25),
    gmm(10_000, 64, 200),
    lstm(2, 1024, quick=True),
    lstm(4, 1024),
    ba("as ba1", 49, 7_776, 31_843, quick=True),
    ba("as ba5", 257, 65_132, 225_911),
    hand("simple_big", 5, 800, quick=True),
    hand("simple_big", 12, 100_000),
    hand("complicated_big", 5, 800, quick=True),
    hand("complicated_big", 12, 100_000),
]

# One size after the other is doubled.
GROWTH = [gmm(10_000, 32, 25), gmm(20_000, 32, 25), gmm(10_000, 64, 25), gmm(10_000, 32, 50)]
