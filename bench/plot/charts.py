"""Charts of the documents, drawn by gnuplot."""
import subprocess
import tempfile
from pathlib import Path

from results import device_rows, matches

HERE = Path(__file__).parent
IMAGES = Path("docs/images")
LAYOUTS = ("tiled", "packed")


def curve(rows, x, names):
    """The least time of some contestants for each size."""
    key = "median_us" if rows and "median_us" in rows[0] else "step_us"
    times = {}
    for row in rows:
        if row["who"] in names and row[key] is not None:
            times[row[x]] = min(row[key], times.get(row[x], row[key]))
    return times


def write_data(path, rows):
    def cell(value):
        return f'"{value}"'.replace("\n", "\\n") if isinstance(value, str) else \
            "NaN" if value is None else f"{value:.6g}"
    path.write_text("\n".join(" ".join(map(cell, row)) for row in rows) + "\n", encoding="utf-8")


def gnuplot(name, data, kind=None, page="performance"):
    out = IMAGES / f"{page}_{name}.png"
    subprocess.run(["gnuplot", "-e", f"data='{data}'; out='{out}'", HERE / "report.gp",
                    HERE / f"report_{kind or name}.gp"], check=True)


def draw(name, rows, kind=None):
    """A chart of a table, whose first row names the columns. Columns without values are left out.
    Charts of one kind have one script."""
    kept = [i for i in range(len(rows[0])) if any(row[i] is not None for row in rows[1:])]
    rows = [[row[i] for i in kept] for row in rows]
    if len(rows) > 1:
        with tempfile.TemporaryDirectory() as folder:
            write_data(Path(folder) / "data", rows)
            gnuplot(name, f"{folder}/data", kind)


def draw_curves(name, machines, left, left_rows, left_x, right, right_rows, right_x):
    """Two panels of times against sizes, with a curve for each run and for the CPU."""
    with tempfile.TemporaryDirectory() as folder:
        for panel, file, wanted, x in ("left", left, left_rows, left_x), \
                                      ("right", right, right_rows, right_x):
            blocks = []
            for machine in machines:
                for run in machine.devices():
                    blocks.append((run.label, curve(square(device_rows(run, file, **wanted)), x,
                                                    LAYOUTS)))
                rows = square([row for row in machine.rows(file) if matches(row, **wanted)])
                for who in "C", "OpenBLAS all":
                    blocks.append((f"{machine.name}, {who}", curve(rows, x, (who,))))
            text = "\n\n\n".join("\n".join([f'"{label}"', *([f"{n:.0f} {times[n]:.6g}"
                                                           for n in sorted(times)] or ["NaN NaN"])])
                               for label, times in blocks)
            (Path(folder) / panel).write_text(text + "\n", encoding="utf-8")
        gnuplot(name, folder)


def draw_layouts(machines):
    """A panel for each run: the speed of products in each layout, packed against unpacked."""
    runs = [(machine, run) for machine in machines for run in machine.devices()]
    with tempfile.TemporaryDirectory() as folder:
        for number_of, (machine, run) in enumerate(runs):
            blocks = []
            for who in "tiled", "packed", "unpacked", "OpenBLAS all":
                rows = machine.rows("gemm") if who == "OpenBLAS all" else run.rows("gemm")
                times = curve(square([row for row in rows if row["operation"] == "gemm_nn"]), "m",
                              (who,))
                points = [f"{n:.0f} {times[n]:.6g}" for n in sorted(times)] or ["NaN NaN"]
                blocks.append("\n".join([f'"{who}"', *points]))
            (Path(folder) / f"panel{number_of + 1}").write_text("\n\n\n".join(blocks) + "\n",
                                                              encoding="utf-8")
        labels = "".join(f"'{run.label}' " for _, run in runs)
        (Path(folder) / "labels").write_text(labels, encoding="utf-8")
        gnuplot("layouts", folder)


def draw_published(machines):
    """The charts of the publication: its scheme and today's step on each machine."""
    for machine in machines:
        chosen = [run for run in machine.runs if run.stage in {"fragment", "cpu", ""}]
        with tempfile.TemporaryDirectory() as folder:
            for name in "machine", "backprop", "packing":
                texts = [run.folder / f"{name}.csv" for run in chosen]
                if name == "machine":
                    texts = texts[:1]
                lines = [line for i, path in enumerate(filter(Path.exists, texts))
                         for line in path.read_text(encoding="utf-8").splitlines()[min(i, 1):]]
                (Path(folder) / f"{name}.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
            if not (Path(folder) / "backprop.csv").read_text(encoding="utf-8").strip():
                continue
            for chart in "backprop_hidden", "backprop_patterns":
                out = IMAGES / f"{machine.name.lower()}_{chart}.png"
                subprocess.run(["gnuplot", "-e", f"results='{folder}'; format='png'; out='{out}'",
                                HERE / "style.gp", HERE / f"{chart}.gp"], check=True,
                               stderr=subprocess.DEVNULL)


def square(rows):
    return [row for row in rows if "k" not in row or row["k"] is None
            or row["m"] == row["n"] == row["k"]]
