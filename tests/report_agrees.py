#!/usr/bin/env python3
"""Does a report agree with itself? report_agrees.py REPORT.json [--sources FOLDER] [--planted]

Prints what does not, one line each, and exits 1 if anything does not. With --planted the report must
agree, and a copy of it with each of the faults below must not. Reads the JSON alone, and shares no code
with what writes it."""

import argparse
import copy
import json
import math
import os
import re
import sys

IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
EXPECTED = {"holds": "consistent", "refuted": "refuted"}
PLANS = ("smoke", "ci", "nightly")


def measurement(evidence, key):
    return next((one["value"] for one in evidence["measurements"] if one["key"] == key), None)


def about_expectations(report):
    claims = {claim["id"]: claim for claim in report["claims"]}
    wrong = []
    for one in report["evidence"]:
        meets = one["verdict"] == EXPECTED[claims[one["claim"]]["expectation"]]
        wanted = None if one["verdict"] == "not_run" else meets
        if one["as_expected"] is not wanted:
            yield f'{one["claim"]}: as_expected is {one["as_expected"]}, but must be {wanted}'
        if one["as_expected"] is False:
            wrong.append(one["claim"])
    if wrong != [one["claim"] for one in report["summary"]["unexpected"]]:
        yield "summary: unexpected lists other claims than those whose as_expected is false"
    if report["summary"]["as_expected"] != sum(one["as_expected"] is True for one in report["evidence"]):
        yield "summary: as_expected is another number than that of the evidence"
    for verdict, count in report["summary"]["verdicts"].items():
        if count != sum(one["verdict"] == verdict for one in report["evidence"]):
            yield f"summary: {count} {verdict}, which the evidence has not"


def about_tightness(report):
    for one in report["evidence"]:
        value, verdict = one["tightness"], one["verdict"]
        if value is None:
            certified = one.get("strength") == "certified" and "estimate" not in one
            if verdict in ("consistent", "refuted") and not certified:
                yield f'{one["claim"]}: is {verdict}, but has no tightness'
        elif isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
            yield f'{one["claim"]}: tightness is {value!r}, no number'
        elif math.copysign(1, value) < 0:
            yield f'{one["claim"]}: tightness is {value}, below 0'
        elif (value > 1) != (verdict == "refuted"):
            yield f'{one["claim"]}: tightness is {value}, but the verdict {verdict}'


def about_the_pair_shown(report):
    for one in report["evidence"]:
        shown = measurement(one, "epsilon_on_the_pair_shown")
        if one["verdict"] != "refuted" or not isinstance(shown, (int, float)) or not one["reason"].startswith("Exact: "):
            continue
        for figure in (shown, one["estimate"]):
            if isinstance(figure, (int, float)) and f"{figure:.6g}" not in one["reason"] \
                    and not any(f"{figure:.6g}" in text for text in one["reason"].split()):
                yield f'{one["claim"]}: the reason does not say the {figure:.6g} of the pair that it speaks of'
        if shown != one["estimate"] and "another pair" not in one["reason"]:
            yield f'{one["claim"]}: the pair shown needs {shown}, the headline says {one["estimate"]}, and neither is labelled'


def about_keys(report):
    def walk(value, path):
        if isinstance(value, dict):
            for key, inner in value.items():
                if not IDENTIFIER.match(key):
                    yield f"{path}: the key '{key}' is no identifier"
                yield from walk(inner, f"{path}.{key}")
            if "key" in value and not (IDENTIFIER.match(value["key"]) and value.get("name")):
                yield f"{path}: the key '{value['key']}' is no identifier, or has no name"
        elif isinstance(value, list):
            keys = [one["key"] for one in value if isinstance(one, dict) and "key" in one]
            if len(keys) != len(set(keys)) and not path.endswith(".tables"):
                yield f"{path}: a key is there twice: {keys}"
            for k, inner in enumerate(value):
                yield from walk(inner, f"{path}[{k}]")
    yield from walk({key: report[key] for key in ("context", "summary", "claims", "evidence")}, "$")


def about_papers(report):
    names, keys = {}, {}
    for claim in report["claims"]:
        source = claim["source"]
        if names.setdefault(source["paper"], source["name"]) != source["name"]:
            yield f'{claim["id"]}: {source["paper"]} is spelt {source["name"]} and {names[source["paper"]]}'
        if keys.setdefault(source["name"], source["paper"]) != source["paper"]:
            yield f'{claim["id"]}: {source["name"]} has the keys {source["paper"]} and {keys[source["name"]]}'


