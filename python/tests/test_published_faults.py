"""The faults of docs/published-audits.md: what is said of them is true, and both ways find them.

./dpverify python -m unittest discover python/tests
"""

import dataclasses
import math
import os
import subprocess
import sys
import unittest

import numpy as np

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
EXAMPLE = os.path.join(ROOT, "audits", "black_box", "example")
PROGRAM = os.path.join(ROOT, "dpverify")
sys.path.insert(0, EXAMPLE)

import audit_published_faults as audits  # noqa: E402
from published_faults import FAULTS, GRADIENT_NOISE  # noqa: E402


class PublishedFaults(unittest.TestCase):
    def test_both_ways_refute_them(self):
        """But for those whose best events are too rare at a claim of 0.1."""
        rare = ("noisy maximum", "sparse vector")
        faults = [fault for fault in FAULTS
                  if fault.epsilon > 0.1 or not fault.name.startswith(rare)]
        self.assertEqual(len(faults), 8)
        for fault in faults:
            with self.subTest(f"{fault.name}, {fault.epsilon}"):
                row = audits.measure(fault, PROGRAM, twins=1, outputs=[20_000])
                for found in (row.looking_on, *row.files):
                    self.assertEqual(found.verdict, "refuted")
                    self.assertGreater(found.bound, fault.epsilon)
                    self.assertLess(found.bound, fault.true)
                self.assertEqual((row.twins, row.twins_refuted), (1, 0))

    def test_twins_are_counted(self):
        fault = next(fault for fault in FAULTS if fault.name == "histogram")
        swapped = dataclasses.replace(fault, twin=fault.broken)
        self.assertEqual(audits.measure(swapped, PROGRAM, 3, [1000]).twins_refuted, 3)

    def test_page(self):
        with open(os.path.join(ROOT, "docs", "published-audits.md"), encoding="utf-8") as file:
            page = file.read()
        self.assertTrue(page.startswith(audits.HEAD))
        self.assertTrue(page.endswith(audits.EXPLAINED))
        for fault in FAULTS:
            self.assertEqual(page.count(audits.known_cells(fault) + " | "), 1, fault.name)

    def test_command_line(self):
        script = os.path.join(EXAMPLE, "audit_published_faults.py")
        for words, what in ((["--only", "nothing"], "--only is 'nothing', but must be like one of"),
                            (["--outputs", "3"], "--outputs must be at least 100 each")):
            run = subprocess.run([sys.executable, script, *words], capture_output=True, text=True)
            self.assertEqual(run.returncode, 2)
            self.assertIn(what, run.stderr)

    def test_true_values(self):
        for fault in FAULTS:
            with self.subTest(f"{fault.name}, {fault.epsilon}"):
                if fault.name.startswith("sparse vector"):
                    self.assertAlmostEqual(true_of_sparse_vector(fault), fault.true, delta=6e-5)
                elif fault.name == "noisy maximum, laplace noise":  # five lower tails
                    self.assertAlmostEqual(5 * fault.epsilon / 2, fault.true)
                elif fault.name == "histogram":
                    self.assertAlmostEqual(1 / fault.epsilon, fault.true)
                elif fault.name.startswith("gradients"):
                    self.assertLess(gaussian_delta(2 / 16 / GRADIENT_NOISE, fault.epsilon), 1e-5)
                    self.assertGreater(gaussian_delta(2 / GRADIENT_NOISE, fault.true), 1e-5)
                    self.assertLess(gaussian_delta(2 / GRADIENT_NOISE, fault.true + 0.01), 1e-5)
                else:
                    self.assertEqual(fault.true, math.inf)


def gaussian_delta(shift, epsilon):
    """Of N(shift, 1) against N(0, 1)."""
    def tail(x):
        return math.erfc(x / math.sqrt(2)) / 2
    return tail(epsilon / shift - shift / 2) - math.exp(epsilon) * tail(epsilon / shift + shift / 2)


def true_of_sparse_vector(fault):
    """The largest log ratio of two probabilities, by integration over the noisy threshold."""
    threshold = 1.0 if fault.data.shape[1] == 10 else 0.0
    cutoff = {"no cutoff": math.inf, "cutoff 1": 1, "cutoff 3": 3}[fault.name.split(", ")[1]]
    scales = (2, 2) if cutoff == math.inf else (4, 4 / 3)
    first, second = (pattern_probabilities(data.sum(axis=0), threshold,
                                           *(scale / fault.epsilon for scale in scales), cutoff)
                     for data in (fault.data, fault.neighbour))
    return np.abs(np.log(first / second)).max()


def pattern_probabilities(queries, threshold, threshold_scale, query_scale, cutoff):
    ends = np.unique(np.concatenate([
        queries, [threshold], threshold + threshold_scale * np.linspace(-40, 40, 161)]))
    nodes, weights = np.polynomial.legendre.leggauss(30)
    half = np.diff(ends)[:, None] / 2
    at = (ends[:-1, None] + half + half * nodes).ravel()
    density = np.exp(-np.abs(at - threshold) / threshold_scale) / (2 * threshold_scale)
    parts = [((half * weights).ravel() * density, 0)]  # of each pattern so far, and its ones
    for query in queries:
        z = (query - at) / query_scale
        above = np.where(z < 0, np.exp(np.minimum(z, 0)) / 2, 1 - np.exp(-np.maximum(z, 0)) / 2)
        parts = [branch for part, ones in parts for branch in (
            [(part, ones)] if ones >= cutoff
            else [(part * (1 - above), ones), (part * above, ones + 1)])]
    return np.array([part.sum() for part, _ in parts])


if __name__ == "__main__":
    unittest.main()
