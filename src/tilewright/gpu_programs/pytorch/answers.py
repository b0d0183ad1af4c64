"""All patches of PyTorch for the behaviour of a machine with a GPU."""

from __future__ import annotations

from typing import Any

from tilewright.gpu_programs.launches import Launches
from tilewright.gpu_programs.patches import Patches
from tilewright.gpu_programs.pytorch import (
    cuda,
    distributed,
    factories,
    functions,
    pinning,
    profiling,
    saving,
    sharing,
)
from tilewright.gpu_programs.pytorch.graphs import Graphs
from tilewright.gpu_programs.pytorch.tensors import Tensors
from tilewright.gpu_programs.settings import ProgramSettings


def install(torch: Any, settings: ProgramSettings, launches: Launches, patches: Patches) -> None:
    """Change the module ``torch`` so that programs find a GPU; `launches` gets access to its tensors and
    graphs.
    """
    tensors = Tensors(torch)
    graphs = Graphs(tensors)
    functions.install(tensors, patches)
    factories.install(tensors, patches)
    cuda.install(tensors, settings.chip, graphs, patches)
    profiling.install(torch, patches)
    saving.install(tensors, patches)
    sharing.install(tensors, patches)
    pinning.install(tensors, patches)
    distributed.install(patches)
    patches.set(launches, "memory", tensors.memory)
    patches.set(launches, "on_host", pinning.is_out_of_reach(tensors))
    patches.set(launches, "capture", graphs.take_launch)
