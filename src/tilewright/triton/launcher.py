"""Launching kernels of Triton: its arguments become the flat ones of the kernel."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING, Any, Protocol, cast

import numpy as np

from tilewright.driver.launch import kernels
from tilewright.driver.target import Kernel
from tilewright.driver.target import target as find_target
from tilewright.interp.host.addresses import array_address
from tilewright.interp.host.dlpack import memory_array
from tilewright.interp.host.elements import ELEMENTS, Element
from tilewright.interp.memory.words import NamedArray
from tilewright.ir.support.record import Record
from tilewright.triton.arrays import HostArray, as_tensor

if TYPE_CHECKING:
    from tilewright.runtime.kernel import LoadedKernel

_BITS = {"i1": 1, "u1": 1, "i8": 8, "u8": 8, "i16": 16, "u16": 16, "i32": 32, "u32": 32, "i64": 64, "u64": 64}
_FLOATS = frozenset({"fp16", "bf16", "fp32", "f32", "fp64"})
_BY_TILE_IR = {element.tile_ir: element for element in ELEMENTS if not element.numpy.startswith("u")}
_TILE_IR = {
    "i1": "i8",
    "u1": "i8",
    "u8": "i8",
    "u16": "i16",
    "u32": "i32",
    "u64": "i64",
    "fp16": "f16",
    "fp32": "f32",
    "fp64": "f64",
    "fp8e4nv": "f8E4M3FN",
    "fp8e5": "f8E5M2",
}
"""Element types of Triton's signatures in memory, where the name differs."""


Extents = tuple[int, int, int]
Taker = Callable[[Any], Any]
"""From an argument to the number that the kernel gets."""
Run = Callable[[Extents, Sequence[Any]], object]
"""Runs a kernel for a grid, with the arguments that Triton passes."""


class Around(Protocol):
    """Who makes launches where a program is run for somebody."""

    @property
    def engine(self) -> Callable[..., object] | None:
        """Runs Tile IR in the place of `tilewright.launch`, with its arguments; None for the usual way.

        ``ttir`` is the text of Triton's IR that the Tile IR was made from.
        """
        ...

    def make(self, name: str, grid: Any, arguments: Sequence[object], run: Callable[[], object]) -> None:
        """Make the launch that ``run`` is."""
        ...


class Function(Record, frozen=True):
    """A kernel as Triton holds it: its name, and the module that it is in."""

    name: str
    content: bytes

    def kernel(self, checks: tuple[str, ...], target: str) -> Kernel:
        """The kernel in this process.  Raises `DiagnosticError` if there is no code for it."""
        return kernels(self.content, checks, find_target(target)).kernel(self.name)


class Pointer(Record, frozen=True):
    """A parameter that points to elements of a type, called ``name`` in the program."""

    name: str
    type: str

    @property
    def number(self) -> Taker:
        """The address."""
        return _address

    def flat(self, value: Any) -> Sequence[Any]:
        """The address."""
        return (_address(value),)

    def arrays(self, value: Any) -> Sequence[NamedArray | None]:
        """The memory of the tensor that an argument is; None for an address, of which no extent is known."""
        return (_named_array(self.name, self.type, value),)


class Number(Record, frozen=True):
    """A parameter that is a number of a type."""

    name: str
    type: str

    @property
    def number(self) -> Taker:
        """The number; an integer without a sign by the bits that it has."""
        if self.type in _FLOATS:
            return float
        bits = _BITS[self.type]
        return bool if bits == 1 else _signed(bits)

    def flat(self, value: Any) -> Sequence[Any]:
        """The number."""
        return (self.number(value),)

    def arrays(self, value: Any) -> Sequence[NamedArray | None]:
        """A number has no memory."""
        return (None,)


