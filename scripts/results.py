#!/usr/bin/env python3
"""scripts/results.py [OUT] - writes what scripts/record.py found into docs/results.md.

OUT (build/record) has a folder for each run and in it one for each seed. The script renews the
tables of the document between their marks, <!-- NAME --> and <!-- end -->, and the chart of all
curves. Runs and seeds without a result are left out."""
import csv
import json
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

from record import RUNS

DOCUMENT = Path("docs/results.md")
CHART = Path("docs/images/results.png")
COLUMNS = 3
CURVES = "![Test error by epoch, a line for each seed; the dashed lines are the targets]" \
         "(images/results.png)"


class Results:
    """The seeds of a run that are done."""

    def __init__(self, name, folder):
        self.name = name
        self.run = RUNS[name]
        files = sorted(folder.glob("seed-*/result.json"), key=lambda file: seed_of(file.parent))
        self.seeds = [json.loads(file.read_text()) for file in files]
        self.curves = [read_curve(file.parent / "curve.csv") for file in files]

    def errors(self):
        return [seed["error"] for seed in self.seeds]

    def mean(self):
        return sum(self.errors()) / len(self.seeds)


def seed_of(folder):
    return int(folder.name.rsplit("-", 1)[1])


def read_curve(path):
    """Epoch, and errors of training and test in percent."""
    with open(path, newline="", encoding="utf-8") as file:
        return [(int(row["epoch"]), 100 - 100 * float(row["training_accuracy"]),
                 100 - 100 * float(row["validation_accuracy"])) for row in csv.DictReader(file)]


def table(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def errors_table(results):
    rows = []
    for of in results:
        least = f"{of.run.least:.2f} to " if of.run.least else "at most "
        seconds = sum(seed["seconds"] for seed in of.seeds) / len(of.seeds)
        rows.append([f"`{of.name}`", of.run.title, f"{least}{of.run.target:.2f}",
                     f"{of.mean():.3f}", f"{min(of.errors()):.2f}", f"{max(of.errors()):.2f}",
                     str(len(of.seeds)), f"{seconds:.0f}"])
    return table(["run", "network", "target, %", "mean, %", "best, %", "worst, %", "seeds",
                  "seconds a seed"], rows)


def options_table(results):
    return table(["run", "options of the program `train`"],
                 [[f"`{of.name}`", f"`{shlex.join(of.run.options)}`"] for of in results])


def models_table(results):
    return table(["run", "seed", "test error, %", "SHA-256 of the model"],
                 [[f"`{of.name}`", str(seed["seed"]), f"{seed['error']:.2f}",
                   f"`{seed['sha256']}`"] for of in results for seed in of.seeds])


def device_text(results):
    devices = {seed["device"] for of in results for seed in of.seeds}
    return "Device: " + "; ".join(sorted(devices)) + "."


def renew(text, name, content):
    pattern = rf"(<!-- {name} -->\n).*?(<!-- end -->)"
    renewed, count = re.subn(pattern, lambda match: match[1] + content + "\n" + match[2], text,
                             flags=re.DOTALL)
    if count != 1:
        sys.exit(f"{DOCUMENT} has {count} places <!-- {name} -->")
    return renewed


def panel(of, folder):
    """The commands of gnuplot for one run: a line for each seed, from its second epoch on."""
    plots = []
    for seed, curve in zip(of.seeds, of.curves):
        path = folder / f"{of.name}-{seed['seed']}.dat"
        path.write_text("".join(f"{epoch} {test:.3f}\n" for epoch, _, test in curve))
        plots.append(f"'{path}' with lines linewidth 1.2 linecolor rgb '#1f77b4' notitle")
    last = max(curve[-1][0] for curve in of.curves)
    return f"set title '{of.name}'\nset xrange [0:{last}]\n" \
           f"set yrange [0:{max(2.5 * of.run.target, 2 * max(of.errors())):.2f}]\n" \
           f"plot {', '.join(plots)}, {of.run.target} with lines dashtype 2 " \
           f"linecolor rgb '#d6611e' notitle\n"


def draw(results):
    rows = -(-len(results) // COLUMNS)
    with tempfile.TemporaryDirectory() as folder:
        script = f"set terminal pngcairo size 1200, {360 * rows} font 'sans,11'\n" \
                 f"set output '{CHART}'\nset multiplot layout {rows}, {COLUMNS}\n" \
                 "set grid linecolor rgb '#d8d8d8'\nset border 3\nset tics nomirror\n" \
                 "set xlabel 'epoch'\nset ylabel 'test error, %'\n"
        script += "".join(panel(of, Path(folder)) for of in results)
        subprocess.run(["gnuplot"], input=script + "unset multiplot\n", text=True, check=True)


def main():
    out = Path(sys.argv[1] if len(sys.argv) > 1 else "build/record")
    results = [Results(name, out / name) for name in RUNS if (out / name).is_dir()]
    results = [of for of in results if of.seeds]
    if not results:
        sys.exit(f"{out} has no results; scripts/record.py makes them")
    text = DOCUMENT.read_text(encoding="utf-8")
    for name, content in (("errors", errors_table(results) + "\n\n" + device_text(results)),
                          ("curves", CURVES), ("options", options_table(results)),
                          ("models", models_table(results))):
        text = renew(text, name, content)
    DOCUMENT.write_text(text, encoding="utf-8")
    draw(results)


if __name__ == "__main__":
    main()
