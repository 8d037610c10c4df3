"""Writes docs/mutation.md."""

import json
import os
import random
import re
import textwrap

from mutants import Mutant

HEAD = """# What the tests see

Written by `tests/mutation/run`, which `.ci/nightly` starts, at commit {commit}. It puts small faults into the sources,
one at a time: a number is another one, `<` is `<=`, `+` is `-`, `a * b` is `a`, `min` is `max`. A fault (a *mutant*) that
makes a test fail, crash, or run ten times longer is killed; a mutant that no test minds, or that no test reaches,
survives. All mutants are in one build, each behind a switch, in a copy of the project in `build/mutation`; the sources
know nothing of them. A test is run for the mutants that it reaches, known from a run of each test by itself; the few
tests that take more than {longest:g} s are run only for what no other test kills. Left alone is what the compiler evaluates:
`constexpr`, arguments of templates, case labels; and `bench/speed`, which checks its kernels in a program of its own.

```sh
tests/mutation/run             # all of it; of the tests alone 7 minutes of processor time
tests/mutation/run --help      # its parts: build, tests, verify, document
```

Chosen were {chosen} mutants with seed {seed}: every numeric constant of every algorithm's steps (`NAME.cpp` of a
paper's room beside its `NAME_claims`, and `algorithms/mechanisms/`), and of each folder {sample} more, of up to three files
and of each kind in turn, both at random. A whole number becomes one more, another number twice as large, and a tolerance
or a limit (below 1e-5 or from 1e5 on) a thousand times as large or as small. {refused} did not compile and are left out.
"""


def changed_line(mutant, root):
    with open(os.path.join(root, mutant.file), encoding="utf-8") as stream:
        return stream.read().splitlines()[mutant.line - 1].strip()


def sample_for_verify(copy, seed, count, is_of_the_steps):
    """Constants of what a run goes through (sensitivities, budgets, noise, steps), an algorithm at a time; not of the
    checks of arguments, of the theorems' parameters and of their bounds."""
    of_file = {}
    for mutant in copy.mutants:
        if (is_of_the_steps(mutant.file, copy.files) and "/mechanisms/" not in mutant.file and mutant.kind == "constant" and
                not re.search("validate|bound|from_|balanced", mutant.function) and
                "require(" not in changed_line(mutant, copy.root)):
            of_file.setdefault(mutant.file, []).append(mutant)
    generator = random.Random(f"{seed} verify")
    queues = [of_file[file] for file in sorted(of_file)]
    generator.shuffle(queues)
    for queue in queues:
        generator.shuffle(queue)
    rounds = [queue[k] for k in range(max(map(len, queues), default=0)) for queue in queues if k < len(queue)]
    return rounds[:count]


def share(killed, survived):
    return f"{100 * killed / (killed + survived):.1f} %" if killed + survived else "-"


def table(heading, groups):
    lines = [f"| {heading} | mutants | killed | survived | equivalent | score |", "|---|---|---|---|---|---|"]
    for name, (killed, survived, equivalent) in groups:
        lines.append(f"| {name} | {killed + survived + equivalent} | {killed} | {survived} | {equivalent} | "
                     f"{share(killed, survived)} |")
    return lines


def counts(judged, key):
    groups = {}
    for mutant, verdict in judged:
        group = groups.setdefault(key(mutant), [0, 0, 0])
        group[("killed", "survived", "equivalent").index(verdict)] += 1
    return sorted(groups.items())


def code(text):
    return "`" + text.replace("|", "\\|") + "`"


def cell(mutant):
    old, new = mutant.change.split(" -> ") if mutant.change.count(" -> ") == 1 else (mutant.change, "")
    short = [t if len(t) <= 90 else t[:60] + " ... " + t[-25:] for t in (old, new) if t]
    return " becomes ".join(code(t) for t in short)


