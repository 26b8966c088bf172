#!/usr/bin/env python3
"""scripts/mutants.py [OPTION ...] - plants faults in the library and reports which the tests see.

A mutant is a file of lib/ or shaders/ with one small fault: another operator, a comparison that is
turned or off by one, another constant, a negated condition, or a call left out. The tests that
reach the line run until one fails, crashes or takes too long: it has seen the fault. A mutant that
no test sees has survived. Either a test is missing, or no test could see it; then tests/mutants.txt
has the reason. A mutant that does not compile, or compiles to the same code, is not counted, and
another is drawn.

Files are changed in copies of the tree, in a temporary folder. The commands of the compiler and
the linker are those of the Makefile. build/mutants has the results, from which an interrupted run
goes on, and the map of the lines that each test reaches. The first run measures the map.

Run it by `make mutants`. It needs the variables of `scripts/check.sh with`, as tests do."""
import argparse
import bisect
import concurrent.futures
import hashlib
import json
import os
import random
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

# ---- Faults

# Calls that give something back or take a lock. The sanitizers look for these: see make check-asan.
RETURNS = re.compile(r"free|destroy|release|close|lock|va_end|delete", re.IGNORECASE)
# Calls whose arguments are texts for people.
TEXTS = re.compile(r"\w*(?:_fail|_fail_\w+|_log|_error|assert|_NOT_NULL|printf|text_print)$")
AROUND = 20
SWAPPED = {
    "+": ["-"], "-": ["+"], "*": ["/"], "/": ["*"], "%": ["*"], "+=": ["-="], "-=": ["+="],
    "*=": ["/="], "/=": ["*="], "<<": [">>"], ">>": ["<<"], "&": ["|"], "|": ["&"],
    "<": ["<=", ">="], "<=": ["<", ">"], ">": [">=", "<="], ">=": [">", "<"],
    "==": ["!="], "!=": ["=="], "&&": ["||"], "||": ["&&"],
}
TOKEN = re.compile(r"""
    (?P<skip>//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')
  | (?P<directive>(?m:^)[ ]*\#(?:\\\n|[^\n])*)
  | (?P<number>0[xX][0-9a-fA-F]+[uUlL]*|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?[fFuUlL]*)
  | (?P<name>[A-Za-z_]\w*)
  | (?P<operator><<=|>>=|\+\+|--|->|&&|\|\||<<|>>|[-+*/%<>=!&|^]=|[-+*/%<>=!&|^~?:;,.(){}\[\]])
""", re.VERBOSE | re.DOTALL)


class Fault:
    """Characters first to last of a file become the text after."""

    def __init__(self, file, source, first, last, after):
        self.file = file
        self.first = first
        self.last = last
        self.after = after
        self.before = source[first:last]
        self.line = source.count("\n", 0, first) + 1
        begin = source.rfind("\n", 0, first) + 1
        end = source.find("\n", last)
        self.old_line = " ".join(source[begin:end].split())
        self.new_line = " ".join((source[begin:first] + after + source[last:end]).split())
        self.key = hashlib.sha256(
            f"{file}\n{source}\n{first} {last} {after}".encode()).hexdigest()[:16]

    def apply(self, source):
        return source[:self.first] + self.after + source[self.last:]

    def describe(self):
        """The file, the line, and the change with a few characters around it."""
        start = len(os.path.commonprefix([self.old_line, self.new_line]))
        end = len(os.path.commonprefix([self.old_line[start:][::-1], self.new_line[start:][::-1]]))
        first = max(0, start - AROUND)
        old, new = (line[first:len(line) - max(0, end - AROUND)]
                    for line in (self.old_line, self.new_line))
        return f"{self.file}:{self.line}: `{old}` -> `{new}`"


