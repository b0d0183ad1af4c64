"""``cupy.RawKernel`` and ``cupy.RawModule``: kernels in CUDA C++, which run on the stand-in for the driver."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from tilewright.gpu_programs import codes, refusals
from tilewright.ir.diagnostic import failure
from tilewright.runtime.findings.record import goes_on

if TYPE_CHECKING:
    from tilewright.cpp.nvrtc import PtxResult

ATTRIBUTES: Mapping[str, int] = {
    "max_threads_per_block": 0,
    "shared_size_bytes": 1,
    "const_size_bytes": 2,
    "local_size_bytes": 3,
    "num_regs": 4,
    "ptx_version": 5,
    "binary_version": 6,
    "cache_mode_ca": 7,
    "max_dynamic_shared_size_bytes": 8,
    "preferred_shared_memory_carveout": 9,
}
"""The attributes of a kernel, with the driver's numbers."""
_PROGRAMS = "tilewright.cuda_programs.python_programs"
_ARRAY: Any = np.ndarray
_HEADERS = Path("cupy", "_core", "include")
"""The folder with CuPy's headers for kernels, in a folder where Python finds packages."""


class KernelDevice(Protocol):
    """The device that kernels run on: `tilewright.cuda_programs.python_programs.StandIn`."""

    @property
    def library(self) -> Any: ...
    @property
    def settings(self) -> Any: ...
    def call(self, name: str, *arguments: Any) -> None: ...
    def address_of(self, array: Any) -> int: ...
    def address_in(self, owner: Any, begin: int, end: int) -> int: ...
    def bytes_at(self, address: int) -> Any: ...


DeviceMaker = Callable[[], KernelDevice]


def pointer_to(array: Any) -> int:
    """Return the address of an array on the GPU: on the device if the program has one that runs kernels in
    CUDA C++, otherwise of its host memory.
    """
    programs = sys.modules.get(_PROGRAMS)
    return int(array.ctypes.data) if programs is None else int(vars(programs)["pointer_to"](array))


def is_used() -> bool:
    """Return whether the program has a device that runs kernels in CUDA C++."""
    programs = sys.modules.get(_PROGRAMS)
    return programs is not None and bool(vars(programs)["is_loaded"]())


def used_device() -> KernelDevice:
    """Return the device that runs the program's kernels in CUDA C++. Raises ValueError if there is none."""
    programs = sys.modules.get(_PROGRAMS)
    if programs is None or not is_used():
        raise ValueError("the program has no memory of the device")
    return vars(programs)["loaded"]()


def members(device: DeviceMaker) -> dict[str, Any]:
    """Return ``RawKernel`` and ``RawModule`` of the module ``cupy``, for the device that ``device`` returns."""

    class RawModule(KernelModule):
        """``cupy.RawModule``: a module of kernels from the CUDA C++ `code` or the PTX file `path`; see
        `KernelModule`.
        """

        def __init__(self, *, code: str | None = None, path: str | None = None, **options: Any) -> None:
            super().__init__(device, code, path, options)

    class RawKernel(RawFunction):
        """``cupy.RawKernel``: the kernel `name` of the CUDA C++ `code`, which is compiled with `options` at
        the first use. `KernelModule` lists the keywords that have an effect, such as ``translate_cucomplex``;
        further positional arguments are ignored.
        """

        def __init__(self, code: str, name: str, options: Sequence[str] = (), *_: Any, **more: Any) -> None:
            module = KernelModule(device, code, None, {"options": options, **more})
            super().__init__(module, name)

    return {"RawKernel": RawKernel, "RawModule": RawModule}


