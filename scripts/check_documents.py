#!/usr/bin/env python3
"""scripts/check_documents.py BUILD [DOCUMENT...] - runs what the documents show.

In a copy of the tree, with what is built in BUILD, it runs the commands of all documents as they
stand: blocks of code that begin with a command, and commands within sentences and tables. Programs
in C and C++ are built against the installed library and run. Excerpts of code have to be in a file
of the tree, and links within the tree have to lead to a file and a heading. EXCEPTIONS has the
commands that run in another form, and why.

Commands find a small data set of digits and tables as CSV files, so that a training takes a moment.
With -v the script prints each command and the seconds of processor time that it took."""
import gzip
import os
import random
import re
import struct
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

# (a regular expression, the replacement, the reason). The first that matches a command counts; an
# empty replacement leaves the command out.
EXCEPTIONS = [
    (r"^make check$", "", "runs this script"),
    (r"^make check-(all|asan|tsan|ubsan)$", "", "builds everything anew"),
    (r"^scripts/check_matrix.sh\b", "", "builds everything anew and runs for hours"),
    (r"^make check-drivers\b", "", "installs packages and runs for minutes"),
    (r"^make (deb|check-deb|check-abi)$", r"make -n \1", "needs Debian; part of make check-all"),
    (r"^make fuzz\b", "", "builds everything anew and runs for minutes"),
    (r"^make mutants\b.*", "scripts/mutants.py --check", "tests hundreds of faults"),
    (r"^make docs$", "", "a check of its own"),
    (r"^make (web|check-web|web-pages|bench-web)$", r"make -n \1", "needs Emscripten or a browser"),
    (r"^make selftest$", "make -n selftest", "tests/test_selftest runs it"),
    (r"^make bench\b", "", "measures for minutes"),
    (r"^make CC=clang (.*)", r"make -n CC=clang \1", "builds everything anew; also in make check"),
    (r"^make WITHOUT=(.*)", r"make -n WITHOUT=\1", "builds everything anew; also in make check"),
    (r"^make MPI=mpich$", "make -n MPI=mpi-c", "needs MPICH; the other name is Open MPI's"),
    (r"^(?:sudo )?make (un)?install\b", r'make -s \1install PREFIX="$STAGE"', "needs root"),
    (r"^sudo ldconfig", "", "needs root"),
    (r"^(.*build/bench/|^)(bench_\w+)( .*)?$", r"offers build/bench/\2 \3", "measures for minutes"),
    (r"^(.*)build/bench/trainings\b", "build/bench/trainings --help", "trains for minutes"),
    (r"^build/bench/scale_model .*", "build/bench/scale_model --help",
     "needs results of benchmarks"),
    (r"^bench/plot/([\w.]+).*", r"test -x bench/plot/\1", "needs results of benchmarks"),
    (r"^python3 examples/pytorch.py .*", "python3 -m py_compile examples/pytorch.py",
     "needs PyTorch; tests/test_pytorch runs it"),
    (r"^python3 bench/torch_mlp.py", "python3 -m py_compile bench/torch_mlp.py", "needs PyTorch"),
    (r"^/usr/bin/python3 bench/sklearn_tables.py",
     "python3 -m py_compile bench/sklearn_tables.py", "needs scikit-learn"),
    (r"^python3 bench/torch_conv.py", "python3 -m py_compile bench/torch_conv.py", "needs PyTorch"),
    (r"^python3 bench/torch_recurrent.py", "python3 -m py_compile bench/torch_recurrent.py",
     "needs PyTorch"),
    (r"^torchrun .*(bench/torch_ddp.py).*", r"python3 -m py_compile \1", "needs PyTorch and GPUs"),
    (r"^(scripts/compare.sh|make compare)\b.*", "test -x scripts/compare.sh",
     "builds and measures two versions"),
    (r"^scripts/deps.sh \w+", "", "installs packages"),
    (r"^scripts/get_mnist.sh", "", "downloads"),
    (r"^make conv$", "make conv ARGS='--epochs 1'", "trains for minutes without a GPU"),
    (r"^make lvq$", "make lvq ARGS='--epochs 1'", "trains for a minute without a GPU"),
    (r"^make lvq ARGS='(.*--prototypes 1\d)\d+'", r"make lvq ARGS='\1 --epochs 1'",
     "trains for a minute without a GPU"),
    (r"^make lvq ARGS='([^']*)'", r"make lvq ARGS='\1 --epochs 1'",
     "trains for a minute without a GPU"),
    (r"^(make train .*--trials) 20'", r"\1 4'", "trains for seconds"),
    (r"^(make train ARGS='--data HWDB.*--lda) 160 (.*)", r"\1 2 \2",
     "three generated characters have two discriminants"),
    (r"^make glvq-curves", "build/bench/glvq_curves --help", "trains for minutes"),
    (r"^make test TESTS=(\w+)_in_compute$",
     r"test -x build/tests/test_\1 && make test TESTS=view_in_compute", "make check runs it"),
    (r"^build/tests/(\w+)$", r"test -x build/tests/\1", "make check runs it"),
    (r"^GLNN_TEST_KILLS=\d+ .*make test TESTS='(\w+) (\w+)'",
     r"test -x build/tests/test_\1 && test -x build/tests/test_\2", "kills for minutes"),
    (r"^GLNN_TEST_SOAK=\d+ .*make test TESTS=(\w+)", r"test -x build/tests/test_\1",
     "runs for hours"),
    (r"^make test TESTS='gemm'$", "make test TESTS='view'", "make check runs it"),
    (r"^make drawings$", "", "a check of its own"),
    (r"^make format$", "make -n format", "a check of its own"),
    (r"^make record RUN=(\w+)", r"scripts/record.py --help | grep -q '\1:'", "trains for minutes"),
    (r"^git clone .*", "", "downloads"),
    (r"^man ", "", "the manual pages are checked with the installation"),
    (r"^nvidia-smi", "", "needs a GPU"),
    (r"^make (live|draw)$", r"make \1 ARGS='--frames 2'", "waits until its window is closed"),
    (r"^make (words|hear)\b.*", r"make \1 ARGS=--help", "needs the recordings"),
]

