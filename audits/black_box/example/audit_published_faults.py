"""Writes docs/published-audits.md: faults on which published auditors were tried, audited from
outside in two ways, from Python and by files of outputs.

./dpverify python audits/black_box/example/audit_published_faults.py >docs/published-audits.md
"""

import argparse
import fnmatch
import json
import math
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from typing import Any, List, Optional, Sequence

import numpy as np

import dpverify

from published_faults import FAULTS, Fault, Mechanism

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
OUTPUTS = (100_000, 1_000_000)  # a side: the more where the fewer do not refute
TWIN_RUNS = 50_000
FAULT = 1.1
SEED = 20240229

HEAD = """\
# Beside published auditors

Broken mechanisms on which published auditors were tried, audited here by their outputs alone, as a user would: from Python, where the
mechanism is a function with noise of numpy's, and by files of outputs, whatever wrote them. Functions and datasets are in
`audits/black_box/example/published_faults.py`; `audit_published_faults.py` beside it writes this page:

```sh
./dpverify python audits/black_box/example/audit_published_faults.py >docs/published-audits.md  # 10 to 30 minutes
./dpverify python audits/black_box/example/audit_published_faults.py --only 'one-byte*' --twins 1 --outputs 10000
```

"""

EXPLAINED = """
- Published: lower bounds on epsilon. At a claim of 0.1: by DP-Sniper, and by StatDP in the comparison with it (Bichsel, Steffen, Bogunovic and
  Vechev, 2021; the largest of the reference results in the repository of DP-Sniper, at confidence 0.9). DP-Sniper took three times 10.7
  million samples to search and 200 million to bound; for the bits of doubles, half an hour of search. Gradients: Tramer, Terzis, Steinke,
  Song, Jagielski and Carlini (2022), on a network trained with this fault, thousands of times. One-byte seed: a report of outputs that
  repeat. None: not published at this claim.
- True: epsilon on the two datasets here, at the claimed delta: by closed forms, or by integration for the sparse vectors.
- Where 0.1 is claimed, noise, cutoff and datasets are the published ones, up to a constant added to every query; but the histogram has
  three bins instead of five, and a record more or less. The other rows are those of `must_catch/`, with other cutoffs and datasets.
  Of the training there is only the noisy mean of one batch of 16 gradients. Published auditors search for the two datasets; here they are
  given.
- Python, by default: `dpverify.audit(function, data, neighbour, epsilon, delta)`. It stops, consistent, when Laplace noise that needs 1.25 times
  the claimed epsilon would have been seen, or else, inconclusive, after 100,000 runs. What shows in rarer events still passes: with `fault=2` eight
  of these twelve read consistent. Looking on: with `fault=1.1, most_runs=1000000`, where the default does not refute. A sequential test stops
  as soon as the claim is refuted, hence its bound is hardly above the claim, however large the fault. Inconclusive after a million
  runs: beyond this way's reach.
- Files: `dpverify audit --outputs`, with 10^5 outputs a side and, where these do not refute the claim, with 10^6. Half of the outputs choose
  the event that the other half counts; no event of 10^5 outputs a side can show more than 9.2.
- Except for the noise in doubles, outputs are compared as numbers (`bits=False`, `--bits no`): numpy's noise is made of doubles too, and
  its bits can give a mechanism away, broken or not. The twin of that row rounds to a grid.
- A true claim is refuted with probability at most 1e-6, either way. Twins refuted: of 20 audits of the same mechanism without the fault by
  `dpverify.audit`, with `fault=1.1`, 50,000 runs a side at most, and seeds of numpy's of their own.

What exact laws and transcripts say of these faults and of others, without sampling luck: `must_catch/` in [audits.md](audits.md).

## Software of others

Called from outside, at epsilon 1 and a significance of 1e-6, measured by hand. Cells: the verdict, and the runs a side after which it stood.

| software | noise on | as numbers | by bits |
|---|---|---|---|
| npm package differential-privacy 1.1.2, 3 audits | the sum of [1,2,3,4,5,5] or [1,2,3,4,5,50] | refuted, 78 to 119 | refuted, 113 to 144 |
| diffprivlib 0.6.6, 3 audits, `tools.histogram` | ten records, one replaced | refuted, 220 to 375 | refuted, 274 to 479 |
| its `Laplace`, `LaplaceTruncated`, `LaplaceFolded`, `LaplaceBoundedDomain`, `LaplaceBoundedNoise`, `Gaussian`, `GaussianAnalytic`, `Staircase` | 0 or 1 | consistent, 3,032 to 3,150 | refuted, 150 to 823 |
| its `tools.mean`, `sum`, `var` | ten records, one replaced | consistent, 3,150 | refuted, 360 to 672 |
| its `Snapping`, `GaussianDiscrete`, `Geometric`, `GeometricTruncated`, `GeometricFolded`, `Uniform`, `Binary`, `Exponential`, `PermuteAndFlip`, `tools.count_nonzero`, `median`, `quantile` | 0 or 1, or ten records | consistent | consistent, 3,140 and more |
| numpy 1.24.2, `laplace`, 5 seeds | 0 or 1 | consistent, 4,677 | refuted, 168 to 210 |
| npm package @stdlib/random-base-laplace 0.2.2, 3 audits | 0 or 1 | consistent, 4,711 | refuted, 225 to 349 |
| npm package d3-random 3.0.2, `randomExponential` of either sign, 3 audits | 0 or 1 | consistent, 4,711 | refuted, 185 to 288 |
| R 4.2.2, `rexp` of either sign, 3 audits | 0 or 1 | consistent, 4,711 | refuted, 438 to 645 |

- As numbers: what is broken in real arithmetic. The package's noise is scaled by the data's own sensitivity: from 10,000 outputs a side epsilon is at
  least 6.75. The histogram's noise is that for a record more or less; here one is replaced, which moves two counts.
- By bits: outputs compared as doubles. Between -1 and 1 there are doubles that 1 plus noise never is, and noise alone is: no fault in
  real arithmetic, and the reason to publish no noise in doubles. `Snapping` rounds it away, the discrete mechanisms never had it.
- Consistent: noise that needs 1.3 times (diffprivlib) or 1.25 times the claimed epsilon would have been refuted. No mechanism is shown to be private.
- diffprivlib: `audit_diffprivlib.py` beside the datasets. The others are programs of a line each, with `--bits no` and `--bits yes`:

```text
./dpverify audit --data zero.csv --neighbour one.csv --epsilon 1 --significance 1e-6 --exec node -e 'const laplace = require("@stdlib/random-base-laplace"); const x = Number(require("fs").readFileSync("{data}", "utf8")); for (let i = 0; i < {runs}; ++i) console.log(x + laplace(0, 1))'
./dpverify audit --data zero.csv --neighbour one.csv --epsilon 1 --significance 1e-6 --exec Rscript -e 'x <- scan("{data}", quiet = TRUE); for (i in 1:{runs}) cat(format(x + sample(c(-1, 1), 1) * rexp(1), digits = 17), "\\n")'
```
"""


