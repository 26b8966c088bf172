#!/usr/bin/env python3
"""Networks of libglnn in PyTorch.

    python3 examples/pytorch.py model.safetensors

prints the modules of a file that glnn_learner_save wrote. In a program:

    from pytorch import load

    network = load("model.safetensors")
    outputs = network(samples)  # samples x features, as glnn_learner_predict takes them

The module is a torch.nn.Sequential with the parameters of the file, whose layers read the outputs
that the file says. It computes the outputs before the softmax or sigmoid of cross-entropy, as
PyTorch's losses expect them, one output of the network after the other; network.predict(samples)
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
            "skips", "sizes", "alphas", "betas", "ks", "dilation_heights", "dilation_widths",
            "first_inputs", "second_inputs", "third_inputs", "fourth_inputs", "firsts", "shares",
            "shape_channels", "shape_heights", "shape_widths", "all_states"}
    columns = {key: metadata.get(key, ",".join("0" * count)).split(",") for key in keys}
    return [{key: columns[key][i] for key in keys} for i in range(count)]


def pair(layer, name):
    return int(layer[name + "_heights"]), int(layer[name + "_widths"])


def sources_of(layer, number):
    """Returns the layers whose outputs are the inputs of a layer; -1: the samples."""
    back = [int(layer[key + "_inputs"]) for key in ("first", "second", "third", "fourth")]
    sources = [number - b for b in back if b > 0] or [number - 1]
    if layer["layers"] == "residual":
        sources.append(number - 1 - int(layer["skips"]))
    return sources


class Join(nn.Module):
    """A layer with several inputs."""

    def __init__(self, kind):
        super().__init__()
        self.kind = kind

    def forward(self, *inputs):
        if self.kind == "concatenate":
            return torch.cat(inputs, 1)
        result = inputs[0]
        for x in inputs[1:]:
            result = result * x if self.kind == "multiply" else result + x
        return result


class Slice(nn.Module):
    def __init__(self, first, count):
        super().__init__()
        self.first, self.count = first, count

    def forward(self, x):
        return x.narrow(1, self.first, self.count)


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
    if kind in ("residual", "add", "multiply", "concatenate"):
        return Join(kind)
    if kind == "slice":
        return Slice(int(layer["firsts"]), units)
    if kind == "unflatten":
        return nn.Unflatten(1, tuple(max(int(layer["shape_" + key]), 1)
                                     for key in ("channels", "heights", "widths")))
    if kind in ("recurrent", "gru"):
        return (Recurrent if kind == "recurrent" else GatedRecurrent)(
            shape[0], units, layer["all_states"] == "true")
    raise ValueError(f"unknown kind of layer: {kind}")


class Network(nn.Sequential):
    """The modules of a network: each layer, and after it its activation."""

    def __init__(self, metadata):
        super().__init__()
        self.shape = tuple(int(metadata[key]) for key in ("channels", "height", "width"))
        self.layers = []  # the modules of each layer, and the layers whose outputs it reads
        shapes = []
        for number, layer in enumerate(describe(metadata)):
            sources = sources_of(layer, number)
            inputs = [shapes[s] if s >= 0 else self.shape for s in sources]
            modules = [module_of(layer, inputs[0])]
            shapes.append(self.output_shape(modules[0], inputs))
            if int(layer["shares"]) > 0:
                modules[0] = self.layers[number - int(layer["shares"])][0][0]
            if layer["activations"] in ACTIVATIONS:
                modules.append(ACTIVATIONS[layer["activations"]]())
            self.layers.append((modules, sources))
        self.repeated = []  # beginnings of names under which a shared module stands again
        for modules, _ in self.layers:
            for module in modules:
                if any(module is other for other in self):
                    self.repeated.append(f"{len(self)}.")
                self.append(module)
        layers = metadata.get("output_layers", str(len(shapes) - 1)).split(",")
        losses = metadata.get("output_losses", metadata["loss"]).split(",")
        self.outputs = [(int(layer), loss) for layer, loss in zip(layers, losses)]

    @staticmethod
    def takes_flat(module):
        return isinstance(module, (nn.Linear, nn.Flatten, nn.Unflatten))

    def output_shape(self, module, inputs):
        if isinstance(module, nn.Linear):
            return module.out_features, 1, 1
        if isinstance(module, nn.Flatten):
            return inputs[0][0] * inputs[0][1] * inputs[0][2], 1, 1
        training = module.training
        samples = [torch.zeros(1, *shape) for shape in inputs]
        if self.takes_flat(module):
            samples = [x.flatten(1) for x in samples]
        with torch.no_grad():
            found = module.eval()(*samples).shape[1:]
        module.train(training)
        return tuple(found)

    def run(self, x):
        """Returns the numbers of each output of the network."""
        values = [x.reshape(len(x), *self.shape)]  # the input, and the output of each layer
        for modules, sources in self.layers:
            inputs = [values[source + 1] for source in sources]
            if self.takes_flat(modules[0]):
                inputs = [x.flatten(1) for x in inputs]
            else:
                inputs = [x if x.dim() == 4 else x[:, :, None, None] for x in inputs]
            x = modules[0](*inputs)
            for activation in modules[1:]:
                x = activation(x)
            values.append(x)
        return [values[layer + 1].flatten(1) for layer, _ in self.outputs]

    def forward(self, x):
        return torch.cat(self.run(x), 1)

    @staticmethod
    def probabilities(outputs, loss):
        if loss == "binary_cross_entropy":
            return outputs.sigmoid()
        if loss != "cross_entropy":
            return outputs
        return outputs.sigmoid() if outputs.shape[1] == 1 else outputs.softmax(1)

    def predict(self, x):
        """The outputs of glnn_learner_predict."""
        with torch.no_grad():
            outputs = self.eval().run(x)
        return torch.cat([self.probabilities(values, loss)
                          for values, (_, loss) in zip(outputs, self.outputs)], 1)


def load(path):
    """Returns the network of a file."""
    arrays, metadata = read(path)
    network = Network(metadata)
    result = network.load_state_dict({name: values for name, values in arrays.items()
                                      if not name.startswith("glnn.")}, strict=False)
    missing = [name for name in result.missing_keys
               if not name.startswith(tuple(network.repeated) or "\0")]
    if missing or result.unexpected_keys:
        raise ValueError(f"{path} lacks {missing}, and has {result.unexpected_keys}")
    return network


if __name__ == "__main__":
    print(load(sys.argv[1]))
