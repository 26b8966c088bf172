#!/usr/bin/env python3
"""The networks of bench_recurrent in PyTorch: training steps of gated recurrent units by the length
of their sequences, on the CPU, on a GPU step by step, and on a GPU as a recorded graph.

    python3 bench/torch_recurrent.py [--quick] [--out DIR]

Writes DIR/torch_recurrent.csv with the columns of bench_recurrent's recurrent.csv and the name of
each contestant. Says so and ends well where PyTorch is missing. Each figure is the median of
several measurements; the device is waited for after each."""
import csv
import os

from torch_steps import Work, begin, contestants, torch

RATE = 0.01
MOMENTUM = 0.9
CHANNELS = 32
CLASSES = 10
NETS = ((64, 32), (256, 128))  # units and batch
LENGTHS = (8, 32, 128)

nn = torch.nn


class Last(nn.GRU):
    """The last state of each sequence."""

    def forward(self, x):
        return super().forward(x)[0][:, -1]


def cases():
    """On the CPU the larger network takes too long."""
    for units, batch in NETS:
        for times in LENGTHS:
            for who in contestants():
                if who.device == "cuda" or units == NETS[0][0]:
                    yield units, batch, times, who


def main():
    options = begin("The networks of bench_recurrent in PyTorch.")
    with open(os.path.join(options.out, "torch_recurrent.csv"), "w", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow("units batch times who step_us low_us high_us us_per_time".split())
        for units, batch, times, who in cases():
            inputs = torch.rand(16 * batch, times, CHANNELS,
                                generator=torch.Generator().manual_seed(1))
            net = nn.Sequential(Last(CHANNELS, units, batch_first=True), nn.Linear(units, CLASSES))
            work = Work(who.device, net, inputs, CLASSES, batch, RATE, MOMENTUM)
            low, median, high = who.time(work.step, options.quick)
            table.writerow([units, batch, times, who.name]
                           + [f"{1e6 * t:.7g}" for t in (median, low, high, median / times)])
            print(f"{units:4} units  batch {batch:4}  {times:4} times  {who.name:16}  "
                  f"{1e6 * median:10.1f} us", flush=True)


if __name__ == "__main__":
    main()