def write(options, work):
    kept, tests = work.get("mutants"), work.get("tests")
    found = [Mutant(**m) for m in kept["mutants"]]
    with open(os.path.join(options.root, "tests/mutation/equivalent.json"), encoding="utf-8") as stream:
        equivalents = json.load(stream)
    judged, survivors, same, unused = [], [], [], list(equivalents)
    for mutant in found:
        killer = tests["killers"][f"{mutant.file} {mutant.start} {mutant.change}"]
        line = changed_line(mutant, options.root)
        reason = next((e for e in equivalents if (e["file"], e["line"], e["change"]) ==
                       (mutant.file, line, mutant.change)), None)
        if killer:
            judged.append((mutant, "killed"))
            continue
        if reason:
            unused = [e for e in unused if e is not reason]
        judged.append((mutant, "equivalent" if reason else "survived"))
        if reason:
            same.append((mutant, line, reason["reason"]))
        else:
            survivors.append((mutant, line, "no test reaches it" if killer is None else "no test fails"))
    killed = sum(verdict == "killed" for _, verdict in judged)
    score = killed / max(1, killed + len(survivors))
    lines = HEAD.format(chosen=kept["count"], refused=len(kept["refused"]),
                        longest=tests["longest"], **{k: kept[k] for k in ("commit", "seed", "sample")}).splitlines()
    lines += ["", f"**{killed} of {killed + len(survivors)} killed: {100 * score:.1f} %**, by {tests['tests']} tests of GoogleTest; "
              f"{len(same)} more are equivalent.", ""]
    lines += table("folder", counts(judged, lambda m: os.path.dirname(m.file))) + [""]
    lines += table("kind", counts(judged, lambda m: m.kind))
    lines += ["", "## By verify alone", ""]
    seen, enough = verified(found, work, lines)
    lines += ["", "## Survivors", ""]
    if survivors:
        lines += ["| where | what | in | |", "|---|---|---|---|"]
        lines += [f"| {m.place()} | {cell(m)} | {code(line)} | {why} |" for m, line, why in survivors]
    else:
        lines += ["None."]
    lines += ["", "## Equivalent", "", "No test can see these; kept in `tests/mutation/equivalent.json`.", ""]
    lines += ["| where | what | in | why |", "|---|---|---|---|"]
    lines += [f"| {m.place()} | {cell(m)} | {code(line)} | {why} |" for m, line, why in same]
    path = os.path.join(options.root, "docs/mutation.md")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as stream:
        stream.write("\n".join(lines) + "\n")
    for entry in unused:
        print(f"mutation: not needed in equivalent.json: {entry['file']}: {entry['change']}")
    print(f"mutation: {killed} of {killed + len(survivors)} killed, verify sees {seen}; written to {path}")
    return 0 if score >= options.least and enough >= options.least_verified else 1


def verified(found, work, lines):
    kept = work.get("verify", {"plans": "", "seen": []})
    if not kept["seen"]:
        lines.append("Not measured.")
        return "nothing", 1
    of_id = {m.id: m for m in found}
    kept["seen"] = [s for s in kept["seen"] if s["plan"]]  # fewer, if the measurement was cut short
    count = sum(s["code"] != 0 for s in kept["seen"])
    score = f"{count} of {len(kept['seen'])}"
    words = (f"`dpverify verify`, of the algorithm's claims alone, does not end with exit code 0 for **{score}** mutants of the "
             "constants that a run goes through: sensitivities, budgets, noise and steps, not the checks of arguments, the "
             "theorems' parameters and their bounds; an algorithm at a time, at random. Plans: "
             f"{kept['plans'].replace(',', ', and where that sees nothing ')}. Where the constant stands for more noise or a "
             "smaller step than the paper's, every claim of privacy stays true, and only a claim that the noise is attained, "
             "or a rate, can mind.")
    lines += [*textwrap.wrap(words, 120, break_on_hyphens=False), "",
              "| where | what | claims | seen by |", "|---|---|---|---|"]
    for s in kept["seen"]:
        mutant = of_id[s["id"]]
        other = f"signal {-s['code']}" if s["code"] < 0 else f"exit code {s['code']}"
        told = {0: "no", 1: s["plan"]}.get(s["code"], "ended by " + other)
        lines.append(f"| {mutant.place()}, `{mutant.function}` | {cell(mutant)} | {code(s['claims'])} | {told} |")
    return score, count / len(kept["seen"])
