"""All patches of PyTorch for the behaviour of a machine with a GPU."""

from __future__ import annotations

import functools
from collections.abc import Callable
from importlib import import_module
from typing import Any

from tilewright.gpu_programs.launches import Launches
from tilewright.gpu_programs.patches import Patches, always
from tilewright.gpu_programs.pytorch import cuda, functions, pinning, saving, tensors as pytorch_tensors
from tilewright.gpu_programs.pytorch.graphs import Graphs
from tilewright.gpu_programs.refusals import refusal
from tilewright.gpu_programs.settings import ProgramSettings

_LIBRARY = "nccl"
_CALL = "torch.distributed.init_process_group"


def install_distributed(patches: Patches) -> None:
    """Let ``torch.distributed`` report that NCCL is missing, and ``init_process_group`` raise `NoAnswerError`
    for NCCL; the CPU's ``gloo`` stays usable. Do nothing if PyTorch was built without ``torch.distributed``.
    """
    package: Any = import_module("torch.distributed")
    if not package.is_available():
        return
    start = _without_nccl(package.init_process_group)
    for module in (package, import_module("torch.distributed.distributed_c10d")):
        patches.set_known(module, {"is_nccl_available": always(False), "init_process_group": start})


def _without_nccl(original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def init_process_group(backend: str | None = None, *arguments: Any, **named: Any) -> Any:
        if _LIBRARY in str(backend or "") or (backend is None and named.get("device_id") is not None):
            hint = "name the backend 'gloo', which works on the CPU, or run this part on GPUs"
            raise refusal(_CALL, "starts NCCL, which connects GPUs", hint)
        return original(backend, *arguments, **named)

    return init_process_group


def install(torch: Any, settings: ProgramSettings, launches: Launches, patches: Patches) -> None:
    """Patch the module ``torch`` so that programs find a GPU. `launches` gets functions to read tensors, to
    recognise host tensors, and to capture launches in graphs. `patches` undoes all changes.
    """
    tensors = pytorch_tensors.Tensors(torch)
    graphs = Graphs(tensors)
    functions.install(tensors, patches)
    functions.install_factories(tensors, patches)
    cuda.install(tensors, settings.chip, graphs, patches)
    cuda.install_profiling(torch, patches)
    saving.install(tensors, patches)
    saving.install_sharing(tensors, patches)
    pinning.install(tensors, patches)
    install_distributed(patches)
    patches.set(launches, "memory", tensors.memory)
    patches.set(launches, "on_host", pinning.is_out_of_reach(tensors))
    patches.set(launches, "capture", graphs.take_launch)
