"""Host objects that own memory and are no NumPy arrays: DLPack producers, a stand-in for torch.Tensor."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tilewright.host import dlpack
from tilewright.host.addresses import BY_NUMPY_NAME

CPU, CUDA = 1, 2


class OnlyDlpack:
    """Hides everything of a NumPy array but its DLPack method."""

    def __init__(self, array: Any) -> None:
        self.array = array

    def __dlpack__(self, **options: Any) -> object:
        return self.array.__dlpack__(**options)


class OldDlpack(OnlyDlpack):
    """A producer from before DLPack 1.0, whose method knows no ``max_version``."""

    def __dlpack__(self) -> object:
        return self.array.__dlpack__()


@dataclass
class Capsules:
    """Hand-made DLPack 0.8 capsules over a NumPy array of the same item size; counts how many were freed."""

    memory: Any
    type: tuple[int, int]
    device: int = CPU
    shape: Sequence[int] | None = None
    strides: Sequence[int] | None = None
    byte_offset: int = 0
    lanes: int = 1
    freed: int = 0
    _kept: list[Any] = field(default_factory=list[Any])

    def __dlpack__(self) -> object:
        shape = tuple(self.memory.shape if self.shape is None else self.shape)
        tensor = dlpack._Tensor()
        tensor.data = self.memory.ctypes.data
        tensor.device.type = self.device
        tensor.ndim = len(shape)
        tensor.dtype.code, tensor.dtype.bits = self.type
        tensor.dtype.lanes = self.lanes
        tensor.shape = (ctypes.c_int64 * len(shape))(*shape)
        if self.strides is not None:
            tensor.strides = (ctypes.c_int64 * len(shape))(*self.strides)
        tensor.byte_offset = self.byte_offset
        return self._capsule(tensor)

    def _capsule(self, tensor: Any) -> object:
        def free(_: int) -> None:
            self.freed += 1

        destructor = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(free)
        self._kept += [tensor, destructor]
        make = ctypes.pythonapi.PyCapsule_New
        make.restype = ctypes.py_object
        make.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return make(ctypes.addressof(tensor), b"dltensor", ctypes.cast(destructor, ctypes.c_void_p))


@dataclass(frozen=True)
class _Device:
    type: str


class Tensor:
    """What the bridge looks at in a ``torch.Tensor``; ``exports`` says whether DLPack knows its type."""

    def __init__(
        self,
        array: Any,
        *,
        device: str = "cpu",
        dtype: str = "",
        exports: bool = True,
        requires_grad: bool = False,
        is_negated: bool = False,
    ) -> None:
        self.array = array
        self.device = _Device(device)
        self.dtype = f"torch.{dtype or array.dtype.name}"
        self.exports = exports
        self.requires_grad = requires_grad
        self.is_negated = is_negated
        self.shape = array.shape

    def detach(self) -> Tensor:
        return Tensor(self.array, dtype=self.dtype.removeprefix("torch."), exports=self.exports)

    @property
    def layout(self) -> str:
        return "torch.strided"

    def is_conj(self) -> bool:
        return False

    @property
    def is_cpu(self) -> bool:
        return self.device.type == "cpu"

    def is_neg(self) -> bool:
        return self.is_negated

    def data_ptr(self) -> int:
        return self.array.ctypes.data

    def __len__(self) -> int:
        return len(self.array)

    @property
    def ndim(self) -> int:
        return self.array.ndim

    def stride(self) -> tuple[int, ...]:
        return tuple(stride // self.array.itemsize for stride in self.array.strides)

    def __dlpack__(self, *, max_version: Any = None) -> object:
        if self.requires_grad:
            raise BufferError("Can't export tensors that require gradient, use tensor.detach()")
        if not self.exports:
            raise BufferError("type not supported by dlpack")
        strides = self.stride()
        return Capsules(self.array, BY_NUMPY_NAME[self.array.dtype.name].dlpack, strides=strides).__dlpack__()


Tensor.__module__ = "torch"


def zeros(shape: Sequence[int], element: str) -> Any:
    """A NumPy array of any element type the bridge knows."""
    return np.zeros(tuple(shape), dlpack.numpy_dtype(BY_NUMPY_NAME[element]))
