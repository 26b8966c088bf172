#!/usr/bin/env python3
"""Compares the program train with scikit-learn on tables: how good the models are, and how long
both take.

    /usr/bin/python3 bench/sklearn_tables.py [--csv FILE --label COLUMN] [--write]

There are six tables: wine, cancer and digits are three of the UCI repository, which scikit-learn
has, and passengers, rare and outputs are generated. --csv measures a file of yours in their place.
Each table is split into training and test samples by several seeds. Both programs get the same
numbers: the script writes them as CSV, where a column of texts has a column of 0 and 1 for each
text. --write renews the table in docs/results.md, between its marks.

A row is a method. Its metric is the accuracy, the macro F1 where classes are rare, R^2 of targets,
or for k-means the mean squared distance of a test sample from the nearest centre of its class. The
difference is the mean of train minus scikit-learn over the seeds, with its standard error. A method
is behind if the mean is worse by more than two standard errors and by more than 0.5, or 0.005 of
R^2."""
import argparse
import csv
import json
import math
import re
import shlex
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

try:
    import numpy
    from sklearn import datasets, metrics
    from sklearn.cluster import KMeans
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    from sklearn.impute import SimpleImputer
    from sklearn.mixture import GaussianMixture
    from sklearn.model_selection import train_test_split
    from sklearn.neighbors import NearestCentroid
    from sklearn.neural_network import MLPClassifier, MLPRegressor
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import LinearSVC
except ImportError as error:
    sys.exit(f"{sys.executable} has no scikit-learn ({error}). On Debian, apt-get install "
             "python3-sklearn installs it for /usr/bin/python3. Elsewhere, python3 -m pip install "
             "scikit-learn does.")

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "scripts"))
from results import DOCUMENT, renew, table  # noqa: E402

MARK = "tables"
TEST_SHARE = 0.25


class Table:
    """Samples with classes, or with targets if these are a matrix of floats."""

    def __init__(self, name, text, inputs, wanted, is_rare=False):
        self.name, self.text, self.inputs, self.wanted = name, text, inputs, wanted
        self.has_targets = wanted.ndim == 2
        self.is_rare = is_rare
        self.has_gaps = bool(numpy.isnan(inputs).any())

    def split(self, seed):
        stratum = None if self.has_targets else self.wanted
        return train_test_split(self.inputs, self.wanted, test_size=TEST_SHARE, random_state=seed,
                                stratify=stratum)


class Metric:
    """`ours` is its name in the file of --metrics, `factor` makes it the number of the table."""

    def __init__(self, name, compute, ours, factor=1.0, digits=1, least=0.5, is_error=False):
        self.name, self.compute, self.ours, self.factor = name, compute, ours, factor
        self.digits, self.least, self.is_error = digits, least, is_error


ACCURACY = Metric("accuracy, %", metrics.accuracy_score, ["accuracy"], 100)
MACRO_F1 = Metric("macro F1, %", lambda wanted, predicted:
                  metrics.f1_score(wanted, predicted, average="macro"), ["macro", "f1"], 100)
R_SQUARED = Metric("R^2", metrics.r2_score, ["r_squared"], digits=3, least=0.005)
DISTANCE = Metric("distance^2", lambda wanted, distances:
                  numpy.mean(distances[numpy.arange(len(wanted)), wanted]), ["loss"],
                  digits=3, is_error=True)


# ---- Tables

def bundled(name, text, load):
    of = load()
    return Table(name, text, of.data.astype(float), of.target)


