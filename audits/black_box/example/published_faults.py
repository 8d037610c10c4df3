"""Faults on which published auditors were tried, as ordinary functions with noise of numpy's own.

Each is a function of a dataset (an array with the records as rows) and of a generator, and stands
beside its correct twin. FAULTS lists them with the claim, two neighbouring datasets, what published
auditors showed and what is true. audit_published_faults.py audits them.
"""

import math
from dataclasses import dataclass
from typing import Any, Callable

import numpy as np

Mechanism = Callable[[np.ndarray, np.random.Generator], Any]


@dataclass(frozen=True)
class Fault:
    name: str
    what: str             # is wrong
    published: str        # lower bounds on epsilon that other auditors showed; empty: none
    true: float           # epsilon on the two datasets, at delta
    data: np.ndarray
    neighbour: np.ndarray
    broken: Mechanism
    twin: Mechanism
    epsilon: float        # claimed
    delta: float = 0.0
    bits: bool = False    # the outputs are looked at bit by bit


def maximum(noise: str, epsilon: float) -> Mechanism:
    """The largest noisy count itself, where its index would be epsilon-DP."""
    def mechanism(data, rng):
        return (data.sum(axis=0) + getattr(rng, noise)(scale=2 / epsilon, size=data.shape[1])).max()
    return mechanism


def index_then_value(noise: str, epsilon: float) -> Mechanism:
    """Half of the budget for the index of the largest noisy count, half for that count."""
    def mechanism(data, rng):
        counts = data.sum(axis=0)
        best = np.argmax(counts + getattr(rng, noise)(scale=4 / epsilon, size=len(counts)))
        return counts[best] + rng.laplace(scale=2 / epsilon)
    return mechanism


def histogram(scale: float) -> Mechanism:
    """Each record is in one bin; neighbours have one record more or less."""
    def mechanism(data, rng):
        return data.sum(axis=0) + rng.laplace(scale=scale, size=data.shape[1])
    return mechanism


def laplace_by_inversion(scale: float) -> Mechanism:
    """Which doubles can come out depends on the sum."""
    def mechanism(data, rng):
        u = rng.random()
        noise = math.log(2 * u) if 0 < u < 0.5 else -math.log(2 * (1 - u))
        return data.clip(0, 1).sum() + scale * noise
    return mechanism


def laplace_on_a_grid(scale: float, step: float = 2.0**-10) -> Mechanism:
    """The same, rounded to a grid that does not depend on the data."""
    exact = laplace_by_inversion(scale)

    def mechanism(data, rng):
        return round(exact(data, rng) / step) * step
    return mechanism


def sparse_vector(threshold: float, threshold_scale: float, query_scale: float,
                  cutoff: float) -> Mechanism:
    """Which queries, the sums of the columns, are above the threshold; none after the cutoff."""
    def mechanism(data, rng):
        queries = data.sum(axis=0)
        noisy_threshold = threshold + rng.laplace(scale=threshold_scale)
        above = queries + rng.laplace(scale=query_scale, size=len(queries)) >= noisy_threshold
        return above & (above.cumsum() <= cutoff)
    return mechanism


def correct_sparse_vector(threshold: float, epsilon: float, cutoff: float) -> Mechanism:
    return sparse_vector(threshold, 2 / epsilon, 4 * cutoff / epsilon, cutoff)


def gradient_step(standard_deviation: float, clip_each: bool) -> Mechanism:
    """A batch of gradients, clipped to [-1, 1] before the mean or, wrongly, after it."""
    def mechanism(data, rng):
        mean = data.clip(-1, 1).mean() if clip_each else np.clip(data.mean(), -1, 1)
        return mean + rng.normal(scale=standard_deviation)
    return mechanism


def seeded_with_one_byte(data: np.ndarray, rng: np.random.Generator) -> float:
    noise = np.random.default_rng(int(rng.integers(256)))
    return data.clip(0, 1).sum() + noise.laplace()


