#!/usr/bin/env python3
"""scripts/check_pytorch.py MODEL SAMPLES BACK - compares a network with PyTorch.

MODEL is a file of glnn_learner_save. SAMPLES has the arrays `inputs` and `outputs`, which
glnn_learner_predict gave for them; PyTorch's must be equal to 1e-5. The parameters, changed, go to
BACK with the new outputs as the array `outputs`. Ends with 77 if PyTorch is not installed."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "examples"))
sys.dont_write_bytecode = True
try:
    import torch
    import pytorch
except ImportError as error:
    print(f"PyTorch is not installed: {error}")
    sys.exit(77)

model, samples, back = sys.argv[1:]
network = pytorch.load(model)
arrays, _ = pytorch.read(samples)
outputs = network.predict(arrays["inputs"])
error = (outputs - arrays["outputs"]).abs().div(arrays["outputs"].abs().clamp(min=1)).max().item()
print(f"greatest difference from PyTorch {error:.2g}")
if not error <= 1e-5:
    sys.exit(1)

with torch.no_grad():
    for parameter in network.parameters():
        parameter.mul_(0.75)
pytorch.save(back, {**network.state_dict(), "outputs": network.predict(arrays["inputs"])})