def find_tokens(source, is_shader):
    """Tokens (kind, text, first character). The bodies of macros are code in shaders alone."""
    tokens = []
    for match in TOKEN.finditer(source):
        kind, text, first = match.lastgroup, match.group(), match.start()
        if kind == "directive":
            head = re.match(r"\s*#\s*(?:define\s+\w+(?:\([^)]*\))?|(?:el)?if\b)", text)
            if is_shader and head:
                body = find_tokens(" " * head.end() + text[head.end():], False)
                tokens += [("directive", text[:head.end()], first)]
                tokens += [(kind, text, first + offset) for kind, text, offset in body]
                tokens += [("operator", ";", match.end())]
        elif kind != "skip":
            tokens.append((kind, text, first))
    return tokens


def closing(tokens, start):
    """The index of the parenthesis that closes the one at `start`."""
    depth = 0
    for index in range(start, len(tokens)):
        depth += {"(": 1, ")": -1}.get(tokens[index][1], 0)
        if depth == 0:
            return index
    return len(tokens) - 1


def other_numbers(text):
    """Constants next to a constant, or its negative."""
    match = re.fullmatch(r"(\d+)([uUlL]*)", text)
    if match:
        number = int(match.group(1))
        return [f"{near}{match.group(2)}" for near in (number + 1, number - 1) if near >= 0]
    if re.fullmatch(r"[\d.]+(?:[eE][-+]?\d+)?[fF]?", text):
        return [f"(1 + {text})", f"-{text}"] if float(text.rstrip("fF")) else [f"(1 + {text})"]
    return []


def find_faults(file, source):
    """All faults that the functions of a file can have."""
    is_shader = file.startswith("shaders/")
    tokens = find_tokens(source, is_shader)
    faults = []

    def add(first, last, after):
        faults.append(Fault(file, source, first, last, after))

    depth = 0
    skipped_until = -1
    in_directive = False
    for index, (kind, text, first) in enumerate(tokens):
        if kind == "directive":
            in_directive = True
        elif text == ";" and first < len(source) and source[first] != ";":
            in_directive = False
        if text in "{}" and not in_directive:
            depth += 1 if text == "{" else -1
        before = tokens[index - 1][1] if index else ""
        after = tokens[index + 1][1] if index + 1 < len(tokens) else ""
        if depth == 0 and not in_directive:
            is_body = False
            continue
        if depth == 1 and text == "{" and not in_directive:
            is_body = before == ")"  # and not a table or a structure
        if index <= skipped_until or not (in_directive or is_body):
            continue
        last = first + len(text)
        if kind == "name" and after == "(":
            end = closing(tokens, index + 1)
            if TEXTS.match(text):
                skipped_until = end
                continue
            ends = tokens[end + 1][1] if end + 1 < len(tokens) else ""
            if text == "if":
                inside = tokens[index + 1][2] + 1, tokens[end][2]
                add(*inside, f"!({source[inside[0]:inside[1]]})")
            elif before in (";", "{", "}", ")", "else") and ends == ";" and \
                    not RETURNS.search(text) and not text.isupper():
                add(first, tokens[end][2] + 1, ";" if is_shader else "(void)0")
            for one, other in (("min", "max"), ("max", "min")):
                if re.fullmatch(rf"\w*?_?f?{one}f?", text):
                    add(first, last, text.replace(one, other))
        elif kind == "operator" and text in SWAPPED and source[first - 1:first] == " " and \
                source[last:last + 1].isspace():
            for other in SWAPPED[text]:
                add(first, last, other)
        elif kind == "number" and not (before == "[" and is_declared(tokens, index)):
            for other in other_numbers(text):
                add(first, last, other)
    return faults


def is_declared(tokens, index):
    """Whether a number in brackets is the size of an array that is declared there."""
    kinds = [kind for kind, _, _ in tokens[index - 3:index]]
    return kinds[:2] == ["name", "name"] or tokens[index - 3][1] == "*"


