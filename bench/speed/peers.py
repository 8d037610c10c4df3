#!/usr/bin/env python3
"""The same kernels in numpy, for `./dpverify bench --peers FILE`: python3 bench/speed/peers.py >FILE"""

import json
import os
import tempfile
import time

os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"
import numpy as np

random = np.random.default_rng(20240229)


def heavy(*shape):
    return random.standard_normal(shape) / random.random(shape) ** 0.4


def median_of_means(values, blocks=200):
    size = len(values) // blocks
    means = values[: size * blocks].reshape(blocks, size, -1).mean(axis=1)
    return np.partition(means, blocks // 2 - 1, axis=0)[blocks // 2 - 1]


def peeling(values, sparsity=40, scale=1e-3):
    left, out = np.abs(values), np.zeros_like(values)
    for _ in range(sparsity):
        chosen = np.argmax(left + random.laplace(0, scale, len(left)))
        left[chosen] = -np.inf
        out[chosen] = values[chosen] + random.laplace(0, scale)
    return out


def read_csv(cells):
    with tempfile.NamedTemporaryFile("w+") as file:
        np.savetxt(file, heavy(cells // 10, 10), delimiter=",", fmt="%.17g")
        file.flush()
        return least(lambda: np.loadtxt(file.name, delimiter=","))


def least(work):
    work()
    times = []
    while len(times) < 3 or sum(times) < 0.5:
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def times():
    for size in (1_000, 100_000):
        yield "draw_Laplace", size, least(lambda: np.abs(random.laplace(size=size)).mean())
        yield "draw_normal", size, least(lambda: np.abs(random.standard_normal(size)).mean())
        yield "draw_gamma", size, least(lambda: random.standard_gamma(2.5, size).mean())
    for size in (20_000, 200_000, 2_000_000):
        values = heavy(size // 100, 100)
        yield "median_of_means", size, least(lambda: median_of_means(values))
    for size in (1_000, 10_000, 100_000):
        values = heavy(size)
        yield "peeling", size, least(lambda: peeling(values))
    for size in (10_000, 100_000, 1_000_000):
        yield "read_csv", size, read_csv(size)


kernels = {}
for name, size, seconds in times():
    kernels.setdefault(name, []).append({"size": size, "seconds": seconds})
print(json.dumps({"kernels": [{"name": name, "times": all_sizes} for name, all_sizes in kernels.items()]}, indent=1))