def about_what_has_not_run(report):
    for one in report["evidence"]:
        if one["verdict"] != "not_run":
            if "run_by" in one:
                yield f'{one["claim"]}: has run, but run_by is {one["run_by"]}'
            continue
        plan = one.get("run_by")
        if plan not in PLANS or PLANS.index(plan) <= PLANS.index(report["context"]["plan"]):
            yield f'{one["claim"]}: has not run under {report["context"]["plan"]}, and run_by is {plan}'
        elif f"--plan {plan} " not in one["reason"] or f"--plan {plan} " not in one["reproduce"]:
            yield f'{one["claim"]}: reason or Reproduce line do not name the plan {plan}'


def about_order(report):
    ids = [claim["id"] for claim in report["claims"]]
    if ids != sorted(set(ids)) or ids != [one["claim"] for one in report["evidence"]]:
        yield "claims and evidence are not one to one, in the order of the ids"


def about_sources(report, sources):
    for claim in report["claims"]:
        place = claim.get("stated")
        if place is None:
            yield f'{claim["id"]}: nothing says where it is stated'
            continue
        try:
            with open(os.path.join(sources, place["file"]), encoding="utf-8") as file:
                lines = file.read().split("\n")
        except OSError:
            yield f'{claim["id"]}: is stated in {place["file"]}, which is not there'
            continue
        if not 1 <= place["line"] <= len(lines) or "add" not in lines[place["line"] - 1]:
            yield f'{claim["id"]}: is not stated in line {place["line"]} of {place["file"]}'


def complaints(report, sources):
    for rule in (about_order, about_expectations, about_tightness, about_the_pair_shown, about_keys,
                 about_papers, about_what_has_not_run):
        yield from rule(report)
    if sources:
        yield from about_sources(report, sources)


def one_of(report, **fields):
    for one in report["evidence"]:
        if all(one.get(key) == value for key, value in fields.items()):
            return one
    raise SystemExit(f"no evidence with {fields} to plant a fault in")


def plant_two_pairs(report):
    for one in report["evidence"]:
        shown = measurement(one, "epsilon_on_the_pair_shown")
        if one["verdict"] == "refuted" and one["reason"].startswith("Exact: ") and shown == one["estimate"]:
            one["estimate"] = 1000 + shown
            return
    raise SystemExit("no pair shown to plant a fault in")


FAULTS = {
    "a verdict that is called as expected and is not":
        lambda r: one_of(r, verdict="refuted").update(as_expected=False),
    "a summary of other counts": lambda r: r["summary"].update(as_expected=1),
    "a text for a number": lambda r: one_of(r, verdict="refuted").update(tightness="inf"),
    "a tightness below 1 of what is refuted": lambda r: one_of(r, verdict="refuted").update(tightness=0.9),
    "a tightness above 1 of what holds": lambda r: one_of(r, verdict="consistent").update(tightness=1.1),
    "a negative zero": lambda r: one_of(r, verdict="consistent").update(tightness=-0.0),
    "no tightness": lambda r: one_of(r, verdict="refuted").update(tightness=None),
    "a headline on another pair than the one shown": plant_two_pairs,
    "a key that is prose":
        lambda r: next(one for one in r["evidence"] if one["measurements"])["measurements"][0].update(key="its error"),
    "a key of an object that is prose": lambda r: r["evidence"][0].update({"largest left/right": 1}),
    "two spellings of a paper": lambda r: r["claims"][0]["source"].update(name="Somebody else"),
    "a plan that does not run it": lambda r: one_of(r, verdict="not_run").update(run_by="smoke"),
    "a Reproduce line that runs nothing":
        lambda r: one_of(r, verdict="not_run").update(reproduce="./dpverify verify --plan smoke "),
    "evidence on another claim": lambda r: r["evidence"].reverse(),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("report")
    parser.add_argument("--sources")
    parser.add_argument("--planted", action="store_true")
    arguments = parser.parse_args()
    with open(arguments.report, encoding="utf-8") as file:
        report = json.load(file)
    found = list(complaints(report, arguments.sources))
    for line in found:
        print(line)
    print(f'{len(report["evidence"])} claims, {len(found)} complaints')
    unseen = 0
    if arguments.planted:
        for name, plant in FAULTS.items():
            faulty = copy.deepcopy(report)
            plant(faulty)
            if not list(complaints(faulty, arguments.sources)):
                print(f"not seen: {name}")
                unseen += 1
        print(f"{len(FAULTS)} faults planted, {unseen} not seen")
    return 1 if found or unseen else 0


if __name__ == "__main__":
    sys.exit(main())