def draw_faults(files, seed):
    """Faults of files in an order that the seed gives; a file has a share by its lines."""
    draw = random.Random(seed)
    left = {}
    for file in files:
        source = Path(file).read_text(encoding="utf-8")
        faults = find_faults(file, source)
        draw.shuffle(faults)
        if faults:
            left[file] = (source.count("\n"), faults)
    while left:
        names = list(left)
        file = draw.choices(names, [left[name][0] for name in names])[0]
        yield left[file][1].pop()
        if not left[file][1]:
            del left[file]


# ---- Commands of the Makefile

class Commands:
    """How objects of the library are compiled and test programs are linked."""

    def __init__(self, build):
        variables = {name: value for name, value in os.environ.items() if "MAKE" not in name}
        said = subprocess.run(["make", "-n", "-B", "V=1", "lib", "tests"], env=variables,
                              check=True, capture_output=True, text=True).stdout
        self.build = build
        self.compile = {}
        self.link = {}
        for line in said.replace("\\\n", " ").splitlines():
            command = shlex.split(line.rsplit("&&", 1)[-1])
            if "-c" in command and command[-2] == "-o":
                file = command[command.index("-c") + 1]
                if file.startswith(("lib/", f"{build}/generated/")):
                    self.compile[file] = [part for part in command[:-2]
                                          if part not in ("-g", "-MMD", "-MP")]
            elif "-o" in command:
                program = command[command.index("-o") + 1]
                if program.startswith(f"{build}/tests/test_"):
                    self.link[Path(program).name.removeprefix("test_")] = command

    def sources(self):
        return [file for file in self.compile if file.startswith("lib/")]

    def compiled(self, file, to, options=()):
        return [*self.compile[file], *options, "-o", str(to)]

    def time_of(self, test):
        """When a test program was compiled."""
        return Path(self.build, f"obj/tests/test_{test}.o").stat().st_mtime

    def linked(self, test, to, archive):
        """Objects or archives that come before the library replace those of the library."""
        command = list(self.link[test])
        command[command.index("-o") + 1] = str(to)
        place = next(index for index, part in enumerate(command) if "libglnn" in part)
        return command[:place] + [str(archive)] + command[place:]


# ---- Running a test

WAYS = {"": {}, "compute": {"GLNN_STAGE": "compute"}, "images": {"GLNN_WRITES": "images"},
        "targets": {"GLNN_TIER": "targets", "GLNN_TARGETS": "4"}}


class Stopped(Exception):
    """The run is interrupted."""


