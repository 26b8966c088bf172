"""Tables and charts of docs/performance.md for the training of networks: convolutions, distortion,
and the costs of emphasis and of parameters in two parts."""
from charts import draw
from results import device_rows, number, percent, table

# ---- Speed of convolutional networks

# Of the tables and of the charts.
NETS = {"lenet5": "LeNet-5", "simard": "Simard's network", "conv32-64-128": "3 x 3 network"}
SHORT = {"lenet5": "LeNet-5", "simard": "Simard", "conv32-64-128": "3 x 3"}

# Machine, network, batch.
CASES = [
    *(("H200", net, batch) for net in NETS for batch in (1, 128, 1024)),
    ("llvmpipe", "lenet5", 1),
    ("llvmpipe", "lenet5", 128),
    ("llvmpipe", "simard", 128),
    ("llvmpipe", "conv32-64-128", 32),
]
CONVOLUTION_TASKS = [(machine, f"{net} batch {batch}", "images/s") for machine, net, batch in CASES]

OWN = {"libglnn, fragment stage": ("fragment", ""), "libglnn, compute stage": ("compute",)}
TORCH = {"PyTorch CPU": "torch CPU all", "PyTorch CUDA": "torch CUDA",
         "PyTorch CUDA graph": "torch CUDA graph"}
CONTESTANTS = [*OWN, *TORCH, "TensorFlow.js"]


def speeds(machine, net, batch, peers):
    """Images a second of each contestant, or None."""
    def first(rows):
        return next((row["images_per_s"] for row in rows), None)

    case = {"net": net, "batch": batch}
    found = [first(row for run in machine.runs if run.stage in stages
                   for row in device_rows(run, "conv_steps", **case)) for stages in OWN.values()]
    found += [first(row for run in machine.runs
                    for row in device_rows(run, "torch_conv", who=who, **case))
              for who in TORCH.values()]
    return [*found, peers.get((machine.name.lower(), "TensorFlow.js", f"{net} batch {batch}"))]


def convolutions(machines, peers):
    by_name = {machine.name: machine for machine in machines}
    lines, data = [], [["", *CONTESTANTS]]
    for name, net, batch in CASES:
        values = speeds(by_name[name], net, batch, peers)
        if not any(values):
            continue
        lines.append([f"{name}: {NETS[net]}, batch {batch}", *map(number, values)])
        data.append([f"{SHORT[net]}\nbatch {batch}\n{name}", *values])
    draw("convolutions", data)
    return table("images a second", CONTESTANTS, lines)


# ---- Convolutions and their limits

PARTS = {"outputs": "outputs", "weights": "gradient of weights", "inputs": "gradient of inputs"}

# Network, layer, its name in the table.
LAYERS = [
    ("lenet5", 0, "5 x 5, 1 to 6 maps"),
    ("lenet5", 2, "5 x 5, 6 to 16 maps"),
    ("conv32-64-128", 1, "3 x 3, 32 to 64 maps"),
    ("conv32-64-128", 3, "3 x 3, 64 to 128 maps"),
]


def lines_of(title):
    """A title as a label of a chart."""
    return title.replace(", ", "\n")


def of_limit(row):
    """Percent of the slower of two limits: multiply-adds, and the copy of as many bytes."""
    return max(row["peak_percent"], row["copy_percent"])


def convolution_limits(machines):
    runs = [run for machine in machines for run in machine.devices() if run.rows("conv_passes")]
    lines, data = [], [["", *(run.label for run in runs)]]
    for net, layer, title in LAYERS:
        for part, words in PARTS.items():
            found = [next(iter(device_rows(run, "conv_passes", net=net, layer=layer, part=part)),
                          None) for run in runs]
            if not any(found):
                continue
            lines.append([f"{title}: {words}", *(
                f"{percent(of_limit(row))} / {percent(row['product_percent'])}" if row else ""
                for row in found)])
            short = f"{title}, {part}".replace(" maps", "")
            data.append([lines_of(short), *(of_limit(row) if row else None for row in found)])
    draw("convolution_limits", data)
    return table("percent of the limit / of the speed of a product", [run.label for run in runs],
                 lines)


# ---- Costs, as percent of a step

def more(row):
    return f"{row['more_percent']:+.1f} %".replace("-", "−")


def cost_rows(runs, rows):
    """A line of the table and of the chart for each title and choice of rows."""
    lines, data = [], []
    for title, name, wanted in rows:
        found = [next(iter(device_rows(run, name, **wanted)), None) for run in runs]
        if not any(found):
            continue
        is_base = all(row is None or row["more_percent"] is None for row in found)
        lines.append([title, *("" if row is None else f"{number(row['step_us'])} us" if is_base
                               else more(row) for row in found)])
        if not is_base:
            data.append([lines_of(title), *(row["more_percent"] if row else None
                                            for row in found)])
    return lines, data


DISTORTIONS = [
    ("a step without distortion", "distort", {"distortion": "none"}),
    ("affine", "distort", {"distortion": "affine"}),
    ("elastic", "distort", {"distortion": "elastic"}),
    ("affine and elastic", "distort", {"distortion": "affine,elastic"}),
]


def cost_table(machines, chart, corner, rows):
    needed = {name for _, name, _ in rows}
    runs = [run for machine in machines for run in machine.devices()
            if any(run.rows(name) for name in needed)]
    lines, data = cost_rows(runs, rows)
    draw(chart, [["", *(run.label for run in runs)], *data], "more")
    return table(corner, [run.label for run in runs], lines)


def distortions(machines):
    return cost_table(machines, "distortion", "784-800-10, batch 128", DISTORTIONS)


def two_parts(name, **wanted):
    return (f"two parts, {name}", "updates", {"two_parts": 1, "noise": 0, **wanted})


COSTS = [
    ("a step with momentum", "updates",
     {"optimizer": "sgd", "momentum": 0.9, "two_parts": 0, "noise": 0}),
    ("emphasis", "orders", {"order": "emphasis"}),
    two_parts("SGD", optimizer="sgd", momentum=0),
    two_parts("momentum", optimizer="sgd", momentum=0.9),
    two_parts("Nesterov", optimizer="nesterov"),
    two_parts("Adam", optimizer="adam"),
    two_parts("RMSprop", optimizer="rmsprop"),
    two_parts("iRprop-", optimizer="rprop"),
    ("gradient noise, momentum", "updates", {"optimizer": "sgd", "momentum": 0.9, "two_parts": 0,
                                             "noise": 1e-6}),
]


def costs(machines):
    return cost_table(machines, "costs", "784-800-10, batch 128", COSTS)
