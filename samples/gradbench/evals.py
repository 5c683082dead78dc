"""What each eval of GradBench passes to its functions, and what it wants to have: for each function, from the input of a message to a Call."""
import dataclasses
from typing import Any, Callable

import numpy


def plain(result):
    """An array as lists, a number as a number."""
    return result.tolist() if hasattr(result, "tolist") else result


@dataclasses.dataclass
class Call:
    entry: str  # of the program
    arguments: tuple
    output: Callable[[Any], Any] = plain  # from its result to what is written as JSON


@dataclasses.dataclass
class Eval:
    program: str
    functions: dict[str, Callable[[Any], Call]]


def floats(values):
    return numpy.array(values, numpy.float64)


def integers(values):
    return numpy.array(values, numpy.int32)


def same(entry, *arguments):
    """A function whose arguments are fields of the input: arrays of floats, or numbers as they are."""
    def call(given):
        values = (given[name] for name in arguments)
        return Call(entry, tuple(floats(value) if isinstance(value, list) else value for value in values))
    return call


def hello(entry):
    return lambda given: Call(entry, (float(given),))


def det(entry):
    return lambda given: Call(entry, (floats(given["A"]).reshape(given["ell"], given["ell"]),), lambda result: numpy.ravel(result).tolist())


def det_primal(given):
    return dataclasses.replace(det("primal")(given), output=plain)


def gmm(entry, output):
    def call(given):
        k, d = given["k"], given["d"]
        triangles = floats(given["l"]).reshape(k, d * (d - 1) // 2)  # which may have no columns
        arguments = (floats(given["alpha"]), floats(given["mu"]), floats(given["q"]), triangles, floats(given["x"]))
        return Call(entry, (*arguments, float(given["gamma"]), given["m"]), output)
    return call


def gmm_gradient(result):
    return dict(zip(("alpha", "mu", "q", "l"), map(plain, result)))


def lstm(entry, output):
    fields = same(entry, "main_params", "extra_params", "state", "sequence")
    return lambda given: dataclasses.replace(fields(given), output=output)


def ba(entry, output):
    """One camera, point, weight and feature stand for all, and camera and point of an observation follow from its number."""
    def call(given):
        n, m, p = given["n"], given["m"], given["p"]
        i = numpy.arange(p, dtype=numpy.int32)
        arguments = (numpy.tile(floats(given["cam"]), (n, 1)), numpy.tile(floats(given["x"]), (m, 1)), numpy.full(p, given["w"]),
                     numpy.stack([i % n, i % m], axis=1).astype(numpy.int32), numpy.tile(floats(given["feat"]), (p, 1)))
        return Call(entry, arguments, output)
    return call


def ba_errors(result):
    errors, weights = result
    return {"reproj_error": {"elements": errors[0].tolist(), "repeated": len(errors)},
            "w_err": {"element": weights[0].item(), "repeated": len(weights)}}


def ba_jacobian(result):
    """Of each array the first observation's part, and the last element."""
    return {name: [*part[:30].tolist(), part[-1].item()] for name, part in zip(("rows", "cols", "vals"), result)}


def ht(entry, output):
    def call(given):
        model, data = given["data"]["model"], given["data"]
        arguments = (integers(model["parents"]), floats(model["base_relatives"]), floats(model["inverse_base_absolutes"]),
                     floats(model["base_positions"]), floats(model["weights"]), integers(model["triangles"]), model["is_mirrored"],
                     integers(data["correspondences"]), floats(data["points"]), floats(given["theta"]))
        if len(given["us"]) == 0:  # measured points belong to vertices, not to triangles
            return Call(entry, arguments, output)
        return Call("surface_" + entry, (*arguments, floats(given["us"]).reshape(-1, 2)), output)
    return call


def ht_jacobian(columns):
    return columns.reshape(len(columns), -1).T.tolist()


def modes(argument, output=plain):
    """Four functions of one argument, one for each pair of modes."""
    def function(entry):
        return lambda given: dataclasses.replace(same(entry, argument)(given), output=output)
    return {entry: function(entry) for entry in ("ff", "fr", "rf", "rr")}


def flat(result):
    return numpy.ravel(result).tolist()


EVALS = {
    "ba": Eval("ba.fut", {"objective": ba("objective", ba_errors), "jacobian": ba("jacobian", ba_jacobian)}),
    "det": Eval("det.fut", {"primal": det_primal, "gradient": det("gradient")}),
    "gmm": Eval("gmm.fut", {"objective": gmm("objective", plain), "jacobian": gmm("jacobian", gmm_gradient)}),
    "hello": Eval("hello.fut", {"square": hello("square"), "double": hello("derivative")}),
    "ht": Eval("ht.fut", {"objective": ht("objective", flat), "jacobian": ht("jacobian", ht_jacobian)}),
    "kmeans": Eval("kmeans.fut", {"cost": same("cost", "points", "centroids"), "dir": same("direction", "points", "centroids")}),
    "llsq": Eval("llsq.fut", {"primal": same("primal", "x", "n"), "gradient": same("gradient", "x", "n")}),
    "lse": Eval("lse.fut", {"primal": same("primal", "x"), "gradient": same("gradient", "x")}),
    "lstm": Eval("../lstm.fut", {"objective": lstm("calculate_objective", plain),
                                 "jacobian": lstm("calculate_jacobian", lambda parts: [x for part in parts for x in flat(part)])}),
    "ode": Eval("ode.fut", {"primal": same("primal", "x", "s"), "gradient": same("gradient", "x", "s")}),
    "particle": Eval("particle.fut", modes("w")),
    "saddle": Eval("saddle.fut", modes("start", flat)),
}
