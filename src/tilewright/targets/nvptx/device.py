"""Kernels on a GPU of this machine, through its driver: how the target `cuda` loads and launches code.

The driver assembles the PTX of a kernel when it loads the kernel. Arrays of the host are copied to the GPU
for a launch (overlapping arrays as one), and back if the kernel writes to them; a launch returns when the
kernel has ended. Arrays on the GPU (objects with ``__cuda_array_interface__``) and addresses of its memory
are used in place.
"""

from __future__ import annotations

import ctypes
import importlib
from bisect import bisect_right
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from functools import cache, partial
from typing import Any

from tilewright.dialects.common.chips import CHIPS
from tilewright.interp.memory.address_space import LaunchMemory
from tilewright.interp.memory.allocation import Allocation
from tilewright.ir.diagnostic import failure
from tilewright.ptx.checks import read
from tilewright.runtime.arguments import ArgumentPacker, bits_of
from tilewright.runtime.description import KernelImage, Parameter
from tilewright.runtime.image import Image
from tilewright.targets.nvptx import codes
from tilewright.targets.nvptx.launch_shape import ONE, LaunchShape, shape_of

BINDINGS = "cuda.bindings.driver"
ALIGNMENT = 256
"""Addresses on the GPU equal addresses on the host modulo this number of bytes: a kernel may rely on their
alignment.
"""
LOG_BYTES = 1 << 13
"""The maximum size in bytes of the log that the driver's assembler writes about refused PTX."""
USUAL_SHARED_BYTES = 48 << 10
"""The size in bytes of dynamic shared memory beyond which a function needs an attribute."""
_ELSEWHERE = "launch with target='sim:sm_80' or the like, which simulates the code, or on the processor with target='cpu'"


class CudaDevice:
    """The first GPU that this process may use, and its driver.

    Raises:
        DiagnosticError: there is no driver, no GPU, or the GPU cannot be initialised.
    """

    def __init__(self) -> None:
        self._driver = importlib.import_module(BINDINGS)
        try:
            (status,) = self._driver.cuInit(0)
        except (RuntimeError, OSError) as error:
            reason = str(error).partition("\n")[0]
            message = f"there is no driver for NVIDIA's GPUs on this machine: {reason}"
            raise failure(codes.NO_DEVICE, message, hint=_ELSEWHERE) from error
        if status.value or not self.call("cuDeviceGetCount"):
            reason = f": cuInit returns {status.name}" if status.value else ""
            raise failure(codes.NO_DEVICE, f"there is no GPU on this machine{reason}", hint=_ELSEWHERE)
        self._device = self.call("cuDeviceGet", 0)
        self._context = self.call("cuDevicePrimaryCtxRetain", self._device)

    @property
    def capability(self) -> tuple[int, int]:
        """Return the compute capability of the GPU as a pair (major, minor). Raises `DiagnosticError` if the
        driver fails.
        """
        known = self._driver.CUdevice_attribute
        names = (
            "CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR",
            "CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR",
        )
        major, minor = (
            self.call("cuDeviceGetAttribute", getattr(known, name), self._device) for name in names
        )
        return major, minor

    def call(self, name: str, *arguments: Any) -> Any:
        """Call the driver's function `name`, and return its first result after the status; None if there is
        none.

        Raises:
            DiagnosticError: the function fails.
        """
        status, *answers = getattr(self._driver, name)(*arguments)
        if status.value:
            raise failure(codes.DEVICE_FAILED, f"{name} returns {status.name}: {self._meaning(status)}")
        return answers[0] if answers else None

    def _meaning(self, status: Any) -> str:
        _, text = self._driver.cuGetErrorString(status)
        return text.decode() if isinstance(text, bytes) else "an unknown error"

    def enter(self) -> None:
        """Make the GPU current for this thread. Raises `DiagnosticError` if the driver fails."""
        self.call("cuCtxSetCurrent", self._context)

    def module(self, ptx: str) -> Any:
        """Load the module `ptx` to the GPU, and return the driver's handle of it.

        Raises:
            DiagnosticError: the driver's assembler refuses the text; the message has its log.
        """
        self.enter()
        log = bytearray(LOG_BYTES)
        option = self._driver.CUjit_option
        names = [option.CU_JIT_ERROR_LOG_BUFFER, option.CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES]
        text = ptx.encode() + b"\0"
        status, module = self._driver.cuModuleLoadDataEx(text, len(names), names, [log, LOG_BYTES])
        if status.value:
            said = bytes(log).partition(b"\0")[0].decode(errors="replace").strip() or self._meaning(status)
            hint = "a newer driver reads newer PTX, and tilewright ptx --check says what is wrong with a text"
            raise failure(codes.DEVICE_FAILED, f"the driver does not load the code: {said}", hint=hint)
        return module

    def launch(
        self, function: Any, grid: tuple[int, int, int], shape: LaunchShape, shared: int, bits: Sequence[int]
    ) -> None:
        """Launch the function with the driver's handle `function`, and wait for its end; the GPU must be
        current for this thread (`enter`). `grid` counts blocks, or clusters if `shape` says so; `shared` is
        the dynamic shared memory of a block in bytes. `bits` has the bits of each parameter as an integer of
        64 bits. Raises `DiagnosticError` if the driver reports a failure.
        """
        slots = (ctypes.c_uint64 * len(bits))(*bits)
        first = ctypes.addressof(slots)
        places = (ctypes.c_void_p * len(bits))(*(first + 8 * at for at in range(len(bits))))
        config = self._driver.CUlaunchConfig()
        config.gridDimX, config.gridDimY, config.gridDimZ = grid
        config.blockDimX, config.blockDimY, config.blockDimZ = shape.threads
        config.sharedMemBytes = shared
        config.attrs = self._attributes(shape)
        config.numAttrs = len(config.attrs)
        self.call("cuLaunchKernelEx", config, function, ctypes.addressof(places), 0)
        self.call("cuCtxSynchronize")

    def _attributes(self, shape: LaunchShape) -> list[Any]:
        """Return the driver's launch attributes: the extents of a cluster. There are none for clusters of one
        block, or for a kernel whose grid counts clusters.
        """
        if shape.cluster == ONE or shape.counts_clusters:
            return []
        attribute = self._driver.CUlaunchAttribute()
        attribute.id = self._driver.CUlaunchAttributeID.CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION
        size = attribute.value.clusterDim
        size.x, size.y, size.z = shape.cluster
        return [attribute]

    def allow_shared_memory(self, function: Any, size: int) -> None:
        """Allow launches of `function` with `size` bytes of dynamic shared memory; up to `USUAL_SHARED_BYTES`
        nothing is needed. Raises `DiagnosticError` if the GPU does not have this much memory.
        """
        if size > USUAL_SHARED_BYTES:
            name = self._driver.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
            self.call("cuFuncSetAttribute", function, name, size)


