"""Gradients of ADBench's GMM and D-LSTM, or the objectives, by JAX on the CPU: compiled, in float64."""

import functools
import math
import sys

import jax
import jax.numpy as jnp
import numpy as np
from jax.scipy.special import gammaln, logsumexp

import worker


def gmm_objective(alphas, means, icf, xs, gamma, m):
    n, d = xs.shape
    k = len(alphas)
    columns, rows = np.triu_indices(d, 1)  # below the diagonal, column by column
    log_diagonal, below = icf[:, :d], icf[:, d:]
    log_dets = log_diagonal.sum(1)
    qs = jnp.zeros((k, d, d)).at[:, rows, columns].set(below) + jnp.exp(log_diagonal)[:, :, None] * np.eye(d)
    scaled = jnp.einsum("kij,nkj->nki", qs, xs[:, None, :] - means)
    slse = logsumexp(alphas + log_dets - 0.5 * (scaled ** 2).sum(2), axis=1).sum()
    degrees = d + m + 1
    log_gamma = 0.25 * d * (d - 1) * math.log(math.pi) + gammaln(0.5 * (degrees - np.arange(d))).sum()
    normaliser = degrees * d * (jnp.log(gamma) - 0.5 * math.log(2)) - log_gamma
    prior = 0.5 * gamma ** 2 * (qs ** 2).sum() - m * log_dets.sum() - k * normaliser
    return slse - 0.5 * n * d * math.log(2 * math.pi) - n * logsumexp(alphas) + prior


def lstm_objective(main_params, extra_params, start, sequence):
    def layer(weights, biases, hidden, cell, x):
        forget, outgate = (jax.nn.sigmoid(x * weights[i] + biases[i]) for i in (0, 2))
        ingate = jax.nn.sigmoid(hidden * weights[1] + biases[1])
        cell = cell * forget + ingate * jnp.tanh(hidden * weights[3] + biases[3])
        return outgate * jnp.tanh(cell), cell

    def step(state, rows):
        x, new_state = rows[0] * extra_params[0], []
        for (weights, biases), (hidden, cell) in zip(main_params, state):
            x, cell = layer(weights, biases, hidden, cell, x)
            new_state.append((x, cell))
        ys = x * extra_params[1] + extra_params[2]
        return new_state, rows[1] @ (ys - jnp.log(2 + jnp.exp(ys).sum()))

    start = [(hidden, cell) for hidden, cell in start]
    _, terms = jax.lax.scan(step, start, (sequence[:-1], sequence[1:]))
    return -terms.sum() / sequence[1:].size


def gmm(case):
    n, d, k = case.integer(), case.integer(), case.integer()
    shapes = (k,), (k, d), (k, d * (d + 1) // 2), (n, d)
    return gmm_objective, 3, [*arrays(case, shapes), case.real(), float(case.integer())]


def lstm(case):
    l, c, b = case.integer(), case.integer(), case.integer()
    return lstm_objective, 2, arrays(case, ((l, 2, 4, b), (3, b), (l, 2, b), (c, b)))


def arrays(case, shapes):
    return [jnp.asarray(np.asarray(case.reals()).reshape(shape)) for shape in shapes]


def main(kind, case, result, what):
    jax.config.update("jax_enable_x64", True)
    jax.config.update("jax_platforms", "cpu")
    objective, parameters, values = {"gmm": gmm, "lstm": lstm}[kind](worker.Case(case))
    gradient = jax.grad(objective, argnums=tuple(range(parameters)))
    wanted = jax.jit(gradient if what == "derivative" else lambda *values: [objective(*values)])
    run = functools.partial(wanted, *values)
    worker.serve(result, lambda: [np.asarray(part).ravel() for part in run()])


if __name__ == "__main__":
    main(*sys.argv[1:])
