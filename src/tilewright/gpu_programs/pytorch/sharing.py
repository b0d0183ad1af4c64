"""Sending tensors to other processes: a tensor on the GPU arrives as a tensor on the GPU, over the same
memory.

``torch.multiprocessing`` sends the memory of a CPU tensor as shared memory, without a note about the GPU.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from tilewright.gpu_programs.interpreter_start import begin
from tilewright.gpu_programs.patches import Patches
from tilewright.gpu_programs.pytorch.saving import marked
from tilewright.gpu_programs.pytorch.tensors import Tensors


def install(tensors: Tensors, patches: Patches) -> None:
    """Let processes that Python's ``multiprocessing`` starts receive tensors on the GPU."""
    reductions: Any = import_module("torch.multiprocessing.reductions")
    pickler: Any = import_module("multiprocessing.reduction").ForkingPickler
    parameter: Any = tensors.torch.nn.Parameter

    def reduce(tensor: Any) -> tuple[Any, ...]:
        plain = tensors.memory(tensor.detach())
        is_parameter = isinstance(tensor, parameter)
        return received, (*reductions.reduce_tensor(plain), is_parameter, tensor.requires_grad)

    known = pickler._extra_reducers
    known[tensors.kind] = reduce
    patches.on_undo(lambda: known.pop(tensors.kind, None))


def received(rebuild: Any, arguments: tuple[Any, ...], is_parameter: bool, requires_grad: bool) -> Any:
    """Return a tensor on the GPU that another process sent.

    Starts the routing of this process by the environment.
    """
    begin()
    torch: Any = import_module("torch")
    tensor = marked(rebuild(*arguments))
    return torch.nn.Parameter(tensor, requires_grad) if is_parameter else tensor.requires_grad_(requires_grad)
