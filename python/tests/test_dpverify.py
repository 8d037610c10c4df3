"""Tests of the module dpverify: mechanisms of every kind with their broken twins, and bad input.

./dpverify python -m unittest discover python/tests
"""

import ast
import inspect
import json
import os
import signal
import subprocess
import sys
import threading
import time
import unittest

import numpy as np

import dpverify
from dpverify import _core

SEEDS = range(20)  # a true claim is refuted in none of them
ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))


# ---- Mechanisms that draw their noise by releases, each with its broken twins.

def mean(data, releases, noise=1.0, declared=2.0):
    sensitivity = declared / len(data)
    return releases.laplace(data.clip(-1, 1).mean(axis=0), sensitivity, noise * 2 / len(data))


def half_the_noise(data, releases):
    return mean(data, releases, noise=0.5)


def sensitivity_too_small(data, releases):
    return mean(data, releases, declared=1.0)


def beside_the_releases(data, releases):
    return mean(data, releases), float(data.max() > 0.5)


def choice(data, releases):
    votes = np.array([(data[:, 0] < 0.5).sum(), (data[:, 0] >= 0.5).sum()], dtype=float)
    return ["no", "yes"][releases.select(votes, sensitivity=1, epsilon=1)]


def choice_for_half_the_price(data, releases):
    votes = np.array([(data[:, 0] < 0.5).sum(), (data[:, 0] >= 0.5).sum()], dtype=float)
    return ["no", "yes"][releases.select(votes, sensitivity=0.5, epsilon=1)]


def fails_on_negative_sums(data, releases):
    noisy = mean(data, releases)
    if data.sum() < 0:
        raise ArithmeticError(f"sum is {data.sum()}")
    return noisy


def fails_on_negative_noise(data, releases):
    noisy = mean(data, releases)
    if noisy[0] < -0.1:
        raise ArithmeticError("negative")
    return noisy


def mean_of_users(data, releases, rows_charged=3):
    sensitivity = 2 * rows_charged / len(data)  # the rows of a user, each in [-1, 1], move it
    return releases.laplace(data.clip(-1, 1).mean(axis=0), sensitivity, scale=sensitivity)


# ---- Functions with noise of their own.

class NoisySum:
    """A sum of numbers clipped to [0, 1] with Laplace noise of its own."""

    def __init__(self, seed, scale=1.0, fails=lambda data: False):
        self.rng = np.random.default_rng(seed)
        self.scale = scale
        self.fails = fails

    def __call__(self, data):
        if self.fails(data):
            raise KeyError("no such record")
        return data.clip(0, 1).sum() + self.rng.laplace(scale=self.scale)


DATA, NEIGHBOUR = np.array([1.0, 0, 1, 0]), np.array([1.0, 0, 1, 5])


def audit(function, seed=1, **options):
    return dpverify.audit(function, DATA, NEIGHBOUR, 1.0, bits=False, seed=seed, **options)


