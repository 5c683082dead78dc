"""What the cases of scripts/goals took on an H200, 2026-11-27, by `scripts/goals --measure` and bench_peers/gpu_peer.py.

Microseconds of a call, the mean of at least ten that take 0.3 s together, after one that does not count. Kernels that only make data do
not count either. One is not of the same commit, as REMARKS say.
"""

# Of primal and gradient.
MEASURED = {
    "GMM f64 D0": (118, 327), "GMM f64 D1": (262, 797), "GMM f64 D2": (424, 1250), "GMM f64 D3": (133, 344), "GMM f64 D4": (276, 796),
    "GMM f64 D5": (1780, 5260), "GMM f32 D0": (146, 337), "GMM f32 D3": (170, 366),
    "LSTM D0": (1270, 3980), "LSTM D1": (14_130, 51_380),
    "k-means 5, 494019, 35": (61.7, 144), "k-means 1024, 10000, 256": (511, 516),
    "sparse k-means movielens": (882, 4180), "sparse k-means nytimes": (1739, 10_063), "sparse k-means scrna": (3215, 14_574),
    "LBM": (2170, 8450), "RSBench": (74_300, 470_390), "XSBench": (7770, 47_000),
    "hist +, 10 bins": (633, 440), "hist min, 10 bins": (694, 1700), "hist *, 10 bins": (2380, 8260), "hist general, 10 bins": (3310, 8290),
    "hist general, 10^6 bins": (2591, 12_830),
    "reduce +": (103, 118), "reduce *": (104, 408), "reduce min": (106, 243), "reduce general": (232, 418),
    "scan +": (322, 322), "scan *": (324, 1610), "scan linear recurrence": (1090, 2510),
    "scatter": (1860, 4780), "gather": (2310, 4970),
    "matmul 4096 x 768 x 768": (186, 402),
}

# Gradients by others, on GPUs of the same kind: PyTorch 2.11 eagerly, JAX 0.11 compiled, and PyTorch's LSTM by cuDNN, without TF32.
PEERS = {
    "GMM f64 D0": {"PyTorch": 2070, "JAX": 654}, "GMM f64 D1": {"PyTorch": 2392, "JAX": 1261}, "GMM f64 D2": {"PyTorch": 3514, "JAX": 2021},
    "GMM f64 D3": {"PyTorch": 2187, "JAX": 805}, "GMM f64 D4": {"PyTorch": 2559, "JAX": 1569}, "GMM f64 D5": {"PyTorch": 12_001, "JAX": 7960},
    "LSTM D0": {"PyTorch": 17_068, "JAX": 3207, "cuDNN": 5790}, "LSTM D1": {"PyTorch": 268_014, "JAX": 39_348, "cuDNN": 29_706},
    "k-means 5, 494019, 35": {"PyTorch": 1152, "JAX": 430}, "k-means 1024, 10000, 256": {"PyTorch": 1171, "JAX": 515},
}

REMARKS = [
    "All but `hist general, 10^6 bins`, which is from the day before, was measured at one commit, and JAX's gradients of GMM D0, D2 and D5, of the LSTM and of k-means beside it; "
    "JAX's others, PyTorch's and cuDNN's are from the day before. Of text that has not changed (scans, hist general, k-means 1024, matmul) figures of both days differ by 3 % at most. "
    "GMM D3 and D4 took 7 to 9 % less the day before, of text whose slabs were others; why was not found.",
    "LSTM: on two thirds to three quarters of their clocks schedulers issue in products of eight steps at once: of these instructions three in five are products with sums, the others mostly load operands and put "
    "them into shared memory. Products of one step do so on fewer, as 256 blocks of four warps wait for memory; sums over slabs, and of a step's elements, mostly wait for memory. Of other tiles none were faster at 300 steps: threads whose "
    "columns are neighbours (gradient 1 % slower), twice as many summands in shared memory (14 %), 8 x 8 results a thread (1 %), registers for five blocks instead of four (16 %).",
    "The PyTorch programs of GMM leave out the terms of the prior that do not depend on parameters, and those of k-means use products of matrices, which ours do not.",
    "cuDNN takes 4,602 and 16,213 us for the LSTMs where products may be rounded to TF32.",
    "Copies reached 4.3 TB/s; products on tensor cores 65 TFLOP/s as `mma.m16n8k4`, but 33 as `mma.m8n8k4`, which an H200 has too.",
    "A kernel that stores one element a thread moves 1.6 TB/s: an H200 needs some 160 clocks of a multiprocessor to start each block of 256 threads. The "
    "gradient of a sum, which is nothing else, took 247 us for that reason, and takes 118 since threads stride "
    "over such elements (emit/plan/planner/light.hpp). The model has that as `block starts`.",
    "Kernels take about as long as their launch, their slowest resource and their latency together: so the model has it now. With the longest of these alone kernels of "
    "elements of GMM were two to four times as fast as measured, tiles 1.5 to 2 times.",
    "Additions that meet take longer than was assumed: 4 ns for each on the most popular address of sparse k-means, instead of 1, but 1.2 at most for each block of `hist +`, whose "
    "warps add to ten neighbours at a time. Both are 0.6 to 0.9 ns for each sector that a warp adds to in the 128 bytes around, which is what the model counts now.",
    "Places at random in 200 MB take 88 ps each to read, 60 to write and 200 to add to, far from each other: memory serves 5 to 16 G of them a second, a half to a seventh of what their sectors of 64 bytes would allow.",
    "CUB's scans move 2.4 TB/s, and with elements of two numbers 1.1; the model has both rates.",
]
