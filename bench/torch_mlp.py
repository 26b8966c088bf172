#!/usr/bin/env python3
"""The work of bench_mlp in PyTorch: training steps of 784-256-10 and 784-800-10 at batch 1, 128 and
1024, on the CPU, on a GPU step by step, and on a GPU as a recorded graph.

    python3 bench/torch_mlp.py [--quick] [--out DIR]

Writes DIR/torch_mlp.csv with the columns of bench_mlp's mlp.csv. Says so and ends well where
PyTorch is missing. Each figure is the median of several measurements; the device is waited for
after each."""
import csv
import os

from torch_steps import Work, begin, contestants, torch

RATE = 0.02
SAMPLES = 16384


def make_work(device, hidden, batch, momentum):
    generator = torch.Generator().manual_seed(1)
    net = torch.nn.Sequential(
        torch.nn.Linear(784, hidden), torch.nn.ReLU(), torch.nn.Linear(hidden, 10))
    inputs = torch.rand(SAMPLES, 784, generator=generator)
    return Work(device, net, inputs, 10, batch, RATE, momentum)


def cases():
    for hidden in (256, 800):
        for batch in (1, 128, 1024):
            for momentum in (0.0, 0.9):
                for who in contestants():
                    yield hidden, batch, momentum, who


def main():
    options = begin("The work of bench_mlp in PyTorch.")
    with open(os.path.join(options.out, "torch_mlp.csv"), "w", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(
            "figure inputs hidden outputs patterns momentum who step_us low_us high_us "
            "samples_per_s passes".split())
        for hidden, batch, momentum, who in cases():
            work = make_work(who.device, hidden, batch, momentum)
            low, median, high = who.time(work.step, options.quick)
            table.writerow(["mlp", 784, hidden, 10, batch, momentum, who.name]
                           + [f"{1e6 * t:.7g}" for t in (median, low, high)]
                           + [f"{batch / median:.7g}", ""])
            print(f"784-{hidden}-10  batch {batch:4}  momentum {momentum}  {who.name:16}  "
                  f"{1e6 * median:10.1f} us  {batch / median:10.0f} samples/s", flush=True)


if __name__ == "__main__":
    main()