class KernelModule:
    """A module of kernels, from the text ``code`` of CUDA C++ or from the file ``path`` with PTX. Raises
    `TypeError` unless exactly one of them is given. The module is compiled and loaded at the first use; then
    `device` is called, which returns the device that the kernels run on. `options` may have CuPy's keywords
    ``options``, ``name_expressions`` and ``translate_cucomplex``; other keywords have no effect.
    """

    def __init__(
        self,
        device: DeviceMaker,
        code: str | None,
        path: str | None,
        options: Mapping[str, Any],
    ) -> None:
        if (code is None) == (path is None):
            raise TypeError("Exactly one of `code` and `path` keyword arguments must be given.")
        self._make_device = device
        self.code, self.file_path = code, path
        self.options: tuple[str, ...] = tuple(options.get("options", ()))
        self.name_expressions: tuple[str, ...] = tuple(options.get("name_expressions") or ())
        self._translates = bool(options.get("translate_cucomplex"))
        self._symbols: dict[str, str] = {}
        self._handle: ctypes.c_void_p | None = None

    @property
    def device(self) -> KernelDevice:
        """The device that runs the kernels."""
        return self._make_device()

    def compile(self, log_stream: Any = None) -> None:
        """Compile and load the module, unless that is done. Write the output of the compiler to `log_stream`,
        unless that is None. Raises an error if the code has errors.
        """
        if self._handle is not None:
            return
        image = Path(self.file_path).read_bytes() if self.file_path else self._compiled(log_stream)
        handle = ctypes.c_void_p()
        device = self.device
        start(device)
        device.call("cuModuleLoadData", ctypes.byref(handle), ctypes.c_char_p(image + b"\0"))
        self._handle = handle

    def _compiled(self, log_stream: Any) -> bytes:
        from tilewright.cpp.nvrtc import (
            compile_to_ptx,
        )  # loads what programs without such kernels do not need

        self.device  # noqa: B018  # NVRTC must be loaded through the stand-in
        code = str(self.code)
        if self._translates:
            code = "#include <cupy/cuComplex_bridge.h>\n" + code
        result = compile_to_ptx(code, "kernel.cu", self._flags(), self.name_expressions)
        if log_stream is not None:
            log_stream.write(result.log)
        if result.ptx is None:
            raise _refusal(result)
        self._symbols = dict(result.symbols)
        return result.ptx

    def _flags(self) -> list[str]:
        from tilewright.cpp.toolchain import find

        chip = self.device.settings.chip
        include = [f"-I{folder}" for folder in (*find().include, *_cupy_headers())]
        given = [one for one in self.options if not one.startswith(("-arch", "--gpu-architecture"))]
        return [
            f"-arch=compute_{chip.capability[0]}{chip.capability[1]}",
            *given,
            *include,
            "-DCUPY_USE_JITIFY=0",
        ]

    def get_function(self, name: str) -> RawFunction:
        """Return the kernel called `name`, a symbol or a name expression. Nothing is compiled or looked up
        before the kernel is used.
        """
        return RawFunction(self, name)

    def get_global(self, name: str) -> Any:
        """Return the memory of a variable of the module: an object whose attributes are ``ptr``, the address
        on the device, ``size`` in bytes, and ``device_id``. Raises `DriverError` if there is none.
        """
        self.compile()
        address, size = ctypes.c_uint64(), ctypes.c_size_t()
        symbol = ctypes.c_char_p(self._symbols.get(name, name).encode())
        self.device.call(
            "cuModuleGetGlobal_v2", ctypes.byref(address), ctypes.byref(size), self._handle, symbol
        )
        return SimpleNamespace(ptr=address.value, size=size.value, device_id=0)

    def function(self, name: str) -> ctypes.c_void_p:
        """Return the driver's handle of the kernel `name`, a symbol or a name expression. The first use
        compiles and loads the module. Raises `DriverError` if there is no such kernel.
        """
        self.compile()
        found = ctypes.c_void_p()
        symbol = ctypes.c_char_p(self._symbols.get(name, name).encode())
        self.device.call("cuModuleGetFunction", ctypes.byref(found), self._handle, symbol)
        return found


class RawFunction:
    """The kernel `name` of a module, a symbol or a name expression. Attributes of the kernel, such as
    ``num_regs``, are attributes of the object.
    """

    def __init__(self, module: KernelModule, name: str) -> None:
        self._module, self.name = module, name
        self._function: ctypes.c_void_p | None = None

    @property
    def kernel(self) -> ctypes.c_void_p:
        """The driver's handle; the first use compiles and loads the module."""
        if self._function is None:
            self._function = self._module.function(self.name)
        return self._function

    def compile(self, log_stream: Any = None) -> None:
        """Compile and load the module of the kernel, unless that is done, and write the output of the
        compiler to `log_stream`, unless that is None. Raises `DiagnosticError` if the code has errors.
        """
        self._module.compile(log_stream)

    @property
    def attributes(self) -> dict[str, int]:
        """The values of the kernel's attributes, by the names in `ATTRIBUTES`."""
        return {name: getattr(self, name) for name in ATTRIBUTES}

    def __getattr__(self, name: str) -> int:
        if name not in ATTRIBUTES:
            raise AttributeError(name)
        value = ctypes.c_int()
        self._module.device.call("cuFuncGetAttribute", ctypes.byref(value), ATTRIBUTES[name], self.kernel)
        return value.value

    def __setattr__(self, name: str, value: Any) -> None:
        if name in ATTRIBUTES:
            self._module.device.call("cuFuncSetAttribute", self.kernel, ATTRIBUTES[name], int(value))
        else:
            super().__setattr__(name, value)

    def __call__(
        self, grid: Sequence[int], block: Sequence[int], args: Sequence[Any], **options: Any
    ) -> None:
        """Launch the kernel with the extents `grid` and `block`, and wait for its end. The option
        ``shared_mem`` is the dynamic shared memory in bytes, and ``cooperative`` makes the launch
        cooperative; other options, such as ``stream``, have no effect. Raises `DiagnosticError` for arguments
        that do not fit, and `DriverError` for a kernel that fails, unless the program continues after
        findings.
        """
        device, kernel = self._module.device, self.kernel
        values = _values(device, self.name, self._sizes(), args)
        places = (ctypes.c_void_p * len(values))(*(ctypes.addressof(one) for one in values))
        extents = [*_three(grid), *_three(block), int(options.get("shared_mem", 0))]
        name = "cuLaunchCooperativeKernel" if options.get("cooperative") else "cuLaunchKernel"
        device.call(name, kernel, *map(ctypes.c_uint, extents), None, places, None)
        try:
            device.call("cuCtxSynchronize")
        except RuntimeError:
            if not goes_on():
                raise
            device.library.tilewright_forget_error()

    def _sizes(self) -> list[int]:
        device, found = self._module.device, list[int]()
        count, offset, size = ctypes.c_size_t(), ctypes.c_size_t(), ctypes.c_size_t()
        device.call("cuFuncGetParamCount", self.kernel, ctypes.byref(count))
        for number in map(ctypes.c_size_t, range(count.value)):
            device.call("cuFuncGetParamInfo", self.kernel, number, ctypes.byref(offset), ctypes.byref(size))
            found.append(size.value)
        return found


