"""Audits mechanisms and tools of IBM's diffprivlib from outside, as numbers and by the bits of doubles.

./dpverify python audits/black_box/example/audit_diffprivlib.py       where diffprivlib is installed
"""

import warnings

import numpy as np

import dpverify
from diffprivlib import mechanisms, tools

EPSILON = 1.0
FAULT = 1.3
SEED = 7
ZEROS = np.zeros(10)
ONE = np.array([0.0] * 9 + [1.0])  # a record replaced


def of_value(name, epsilon=EPSILON, delta=0.0, kind=float, **bounds):
    """A mechanism that randomises one value: 0 or 1."""
    guarantee = {key: value for key, value in (("epsilon", epsilon), ("delta", delta)) if value > 0}

    def run(value):
        mechanism = getattr(mechanisms, name)(sensitivity=kind(1), **guarantee, **bounds)
        return mechanism.randomise(value)

    return name, run, kind(0), kind(1), epsilon, delta


def of_utility(name):
    """The choice of one of three candidates by their utilities."""
    def run(value):
        return float(getattr(mechanisms, name)(
            epsilon=EPSILON, sensitivity=1.0, utility=[value, 1 - value, 0.0],
            candidates=["0", "1", "2"]).randomise())

    return name, run, 0.0, 1.0, EPSILON, 0.0


def of_records(name, *given, **settings):
    def run(records):
        found = getattr(tools, name)(records, *given, epsilon=EPSILON, **settings)
        return np.asarray(found[0] if isinstance(found, tuple) else found, dtype=float)

    return "tools." + name, run, ZEROS, ONE, EPSILON, 0.0


def binary(value):
    return float(mechanisms.Binary(epsilon=EPSILON, value0="0", value1="1").randomise(
        str(int(value))))


UNIT = {"lower": 0, "upper": 1}
CASES = [
    of_value("Laplace"),
    of_value("LaplaceTruncated", **UNIT),
    of_value("LaplaceFolded", **UNIT),
    of_value("LaplaceBoundedDomain", **UNIT),
    of_value("LaplaceBoundedNoise", delta=0.01),
    of_value("Gaussian", delta=1e-3),
    of_value("GaussianAnalytic", delta=1e-3),
    of_value("GaussianDiscrete", delta=1e-3, kind=int),
    of_value("Geometric", kind=int),
    of_value("GeometricTruncated", kind=int, **UNIT),
    of_value("GeometricFolded", kind=int, **UNIT),
    of_value("Staircase"),
    of_value("Snapping", **UNIT),
    of_value("Uniform", epsilon=0.0, delta=0.1),
    ("Binary", binary, 0.0, 1.0, EPSILON, 0.0),
    of_utility("Exponential"),
    of_utility("PermuteAndFlip"),
    of_records("mean", bounds=(0, 1)),
    of_records("sum", bounds=(0, 1)),
    of_records("var", bounds=(0, 1)),
    of_records("count_nonzero"),
    of_records("median", bounds=(0, 1)),
    of_records("quantile", 0.9, bounds=(0, 1)),
    of_records("histogram", bins=2, range=(0, 1)),
]


def found(run, data, neighbour, epsilon, delta, bits):
    report = dpverify.audit(run, data, neighbour, epsilon, delta, bits=bits, fault=FAULT, seed=SEED)
    evidence = report.to_dict()["evidence"][0]
    runs = next(m["value"] for m in evidence["measurements"] if m["key"] == "runs_a_dataset")
    return f"{evidence['verdict']}, {int(runs):,}"


def main():
    warnings.simplefilter("ignore")  # tools warn of bounds that they were not given
    print("| mechanism | as numbers | by bits |\n|---|---|---|")
    for name, *case in CASES:
        cells = [found(*case, bits) for bits in (False, True)]
        print(f"| {name} |", " | ".join(cells), "|", flush=True)


if __name__ == "__main__":
    main()
