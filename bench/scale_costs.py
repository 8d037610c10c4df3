#!/usr/bin/python3
"""What long runs cost: the table of docs/scale.md, in Markdown.

  bench/scale_costs.py PROGRAM CI_REPORT >table.md

PROGRAM is build/release/dpverify, CI_REPORT a report of `verify --plan ci`. Measures, on one
core, a thirtieth of the nightly plan, one trial of every point of every panel with a tenth of its records or less, and
an audit of the Laplace mechanism at epsilon 12 and delta 1e-9 from ever more outputs. Takes some 20 minutes."""

import json
import os
import re
import resource
import subprocess
import sys
import tempfile

import numpy

PARTS = 30      # of the nightly plan
TRIALS = 100    # of a panel
LONGEST = 20    # seconds: a panel with a tenth of the records that takes longer is measured at a hundredth
EPSILON, DELTA = 12, 1e-9
CORES = 1000


def seconds(program, *arguments, allowed=(0,)):
    """Of processor time, and what was printed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([program, *arguments], capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in allowed:
        sys.exit(f"scale_costs: {' '.join(arguments)} ended with {done.returncode}: {done.stderr.strip()}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout


def nightly(program, report, folder):
    """Parts take equally long by the times of the plan ci: one of them stands for all."""
    took, _ = seconds(program, "verify", "--plan", "nightly", "--threads", "1", "--shard", f"1/{PARTS}",
                      "--costs", report, "--out", folder, allowed=(0, 1))
    return took * PARTS


def panels(program, folder):
    """Part 1 of as many as there are trials has one trial of each point, whose work is that of its records."""
    names = [line.split("\t")[0].split()[0] for line in seconds(program, "rates", "--figure", "list")[1].splitlines()
             if re.match(r"[a-z_]+\.\d", line)]
    costs = {}
    for name in names:
        for shrink in (100, 10):
            took, _ = seconds(program, "rates", "--figure", name, "--shrink", str(shrink), "--trials", str(TRIALS),
                              "--shard", f"1/{TRIALS}", "--threads", "1", "--out", os.path.join(folder, f"{name}-{shrink}"))
            costs[name] = took * shrink * TRIALS
            if took * 10 > LONGEST:
                break
        print(f"scale_costs: {name}: {costs[name] / 3600:.3g} core hours", file=sys.stderr, flush=True)
    return costs


def audits(program, folder):
    """[outputs a side, shown epsilon, seconds]: a sum of 0 or of 1 with the noise of the guarantee."""
    random = numpy.random.default_rng(1)
    rows = []
    for count in (10**5, 10**6, 10**7, 10**8):
        files = [os.path.join(folder, f"{side}.npy") for side in (0, 1)]
        for side, file in enumerate(files):
            numpy.save(file, side + random.laplace(0, 1 / EPSILON, count))
        took, text = seconds(program, "audit", "--outputs", *files, "--epsilon", str(EPSILON), "--delta", str(DELTA),
                             "--json", allowed=(0, 1, 3))
        evidence = json.loads(text)["evidence"]
        evidence = evidence[0] if isinstance(evidence, list) else evidence
        rows.append((count, evidence.get("estimate"), took))
    return rows


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    program, report = sys.argv[1:]
    with open(report) as stream:
        timings = json.load(stream)["timings"]["claims"]
    ci = sum(claim["seconds"] for claim in timings)
    with tempfile.TemporaryDirectory() as folder:
        shown = audits(program, folder)
        whole_night = nightly(program, report, folder)
        figures = panels(program, folder)
    row = "| {} | {:.2g} | {} |".format

    def on_many(hours):
        return f"{hours * 3600 / CORES:.2g} s" if hours * 60 < CORES else f"{hours * 60 / CORES:.2g} min"

    print(f"| run | core hours | on {CORES:,} cores, if they are all kept busy |\n|---|---|---|")
    print(row("`verify --plan ci`", ci / 3600, on_many(ci / 3600)))
    print(row("`verify --plan nightly`", whole_night / 3600, on_many(whole_night / 3600)))
    total = sum(figures.values()) / 3600
    print(row(f"all {len(figures)} panels, {TRIALS} trials a point", total, on_many(total)))
    longest = max(figures, key=figures.get)
    print(row(f"of them {longest}, the longest", figures[longest] / 3600, on_many(figures[longest] / 3600)))
    print(f"\n| outputs a side | epsilon shown of {EPSILON}, at delta {DELTA:g} | seconds of one core |\n|---|---|---|")
    for count, epsilon, took in shown:
        print(f"| {count:,} | {epsilon:.4g} | {took:.2g} |")


main()
