#!/usr/bin/env python3
"""The work of bench_mlp in PyTorch: training steps of 784-256-10 and 784-800-10 at batch 1, 128 and
1024, on the CPU, on a GPU step by step, and on a GPU as a recorded graph.

    python3 bench/torch_mlp.py [--quick] [--out DIR]

Writes DIR/torch_mlp.csv with the columns of bench_mlp's mlp.csv. Says so and ends well where
PyTorch is missing. The samples lie on the device, and a step takes them by index, as the library's
does. Each figure is the median of several measurements; the device is waited for after each."""

import argparse
import csv
import os
import statistics
import sys
import time

try:
    import torch
except ImportError:
    print("torch_mlp.py: PyTorch is not installed; nothing is measured")
    sys.exit(0)

RATE = 0.02
SAMPLES = 16384


class Work:
    """A net, its samples, and one training step after another."""

    def __init__(self, device, hidden, batch, momentum):
        generator = torch.Generator().manual_seed(1)
        self.batch = batch
        self.inputs = torch.rand(SAMPLES, 784, generator=generator).to(device)
        self.labels = torch.randint(10, (SAMPLES,), generator=generator).to(device)
        self.index = torch.arange(batch, device=device)
        self.net = torch.nn.Sequential(
            torch.nn.Linear(784, hidden), torch.nn.ReLU(), torch.nn.Linear(hidden, 10)
        ).to(device)
        self.loss = torch.nn.CrossEntropyLoss()
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=RATE, momentum=momentum)

    def step(self):
        self.optimizer.zero_grad(set_to_none=False)
        loss = self.loss(self.net(self.inputs[self.index]), self.labels[self.index])
        loss.backward()
        self.optimizer.step()
        self.index.add_(self.batch).remainder_(SAMPLES)


def recorded(work):
    """The step as one graph of kernels."""
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            work.step()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        work.step()
    return graph.replay


def measure(step, wait, quick):
    """Quartiles of the seconds of one step."""
    for _ in range(5):
        step()
    wait()
    start = time.perf_counter()
    step()
    wait()
    steps = max(1, min(1000, int((0.02 if quick else 0.1) / (time.perf_counter() - start))))
    times = []
    for _ in range(5 if quick else 15):
        start = time.perf_counter()
        for _ in range(steps):
            step()
        wait()
        times.append((time.perf_counter() - start) / steps)
    return statistics.quantiles(times, n=4)


def contestants():
    """Name, device, whether the step is recorded, threads of the CPU (None: all)."""
    yield "torch CPU 1", "cpu", False, 1
    yield "torch CPU all", "cpu", False, None
    if torch.cuda.is_available():
        yield "torch CUDA", "cuda", False, None
        yield "torch CUDA graph", "cuda", True, None


def main():
    parser = argparse.ArgumentParser(description="The work of bench_mlp in PyTorch.")
    parser.add_argument("--quick", action="store_true", help="short measurements")
    parser.add_argument("--out", default="build/bench", metavar="DIR",
                        help="folder of the CSV file")
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    torch.backends.cuda.matmul.allow_tf32 = False
    all_threads = torch.get_num_threads()
    print(f"PyTorch {torch.__version__}, {all_threads} threads")
    with open(os.path.join(options.out, "torch_mlp.csv"), "w", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(
            "figure inputs hidden outputs patterns momentum who step_us low_us high_us "
            "samples_per_s passes".split()
        )
        for hidden in (256, 800):
            for batch in (1, 128, 1024):
                for momentum in (0.0, 0.9):
                    for name, device, graph, threads in contestants():
                        torch.set_num_threads(threads or all_threads)
                        work = Work(device, hidden, batch, momentum)
                        wait = torch.cuda.synchronize if device == "cuda" else lambda: None
                        step = recorded(work) if graph else work.step
                        low, median, high = measure(step, wait, options.quick)
                        table.writerow(
                            ["mlp", 784, hidden, 10, batch, momentum, name]
                            + [f"{1e6 * t:.7g}" for t in (median, low, high)]
                            + [f"{batch / median:.7g}", ""]
                        )
                        print(
                            f"784-{hidden}-10  batch {batch:4}  momentum {momentum}  {name:16}  "
                            f"{1e6 * median:10.1f} us  {batch / median:10.0f} samples/s",
                            flush=True,
                        )


if __name__ == "__main__":
    main()
