"""``torch.distributed`` with one GPU: NCCL, which connects GPUs, is not available."""

from __future__ import annotations

import functools
from collections.abc import Callable
from importlib import import_module
from typing import Any

from tilewright.gpu_programs.answers import always
from tilewright.gpu_programs.patches import Patches
from tilewright.gpu_programs.refusals import refusal

_LIBRARY = "nccl"
_CALL = "torch.distributed.init_process_group"


def install(patches: Patches) -> None:
    """Let ``torch.distributed`` report that NCCL is missing; the CPU's ``gloo`` stays usable."""
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
