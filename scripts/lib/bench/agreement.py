"""Whether implementations computed the same derivative."""

import array
import math
import operator
import pathlib
import struct

TOLERANCE = 1e-8


def read_result(path):
    """The arrays of a file as worker.hpp writes it."""
    data, begin, parts = pathlib.Path(path).read_bytes(), 0, []
    while begin < len(data):
        size, = struct.unpack_from("<q", data, begin)
        end = begin + 8 + 8 * size
        parts.append(array.array("d", data[begin + 8:end]))
        begin = end
    return parts


def difference(result, reference):
    """The largest difference of two elements, relative to the mean magnitude of the reference's array; NaN, infinity
    and other sizes are infinitely far away."""
    if [len(part) for part in result] != [len(part) for part in reference]:
        return math.inf
    return max((difference_of_arrays(*parts) for parts in zip(result, reference)), default=0.0)


def difference_of_arrays(values, reference):
    if values == reference and math.isfinite(sum(map(abs, reference))):
        return 0.0
    distances = array.array("d", map(abs, map(operator.sub, values, reference)))
    scale = sum(map(abs, reference)) / len(reference)
    if not math.isfinite(sum(distances)) or not math.isfinite(scale):
        return math.inf
    largest = max(distances)
    return largest / scale if scale else (math.inf if largest else 0.0)