class Place:
    """A copy of the tree in which one mutant at a time is made and tested."""

    running = set()
    is_stopped = False

    def __init__(self, folder, build):
        self.folder = Path(folder)
        self.tree = self.folder / "tree"
        self.build = build
        files = subprocess.run(["git", "ls-files", "-z"], check=True, capture_output=True).stdout
        for name in files.decode().split("\0"):
            if name and Path(name).is_file():
                (self.tree / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(name, self.tree / name)
        (self.tree / build).parent.mkdir(parents=True, exist_ok=True)
        (self.tree / build).symlink_to(Path(build).absolute())

    def run(self, command, variables=None, seconds=600, to=subprocess.DEVNULL):
        """The status of a command, which is ended after a time of the processor or of the clock,
        and the seconds of the processor that it took."""
        if Place.is_stopped:
            raise Stopped

        def limit():
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

        # A group of its own, so that processes that it starts end with it.
        with subprocess.Popen(command, cwd=self.tree, env={**os.environ, **(variables or {})},
                              stdin=subprocess.DEVNULL, stdout=to, stderr=subprocess.STDOUT,
                              start_new_session=True, preexec_fn=limit) as process:
            Place.running.add(process)
            timer = threading.Timer(30 + 3 * seconds, kill, [process])
            timer.start()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            timer.cancel()
            kill(process)
            Place.running.discard(process)
        if Place.is_stopped:
            raise Stopped
        return process.returncode, usage.ru_utime + usage.ru_stime

    def run_test(self, program, way, seconds, more=None):
        """The status of a test program, its seconds, and its output. The cache of the library is
        new, because a mutant may have spoilt it; that of the driver is indexed by content."""
        fresh = self.folder / "fresh"
        shutil.rmtree(fresh, ignore_errors=True)
        for name in ("cache", "temporary", "shaders", "home"):
            (fresh / name).mkdir(parents=True)
        variables = {"XDG_CACHE_HOME": str(fresh / "cache"), "TMPDIR": str(fresh / "temporary"),
                     "HOME": str(fresh / "home"), "GLNN_DUMP_SHADERS": str(fresh / "shaders"),
                     "MESA_SHADER_CACHE_DIR": str(Path(self.build, "mutants/cache").absolute()),
                     "GLNN_SHADER_DIR": str(self.tree / "shaders"), **WAYS[way], **(more or {})}
        said = fresh / "output"
        with open(said, "wb") as to:
            status, taken = self.run([str(program)], variables, seconds, to)
        return status, taken, said.read_text(errors="replace")


def kill(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def stop(*_):
    Place.is_stopped = True
    for process in list(Place.running):
        kill(process)


def split_entry(entry):
    name, _, way = entry.partition("_in_")
    return name, way


# ---- The map of lines

class Map:
    """Which lines each test reaches, its seconds, and the files of shaders that it compiles."""

    def __init__(self, build):
        self.file = Path(build, "mutants/map.json")
        self.seconds = {}
        self.programs = {}  # the times when the measured test programs were compiled
        self.lines = {}   # of a file of lib/: for each test a number with a bit for each line
        self.known = {}   # of a file of lib/: the lines that have code, as such a number
        self.hashes = {}  # of a file when it was measured
        self.shaders = {}
        self.sizes = {}
        if self.file.exists():
            vars(self).update(json.loads(self.file.read_text()), file=self.file)
            for bits in (self.known, *self.lines.values()):
                bits.update({name: int(text, 16) for name, text in bits.items()})

    def save(self):
        written = {"seconds": self.seconds, "programs": self.programs, "shaders": self.shaders,
                   "hashes": self.hashes,
                   "known": {name: f"{bits:x}" for name, bits in self.known.items()},
                   "lines": {file: {test: f"{bits:x}" for test, bits in tests.items()}
                             for file, tests in self.lines.items()}}
        temporary = self.file.with_suffix(".new")
        temporary.write_text(json.dumps(written))
        temporary.rename(self.file)

    def covering(self, fault):
        """The tests that reach a line. Of a file that changed since, those that reach the file."""
        if fault.file.startswith("shaders/"):
            return [test for test, files in self.shaders.items() if fault.file in files]
        tests = self.lines.get(fault.file, {})
        if self.hashes.get(fault.file) != hash_of(fault.file):
            return [test for test, bits in tests.items() if bits]
        known = self.known[fault.file] & ((2 << fault.line) - 1)
        bit = 1 << max(known.bit_length() - 1, 0)  # a statement is counted at its first line
        return [test for test, bits in tests.items() if bits & bit and test in self.seconds]

    def size_of(self, test):
        """How many lines a test reaches."""
        if test not in self.sizes:
            self.sizes[test] = sum(tests.get(test, 0).bit_count() for tests in self.lines.values())
        return self.sizes[test]

    def order(self, fault, seen):
        """Those that saw faults of the file come first, then those that are fast and have much of
        the file in what they reach."""
        words = set(re.split(r"[/_.]", fault.file))

        def rank(test):
            name, way = split_entry(test)
            if fault.file in self.lines:
                share = self.lines[fault.file][test].bit_count() / self.size_of(test)
            else:
                share = 1 / len(self.shaders[test])
            likely = share * 10 ** len(words & set(name.split("_"))) * (0.3 if way else 1)
            likely *= 1 + 100 * seen.get((fault.file, test), 0)
            return (self.seconds[test] + 0.3) / (likely + 1e-6)

        return sorted(self.covering(fault), key=rank)


def hash_of(file):
    return hashlib.sha256(Path(file).read_bytes()).hexdigest()[:16]


def measure(places, commands, mapped, entries):
    """Runs all tests with a library that counts its lines."""
    folder = Path(commands.build, "mutants/coverage").absolute()
    folder.mkdir(exist_ok=True)
    sources = commands.sources()

    def object_of(file):
        return folder / (file.replace("/", "-")[:-2] + ".o")

    def compile_one(place, file):
        if not object_of(file).exists() or \
                object_of(file).stat().st_mtime < Path(file).stat().st_mtime:
            place.run(commands.compiled(file, object_of(file), ["--coverage", "-O1"]))

    def run_one(place, entry):
        name, way = split_entry(entry)
        program = place.folder / f"test_{name}"
        counts = place.folder / "counts"
        for file in counts.glob("*.gcda"):
            file.unlink()
        place.run([*commands.linked(name, program, archive), "--coverage"])
        status, taken, said = place.run_test(
            program, way, 900, {"GCOV_PREFIX": str(counts), "GCOV_PREFIX_STRIP": "99"})
        program.unlink()
        if status != 0:
            print(f"{entry} fails without a fault, so it is left out:\n{said[-2000:]}")
            return
        reached = read_counts(counts)
        texts = "".join(file.read_text() for file in (place.folder / "fresh/shaders").glob("*"))
        shaders = [file for file, head in heads.items() if head in texts]
        with lock:
            mapped.seconds[entry] = taken
            mapped.programs[entry] = commands.time_of(name)
            mapped.shaders[entry] = shaders
            for file, (known, bits) in reached.items():
                mapped.known[file] = known
                mapped.lines.setdefault(file, {})[entry] = bits
            mapped.save()
        print(f"measured {entry} ({taken:.1f} s)", flush=True)

    lock = threading.Lock()
    spread(places, compile_one, sources)
    archive = folder / "libcoverage.a"
    archive.unlink(missing_ok=True)
    subprocess.run(["ar", "rcs", archive, *map(object_of, sources)], check=True)
    for file in sources:
        mapped.hashes.setdefault(file, hash_of(file))
    # A shader is compiled if its first lines are in a text that the test wrote.
    heads = {file: "\n".join(Path(file).read_text(encoding="utf-8").split("\n")[:2])
             for file in shader_files()}
    for place in places:
        (place.folder / "counts").mkdir()
        for note in folder.glob("*.gcno"):
            (place.folder / "counts" / note.name).symlink_to(note)
    spread(places, run_one, entries)


def read_counts(folder):
    """For each file of lib/ that a program was linked with: its lines, and those that ran."""
    files = [str(file) for file in folder.glob("*.gcda")]
    if not files:
        return {}
    said = subprocess.run(["gcov", "--json-format", "--stdout", *files], cwd=folder, check=True,
                          capture_output=True, text=True).stdout
    reached = {}
    for line in said.splitlines():
        for file in json.loads(line)["files"]:
            known, bits = reached.get(file["file"], (0, 0))
            for of in file["lines"]:
                known |= 1 << of["line_number"]
                bits |= bool(of["count"]) << of["line_number"]
            reached[file["file"]] = known, bits
    return {file: counts for file, counts in reached.items() if file.startswith("lib/")}


def spread(places, action, items):
    """Calls an action for each item, as many at a time as there are places."""
    free = list(places)

    def work(item):
        place = free.pop()
        try:
            return action(place, item)
        finally:
            free.append(place)

    with concurrent.futures.ThreadPoolExecutor(len(places)) as pool:
        return list(pool.map(work, items))


# ---- Mutants

class Trial:
    """Makes mutants, and tests them."""

    def __init__(self, commands, mapped, seconds):
        self.commands = commands
        self.mapped = mapped
        self.seconds = seconds
        self.seen = {}
        self.objects = {}  # of files without a fault
        self.lock = threading.Lock()

    def object_of(self, place, file):
        with self.lock:
            if file not in self.objects:
                to = place.folder / "original.o"
                place.run(self.commands.compiled(file, to))
                self.objects[file] = to.read_bytes()
            return self.objects[file]

    def try_fault(self, place, fault):
        """None if it is not a mutant; else the test that sees it and how, or what passed."""
        path = place.tree / fault.file
        source = Path(fault.file).read_text(encoding="utf-8")
        path.write_text(fault.apply(source), encoding="utf-8")
        try:
            mutant = None
            if fault.file.startswith("lib/"):
                mutant = place.folder / "mutant.o"
                status, _ = place.run(self.commands.compiled(fault.file, mutant))
                if status != 0:
                    return None
                path.write_text(source, encoding="utf-8")
                original = self.object_of(place, fault.file)
                if mutant.read_bytes() == original:
                    return None
            return self.try_tests(place, fault, mutant)
        finally:
            path.write_text(source, encoding="utf-8")

    def try_tests(self, place, fault, mutant):
        passed = []
        left = self.seconds
        tests = self.mapped.order(fault, self.seen)
        for test in tests:
            usual = self.mapped.seconds[test]
            if passed and usual > left:
                continue
            left -= usual
            how = self.fails(place, test, mutant, int(10 + 5 * usual))
            if how == "is invalid":
                return None
            if how:
                with self.lock:
                    of = fault.file, test
                    self.seen[of] = self.seen.get(of, 0) + 1
                return {"seen": test, "how": how}
            passed.append(test)
        return {"passed": passed, "left": len(tests) - len(passed)}

    def fails(self, place, test, mutant, limit):
        name, way = split_entry(test)
        program = place.tree / self.commands.build / "tests" / f"test_{name}"
        if mutant:
            program = place.folder / f"test_{name}"
            status, _ = place.run(self.commands.linked(name, program, mutant))
            if status != 0:
                raise RuntimeError(f"test_{name} cannot be linked with a mutant")
        status, _, said = place.run_test(program, way, limit)
        if mutant:
            program.unlink(missing_ok=True)
        if not mutant and re.search(r"does not (?:compile|link): ", said):
            return "is invalid"
        if status < 0:
            return "time" if -status in (signal.SIGXCPU, signal.SIGKILL) else "crash"
        return "failure" if status else ""


class Results:
    """The results of all runs, a line of JSON for each mutant; the latest one counts."""

    def __init__(self, build):
        self.file = Path(build, "mutants/results.jsonl")
        self.of = {}
        if self.file.exists():
            for line in self.file.read_text(encoding="utf-8").splitlines():
                result = json.loads(line)
                self.of[result["key"]] = result
        self.lock = threading.Lock()

    def add(self, fault, result):
        result = {"key": fault.key, "file": fault.file, "line": fault.line,
                  "old": fault.old_line, "new": fault.new_line, **result}
        with self.lock, open(self.file, "a", encoding="utf-8") as to:
            to.write(json.dumps(result) + "\n")
            self.of[fault.key] = result
        return result


def read_reasons(path="tests/mutants.txt"):
    """The mutants that no test can see: (file, old line, new line)."""
    reasons = set()
    file = old = ""
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        if line.startswith(("lib/", "shaders/")):
            file = line.strip()
        elif line.startswith("- "):
            old = line[2:].strip()
        elif line.startswith("+ "):
            reasons.add((file, old, line[2:].strip()))
    return reasons


def check_reasons():
    """Whether each fault of tests/mutants.txt can still be planted."""
    is_current = True
    for file, old, new in sorted(read_reasons()):
        path = Path(file)
        faults = find_faults(file, path.read_text(encoding="utf-8")) if path.exists() else []
        if not any((fault.old_line, fault.new_line) == (old, new) for fault in faults):
            print(f"tests/mutants.txt: {file} cannot have this fault: `{old}` -> `{new}`")
            is_current = False
    return is_current


def say_result(number, fault, result, reasons):
    if "seen" in result:
        end = f"{result['how']} of {result['seen']}"
    elif (fault.file, fault.old_line, fault.new_line) in reasons:
        end = "cannot be seen (tests/mutants.txt)"
    elif not result["passed"]:
        end = "SURVIVED, no test reaches it"
    else:
        end = f"SURVIVED {len(result['passed'])} tests" + \
            (f", {result['left']} took too long" if result["left"] else "")
    print(f"{number:4} {fault.describe()}: {end}", flush=True)


def room_of(file):
    return "shaders" if file.startswith("shaders/") else file.split("/")[1]


def summarise(tried, reasons):
    """Prints the table of docs/trust.md and the survivors. True if there are none."""
    counts = {}
    survivors = []
    for number, (fault, result) in tried:
        of_room = counts.setdefault(room_of(fault.file), [0, 0, 0])
        if "seen" in result:
            of_room[0] += 1
        elif (fault.file, fault.old_line, fault.new_line) in reasons:
            of_room[1] += 1
        else:
            of_room[2] += 1
            survivors.append((number, fault, result))
    rows = sorted(counts.items())
    rows.append(("all", [sum(column) for column in zip(*counts.values())]))
    print("\n| room | mutants | seen | cannot be seen | survived | seen of those that can be |")
    print("|---|---|---|---|---|---|")
    for room, (seen, equal, left) in rows:
        share = f"{100 * seen / (seen + left):.0f} %" if seen + left else ""
        print(f"| {room} | {seen + equal + left} | {seen} | {equal} | {left} | {share} |")
    if survivors:
        print("\nSurvivors, in the form of tests/mutants.txt:")
    for number, fault, result in survivors:
        print(f"{fault.file}\n- {fault.old_line}\n+ {fault.new_line}\n"
              f"  (number {number}, line {fault.line}, {len(result['passed'])} tests passed)")
    return not survivors


def try_faults(places, trial, faults, results, arguments):
    """Tries faults in their order until so many are mutants: [(number, (fault, result))]."""
    tried = {}
    numbered = enumerate(faults)
    reasons = read_reasons()
    free = list(places)
    under_way = {}

    def judge(number, fault, result):
        if "invalid" not in result:
            tried[number] = fault, result
            say_result(number, fault, result, reasons)

    with concurrent.futures.ThreadPoolExecutor(len(places)) as pool:
        while True:
            while free and not Place.is_stopped and \
                    len(tried) + len(under_way) < arguments.count:
                number, fault = next(numbered, (None, None))
                if fault is None:
                    break
                known = results.of.get(fault.key)
                is_open = known and "passed" in known and \
                    (fault.file, fault.old_line, fault.new_line) not in reasons
                if known and not arguments.repeat and not (arguments.again and is_open):
                    judge(number, fault, known)
                    continue
                place = free.pop()
                under_way[pool.submit(trial.try_fault, place, fault)] = number, fault, place
            if not under_way:
                return sorted(tried.items())
            for done in concurrent.futures.wait(under_way, return_when="FIRST_COMPLETED").done:
                number, fault, place = under_way.pop(done)
                free.append(place)
                try:
                    result = results.add(fault, done.result() or {"invalid": True})
                    judge(number, fault, result)
                except Stopped:
                    pass


# ---- The command

def shader_files():
    return sorted(str(file) for file in Path("shaders").rglob("*") if file.is_file())


def parse():
    parser = argparse.ArgumentParser(description="Plants faults in the library, and reports which "
                                     "of them the tests see.")
    parser.add_argument("--build", default="build", help="the folder of the build (build)")
    parser.add_argument("--count", type=int, default=200, help="mutants (200)")
    parser.add_argument("--seed", type=int, default=1, help="chooses the mutants (1)")
    parser.add_argument("--files", nargs="+", default=["lib", "shaders"], metavar="PATH",
                        help="files or folders (lib shaders)")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count(),
                        help="mutants at a time (number of processors)")
    parser.add_argument("--seconds", type=float, default=120,
                        help="of tests for a mutant; tests that would exceed it are left out (120)")
    parser.add_argument("--again", action="store_true",
                        help="try former survivors without a reason once more")
    parser.add_argument("--repeat", metavar="FILE:LINE|NUMBER",
                        help="try this mutant of the seed, or all of a line, once more")
    parser.add_argument("--measure", nargs="*", metavar="TEST",
                        help="measure anew which lines tests reach, then stop; all, or these")
    parser.add_argument("--check", action="store_true",
                        help="only check that the faults of tests/mutants.txt can be planted")
    parser.add_argument("--ways", action="store_true",
                        help="measure and use the compute stage and images, too")
    return parser.parse_args()


def chosen_faults(arguments, sources):
    known = set(sources) | set(shader_files())
    files = sorted(file for file in known
                   if any(Path(file).is_relative_to(path) for path in arguments.files))
    if arguments.repeat and ":" in arguments.repeat:
        file, line = arguments.repeat.rsplit(":", 1)
        source = Path(file).read_text(encoding="utf-8")
        return [fault for fault in find_faults(file, source) if fault.line == int(line)]
    faults = draw_faults(files, arguments.seed)
    if arguments.repeat:
        return [fault for number, fault in zip(range(int(arguments.repeat) + 1), faults)][-1:]
    return faults


def list_entries(arguments):
    """Tests of examples start programs of the build, which have no fault. Of those of MPI, one
    waits for minutes until processes miss each other."""
    said = subprocess.run(["scripts/check.sh", "list", arguments.build], check=True,
                          capture_output=True, text=True).stdout.split()
    entries = []
    for entry in said:
        way, _, program = entry.rpartition(":")
        name = Path(program).name.removeprefix("test_")
        if (not way or arguments.ways) and not name.startswith(("examples_", "mpi_faults")):
            entries.append(f"{name}_in_{way}" if way else name)
    return entries


def main():
    arguments = parse()
    os.chdir(Path(__file__).parent.parent)
    if arguments.check:
        return 0 if check_reasons() else 1
    folder = Path(arguments.build, "mutants")
    folder.mkdir(exist_ok=True)
    signal.signal(signal.SIGINT, stop)
    signal.signal(signal.SIGTERM, stop)
    commands = Commands(arguments.build)
    mapped = Map(arguments.build)
    compiled = Path(arguments.build, "test-cache/mesa_shader_cache")
    if not (folder / "cache").exists() and compiled.exists():
        shutil.copytree(compiled, folder / "cache" / compiled.name)
    with tempfile.TemporaryDirectory(prefix="glnn-mutants.") as temporary:
        places = []
        for number in range(arguments.jobs):
            places.append(Place(Path(temporary, str(number)), arguments.build))
        entries = arguments.measure or [
            entry for entry in list_entries(arguments) if arguments.measure is not None or
            mapped.programs.get(entry) != commands.time_of(split_entry(entry)[0])]
        if arguments.measure == []:
            mapped.hashes.clear()
        try:
            if entries:
                measure(places, commands, mapped, entries)
        except Stopped:
            return 1
        if arguments.measure is not None:
            return 0
        trial = Trial(commands, mapped, arguments.seconds)
        tried = try_faults(places, trial, chosen_faults(arguments, commands.sources()),
                           Results(arguments.build), arguments)
    is_complete = summarise(tried, read_reasons()) if tried else True
    return 0 if is_complete and not Place.is_stopped else 1


if __name__ == "__main__":
    sys.exit(main())
