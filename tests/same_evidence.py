#!/usr/bin/env python3
"""Compares the claims and the evidence of two reports: same_evidence.py OLD.json NEW.json

Prints what differs, one line a field, and exits 1 if anything does. Context and timings are left out.
Claims are compared where both reports have them (a report of `verify --only` has some), objects
without regard to the order of their keys, tables by the names of their columns: a parameter that
only the new report shows, with one value throughout a table, is no difference.
Options: --ignore FIELD (a key of a claim or of an entry of evidence, such as statement), repeated."""

import json
import sys


def columns(table):
    return {name: [row[k] for row in table["rows"]]
            for k, name in enumerate(table["columns"])}


def words(text):
    """Sorted: a sentence may list the parameters of a point in another order."""
    return sorted(text.replace(",", " ").replace(":", " ").split())


def differences(old, new, path):
    if isinstance(old, dict) and isinstance(new, dict):
        if "columns" in old and "columns" in new:
            if any(len(row) != len(old["columns"]) for row in old["rows"]):
                return  # ragged: the names of its columns say nothing
            a, b = columns(old), columns(new)
            for name in a:
                if name not in b:
                    yield f"{path}: column {name} is gone"
                elif a[name] != b[name]:
                    yield f"{path}.{name}: {a[name]} -> {b[name]}"
            return
        added = path.endswith(".parameters")
        for key in old.keys() | new.keys():
            if key not in new:
                yield f"{path}.{key} is gone"
            elif key not in old:
                if not added:
                    yield f"{path}.{key} is new"
            else:
                yield from differences(old[key], new[key], f"{path}.{key}")
    elif isinstance(old, list) and isinstance(new, list):
        if len(old) != len(new):
            yield f"{path}: {len(old)} entries -> {len(new)}"
        for k, (a, b) in enumerate(zip(old, new)):
            yield from differences(a, b, f"{path}[{k}]")
    elif isinstance(old, str) and isinstance(new, str) and words(old) == words(new):
        return
    elif old != new:
        yield f"{path}: {old!r} -> {new!r}"


def main():
    arguments = sys.argv[1:]
    ignored = set()
    while "--ignore" in arguments:
        k = arguments.index("--ignore")
        ignored.add(arguments[k + 1])
        del arguments[k:k + 2]
    old, new = (json.load(open(name, encoding="utf-8")) for name in arguments)
    different = 0
    compared = 0
    for part, key in (("claims", "id"), ("evidence", "claim")):
        before = {entry[key]: entry for entry in old[part]}
        after = {entry[key]: entry for entry in new[part]}
        if part == "claims":
            for name in sorted(after.keys() - before.keys()):
                print(f"{name} is new")
                different += 1
        for name in sorted(before.keys() & after.keys()):
            compared += 1
            for line in differences({k: v for k, v in before[name].items() if k not in ignored},
                                    {k: v for k, v in after[name].items() if k not in ignored}, name):
                print(line)
                different += 1
    print(f"{compared} entries compared, {different} differences")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
