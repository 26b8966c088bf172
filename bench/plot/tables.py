"""The full tables of results: a page for each benchmark, a section for each run."""
from results import number, percent, pivot, table


def size(row):
    parts = [row[name] for name in ("m", "n", "k") if row[name] is not None]
    return f"{row['operation']}, " + " x ".join(f"{part:.0f}" for part in parts)


def who(row):
    return row["who"]


def step(row):
    return f"{row['inputs']:.0f}-{row['hidden']:.0f}-{row['outputs']:.0f}, " \
           f"batch {row['patterns']:.0f}" + (f", momentum {row['momentum']}" if row["momentum"]
                                             else "")


def with_passes(text, row):
    return text if row["passes"] is None else f"{text}, {row['passes']:.0f}"


def limits(run):
    yield pivot(run.rows("limits"), "limit", lambda row: row["limit"], lambda row: "value",
                lambda row: f"{number(row['value'])} {row['unit']}")


def products(run):
    rows = run.rows("gemm")
    yield pivot(rows, "GFLOP/s", size, who, lambda row: number(row["gflops"]))
    yield pivot([row for row in rows if row["fetch_percent"] is not None],
                "percent of the fetch limit and of the peak, passes", size, who,
                lambda row: with_passes(
                    f"{percent(row['fetch_percent'])}, {percent(row['peak_percent'])}", row))


def operations(run):
    for name in "map", "reduce":
        rows = run.rows(name)
        yield pivot(rows, "us", size, who, lambda row: number(row["median_us"]))
        yield pivot([row for row in rows if row["copy_percent"] is not None],
                    "GB/s moved at least, percent of the copy pass", size, who,
                    lambda row: f"{number(row['gbytes'])}, {percent(row['copy_percent'])}")


def step_times(rows):
    return pivot(rows, "us a step, passes", step, who,
                 lambda row: with_passes(number(row["step_us"]), row))


def layouts(run):
    yield pivot(run.rows("layouts"), "us", size, who, lambda row: number(row["median_us"]))
    yield step_times(run.rows("layouts_steps"))


def steps(rows):
    yield step_times(rows)
    yield pivot(rows, "samples a second", step, who, lambda row: number(row["samples_per_s"]))


def training(run):
    yield from steps(run.rows("mlp"))
    yield from steps(run.rows("torch_mlp"))
    yield pivot(run.rows("inference"), "one sample through the network, us", who,
                lambda row: f"784-{row['hidden']:.0f}-10", lambda row: number(row["median_us"]))


def backpropagation(run):
    yield pivot([row for row in run.rows("packing") if row["packed_us"] is not None],
                "2-64-1, 1024 patterns", lambda row: row["scheme"],
                lambda row: "us packed, us unpacked, times as fast packed (quartiles)",
                lambda row: f"{number(row['packed_us'])}, {number(row['unpacked_us'])}, "
                            f"{row['times_as_fast']:.2f} ({row['low']:.2f} to {row['high']:.2f})")
    yield step_times(run.rows("backprop"))


def prototypes(run):
    def case(row):
        return f"{row['prototypes']:.0f} a class, batch {row['batch']:.0f}"

    yield pivot(run.rows("lvq"), "samples a second", case, who,
                lambda row: number(row["samples_per_s"]))
    yield pivot(run.rows("lvq_kernels"), "us, passes", case, lambda row: row["kernel"],
                lambda row: with_passes(number(row["us"]), row))
    yield pivot(run.rows("lvq_stream"), "samples a second",
                lambda row: f"{row['samples']:.0f} samples, {row['mib']:.0f} MiB", who,
                lambda row: number(row["samples_per_s"]))


def crossover(run):
    yield pivot(run.rows("crossover_operations"), "us", size, who,
                lambda row: number(row["median_us"]))
    yield pivot(run.rows("crossover_steps"), "us a step", step, who,
                lambda row: number(row["step_us"]))


def start(run):
    yield pivot(run.rows("start"), "ms from the start of the process until",
                lambda row: row["until"], lambda row: f"{row['caches']} caches",
                lambda row: number(row["median_ms"]))


def net_case(row):
    return f"{row['net']}, batch {row['batch']:.0f}"


def conv_part(row):
    return f"{row['net']}, layer {row['layer']:.0f}, {row['part']}: " \
           f"{row['rows']:.0f} x {row['columns']:.0f} x {row['inner']:.0f}"


def cells(rows, corner, row_of, columns):
    """A table with columns of the results: title, column, what makes its text."""
    titles = [title for title, *_ in columns]
    return table(corner, titles, [[row_of(row), *("" if row[name] is None else text_of(row[name])
                                                  for _, name, text_of in columns)]
                                  for row in rows]) if rows else ""


def more(x):
    return f"{x:+.1f} %".replace("-", "−")


def quartiles(rows):
    for row in rows:
        row["quartiles"] = f"{number(row['low_us'])} to {number(row['high_us'])}"
    return rows


QUARTILES = ("quartiles", "quartiles", str)


def windows(row):
    return f"{row['layer']}, {row['part']}, kernel {row['kernel']:.0f}, " \
           f"width {row['width']:.0f}, stride {row['stride']:.0f}, padding {row['padding']:.0f}"


