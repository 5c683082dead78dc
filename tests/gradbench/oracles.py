"""What evals of GradBench ask for, computed in other ways than by samples/gradbench. Each function checks one output."""
import math

import numpy


def near(got, expected, tolerance=1e-9):
    numpy.testing.assert_allclose(numpy.array(got), numpy.array(expected), rtol=tolerance, atol=tolerance)


def central_differences(f, x, step=1e-5):
    """The derivatives of f by each number of x; f may have several results."""
    x = numpy.array(x, float)
    columns = []
    for i in numpy.ndindex(x.shape):
        up, down = x.copy(), x.copy()
        up[i] += step
        down[i] -= step
        columns.append((f(up) - f(down)) / (2 * step))
    return numpy.array(columns)


def hello(function, x, output):
    near(output, {"square": x * x, "double": 2 * x}[function])


def ode(function, given, output):
    """The method is exact where unknowns are polynomials of degree 4 or less: the i-th is a product of xs times t^(i+1) / (i+1)!."""
    x, time = given["x"], 2
    unknowns = [math.prod(x[: i + 1]) * time ** (i + 1) / math.factorial(i + 1) for i in range(len(x))]
    near(output, unknowns if function == "primal" else [unknowns[-1] / xi for xi in x])


def kmeans(function, given, output):
    """Newton's direction leads from the mean of the points that are nearest to a centre to the centre."""
    points, centres = numpy.array(given["points"]), numpy.array(given["centroids"])
    squares = ((points[:, None] - centres) ** 2).sum(axis=2)
    nearest = squares.argmin(axis=1)
    means = numpy.array([points[nearest == j].mean(axis=0) for j in range(len(centres))])
    near(output, squares.min(axis=1).sum() if function == "cost" else centres - means)


def particle(function, given, output):
    """With the control that was found the particle meets the axis near the origin."""
    charges = numpy.array([(10, 10 - output), (10, 0)])
    x, v, dt = numpy.array([0.0, 8.0]), numpy.array([0.75, 0.0]), 0.1
    while x[1] + dt * v[1] > 0:
        apart = x - charges
        force = (apart / ((apart**2).sum(axis=1) ** 1.5)[:, None]).sum(axis=0)
        x, v = x + dt * v, v + dt * force
    near(x[0] - x[1] / v[1] * v[0], 0, 1e-3)


def gmm_posterior(given, alpha, mu, q, l):
    """By densities and determinants, as it is defined."""
    d, gamma = given["d"], given["gamma"]
    degrees = d + given["m"] + 1
    log_gamma = d * (d - 1) / 4 * math.log(math.pi) + sum(math.lgamma(degrees / 2 - j / 2) for j in range(d))
    densities, total = numpy.zeros(given["n"]), 0
    for k, weight in enumerate(numpy.exp(alpha) / numpy.exp(alpha).sum()):
        triangle = numpy.diag(numpy.exp(q[k]))
        triangle.T[numpy.triu_indices(d, 1)] = l[k]
        precision = triangle.T @ triangle
        from_mean = numpy.array(given["x"]) - mu[k]
        exponents = -numpy.einsum("ni,ij,nj->n", from_mean, precision, from_mean) / 2
        densities += weight * numpy.exp(exponents) * math.sqrt(numpy.linalg.det(precision) / (2 * math.pi) ** d)
        total += (given["m"] / 2 * math.log(numpy.linalg.det(precision)) - gamma**2 / 2 * numpy.trace(precision)
                  - degrees * d / 2 * math.log(2) + degrees * d * math.log(gamma) - log_gamma)
    return numpy.log(densities).sum() + total


def gmm(function, given, output):
    names = ("alpha", "mu", "q", "l")
    at = {name: numpy.array(given[name], float) for name in names}
    if function == "objective":
        near(output, gmm_posterior(given, **at))
        return
    for name in names:
        gradient = central_differences(lambda x: gmm_posterior(given, **{**at, name: x}), at[name])
        assert numpy.shape(output[name]) == at[name].shape
        near(numpy.ravel(output[name]), gradient, 1e-7)


def ba_error(feature, parameters):
    """By the exponential of the matrix of the cross product, a sum of its powers."""
    rotation, centre, (focal, u, v, first, second), point, weight = numpy.split(numpy.array(parameters), [3, 6, 11, 14])
    x, y, z = rotation
    generator = numpy.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    power, matrix = numpy.eye(3), numpy.eye(3)
    for i in range(1, 25):
        power = power @ generator / i
        matrix = matrix + power
    seen = matrix @ (point - centre)
    flat = seen[:2] / seen[2]
    square = flat @ flat
    return weight * (flat * (1 + first * square + second * square**2) * focal + [u, v] - feature)


def ba(function, given, output):
    n, m, p, w = given["n"], given["m"], given["p"], given["w"]
    parameters = [*given["cam"], *given["x"], w]
    error = lambda x: ba_error(given["feat"], x)
    if function == "objective":
        near(output["reproj_error"]["elements"], error(parameters))
        near(output["w_err"]["element"], 1 - w**2)
        assert (output["reproj_error"]["repeated"], output["w_err"]["repeated"]) == (p, p)
        return
    derivatives = central_differences(error, parameters)
    near(output["vals"], [*derivatives[:, 0], *derivatives[:, 1], -2 * w], 1e-7)
    columns = [*range(11), *range(11 * n, 11 * n + 3), 11 * n + 3 * m]  # the first camera, the first point, the first weight
    assert output["cols"] == [*columns, *columns, 11 * n + 3 * m + p - 1]
    begin = [15 * i for i in range(2 * p)] + [30 * p + i for i in range(p + 1)]
    assert output["rows"] == begin[:30] + begin[-1:]
