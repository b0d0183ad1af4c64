"""Programs in Python that call the driver or the runtime of CUDA: the stand-in answers their packages.

Packages load the driver by the name of its library, which the stand-in has in this process. `cuda.bindings`
contains a copy of the runtime, whose functions are replaced.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from functools import cache
from types import FrameType, ModuleType
from typing import Any

from tilewright.cuda_programs import codes, standin
from tilewright.gpu_programs.settings import CHECK_VARIABLE, GPU_VARIABLE, IGNORE_VARIABLE, ProgramSettings
from tilewright.ir.diagnostic import failure
from tilewright.runtime.findings.record import gather_open

_TARGET = "TILEWRIGHT_PROGRAM_TARGET"
_INSIDE = frozenset(
    {"tilewright", "cuda", "numba", "numba_cuda", "cupy", "cupyx", "torch", "triton", "runpy", "importlib"}
    | {"contextlib", "functools", "threading", "weakref", "ctypes", "warnings", "numpy"}
)
"""Packages whose stack frames are skipped in the search for the line of the program that makes a call."""
_MAJOR = 13
"""The major version of `cuda.bindings` whose functions the stand-in has."""


class StandIn:
    """The stand-in in this process, loaded for the settings of the first program that needs it.

    Raises `DiagnosticError` if it cannot be built.
    """

    def __init__(self, settings: ProgramSettings) -> None:
        self.library: Any = standin.load()
        self._place: bytes = b""
        self._callbacks = (
            ctypes.CFUNCTYPE(ctypes.c_void_p)(self._held_place),
            ctypes.CFUNCTYPE(None)(gather_open),
        )
        variables = settings.environment()
        self._set(_TARGET, settings.target)
        for name in (CHECK_VARIABLE, GPU_VARIABLE, IGNORE_VARIABLE):
            self._set(name, variables[name])
        self.library.tilewright_set_program(*self._callbacks)

    def _set(self, name: str, value: str) -> None:
        self.library.tilewright_set_variable(name.encode(), value.encode())

    def _held_place(self) -> int:
        """Return the address of the text of `program_place`, which stays valid until the next call."""
        self._place = program_place().encode(errors="surrogateescape") + b"\0"
        return ctypes.cast(self._place, ctypes.c_void_p).value or 0


@cache
def stand_in(settings: ProgramSettings) -> StandIn:
    """Return the stand-in of this process. Its worker has the settings of the first call."""
    return StandIn(settings)


def program_place() -> str:
    """Return the line of the program that is making a call, such as ``main.py:3``; empty if there is none."""
    get_frame: Callable[[int], FrameType | None] = vars(sys)["_getframe"]
    frame = get_frame(1)
    while frame is not None and _package(frame) in _INSIDE:
        frame = frame.f_back
    return "" if frame is None else f"{frame.f_code.co_filename}:{frame.f_lineno}"


def _package(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__", "")).partition(".")[0]


def replace_runtime(module: ModuleType, library: ctypes.CDLL) -> None:
    """Let `cuda.bindings` call the stand-in's functions of the runtime. ``module`` is the one that has the
    addresses of the functions, before others have read them.

    Raises `DiagnosticError` for a version of `cuda.bindings` whose functions have other parameters.
    """
    check_version()
    functions: dict[str, object] = vars(module)["__pyx_capi__"]
    api = ctypes.pythonapi
    api.PyCapsule_GetName.restype = ctypes.c_void_p
    api.PyCapsule_GetName.argtypes = [ctypes.py_object]
    api.PyCapsule_New.restype = ctypes.py_object
    api.PyCapsule_New.argtypes = [ctypes.c_void_p] * 3
    for name, capsule in list(functions.items()):
        function = getattr(library, name.removeprefix("_"), None) if name.startswith("_cuda") else None
        if function is not None:
            address = ctypes.cast(function, ctypes.c_void_p)
            functions[name] = api.PyCapsule_New(address, api.PyCapsule_GetName(capsule), None)


def check_version() -> None:
    """Raise `DiagnosticError` if the version of `cuda.bindings` is another than the stand-in is for."""
    from cuda.bindings import __version__ as version

    if int(version.partition(".")[0]) != _MAJOR:
        message = f"cuda.bindings {version} is for another CUDA than the stand-in, which is for CUDA {_MAJOR}"
        raise failure(codes.NO_NVCC, message, hint=f"pip install 'cuda-bindings=={_MAJOR}.*'")



