#!/usr/bin/env python3
"""scripts/check_tutorial.py BUILD - the tutorials work as they stand, with what BUILD contains.
scripts/check_tutorial.py --write - puts the programs of examples/ into the tutorials.

The check follows each text in a temporary folder that has links to the folders of the project. It

  - compares each block after <!-- examples/FILE --> with that file, and after
    <!-- from examples/FILE --> with lines that follow each other in it,
  - writes each block after <!-- file: NAME --> to that file,
  - runs each block of commands (sh) but `make`, all in one shell, and
  - compares the output of the commands with the block (text) that follows, if there is one.

Times, shares and names of devices may differ, as may the order of lines: the trace and the program
write at the same time, and the table of the trace is sorted by time. A line "..." means that lines
are left out."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

DOCUMENTS = (Path("docs/tutorial.md"), Path("docs/from-table-to-c.md"))
LINKS = ("examples", "include", "lib")  # the tutorials change nothing in them
BLOCK = re.compile(r"(?:^<!-- (?P<mark>.*?) -->\n\n)?^```(?P<kind>\w+)\n(?P<text>.*?)^```$",
                   re.MULTILINE | re.DOTALL)
SHELL = """set -euo pipefail
cd {folder}
{commands}"""

MASKS = [
    (re.compile(r"[0-9.]+ ms"), "# ms"),
    (re.compile(r"[0-9.]+ %"), "# %"),
    (re.compile(r"\b(loss|F1|AUC|average precision) [0-9.]+"), r"\1 #"),
    (re.compile(r"^(device|OpenGL|largest texture|render targets) .*"), r"\1"),
    (re.compile(r" on .*, each timed alone$"), ""),
    (re.compile(r"^[-.:=+*#%@ ]+$"), "picture"),
    (re.compile(r"\s+"), " "),
]


class Wrong(Exception):
    """What is wrong with a tutorial."""


def masked(text):
    lines = []
    for line in text.splitlines():
        if line.strip() == "...":
            continue
        for pattern, replacement in MASKS:
            line = pattern.sub(replacement, line)
        lines.append(line.strip())
    return sorted(lines)


def compare(wanted, got, commands):
    want, have = masked(wanted), masked(got)
    is_part = "..." in wanted.split("\n")
    missing = [line for line in want if line not in have]
    if missing or (not is_part and want != have):
        raise Wrong(f"{commands}prints\n\n{got}\ninstead of\n\n{wanted}")


def check_program(mark, text):
    if Path(mark).read_text() != text:
        raise Wrong(f"{mark} differs from the tutorial: scripts/check_tutorial.py --write")


def check_part(name, text):
    if text not in Path(name).read_text():
        raise Wrong(f"{name} does not have these lines:\n\n{text}")


def find_blocks(document):
    """The runs: commands, and the output that is wanted (None: any). Files become commands."""
    runs = []
    for block in BLOCK.finditer(document):
        mark, kind, text = block["mark"] or "", block["kind"], block["text"]
        if mark.startswith("file: "):
            runs.append([f"cat >{mark[6:]} <<'END_OF_FILE'\n{text}END_OF_FILE\n", None])
        elif mark.startswith("from "):
            check_part(mark[5:], text)
        elif mark:
            check_program(mark, text)
        elif kind == "sh" and text.strip() != "make":
            runs.append([text, None])
        elif kind == "text":
            runs[-1][1] = text
    return runs


def check_programs():
    """Each program of the folder of the tutorial is in a text."""
    texts = [document.read_text() for document in DOCUMENTS]
    for path in Path("examples/tutorial").glob("*.c"):
        if not any(f"<!-- {path} -->" in text for text in texts):
            sys.exit(f"{path} is not in the tutorial")


def make_folder(folder, build):
    for name in LINKS:
        (folder / name).symlink_to(Path(name).resolve())
    (folder / "build").symlink_to(Path(build).resolve())
    shutil.copytree("shaders", folder / "shaders")


def run(runs, folder):
    """Runs all commands in one shell; returns the output of each run."""
    commands = "".join(f"{{\n{run[0]}}} >output.{i} 2>&1\n" for i, run in enumerate(runs))
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("GLNN_", "LP_"))}
    environment["XDG_CACHE_HOME"] = str(folder / "cache")
    shell = subprocess.run(["bash", "-c", SHELL.format(folder=folder, commands=commands)],
                           env=environment, check=False)
    outputs = []
    for i, _ in enumerate(runs):
        output = folder / f"output.{i}"
        outputs.append(output.read_text() if output.exists() else "")
    if shell.returncode != 0:
        last = max(i for i, _ in enumerate(runs) if (folder / f"output.{i}").exists())
        raise Wrong(f"{runs[last][0]}fails:\n\n{outputs[last]}")
    return outputs


def check(document, build):
    runs = find_blocks(document.read_text())
    with tempfile.TemporaryDirectory(prefix="glnn-tutorial.") as name:
        folder = Path(name)
        make_folder(folder, build)
        for (commands, wanted), got in zip(runs, run(runs, folder)):
            if wanted is not None:
                compare(wanted, got, commands)


def write(path):
    def replaced(match):
        return f"<!-- {match[1]} -->\n\n```c\n{Path(match[1]).read_text()}```\n"

    document = path.read_text()
    path.write_text(re.sub(
        r"^<!-- (examples/\S+) -->\n(?:\n```c\n.*?^```\n)?", replaced, document,
        flags=re.MULTILINE | re.DOTALL))


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: scripts/check_tutorial.py BUILD|--write")
    os.chdir(Path(__file__).resolve().parent.parent)
    for document in DOCUMENTS:
        try:
            if sys.argv[1] == "--write":
                write(document)
            else:
                check(document, sys.argv[1])
        except (Wrong, OSError) as error:
            sys.exit(f"{document}: {error}")
    check_programs()


if __name__ == "__main__":
    main()
