#!/usr/bin/env python3
"""The nets of bench_scaling in PyTorch, with DistributedDataParallel over NCCL.

    torchrun --standalone --nproc-per-node=2 bench/torch_ddp.py [--out DIR]

One process a GPU; with one process the nets are trained without it. Adds rows to DIR/torch_ddp.csv.
Each figure is the median of several measurements, which begin and end with a wait for all
devices. The samples lie on the device."""
import argparse
import csv
import os
import statistics
import time

import torch
from torch import distributed, nn

BATCHES = (128, 1024)
STEPS, REPEATS = 30, 5


def dense(*sizes):
    layers = []
    for inputs, units in zip(sizes, sizes[1:]):
        layers += [nn.Linear(inputs, units), nn.ReLU()]
    return nn.Sequential(*layers[:-1])


def lenet5():
    return nn.Sequential(
        nn.Unflatten(1, (1, 28, 28)),
        nn.Conv2d(1, 6, 5, padding=2), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(6, 16, 5), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(),
        nn.Linear(400, 120), nn.ReLU(), nn.Linear(120, 84), nn.ReLU(), nn.Linear(84, 10))


NETS = {
    "784-2500-2000-1500-1000-500-10": lambda: dense(784, 2500, 2000, 1500, 1000, 500, 10),
    "784-800-10": lambda: dense(784, 800, 10),
    "lenet5": lenet5,
}


def seconds_of_step(net, batch, rank, ranks):
    net = net.cuda()
    whole = nn.parallel.DistributedDataParallel(net, device_ids=[rank]) if ranks > 1 else net
    optimizer = torch.optim.SGD(whole.parameters(), lr=0.001, momentum=0.9)
    inputs = torch.rand(batch, 784, device="cuda")
    labels = torch.randint(10, (batch,), device="cuda")

    def steps(count):
        for _ in range(count):
            optimizer.zero_grad(set_to_none=True)
            nn.functional.cross_entropy(whole(inputs), labels).backward()
            optimizer.step()
        torch.cuda.synchronize()

    times = []
    steps(10)
    for _ in range(REPEATS):
        distributed.barrier()
        start = time.perf_counter()
        steps(STEPS)
        times.append((time.perf_counter() - start) / STEPS)
    return statistics.median(times)


def main():
    options = argparse.ArgumentParser(description="The nets of bench_scaling in PyTorch.")
    options.add_argument("--out", default="build/bench")
    folder = options.parse_args().out
    rank, ranks = int(os.environ["LOCAL_RANK"]), int(os.environ["WORLD_SIZE"])
    torch.cuda.set_device(rank)
    distributed.init_process_group("nccl")
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    torch.backends.cudnn.benchmark = True
    path = os.path.join(folder, "torch_ddp.csv")
    for batch in BATCHES:
        for name, make in NETS.items():
            step = seconds_of_step(make(), batch, rank, ranks)
            if rank > 0:
                continue
            is_new = not os.path.exists(path)
            with open(path, "a", newline="", encoding="utf-8") as file:
                table = csv.writer(file, lineterminator="\n")
                if is_new:
                    table.writerow(["net", "batch", "ranks", "step_us", "images_per_s"])
                table.writerow([name, batch, ranks, f"{1e6 * step:.7g}",
                                f"{ranks * batch / step:.7g}"])
            print(f"{name:30}  batch {batch:4}  {ranks} processes  {1e6 * step:10.1f} us  "
                  f"{ranks * batch / step:10.0f} images/s", flush=True)
    distributed.destroy_process_group()


if __name__ == "__main__":
    main()
