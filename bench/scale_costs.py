#!/usr/bin/python3
"""What long runs cost: the tables of docs/scale.md, in Markdown.

  bench/scale_costs.py PROGRAM CI_REPORT >table.md

PROGRAM is build/release/dpverify, CI_REPORT a report of `verify --plan ci`. Measures, on one
core, a thirtieth of the nightly plan, one trial of every point of every panel with a tenth of its records or less, an
audit of the Laplace mechanism at epsilon 12 and delta 1e-9 from ever more outputs, and `run` on tables of several
sizes. Takes five minutes."""

import json
import multiprocessing
import os
import re
import subprocess
import sys
import tempfile

import numpy

PARTS = 30      # of the nightly plan
TRIALS = 100    # of a panel
LONGEST = 20    # seconds: a panel with a tenth of the records that takes longer is measured at a hundredth
EPSILON, DELTA = 12, 1e-9
CORES = 1000
SIZES = ((10**4, 10), (10**5, 10), (10**6, 10), (10**4, 100), (10**4, 1000))  # records and features of `run`
ALGORITHMS = {"hu.dp_frank_wolfe": (), "hu.sparse_linear_regression": ("--delta", "1e-6"), "hu.private_lasso": ("--delta", "1e-6"),
              "su.phased_sgd": ("--delta", "1e-6")}


def run(program, *arguments, allowed=(0,)):
    """Seconds of processor time, the largest memory in MB, and what was printed."""
    with tempfile.TemporaryFile("w+") as printed, tempfile.TemporaryFile("w+") as complaints:
        child = subprocess.Popen([program, *arguments], stdout=printed, stderr=complaints)
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        printed.seek(0)
        complaints.seek(0)
        if child.returncode not in allowed:
            sys.exit(f"scale_costs: {' '.join(arguments)} ended with {child.returncode}: {complaints.read().strip()}")
        return used.ru_utime + used.ru_stime, used.ru_maxrss / 1000, printed.read()


def nightly(program, report, folder):
    """Parts take equally long by the times of the plan ci: one of them stands for all."""
    took, memory, _ = run(program, "verify", "--plan", "nightly", "--threads", "1", "--shard", f"1/{PARTS}",
                          "--costs", report, "--out", folder, allowed=(0, 1))
    return took * PARTS, memory


def panels(program, folder):
    """Part 1 of as many as there are trials has one trial of each point, whose work is that of its records."""
    names = [line.split("\t")[0].split()[0] for line in run(program, "rates", "--figure", "list")[2].splitlines()
             if re.match(r"[a-z_]+\.\d", line)]
    costs = {}
    for name in names:
        for shrink in (100, 10):
            took, memory, _ = run(program, "rates", "--figure", name, "--shrink", str(shrink), "--trials", str(TRIALS),
                                  "--shard", f"1/{TRIALS}", "--threads", "1", "--out", os.path.join(folder, f"{name}-{shrink}"))
            costs[name] = took * shrink * TRIALS, memory * shrink
            if took * 10 > LONGEST:
                break
        print(f"scale_costs: {name}: {costs[name][0] / 3600:.3g} core hours", file=sys.stderr, flush=True)
    return costs


def audits(program, folder):
    """[outputs a side, shown epsilon, seconds, MB]: a sum of 0 or of 1 with the noise of the guarantee."""
    rows = []
    for count in (10**5, 10**6, 10**7, 10**8):
        files = [os.path.join(folder, f"{side}.npy") for side in (0, 1)]
        for side, file in enumerate(files):
            in_a_process_of_its_own(write_outputs, file, side, count)
        took, memory, text = run(program, "audit", "--outputs", *files, "--epsilon", str(EPSILON), "--delta", str(DELTA),
                                 "--json", allowed=(0, 1))
        evidence = json.loads(text)["evidence"][0]
        rows.append((count, evidence["estimate"], took, memory))
    return rows


def in_a_process_of_its_own(function, *arguments):
    """What this one has held would count as memory of the programs that it starts."""
    process = multiprocessing.Process(target=function, args=arguments)
    process.start()
    process.join()
    if process.exitcode:
        sys.exit("scale_costs: could not write data")


def write_table(data, bounds, records, features):
    random = numpy.random.default_rng(1)
    names = [f"x{k}" for k in range(features)] + ["y"]
    x = random.normal(size=(records, features))
    numpy.savetxt(data, numpy.c_[x, x[:, 0] + random.standard_t(3, records)], delimiter=",", fmt="%.6g", header=",".join(names),
                  comments="")
    with open(bounds, "w") as stream:
        stream.write("column,lower,upper\n" + "".join(f"{name},-20,20\n" for name in names))


def write_outputs(file, side, count):
    random = numpy.random.default_rng([1, side])
    # On a grid: the last bits of doubles show more than the noise does.
    numpy.save(file, numpy.round((side + random.laplace(0, 1 / EPSILON, count)) * 2**20) / 2**20)


def runs(program, folder):
    """[records, features, then seconds and MB of each algorithm]: reading the table, the run and its comparison without data."""
    data, bounds, out = (os.path.join(folder, name) for name in ("data.csv", "bounds.csv", "out.json"))
    rows = []
    for records, features in SIZES:
        in_a_process_of_its_own(write_table, data, bounds, records, features)
        row = [records, features]
        for algorithm, more in ALGORITHMS.items():
            row += run(program, "run", algorithm, "--data", data, "--target", "y", "--bounds", bounds, "--epsilon", "0.9",
                       *more, "--out", out)[:2]
            os.remove(out)
        rows.append(row)
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
        sizes = runs(program, folder)
        night, night_memory = nightly(program, report, folder)
        figures = panels(program, folder)

    def row(name, took, memory):
        print(f"| {name} | {took / 3600:.2g} | {took / CORES:.2g} s | {memory} |")

    print(f"| run | core hours | on {CORES:,} cores, if all are kept busy | MB, a process |\n|---|---|---|---|")
    row("`verify --plan ci`", ci, "")
    row("`verify --plan nightly`", night, f"{night_memory:.0f}")
    row(f"all {len(figures)} panels, {TRIALS} trials a point", sum(took for took, _ in figures.values()), "")
    longest = max(figures, key=figures.get)
    row(f"of them {longest}, the longest", figures[longest][0], f"{figures[longest][1]:.0f}")
    print(f"\n| outputs a side | epsilon shown of {EPSILON}, at delta {DELTA:g} | seconds of one core | MB |\n|---|---|---|---|")
    for count, epsilon, took, memory in shown:
        print(f"| {count:,} | {epsilon:.4g} | {took:.2g} | {memory:.0f} |")
    print(f"\n| records | features | {' | '.join(f'`{name}`' for name in ALGORITHMS)} |\n|---|---|{'---|' * len(ALGORITHMS)}")
    for records, features, *costs in sizes:
        cells = " | ".join(f"{took:.2g} s, {memory:.0f} MB" for took, memory in zip(costs[::2], costs[1::2]))
        print(f"| {records:,} | {features:,} | {cells} |")


if __name__ == "__main__":
    main()