def passengers(random, count=900):
    """The shape of the Titanic's table: categories, missing values, and classes that overlap."""
    deck = random.choice([1, 2, 3], count, p=[0.24, 0.21, 0.55])
    woman = random.random(count) < 0.35
    age = numpy.clip(random.normal(30, 14, count), 0.5, 80)
    relatives = random.poisson(0.9, count)
    fare = numpy.exp(random.normal(4.6 - 0.9 * deck, 0.6))
    port = random.choice(3, count, p=[0.72, 0.19, 0.09])
    logit = 2.6 * woman - 0.9 * (deck - 2.3) - 0.03 * (age - 30) - 0.35 * relatives \
        + 1.2 * (age < 10) + 0.4 * (port == 1) - 1.1
    survived = random.random(count) < 1 / (1 + numpy.exp(-logit))
    age[random.random(count) < 0.2] = numpy.nan
    ports = numpy.eye(3)[port]
    ports[random.random(count) < 0.02] = numpy.nan
    inputs = numpy.column_stack([deck, woman, age, relatives, fare, ports])
    return Table("passengers", "categories and missing values, like the Titanic's", inputs,
                 survived.astype(int))


def rare(random, count=12000, features=12):
    """One sample in a hundred is of the second class."""
    wanted = (numpy.arange(count) % 100 == 0).astype(int)
    inputs = random.normal(size=(count, features)) * numpy.linspace(0.1, 30, features)
    inputs[:, :4] += wanted[:, None] * numpy.linspace(0.1, 30, features)[:4] * 1.7
    return Table("rare", "1 % of the samples are positive", inputs, wanted, is_rare=True)


def outputs(random, count=1500, features=8):
    """Three targets of different units."""
    x = random.uniform(-1, 1, (count, features))
    noise = random.normal(size=(count, 3)) * 0.05
    wanted = numpy.column_stack([numpy.sin(3 * x[:, 0]) + x[:, 1] * x[:, 2],
                                 x[:, 3] ** 2 + 0.5 * x[:, 4], numpy.abs(x[:, 5]) + x[:, 0]])
    return Table("outputs", "3 targets in different units", x * numpy.logspace(-1, 2, features),
                 (wanted + noise) * [1, 20, 1000])


def all_tables():
    random = numpy.random.default_rng(1)
    return [bundled("wine", "UCI", datasets.load_wine),
            bundled("cancer", "UCI", datasets.load_breast_cancer),
            bundled("digits", "UCI", datasets.load_digits),
            passengers(random), rare(random), outputs(random)]


def is_number(text):
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def columns_of(values):
    """A column of a file as numbers, or a column of 0 and 1 for each of its texts."""
    known = [value for value in values if value not in ("", "?", "NA", "nan")]
    if all(is_number(value) for value in known):
        return [[float(value) if is_number(value) else math.nan for value in values]]
    return [[float(value == text) for value in values] for text in sorted(set(known))]


def read_table(options):
    with open(options.csv, newline="", encoding="utf-8") as file:
        head, *rows = csv.reader(file)
    columns = dict(zip(head, map(list, zip(*rows))))
    wanted_names = (options.target or options.label or head[-1]).split(",")
    missing = [name for name in wanted_names if name not in columns]
    if missing:
        sys.exit(f"{options.csv} has no column '{missing[0]}'; it has {', '.join(head)}")
    wanted = [columns.pop(name) for name in wanted_names]
    inputs = numpy.array([column for values in columns.values() for column in columns_of(values)])
    if options.target:
        targets = numpy.array(wanted, float).T
    else:
        targets = numpy.unique(wanted[0], return_inverse=True)[1]
    return Table(Path(options.csv).stem, "a file", inputs.T, targets)


# ---- Methods

class OfEachClass:
    """One model of each class; `score` says how well samples fit one of them."""

    def __init__(self, make, score):
        self.make, self.score = make, score

    def fit(self, inputs, wanted):
        self.classes = numpy.unique(wanted)
        self.models = [self.make().fit(inputs[wanted == c]) for c in self.classes]
        self.shares = [numpy.mean(wanted == c) for c in self.classes]
        return self

    def predict(self, inputs):
        scores = [self.score(model, share, inputs)
                  for model, share in zip(self.models, self.shares)]
        return self.classes[numpy.argmax(scores, axis=0)]


