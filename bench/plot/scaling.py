#!/usr/bin/env python3
"""bench/plot/scaling.py NAME=FOLDER... - renews the tables and charts of docs/scaling.md.

Each folder has the results of one machine, which the document calls NAME. Its folders `fragment`
and `compute`, or itself if there is one stage, have folders `1` and `2`: the results of
bench_scaling with as many processes. torch_ddp.csv has those of another library: net, batch,
ranks, images_per_s. Results that are missing leave their tables as they are. The predictions are
those of build/bench/scale_model."""
import subprocess
import sys
import tempfile
from pathlib import Path

from charts import gnuplot
from results import Machine, Run, matches, number, percent, renew, table

DOCUMENT = Path("docs/scaling.md")
NETS = {"784-2500-2000-1500-1000-500-10": "784-2500-...-10", "784-800-10": "784-800-10",
        "lenet5": "LeNet-5"}
KINDS = ("gradients", "gradients allreduce", "gradients tree", "activations", "averages")

# Speedups with so many GPUs of a convolutional network whose layers exchange gradients during the
# backward pass.
PUBLISHED = ((4, 3.9), (16, 13.5))


def part(run, ranks):
    return Run(run.machine, run.stage, run.folder / str(ranks))


def only(rows):
    return next(iter(rows), None)


def milliseconds(us):
    return number(us and us / 1000)


def times(x):
    return "" if x is None else f"{x:.2f}"


# ---- Measurements

def step(run, ranks, net, batch, exchange):
    return only(row for row in part(run, ranks).rows("scaling_steps")
                if matches(row, net=net, batch=batch, exchange=exchange))


def ratio(run, net, batch, exchange):
    """Images a second of two processes, relative to those of one that runs alone on the host."""
    one, two = step(run, 1, net, batch, "none"), step(run, 2, net, batch, exchange)
    return two["images_per_s"] / one["images_per_s"] if one and two else None


def ddp(machine, net, batch):
    """Images a second of one and of two processes of the other library."""
    rows = Run(machine.name, "", machine.folder).rows("torch_ddp")
    found = {row["ranks"]: row["images_per_s"] for row in rows
             if matches(row, net=net, batch=batch)}
    return found.get(1), found.get(2)


def speedups(machines):
    lines = []
    for machine in machines:
        for run in machine.devices():
            for net, title in NETS.items():
                for batch in (128, 1024):
                    one = step(run, 1, net, batch, "none")
                    if one and any(ratio(run, net, batch, kind) for kind in KINDS):
                        lines.append([f"{run.label}: {title}, {batch}", number(one["images_per_s"]),
                                      *(times(ratio(run, net, batch, kind)) for kind in KINDS)])
        for net, title in NETS.items():
            for batch in (128, 1024):
                one, two = ddp(machine, net, batch)
                if one and two:
                    lines.append([f"{machine.name}, PyTorch DDP: {title}, {batch}", number(one),
                                  times(two / one), *[""] * (len(KINDS) - 1)])
    return table("network, samples a process", ["images a second, one process", *KINDS], lines)


def hidden(machines):
    lines = []
    for machine in machines:
        for run in machine.devices():
            for row in part(run, 2).rows("scaling_steps"):
                if row["exchange"] in KINDS and row["exchange_us"]:
                    lines.append([f"{run.label}: {NETS[row['net']]}, {row['batch']:.0f}, "
                                  f"{row['exchange']}", milliseconds(row["step_us"]),
                                  milliseconds(row["exchange_us"]),
                                  percent(row["hidden_percent"]), percent(row["limit_percent"]),
                                  milliseconds(row["predicted_us"])])
    return table("network, samples a process, exchange",
                 ["step, ms", "exchange by itself, ms", "hidden", "of the limit", "predicted, ms"],
                 lines)


def limit_rows(run):
    """The transfers of one process that has the device for itself, and the sums of two."""
    alone = part(run, 1).rows("scaling_limits")
    known = {row["limit"] for row in alone}
    return alone + [row for row in part(run, 2).rows("scaling_limits")
                    if row["limit"] not in known and row["limit"].startswith("sum")]


def limits(machines):
    runs = [run for machine in machines for run in machine.devices() if limit_rows(run)]
    titles = {}
    for run in runs:
        for row in limit_rows(run):
            if row["bytes"] >= 2 ** 24:
                text = percent(row["value"]) if row["unit"] == "%" else \
                    f"{number(row['value'] / 1000)} GB/s"
                titles.setdefault(row["limit"], {})[run.label] = text
            elif row["bytes"] == 4:
                titles.setdefault(f"{row['limit']}, one number", {})[run.label] = \
                    f"{number(row['us'])} us"
    return table("", [run.label for run in runs],
                 [[title, *(cells.get(run.label, "") for run in runs)]
                  for title, cells in titles.items()])


