"""Finds gravity and friction of a pendulum, which pendulum.fut simulates, from measured angles.

    boustro translate pendulum.fut --bindings jax     # pendulum.cpp, pendulum.hpp, pendulum_jax.cpp, pendulum_jax.py
    (build: the command in the head of pendulum_jax.cpp)
    python3 fit.py

The gradient is that of the emitted code. Several pendulums are one `vmap`, and all steps of the descent one compiled loop.
"""
import jax
import jax.numpy as jnp

import pendulum_jax

STEPS = 100
STARTS = jnp.array([0.3, 0.9, 1.5])


def angles(parameters):
    gravity, friction = parameters
    return jax.vmap(lambda start: pendulum_jax.swing(STEPS, gravity, friction, start))(STARTS)


def fit(measured, parameters, steps=400):
    loss = lambda parameters: jnp.mean((angles(parameters) - measured) ** 2)

    def step(state, i):  # Adam
        parameters, mean, square = state
        gradient = jax.grad(loss)(parameters)
        mean = 0.9 * mean + 0.1 * gradient
        square = 0.99 * square + 0.01 * gradient**2
        change = mean / (1 - 0.9 ** (i + 1)) / (jnp.sqrt(square / (1 - 0.99 ** (i + 1))) + 1e-8)
        return (parameters - 0.1 * 0.99**i * change, mean, square), None

    zeros = jnp.zeros_like(parameters)
    (parameters, _, _), _ = jax.lax.scan(step, (parameters, zeros, zeros), jnp.arange(float(steps)))
    return parameters


if __name__ == "__main__":
    measured = angles(jnp.array([9.81, 0.3]))
    gravity, friction = jax.jit(fit)(measured, jnp.array([8.0, 1.0]))
    print(f"gravity {gravity:.3f}, friction {friction:.3f}")
