#!/usr/bin/env python3
"""bench/plot/report.py [--peers PEERS.csv] H200 LLVMPIPE - renews the figures of the documents.

Each folder has the results of one machine (bench/plot/results.py). The script writes the full
tables into docs/tables, the charts into docs/images, and the tables of docs/performance.md between
their marks, <!-- NAME --> and <!-- end -->. The chart performance_layouts is that of README.md.
Charts of results that are missing stay as they are.

PEERS.csv has the speeds of other libraries, a row each: machine (h200 or llvmpipe), peer, task,
value, unit. The tasks and the peers are those of TASKS and PEERS below and of CONVOLUTION_TASKS in
networks.py, for instance

    machine,peer,task,value,unit
    h200,PyTorch CUDA,product 2048,49300,GFLOP/s
    llvmpipe,TensorFlow.js,784-256-10 batch 128,7650,samples/s
    llvmpipe,TensorFlow.js,transpose 1024,2.5,ms"""
import argparse
import csv
import re
from pathlib import Path

from charts import LAYOUTS, curve, draw, draw_curves, draw_layouts, draw_published
from networks import CONVOLUTION_TASKS, convolution_limits, convolutions, costs, distortions
from results import Machine, best, device_rows, matches, number, percent, pivot, renew, table
from tables import step, write_tables

DOCUMENT = Path("docs/performance.md")


# ---- How near to the limit

# Title, file, what the rows are chosen by.
NEAR = [
    ("product of 1024 x 1024", "gemm", {"operation": "gemm_nn", "m": 1024, "n": 1024, "k": 1024}),
    ("product of 2048 x 2048", "gemm", {"operation": "gemm_nn", "m": 2048, "n": 2048, "k": 2048}),
    ("hidden layer, batch 128", "gemm", {"operation": "gemm_nn", "m": 128, "n": 256, "k": 784}),
    ("its gradient", "gemm", {"operation": "gemm_tn", "m": 784, "n": 256, "k": 128}),
    ("relu", "map", {"operation": "relu", "m": 2048}),
    ("sum of two matrices", "map", {"operation": "add", "m": 2048}),
    ("transpose", "map", {"operation": "transpose", "m": 2048}),
    ("gather of rows", "map", {"operation": "gather_rows", "m": 2048}),
    ("sum of rows", "reduce", {"operation": "sum_rows", "m": 2048, "n": 2048}),
    ("index of the least of rows", "reduce", {"operation": "argmin_rows", "m": 2048, "n": 2048}),
]


# GFLOP/s of float32 by the data sheet. The probe of the benchmarks is a fragment shader, to which
# this chip gives a few of its processors only.
DATA_SHEET = {("H200", "compute"): 67000}


def peak(run):
    """GFLOP/s of multiply-adds."""
    measured = next((row["value"] for row in run.rows("limits")
                     if row["limit"] == "multiply-add, registers only"), None)
    return DATA_SHEET.get((run.machine, run.stage), measured)


def nearness(run, name, wanted):
    rows = device_rows(run, name, **wanted)
    if name != "gemm":
        return best(rows, "copy_percent", LAYOUTS, least=False)
    speed, most = best(rows, "gflops", LAYOUTS, least=False), peak(run)
    return 100 * speed / most if speed and most else None


def near(machines):
    runs = [run for machine in machines for run in machine.devices()]
    rows = [(title, [nearness(run, name, wanted) for run in runs]) for title, name, wanted in NEAR]
    draw("limit", [["", *(run.label for run in runs)],
                   *([title, *values] for title, values in rows)])
    return table("percent of the limit", [run.label for run in runs],
                 [[title, *map(percent, values)] for title, values in rows])


# ---- Packed against unpacked

SCHEMES = {"published": "as published", "blended": "blended", "library": "today"}


def packing(machines):
    lines = [["GeForce 7800 GTX, as published", "26 ms", "8 ms", "3.25"]]
    data = [["", "times as fast", "low", "high"], ["7800 GTX\n\npublished", 3.25, 3.25, 3.25]]
    for machine in machines:
        for run in machine.devices():
            for row in run.rows("packing"):
                if row["scheme"] not in SCHEMES or row["packed_us"] is None:
                    continue
                title = SCHEMES[row["scheme"]]
                ratio = row["times_as_fast"]
                lines.append([f"{run.label}, {title}", milliseconds(row["unpacked_us"]),
                              milliseconds(row["packed_us"]),
                              f"{ratio:.2f} ({row['low']:.2f} to {row['high']:.2f})"])
                data.append([f"{machine.name}\n{run.stage}\n{title}", ratio, row["low"],
                             row["high"]])
    draw("packing", data)
    return table("a step of 2-64-1 with 1024 patterns",
                 ["unpacked", "packed", "times as fast packed (quartiles)"], lines)


STEPS = {"original": "original", "published unpacked": "published, unpacked",
         "published packed": "published, packed", "blended unpacked": "blended, unpacked",
         "blended packed": "blended, packed", "unpacked": "today, unpacked",
         "packed": "today, packed"}


