#!/usr/bin/env python3
"""scripts/check_sklearn.py FOLDER - compares metrics with those of scikit-learn.

FOLDER has the arrays that tests/test_metrics.c measured, as .npy files, and its results in the file
`metrics`, a name and a number a line. Ends with 77 if scikit-learn is not installed."""

import os
import sys

try:
    import numpy
    from sklearn import metrics
except ImportError as error:
    print(f"scikit-learn is not installed: {error}")
    sys.exit(77)

folder = sys.argv[1]
labels, predicted, scores, weights, wanted, got = (
    numpy.load(os.path.join(folder, f"{name}.npy"))
    for name in ("labels", "predicted", "scores", "weights", "wanted", "got"))
labels, predicted = labels.astype(int).ravel(), predicted.astype(int).ravel()
weights = weights.ravel()
classes = range(scores.shape[1])

known = {
    "accuracy": metrics.accuracy_score(labels, predicted, sample_weight=weights),
    "balanced_accuracy": metrics.balanced_accuracy_score(labels, predicted, sample_weight=weights),
    "log_loss": metrics.log_loss(labels, scores, sample_weight=weights),
    # Of equal scores scikit-learn takes the higher class first, the library the lower one.
    "top_k_accuracy": metrics.top_k_accuracy_score(
        labels, scores - 1e-6 * numpy.arange(scores.shape[1]), k=2, sample_weight=weights),
}


def add(prefix, average):
    results = metrics.precision_recall_fscore_support(labels, predicted, average=average,
                                                      sample_weight=weights)
    for name, result in zip(("precision", "recall", "f1"), results):
        if average:
            known[f"{prefix}_{name}"] = result
        else:
            known.update({f"{name}[{c}]": result[c] for c in classes})


for average in ("macro", "weighted"):
    add(average, average)
add("", None)
areas = [metrics.roc_auc_score(labels == c, scores[:, c], sample_weight=weights) for c in classes]
known.update({f"roc_auc[{c}]": areas[c] for c in classes})
for average in ("macro", "weighted"):
    known[f"{average}_roc_auc"] = metrics.roc_auc_score(labels, scores, multi_class="ovr",
                                                        average=average, sample_weight=weights)
    known[f"{average}_average_precision"] = metrics.average_precision_score(
        numpy.eye(len(classes))[labels], scores, average=average, sample_weight=weights)
known.update({f"average_precision[{c}]": metrics.average_precision_score(
    labels == c, scores[:, c], sample_weight=weights) for c in classes})

wanted, got = wanted.astype(float), got.astype(float)
known["mae"] = metrics.mean_absolute_error(wanted, got, sample_weight=weights)
known["r2"] = metrics.r2_score(wanted, got, sample_weight=weights)
for t in range(wanted.shape[1]):
    column = wanted[:, t], got[:, t]
    known[f"mae[{t}]"] = metrics.mean_absolute_error(*column, sample_weight=weights)
    known[f"rmse[{t}]"] = metrics.mean_squared_error(*column, sample_weight=weights) ** 0.5
    known[f"r2[{t}]"] = metrics.r2_score(*column, sample_weight=weights)
    known[f"max_error[{t}]"] = max(abs(a - b) for a, b, w in zip(*column, weights) if w > 0)

failures = 0
with open(os.path.join(folder, "metrics")) as file:
    found = {name: float(number) for name, number in (line.split() for line in file)}
for name in sorted(found.keys() | known.keys()):
    ours, theirs = found.get(name, float("nan")), known.get(name, float("nan"))
    # The logarithms of scikit-learn are those of float32.
    if not abs(ours - theirs) <= (1e-6 if name == "log_loss" else 1e-9) * max(1, abs(theirs)):
        print(f"{name} is {ours!r}; scikit-learn gives {theirs!r}")
        failures += 1
print(f"{len(known)} metrics, {failures} differ")
sys.exit(1 if failures else 0)
