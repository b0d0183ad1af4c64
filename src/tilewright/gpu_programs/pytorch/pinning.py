"""Pinned memory: host memory that a GPU can access.

Here all memory is alike, and a mark records whether pinning was requested. The mark is an attribute of the
storage, so views of a pinned tensor are pinned, as on a machine with a GPU.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tilewright.gpu_programs.patches import Patches
from tilewright.gpu_programs.pytorch.tensors import Tensors

ONLY_DENSE = "Only dense CPU tensors can be pinned"
_MARK = "is_pinned_memory"


def install(tensors: Tensors, patches: Patches) -> None:
    """Patch ``pin_memory`` and ``is_pinned`` of tensors and storages: pinning returns a copy with the mark,
    or the object itself if it has the mark. A tensor that is on the GPU or not dense raises `RuntimeError`.
    """
    torch = tensors.torch

    def pin_memory(self: Any, *arguments: Any, **named: Any) -> Any:
        if tensors.is_on_gpu(self) or self.layout is not torch.strided:
            raise RuntimeError(f"cannot pin '{self.type()}' only dense CPU tensors can be pinned")
        return self if is_pinned(self) else pinned(self.clone(), True)

    def tensor_is_pinned(self: Any, *arguments: Any, **named: Any) -> bool:
        return is_pinned(self)

    def pin_storage(self: Any, *arguments: Any, **named: Any) -> Any:
        if _has_mark(self):
            return self
        copy = self.clone()
        setattr(copy, _MARK, True)
        return copy

    def storage_is_pinned(self: Any, *arguments: Any, **named: Any) -> bool:
        return _has_mark(self)

    patches.set_all(torch.Tensor, {"pin_memory": pin_memory, "is_pinned": tensor_is_pinned})
    patches.set_all(torch.UntypedStorage, {"pin_memory": pin_storage, "is_pinned": storage_is_pinned})


def pinned(tensor: Any, is_wanted: bool) -> Any:
    """Return `tensor` itself; first mark its memory as pinned if `is_wanted`."""
    if is_wanted:
        setattr(tensor.untyped_storage(), _MARK, True)
    return tensor


def is_pinned(tensor: Any) -> bool:
    """Return whether a tensor is dense, on the host, and in pinned memory."""
    is_dense = str(tensor.layout) == "torch.strided" and tensor.device.type == "cpu"
    return is_dense and _has_mark(tensor.untyped_storage())


def is_out_of_reach(tensors: Tensors) -> Callable[[Any], bool]:
    """Return a predicate: whether an argument of a kernel is a tensor on the host that a GPU cannot access,
    since it is neither empty nor pinned.
    """
    torch = tensors.torch

    def answer(value: Any) -> bool:
        if not isinstance(value, torch.Tensor) or tensors.is_on_gpu(value):
            return False
        return value.device.type == "cpu" and value.numel() > 0 and not is_pinned(value)

    return answer


def _has_mark(storage: Any) -> bool:
    return bool(getattr(storage, _MARK, False))