def labelled(machines, name):
    """The rows of a file, of the machines that have it."""
    return [row | {"run": run.label} for machine in machines for run in machine.devices()
            for row in run.rows(name)]


def fits(machines):
    return pivot(labelled(machines, "fits"), "patterns of 2-64-1 that fit, time of a step",
                 lambda row: row["layout"],
                 lambda row: f"{row['run']}, textures of {row['texture']:.0f} rows",
                 lambda row: f"{number(row['patterns'])}, {milliseconds(row['step_us'])}")


def schemes(machines):
    """Steps by each scheme."""
    rows = labelled(machines, "layouts_steps")
    return pivot([row for who in STEPS for row in rows if row["who"] == who],
                 "time of a step, passes", lambda row: STEPS[row["who"]],
                 lambda row: f"{step(row)}, {row['run']}",
                 lambda row: f"{milliseconds(row['step_us'])}, {number(row['passes'])}")


def milliseconds(us):
    return f"{number(us / 1000)} ms"


# ---- Against other libraries

def speed_of_product(n):
    def speed(rows_of, names):
        rows = [row for row in rows_of("gemm")
                if matches(row, operation="gemm_nn", m=n, n=n, k=n)]
        return best(rows, "gflops", names, least=False)
    return speed


def speed_of_training(hidden, batch):
    def speed(rows_of, names):
        rows = [row for name in ("mlp", "torch_mlp") for row in rows_of(name)
                if matches(row, hidden=hidden, patterns=batch) and row["momentum"]]
        return best(rows, "samples_per_s", names, least=False)
    return speed


def speed_of_glvq(batch):
    def speed(rows_of, names):
        rows = [row for row in rows_of("lvq") if matches(row, prototypes=1, batch=batch)]
        return best(rows, "samples_per_s", ["auto" if name in LAYOUTS else name
                                            for name in names], least=False)
    return speed


def speed_of_operation(name, operation, m, n):
    def speed(rows_of, names):
        rows = [row for row in rows_of(name) if matches(row, operation=operation, m=m, n=n)]
        us = best(rows, "median_us", names)
        return 1e6 / us if us else None
    return speed


# Machine, task, unit of the table, speed of a contestant.
TASKS = [
    ("H200", "product 2048", "GFLOP/s", speed_of_product(2048)),
    ("H200", "784-256-10 batch 1", "samples/s", speed_of_training(256, 1)),
    ("H200", "784-256-10 batch 128", "samples/s", speed_of_training(256, 128)),
    ("H200", "784-800-10 batch 1024", "samples/s", speed_of_training(800, 1024)),
    ("H200", "GLVQ batch 2048", "samples/s", speed_of_glvq(2048)),
    ("llvmpipe", "product 1024", "GFLOP/s", speed_of_product(1024)),
    ("llvmpipe", "784-256-10 batch 128", "samples/s", speed_of_training(256, 128)),
    ("llvmpipe", "784-800-10 batch 128", "samples/s", speed_of_training(800, 128)),
    ("llvmpipe", "transpose 1024", "a second", speed_of_operation("map", "transpose", 1024, 1024)),
    ("llvmpipe", "sum 1024", "a second", speed_of_operation("reduce", "sum", 1024, 1024)),
]
OWN = {"libglnn, fragment stage": ("fragment", ""), "libglnn, compute stage": ("compute",)}
PEERS = {"OpenBLAS": ("OpenBLAS all",), "PyTorch CUDA": ("torch CUDA",),
         "PyTorch CUDA graph": ("torch CUDA graph",), "TensorFlow.js": ()}


def read_peers(path):
    """Speeds by machine, peer and task, in the units of the tasks."""
    speeds = {}
    if not path:
        return speeds
    units = {(machine.lower(), task): unit
             for machine, task, unit, *_ in [*TASKS, *CONVOLUTION_TASKS]}
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            machine, task, unit = row["machine"].lower(), row["task"], row["unit"]
            value = float(row["value"])
            batch = re.search(r"batch (\d+)", task)
            if unit in {"us", "ms", "s"}:
                seconds = value * {"us": 1e-6, "ms": 1e-3, "s": 1}[unit]
                side = re.search(r"product (\d+)", task)
                value = 2e-9 * int(side.group(1)) ** 3 / seconds if side else \
                    (int(batch.group(1)) if batch else 1) / seconds
            elif unit != units.get((machine, task), unit):
                raise SystemExit(f"{path}: the unit of {task} is {unit}")
            speeds[machine, row["peer"], task] = value
    return speeds


def speeds_of(machine, task, speed, peers):
    """The speed of each contestant at a task."""
    found = []
    for stages in OWN.values():
        runs = [run for run in machine.runs if run.stage in stages]
        found.append(next((speed(run.rows, LAYOUTS) for run in runs), None))
    for peer, names in PEERS.items():
        given = peers.get((machine.name.lower(), peer, task))
        found.append(given or (speed(machine.rows, names) if names else None))
    return found


