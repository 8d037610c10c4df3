#!/usr/bin/env python3
"""Runs every algorithm on data and with parameters at the ends of what doubles can be: one record,
constant columns, 1e+-300. Each run ends in time, with exit code 0 and finite figures, or with exit code 2
and one line; never with an internal error, a crash, or an infinite risk that is called a result.
Usage: extreme_parameters.py PROGRAM [SECONDS a run, default 20 [STEP, default 1: one run of so many]]"""

import json
import os
import re
import subprocess
import sys
import tempfile

VALUES = ["0", "-1", "1e-300", "1e300", "1e-12", "1e12", "1", "2", "1000000", "0.999999", "nan", "inf"]
DATA = {
    "one_record": "x,z,y\n0.5,-0.5,1\n",
    "one_feature": "x,y\n" + "0.5,1\n-0.5,-1\n" * 20,
    "constant": "x,z,y\n" + "1,1,1\n" * 40,
    "zeros": "x,z,y\n" + "0,0,0\n" * 40,
    "usual": "x,z,y\n" + "".join(f"{i % 7 / 7},{i % 5 / 5 - 0.5},{i % 2 * 2 - 1}\n" for i in range(60)),
    "tiny": "x,z,y\n" + "1e-300,-1e-308,1e-300\n5e-324,0,1\n" * 20,
    "huge": "x,z,y\n" + "1e300,-1e300,1e300\n1.7e308,1,-1\n" * 20,
    "huge_labels": "x,z,y\n" + "1,-1,1e300\n0.5,1,-1e160\n" * 20,
}


def output(command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def numbers(value):
    """Every figure of a JSON result, infinities and NaN too."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from numbers(each)
    elif isinstance(value, float) or value in ("inf", "-inf", "nan"):
        yield float(value)


def complaint(command, limit):
    """What is wrong with how the command ends; empty if nothing is."""
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=limit, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return f"not finished after {limit:g} s"
    if run.returncode == 2:
        one_line = run.stderr.count("\n") == 1 and run.stderr.startswith("dpverify: ")
        return "" if one_line and not run.stdout else "exit code 2 without its one line: " + run.stderr[:300]
    if run.returncode != 0:
        return f"exit code {run.returncode}: " + run.stderr[-300:]
    result = json.loads(run.stdout)["result"]
    unbounded = [x for part in ("w", "not_private") for x in numbers(result[part]) if not abs(x) < float("inf")]
    return f"a result with {unbounded[0]}" if unbounded else ""


def main():
    program = os.path.abspath(sys.argv[1])
    limit = float(sys.argv[2]) if len(sys.argv) > 2 else 20
    every = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    algorithms = re.findall(r"^  (\w+\.\w+)", output([program, "run", "--help"]), re.M)
    seen = runs = failures = 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name, text in DATA.items():
            with open(name + ".csv", "w", encoding="ascii") as file:
                file.write(text)
        for algorithm in algorithms:
            common = {"data", "target", "bounds", "seed", "out", "json", "show", "help"}
            options = [o for o in re.findall(r"^  --([a-z0-9-]+)", output([program, "run", algorithm, "--help"]), re.M)
                       if o.split("-")[0] not in common]
            settings = [(data, []) for data in DATA]
            settings += [(data, [f"--{o}", v]) for o in options for v in VALUES for data in ("one_record", "usual")
                         if (o, v) != ("iterations", "1000000")]  # who asks for so many, waits
            for data, more in settings:
                seen += 1
                if seen % every:
                    continue
                columns = DATA[data].splitlines()[0].split(",")
                command = [program, "run", algorithm, "--data", data + ".csv", "--target", columns[-1],
                           "--seed", "1", "--json", *more]
                runs += 1
                wrong = complaint(command, limit)
                if wrong:
                    failures += 1
                    print("FAILED ", " ".join(command[1:]), "\n  ", wrong, flush=True)
    print(f"{runs} runs, {failures} failed")
    sys.exit(1 if failures or not runs else 0)


main()