class Checks(unittest.TestCase):
    def assert_refuted(self, check):
        start = time.monotonic()
        result = check()
        self.assertEqual(result.verdict, "refuted", str(result))
        self.assertLess(time.monotonic() - start, 60)
        return result

    def test_right_mechanisms_are_certified(self):
        for mechanism in (mean, choice):
            with self.subTest(mechanism.__name__):
                result = dpverify.check(mechanism, 1.0)
                self.assertEqual(result.verdict, "consistent", str(result))
                self.assertEqual(result.privacy.strength, "certified")
                self.assertGreater(result.privacy.estimate, 0.98)
                self.assertLess(result.privacy.estimate, 1 + 1e-9)
                self.assertEqual(result.privacy.claimed, 1.0)

    def test_right_mechanisms_are_never_refuted(self):
        for seed in SEEDS:
            for mechanism in (mean, choice):
                result = dpverify.check(mechanism, 1.0, records=4, seed=seed)
                self.assertEqual(result.verdict, "consistent", str(result))

    def test_half_the_noise(self):
        result = self.assert_refuted(lambda: dpverify.check(half_the_noise, 1.0))
        self.assertEqual(result.sensitivity.verdict, "consistent")
        self.assertAlmostEqual(result.privacy.estimate, 2.0, places=6)
        self.assertEqual(result.privacy.data.shape, (10, 1))
        differ = (result.privacy.data != result.privacy.neighbour).any(axis=1)
        self.assertEqual(differ.sum(), 1)

    def test_sensitivity_too_small(self):
        result = self.assert_refuted(lambda: dpverify.check(sensitivity_too_small, 1.0))
        self.assertEqual(result.sensitivity.verdict, "refuted")
        self.assertAlmostEqual(result.sensitivity.estimate, 2.0, places=6)
        self.assert_refuted(lambda: dpverify.check(choice_for_half_the_price, 1.0))

    def test_data_beside_the_releases(self):
        result = self.assert_refuted(lambda: dpverify.check(beside_the_releases, 1.0))
        self.assertIn("final output still differs", result.sensitivity.reason)

    def test_exceptions_that_depend_on_the_data(self):
        result = self.assert_refuted(lambda: dpverify.check(fails_on_negative_sums, 1.0))
        self.assertIn("raises ArithmeticError (sum is -", result.privacy.reason)
        self.assertIn("fails_on_negative_sums", result.exceptions[0])  # the traceback
        self.assertIn("raise ArithmeticError", str(result))

    def test_exceptions_that_do_not(self):
        with self.assertRaisesRegex(dpverify.MechanismError, "ArithmeticError") as caught:
            dpverify.check(fails_on_negative_noise, 1.0)
        self.assertIsInstance(caught.exception.__cause__, ArithmeticError)
        with self.assertRaisesRegex(dpverify.MechanismError, "nothing to check"):
            dpverify.check(lambda data, releases: data.no_such_thing, 1.0)
        with self.assertRaisesRegex(dpverify.MechanismError, "scale is -1"):
            dpverify.check(lambda data, releases: releases.laplace(0, 1, -1), 1.0)

    def test_noise_outside_the_releases_is_left_to_outputs(self):
        rng = np.random.default_rng(3)

        def mechanism(data, releases):
            return data.clip(-1, 1).mean() + rng.laplace(scale=0.05)

        result = self.assert_refuted(lambda: dpverify.check(mechanism, 1.0))
        self.assertEqual(result.sensitivity.verdict, "inconclusive")

    def test_no_release_can_be_kept(self):
        kept = []

        def mechanism(data, releases):
            kept.append(releases)
            return mean(data, kept[0])

        self.assertIn("of no use after", str(dpverify.check(mechanism, 1.0)))

    def test_runs_end_at_a_release_whatever_the_mechanism_catches(self):
        def mechanism(data, releases):
            try:
                noisy = releases.laplace(data.clip(-1, 1).sum(), 2, 2)
                if data[0, 0] > 0:  # a second release on some datasets only
                    noisy += releases.laplace(0, 0, 1)
                return noisy
            except:  # noqa
                return 0.0

        result = dpverify.check(mechanism, 1.0)
        self.assertIn("one of them only", result.sensitivity.reason)

    def test_domain(self):
        seen = []

        def mechanism(data, releases):
            seen.append(data)
            return releases.laplace(data.sum(axis=0), [1, 10][data.shape[1] - 1], 1)

        self.assertEqual(dpverify.check(mechanism, 1.0, low=0, high=1).verdict, "consistent")
        self.assertTrue(all(data.shape == (10, 1) and (0 <= data).all() and (data <= 1).all()
                            for data in seen))
        self.assertEqual(dpverify.check(mechanism, low=0, high=1.1).verdict, "refuted")
        self.assertEqual(dpverify.check(mechanism, columns=2, low=[0, -4], high=[1, 5]).verdict,
                         "consistent")
        self.assertEqual(dpverify.check(mechanism, columns=2, low=[0, -4], high=[1, 6]).verdict,
                         "refuted")
        seen.clear()
        dpverify.check(mechanism, low=0, high=7, integers=True, records=3)
        self.assertTrue(all((data == data.round()).all() for data in seen))
        self.assertTrue(any((data == 7).any() for data in seen))
        # A range beyond the values that are searched.
        wide = dpverify.check(lambda data, releases: releases.laplace(data.sum(), 1e12, 1e12), 1.0,
                              low=0, high=1e12)
        self.assertAlmostEqual(wide.sensitivity.estimate, 1.0, places=6)

    def test_a_mechanism_may_write_to_its_data(self):
        def mechanism(data, releases):
            np.clip(data, -1, 1, out=data)
            return releases.laplace(data.sum(), 2, 2)

        self.assertEqual(dpverify.check(mechanism, 1.0).verdict, "consistent")

    def test_a_given_pair(self):
        def sum_(data, releases):
            return releases.gaussian(data.sum(axis=0), 1, 2)

        data = np.zeros((5, 2))
        neighbour = data.copy()
        neighbour[3] = 0.6, 0.8
        result = dpverify.check(sum_, 2.0, 1e-3, pair=(data, neighbour))
        self.assertEqual(result.verdict, "consistent", str(result))
        self.assertIsNone(result.sensitivity)
        neighbour[3] = 6, 8
        self.assertEqual(dpverify.check(sum_, 2.0, 1e-3, pair=(data, neighbour)).verdict, "refuted")
        shorter = dpverify.check(sum_, 2.0, 1e-3, pair=(neighbour, data[:4]))
        self.assertEqual(shorter.verdict, "refuted")

    def test_users_of_several_rows(self):
        def charged_for_one_row(data, releases):
            return mean_of_users(data, releases, rows_charged=1)

        self.assertEqual(dpverify.check(charged_for_one_row, 1.0, records=6).verdict, "consistent")
        result = self.assert_refuted(
            lambda: dpverify.check(charged_for_one_row, 1.0, records=6, rows_per_user=3))
        self.assertAlmostEqual(result.privacy.estimate, 3.0, places=6)
        self.assertAlmostEqual(result.sensitivity.estimate, 3.0, places=6)
        for found in result.evidence:
            self.assertEqual(found.data.shape, (18, 1))
            differ = (found.data != found.neighbour).any(axis=1).reshape(6, 3)
            self.assertEqual(differ.any(axis=1).sum(), 1)
        self.assertEqual(differ.sum(), 3)  # the worst pair
        self.assertRegex(str(result), r"user \d: \[\[\S+\], \[\S+\], \[\S+\]\] becomes \[\[")
        self.assertIn("rows_per_user=3", result.to_dict()["evidence"][0]["reproduce"])
        self.assertIn("6 users of 3 rows each", result.privacy.statement)
        result = dpverify.check(mean_of_users, 1.0, records=6, rows_per_user=3)
        self.assertEqual((result.verdict, result.privacy.strength), ("consistent", "certified"))

    def test_users_see_the_range_of_each_column(self):
        seen = []

        def mechanism(data, releases):
            seen.append(data)
            return releases.laplace(data.sum(), 2 * (1 + 10), 1)

        result = dpverify.check(mechanism, records=4, columns=2, rows_per_user=2, low=[0, -4],
                                high=[1, 6], integers=True)
        self.assertAlmostEqual(result.sensitivity.estimate, 1.0, places=6)
        for data in seen:
            self.assertEqual(data.shape, (8, 2))
            self.assertTrue(((data >= [0, -4]) & (data <= [1, 6]) & (data == data.round())).all())

    def test_a_given_pair_of_users(self):
        data = np.zeros((6, 2))
        neighbour = data.copy()
        neighbour[3:] = 1, 0
        result = dpverify.check(mean_of_users, 0.4, pair=(data, neighbour), rows_per_user=3)
        self.assertEqual(result.verdict, "refuted", str(result))  # half of the range
        np.testing.assert_array_equal(result.privacy.neighbour, neighbour)
        result = dpverify.check(mean_of_users, 0.5, pair=(data, neighbour), rows_per_user=3)
        self.assertEqual(result.verdict, "consistent", str(result))
        result = dpverify.check(mean_of_users, 0.5, pair=(data, data[:3]), rows_per_user=3)
        self.assertIn("2 users, and 1", str(result))

    def test_every_law(self):
        def mechanism(data, releases):
            one = np.clip(data[:, 0], 0, 1).sum()
            scores = np.array([one, 0, 1])
            out = [releases.laplace(one, 1, 10), releases.gaussian(one, 1, 10),
                   releases.generalised_gaussian([one, 0.0], 1, 10, norm=3),
                   releases.select(scores, 1, 0.1), releases.permute_and_flip(scores, 1, 0.1),
                   releases.noisy_max(scores, 1, 20), releases.noisy_max(scores, 1, 20, "gumbel")]
            self.assertEqual(sorted(releases.permutation(3)), [0, 1, 2])
            self.assertIsInstance(out[0], float)
            self.assertIsInstance(out[3], int)
            self.assertEqual(releases.laplace(np.zeros((2, 3)), 0, 1).shape, (2, 3))
            return out

        result = dpverify.check(mechanism, records=3)
        self.assertEqual(result.verdict, "consistent", str(result))
        self.assertIsNone(result.privacy)

    def test_equal_seeds_give_equal_results(self):
        first, second = (dpverify.check(half_the_noise, 1.0, seed=5).to_dict() for _ in range(2))
        self.assertEqual(first, second)

    def test_bad_input(self):
        for options, what in (({"epsilon": 0}, "epsilon is 0, but must be positive"),
                              ({"epsilon": np.inf}, "epsilon is inf"),
                              ({"epsilon": np.nan}, "epsilon is nan"),
                              ({"epsilon": None, "delta": 0.1}, "epsilon is missing"),
                              ({"delta": 1}, r"delta is 1, but must be in \[0, 1\)"),
                              ({"records": 0}, "records is 0"),
                              ({"columns": 0}, "columns is 0"),
                              ({"columns": 1.5}, "columns is 1.5, but must be a whole number"),
                              ({"rows_per_user": 0}, "rows_per_user is 0, but must be a whole"),
                              ({"rows_per_user": "3"}, "rows_per_user is '3', but must be a whole"),
                              ({"rows_per_user": 10 ** 7}, "is 100000000, but must be at most"),
                              ({"pair": (np.zeros((4, 1)), np.ones((4, 1))), "rows_per_user": 3},
                               r"pair is 4, but must be a multiple of rows_per_user \(3\)"),
                              ({"pair": (np.zeros((4, 1)), np.ones((4, 1))), "rows_per_user": 2},
                               "more than one record.*all 2 rows of a user, adjacent"),
                              ({"low": 1, "high": 0}, r"low is 1, but must be below high \(0\)"),
                              ({"low": [1, 2]}, "low has 2 numbers"),
                              ({"low": 0.5, "integers": True}, "whole number"),
                              ({"plan": "long"}, "plan is 'long'"),
                              ({"significance": 0}, "significance is 0"),
                              ({"pair": (DATA,)}, "pair is"),
                              ({"pair": (DATA, NEIGHBOUR)}, "array of records"),
                              ({"pair": (np.zeros((2, 1)),) * 2}, "the same"),
                              ({"pair": (np.zeros((2, 1)), np.ones((2, 1)))}, "more than one"),
                              ({"pair": (np.zeros((2, 1)), np.ones((2, 1))), "records": 2},
                               "records does not apply")):
            with self.subTest(str(options)), self.assertRaisesRegex(ValueError, what):
                dpverify.check(mean, **{"epsilon": 1.0, **options})
        with self.assertRaises(TypeError):
            dpverify.check("mean", 1.0)
        with self.assertRaisesRegex(dpverify.MechanismError, "must be made of numbers"):
            dpverify.check(lambda data, releases: object(), 1.0)


