#!/usr/bin/env python3
"""Compares the claims and the evidence of two reports: same_evidence.py OLD.json NEW.json [--ignore FIELD ...]

Prints what differs, one line a field, and exits 1 if anything does. Context and timings are left out.
Claims are compared where both reports have them (a report of `verify --only` has some), objects without
regard to the order of their keys. FIELD is a key of a claim or of an entry of evidence, such as statement. Where a claim is stated is
left out: a line above it moves it."""

import argparse
import json
import sys


def differences(old, new, path):
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted(old.keys() | new.keys()):
            if key not in new:
                yield f"{path}.{key} is gone"
            elif key not in old:
                yield f"{path}.{key} is new"
            else:
                yield from differences(old[key], new[key], f"{path}.{key}")
    elif isinstance(old, list) and isinstance(new, list):
        if len(old) != len(new):
            yield f"{path}: {len(old)} entries -> {len(new)}"
        for k, (a, b) in enumerate(zip(old, new)):
            yield from differences(a, b, f"{path}[{k}]")
    elif old != new:
        yield f"{path}: {old!r} -> {new!r}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--ignore", action="append", default=["stated"], metavar="FIELD")
    arguments = parser.parse_args()
    reports = []
    for name in (arguments.old, arguments.new):
        with open(name, encoding="utf-8") as file:
            reports.append(json.load(file))
    compared = different = 0
    for part, key in (("claims", "id"), ("evidence", "claim")):
        old, new = ({entry[key]: {field: value for field, value in entry.items()
                                  if field not in arguments.ignore} for entry in report[part]}
                    for report in reports)
        for name in sorted(old.keys() & new.keys()):
            compared += 1
            for line in differences(old[name], new[name], name):
                print(line)
                different += 1
    print(f"{compared} entries compared, {different} differences")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