class Distances(OfEachClass):
    """Predicts the squared distances from the nearest centre of each class."""

    def predict(self, inputs):
        return numpy.transpose([model.transform(inputs).min(axis=1) for model in self.models]) ** 2


def kmeans(seed):
    return Distances(lambda: KMeans(3, n_init=1, random_state=seed), None)


def mixture(seed):
    return OfEachClass(lambda: GaussianMixture(2, random_state=seed),
                       lambda model, share, inputs: model.score_samples(inputs) + math.log(share))


class Method:
    """The same method in both programs. The options may depend on the number of classes."""

    def __init__(self, name, theirs, ours, for_targets=False, metric=None):
        self.name, self.theirs, self.ours, self.for_targets = name, theirs, ours, for_targets
        self.metric = metric

    def metric_of(self, table):
        usual = R_SQUARED if table.has_targets else MACRO_F1 if table.is_rare else ACCURACY
        return self.metric or usual


METHODS = [
    Method("network of 100 units", lambda seed: MLPClassifier(random_state=seed),
           lambda classes: ["--hidden", "100"]),
    Method("network of 100 units", lambda seed: MLPRegressor(random_state=seed),
           lambda classes: ["--hidden", "100"], for_targets=True),
    Method("linear SVM", lambda seed: LinearSVC(random_state=seed),
           lambda classes: ["--learner", "svm", "--svm-loss", "squared_hinge"]),
    Method("linear discriminants", lambda seed: LinearDiscriminantAnalysis(),
           lambda classes: ["--lda", str(classes - 1), "--whiten", "--learner", "gmm"]),
    Method("mixtures, 2 of a class", mixture,
           lambda classes: ["--learner", "gmm", "--prototypes", "2"]),
    Method("k-means, 3 of a class", kmeans,
           lambda classes: ["--learner", "kmeans", "--prototypes", "3"], metric=DISTANCE),
    Method("nearest centroid", lambda seed: NearestCentroid(),
           lambda classes: ["--learner", "kmeans"]),
    Method("nearest centroid; glvq", lambda seed: NearestCentroid(),
           lambda classes: ["--learner", "glvq"]),
    Method("nearest centroid; gmlvq", lambda seed: NearestCentroid(),
           lambda classes: ["--learner", "gmlvq"]),
]


# ---- One comparison

def run_theirs(of, method, split, seed):
    train, test, wanted, truth = split
    steps = [SimpleImputer()] if of.has_gaps else []
    model = make_pipeline(*steps, StandardScaler(), method.theirs(seed))
    if of.has_targets:
        scale = StandardScaler().fit(wanted)
        wanted = scale.transform(wanted)
    started = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        predicted = model.fit(train, wanted).predict(test)
    seconds = time.perf_counter() - started
    if of.has_targets:
        # A single target comes back as a vector.
        predicted = scale.inverse_transform(predicted.reshape(len(test), -1))
    metric = method.metric_of(of)
    return metric.factor * metric.compute(truth, predicted), seconds


def write_csv(path, inputs, wanted):
    """Classes are texts, so that no table looks like one of targets."""
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        targets = wanted if wanted.ndim == 2 else [[f"class_{c}"] for c in wanted]
        writer.writerow([f"x{i}" for i in range(inputs.shape[1])]
                        + [f"y{i}" for i in range(len(targets[0]))])
        for row, last in zip(inputs, targets):
            writer.writerow(["" if math.isnan(x) else repr(float(x)) for x in row] + list(last))