class Audits(unittest.TestCase):
    def test_right_functions_are_never_refuted(self):
        for seed in SEEDS:
            result = audit(NoisySum(seed), seed)
            self.assertEqual(result.verdict, "consistent", str(result))
            self.assertEqual(result.privacy.strength, "sampled")

    def test_a_quarter_of_the_noise(self):
        result = audit(NoisySum(1, scale=0.25))
        self.assertEqual(result.verdict, "refuted", str(result))
        self.assertGreater(result.privacy.estimate, 1)

    def test_bits_of_floating_point_noise(self):
        """Noise around 0 has lower bits than any number near 1 (Mironov, 2012)."""
        zero, one = np.zeros(4), np.array([0, 0, 0, 1.0])
        result = dpverify.audit(NoisySum(1), zero, one, 1.0)
        self.assertEqual(result.verdict, "refuted", str(result))
        self.assertIn("bits=False leaves them out", result.privacy.reason)
        self.assertEqual(dpverify.audit(NoisySum(1), zero, one, 1.0, bits=False).verdict,
                         "consistent")
        rounded = NoisySum(1)
        result = dpverify.audit(lambda data: round(rounded(data), 3), zero, one, 1.0)
        self.assertEqual(result.verdict, "consistent")
        self.assertIn("compared as numbers", result.privacy.reason)

    def test_exceptions_that_depend_on_the_data(self):
        function = NoisySum(1, fails=lambda data: data.max() > 1)
        result = audit(function)
        self.assertEqual(result.verdict, "refuted")
        self.assertIn("raises KeyError", result.privacy.reason)
        self.assertIn("no such record", result.exceptions[0])

    def test_exceptions_that_do_not(self):
        rng = np.random.default_rng(2)
        with self.assertRaisesRegex(dpverify.MechanismError, "times raises KeyError") as caught:
            audit(NoisySum(1, fails=lambda data: rng.random() < 0.1))
        self.assertIsInstance(caught.exception.__cause__, KeyError)
        with self.assertRaisesRegex(dpverify.MechanismError, "nothing to check"):
            audit(NoisySum(1, fails=lambda data: True))

    def test_data_are_not_copied_and_not_written_to(self):
        data, neighbour = {"a": 1}, {"a": 2}
        seen = set()

        def function(given):
            seen.add(id(given))
            return np.random.default_rng().random()

        dpverify.audit(function, data, neighbour, 1.0, bits=False)
        self.assertEqual(seen, {id(data), id(neighbour)})

        def writes(given):
            given[0] = 7

        with self.assertRaisesRegex(dpverify.MechanismError, "ValueError"):
            audit(writes)
        shares = []
        audit(lambda given: shares.append(np.shares_memory(given, DATA)) or rng_number())
        self.assertTrue(shares[0])

    def test_outputs_of_every_kind(self):
        """What tells the datasets apart refutes, whatever it is; what does not, does not."""
        big = 2 ** 63
        for first, second in (("yes", "no"), (None, 0), (b"x", b"y"), (float("nan"), 0.0),
                              (np.inf, -np.inf), ([], [0]), ([1, 2], [1, 2, 3]),
                              ({"a": 1}, {"b": 1}), ([[1], 2], [1, [2]]), (big, big + 1),
                              (np.array([big], "uint64"), np.array([big + 1], "uint64")),
                              (np.zeros((2, 3)), np.zeros((3, 2))), (1 + 2j, 1 - 2j),
                              (np.array(["a"]), np.array(["b"])), (10 ** 400, 10 ** 400 + 1)):
            with self.subTest(f"{first} {second}"):
                apart = audit(lambda data: first if data[3] == 0 else second)
                self.assertEqual(apart.verdict, "refuted", str(apart))
                equal = audit(lambda data: first)
                self.assertEqual(equal.verdict, "consistent", str(equal))
        for first, second in ((1, True), (1, 1.0), ([1, 2], (1, 2)), ([1, 2], np.array([1, 2])),
                              (np.int64(3), 3.0), (np.array(2), 2)):
            with self.subTest(f"{first} {second}"):
                self.assertEqual(audit(lambda data: first if data[3] == 0 else second).verdict,
                                 "consistent")

    def test_runs_that_know_of_each_other_decide_nothing(self):
        walk = [0.0]

        def function(data):
            walk[0] += rng_number()
            return walk[0]

        self.assertEqual(audit(function).verdict, "inconclusive")

    def test_bad_input(self):
        for options, what in (({"epsilon": -1}, "epsilon is -1"), ({"epsilon": 0}, "epsilon is 0"),
                              ({"epsilon": np.nan}, "epsilon is nan"), ({"delta": 1}, "delta is 1"),
                              ({"fault": 1}, "fault is 1"), ({"most_runs": 20}, "most_runs is 20"),
                              ({"neighbour": DATA}, "neighbour is the same"),
                              ({"neighbour": DATA.copy()}, "neighbour is the same")):
            with self.subTest(str(options)), self.assertRaisesRegex(ValueError, what):
                dpverify.audit(NoisySum(1), **{"data": DATA, "neighbour": NEIGHBOUR,
                                               "epsilon": 1.0, **options})


