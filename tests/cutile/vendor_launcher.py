"""The launcher of the PyPI package ``cuda-tile`` as an oracle for signatures (test-only peer).

Its C extension derives a kernel's specialisation from launch arguments after it has found a CUDA driver. A
table of functions that answer "success" is driver enough for that, and memory may be announced as GPU
memory through ``__cuda_array_interface__``, because only its address is looked at.
"""

from __future__ import annotations

import ctypes
import sys
import types
from collections.abc import Sequence
from typing import Any

import pytest

_DRIVER_VERSION = 13000
_kept: list[Any] = []


class GpuArray:
    """A claim of GPU memory: an address, a NumPy type string, lengths and strides (in elements)."""

    def __init__(self, address: int, typestr: str, shape: Sequence[int], strides: Sequence[int]) -> None:
        size = int(typestr[2:])
        self.__cuda_array_interface__ = {
            "version": 3,
            "typestr": typestr,
            "shape": tuple(shape),
            "strides": tuple(stride * size for stride in strides),
            "data": (address, False),
        }


def signature_of(kernel: Any, arguments: Sequence[Any]) -> Any:
    """The signature the vendor's launcher compiles for: v1 unless these arguments need v2."""
    provide_driver()
    compilation = pytest.importorskip("cuda.tile.compilation")
    convention = compilation.CallingConvention
    made = compilation.KernelSignature.from_kernel_args
    signature = made(kernel, tuple(arguments), convention.cutile_python_v2())
    if any(needs_convention_2(parameter) for parameter in signature.parameters):
        return signature
    return made(kernel, tuple(arguments), convention.cutile_python_v1())


def needs_convention_2(constraint: Any) -> bool:
    """Whether a parameter has a tuple or a constant length."""
    kind = type(constraint).__name__
    if kind == "ListConstraint":
        return needs_convention_2(constraint.element)
    if kind == "ArrayConstraint":
        return any(length is not None for length in constraint.shape_constant)
    return kind == "TupleConstraint"


def provide_driver() -> None:
    """Answer for ``libcuda`` where there is none; a real driver is used where there is one."""
    name = "cuda.tile._load_libcuda"
    if name in sys.modules:
        return
    try:
        ctypes.CDLL("libcuda.so.1")
    except OSError:
        module = types.ModuleType(name)
        module.__dict__["cuGetProcAddress_v2_ptrptr"] = _procedure_getter()
        sys.modules[name] = module


def _procedure_getter() -> int:
    """The address of a variable that holds the address of a ``cuGetProcAddress_v2``."""
    succeed = ctypes.CFUNCTYPE(ctypes.c_int)(lambda: 0)

    def report_version(version: Any) -> int:
        version[0] = _DRIVER_VERSION
        return 0

    version = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_int))(report_version)

    def find(name: bytes, procedure: Any, _version: int, _flags: int, _status: Any) -> int:
        chosen = version if name == b"cuDriverGetVersion" else succeed
        procedure[0] = ctypes.cast(chosen, ctypes.c_void_p).value
        return 0

    pointer = ctypes.POINTER
    prototype = ctypes.CFUNCTYPE(
        ctypes.c_int,
        ctypes.c_char_p,
        pointer(ctypes.c_void_p),
        ctypes.c_int,
        ctypes.c_uint64,
        ctypes.c_void_p,
    )
    getter = prototype(find)
    holder = ctypes.c_void_p(ctypes.cast(getter, ctypes.c_void_p).value)
    _kept.extend([succeed, version, getter, holder])
    return ctypes.addressof(holder)
