"""Programs in Python that call the driver or the runtime of CUDA: their packages use the stand-in.

Packages load the driver by the name of its library, which the stand-in has in this process. `cuda.bindings`
contains a copy of the runtime, whose functions are replaced.
"""

from __future__ import annotations

import ctypes
import linecache
import sys
import weakref
from collections.abc import Callable
from importlib import import_module
from types import FrameType, ModuleType
from typing import Any

from tilewright.cuda_programs import codes, standin
from tilewright.gpu_programs.import_hooks import runs_within
from tilewright.gpu_programs.settings import CHECK_VARIABLE, GPU_VARIABLE, IGNORE_VARIABLE, ProgramSettings
from tilewright.ir.diagnostic import failure
from tilewright.runtime.findings.record import gather_open

_TARGET = "TILEWRIGHT_PROGRAM_TARGET"
_INSIDE = frozenset(
    {"tilewright", "cuda", "numba", "numba_cuda", "cupy", "cupyx", "torch", "triton", "runpy", "importlib"}
    | {"contextlib", "functools", "threading", "weakref", "ctypes", "warnings", "numpy"}
)
"""Packages whose stack frames are skipped in the search for the line of the program that makes a call."""
_NEWLINE = "\n"
_FILE_COMPILER = "tilewright.cpp.compiler"
"""The module that compiles C++ files, with the lines of the file."""
_MAJOR = 13
"""The major version of `cuda.bindings` whose functions the stand-in has."""


class DriverError(RuntimeError):
    """A call of the driver failed; the message begins with the name of the error."""


class StandIn:
    """The stand-in in this process, with a worker for the ``settings``. Raises `DiagnosticError` if it cannot
    be built.
    """

    def __init__(self, settings: ProgramSettings) -> None:
        self.settings = settings
        self.library: Any = standin.load()
        for name, result in (("share", ctypes.c_uint64), ("device_address", ctypes.c_uint64)):
            getattr(self.library, f"tilewright_{name}").restype = result
        self.library.tilewright_accessible.restype = ctypes.c_void_p
        self._held: dict[str, ctypes.Array[Any]] = {}
        self._shared: dict[tuple[int, int], int] = {}
        self._callbacks = (
            ctypes.CFUNCTYPE(ctypes.c_void_p)(lambda: self._hold("place", program_place())),
            ctypes.CFUNCTYPE(None)(gather_open),
            ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_char_p)(self._held_line),
        )
        variables = settings.environment()
        self._set(_TARGET, settings.target)
        for name in (CHECK_VARIABLE, GPU_VARIABLE, IGNORE_VARIABLE):
            self._set(name, variables[name])
        self.library.tilewright_set_program(*self._callbacks)

    def call(self, name: str, *arguments: Any) -> None:
        """Call the driver's function with the symbol `name`, such as ``cuMemAlloc_v2``; `ctypes` passes the
        `arguments`. Raises `DriverError` if the function returns an error.
        """
        status = int(getattr(self.library, name)(*arguments))
        if status:
            text = ctypes.c_char_p()
            self.library.cuGetErrorName(status, ctypes.byref(text))
            found = (text.value or b"CUDA_ERROR_UNKNOWN").decode()
            self.library.cuGetErrorString(status, ctypes.byref(text))
            raise DriverError(f"{found}: {(text.value or b'').decode()}")

    def _set(self, name: str, value: str) -> None:
        self.library.tilewright_set_variable(name.encode(), value.encode())

    def _held_line(self, text: bytes) -> int:
        return self._hold("line", _line_of(text))

    def _hold(self, purpose: str, text: str) -> int:
        """Return the address of a text, which stays valid until the next call with this `purpose`."""
        self._held[purpose] = ctypes.create_string_buffer(text.encode(errors="surrogateescape"))
        return ctypes.addressof(self._held[purpose])

    def address_of(self, array: Any) -> int:
        """Return the address on the device of the first element of a NumPy array in host memory; 0 for an
        array without elements.

        The device works on a copy of the memory that the array is a view of: before each work of the device
        the bytes of the host are copied there, and afterwards back, as long as the array that has the memory
        lives.
        """
        address = int(array.ctypes.data)
        known = int(self.library.tilewright_device_address(ctypes.c_void_p(address)))
        if known or not array.nbytes:
            return known
        owner = _owner(array)
        begin, end = _bounds(owner)
        return self.address_in(owner, begin, end) + address - begin

    def address_in(self, owner: Any, begin: int, end: int) -> int:
        """Return the address on the device of the host memory from `begin` to `end`, exclusive, which `owner`
        has until it is collected. The device works on a copy, as `address_of` says.
        """
        if (begin, end) not in self._shared:
            made = int(self.library.tilewright_share(ctypes.c_void_p(begin), ctypes.c_size_t(end - begin)))
            self._shared[begin, end] = made
            weakref.finalize(owner, self._forget, (begin, end)).atexit = False
        return self._shared[begin, end]

    def _forget(self, range_: tuple[int, int]) -> None:
        self.library.tilewright_unshare(ctypes.c_uint64(self._shared.pop(range_)))

    def bytes_at(self, address: int) -> Any:
        """Return the memory of the device from an address to the end of its allocation as an array of bytes;
        None if the address is in no allocation.
        """
        import numpy as np

        size = ctypes.c_size_t()
        begin = self.library.tilewright_accessible(ctypes.c_uint64(address), ctypes.byref(size))
        if begin is None:
            return None
        return np.ctypeslib.as_array((ctypes.c_uint8 * size.value).from_address(begin))


