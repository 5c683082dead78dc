"""Gradients of ADBench's GMM and D-LSTM, or the objectives, by PyTorch on the CPU: TorchScript, in float64."""

import math
import os
import sys
from typing import List

import torch
from torch import Tensor

import worker


@torch.jit.script
def gmm_objective(alphas: Tensor, means: Tensor, icf: Tensor, xs: Tensor, gamma: float, m: int, rows: Tensor,
                  columns: Tensor):
    n, d, k = xs.shape[0], xs.shape[1], alphas.shape[0]
    log_diagonal, below = icf[:, :d], icf[:, d:]
    log_dets = log_diagonal.sum(1)
    zeros = torch.zeros(k, d, d, dtype=torch.float64)
    every = torch.arange(k).unsqueeze(1)
    qs = zeros.index_put((every, rows, columns), below) + torch.diag_embed(torch.exp(log_diagonal))
    scaled = torch.einsum("kij,nkj->nki", qs, xs.unsqueeze(1) - means)
    slse = torch.logsumexp(alphas + log_dets - 0.5 * (scaled ** 2).sum(2), 1).sum()
    degrees = d + m + 1
    log_gamma = 0.25 * d * (d - 1) * math.log(math.pi) + torch.lgamma(0.5 * (degrees - torch.arange(d))).sum()
    normaliser = degrees * d * (math.log(gamma) - 0.5 * math.log(2.0)) - log_gamma
    prior = 0.5 * gamma * gamma * (qs ** 2).sum() - m * log_dets.sum() - k * normaliser
    return slse - 0.5 * n * d * math.log(2 * math.pi) - n * torch.logsumexp(alphas, 0) + prior


@torch.jit.script
def lstm_objective(main_params: Tensor, extra_params: Tensor, state: Tensor, sequence: Tensor):
    hidden: List[Tensor] = []
    cell: List[Tensor] = []
    for i in range(state.shape[0]):
        hidden.append(state[i, 0])
        cell.append(state[i, 1])
    total = torch.zeros(1, dtype=torch.float64)
    for t in range(sequence.shape[0] - 1):
        x = sequence[t] * extra_params[0]
        for i in range(state.shape[0]):
            weights, biases = main_params[i, 0], main_params[i, 1]
            forget = torch.sigmoid(x * weights[0] + biases[0])
            ingate = torch.sigmoid(hidden[i] * weights[1] + biases[1])
            outgate = torch.sigmoid(x * weights[2] + biases[2])
            cell[i] = cell[i] * forget + ingate * torch.tanh(hidden[i] * weights[3] + biases[3])
            x = outgate * torch.tanh(cell[i])
            hidden[i] = x
        ys = x * extra_params[1] + extra_params[2]
        total = total + torch.dot(sequence[t + 1], ys - torch.log(2 + torch.exp(ys).sum()))
    return -total / sequence[1:].numel()


def gmm(case):
    n, d, k = case.integer(), case.integer(), case.integer()
    values = tensors(case, ((k,), (k, d), (k, d * (d + 1) // 2), (n, d)))
    columns, rows = torch.triu_indices(d, d, 1)  # below the diagonal, column by column
    return gmm_objective, 3, [*values, case.real(), case.integer(), rows, columns]


def lstm(case):
    l, c, b = case.integer(), case.integer(), case.integer()
    return lstm_objective, 2, tensors(case, ((l, 2, 4, b), (3, b), (l, 2, b), (c, b)))


def tensors(case, shapes):
    return [torch.tensor(case.reals(), dtype=torch.float64).reshape(shape) for shape in shapes]


def main(kind, case, result, what):
    torch.set_num_threads(int(os.environ["OMP_NUM_THREADS"]))
    objective, parameters, values = {"gmm": gmm, "lstm": lstm}[kind](worker.Case(case))
    if what == "derivative":
        wanted = [value.requires_grad_() for value in values[:parameters]]
        run = lambda: torch.autograd.grad(objective(*values).sum(), wanted)
    else:
        run = lambda: [objective(*values)]
    worker.serve(result, lambda: [part.numpy().ravel() for part in run()])


if __name__ == "__main__":
    main(*sys.argv[1:])
