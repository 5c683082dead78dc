"""What the cases of scripts/goals took on an H200, 2026-11-26, by `scripts/goals --measure` and bench_peers/gpu_peer.py.

Microseconds of a call, the mean of at least ten that take 0.3 s together, after one that does not count. Kernels that only make data do
not count either. Not all are of the same commit, as REMARKS say.
"""

# Of primal and gradient.
MEASURED = {
    "GMM f64 D0": (116, 314), "GMM f64 D1": (259, 812), "GMM f64 D2": (422, 1200), "GMM f64 D3": (124, 316), "GMM f64 D4": (271, 743),
    "GMM f64 D5": (1790, 5802), "GMM f32 D0": (142, 336), "GMM f32 D3": (169, 348),
    "LSTM D0": (1543, 6195), "LSTM D1": (14_940, 78_225),
    "k-means 5, 494019, 35": (130, 143), "k-means 1024, 10000, 256": (514, 515),
    "sparse k-means movielens": (879, 4216), "sparse k-means nytimes": (1760, 10_115), "sparse k-means scrna": (3184, 14_501),
    "LBM": (2280, 10_550), "RSBench": (74_254, 548_911), "XSBench": (9100, 47_040),
    "hist +, 10 bins": (638, 492), "hist min, 10 bins": (696, 1705), "hist general, 10 bins": (3233, 8162), "hist general, 10^6 bins": (2591, 12_830),
    "reduce +": (102, 247), "reduce min": (103, 241), "scan +": (329, 332), "scan linear recurrence": (1112, 2571),
    "matmul 4096 x 768 x 768": (187, 404),
}

# Gradients by others, on the same GPU: PyTorch 2.11 eagerly, JAX 0.11 compiled, and PyTorch's LSTM by cuDNN, without TF32.
PEERS = {
    "GMM f64 D0": {"PyTorch": 2070, "JAX": 650}, "GMM f64 D1": {"PyTorch": 2392, "JAX": 1261}, "GMM f64 D2": {"PyTorch": 3514, "JAX": 2005},
    "GMM f64 D3": {"PyTorch": 2187, "JAX": 805}, "GMM f64 D4": {"PyTorch": 2559, "JAX": 1569}, "GMM f64 D5": {"PyTorch": 12_001, "JAX": 7961},
    "LSTM D0": {"PyTorch": 17_068, "JAX": 3101, "cuDNN": 5790}, "LSTM D1": {"PyTorch": 268_014, "JAX": 38_660, "cuDNN": 29_706},
    "k-means 5, 494019, 35": {"PyTorch": 1152, "JAX": 462}, "k-means 1024, 10000, 256": {"PyTorch": 1171, "JAX": 523},
}

REMARKS = [
    "`of model` compares with the model of what is emitted today. As it was measured, or nearly, is the text of the scans, hist general, k-means 1024, matmul and "
    "the primals of GMM and RSBench. Gradients of GMM look for no largest component on the way back any more, and those of reductions and histograms have few blocks, whose threads stride.",
    "GMM f64 D0 and D1, GMM f32, LSTM D1, sparse k-means but scrna, and all from `hist +` on but matmul were measured at one commit. GMM f64 D2 to D5 are from "
    "shortly before, when slabs, which D2 and D5 do not have, paid from two on. LSTM D0, k-means 1024 and matmul are of text that was edited by hand to the tiles and slabs that are "
    "emitted since. k-means 5, scrna and LBM are from the beginning of that day.",
    "LSTM, LBM and the primal of k-means 5 are from before steps of loops had fewer kernels, products of eight steps at once, and states only where they are kept, and points "
    "of few sums their rows in shared memory. That was modelled, and not measured.",
    "RSBench's and XSBench's gradients are from before additions on one condition shared the lanes that make them together, and XSBench's primal from "
    "before elements that take long had a kernel of their own. RSBench's gradient took 708 ms before long kernels left room for two blocks on a multiprocessor.",
    "The PyTorch programs of GMM leave out the terms of the prior that do not depend on parameters, and those of k-means use products of matrices, which ours do not.",
    "cuDNN takes 4,602 and 16,213 us for the LSTMs where products may be rounded to TF32.",
    "Copies reached 4.3 TB/s; products on tensor cores 65 TFLOP/s as `mma.m16n8k4`, but 33 as `mma.m8n8k4`, which an H200 has too.",
    "A kernel that stores one element a thread moves 1.6 TB/s: an H200 needs some 160 clocks of a multiprocessor to start each block of 256 threads. The "
    "gradient of a sum, which is nothing else, takes 2.6 times its roofline for that reason. Since then threads stride "
    "over such elements (emit/plan/planner/light.hpp). The model has that as `block starts`.",
    "Kernels take about as long as their launch, their slowest resource and their latency together: so the model has it now. With the longest of these alone kernels of "
    "elements of GMM were two to four times as fast as measured, tiles 1.5 to 2 times.",
    "Additions that meet take longer than was assumed: 4 ns for each on the most popular address of sparse k-means, instead of 1, but 1.2 at most for each block of `hist +`, whose "
    "warps add to ten neighbours at a time. Both are 0.6 to 0.9 ns for each sector that a warp adds to in the 128 bytes around, which is what the model counts now.",
    "hist *, reduce *, reduce general, scan *, scatter and gather were not measured.",
    "CUB's scans move 2.4 TB/s, and with elements of two numbers 1.1; the model has both rates.",
]
