#!/usr/bin/env python3
"""Networks of libglnn in PyTorch.

    python3 examples/pytorch.py model.safetensors

prints the modules of a file that glnn_learner_save wrote. In a program:

    from pytorch import load

    network = load("model.safetensors")
    outputs = network(samples)  # samples x features, as glnn_learner_predict takes them

The module is a torch.nn.Sequential with the parameters of the file. It computes the outputs before
the softmax or sigmoid of cross-entropy, as PyTorch's losses expect them; network.predict(samples)
applies it. A state dict that was trained further goes back by

    save("trained.safetensors", network.state_dict())

and glnn_learner_load_parameters. The package safetensors reads and writes the same files; this
program needs PyTorch alone."""

import json
import struct
import sys
from array import array

try:
    import torch
    from torch import nn
except ImportError as error:
    sys.exit(f"pytorch.py needs PyTorch (pip install torch, or the package python3-torch): {error}")


def read(path):
    """Returns the arrays and the metadata of a safetensors file."""
    with open(path, "rb") as file:
        header = json.loads(file.read(struct.unpack("<Q", file.read(8))[0]))
        content = bytearray(file.read())
    metadata = header.pop("__metadata__", {})
    arrays = {}
    for name, entry in header.items():
        first, end = entry["data_offsets"]
        if entry["dtype"] == "F32":
            values = torch.frombuffer(content[first:end], dtype=torch.float32)
            arrays[name] = values.reshape(entry["shape"])
    return arrays, metadata


def save(path, arrays):
    """Writes the arrays of float32 of a state dict; counts of batches are left out."""
    header, content = {"__metadata__": {"format": "pt"}}, b""
    for name, values in arrays.items():
        if values.dtype != torch.float32:
            continue
        first = len(content)
        content += array("f", values.flatten().tolist()).tobytes()
        header[name] = {"dtype": "F32", "shape": list(values.shape),
                        "data_offsets": [first, len(content)]}
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + content)


class ScaledTanh(nn.Module):
    def forward(self, x):
        return 1.7159 * torch.tanh(x * (2 / 3))


class Sequences:
    """Sequences as the pixels of images, and their states as such an image or the last one."""

    def __init__(self, channels, units, all_states):
        super().__init__(channels, units, batch_first=True)
        self.all_states = all_states

    def forward(self, x, lengths=None):
        samples, times = len(x), x.shape[2] * x.shape[3]
        states, _ = super().forward(x.flatten(2).transpose(1, 2))
        ends = torch.full((samples,), times)
        if lengths is not None:
            ends = lengths.flatten().nan_to_num(1).ceil().clamp(1, times).long()
        if not self.all_states:
            return states[torch.arange(samples), ends - 1][:, :, None, None]
        states = states * (torch.arange(times) < ends[:, None])[:, :, None]
        return states.transpose(1, 2).reshape(samples, -1, *x.shape[2:])


class Recurrent(Sequences, nn.RNN):
    """h' = tanh(W x + b + U h + c)"""


class GatedRecurrent(Sequences, nn.GRU):
    """Gated recurrent units."""


ACTIVATIONS = {
    "sigmoid": nn.Sigmoid,
    "tanh": nn.Tanh,
    "scaled_tanh": ScaledTanh,
    "relu": nn.ReLU,
    "leaky_relu": lambda: nn.LeakyReLU(0.01),
    "elu": nn.ELU,
    "softsign": nn.Softsign,
}


def describe(metadata):
    """Returns a dictionary of the numbers of each layer."""
    count = len(metadata["layers"].split(","))
    keys = {"layers", "units", "activations", "rates", "kernel_heights", "kernel_widths",
            "stride_heights", "stride_widths", "padding_heights", "padding_widths", "groups",
            "skips", "sizes", "alphas", "betas", "ks", "dilation_heights",
            "dilation_widths", "all_states", "first_inputs", "second_inputs"}
    columns = {key: metadata.get(key, ",".join("0" * count)).split(",") for key in keys}
    return [{key: columns[key][i] for key in keys} for i in range(count)]


def pair(layer, name):
    return int(layer[name + "_heights"]), int(layer[name + "_widths"])