class Descriptor(Record, frozen=True):
    """A parameter that is a tensor descriptor made by the program."""

    name: str
    type: str

    def flat(self, value: Any) -> Sequence[Any]:
        """The parts of the descriptor, and once more its extents and strides, which Triton passes beside it."""
        base = _address(value.base)
        extents = (*map(int, value.shape), *map(int, value.strides))
        return (base, *extents, getattr(value, "padding", "zero") == "nan", *extents)

    def arrays(self, value: Any) -> Sequence[NamedArray | None]:
        """The memory of the tensor that it describes."""
        rank = len(value.shape)
        element = self.type.partition("<")[2].partition("[")[0]
        return (_named_array(self.name, element, value.base), *(None,) * (4 * rank + 1))


class Constant(Record, frozen=True):
    """A parameter that is part of the code."""

    def flat(self, value: Any) -> Sequence[Any]:
        """Nothing is passed."""
        return ()

    def arrays(self, value: Any) -> Sequence[NamedArray | None]:
        """Nothing is passed."""
        return ()


class Several(Record, frozen=True):
    """A parameter that is a tuple."""

    items: tuple[Parameter, ...]

    def flat(self, value: Any) -> Sequence[Any]:
        """Those of the items."""
        return [one for item, part in zip(self.items, value, strict=True) for one in item.flat(part)]

    def arrays(self, value: Any) -> Sequence[NamedArray | None]:
        """Those of the items."""
        return [one for item, part in zip(self.items, value, strict=True) for one in item.arrays(part)]


Parameter = Pointer | Number | Descriptor | Constant | Several


def parameter(name: str, type: Any) -> Parameter:
    """A parameter by its type in Triton's signature."""
    if isinstance(type, tuple | list):
        items = cast("Sequence[Any]", type)
        return Several(tuple(parameter(f"{name}[{at}]", item) for at, item in enumerate(items)))
    if type == "constexpr":
        return Constant()
    if type.startswith("tensordesc"):
        return Descriptor(name, type)
    if type.startswith("*"):
        pointee = type[1:].removeprefix("k")
        return Pointer(name, "i64" if pointee.startswith("*") else pointee)
    return Number(name, type)


