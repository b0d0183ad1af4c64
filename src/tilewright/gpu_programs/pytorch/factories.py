"""Tensors that PyTorch's C++ allocates on the GPU: in exported programs, and in operations called by their
full names.

Functions such as ``torch.zeros`` are in `functions`; here ATen's operations for new memory are replaced.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from importlib import import_module
from typing import Any

from tilewright.gpu_programs.patches import Patches
from tilewright.gpu_programs.pytorch.libraries import refused
from tilewright.gpu_programs.pytorch.tensors import Tensors

_MAKERS = ("empty.memory_format", "empty_strided", "tril_indices", "triu_indices")
_REFUSED = ("_cudnn_init_dropout_state",)
"""Operations without tensors among their arguments that the CPU lacks."""
_WARNING = r"(?s).*Overriding a previously registered kernel.*"


def install(tensors: Tensors, patches: Patches) -> None:
    """Let ATen's functions that allocate memory on the GPU allocate host memory."""
    library = import_module("torch.library").Library("aten", "IMPL", "CUDA")
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", _WARNING, UserWarning)
        for name in _MAKERS:
            library.impl(name, _on_host(tensors, name))
        for name in _REFUSED:
            library.impl(name, _refusing(f"aten::{name}"))
    patches.on_undo(library._destroy)


def _on_host(tensors: Tensors, name: str) -> Callable[..., Any]:
    packet, _, overload = name.partition(".")
    original = getattr(getattr(tensors.torch.ops.aten, packet), overload or "default")

    def make(*arguments: Any, **named: Any) -> Any:
        return tensors.adopt(original(*arguments, **{**named, "device": "cpu", "pin_memory": False}))

    return make


def _refusing(name: str) -> Callable[..., Any]:
    def refuse(*arguments: Any, **named: Any) -> None:
        raise refused(name)

    return refuse