CACHE = "test-cache"  # what the driver keeps, of all checks
# scripts/check_tutorial.py follows these.
TUTORIALS = (Path("docs/tutorial.md"), Path("docs/from-table-to-c.md"))

# The programs that commands begin with, possibly after assignments of variables.
COMMAND = re.compile(
    r"^(?:[A-Z][A-Z0-9_]*=\S* )*(?:make|sudo|cc|c\+\+|cmake|cd|git|cat|sed|cp|mkdir|printf|python3|"
    r"man|pkg-config|nvidia-smi|(?:\./)?(?:build|scripts|bench|examples)/[\w/.-]+)(?: |$)")

# Within sentences a single word is the name of a program, not a command.
INLINE = re.compile(
    r"^(?:[A-Z][A-Z0-9_]*=\S* )*(?:make(?= )|cmake(?= )|build/(?:examples|tests|bench)/\w+|"
    r"(?:python3|bench_\w+|scripts/[\w.]+)(?= ))")

# A command for bash: each option of the line is in the program's --help.
PRELUDE = r"""
set -eu
offers()
{
    local program=$1 help option
    shift
    help=$("$program" --help)
    for option; do
        case $option in --*) grep -q -e "$option" <<<"$help" ;; esac
    done
}
"""


class Block:
    """A block of code of a document: its line, its language and its lines."""

    def __init__(self, document, number, language):
        self.document = document
        self.number = number
        self.language = language
        self.lines = []

    @property
    def text(self):
        return "\n".join(self.lines) + "\n"

    @property
    def is_program(self):
        return self.language in {"c", "cpp"} and re.search(r"\bint main\(", self.text)

    @property
    def is_commands(self):
        return self.language in {"sh", "bash"} or (
            not self.language and COMMAND.match(self.lines[0]))