@dataclass(frozen=True)
class Found:
    verdict: str
    outputs: int  # a side
    bound: Optional[float]


@dataclass(frozen=True)
class Row:
    fault: Fault
    default: Found       # from Python
    looking_on: Found    # the same, with FAULT
    files: List[Found]
    twins: int
    twins_refuted: int


def function(mechanism: Mechanism, seed: int):
    rng = np.random.default_rng(seed)
    return lambda data: mechanism(data, rng)


def found_in(report: dict, outputs: Optional[int] = None) -> Found:
    evidence = report["evidence"][0]
    measured = {m["key"]: m["value"] for m in evidence["measurements"]}
    bound = evidence.get("estimate")
    return Found(evidence["verdict"], outputs or int(measured["runs_a_dataset"]),
                 None if bound is None else float(bound))


def from_python(fault: Fault, mechanism: Mechanism, seed: int, /, **options: Any) -> Found:
    result = dpverify.audit(function(mechanism, seed), fault.data, fault.neighbour, fault.epsilon,
                            fault.delta, bits=fault.bits, seed=seed, **options)
    return found_in(result.to_dict())


def line(output: Any) -> str:
    return ",".join(repr(float(number)) for number in np.atleast_1d(output))


def from_files(fault: Fault, mechanism: Mechanism, seed: int, outputs: int,
               program: str) -> Found:
    run = function(mechanism, seed)
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, name) for name in ("data.csv", "neighbour.csv")]
        for path, data in zip(paths, (fault.data, fault.neighbour)):
            with open(path, "w", encoding="utf-8") as file:
                file.writelines(line(run(data)) + "\n" for _ in range(outputs))
        audit = subprocess.run(
            [program, "audit", "--outputs", *paths, "--epsilon", repr(fault.epsilon), "--delta",
             repr(fault.delta), "--bits", "yes" if fault.bits else "no", "--json"],
            stdout=subprocess.PIPE, check=False, text=True)
    if audit.returncode not in (0, 1):
        raise RuntimeError(f"{program} ended with exit code {audit.returncode}")
    return found_in(json.loads(audit.stdout), outputs)


