"""PyTorch as it is on a machine with a GPU."""

from __future__ import annotations

from typing import Any

from tilewright.gpu_programs import torch_cuda, torch_functions
from tilewright.gpu_programs.launches import Launches
from tilewright.gpu_programs.patches import Patches
from tilewright.gpu_programs.settings import Settings
from tilewright.gpu_programs.torch_graphs import Graphs
from tilewright.gpu_programs.torch_tensors import Tensors


def install(torch: Any, settings: Settings, launches: Launches, patches: Patches) -> None:
    """Change the module; launches learn of its tensors and graphs."""
    tensors = Tensors(torch)
    graphs = Graphs(tensors)
    torch_functions.install(tensors, patches)
    torch_cuda.install(tensors, settings.chip, graphs, patches)
    patches.set(launches, "memory", tensors.memory)
    patches.set(launches, "capture", graphs.take_launch)
