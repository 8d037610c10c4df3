"""Is a mechanism in Python really differentially private?

Two ways to ask, and one way to run:

check(mechanism, epsilon=...)
    A mechanism whose noise is drawn by `releases`: a function of an array of records and a
    Releases object. Its sensitivities are measured by replay on searched pairs of neighbours, its
    privacy is decided from both ends: exact laws, transcripts and outputs below, composition above.

audit(function, data, neighbour, epsilon=...)
    Any function with noise of its own, called on two datasets as often as needed.

run(mechanism, data)
    The output of one run of such a mechanism, to use.

Both checks give a Result: verdict, evidence, a table when printed, and the report as a dictionary
(to_dict()) of the same schema as the reports of the program dpverify.

    import dpverify

    def mean(data, releases):
        sensitivity = 2 / len(data)
        return releases.laplace(data.clip(-1, 1).mean(axis=0), sensitivity, sensitivity)

    assert dpverify.check(mean, epsilon=1).verdict != "refuted"

A refuted claim is a proof by example or, where outputs are counted, wrong with at most the
probability `significance`. "consistent" is no proof of privacy: it says what has been searched.
"""

import inspect
import json
import operator
import os
import re
import secrets
import textwrap
import traceback
from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np

from dpverify import _core
from dpverify._core import Releases

__all__ = ["Evidence", "MechanismError", "Releases", "Result", "audit", "check", "run"]
__version__ = _core.version()

Mechanism = Callable[[np.ndarray, Releases], Any]
Range = Union[None, float, Sequence[float]]

MOST_ENTRIES = 10_000_000  # of a dataset that is searched


class MechanismError(RuntimeError):
    """Some runs of the function have raised exceptions, and that says nothing about its privacy.

    Either every run has failed, or some have and the claim is not refuted. An exception that
    depends on the data is an output of the mechanism, and refutes the claim. __cause__ is the first
    exception of the function.
    """


@dataclass(frozen=True)
class Evidence:
    """What was found about one claim.

    verdict: "consistent" (nothing found against it), "refuted", "inconclusive" or "error".
    estimate: a lower bound on the true epsilon; of a sensitivity, the largest change over what is
        declared. None: nothing was measured.
    claimed: what the claim allows of it.
    strength: what a consistent privacy claim rests on: "certified", "exact on searched pairs",
        "sampled".
    smallest_fault: a claim of so many times less would have been refuted.
    data, neighbour: the pair of datasets that refutes the claim, or the worst that was found.
    """

    id: str
    kind: str
    statement: str
    verdict: str
    reason: str
    estimate: Optional[float] = None
    claimed: Optional[float] = None
    strength: Optional[str] = None
    smallest_fault: Optional[float] = None
    data: Optional[np.ndarray] = None
    neighbour: Optional[np.ndarray] = None


