"""Training steps in PyTorch and their times, for torch_mlp.py, torch_conv.py and
torch_recurrent.py."""
import argparse
import os
import statistics
import sys
import time

try:
    import torch
except ImportError:
    print(f"{os.path.basename(sys.argv[0])}: PyTorch is not installed; nothing is measured")
    sys.exit(0)


class Work:
    """A net, its samples, and one training step after another. The samples lie on the device, and a
    step takes them by index, as the library's does."""

    def __init__(self, device, net, inputs, classes, batch, rate, momentum):
        generator = torch.Generator().manual_seed(1)
        self.samples = len(inputs)
        self.inputs = inputs.to(device)
        self.labels = torch.randint(classes, (self.samples,), generator=generator).to(device)
        self.batch = batch
        self.index = torch.arange(batch, device=device)
        self.net = net.to(device)
        self.loss = torch.nn.CrossEntropyLoss()
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=rate, momentum=momentum)

    def step(self):
        self.optimizer.zero_grad(set_to_none=False)
        loss = self.loss(self.net(self.inputs[self.index]), self.labels[self.index])
        loss.backward()
        self.optimizer.step()
        self.index.add_(self.batch).remainder_(self.samples)

    def forward(self):
        with torch.no_grad():
            self.net(self.inputs[:self.batch])


def recorded(work):
    """Work as one graph of kernels."""
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            work()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        work()
    return graph.replay


def measure(work, wait, quick):
    """Quartiles of the seconds of one step: low, median, high."""
    for _ in range(5):
        work()
    wait()
    start = time.perf_counter()
    work()
    wait()
    steps = max(1, min(1000, int((0.02 if quick else 0.1) / (time.perf_counter() - start))))
    times = []
    for _ in range(5 if quick else 15):
        start = time.perf_counter()
        for _ in range(steps):
            work()
        wait()
        times.append((time.perf_counter() - start) / steps)
    return statistics.quantiles(times, n=4)


class Contestant:
    """Where work runs. `graph`: recorded and replayed as a whole."""

    def __init__(self, name, device, graph, threads):
        self.name, self.device, self.graph, self.threads = name, device, graph, threads

    def time(self, work, quick):
        torch.set_num_threads(self.threads)
        wait = torch.cuda.synchronize if self.device == "cuda" else lambda: None
        return measure(recorded(work) if self.graph else work, wait, quick)


def contestants():
    threads = torch.get_num_threads()
    found = [Contestant("torch CPU 1", "cpu", False, 1),
             Contestant("torch CPU all", "cpu", False, threads)]
    if torch.cuda.is_available():
        found += [Contestant("torch CUDA", "cuda", False, threads),
                  Contestant("torch CUDA graph", "cuda", True, threads)]
    return found


def begin(description):
    """Reads the command line, makes the folder of the results, and sets float32."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--quick", action="store_true", help="short measurements")
    parser.add_argument("--out", default="build/bench", metavar="DIR",
                        help="folder of the CSV file")
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    torch.backends.cudnn.benchmark = True
    print(f"PyTorch {torch.__version__}, {torch.get_num_threads()} threads")
    return options