def convolutions(run):
    yield cells(quartiles(run.rows("conv_steps")), "training steps", net_case,
                [("us a step", "step_us", number), QUARTILES,
                 ("images a second", "images_per_s", number),
                 ("us of the forward pass", "forward_us", number), ("passes", "passes", number)])
    yield cells(quartiles(run.rows("conv_passes")), "passes, as products m x n x k", conv_part,
                [("batch", "batch", number), ("us", "us", number), QUARTILES,
                 ("GFLOP/s", "gflops", number),
                 ("of the product's speed", "product_percent", percent),
                 ("of the fetch limit", "fetch_percent", percent),
                 ("of the peak", "peak_percent", percent),
                 ("of the copy pass", "copy_percent", percent), ("us in C", "c_us", number)])
    yield cells(run.rows("conv_widths"), "first convolutions and poolings", windows,
                [("us", "us", number), ("ps a multiply-add", "ps_each", number),
                 ("times the least of the kernel", "of_least", number)])
    rows = run.rows("torch_conv")
    yield pivot(rows, "us a step", net_case, who, lambda row: number(row["step_us"]))
    yield pivot(rows, "images a second", net_case, who, lambda row: number(row["images_per_s"]))
    yield pivot(rows, "us of the forward pass", net_case, who,
                lambda row: number(row["forward_us"]))


def distortion(run):
    yield cells(quartiles(run.rows("distort")), "distortion", lambda row: row["distortion"],
                [("us a step", "step_us", number), QUARTILES, ("passes", "passes", number),
                 ("more", "more_percent", more), ("us to distort a batch", "batch_us", number),
                 ("of its limit", "limit_percent", percent),
                 ("us in C", "c_us", number)])


def update(row):
    return row["optimizer"] + (f", momentum {row['momentum']}" if row["momentum"] else "") + \
        (", two parts" if row["two_parts"] else "") + (", noise" if row["noise"] else "")


def costs(run):
    yield cells(quartiles(run.rows("orders")), "order of samples", lambda row: row["order"],
                [("us a step", "step_us", number), QUARTILES,
                 ("passes an epoch", "epoch_passes", number), ("more", "more_percent", more),
                 ("us more an epoch", "more_us", number),
                 ("us of as many empty passes", "limit_us", number),
                 ("us to draw an epoch in C", "c_us", number)])
    yield cells(quartiles(run.rows("updates")), "optimizer", update,
                [("us a step", "step_us", number), QUARTILES, ("passes", "passes", number),
                 ("more", "more_percent", more), ("us more", "more_us", number),
                 ("us to copy the second part", "limit_us", number),
                 ("us to update in C", "c_us", number)])


# Name of the page, program, title, tables, introduction.
PAGES = [
    ("limits", "bench_limits", "Limits of the device", limits,
     "The most that the device does, measured with shaders of the benchmark itself."),
    ("products", "bench_gemm", "Matrix products", products,
     "Products m x n x k: square ones, and those of training steps."),
    ("operations", "bench_map", "Maps, moves and reductions", operations,
     "Made by `bench_map` and `bench_reduce`."),
    ("layouts", "bench_layouts", "Operations in each layout", layouts,
     "Operations of one size in each layout."),
    ("training", "bench_mlp", "Training of networks", training,
     "Steps of 784-256-10 and 784-800-10, and one sample through these networks."),
    ("convolutions", "bench_conv", "Convolutional networks", convolutions,
     "Steps of three networks, and the passes of their convolutions."),
    ("distortion", "bench_distort", "Distortion", distortion,
     "Steps of 784-800-10 at batch 128 with distorted images."),
    ("costs", "bench_updates", "Emphasis and parameters in two parts", costs,
     "Steps of 784-800-10 at batch 128, made by `bench_emphasis` and `bench_updates`."),
    ("backpropagation", "bench_backprop", "Back-propagation of small networks", backpropagation,
     "Steps of networks 2-M-1 by the library and by the published scheme."),
    ("prototypes", "bench_lvq", "Training of prototypes", prototypes,
     "Steps of GLVQ with 3755 classes of 160 features."),
    ("crossover", "bench_crossover", "Small sizes", crossover,
     "Operations and training steps of ascending sizes."),
    ("start", "bench_start", "Time to the first result", start,
     "Cold caches: all programs are compiled. Warm caches: they are read from the cache."),
]


# The program of a page's results in PyTorch.
TORCH = {"training": "bench/torch_mlp.py", "convolutions": "bench/torch_conv.py"}


def write_tables(folder, runs):
    """Writes a page for each benchmark that has results."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, program, title, tables, introduction in PAGES:
        text = f"# {title}\n\n{introduction} " \
               "[Performance](../performance.md) explains the columns.\n"
        sections = ""
        for run in runs:
            parts = [part for part in tables(run) if part]
            if parts:
                command = f"python3 {TORCH[name]}" if run.stage == "torch" \
                    else run.command(program)
                machine = f"{run.description()}\n\n" if (run.folder / "machine.csv").exists() \
                    else ""
                sections += f"\n## {run.label}\n\n{machine}    {command}\n\n" + "\n".join(parts)
        if sections:
            (folder / f"{name}.md").write_text(text + sections, encoding="utf-8")