@cache
def device() -> CudaDevice:
    """Return the GPU of this process, found once. Raises `DiagnosticError` if there is no driver, no GPU, or
    the GPU cannot be initialised.
    """
    return CudaDevice()


@cache
def chip_of_device() -> str:
    """Return the name of the chip that code for the GPU of this machine is compiled for.

    It is the chip itself with its specific features, or else the newest chip before it, whose code it runs.

    Raises:
        DiagnosticError: there is no driver or no GPU, or the GPU is too old.
    """
    major, minor = device().capability
    exact = [chip.name for chip in CHIPS.values() if (chip.major, chip.minor) == (major, minor)]
    for name in (f"sm_{major}{minor}a", f"sm_{major}{minor}"):
        if name in exact:
            return name
    earlier = [
        chip for chip in CHIPS.values() if not chip.suffix and (chip.major, chip.minor) < (major, minor)
    ]
    if not earlier:
        message = f"the GPU of this machine has compute capability {major}.{minor}, which is too old"
        raise failure(codes.NO_DEVICE, message, hint=_ELSEWHERE)
    return max(earlier, key=lambda chip: chip.number).name


class DeviceImage:
    """The kernels of a module in PTX, by name. The driver loads the module at once; `DiagnosticError` is
    raised if there is no GPU, or the driver refuses the PTX.
    """

    def __init__(self, image: Image) -> None:
        ptx = image.object_code.decode()
        text = read(ptx)
        module = device().module(ptx)
        self.kernels = {
            one.name: DeviceKernel(module, one, shape_of(text, one.symbol)) for one in image.kernels
        }