def rivals(machines, peers):
    by_name = {machine.name: machine for machine in machines}
    contestants = [*OWN, *PEERS]
    lines, data = [], [["", *contestants]]
    for name, task, unit, speed in TASKS:
        values = speeds_of(by_name[name], task, speed, peers)
        lines.append([f"{name}: {task}, {unit}", *map(number, values)])
        relative = [value / values[0] if value and values[0] else None for value in values]
        data.append([f"{name} {task}".replace(" ", "\n"), *relative])
    draw("peers", data)
    return table("task", contestants, lines)


# ---- From which size

# Title, file, rows, the column that grows.
GROWING = [
    ("product n x n", "crossover_operations", {"operation": "gemm_nn"}, "m"),
    ("matrix times vector", "crossover_operations", {"operation": "gemv"}, "m"),
    ("outer product", "crossover_operations", {"operation": "outer"}, "m"),
    ("relu", "crossover_operations", {"operation": "relu"}, "m"),
    ("sigmoid", "crossover_operations", {"operation": "sigmoid"}, "m"),
    ("transpose", "crossover_operations", {"operation": "transpose"}, "m"),
    ("sum of all elements", "crossover_operations", {"operation": "sum"}, "m"),
    ("index of the least of rows", "crossover_operations", {"operation": "argmin_rows"}, "m"),
    ("step of 784-n-10, batch 128", "crossover_steps", {"figure": "hidden"}, "hidden"),
    ("step of 784-256-10, batch n", "crossover_steps", {"figure": "batch"}, "patterns"),
]


def crossing(device, rival):
    """The least size from which on the device is faster at all that both were measured at."""
    first, sizes = None, sorted(set(device) & set(rival))
    for n in sizes:
        first = (first or n) if device[n] < rival[n] else None
    return f"{first:.0f}" if first else f"> {sizes[-1]:.0f}" if sizes else ""


def worth(machines):
    columns, cells = [], {title: [] for title, *_ in GROWING}
    for machine in machines:
        for run in machine.devices():
            columns.append(run.label)
            for title, name, wanted, x in GROWING:
                device = curve(device_rows(run, name, **wanted), x, LAYOUTS)
                rows = [row for row in machine.rows(name) if matches(row, **wanted)]
                cells[title].append(" / ".join(
                    filter(None, (crossing(device, curve(rows, x, ("C",))),
                                  crossing(device, curve(rows, x, ("OpenBLAS all",)))))))
    draw_curves("worth", machines, "crossover_operations", {"operation": "gemm_nn"}, "m",
                "crossover_steps", {"figure": "hidden"}, "hidden")
    return table("faster from n on than C / than OpenBLAS", columns,
                 [[title, *values] for title, values in cells.items()])


# ---- Growth

SIZES = (128, 256, 512, 1024, 2048)
BATCHES = (1, 16, 64, 256, 1024)


def growth(machines):
    columns, lines = [], [[f"product n x n, n = {n}, GFLOP/s"] for n in SIZES] + \
        [[f"784-256-10, batch {batch}, samples/s"] for batch in BATCHES]
    for machine in machines:
        for run in machine.devices():
            columns.append(run.label)
            for line, n in zip(lines, SIZES):
                line.append(number(speed_of_product(n)(run.rows, LAYOUTS)))
            times = curve(device_rows(run, "crossover_steps", figure="batch"), "patterns", LAYOUTS)
            for line, batch in zip(lines[len(SIZES):], BATCHES):
                line.append(number(1e6 * batch / times[batch]) if batch in times else "")
    draw_curves("growth", machines, "gemm", {"operation": "gemm_nn"}, "m",
                "crossover_steps", {"figure": "batch"}, "patterns")
    return table("", columns, lines)


# ---- The document

def main():
    options = argparse.ArgumentParser()
    options.add_argument("h200")
    options.add_argument("llvmpipe")
    options.add_argument("--peers")
    given = options.parse_args()
    machines = [Machine("H200", given.h200), Machine("llvmpipe", given.llvmpipe)]
    write_tables(Path("docs/tables"), [run for machine in machines for run in machine.runs])
    text = DOCUMENT.read_text(encoding="utf-8")
    peers = read_peers(given.peers)
    for name, content in (("limit", near(machines)), ("packing", packing(machines)),
                          ("fits", fits(machines)), ("schemes", schemes(machines)),
                          ("peers", rivals(machines, peers)),
                          ("convolutions", convolutions(machines, peers)),
                          ("convolution limits", convolution_limits(machines)),
                          ("distortion", distortions(machines)), ("costs", costs(machines)),
                          ("worth", worth(machines)), ("growth", growth(machines))):
        text = renew(text, name, content)
    DOCUMENT.write_text(text, encoding="utf-8")
    draw_layouts(machines)
    draw_published(machines)


main()