RNG = np.random.default_rng(9)


def rng_number():
    return float(RNG.normal())


class Interpreter(unittest.TestCase):
    def test_other_threads_run(self):
        counts = [0]
        done = threading.Event()

        def count():
            while not done.is_set():
                counts[0] += 1
                time.sleep(0.001)

        thread = threading.Thread(target=count)
        thread.start()
        audit(NoisySum(1))
        done.set()
        thread.join()
        self.assertGreater(counts[0], 5)

    def test_checks_in_threads(self):
        results = []
        threads = [threading.Thread(target=lambda: results.append(
            dpverify.check(half_the_noise, 1.0, records=3).verdict)) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(results, ["refuted"] * 3)

    def test_interrupts(self):
        calls = [0]

        def mechanism(data, releases):
            calls[0] += 1
            if calls[0] == 100:
                os.kill(os.getpid(), signal.SIGINT)
            return mean(data, releases)

        with self.assertRaises(KeyboardInterrupt):
            dpverify.check(mechanism, 1.0)
        self.assertLess(calls[0], 110)
        with self.assertRaises(SystemExit):
            audit(lambda data: sys.exit(3))

    def test_run(self):
        def mechanism(data, releases):
            return {"data": data, "noisy": releases.laplace(data.sum(), 1, 1)}

        first, second = (dpverify.run(mechanism, DATA, seed=3) for _ in range(2))
        self.assertIs(first["data"], DATA)
        self.assertEqual(first["noisy"], second["noisy"])
        self.assertNotEqual(dpverify.run(mechanism, DATA)["noisy"],
                            dpverify.run(mechanism, DATA)["noisy"])
        with self.assertRaises(KeyError):
            dpverify.run(lambda data, releases: {}["x"], DATA)


class Module(unittest.TestCase):
    def test_report_is_of_the_schema(self):
        for result in (dpverify.check(half_the_noise, 1.0), audit(NoisySum(1))):
            report = result.to_dict()
            self.assertEqual(report["kind"], "audit")
            self.assertEqual(json.loads(result.to_json()), report)
            self.assertEqual(_core.validate(result.to_json()), [])
        report["evidence"][0]["verdict"] = "fine"
        self.assertNotEqual(_core.validate(json.dumps(report)), [])

    def test_table(self):
        text = str(dpverify.check(half_the_noise, 1.0))
        self.assertRegex(text, r"^half_the_noise: refuted\n  claim +verdict +found +claimed")
        self.assertRegex(text, r"\n  privacy +refuted +2 +1\b")
        self.assertRegex(text, r"\n    record \d: \[.*\] becomes \[")
        self.assertLess(max(map(len, text.split("\n"))), 120)

    def test_everything_has_a_documentation(self):
        for name in dpverify.__all__:
            self.assertTrue(inspect.getdoc(getattr(dpverify, name)), name)
        for name, member in inspect.getmembers(dpverify.Releases):
            if not name.startswith("_"):
                self.assertTrue(member.__doc__.strip(), name)
        for function in (dpverify.check, dpverify.audit, dpverify.run):
            text = inspect.getdoc(function)
            for parameter in inspect.signature(function).parameters:
                self.assertIn(parameter, text)

    def test_the_stub_has_the_names_of_the_module(self):
        stub = os.path.join(os.path.dirname(dpverify.__file__), "_core.pyi")
        with open(stub, encoding="utf-8") as file:
            tree = ast.parse(file.read())
        stated = {}
        for node in tree.body:
            if isinstance(node, ast.FunctionDef):
                stated[node.name] = parameters(node)
            elif isinstance(node, ast.ClassDef):
                stated.update({f"{node.name}.{member.name}": parameters(member)
                               for member in node.body if isinstance(member, ast.FunctionDef)})
        found = {name: signature(value) for name, value in vars(_core).items()
                 if callable(value) and not isinstance(value, type)}
        found.update({f"Releases.{name}": signature(value)
                      for name, value in vars(_core.Releases).items() if not name.startswith("_")})
        self.assertEqual(stated, found)

    def test_documents(self):
        """The blocks of docs/python.md do what they say."""
        blocks = python_blocks(os.path.join(ROOT, "docs", "python.md"))
        self.assertGreater(len(blocks), 2)
        program = "\n".join(blocks)
        run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stderr)


def parameters(node):
    """Names of a function of the stub, and which have a default."""
    arguments = node.args.args
    defaults = [None] * (len(arguments) - len(node.args.defaults)) + node.args.defaults
    return [a.arg if d is None else f"{a.arg}={ast.literal_eval(d)!r}"
            for a, d in zip(arguments, defaults)]


def signature(function):
    """The same of a compiled function, from the first line of its documentation."""
    line = function.__doc__.split("\n")[0]
    inside = line[line.index("(") + 1:line.rindex(") ->")]
    return [part.split(":")[0].strip() + ("=" + part.split("= ")[1] if "= " in part else "")
            for part in inside.split(", ") if part]


def python_blocks(path):
    blocks, inside = [], None
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.startswith("```"):
                if inside is not None:
                    blocks.append("".join(inside))
                    inside = None
                elif line.strip() == "```python":
                    inside = []
            elif inside is not None:
                inside.append(line)
    return blocks


if __name__ == "__main__":
    unittest.main()