def measure(fault: Fault, program: str, twins: int, outputs: Sequence[int] = OUTPUTS) -> Row:
    files: List[Found] = []
    for count in outputs:
        if not files or files[-1].verdict != "refuted":
            files.append(from_files(fault, fault.broken, SEED, count, program))
    default = from_python(fault, fault.broken, SEED)
    looking_on = default if default.verdict == "refuted" else \
        from_python(fault, fault.broken, SEED, fault=FAULT, most_runs=max(outputs))
    refuted = [seed for seed in range(twins) if from_python(
        fault, fault.twin, seed, fault=FAULT, most_runs=TWIN_RUNS).verdict == "refuted"]
    return Row(fault, default, looking_on, files, twins, len(refuted))


def in_digits(value: float) -> str:
    return "infinite" if math.isinf(value) else f"{value:.4g}"


def in_words(found: Found) -> str:
    bound = "" if found.bound is None else f", {in_digits(found.bound)}"
    return f"{found.verdict}, {found.outputs:,}{bound}"


def known_cells(fault: Fault) -> str:
    claim = in_digits(fault.epsilon) + (f", delta {fault.delta:g}" if fault.delta > 0 else "")
    return " | ".join([f"| {fault.name}: {fault.what}", claim, in_digits(fault.true),
                       fault.published or "none"])


def measured_cells(row: Row) -> str:
    looking_on = "-" if row.looking_on is row.default else in_words(row.looking_on)
    return " | ".join([in_words(row.default), looking_on, "; ".join(map(in_words, row.files)),
                       f"{row.twins_refuted} of {row.twins} |"])


def commit_of(program: str) -> str:
    version = subprocess.run([program, "list", "--json"], stdout=subprocess.PIPE, check=True,
                             text=True)
    return json.loads(version.stdout)["context"]["git"]["commit"][:12]


def read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Writes docs/published-audits.md.")
    parser.add_argument("--only", default="*", help="the faults whose name is like this")
    parser.add_argument("--twins", type=int, default=20, help="seeds of each twin")
    parser.add_argument("--outputs", type=int, nargs="+", default=OUTPUTS, metavar="N",
                        help="in each file; a further N where the one before does not refute")
    parser.add_argument("--program", default=os.path.join(ROOT, "dpverify"),
                        help="that audits the files")
    arguments = parser.parse_args()
    arguments.faults = [f for f in FAULTS if fnmatch.fnmatch(f.name, arguments.only)]
    if not arguments.faults:
        parser.error(f"--only is '{arguments.only}', but must be like one of "
                     + ", ".join(sorted({fault.name for fault in FAULTS})))
    if min(arguments.outputs) < 100 or arguments.twins < 0:
        parser.error("--outputs must be at least 100 each, --twins at least 0")
    return arguments


def main() -> None:
    arguments = read_arguments()
    print(HEAD, end="")
    print(f"Measured with the audits of commit {commit_of(arguments.program)}. Cells of audits: "
          "verdict, outputs a side, lower bound on epsilon.\n")
    print("| mechanism and fault | claimed | true | published | Python, by default "
          "| Python, looking on | files | twins refuted |\n|---|---|---|---|---|---|---|---|")
    for fault in arguments.faults:
        row = measure(fault, arguments.program, arguments.twins, arguments.outputs)
        print(known_cells(fault), measured_cells(row), sep=" | ", flush=True)
    print(EXPLAINED, end="")


if __name__ == "__main__":
    main()