def _owner(array: Any) -> Any:
    """Return the array that an array is a view of, at the end of a chain of views."""
    while isinstance(array.base, vars(sys.modules["numpy"])["ndarray"]):
        array = array.base
    return array


def _bounds(array: Any) -> tuple[int, int]:
    """Return the addresses of the first byte of an array and after its last."""
    from numpy.lib.array_utils import byte_bounds

    begin, end = byte_bounds(array)
    return int(begin), int(end)


_loaded: list[StandIn] = []


def stand_in(settings: ProgramSettings) -> StandIn:
    """Return the stand-in of this process, which has the settings of the first call: there is one device.
    Raises `DiagnosticError` if it cannot be built.
    """
    if not _loaded:
        _loaded.append(StandIn(settings))
    return _loaded[0]


def is_loaded() -> bool:
    """Return whether the stand-in is loaded in this process."""
    return bool(_loaded)


def loaded() -> StandIn:
    """Return the stand-in that `stand_in` has loaded before. Raises `IndexError` if it has not."""
    return _loaded[0]


def pointer_to(array: Any) -> int:
    """Return the address of a NumPy array of a program: on the device if the stand-in is loaded, otherwise in
    memory of the host.
    """
    return _loaded[0].address_of(array) if _loaded else int(array.ctypes.data)


def program_place() -> str:
    """Return the line of the program that is making a call, such as ``main.py:3``; empty if there is none."""
    frame = _program_frame()
    return "" if frame is None else f"{frame.f_code.co_filename}:{frame.f_lineno}"


def _program_frame() -> FrameType | None:
    get_frame: Callable[[int], FrameType | None] = vars(sys)["_getframe"]
    frame = get_frame(1)
    while frame is not None and _package(frame) in _INSIDE:
        frame = frame.f_back
    return frame


def _package(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__", "")).partition(".")[0]


def _line_of(text: bytes) -> str:
    """Return a line directive for a text of C++ that stands in a file of the program as it is: with it,
    messages and findings have the lines of the file. Return an empty text if no file with a running function
    has the text, and if tilewright compiles a C++ file itself.
    """
    code = text.decode(errors="surrogateescape")
    frame = _program_frame() if "\n" in code and not runs_within(_FILE_COMPILER) else None
    while frame is not None:
        name = frame.f_code.co_filename
        before, found, _ = "".join(linecache.getlines(name)).partition(code)
        if found:
            return f'#line {before.count(_NEWLINE) + 1} "{name}"\n'
        frame = frame.f_back
    return ""


def replace_runtime(module: ModuleType, library: ctypes.CDLL) -> None:
    """Let `cuda.bindings` call the stand-in's functions of the runtime. ``module`` has the addresses of the
    functions; other modules must not have read them.

    Raises `DiagnosticError` for a version of `cuda.bindings` whose functions have other parameters.
    """
    _check_version()
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


def _check_version() -> None:
    version = str(vars(import_module("cuda.bindings"))["__version__"])
    if int(version.partition(".")[0]) != _MAJOR:
        message = f"cuda.bindings {version} is for another CUDA than the stand-in, which is for CUDA {_MAJOR}"
        raise failure(codes.NO_NVCC, message, hint=f"pip install 'cuda-bindings=={_MAJOR}.*'")