def read(document):
    """The blocks of a document, and its inline commands as blocks of one line."""
    blocks, inline = [], []
    block = fence = None
    was_empty, list_indent = True, 0
    for number, line in enumerate(document.read_text(encoding="utf-8").split("\n"), 1):
        indent = len(line) - len(line.lstrip())
        mark = re.match(r"\s*```(\w*)", line)
        if mark:
            fence = None if fence else Block(document, number, mark.group(1) or "text")
            if fence:
                blocks.append(fence)
        elif fence:
            fence.lines.append(line)
        elif not line.strip():
            was_empty = True
            if block:
                block.lines.append("")
            continue
        elif indent >= list_indent + 4 and (was_empty or block):
            if not block:
                block = Block(document, number, "")
                blocks.append(block)
            block.lines.append(line[list_indent + 4:])
        else:
            block = None
            item = re.match(r"\s*(?:[-*]|\d+\.) +", line)
            list_indent = item.end() if item else list_indent if indent else 0
            for code in re.findall(r"`([^`]+)`", line):
                if INLINE.match(code) and "<" not in code:
                    one = Block(document, number, "sh")
                    one.lines.append(code)
                    inline.append(one)
        was_empty = False
    return [block for block in blocks if block.lines], inline


# ---- The copy of the tree and the files that commands find there

PIXELS = 28 * 28


def write_digits(folder):
    """Four IDX files of 28 x 28 pixels: 50 images of each class to train on, 10 for the test."""
    folder.mkdir(parents=True)
    source = random.Random(1)
    patterns = [[source.random() for _ in range(PIXELS)] for _ in range(10)]
    for name, count in ("train", 500), ("t10k", 100):
        labels = bytes(i % 10 for i in range(count))
        pixels = bytes(int(191 * patterns[label][k] + 64 * source.random())
                       for label in labels for k in range(PIXELS))
        with gzip.open(folder / f"{name}-images-idx3-ubyte.gz", "wb", 1) as file:
            file.write(struct.pack(">4i", 0x803, count, 28, 28) + pixels)
        with gzip.open(folder / f"{name}-labels-idx1-ubyte.gz", "wb", 1) as file:
            file.write(struct.pack(">2i", 0x801, count) + labels)


def write_tables(folder):
    source = random.Random(2)
    table, new, houses = ["width,height,kind"], ["width,height"], ["id,width,height,price"]
    for i in range(200):
        kind = i % 3
        width, height = kind + source.random(), 2 * kind + source.random()
        table.append(f"{width:.3f},{height:.3f},{'abc'[kind]}")
        new.append(f"{width:.3f},{height:.3f}")
        houses.append(f"{i},{width:.3f},{height:.3f},{1000 * width + 500 * height:.2f}")
    passengers = ["PassengerId,Survived,Pclass,Name,Sex,Age,Ticket,Embarked"]
    for i in range(200):
        sex = source.choice(["female", "male"])
        age = "" if i % 5 == 0 else source.randrange(80)
        passengers.append(f"{i + 1},{int(sex == 'female')},{1 + i % 3},\"Doe, {i}\",{sex},{age},"
                          f"A/{7 * i},{source.choice('CQS')}")
    for name, rows in (("table", table), ("new", new), ("houses", houses),
                       ("passengers", passengers)):
        (folder / f"{name}.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")


def png_of(rows):
    """A PNG file of gray values."""
    def chunk(kind, data):
        return (struct.pack(">I", len(data)) + kind + data +
                struct.pack(">I", zlib.crc32(kind + data)))
    header = struct.pack(">2I5B", len(rows[0]), len(rows), 8, 0, 0, 0, 0)
    pixels = zlib.compress(b"".join(b"\0" + bytes(row) for row in rows))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) +
            chunk(b"IEND", b""))