class DeviceKernel:
    """A kernel of the driver's module `module` that is launched on the GPU with the block and cluster extents
    `shape`.
    """

    def __init__(self, module: Any, kernel: KernelImage, shape: LaunchShape) -> None:
        self._kernel = kernel
        self._shape = shape
        self._packer = ArgumentPacker(kernel.title, kernel.parameters, writes_anywhere=kernel.writes_anywhere)
        self._function = device().call("cuModuleGetFunction", module, kernel.symbol.encode())
        device().allow_shared_memory(self._function, kernel.shared_bytes)

    def launch(
        self,
        grid: tuple[int, int, int],
        arguments: Sequence[Any],
        threads: int | None = None,
        memory: Sequence[Any] = (),
        /,
    ) -> None:
        """Run all blocks of `grid` with `arguments`, and wait for their end. `threads` is not used.

        Raises:
            DiagnosticError: arguments do not fit, `memory` is not empty, or the driver reports a failure.
        """
        if memory:
            raise self._refused_memory()
        gpu, parameters = device(), self._kernel.parameters
        gpu.enter()
        bound = self._packer.bound(_on_device(parameters, arguments))
        bits = bits_of(bound.tiles)
        pointers = [pair for pair in zip(parameters, bits, strict=True) if pair[0].is_pointer]
        written = [address for parameter, address in pointers if parameter.is_written]
        with _copies(gpu, bound.allocations, written, all_of_them=self._kernel.writes_anywhere) as moved:
            given = [
                moved(value) if parameter.is_pointer else value
                for parameter, value in zip(parameters, bits, strict=True)
            ]
            gpu.launch(self._function, grid, self._shape, self._kernel.shared_bytes, given)

    def prepare(
        self,
        grid: tuple[int, int, int],
        arguments: Sequence[Any],
        threads: int | None = None,
        memory: Sequence[Any] = (),
        /,
    ) -> Callable[[], None]:
        """Return a function without parameters that calls `launch` with these arguments; it may be called
        repeatedly, and checks the arguments at each call. `threads` is not used.
        """
        return partial(self.launch, grid, arguments, threads, memory)

    def _refused_memory(self) -> Exception:
        message = f"kernel '{self._kernel.name}': tables with addresses of arrays are not copied to a GPU"
        hint = "put the arrays and the table on the GPU, and pass the table alone"
        return failure(codes.BAD_ARGUMENT, message, hint=hint)


def _on_device(parameters: Sequence[Parameter], arguments: Sequence[Any]) -> list[Any]:
    """Return the arguments of a launch, with addresses for arrays on the GPU. Surplus arguments are kept."""
    found = list(arguments)
    for at, (parameter, value) in enumerate(zip(parameters, arguments, strict=False)):
        known = getattr(value, "__cuda_array_interface__", None) if parameter.is_pointer else None
        if known is not None:
            found[at] = ctypes.c_void_p(known["data"][0])
    return found


@contextmanager
def _copies(
    gpu: CudaDevice, arrays: Sequence[Allocation], written: Sequence[int], *, all_of_them: bool
) -> Generator[Callable[[int], int]]:
    """Copy arrays of the host to the GPU for a ``with`` block, which gets a function from host to GPU
    addresses. The function returns any other address unchanged: it belongs to memory on the GPU.

    At the end of a block without failure, arrays that contain an address in ``written`` are copied back, or
    every writeable array with ``all_of_them``. The copies are freed in any case.
    """
    space = LaunchMemory(complete=True)
    for array in arrays:
        space.register(array)
    hosts = [one for one in space.allocations if one.end > one.base]
    bases = [one.base for one in hosts]
    owned: list[Any] = []

    def owner(address: int) -> int | None:
        at = bisect_right(bases, address) - 1
        return at if at >= 0 and address < hosts[at].end else None

    def moved(address: int) -> int:
        at = owner(address)
        return address if at is None else places[at] + address - bases[at]

    try:
        places = [_copied(gpu, host, owned) for host in hosts]
        yield moved
        changed = range(len(hosts)) if all_of_them else {owner(address) for address in written}
        for at, host in enumerate(hosts):
            if at in changed and host.writeable:
                gpu.call("cuMemcpyDtoH", host.base, places[at], host.end - host.base)
    finally:
        for block in owned:
            gpu.call("cuMemFree", block)


def _copied(gpu: CudaDevice, host: Allocation, owned: list[Any]) -> int:
    """Copy an array of the host to the GPU and return the address of the copy; append its memory to
    ``owned``, which the caller frees.
    """
    size = host.end - host.base
    block = gpu.call("cuMemAlloc", size + ALIGNMENT)
    owned.append(block)
    place = int(block) + (host.base - int(block)) % ALIGNMENT
    gpu.call("cuMemcpyHtoD", place, host.base, size)
    return place
