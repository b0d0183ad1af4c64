"""Running generated kernels in the reference interpreter and comparing what they did.

What a kernel does is seen in the buffers behind its pointer parameters, in what it prints, and in the diagnostic
that ends it.  `observe` makes the results of one operation visible by storing them into parameters of their own.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from tilewright.dialects.cuda_tile.enums import MemoryOrderingSemantics, Signedness
from tilewright.dialects.cuda_tile.ops_control import EntryOp, ModuleOp
from tilewright.dialects.cuda_tile.ops_conversion import ExtIOp, PackOp
from tilewright.dialects.cuda_tile.ops_memory import StorePtrTkoOp
from tilewright.dialects.cuda_tile.ops_tile import BroadcastOp, IotaOp, OffsetOp, ReduceOp, ReshapeOp, ScanOp
from tilewright.dialects.cuda_tile.types import PointerType, TileType
from tilewright.interp.launch import interpret
from tilewright.interp.options import InterpretOptions
from tilewright.ir.attribute import Type
from tilewright.ir.builder import InsertionPoint
from tilewright.ir.builtin_attributes import ArrayAttr, DictionaryAttr, TypeAttr
from tilewright.ir.builtin_types import FloatType, FunctionType, f4E2M1FN, i4, i8, i32
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.testing.tile_types import BUFFER_ELEMENTS

_Op = TypeVar("_Op", bound=Operation)
LARGEST_ELEMENT = 8
MAXIMUM_STEPS = 20_000
OPTIONS = InterpretOptions(memcheck=True, max_steps=MAXIMUM_STEPS)
"""Accesses outside the buffers are diagnostics, never crashes; loops end."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a launch did: the buffers afterwards, what was printed, and the message that ended it."""

    buffers: tuple[bytes, ...]
    printed: str
    problem: str | None


class Launchpad:
    """Arguments for an entry; every run starts from the same contents at the same addresses."""

    def __init__(self, entry: EntryOp, seed: str = "") -> None:
        self.name = entry.sym_name
        self.arguments: list[Any] = []
        self._initial: list[tuple[Any, bytes]] = []
        source = random.Random(seed)
        for parameter in entry.body.block.arguments:
            self.arguments.append(self._argument(parameter.type, source))

    def _argument(self, type: Any, source: random.Random) -> Any:
        if isinstance(type.element_type, PointerType):
            contents = source.randbytes(BUFFER_ELEMENTS * LARGEST_ELEMENT)
            buffer = np.frombuffer(bytearray(contents), dtype=np.uint8)
            self._initial.append((buffer, contents))
            return buffer
        width: int = type.element_type.width
        pattern = source.getrandbits(width)
        if isinstance(type.element_type, FloatType):
            return type.element_type.format.decode(pattern)
        return pattern

    def run(self, module: Operation) -> Outcome:
        """Launch the entry of this name as one tile block."""
        self.reset()
        printed = _Text()
        problem = None
        try:
            interpret(module, self.name, (1, 1, 1), self.arguments, OPTIONS, printed)
        except DiagnosticError as error:
            problem = "\n".join(diagnostic.message for diagnostic in error.diagnostics)
        return Outcome(self.contents(), "".join(printed.pieces), problem)

    def reset(self) -> None:
        """Put the first contents back into all buffers."""
        for buffer, contents in self._initial:
            buffer[:] = np.frombuffer(contents, dtype=np.uint8)

    def contents(self) -> tuple[bytes, ...]:
        """What is in the buffers."""
        return tuple(buffer.tobytes() for buffer, _ in self._initial)


class _Text:
    def __init__(self) -> None:
        self.pieces: list[str] = []

    def write(self, text: str, /) -> None:
        self.pieces.append(text)


def entries(module: Operation) -> list[EntryOp]:
    """The kernels of a module."""
    return [op for op in module.regions[0].block if isinstance(op, EntryOp)]


def observe(op: Operation) -> list[StorePtrTkoOp]:
    """Store the numeric results of an operation into new pointer parameters of its kernel.

    Operations in the body of `reduce` or `scan` and results that are no numbers are left alone.
    """
    enclosing = list(op.ancestors())
    entry = next((outer for outer in enclosing if isinstance(outer, EntryOp)), None)
    if entry is None or any(isinstance(outer, ReduceOp | ScanOp) for outer in enclosing):
        return []
    point = InsertionPoint.after(op)
    stores = [_store(entry, point, result) for result in op.results if _is_numeric(result.type)]
    _update_signature(entry)
    return stores


def _is_numeric(type: Type) -> bool:
    return isinstance(type, TileType) and not isinstance(type.element_type, PointerType)


def _store(entry: EntryOp, point: InsertionPoint, value: Value) -> StorePtrTkoOp:
    value = _storable(point, value)
    tile = value.type
    assert isinstance(tile, TileType)
    base = entry.body.block.add_argument(TileType((), PointerType(tile.element_type)))
    addresses: Value = base
    if tile.shape:
        addresses = _consecutive(point, base, tile.shape)
    return _insert(point, StorePtrTkoOp, MemoryOrderingSemantics.WEAK, destination=addresses, value=value)


def _storable(point: InsertionPoint, value: Value) -> Value:
    """4-bit elements have no memory of their own: i4 is widened, f4 packed."""
    tile = value.type
    assert isinstance(tile, TileType)
    if tile.element_type is i4:
        wide = tile.with_element_type(i8)
        return _insert(point, ExtIOp, value, signedness=Signedness.SIGNED, result_types=[wide]).to
    if tile.element_type is f4E2M1FN:
        flat = TileType((tile.element_count,), f4E2M1FN)
        listed = _insert(point, ReshapeOp, value, result_types=[flat]).result
        packed = TileType((tile.element_count // 2,), i8)
        return _insert(point, PackOp, listed, result_types=[packed]).result
    return value


def _consecutive(point: InsertionPoint, base: Value, shape: tuple[int, ...]) -> Value:
    """The addresses of a row-major array at a scalar pointer."""
    pointer: Any = base.type
    count = TileType(shape, i32).element_count
    ones = TileType((1,) * len(shape), pointer.element_type)
    thin = _insert(point, ReshapeOp, base, result_types=[ones]).result
    wide = _insert(point, BroadcastOp, thin, result_types=[TileType(shape, pointer.element_type)]).result
    numbers = _insert(point, IotaOp, result_types=[TileType((count,), i32)]).result
    offsets = _insert(point, ReshapeOp, numbers, result_types=[TileType(shape, i32)]).result
    return _insert(point, OffsetOp, wide, offsets, result_types=[wide.type]).result


def _insert(point: InsertionPoint, op_class: Callable[..., _Op], *arguments: Any, **named: Any) -> _Op:
    return point.insert(op_class(*arguments, **named))


def _update_signature(entry: EntryOp) -> None:
    parameters = entry.body.block.arguments
    entry.attributes["function_type"] = TypeAttr(FunctionType(tuple(p.type for p in parameters), ()))
    described = entry.attributes.get("arg_attrs")
    if isinstance(described, ArrayAttr):
        missing = len(parameters) - len(described.elements)
        entry.attributes["arg_attrs"] = ArrayAttr((*described.elements, *([DictionaryAttr()] * missing)))


def first_entry(module: ModuleOp) -> EntryOp:
    """The first kernel of a module."""
    return entries(module)[0]
