"""The copy of the project in which the mutants are, its build, and which mutants each test reaches."""

import concurrent.futures
import dataclasses
import hashlib
import json
import math
import os
import random
import re
import resource
import signal
import subprocess
import tempfile
import threading

import mutants

FOLDERS = ("algorithms", "properties", "audits", "bench", "reports")
KINDS = ("comparison", "arithmetic", "dropped term", "extreme", "logic", "sign", "constant")
FILES_OF_A_FOLDER = 3
WORKERS = os.cpu_count() or 1


def run(command, **options):
    return subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)


def is_of_the_steps(file, files):
    """An algorithm's steps: NAME.cpp of a paper's room beside the NAME_claims of it, and what several papers share."""
    stem, ending = os.path.splitext(file)
    if ending != ".cpp":
        return False
    return (f"{stem}_claims.cpp" in files or f"{stem}_claims.hpp" in files or
            os.path.dirname(file) == "algorithms/mechanisms" and not re.search(r"_(lemmas|rates)$", stem))


def find_in(arguments):
    root, command, file = arguments
    finder = mutants.Finder(root, {file})
    finder.unit(command["command"], command["directory"])
    return list(finder.mutants.values())


class Copy:
    """Of the project at `root`, in `tree`: with switches where `mutants` are, otherwise as it is."""

    def __init__(self, root, work, preset):
        self.root, self.work, self.preset = os.path.realpath(root), os.path.realpath(work), preset
        self.tree = os.path.join(self.work, "tree")
        self.build = os.path.join(self.tree, "build", preset)
        listed = run(["git", "-C", self.root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"], check=True)
        self.files = {f for f in listed.stdout.split("\0") if f and os.path.isfile(os.path.join(self.root, f))}
        self.mutants = []
        self.refused = []  # mutants that do not compile

    def write(self):
        of_file = {}
        for mutant in self.mutants:
            of_file.setdefault(mutant.file, []).append(mutant)
        for file in sorted(self.files):
            with open(os.path.join(self.root, file), "rb") as stream:
                content = stream.read()
            if file in of_file:
                content = mutants.switched(content, of_file[file])
            self.replace(file, content)
        for folder, folders, names in os.walk(self.tree):
            if folder == self.tree:
                folders[:] = [f for f in folders if f != "build"]
            for name in names:
                path = os.path.join(folder, name)
                if os.path.relpath(path, self.tree) not in self.files:
                    os.remove(path)

    def replace(self, file, content):  # only what differs, so that nothing else is built again
        path = os.path.join(self.tree, file)
        if os.path.isfile(path):
            with open(path, "rb") as stream:
                if stream.read() == content:
                    return
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as stream:
            stream.write(content)
        os.chmod(path, os.stat(os.path.join(self.root, file)).st_mode)

    def configure(self, folder, *options):
        done = run(["cmake", "-S", ".", "-B", folder, "--preset", self.preset, *options], cwd=self.tree)
        if done.returncode != 0:
            raise RuntimeError(done.stdout)

    def compile_commands(self):
        """By file, as they would be for the original: libclang reads that one."""
        each = os.path.join(self.tree, "build", "each")
        self.configure(each, "-DDPVERIFY_GROUPS=OFF")
        with open(os.path.join(each, "compile_commands.json")) as stream:
            commands = json.load(stream)
        of_file = {}
        for command in commands:
            file = os.path.relpath(command["file"], self.tree)
            # What bench/speed checks is checked when it runs, by its own program.
            if file.split(os.sep)[0] in FOLDERS and not file.endswith("_test.cpp") and not file.startswith("bench/speed/"):
                command["command"] = command["command"].replace(f"-I{self.tree} ", f"-I{self.root} ").replace(
                    f"-c {self.tree}/{file}", f"-c {self.root}/{file}")
                of_file[file] = command
        return of_file

    def digest(self, *options):
        """Of all that the choice of mutants depends on."""
        digest = hashlib.sha256(repr(options).encode())
        own = [os.path.join(os.path.dirname(os.path.realpath(__file__)), name) for name in ("mutants.py", "build.py")]
        sources = sorted(os.path.join(self.root, f) for f in self.files if f.split("/")[0] in FOLDERS)
        for path in own + [s for s in sources if not re.search(r"(_test\.cpp|/test_[^/]*)$", s)]:
            with open(path, "rb") as stream:
                digest.update(path.encode() + stream.read())
        return digest.hexdigest()

    def choose(self, seed, of_each_folder):
        """All constants of the steps, and of each folder a sample: of some files, of each kind in turn."""
        commands = self.compile_commands()
        folders = {}
        for file in sorted(commands):
            folders.setdefault(os.path.dirname(file), []).append(file)
        steps = [file for file in sorted(commands) if is_of_the_steps(file, self.files)]
        sampled = {}
        for folder, files in folders.items():
            random.Random(f"{seed} {folder}").shuffle(files)
            sampled[folder] = files[:FILES_OF_A_FOLDER]
        read = sorted({*steps, *(f for files in sampled.values() for f in files)})
        with concurrent.futures.ProcessPoolExecutor(WORKERS) as pool:
            found = dict(zip(read, pool.map(find_in, [(self.root, commands[f], f) for f in read])))
        chosen = [m for file in steps for m in found[file] if m.kind == "constant"]
        for folder, files in sampled.items():
            pool = [m for f in files for m in found[f] if not (f in steps and m.kind == "constant")]
            chosen += in_turn(pool, of_each_folder, random.Random(f"{seed} {folder} mutants"))
        chosen.sort(key=lambda m: (m.file, m.start, -m.end, m.mutated))
        for number, mutant in enumerate(chosen):
            mutant.id = number
        self.mutants, self.count = chosen, len(chosen)

    def compile(self, targets):
        """Leaves out, until the rest compiles, the mutants of the lines that the compiler complains about."""
        sources = self.digest()
        while True:
            self.write()
            if self.digest() != sources:
                raise RuntimeError("a source has changed since the mutants were chosen: start again")
            done = run(["ninja", "-k", "0", "-j", str(WORKERS), *targets], cwd=self.build)
            if done.returncode == 0:
                return
            lines = set()
            for path, line in re.findall(r"^(\S+?):(\d+):(?:\d+:)? (?:error|.*required from)", done.stdout, re.M):
                lines.add((os.path.relpath(os.path.join(self.build, path), self.tree), int(line)))
            wrong = [m for m in self.mutants if any((m.file, n) in lines for n in range(m.line, m.line + 8))
                     and self.touches(m, lines)]
            if not wrong:
                raise RuntimeError(done.stdout)
            self.refused += wrong
            refused = {m.id for m in wrong}
            self.mutants = [m for m in self.mutants if m.id not in refused]

    def touches(self, mutant, lines):
        with open(os.path.join(self.root, mutant.file), "rb") as stream:
            last = mutant.line + stream.read()[mutant.start:mutant.end].count(b"\n")
        return any((mutant.file, n) in lines for n in range(mutant.line, last + 1))


def in_turn(pool, count, generator):
    kinds = {kind: [m for m in pool if m.kind == kind] for kind in KINDS}
    for list_of_kind in kinds.values():
        generator.shuffle(list_of_kind)
    chosen = []
    while len(chosen) < count and any(kinds.values()):
        for kind in KINDS:
            if kinds[kind] and len(chosen) < count:
                chosen.append(kinds[kind].pop())
    return chosen


@dataclasses.dataclass
class Outcome:
    code: int  # below 0: ended by a signal, as by the one that says that the time is over
    seconds: float  # of the processor
    output: str


def start(command, folder, limit, **environment):
    """With its own group, so that its children end with it; not more than 6 GiB of memory and, so that other work on the
    machine does not matter, so many seconds of the processor. What sleeps ends after an hour."""

    def limits():
        resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(limit), math.ceil(limit) + 5))
        resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    with tempfile.TemporaryFile("w+", errors="replace") as output:
        process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                                   env={**os.environ, **environment}, preexec_fn=limits, process_group=0)
        watch = threading.Timer(3600, os.killpg, (process.pid, signal.SIGKILL))
        watch.start()
        _, status, usage = os.wait4(process.pid, 0)
        watch.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        try:
            os.killpg(process.pid, signal.SIGKILL)  # its children
        except ProcessLookupError:
            pass
        output.seek(0)
        return Outcome(process.returncode, usage.ru_utime + usage.ru_stime, output.read())