def write_pictures(folder):
    """Two classes of 20 pictures with 8 x 8 pixels."""
    for name, step in ("rows", (1, 0)), ("columns", (0, 1)):
        (folder / name).mkdir(parents=True)
        for i in range(20):
            rows = [[60 * ((step[0] * y + step[1] * x + i) % 4) for x in range(8)]
                    for y in range(8)]
            (folder / name / f"{i}.png").write_bytes(png_of(rows))


def write_handwriting(folder):
    """Two writers of three characters, which are bars and a square."""
    folder.mkdir()
    for writer in range(2):
        with open(folder / f"{writer}.gnt", "wb") as file:
            for i in range(30):
                width, height = ((40 + i, 5), (5, 40 + i), (30, 30))[i % 3]
                file.write(struct.pack("<I2s2H", 10 + width * height, b"\xb0%c" % (0xa1 + i % 3),
                                       width, height) + bytes(width * height))


def copy_tree(build, to):
    files = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                           check=True, capture_output=True).stdout.split(b"\0")
    present = b"\0".join(name for name in files if name and os.path.lexists(name))
    subprocess.run(["cp", "-a", "--parents", "-t", to, *present.decode().split("\0")], check=True)
    (to / "build").mkdir()
    built = [path for path in build.iterdir() if path.name != CACHE]
    subprocess.run(["cp", "-a", "-t", to / "build", *built], check=True)
    (build / CACHE).mkdir(exist_ok=True)
    (to / "build" / CACHE).symlink_to((build / CACHE).resolve())


def environment(work, build):
    stage = work / "stage"
    values = {name: value for name, value in os.environ.items()
              if not name.startswith(("GLNN_", "MAKE", "MFLAGS"))}
    values.update(HOME=str(work / "home"), STAGE=str(stage), GLNN_DATA_DIR=str(work / "digits"),
                  XDG_CACHE_HOME=str(build.resolve() / CACHE), GALLIVM_PERF="nopt",
                  LP_NATIVE_VECTOR_WIDTH="128", OMPI_ALLOW_RUN_AS_ROOT="1",
                  OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1",
                  PRTE_MCA_rmaps_default_mapping_policy=":oversubscribe",
                  PKG_CONFIG_PATH=str(stage / "lib/pkgconfig"),
                  CMAKE_PREFIX_PATH=str(stage), LD_LIBRARY_PATH=str(stage / "lib"))
    return values


# ---- Running

def processor_seconds():
    """Of the commands that have ended."""
    times = os.times()
    return times.children_user + times.children_system


class Runner:
    def __init__(self, work, tree, build, is_verbose):
        self.tree = tree
        self.values = environment(work, build)
        self.is_verbose = is_verbose
        self.failures = 0
        self.count = 0
        self.seen = set()

    def fail(self, block, text):
        print(f"{block.document}:{block.number}: {text}")
        self.failures += 1

    def run(self, block, script):
        self.count += 1
        start = processor_seconds()
        done = subprocess.run(["bash", "-c", PRELUDE + script], cwd=self.tree, env=self.values,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors="replace", check=False)
        if self.is_verbose:
            print(f"{processor_seconds() - start:6.1f} s  {block.document}:{block.number}: "
                  f"{script.strip()}", flush=True)
        if done.returncode != 0:
            self.fail(block, f"status {done.returncode} of: {script.strip()}\n"
                             + "\n".join(done.stdout.split("\n")[-15:]))
        return done.stdout

    def run_commands(self, block):
        text = re.sub(r"\\\n\s*", "", block.text)
        script = "\n".join(in_another_form(line) for line in text.split("\n")).strip() + "\n"
        if script.strip() and script not in self.seen:
            self.seen.update([script, *(line + "\n" for line in script.split("\n"))])
            self.run(block, script)

    def run_program(self, block, name):
        compiler = "c++ -std=c++17" if block.language == "cpp" else "cc -std=c11"
        (self.tree / name).write_text(block.text, encoding="utf-8")
        said = self.run(block, f"{compiler} -Wall -Wextra -Werror {name} "
                               "$(pkg-config --cflags --libs glnn) -lm -o program && ./program")
        if not said.strip():
            self.fail(block, "the program prints nothing")


