#!/usr/bin/env python3
"""scripts/record.py [OPTION ...] NAME ... - trains the networks of docs/results.md.

Each run NAME trains one network from several seeds. A seed is one process of the program train,
whose files go to OUT/NAME/seed-S: the command, the log, the curve, the model, and at the end
result.json. Seeds that have a result are not repeated. A seed that was interrupted continues from
its checkpoint. Afterwards scripts/results.py writes the tables of docs/results.md.

All numbers of a run, such as its epochs, were fixed beforehand. Test images are measured after each
epoch for the curve, but nothing is chosen by them: the result is that of the last epoch.

The status is 1 if a seed failed or did not end in time, or if a mean misses its target."""
import argparse
import hashlib
import json
import os
import re
import shlex
import subprocess
import sys
import time
from pathlib import Path

MLP = ["--rate", "0.1", "--momentum", "0.9", "--batch", "128", "--schedule", "cosine"]
CONV = ["--rate", "0.05", "--momentum", "0.9", "--batch", "128", "--schedule", "cosine"]
DISTORTED = ["--distort", "affine, elastic"]
SMOOTH = ["--distort", "affine, elastic 36, sigma 5"]  # the numbers of Ciresan et al. 2010
SMOOTHER = ["--distort", "affine, elastic 36, sigma 6"]
LARGE = ", ".join(f"dense {units} identity, batch_norm relu" for units in (2000, 1500, 1000, 500))
LENET5 = "convolution 6 5 padding 2, max_pool 2, convolution 16 5, max_pool 2, flatten, " \
         "dense 120, dense 84"
CONVOLUTIONS = "convolution 32 3 padding 1, convolution 32 3 padding 1, max_pool 2, " \
               "convolution 64 3 padding 1, convolution 64 3 padding 1, max_pool 2, "
DISTORTED_HEAD = "flatten, dense 256, dropout 0.25"
CLEAN_HEAD = "dropout 0.25, flatten, dense 256, dropout 0.5"  # no distortion: more dropout


class Run:
    """A network, its training, and the error that its mean must not exceed."""

    def __init__(self, title, data, target, options, least=0.0):
        self.title = title
        self.data = data        # the folder of the data set
        self.target = target    # test error in percent
        self.least = least      # a smaller error would show that test images leaked
        self.options = options  # of the program train


RUNS = {
    "mlp": Run(
        "784-800-10", "mnist", 1.75,
        ["--hidden", "800", "--epochs", "30", *MLP], least=1.45),
    "mlp-distorted": Run(
        "784-800-10, affine and elastic distortions", "mnist", 0.75,
        ["--hidden", "800", "--epochs", "300", *MLP, *DISTORTED]),
    "mlp-large": Run(
        "784-2000-1500-1000-500-10, batch normalisation, affine and elastic distortions", "mnist",
        0.45,
        ["--layers", LARGE, "--epochs", "200", *MLP, "--decay", "0.0001", "--label-smoothing",
         "0.1", *SMOOTH]),
    "lenet5": Run(
        "LeNet-5", "mnist", 0.95,
        ["--layers", LENET5, "--epochs", "20", *CONV, "--decay", "0.0005"]),
    "conv-distorted": Run(
        "3x3 convolutions, affine and elastic distortions", "mnist", 0.40,
        ["--layers", CONVOLUTIONS + DISTORTED_HEAD, "--epochs", "40", *CONV, "--decay", "0.0005",
         *SMOOTHER]),
    "fashion": Run(
        "3x3 convolutions", "fashion-mnist", 8.0,
        ["--layers", CONVOLUTIONS + CLEAN_HEAD, "--epochs", "15", *CONV, "--decay", "0.0005"]),
}

TRAIN = Path("build/examples/train")
CHECKPOINT_STEPS = 5000


