#!/usr/bin/env python3
"""The nets of bench_conv in PyTorch: training steps with momentum and forward passes at batch 1,
128 and 1024, on the CPU, on a GPU step by step, and on a GPU as a recorded graph.

    python3 bench/torch_conv.py [--quick] [--out DIR]

Writes DIR/torch_conv.csv with the columns of bench_conv's conv_steps.csv and the name of each
contestant. Says so and ends well where PyTorch is missing. Each figure is the median of several
measurements; the device is waited for after each."""
import csv
import os

from torch_steps import Work, begin, contestants, torch

RATE = 0.01
MOMENTUM = 0.9
SAMPLES = 2048

nn = torch.nn


def lenet5():
    return nn.Sequential(
        nn.Conv2d(1, 6, 5, padding=2), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(6, 16, 5), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(),
        nn.Linear(400, 120), nn.ReLU(), nn.Linear(120, 84), nn.ReLU(), nn.Linear(84, 10))


def simard():
    return nn.Sequential(
        nn.Conv2d(1, 6, 5, stride=2, padding=1), nn.Tanh(),
        nn.Conv2d(6, 50, 5, stride=2), nn.Tanh(), nn.Flatten(),
        nn.Linear(50 * 25, 100), nn.Tanh(), nn.Linear(100, 10))


def wide():
    return nn.Sequential(
        nn.Conv2d(1, 32, 3, padding=1), nn.ReLU(), nn.Conv2d(32, 64, 3, padding=1), nn.ReLU(),
        nn.MaxPool2d(2), nn.Conv2d(64, 128, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(),
        nn.Linear(128 * 49, 128), nn.ReLU(), nn.Linear(128, 10))


NETS = {"lenet5": lenet5, "simard": simard, "conv32-64-128": wide}


def cases():
    """On the CPU the largest batch takes too long."""
    for name in NETS:
        for batch in (1, 128, 1024):
            for who in contestants():
                if who.device == "cuda" or batch <= 128 and (name != "conv32-64-128" or batch == 1):
                    yield name, batch, who


def main():
    options = begin("The nets of bench_conv in PyTorch.")
    images = torch.rand(SAMPLES, 1, 28, 28, generator=torch.Generator().manual_seed(1))
    with open(os.path.join(options.out, "torch_conv.csv"), "w", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(
            "net batch who step_us low_us high_us images_per_s forward_us passes".split())
        for name, batch, who in cases():
            work = Work(who.device, NETS[name](), images, 10, batch, RATE, MOMENTUM)
            low, median, high = who.time(work.step, options.quick)
            forward = who.time(work.forward, True)[1]
            table.writerow([name, batch, who.name]
                           + [f"{1e6 * t:.7g}" for t in (median, low, high)]
                           + [f"{batch / median:.7g}", f"{1e6 * forward:.7g}", ""])
            print(f"{name:14}  batch {batch:4}  {who.name:16}  {1e6 * median:10.1f} us  "
                  f"{batch / median:10.0f} images/s", flush=True)


if __name__ == "__main__":
    main()
