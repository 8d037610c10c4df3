"""Runs the tests, or `verify`, once for each mutant."""

import concurrent.futures
import os
import re
import tempfile

from build import WORKERS, start

# The tests that reach a mutant, quick ones first: one process for as many as take so many seconds together.
BATCHES = (1, 5, 20, float("inf"))


class Tests:
    def __init__(self, copy):
        self.copy = copy
        self.program = os.path.join(copy.build, "dpverify_tests")
        self.seconds = {}  # of each test, without a mutant
        self.reached = {}  # by each test: ids of mutants
        self.left_out = []

    def names(self):
        listed = start([self.program, "--gtest_list_tests"], self.copy.build, 60)
        suite, names = "", []
        for line in listed.output.splitlines():
            name = line.split("#")[0].strip()
            if not line.startswith(" "):
                suite = name
            elif "DISABLED_" not in suite + name:
                names.append(suite + name)
        return names

    def look(self, name):
        with tempfile.NamedTemporaryFile() as notes:
            notes.truncate(self.copy.count)
            os.chmod(notes.name, 0o666)  # a test may have become a lesser user before it reaches a mutant
            done = start([self.program, f"--gtest_filter={name}"], self.copy.build, 3600, DPVERIFY_REACHED=notes.name)
            if done.code != 0:
                raise RuntimeError(f"{name} fails without a mutant:\n{done.output}")
            self.seconds[name] = done.seconds
            self.reached[name] = {k for k, byte in enumerate(notes.read()) if byte}

    def look_at_all(self):
        with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
            list(pool.map(self.look, self.names()))

    def leave_for_the_last_longer_than(self, seconds):
        """They are run only for the mutants that no other test kills."""
        self.left_out = sorted(name for name, taken in self.seconds.items() if taken > seconds)

    def batches(self, mutant, first):
        names = [n for n in self.seconds if mutant.id in self.reached[n]]
        names.sort(key=lambda n: (n != first, n in self.left_out, self.seconds[n]))
        if first in names:
            yield names[:1]
            names = names[1:]
        at, taken, batch = 0, 0.0, []
        for name in names:
            batch.append(name)
            taken += self.seconds[name]
            if taken >= BATCHES[at]:
                yield batch
                at, taken, batch = at + 1, 0.0, []
        if batch:
            yield batch

    def killer(self, mutant, first=None):
        """The test that fails with this mutant: "" if none does, None if none reaches it. First, one that is to be
        run before the others."""
        none = None
        for batch in self.batches(mutant, first):
            none = ""
            with tempfile.NamedTemporaryFile("w") as flags:
                flags.write(f"--gtest_filter={':'.join(batch)}\n--gtest_fail_fast\n")
                flags.flush()
                limit = 5 + 10 * sum(self.seconds[n] for n in batch)
                done = start([self.program, f"--gtest_flagfile={flags.name}"], self.copy.build, limit,
                             DPVERIFY_MUTANT=str(mutant.id))
            if done.code != 0:
                # Those that are skipped after a failure begin as well.
                failed = re.findall(r"^\[  FAILED  \] ([^ ,]+)", done.output, re.M)
                begun = re.findall(r"^\[ RUN      \] (\S+)", done.output, re.M)
                return (failed or begun[-1:] or batch)[0]
        return none


def claims_of(file):
    """The claims about the algorithm whose steps are in the file."""
    room, name = file.split("/")[1], os.path.splitext(os.path.basename(file))[0]
    return f"*.{name}.*" if room == "mechanisms" else f"{room}.{name}*"


def verify(copy, plan, claims, mutant=None):
    """The exit code of `dpverify verify`, and what it says; with a mutant's id, with that mutant."""
    environment = {} if mutant is None else {"DPVERIFY_MUTANT": str(mutant)}
    with tempfile.TemporaryDirectory() as out:
        return start([os.path.join(copy.build, "dpverify"), "verify", "--plan", plan, "--only", claims, "--out", out],
                     copy.build, 3600, **environment)
