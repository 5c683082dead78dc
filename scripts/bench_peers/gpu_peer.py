"""Gradients of benchmarks of scripts/goals by PyTorch and JAX on this machine's GPU.

    python3 scripts/bench_peers/gpu_peer.py torch|jax [CASE]...

prints a line for each: the case, who computed it, and milliseconds of a call, the mean of some after two that do not count, until the
GPU is done. Data is random, of the sizes of scripts/goals. `cuDNN` is torch.nn.LSTM; the other LSTM of PyTorch is made of products
and functions of elements. Products of f32 are not rounded to TF32 but where it says so.
"""

import pathlib
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from lib.goals import CASES

LEAST, SECONDS = 5, 0.5


def sizes_of(kind, *names):
    """By case, of those whose names begin like this."""
    all_sizes = {case.name: {**case.sizes, **case.to} for case in CASES if case.name.startswith(kind)}
    return {case: tuple(sizes[name] for name in names) for case, sizes in all_sizes.items()}


GMM = sizes_of("GMM f64", "n", "d", "k")
LSTM = sizes_of("LSTM", "bs", "n", "d", "h")
KMEANS = sizes_of("k-means", "k", "n", "d")


def tell(case, who, call, wait):
    for _ in range(2):
        call()
    wait()
    times, began = [], time.perf_counter()
    while len(times) < LEAST or (time.perf_counter() - began < SECONDS and len(times) < 1000):
        before = time.perf_counter()
        call()
        wait()
        times.append(time.perf_counter() - before)
    print(f"{case}\t{who}\t{1e3 * sum(times) / len(times):.4f}", flush=True)


# --- PyTorch ---------------------------------------------------------------------------------


