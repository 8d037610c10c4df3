#!/usr/bin/env python3
"""Reads what `dpverify report --format ...` wrote beside FOLDER/report.json, as others would, and compares it
with the report: read_formats.py FOLDER ANNOTATIONS [--sources FOLDER]

Prints what is wrong, one line each, and exits 1 if anything is. Of SARIF it asks what version 2.1.0 of the
standard demands of the parts that are used: no other properties, values of the right type, indices and bases
that resolve."""

import argparse
import json
import os
import re
import sys
import urllib.parse
import xml.etree.ElementTree as ElementTree

# Property by property what the standard allows in each object that is used here.
SARIF = {
    "log": {"$schema": str, "version": str, "runs": list},
    "run": {"tool": dict, "automationDetails": dict, "invocations": list, "originalUriBaseIds": dict,
            "columnKind": str, "results": list, "properties": dict},
    "driver": {"name": str, "semanticVersion": str, "rules": list},
    "rule": {"id": str, "shortDescription": dict, "help": dict, "defaultConfiguration": dict, "properties": dict},
    "result": {"ruleId": str, "ruleIndex": int, "kind": str, "level": str, "message": dict, "locations": list,
               "partialFingerprints": dict},
    "location": {"physicalLocation": dict, "logicalLocations": list},
    "physical": {"artifactLocation": dict, "region": dict},
    "artifact": {"uri": str, "uriBaseId": str},
    "region": {"startLine": int},
    "logical": {"fullyQualifiedName": str},
    "invocation": {"executionSuccessful": bool, "startTimeUtc": str, "toolExecutionNotifications": list},
    "notification": {"level": str, "message": dict},
}
LEVELS = ("none", "note", "warning", "error")
URI = re.compile(r"(?:[A-Za-z0-9\-._~!$&'()*+,;=@/]|%[0-9A-F]{2})+\Z")  # relative, of RFC 3986


def typed(value, kind, path):
    for name, inner in value.items():
        if name not in SARIF[kind]:
            yield f"{path}.{name} is no property of a SARIF {kind}"
        elif not isinstance(inner, SARIF[kind][name]) or isinstance(inner, bool) != (SARIF[kind][name] is bool):
            yield f"{path}.{name} is {inner!r}"


def about_location(location, run, sources, path):
    yield from typed(location, "location", path)
    for logical in location.get("logicalLocations", []):
        yield from typed(logical, "logical", path)
    physical = location.get("physicalLocation")
    if physical is None:
        return
    artifact, region = physical["artifactLocation"], physical["region"]
    for value, kind in ((physical, "physical"), (artifact, "artifact"), (region, "region")):
        yield from typed(value, kind, path)
    if not URI.match(artifact["uri"]) or artifact["uri"].startswith("/"):
        yield f"{path}: {artifact['uri']} is no relative URI"
    if artifact["uriBaseId"] not in run["originalUriBaseIds"]:
        yield f"{path}: the base {artifact['uriBaseId']} is not defined"
    file = os.path.join(sources or "", urllib.parse.unquote(artifact["uri"]))
    if sources and not (os.path.isfile(file) and
                        1 <= region["startLine"] <= len(open(file, encoding="utf-8").readlines())):
        yield f"{path}: there is no line {region['startLine']} in {file}"