def module_of(layer, shape):
    """Returns the module of a layer whose input has this shape: channels, height, width."""
    kind, units = layer["layers"], int(layer["units"])
    window = {"kernel_size": pair(layer, "kernel"), "stride": pair(layer, "stride"),
              "padding": pair(layer, "padding")}
    if kind == "dense":
        return nn.Linear(shape[0] * shape[1] * shape[2], units)
    if kind == "convolution":
        return nn.Conv2d(shape[0], units, groups=int(layer["groups"]),
                         dilation=pair(layer, "dilation"), **window)
    if kind == "transposed_convolution":
        return nn.ConvTranspose2d(shape[0], units, dilation=pair(layer, "dilation"), **window)
    if kind == "max_pool":
        return nn.MaxPool2d(**window)
    if kind == "average_pool":
        return nn.AvgPool2d(**window)
    if kind == "batch_norm":
        return nn.BatchNorm2d(shape[0])
    if kind == "layer_norm":
        return nn.GroupNorm(1, shape[0])  # nn.LayerNorm, where images are 1 x 1
    if kind == "local_response_norm":
        return nn.LocalResponseNorm(int(layer["sizes"]), float(layer["alphas"]),
                                    float(layer["betas"]), float(layer["ks"]))
    if kind == "upsample":
        return nn.Upsample(scale_factor=window["stride"])
    if kind == "dropout":
        return nn.Dropout(float(layer["rates"]))
    if kind == "flatten":
        return nn.Flatten()
    if kind == "gelu":
        return nn.GELU()
    if kind in ("recurrent", "gru"):
        return (Recurrent if kind == "recurrent" else GatedRecurrent)(
            shape[0], units, layer["all_states"] == "true")
    if kind == "residual":
        return nn.Identity()  # forward() adds
    raise ValueError(f"unknown kind of layer: {kind}")


class Network(nn.Sequential):
    """The modules of a network: each layer, and after it its activation."""

    def __init__(self, metadata):
        super().__init__()
        self.shape = tuple(int(metadata[key]) for key in ("channels", "height", "width"))
        self.loss = metadata["loss"]
        self.layers = []  # the modules of each layer, and where its inputs are among the outputs
        shapes = [self.shape]
        for number, layer in enumerate(describe(metadata)):
            sources = [number + 1 - (int(layer["first_inputs"]) or 1)]
            if int(layer["second_inputs"]) > 0:
                sources.append(number + 1 - int(layer["second_inputs"]))
            if int(layer["skips"]) > 0:
                sources.append(number - int(layer["skips"]))
            modules = [module_of(layer, shapes[sources[0]])]
            if layer["activations"] in ACTIVATIONS:
                modules.append(ACTIVATIONS[layer["activations"]]())
            self.layers.append((modules, sources))
            shapes.append(self.output_shape(modules[0], shapes[sources[0]]))
        for modules, _ in self.layers:
            for module in modules:
                self.append(module)

    @staticmethod
    def output_shape(module, shape):
        if isinstance(module, nn.Linear):
            return module.out_features, 1, 1
        if isinstance(module, nn.Flatten):
            return shape[0] * shape[1] * shape[2], 1, 1
        training = module.training
        with torch.no_grad():
            found = module.eval()(torch.zeros(1, *shape)).shape[1:]
        module.train(training)
        return tuple(found)

    def forward(self, x):
        outputs = [x.reshape(len(x), *self.shape)]  # the input, and the output of each layer
        for modules, sources in self.layers:
            x, others = outputs[sources[0]], [outputs[source] for source in sources[1:]]
            if isinstance(modules[0], (nn.Linear, nn.Flatten)):
                x = x.flatten(1)
            elif x.dim() == 2:
                x = x[:, :, None, None]
            if isinstance(modules[0], nn.Identity):
                x = x + others[0].reshape(x.shape)
            elif isinstance(modules[0], Sequences):
                x = modules[0](x, *others)
            else:
                x = modules[0](x)
            for module in modules[1:]:
                x = module(x)
            outputs.append(x)
        return outputs[-1].flatten(1)

    def predict(self, x):
        """The outputs of glnn_learner_predict."""
        with torch.no_grad():
            outputs = self.eval()(x)
        if self.loss == "binary_cross_entropy":
            return outputs.sigmoid()
        if self.loss != "cross_entropy":
            return outputs
        return outputs.sigmoid() if outputs.shape[1] == 1 else outputs.softmax(1)


def load(path):
    """Returns the network of a file."""
    arrays, metadata = read(path)
    network = Network(metadata)
    network.load_state_dict({name: values for name, values in arrays.items()
                             if not name.startswith("glnn.")})
    return network


if __name__ == "__main__":
    print(load(sys.argv[1]))