class Launcher:
    """Launches one compiled kernel, as Triton calls it; ``around`` is that of `CPUDriver`."""

    def __init__(self, source: Any, metadata: Any, around: Around | None = None) -> None:
        self.name: str = metadata.name
        self._checks: tuple[str, ...] = tuple(metadata.check)
        self._target: str = metadata.run_on
        self._ttir: str = metadata.ttir
        self._around = around
        self._parameters = [parameter(str(name), type) for name, type in source.signature.items()]
        self._hook_chain: type | None = getattr(sys.modules.get("triton.knobs"), "HookChain", None)
        self._run: Run | None = None

    def __call__(
        self,
        x: int,
        y: int,
        z: int,
        stream: object,
        function: Function,
        metadata: object,
        launch_metadata: Any,
        enter_hook: Callable[[Any], object] | None,
        exit_hook: Callable[[Any], object] | None,
        *arguments: Any,
    ) -> None:
        """Run all programs of a grid, and return when they have ended."""
        if enter_hook is not None and self._does_something(enter_hook):
            enter_hook(launch_metadata)
        if x * y * z > 0:
            run = self._run or self._prepared(function)
            grid = int(x), int(y), int(z)
            if self._around is None:
                run(grid, arguments)
            else:
                looked_at = partial(self._run_for, self._around, function, run, grid, arguments)
                self._around.make(self.name, grid, arguments, looked_at)
        if exit_hook is not None and self._does_something(exit_hook):
            exit_hook(launch_metadata)

    def _does_something(self, hook: Any) -> bool:
        """Whether a hook is more than one of Triton's chains that nobody has added anything to, as they are by default."""
        return type(hook) is not self._hook_chain or bool(hook.calls)

    def _prepared(self, function: Function) -> Run:
        """What runs the kernel from now on: all that does not depend on the arguments of a launch is settled here."""
        kernel = function.kernel(self._checks, self._target)
        if self._checks or self._target != "cpu":
            self._run = partial(self._run_on_arrays, kernel)
        else:
            self._run = self._run_on_numbers(cast("LoadedKernel", kernel))
        return self._run

    def _run_on_numbers(self, kernel: LoadedKernel) -> Run:
        """The usual way: addresses and numbers go into the memory of the launch as they are."""
        count, passed = len(self._parameters), self._passed()

        def run(grid: Extents, arguments: Sequence[Any]) -> None:
            if passed is None or len(arguments) != count:
                kernel.launch_numbers(grid, self._flat(arguments))
            else:
                kernel.launch_numbers(grid, [number(arguments[at]) for at, number in passed])

        return run

    def _passed(self) -> Sequence[tuple[int, Taker]] | None:
        """Which arguments are passed, and how each becomes a number; None if one of them becomes several."""
        if any(isinstance(known, Descriptor | Several) for known in self._parameters):
            return None
        kinds = enumerate(self._parameters)
        return [(at, known.number) for at, known in kinds if isinstance(known, Pointer | Number)]

    def _run_on_arrays(self, kernel: Kernel, grid: Extents, arguments: Sequence[Any]) -> None:
        """The careful way of checks and of other targets, which have to know memory by its extent and name."""
        flat, memory = self._arrays(arguments)
        kernel.launch(grid, flat, None, memory)

    def _run_for(
        self, around: Around, function: Function, run: Run, grid: Extents, arguments: Sequence[Any]
    ) -> None:
        """Run where somebody may look at each launch."""
        if around.engine is None:
            run(grid, arguments)
            return
        flat, memory = self._arrays(arguments)
        check, target = self._checks, self._target
        around.engine(
            function.content,
            self.name,
            grid,
            flat,
            target=target,
            check=check,
            memory=memory,
            ttir=self._ttir,
        )

    def _flat(self, arguments: Sequence[Any]) -> list[Any]:
        """The flat arguments: addresses and numbers."""
        flat: list[Any] = []
        for known, value in zip(self._parameters, arguments, strict=True):
            flat += known.flat(value)
        return flat

    def _arrays(self, arguments: Sequence[Any]) -> tuple[list[Any], list[NamedArray]]:
        """The flat arguments with arrays in the place of addresses, and these arrays with their names."""
        known = self._memory(arguments)
        pairs = zip(self._flat(arguments), known, strict=True)
        flat = [value if memory is None else memory.array for value, memory in pairs]
        return flat, [memory for memory in known if memory is not None]

    def _memory(self, arguments: Sequence[Any]) -> list[NamedArray | None]:
        """For each flat argument the memory that it points to."""
        pairs = zip(self._parameters, arguments, strict=True)
        return [one for known, value in pairs for one in known.arrays(value)]


def _address(value: Any) -> int:
    """The address that an argument stands for: that of a tensor, a number, or no memory at all."""
    if type(value) is np.ndarray:
        return array_address(value)[0]
    try:
        pointer = value.data_ptr
    except AttributeError:
        return int(value or 0)
    return pointer()


@cache
def _signed(bits: int) -> Taker:
    """What makes an integer of so many bits one with a sign, which has the same bits."""
    modulus, half = 1 << bits, 1 << (bits - 1)

    def number(value: Any) -> int:
        known = int(value)
        return known - modulus if half <= known < modulus else known

    return number


def _named_array(name: str, type: str, value: Any) -> NamedArray | None:
    """The memory of a tensor under its name; None for what is no tensor, or has elements of no known type."""
    element, value = _element(type), as_tensor(value)
    if element is None or not hasattr(value, "data_ptr") or not hasattr(value, "stride"):
        return None
    if isinstance(value, HostArray) and not value.array.flags.writeable:
        return NamedArray(name, value.array)
    array = memory_array(value, value.data_ptr(), tuple(value.shape), tuple(value.stride()), element)
    return NamedArray(name, array)


def _element(type: str) -> Element | None:
    """How elements of a type lie in memory."""
    return _BY_TILE_IR.get(_TILE_IR.get(type, type))