class Result:
    """What a check or an audit found. Prints as a table with the reasons.

    subject: the function, in words.
    evidence: an Evidence for each claim: "sensitivity" and "privacy" of check(), "privacy" of
        audit().
    exceptions: the tracebacks of the exceptions that the function has raised, one of each type.
    """

    def __init__(self, subject: str, report: Dict[str, Any], exceptions: Sequence[str] = (),
                 rows_per_user: int = 1):
        self._report = report
        self._rows_per_user = rows_per_user
        self.subject = subject
        self.evidence: Tuple[Evidence, ...] = tuple(
            _evidence(claim, found, rows_per_user)
            for claim, found in zip(report["claims"], report["evidence"]))
        self.exceptions: Tuple[str, ...] = tuple(exceptions)

    @property
    def verdict(self) -> str:
        """The gravest of all claims: "refuted", "error", "inconclusive" or "consistent"."""
        verdicts = {found.verdict for found in self.evidence}
        return next(v for v in ("refuted", "error", "inconclusive", "consistent") if v in verdicts)

    @property
    def privacy(self) -> Optional[Evidence]:
        """The evidence on the privacy claim, if there is one."""
        return next((found for found in self.evidence if found.kind == "privacy"), None)

    @property
    def sensitivity(self) -> Optional[Evidence]:
        """The evidence on the sensitivity claim, if there is one."""
        return next((found for found in self.evidence if found.kind == "sensitivity"), None)

    def to_dict(self) -> Dict[str, Any]:
        """The report, of kind "audit": what `dpverify audit --json` writes."""
        return json.loads(json.dumps(self._report))

    def to_json(self) -> str:
        """The report as text, for `dpverify validate` and `dpverify report`."""
        return json.dumps(self._report, indent=2) + "\n"

    def __repr__(self) -> str:
        return f"<dpverify.Result of {self.subject}: {self.verdict}>"

    def __str__(self) -> str:
        rows = [("claim", "verdict", "found", "claimed", "strength")]
        rows += [(found.kind, found.verdict, _text(found.estimate), _text(found.claimed),
                  found.strength or "") for found in self.evidence]
        widths = [max(map(len, column)) for column in zip(*rows)]
        lines = [f"{self.subject}: {self.verdict}"]
        lines += ["  " + "  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
        for found in self.evidence:
            lines += _paragraph(found.kind, found.reason) + _pair(found, self._rows_per_user)
        for text in self.exceptions:
            lines += textwrap.indent(text, "  ").rstrip().split("\n")
        return "\n".join(lines)


def check(mechanism: Mechanism, epsilon: Optional[float] = None, delta: float = 0.0, *,
          records: int = 10, columns: int = 1, rows_per_user: int = 1, low: Range = None,
          high: Range = None, integers: bool = False, pair: Optional[Tuple[Any, Any]] = None,
          plan: str = "smoke", significance: float = 1e-6, seed: int = 20240229) -> Result:
    """Checks a mechanism that draws its noise by `releases`.

    mechanism(data, releases) gets an array of its own (records*rows_per_user x columns, floats) and
    a Releases object. It returns numbers, strings, None, arrays, or lists, tuples and dictionaries
    of these. Between releases it must be deterministic. It is run some ten thousand times.

    Two claims are decided. Sensitivity: when one record is replaced, and all outcomes so far are
    the same, each release moves by at most what it declares, and nothing reaches the output beside
    the releases. Privacy: the mechanism is (epsilon, delta)-DP for datasets that differ in one
    record; left out if there is no epsilon.

    records, columns: the shape of the datasets that are searched.
    rows_per_user: user-level privacy. A record is a user, and all that a user gives: so many rows
        of the array, adjacent. Neighbours differ in all rows of one user.
    low, high: the range of the entries, a number or one for each column; None: without end. The
        claims are about datasets in this range, and the mechanism sees no others.
    integers: whether the entries are whole numbers.
    pair: two arrays that differ in one record, replaced or missing in one of them. Privacy is
        checked on this pair alone, and nothing is searched; instead of all of the above but
        rows_per_user.
    plan: how hard to look: "smoke", "ci" (ten times as hard) or "nightly" (a hundred times).
    significance: the probability that sampling refutes a true privacy claim.
    seed: of all that is drawn. Equal seeds give equal results.

    An exception in the mechanism is one of its outputs, known by its type: it refutes the claims if
    it depends on the data. MechanismError otherwise. ValueError for an argument out of its range.
    """
    given = _given(locals(), check)
    if pair is not None:
        idle = [name for name in ("records", "columns", "low", "high", "integers") if name in given]
        if idle:
            raise ValueError(f"{idle[0]} does not apply to a given pair")
    if epsilon is None and delta != 0:
        raise ValueError("epsilon is missing, but must be given with delta")
    records, columns, rows_per_user = (_whole(number, name) for number, name in (
        (records, "records"), (columns, "columns"), (rows_per_user, "rows_per_user")))
    if records * columns * rows_per_user > MOST_ENTRIES:
        raise ValueError(f"records*columns*rows_per_user is {records * columns * rows_per_user}, "
                         f"but must be at most {MOST_ENTRIES}")
    low_ends, high_ends = (_ends(end, columns, name, infinity) for end, name, infinity in (
        (low, "low", -np.inf), (high, "high", np.inf)))
    with np.errstate(all="ignore"):
        found = _core.check(
            mechanism, name=_identifier(mechanism), where=_where(mechanism),
            reproduce=_call("check", mechanism, given, seed),
            epsilon=epsilon, delta=delta, records=records, rows_per_user=rows_per_user,
            low=low_ends, high=high_ends, integers=integers, pair=pair, plan=plan,
            significance=significance, seed=seed)
    return _result(mechanism, *found, rows_per_user=rows_per_user)


def audit(function: Callable[[Any], Any], data: Any, neighbour: Any, epsilon: float,
          delta: float = 0.0, *, significance: float = 1e-6, most_runs: int = 100_000,
          fault: float = 1.25, bits: Optional[bool] = None, seed: int = 20240229) -> Result:
    """Audits a function with noise of its own, by its outputs alone.

    function(data) and function(neighbour) are called in turn, until the claim that the function is
    (epsilon, delta)-DP is refuted on the two, or until Laplace noise that needs `fault` times the
    claimed epsilon would have been refuted by as many runs: then the verdict is "consistent".
    Looking often costs nothing (a sequential test). Every call must draw fresh noise.

    data, neighbour: whatever the function takes. They are handed over as they are, arrays as views
        that cannot be written to. That they are neighbours is taken for granted.
    significance: the probability that a true claim is refuted.
    most_runs: on each of the two, at least 100.
    bits: whether the outputs are compared bit by bit, as they are. Noise added in floating point is
        not private in its last bits (Mironov, 2012), however right its scale. None: if the outputs
        are written in full (most hold a number of more than 15 digits).
    seed: of what the audit draws; the function's own noise is its own.

    An output is what check() says. An exception in the function is one, known by its type: it
    refutes the claim if it depends on the data. MechanismError otherwise.
    """
    given = _given(locals(), audit)
    if _same(data, neighbour):
        raise ValueError("neighbour is the same as data, but must be another dataset")
    found = _core.audit(
        function, _read_only(data), _read_only(neighbour), name=_identifier(function),
        where=_where(function), reproduce=_call("audit", function, given, seed), epsilon=epsilon, delta=delta,
        significance=significance, most_runs=most_runs, fault=fault, bits=bits, seed=seed)
    return _result(function, *found)


def run(mechanism: Mechanism, data: Any, *, seed: Optional[int] = None) -> Any:
    """One run of a mechanism: its output on `data`, with noise drawn by this package.

    seed: None draws a fresh one from the operating system; equal seeds give equal outputs. The
    noise is that of double-precision reference code, not hardened against attacks on the low-order
    bits of floating-point numbers.
    """
    return _core.run(mechanism, data, secrets.randbits(64) if seed is None else seed)


def _result(function: Callable, report: str, raised: str,
            exceptions: List[BaseException], rows_per_user: int = 1) -> Result:
    result = None
    if report:
        texts = ["".join(traceback.format_exception(type(raised), raised, raised.__traceback__))
                 for raised in exceptions]
        result = Result(_name(function), json.loads(report), texts, rows_per_user)
    if exceptions and (result is None or result.verdict != "refuted"):
        what = "and nothing else: there is nothing to check" if result is None else \
            "and the claim is not refuted: an exception that does not depend on the data is a fault"
        raise MechanismError(f"{_name(function)}: {raised}, {what}") from exceptions[0]
    return result


def _number(value: Union[None, str, float]) -> Optional[float]:
    return None if value is None else float(value)


def _evidence(claim: Dict[str, Any], found: Dict[str, Any], rows_per_user: int) -> Evidence:
    pair = (found.get("witness") or {}).get("pair") or {}
    sides = {}  # in the shape that the mechanism saw
    for side in pair.keys() & {"data", "neighbour"}:
        records = np.array([[_number(entry) for entry in record]
                            for record in pair[side]["features"]])
        sides[side] = records.reshape(len(records) * rows_per_user, -1)
    strength = found.get("strength")
    return Evidence(
        id=claim["id"], kind=claim["kind"], statement=claim["statement"], verdict=found["verdict"],
        reason=found["reason"], estimate=_number(found.get("estimate")),
        claimed=_number(found.get("claimed")),
        strength=strength and strength.replace("_", " "),
        smallest_fault=_number(found.get("smallest_fault")), **sides)


def _text(value: Optional[float]) -> str:
    return "" if value is None else f"{value:.6g}"


def _paragraph(label: str, text: str) -> List[str]:
    return textwrap.wrap(f"{label}: {text}", 100, initial_indent="  ", subsequent_indent="    ",
                         break_long_words=False, break_on_hyphens=False)


def _pair(found: Evidence, rows_per_user: int) -> List[str]:
    if found.data is None or found.neighbour is None:
        return []
    record = "record" if rows_per_user == 1 else "user"
    data, neighbour = (side if rows_per_user == 1 else
                       side.reshape(-1, rows_per_user, side.shape[1])
                       for side in (found.data, found.neighbour))
    if data.shape != neighbour.shape:
        return [f"    {len(data)} {record}s, and {len(neighbour)}"]
    differ = [i for i in range(len(data)) if (data[i] != neighbour[i]).any()]
    lines = [f"    {record} {i}: {data[i].tolist()} becomes {neighbour[i].tolist()}"
             for i in differ]
    others = np.unique(np.delete(data, differ, axis=0), axis=0)
    if len(others) == 1:
        lines.append(f"    the other {len(data) - 1}: {others[0].tolist()}")
    return lines


def _name(function: Callable) -> str:
    return getattr(function, "__name__", type(function).__name__)


def _identifier(function: Callable) -> str:
    return re.sub(r"[^a-z0-9_]", "", _name(function).lower()) or "function"


def _where(function: Callable) -> str:
    try:
        file = os.path.basename(inspect.getsourcefile(function) or "")
        return f"{_name(function)} ({file}:{inspect.getsourcelines(function)[1]})"
    except (TypeError, OSError):
        return _name(function)


def _given(arguments: Dict[str, Any], function: Callable) -> Dict[str, Any]:
    """The arguments that are not the default, but for the first and the seed."""
    parameters = list(inspect.signature(function).parameters.values())[1:]
    given = {p.name: (arguments[p.name], p.default) for p in parameters if p.name != "seed"}
    return {name: value for name, (value, default) in given.items() if value is not default
            and not (isinstance(value, (int, float)) and value == default)}


def _call(name: str, function: Callable, given: Dict[str, Any], seed: int) -> str:
    def word(value: Any) -> str:
        return repr(value) if isinstance(value, (bool, int, float, str, list)) else "..."
    words = [_name(function)] + [f"{key}={word(value)}" for key, value in given.items()]
    return f"dpverify.{name}({', '.join(words)}, seed={seed})"


def _whole(number: Any, name: str) -> int:
    try:
        whole = operator.index(number)
    except TypeError:
        whole = 0
    if whole < 1:
        raise ValueError(f"{name} is {number!r}, but must be a whole number, at least 1")
    return whole


def _ends(end: Range, columns: int, name: str, infinity: float) -> List[float]:
    ends = np.full(columns, infinity if end is None else end, dtype=float) \
        if end is None or np.ndim(end) == 0 else np.asarray(end, dtype=float)
    if ends.shape != (columns,):
        raise ValueError(f"{name} has {ends.size} numbers, but must have one for each of {columns} "
                         "columns")
    return ends.tolist()


def _same(data: Any, neighbour: Any) -> bool:
    if not (isinstance(data, np.ndarray) and isinstance(neighbour, np.ndarray)):
        return data is neighbour
    return (data.shape == neighbour.shape and data.dtype == neighbour.dtype
            and data.tobytes() == neighbour.tobytes())


def _read_only(data: Any) -> Any:
    if not isinstance(data, np.ndarray):
        return data
    view = data.view()
    view.flags.writeable = False
    return view