def about_sarif(log, report, sources):
    yield from typed(log, "log", "$")
    if log["version"] != "2.1.0" or len(log["runs"]) != 1:
        yield "$ is not one run of version 2.1.0"
    run = log["runs"][0]
    yield from typed(run, "run", "run")
    driver = run["tool"]["driver"]
    yield from typed(driver, "driver", "driver")
    ids = [rule["id"] for rule in driver["rules"]]
    if len(ids) != len(set(ids)):
        yield "two rules have one id"
    for rule in driver["rules"]:
        yield from typed(rule, "rule", rule["id"])
    for invocation in run["invocations"]:
        yield from typed(invocation, "invocation", "invocation")
        if not re.match(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\Z", invocation["startTimeUtc"]):
            yield f"invocation: startTimeUtc is {invocation['startTimeUtc']}"
        if invocation["executionSuccessful"] != ("partial" not in report):
            yield "invocation: executionSuccessful is not what the report says"
        for notification in invocation.get("toolExecutionNotifications", []):
            yield from typed(notification, "notification", "notification")
    for result in run["results"]:
        path = result.get("ruleId", "a result")
        yield from typed(result, "result", path)
        if driver["rules"][result["ruleIndex"]]["id"] != result["ruleId"]:
            yield f"{path}: ruleIndex is that of another rule"
        if result["level"] not in LEVELS or result["kind"] != "fail" or result["level"] == "none":
            yield f"{path}: level {result['level']} of kind {result['kind']}"
        if not result["message"].get("text") or not result["locations"]:
            yield f"{path}: no message, or no location"
        for location in result["locations"]:
            yield from about_location(location, run, sources, path)
    severity = {claim["id"]: claim["finding"]["severity"] for claim in report["claims"] if "finding" in claim}
    wanted = {one["claim"]: "warning" if one["verdict"] == "inconclusive" else "error"
              for one in report["evidence"] if one["as_expected"] is False}
    wanted |= {one["claim"]: "note" for one in report["evidence"]
               if one["as_expected"] and one["verdict"] == "refuted" and one["claim"] in severity}
    if {result["ruleId"]: result["level"] for result in run["results"]} != wanted:
        yield "the results are not the unexpected verdicts and, as notes, the findings"
    for rule in driver["rules"]:
        found = [tag for tag in rule["properties"]["tags"] if tag.startswith("finding/")]
        if found != ([f"finding/{severity[rule['id']]}"] if wanted.get(rule["id"]) == "note" else []):
            yield f"{rule['id']}: its tags say {found}"


def about_junit(file, report):
    counts = {"tests": 0, "failures": 0, "errors": 0, "skipped": 0}
    outcome = {}
    root = ElementTree.parse(file).getroot()
    for suite in root.iter("testsuite"):
        for case in suite.iter("testcase"):
            counts["tests"] += 1
            problems = [child.tag for child in case]
            outcome[f'{case.get("classname")}.{case.get("name")}'] = problems[0] if problems else "passed"
            for tag, count in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
                counts[count] += problems.count(tag)
    for name, count in counts.items():
        if int(root.get(name)) != count:
            yield f"testsuites: {name} is {root.get(name)}, but there are {count}"
    for one in report["evidence"]:
        wanted = {"error": "error", "inconclusive": "skipped", "not_run": "skipped"}.get(
            one["verdict"], "passed" if one["as_expected"] else "failure")
        if outcome.get(one["claim"]) != wanted:
            yield f'{one["claim"]}: is {outcome.get(one["claim"])}, but must be {wanted}'


def about_annotations(text, report):
    kinds = {"error": "error", "inconclusive": "warning"}
    wanted = {one["claim"]: kinds.get(one["verdict"], "error") for one in report["evidence"]
              if one["as_expected"] is False}
    seen = {}
    for line in text.splitlines():
        match = re.match(r"::(error|warning) ([^:]*)::(.+)\Z", line)
        if not match:
            yield f"no annotation: {line}"
            continue
        fields = dict(part.split("=", 1) for part in match[2].split(","))
        seen[urllib.parse.unquote(fields["title"])] = match[1]
    seen.pop("dpverify", None)  # of a time limit
    if seen != wanted:
        yield f"the annotations are {seen}, but must be {wanted}"


def about_markdown(text, report):
    if len(text.encode()) >= 1 << 20:
        yield f"the summary has {len(text.encode())} bytes"
    wrong = [one["claim"] for one in report["evidence"] if one["as_expected"] is False]
    for claim in wrong[:50]:
        if f"`{claim}`" not in text:
            yield f"the summary does not name {claim}"
    if "<script" in text or "<img" in text:
        yield "the summary holds markup of a text"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("annotations")
    parser.add_argument("--sources")
    arguments = parser.parse_args()

    def read(name):
        with open(os.path.join(arguments.folder, name), encoding="utf-8") as file:
            return file.read()

    report = json.loads(read("report.json"))
    with open(arguments.annotations, encoding="utf-8") as file:
        annotations = file.read()
    wrong = [*about_sarif(json.loads(read("report.sarif")), report, arguments.sources),
             *about_junit(os.path.join(arguments.folder, "report.junit.xml"), report),
             *about_annotations(annotations, report), *about_markdown(read("report.md"), report)]
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