def start(device: KernelDevice) -> None:
    """Initialise the driver, and make the primary context current in this thread if it has no context, as
    CuPy does.
    """
    current, context = ctypes.c_void_p(), ctypes.c_void_p()
    device.call("cuInit", 0)
    device.call("cuCtxGetCurrent", ctypes.byref(current))
    if not current:
        device.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
        device.call("cuCtxSetCurrent", context)


def _three(extents: Sequence[int] | int) -> list[int]:
    given = [extents] if isinstance(extents, int) else [int(one) for one in extents]
    return [*given, 1, 1][:3]


def _values(device: KernelDevice, name: str, sizes: Sequence[int], args: Sequence[Any]) -> list[Any]:
    """Return the bytes of each of `args`, the arguments of the kernel `name`, as buffers; `sizes` has the
    bytes of each parameter, and `device` the addresses of arrays on the GPU. Raises `DiagnosticError` for a
    wrong number of arguments, and for an argument that is smaller than its parameter.
    """
    if len(args) != len(sizes):
        message = f"kernel '{name}' has {len(sizes)} parameters, and is given {len(args)} arguments"
        raise failure(codes.BAD_ARGUMENTS, message, refusals.caller_location())
    found = list[Any]()
    for at, (argument, size) in enumerate(zip(args, sizes, strict=True)):
        data = _bytes(device, argument)
        if len(data) < size:
            message = f"kernel '{name}': argument {at} has {len(data)} bytes, and its parameter {size}"
            hint = "pass a scalar of NumPy with the type of the parameter, such as numpy.float32(2)"
            raise failure(codes.BAD_ARGUMENTS, message, refusals.caller_location(), hint=hint)
        found.append(ctypes.create_string_buffer(data, len(data)))
    return found


def _bytes(device: KernelDevice, argument: Any) -> bytes:
    """Return an argument as bytes, by the rules of CuPy: arrays on the GPU as addresses, NumPy scalars and
    arrays with one element by value, numbers of Python as ``long long``, ``double`` and ``double2``, other
    objects with an attribute ``ptr`` as this address, and None as the address 0. Raises `DiagnosticError` for
    a larger array of NumPy.
    """
    is_array = isinstance(argument, _ARRAY)
    if is_array and getattr(argument, "is_gpu_memory", False):
        return device.address_of(argument).to_bytes(8, "little")
    if is_array and argument.size != 1:
        message = f"an array of NumPy with {argument.size} elements is passed to a kernel"
        hint = "copy it to the GPU: cupy.asarray(x)"
        raise failure(codes.HOST_TENSOR, message, refusals.caller_location(), hint=hint)
    if argument is None:
        return bytes(8)
    pointer: Any = getattr(argument, "ptr", None)
    return np.asarray(argument if pointer is None else pointer).tobytes()


def _cupy_headers() -> list[Path]:
    """Return a list of the folder with the headers of CuPy; an empty list if CuPy is not installed."""
    return [folder for path in sys.path if (folder := Path(path, _HEADERS)).is_dir()][:1]


def _refusal(result: PtxResult) -> Exception:
    from tilewright.cpp.messages import refusal, words

    return refusal(result.log, lambda name: name, lambda: words(result.log))