def layers(machines):
    lines = []
    for machine in machines:
        for run in machine.devices():
            for row in part(run, 2).rows("scaling_layers"):
                lines.append([f"{run.label}: {row['inputs']:.0f} x {row['units']:.0f}",
                              f"{row['batch']:.0f}", number(row["break_even"]),
                              number(row["gradients_us"]), number(row["predicted_gradients_us"]),
                              number(row["activations_us"]),
                              number(row["predicted_activations_us"]), row["fewer_numbers"],
                              row["predicted"], row["measured"]])
    return table("layer", ["batch", "2MN/(M+N)", "gradients, us", "predicted", "activations, us",
                           "predicted", "fewer numbers", "predicted", "measured"], lines)


# ---- Predictions

def sum_speed(run):
    """GB/s of large sums through shared memory; 0: not measured."""
    speeds = [row["value"] for row in part(run, 2).rows("scaling_limits")
              if row["limit"] == "sum of all processes" and row["bytes"] >= 2 ** 24]
    return max(speeds, default=0) / 1000


def predictions(run, ranks):
    """The rows of scale_model for the figures of a run with so many processes."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["build/bench/scale_model", "--out", folder, "--sum", str(sum_speed(run)),
                        "--figures", part(run, ranks).folder / "scaling_figures.csv"], check=True,
                       stdout=subprocess.DEVNULL)
        return Run(run.machine, run.stage, folder).rows("scale_model")


def draw_predictions(run, rows):
    """Speedups against processes: a panel for each network, with the largest batch. Returns the
    name of the file."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "published").write_text("".join(f"{x} {y}\n" for x, y in PUBLISHED),
                                          encoding="utf-8")
        for i, net in enumerate(NETS, 1):
            found = [row for row in rows if row["net"] == net]
            batch = max((row["batch"] for row in found), default=0)
            measured = ratio(run, net, batch, "gradients")
            blocks = [f'"measured, 2 processes"\n{2 if measured else "NaN"} {measured or "NaN"}']
            for kind in dict.fromkeys(row["exchange"] for row in rows):
                points = [f"{row['ranks']:.0f} {row['speedup']:.6g}" for row in found
                          if matches(row, batch=batch, exchange=kind)] or ["NaN NaN"]
                blocks.append("\n".join([f'"{kind}"', *points]))
            (folder / f"panel{i}").write_text("\n\n\n".join(blocks) + "\n", encoding="utf-8")
            (folder / f"panel{i}.title").write_text(
                f"{NETS[net]}, {batch:.0f} samples a process\n", encoding="utf-8")
        chart = f"{run.machine.lower()}_{run.stage or 'fragment'}"
        gnuplot(chart, folder, "prediction", "scaling")
        return f"scaling_{chart}.png"


def predicted(machines):
    """The charts of all runs, and below them a table."""
    lines, charts, counts = [], [], (2, 4, 8, 16, 64, 256, 1024)
    for machine in machines:
        for run in machine.devices():
            ranks = next((n for n in (2, 1)
                          if (part(run, n).folder / "scaling_figures.csv").exists()), None)
            if not ranks:
                continue
            rows = predictions(run, ranks)
            charts.append(f"![Predicted speedup, {run.label}](images/{draw_predictions(run, rows)})"
                          "\n\n")
            for net, title in NETS.items():
                for kind in dict.fromkeys(row["exchange"] for row in rows):
                    found = {row["ranks"]: row["speedup"] for row in rows
                             if matches(row, net=net, exchange=kind)
                             and row["batch"] == max(r["batch"] for r in rows if r["net"] == net)}
                    if found:
                        lines.append([f"{run.label}: {title}, {kind}",
                                      *(number(found[n]) for n in counts)])
    return "".join(charts) + table("speedup with so many processes", list(map(str, counts)), lines)


def main():
    machines = [Machine(*argument.split("=", 1)) for argument in sys.argv[1:]]
    text = DOCUMENT.read_text(encoding="utf-8")
    for name, content in (("speedups", speedups(machines)), ("hidden", hidden(machines)),
                          ("limits", limits(machines)), ("layers", layers(machines)),
                          ("predicted", predicted(machines))):
        if content.count("\n") > 2:
            text = renew(text, name, content)
    DOCUMENT.write_text(text, encoding="utf-8")


main()