class Seed:
    """The training of one network from one seed."""

    def __init__(self, name, seed, arguments):
        self.name = name
        self.seed = seed
        self.folder = arguments.out / name / f"seed-{seed}"
        options = list(RUNS[name].options)
        if arguments.epochs:
            options[options.index("--epochs") + 1] = str(arguments.epochs)
        self.command = [str(TRAIN), "--data", str(arguments.data / RUNS[name].data), *options,
                        "--stage", arguments.stage, "--seed", str(seed), *arguments.options]
        self.process = None
        self.started = 0.0

    def is_done(self):
        """True if there is a result of this command."""
        try:
            return json.loads((self.folder / "result.json").read_text())["command"] == self.command
        except (OSError, ValueError, KeyError):
            return False

    def files(self):
        checkpoint = self.folder / "checkpoint.safetensors"
        return ["--save", str(self.folder / "model.safetensors"),
                "--curve", str(self.folder / "curve.csv"), "--checkpoint", str(checkpoint),
                "--every", str(CHECKPOINT_STEPS), "--resume"]

    def start(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        command_file = self.folder / "command"
        text = shlex.join(self.command) + "\n"
        if not command_file.exists() or command_file.read_text() != text:
            for file in self.folder.iterdir():
                file.unlink()
            command_file.write_text(text)
        self.started = time.monotonic()
        with open(self.folder / "log", "a", encoding="utf-8") as log:
            self.process = subprocess.Popen(self.command + self.files(), stdout=log, stderr=log)

    def finish(self):
        """Stores the result; returns the test error in percent, or None after a failure."""
        log = (self.folder / "log").read_text(encoding="utf-8")
        accuracy = re.findall(r"^test loss .*, test accuracy ([\d.]+) %$", log, re.MULTILINE)
        if self.process.returncode != 0 or not accuracy:
            last = log.rstrip().rsplit("\n", 1)[-1]
            print(f"{self.name} seed {self.seed}: failed: {last}", file=sys.stderr)
            return None
        model = (self.folder / "model.safetensors").read_bytes()
        error = round(100.0 - float(accuracy[-1]), 2)
        result = {"name": self.name, "seed": self.seed, "command": self.command,
                  "error": error, "sha256": hashlib.sha256(model).hexdigest(),
                  "seconds": round(time.monotonic() - self.started, 1),
                  "device": find(r"^device +(.*)$", log),
                  "speed": find(r"^training .*, (.*)$", log)}
        temporary = self.folder / "result.new"
        temporary.write_text(json.dumps(result, indent=1) + "\n")
        temporary.rename(self.folder / "result.json")
        for file in self.folder.glob("checkpoint.safetensors*"):
            file.unlink()
        print(f"{self.name} seed {self.seed}: {error:.2f} %, {result['seconds']:.0f} s", flush=True)
        return error

    def stop(self):
        self.process.terminate()
        self.process.wait()
        print(f"{self.name} seed {self.seed}: stopped by the time limit", file=sys.stderr)


def find(pattern, text):
    found = re.findall(pattern, text, re.MULTILINE)
    return found[-1] if found else ""


def train(waiting, jobs, limit):
    """Runs all seeds, `jobs` at a time. False if one failed or did not end in time."""
    end = time.monotonic() + limit if limit else float("inf")
    running = []
    succeeded = True
    while waiting or running:
        while waiting and len(running) < jobs and time.monotonic() < end:
            running.append(waiting.pop(0))
            running[-1].start()
        if time.monotonic() >= end:
            for seed in running:
                seed.stop()
            return False
        time.sleep(0.1)
        for seed in [seed for seed in running if seed.process.poll() is not None]:
            running.remove(seed)
            succeeded = seed.finish() is not None and succeeded
    return succeeded


def judge(name, seeds):
    """Prints mean, best and worst. False if a seed is missing or the mean is out of its range."""
    errors = [json.loads((seed.folder / "result.json").read_text())["error"]
              for seed in seeds if seed.is_done()]
    if len(errors) < len(seeds):
        print(f"{name}: {len(errors)} of {len(seeds)} seeds are done")
        return False
    mean = sum(errors) / len(errors)
    run = RUNS[name]
    kept = run.least <= mean <= run.target
    print(f"{name}: mean {mean:.3f} %, best {min(errors):.2f} %, worst {max(errors):.2f} %; "
          f"target {run.target:.2f} %: {'reached' if kept else 'missed'}", flush=True)
    return kept


def parse():
    parser = argparse.ArgumentParser(
        description="Trains the networks of docs/results.md.",
        epilog="runs: " + "; ".join(f"{name}: {run.title}" for name, run in RUNS.items()))
    parser.add_argument("names", nargs="+", metavar="NAME", choices=[*RUNS, "all"])
    parser.add_argument("--data", type=Path, default=Path("data"),
                        help="folder with the data sets mnist/ and fashion-mnist/ (data)")
    parser.add_argument("--out", type=Path, default=Path("build/record"), help="build/record")
    parser.add_argument("--seeds", type=int, default=5, help="train from seeds 1 to N (5)")
    parser.add_argument("--epochs", type=int, help="instead of those of the run, for a trial")
    parser.add_argument("--jobs", type=int, default=1, help="processes at a time (1)")
    parser.add_argument("--limit", type=float, help="seconds for all that is asked for")
    parser.add_argument("--stage", default="compute", help="fragment or compute (compute)")
    parser.add_argument("--options", type=shlex.split, default=[],
                        help="further options of the program train, such as '--device 1'")
    return parser.parse_args()


def main():
    arguments = parse()
    os.chdir(Path(__file__).parent.parent)
    names = list(RUNS) if "all" in arguments.names else arguments.names
    seeds = {name: [Seed(name, number + 1, arguments) for number in range(arguments.seeds)]
             for name in names}
    waiting = [seed for name in names for seed in seeds[name] if not seed.is_done()]
    succeeded = train(waiting, arguments.jobs, arguments.limit)
    return 0 if all([judge(name, seeds[name]) for name in names]) and succeeded else 1


if __name__ == "__main__":
    sys.exit(main())