def with_torch(wanted):
    import torch

    torch.manual_seed(1)

    def random(*shape, kind=torch.float64, wanted=False):
        return torch.rand(*shape, dtype=kind, device="cuda").requires_grad_(wanted)

    def gmm(alphas, means, icf, xs, rows, columns):
        n, d, k = xs.shape[0], xs.shape[1], alphas.shape[0]
        log_diagonal, below = icf[:, :d], icf[:, d:]
        qs = torch.zeros(k, d, d, dtype=xs.dtype, device="cuda")
        qs = qs.index_put((torch.arange(k, device="cuda").unsqueeze(1), rows, columns), below) + torch.diag_embed(torch.exp(log_diagonal))
        scaled = torch.einsum("kij,nkj->nki", qs, xs.unsqueeze(1) - means)
        slse = torch.logsumexp(alphas + log_diagonal.sum(1) - 0.5 * (scaled ** 2).sum(2), 1).sum()
        return slse - n * torch.logsumexp(alphas, 0) + 0.5 * (qs ** 2).sum()

    def cells(inputs, targets, hidden, cell, w_ih, w_hh, bias, w_y, bias_y):
        total = torch.zeros((), device="cuda")
        for x, target in zip(inputs, targets):
            gates = x @ w_ih.T + hidden @ w_hh.T + bias
            into, forget, state, out = gates.chunk(4, 1)
            cell = torch.sigmoid(forget) * cell + torch.sigmoid(into) * torch.tanh(state)
            hidden = torch.sigmoid(out) * torch.tanh(cell)
            total = total + ((hidden @ w_y + bias_y - target) ** 2).sum()
        return total

    def cost(points, centres):
        squares = (points * points).sum(1)[:, None] - 2 * points @ centres.T + (centres * centres).sum(1)[None, :]
        return squares.min(1).values.sum()

    def gradient(function, differentiated, others):
        return lambda: torch.autograd.grad(function(*differentiated, *others), differentiated)

    wait = torch.cuda.synchronize
    for case, (n, d, k) in wanted(GMM):
        columns, rows = torch.triu_indices(d, d, 1, device="cuda")
        params = [random(k, wanted=True), random(k, d, wanted=True), random(k, d * (d + 1) // 2, wanted=True)]
        tell(case, "PyTorch", gradient(gmm, params, (random(n, d), rows, columns)), wait)
        torch.cuda.empty_cache()
    for case, (bs, n, d, h) in wanted(LSTM):
        f32 = torch.float32
        inputs, targets = random(n, bs, d, kind=f32), random(n, bs, d, kind=f32)
        start = [random(bs, h, kind=f32), random(bs, h, kind=f32)]
        weights = [random(*shape, kind=f32, wanted=True) for shape in ((4 * h, d), (4 * h, h), (4 * h,), (h, d), (d,))]
        tell(case, "PyTorch", gradient(lambda *w: cells(inputs, targets, *start, *w), weights, ()), wait)
        layer = torch.nn.LSTM(d, h).cuda()
        params = [*layer.parameters(), weights[3], weights[4]]

        def by_cudnn():
            hidden, _ = layer(inputs, (start[0][None], start[1][None]))
            return torch.autograd.grad(((hidden @ weights[3] + weights[4] - targets) ** 2).mean(), params)

        for tf32 in (False, True):
            torch.backends.cudnn.allow_tf32 = torch.backends.cuda.matmul.allow_tf32 = tf32
            tell(case, "cuDNN, TF32" if tf32 else "cuDNN", by_cudnn, wait)
        torch.backends.cudnn.allow_tf32 = torch.backends.cuda.matmul.allow_tf32 = False
    for case, (k, n, d) in wanted(KMEANS):
        points, centres = random(n, d, kind=torch.float32), random(k, d, kind=torch.float32)
        tell(case, "PyTorch", lambda: torch.autograd.functional.vhp(lambda c: cost(points, c), centres, torch.ones_like(centres)), wait)


# --- JAX -------------------------------------------------------------------------------------


def with_jax(wanted):
    import jax
    import jax.numpy as jnp
    import numpy as np

    jax.config.update("jax_enable_x64", True)
    jax.config.update("jax_default_matmul_precision", "highest")
    numbers = np.random.default_rng(1)

    def random(*shape, kind=np.float64):
        return jnp.asarray(numbers.random(shape).astype(kind))

    def gmm(alphas, means, icf, xs):
        n, d = xs.shape
        k = len(alphas)
        columns, rows = np.triu_indices(d, 1)
        log_diagonal, below = icf[:, :d], icf[:, d:]
        qs = jnp.zeros((k, d, d)).at[:, rows, columns].set(below) + jnp.exp(log_diagonal)[:, :, None] * np.eye(d)
        scaled = jnp.einsum("kij,nkj->nki", qs, xs[:, None, :] - means)
        slse = jax.scipy.special.logsumexp(alphas + log_diagonal.sum(1) - 0.5 * (scaled ** 2).sum(2), axis=1).sum()
        return slse - n * jax.scipy.special.logsumexp(alphas) + 0.5 * (qs ** 2).sum()

    def lstm(w_ih, w_hh, bias, w_y, bias_y, inputs, targets, hidden, cell):
        def step(state, x):
            hidden, cell = state
            gates = x @ w_ih.T + hidden @ w_hh.T + bias
            into, forget, new, out = jnp.split(gates, 4, 1)
            cell = jax.nn.sigmoid(forget) * cell + jax.nn.sigmoid(into) * jnp.tanh(new)
            hidden = jax.nn.sigmoid(out) * jnp.tanh(cell)
            return (hidden, cell), hidden

        _, all_hidden = jax.lax.scan(step, (hidden, cell), inputs)
        return ((all_hidden @ w_y + bias_y - targets) ** 2).mean()

    def cost(centres, points):
        squares = (points * points).sum(1)[:, None] - 2 * points @ centres.T + (centres * centres).sum(1)[None, :]
        return squares.min(1).sum()

    def measure(case, function, arguments):
        compiled = jax.jit(function)
        tell(case, "JAX", lambda: jax.block_until_ready(compiled(*arguments)), lambda: None)

    for case, (n, d, k) in wanted(GMM):
        measure(case, jax.grad(gmm, argnums=(0, 1, 2)), (random(k), random(k, d), random(k, d * (d + 1) // 2), random(n, d)))
    for case, (bs, n, d, h) in wanted(LSTM):
        shapes = ((4 * h, d), (4 * h, h), (4 * h,), (h, d), (d,), (n, bs, d), (n, bs, d), (bs, h), (bs, h))
        measure(case, jax.grad(lstm, argnums=tuple(range(5))), [random(*shape, kind=np.float32) for shape in shapes])
    for case, (k, n, d) in wanted(KMEANS):
        second = lambda centres, points: jax.jvp(lambda c: jax.grad(cost)(c, points), (centres,), (jnp.ones_like(centres),))
        measure(case, second, (random(k, d, kind=np.float32), random(n, d, kind=np.float32)))


def main(peer, *cases):
    wanted = lambda table: [(case, sizes) for case, sizes in table.items() if not cases or case in cases]
    {"torch": with_torch, "jax": with_jax}[peer](wanted)


if __name__ == "__main__":
    main(*sys.argv[1:])