def laplace_sum(data: np.ndarray, rng: np.random.Generator) -> float:
    return data.clip(0, 1).sum() + rng.laplace()


def record(*entries: float) -> np.ndarray:
    return np.array([entries])


# The mean of 16 gradients clipped to [-1, 1] moves by 2/16; with this noise it is (0.21, 1e-5)-DP.
GRADIENT_NOISE = 2 / 16 / 0.06414


def outlier(gradient: float) -> np.ndarray:
    return np.array([0.0] * 15 + [gradient])


def noisy_maximum(noise: str, epsilon: float, published: str, true: float) -> Fault:
    return Fault(f"noisy maximum, {noise} noise", "shows the largest noisy count, not its index",
                 published, true, record(0, 0, 0, 0, 0), record(1, 1, 1, 1, 1),
                 maximum(noise, epsilon), index_then_value(noise, epsilon), epsilon)


def no_cutoff(epsilon: float, data: np.ndarray, neighbour: np.ndarray, threshold: float,
              published: str, true: float) -> Fault:
    return Fault("sparse vector, no cutoff", "answers every query, however many are above",
                 published, true, data, neighbour,
                 sparse_vector(threshold, 2 / epsilon, 2 / epsilon, math.inf),
                 correct_sparse_vector(threshold, epsilon, data.shape[1]), epsilon)


def noise_without_cutoff(epsilon: float, cutoff: int, data: np.ndarray, neighbour: np.ndarray,
                         threshold: float, published: str, true: float) -> Fault:
    return Fault(f"sparse vector, cutoff {cutoff}", "the noise does not grow with the cutoff",
                 published, true, data, neighbour,
                 sparse_vector(threshold, 4 / epsilon, 4 / (3 * epsilon), cutoff),
                 correct_sparse_vector(threshold, epsilon, cutoff), epsilon)


HALF_RISE = record(0, 0, 0, 1, 1, 1), record(1, 1, 1, 0, 0, 0)

FAULTS = (
    noisy_maximum("exponential", 0.1, "0.353; 0.199", math.inf),
    noisy_maximum("exponential", 1, "", math.inf),
    noisy_maximum("laplace", 0.1, "0.249; 0.199", 0.25),
    noisy_maximum("laplace", 1, "", 2.5),
    Fault("histogram", "noise of scale epsilon, not 1/epsilon", "4.60; 10.0", 10,
          np.array([[0, 1, 0], [1, 0, 0]]), record(0, 1, 0), histogram(0.1), histogram(10), 0.1),
    Fault("Laplace noise in doubles", "the doubles that can come out depend on the sum",
          "0.252", math.inf, record(0), record(1),
          laplace_by_inversion(10), laplace_on_a_grid(10), 0.1, bits=True),
    no_cutoff(0.1, record(1, 1, 1, 1, 1, 0, 0, 0, 0, 0), record(0, 0, 0, 0, 0, 1, 1, 1, 1, 1), 1,
              "0.272; 0.322", 0.41448),
    no_cutoff(1, *HALF_RISE, 0, "", 2.34912),
    noise_without_cutoff(0.1, 1, record(1, 1, 1, 1, 1, 1, 1, 1, 1, 1),
                         record(2, 2, 2, 2, 2, 0, 0, 0, 0, 0), 1, "0.170; 0.172", 0.17247),
    noise_without_cutoff(1, 3, *HALF_RISE, 0, "", 3.38919),
    Fault("gradients clipped after the mean", "one of 16 gradients moves the mean by 2, not by 1/8",
          "2.79", 4.51, outlier(-1e3), outlier(1e3),
          gradient_step(GRADIENT_NOISE, False), gradient_step(GRADIENT_NOISE, True), 0.21, 1e-5),
    Fault("one-byte seed", "the noise is one of 256 values", "40 runs", math.inf,
          record(0), record(1), seeded_with_one_byte, laplace_sum, 1),
)
