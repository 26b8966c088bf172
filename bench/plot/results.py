"""The results of benchmarks, as CSV files, and tables of them in Markdown.

A machine's folder has the CSV files of one run, or folders of runs. `fragment` and `compute` are
those of the two stages, `cpu` of the contestants on the CPU (the benchmarks' option --who cpu), and
`torch` of bench/torch_mlp.py and bench/torch_conv.py. If the speed of a machine varies, the folder
of a run can have folders of further passes, `pass2`, `pass3` and so on. The fastest one counts for
each row."""
import csv
import re
from pathlib import Path

RUNS = {"fragment": "fragment stage", "compute": "compute stage", "cpu": "CPU", "torch": "PyTorch"}


class Run:
    """One folder of CSV files. `machine` and `stage` name it; the label has both."""

    def __init__(self, machine, stage, folder):
        self.machine = machine
        self.stage = stage
        self.folder = Path(folder)
        self.label = f"{machine}, {RUNS[stage]}" if stage else machine

    def rows(self, name):
        """The rows of NAME.csv as dictionaries; numbers are floats, empty cells None."""
        rows = read_rows(self.folder / f"{name}.csv")
        for folder in sorted(self.folder.glob("pass*")):
            best_of = {}
            for row in rows + read_rows(folder / f"{name}.csv"):
                key = case_of(row)
                best_of[key] = min(best_of.get(key, row), row, key=slowness)
            rows = list(best_of.values())
        return rows

    def description(self):
        """The rows of machine.csv in one line."""
        with open(self.folder / "machine.csv", newline="", encoding="utf-8") as file:
            return "; ".join(" ".join(row) for row in list(csv.reader(file))[1:]) + "."

    def command(self, program):
        note = self.folder / f"{program}.txt"
        if note.exists():
            return note.read_text(encoding="utf-8").strip()
        variable = "GLNN_STAGE=compute " if self.stage == "compute" else ""
        return f"{variable}build/bench/{program}"


def read_rows(path):
    if not path.exists():
        return []
    with open(path, newline="", encoding="utf-8") as file:
        return [{key: value_of(text) for key, text in row.items() if key is not None}
                for row in csv.DictReader(file)]


def is_time(column):
    return re.search(r"(^|_)(us|ms|s)$", column) and not column.endswith("_per_s")


def case_of(row):
    """What a row measures: the cells in front of its first time, or its name among the limits."""
    columns = list(row)
    first = next((i for i, column in enumerate(columns) if is_time(column)), 1)
    return tuple(row[column] for column in columns[:first])


def slowness(row):
    """The first time of a row. Of limits, most are speeds."""
    time = next((row[column] for column in row if is_time(column)), None)
    return time if time is not None else row["value"] if is_time(row["unit"]) else -row["value"]


def value_of(text):
    if text is None or text == "":
        return None
    try:
        return float(text)
    except ValueError:
        return text


def runs_of(machine, folder):
    found = [Run(machine, stage, Path(folder) / stage) for stage in RUNS
             if (Path(folder) / stage).is_dir()]
    return found or [Run(machine, "", folder)]


class Machine:
    """The runs of one machine, and the fastest result of each kind of contestant in them."""

    def __init__(self, name, folder):
        self.name = name
        self.folder = Path(folder)
        self.runs = runs_of(name, folder)

    def devices(self):
        """The stages that were measured, most of all the fragment stage."""
        return [run for run in self.runs if run.stage in {"fragment", "compute", ""}]

    def rows(self, name):
        return [row for run in self.runs for row in run.rows(name)]


def matches(row, **wanted):
    return all(row[key] == value for key, value in wanted.items())


def device_rows(run, name, **wanted):
    """The rows of a run's file that have these values."""
    return [row for row in run.rows(name) if matches(row, **wanted)]


def best(rows, key, names, least=True):
    """The least or greatest value of some contestants, or None."""
    values = [row[key] for row in rows if row["who"] in names and row[key] is not None]
    return (min(values) if least else max(values)) if values else None


def number(x, digits=3):
    """So many digits, and spaces between thousands from five digits on."""
    if x is None:
        return ""
    if abs(x) < 1:
        return f"{x:.{digits}g}"
    if x >= 10 ** (digits + 1) - 0.5 or x == int(x):
        return f"{x:,.0f}".replace(",", " ") if x >= 9999.5 else f"{x:.0f}"
    whole = len(str(int(abs(x)))) if abs(x) >= 1 else 1
    return f"{x:.{max(0, digits - whole)}f}"


def percent(x):
    return "" if x is None else f"{x:.0f} %"


def table(corner, columns, rows):
    """Markdown of rows, each a list that begins with its title."""
    lines = [f"| {' | '.join([corner, *columns])} |", "|" + "---|" * (len(columns) + 1)]
    lines += [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join(lines) + "\n"


def pivot(rows, corner, row_of, column_of, cell_of):
    """A table with a row and a column for each value of two functions, in the order of `rows`."""
    cells, columns = {}, {}
    for row in rows:
        columns[column_of(row)] = True
        cells.setdefault(row_of(row), {})[column_of(row)] = cell_of(row)
    return table(corner, columns, [[title, *(cell.get(column, "") for column in columns)]
                                   for title, cell in cells.items()]) if cells else ""


def renew(text, name, content):
    """The text of a document with other content between the marks of a name."""
    return re.sub(rf"(<!-- {name} -->\n).*?(<!-- end -->)",
                  lambda match: match.group(1) + content + match.group(2), text, flags=re.DOTALL)
