"""Tensors on the simulated GPU: they own host memory, and their device is ``cuda:0``.

To PyTorch's C++ they are CPU tensors, so every operation, autograd included, computes on the CPU. To the
program they have a class of their own, whose ``device`` is a GPU. Operations pass through
`__torch_dispatch__`, which gives their results the same class: a tensor is "on the GPU" if one of its
operands was, as on a real machine.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tilewright.gpu_programs.patches import always, nothing
from tilewright.gpu_programs.pytorch.operations import Operations
from tilewright.gpu_programs.refusals import refusal
from tilewright.host.addresses import HOST_POINTER

TO_HOST = "Use Tensor.cpu() to copy the tensor to host memory first."

_ON_HOST = {"aten::_pack_padded_sequence": (1,)}
"""Operations with some results on the host, and the positions of these results."""


@dataclass
class Tensors:
    """The class of tensors on the GPU (``kind``), and its conversions to and from CPU tensors; ``torch`` is
    the module.

    ``recorder``, unless it is None, is called first for every operation; it returns whether a graph has
    captured the operation, and the result.
    """

    torch: Any
    kind: Any = None
    device: Any = None
    recorder: Callable[[Any, Any, dict[str, Any]], tuple[bool, Any]] | None = None
    _move: Any = field(default=None, repr=False)

    def __post_init__(self) -> None:
        self.device = self.torch.device("cuda", 0)
        self.kind = _tensor_class(self)
        self._move = _move_function(self)
        self._operations = Operations(self.torch)
        self._plain = self.torch._C._DisableTorchDispatch

    def is_gpu(self, device: Any) -> bool:
        """Return whether the specification of a device means the GPU: a number, or a device or text of the
        type ``cuda``. None and booleans do not. Raises `NoAnswerError` for a GPU with another number than 0.
        """
        if device is None or isinstance(device, bool):
            return False
        if not isinstance(device, int):
            device = self.torch.device(device)
            if device.type != "cuda":
                return False
            device = device.index
        if device:
            raise refusal(f"cuda:{device}", "is a device that there is not: there is one GPU, 'cuda:0'")
        return True

    def is_on_gpu(self, tensor: Any) -> bool:
        """Return whether a tensor is on the GPU."""
        return isinstance(tensor, self.kind)

    def adopt(self, tensor: Any) -> Any:
        """Return a tensor on the GPU over the memory of a CPU tensor, outside of autograd. An object of
        another class than `torch.Tensor` itself is returned unchanged.
        """
        if type(tensor) is not self.torch.Tensor:
            return tensor
        return self.torch.Tensor._make_subclass(self.kind, tensor, tensor.requires_grad)

    def memory(self, tensor: Any) -> Any:
        """Return the CPU tensor over the memory of a tensor on the GPU, outside of autograd; other tensors
        unchanged.
        """
        if not self.is_on_gpu(tensor):
            return tensor
        with self._plain():
            return self.torch.Tensor._make_subclass(self.torch.Tensor, tensor)

    def moved(self, tensor: Any, to_gpu: bool) -> Any:
        """Return a copy of `tensor` on the GPU if `to_gpu`, otherwise on the host, through which gradients
        flow. Return the tensor itself if it is there already.
        """
        return tensor if self.is_on_gpu(tensor) is to_gpu else self._move(tensor, to_gpu)

    def dispatch(self, function: Any, arguments: Any, named: dict[str, Any]) -> Any:
        """Run an operation on the CPU, or, while a graph is being captured, let `recorder` add it to the
        graph; return its results, which are tensors on the GPU.
        """
        if self.recorder is not None:
            taken, result = self.recorder(function, arguments, named)
            if taken:
                return result
        return self.run(function, arguments, named)

    def run(self, function: Any, arguments: Any, named: dict[str, Any]) -> Any:
        """Run an operation on the CPU, whether a graph is being captured or not, and return its results as
        tensors on the GPU, apart from results that PyTorch returns on the host.
        """
        with self._plain():
            result = self._operations.call(function, arguments, named)
        on_host = _ON_HOST.get(function._schema.name)
        if on_host is not None:
            return tuple(one if at in on_host else self.adopt(one) for at, one in enumerate(result))
        return self._adopt_all(result)

    def _adopt_all(self, result: Any) -> Any:
        if isinstance(result, self.torch.Tensor):
            return self.adopt(result)
        if type(result) in (tuple, list):
            return type(result)(map(self._adopt_all, result))
        return result


def _move_function(tensors: Tensors) -> Callable[[Any, bool], Any]:
    """Return the copy between host and GPU as a function, of a tensor and whether it goes to the GPU, whose
    gradients are copied the other way.
    """
    torch = tensors.torch

    def copied(tensor: Any, to_gpu: bool) -> Any:
        copy = tensors.memory(tensor).detach().clone()
        return tensors.adopt(copy) if to_gpu else copy

    def forward(context: Any, tensor: Any, to_gpu: bool) -> Any:
        context.to_gpu = to_gpu
        return copied(tensor, to_gpu)

    def backward(context: Any, gradient: Any) -> Any:
        return copied(gradient, not context.to_gpu), None

    members = {"forward": staticmethod(forward), "backward": staticmethod(backward)}
    return type("ToDevice", (torch.autograd.Function,), members).apply


def _tensor_class(tensors: Tensors) -> Any:
    """Return the class of tensors on the GPU.

    Its methods differ from a CPU tensor's only where the device is visible.
    """
    torch = tensors.torch

    def dispatch(cls: Any, function: Any, types: Any, arguments: Any = (), named: Any = None) -> Any:
        return tensors.dispatch(function, arguments, named or {})

    def no_array(self: Any, *arguments: Any, **named: Any) -> None:
        if named.get("force"):
            return tensors.memory(self).numpy(force=True).copy()
        raise TypeError(f"can't convert {self.device} device type tensor to numpy. {TO_HOST}")

    def text(self: Any, **named: Any) -> str:
        plain = tensors.memory(self)
        gradient = (
            f", grad_fn=<{self.grad_fn.name()}>)" if self.grad_fn is not None else ", requires_grad=True)"
        )
        tail = gradient if self.requires_grad else ")"
        return f"{repr(plain)[:-1]}, device='{self.device}'{tail}"

    def formatted(self: Any, specification: str) -> str:
        return format(tensors.memory(self), specification)

    def listed(self: Any) -> Any:
        return tensors.memory(self).tolist()

    def device(self: Any) -> Any:
        return tensors.device

    def pointer(self: Any) -> int:
        memory = tensors.memory(self)
        programs = sys.modules.get("tilewright.cuda_programs.python_programs")
        if programs is None or not vars(programs)["is_loaded"]():
            return memory.data_ptr()
        storage = memory.untyped_storage()
        begin, size = storage.data_ptr(), storage.nbytes()
        if not size:
            return 0
        return vars(programs)["loaded"]().address_in(storage, begin, begin + size) + memory.data_ptr() - begin

    def host_pointer(self: Any) -> int:
        return tensors.memory(self).data_ptr()

    members: dict[str, Any] = {
        "__module__": "torch",
        "__torch_function__": torch._C._disabled_torch_function_impl,
        "__torch_dispatch__": classmethod(dispatch),
        "__repr__": text,
        "__format__": formatted,
        "__array__": no_array,
        "numpy": no_array,
        "tolist": listed,
        "device": property(device),
        "is_cuda": property(always(True)),
        "is_cpu": property(always(False)),
        "get_device": always(0),
        "record_stream": nothing,
        "data_ptr": pointer,
        HOST_POINTER: host_pointer,
    }
    return type("Tensor", (torch.Tensor,), members)