def in_another_form(line):
    """A line of commands joined by && after the exceptions."""
    line = re.sub(r"(^|\s)#\s.*", "", line)
    parts = []
    for part in line.split(" && "):
        for pattern, replacement, _ in EXCEPTIONS:
            match = re.search(pattern, part.strip())
            if match:
                part = match.expand(replacement)
                break
        if part.strip():
            parts.append(part.rstrip())
    return " && ".join(parts)


def program_name(block, blocks):
    """The file that the next or the last cc command of the document names."""
    at = blocks.index(block)
    for other in blocks[at:] + blocks[at::-1]:
        match = re.search(r"\bcc (\w+\.c)\b", other.text) if other.is_commands else None
        if match:
            return match.group(1)
    return "program." + block.language


def sources():
    lines = set()
    for folder in "include", "lib", "shaders", "examples", "tests", "bench":
        for path in Path(folder).rglob("*"):
            if path.suffix in {".c", ".h", ".cpp", ".glsl", ".frag", ".vert", ".txt"}:
                lines.update(" ".join(line.split()) for line in path.read_text().split("\n"))
    return lines


def check_excerpt(runner, block, known):
    missing = [line for line in block.lines
               if line.strip() and "..." not in line and " ".join(line.split()) not in known]
    if missing:
        runner.fail(block, f"this line is in no file: {missing[0].strip()}")


LINK = re.compile(r"\]\((?!\w+:)([^)#\s]*)(?:#([\w-]+))?\)")


def anchors(path):
    """The names by which links reach the headings of a document."""
    headings = re.findall(r"^#+ +(.*)", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def check_links(runner, document):
    for number, line in enumerate(document.read_text(encoding="utf-8").split("\n"), 1):
        for path, anchor in LINK.findall(re.sub(r"`[^`]*`", "", line)):
            target = document.parent / path if path else document
            if not target.exists():
                runner.fail(Block(document, number, ""), f"the link leads nowhere: {path}")
            elif anchor and target.suffix == ".md" and anchor not in anchors(target):
                runner.fail(Block(document, number, ""), f"{path} has no heading {anchor}")


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "-v"]
    build = Path(arguments[0])
    documents = [Path(name) for name in arguments[1:]] or [
        Path("README.md"), Path("CONTRIBUTING.md"), Path("examples/README.md"),
        *sorted(path for path in Path("docs").rglob("*.md") if path not in TUTORIALS)]
    known = sources()
    with tempfile.TemporaryDirectory(prefix="glnn-documents.") as folder:
        work, tree = Path(folder), Path(folder) / "libglnn"
        tree.mkdir()
        copy_tree(build, tree)
        write_digits(work / "digits")
        write_tables(tree)
        write_pictures(tree / "pictures")
        write_handwriting(tree / "HWDB1.1trn_gnt")
        write_handwriting(tree / "HWDB1.1tst_gnt")
        runner = Runner(work, tree, build, "-v" in sys.argv)
        install = Block(Path("Makefile"), 1, "sh")
        install.lines = ["make install"]
        runner.run_commands(install)
        others = [Path("CHANGELOG.md"), Path("RELEASING.md"), Path("SECURITY.md")]
        for document in [*documents, *TUTORIALS, *others]:
            check_links(runner, document)
        for document in documents:
            blocks, inline = read(document)
            for block in blocks:
                if block.is_program:
                    (tree / program_name(block, blocks)).write_text(block.text, encoding="utf-8")
            for block in blocks:
                if block.is_program:
                    runner.run_program(block, program_name(block, blocks))
                elif block.is_commands:
                    runner.run_commands(block)
                elif block.language in {"c", "cpp", "glsl"}:
                    check_excerpt(runner, block, known)
            for block in inline:
                runner.run_commands(block)
        print(f"{runner.count} commands and programs, {runner.failures} failed")
    return 1 if runner.failures else 0


sys.exit(main())