def run_ours(of, method, seed, folder, program):
    targets = of.wanted.shape[1] if of.has_targets else 0
    command = [program, "--data", folder / "train.csv", "--test", folder / "test.csv",
               "--standardise", "--seed", str(seed), "--metrics", folder / "metrics.json"]
    if of.has_gaps:
        command += ["--missing", "fill"]
    if targets:
        command += ["--target", ",".join(f"y{i}" for i in range(targets))]
    command += method.ours(0 if targets else len(numpy.unique(of.wanted)))
    started = time.perf_counter()
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    seconds = time.perf_counter() - started
    if run.returncode != 0:
        sys.exit(f"{shlex.join(map(str, command))}: {run.stderr}")
    training = float(re.search(r"^training +([\d.]+) s", run.stdout, re.MULTILINE)[1])
    metric = method.metric_of(of)
    found = json.loads((folder / "metrics.json").read_text())
    for name in metric.ours:
        found = found[name]
    return metric.factor * found, seconds, training


def mean_text(values, digits):
    spread = statistics.stdev(values) if len(values) > 1 else 0
    return f"{statistics.mean(values):.{digits}f} +- {spread:.{digits}f}"


def compare(of, method, options):
    """A row of the table, and whether train is behind."""
    theirs, ours = [], []
    for seed in range(1, options.seeds + 1):
        split = of.split(seed)
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            write_csv(folder / "train.csv", split[0], split[2])
            write_csv(folder / "test.csv", split[1], split[3])
            ours.append(run_ours(of, method, seed, folder, options.train))
        theirs.append(run_theirs(of, method, split, seed))
    metric = method.metric_of(of)
    differences = [a[0] - b[0] for a, b in zip(ours, theirs)]
    mean = statistics.mean(differences)
    error = statistics.stdev(differences) / math.sqrt(len(differences))
    behind = (mean if metric.is_error else -mean) > max(2 * error, metric.least)
    difference = f"{mean:+.{metric.digits}f} +- {error:.{metric.digits}f}"
    seconds = [statistics.mean(values) for values in
               ([b[1] for b in theirs], [a[1] for a in ours], [a[2] for a in ours])]
    return [of.name, method.name, metric.name,
            mean_text([b[0] for b in theirs], metric.digits),
            mean_text([a[0] for a in ours], metric.digits),
            difference + (" (behind)" if behind else ""),
            *(f"{value:.2f}" for value in seconds)], behind


def read_options():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--train", default="build/examples/train", help="the program train")
    parser.add_argument("--seeds", type=int, default=5, help="splits of each table, at least 2")
    parser.add_argument("--only", default="", help="names of tables, separated by commas")
    parser.add_argument("--csv", help="a table of yours, with a header")
    parser.add_argument("--label", help="its column of classes; else the last one")
    parser.add_argument("--target", help="its columns of numbers to predict, with commas")
    parser.add_argument("--write", action="store_true", help=f"renew the table in {DOCUMENT}")
    options = parser.parse_args()
    if options.seeds < 2:
        sys.exit("--seeds: a standard error needs 2 or more")
    if not Path(options.train).exists():
        sys.exit(f"--train {options.train}: there is no such file; make builds it")
    if options.write and options.csv:
        sys.exit("--write and --csv: the document has the tables of the script")
    return options


def main():
    options = read_options()
    tables = [read_table(options)] if options.csv else all_tables()
    if options.only:
        tables = [of for of in tables if of.name in options.only.split(",")]
    rows, behind = [], 0
    for of in tables:
        for method in METHODS:
            if method.for_targets == of.has_targets:
                row, is_behind = compare(of, method, options)
                print(*row, sep="  ", flush=True)
                rows.append(row)
                behind += is_behind
    head = ["table", "method", "metric", "scikit-learn", "`train`", "difference",
            "scikit-learn, s", "`train`, s", "training of it, s"]
    sizes = table(["table", "samples", "features", "kind"],
                  [[of.name, str(len(of.inputs)), str(of.inputs.shape[1]), of.text]
                   for of in tables])
    content = f"{sizes}\n\n{table(head, rows)}\n\n{behind} of {len(rows)} rows are behind."
    if options.write:
        DOCUMENT.write_text(renew(DOCUMENT.read_text(encoding="utf-8"), MARK, content),
                            encoding="utf-8")
    else:
        print("\n" + content)


if __name__ == "__main__":
    main()
