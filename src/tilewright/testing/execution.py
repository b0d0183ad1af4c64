"""Runs generated kernels in the reference interpreter and compares their effects: the buffers behind its pointer
parameters, the output, and the diagnostic that ends it.

`observe` makes the results of one operation visible by storing them into parameters of their own.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeVar

import numpy as np

from tilewright.dialects.cuda_tile.enums import MemoryOrderingSemantics, Signedness
from tilewright.dialects.cuda_tile.ops import control as control_ops, tile as tile_ops
from tilewright.dialects.cuda_tile.ops.conversion import ExtIOp, PackOp
from tilewright.dialects.cuda_tile.ops.integer import AddIOp, MulIOp
from tilewright.dialects.cuda_tile.ops.memory import LoadPtrTkoOp, LoadViewTkoOp, StorePtrTkoOp
from tilewright.dialects.cuda_tile.types import PointerType, TileType
from tilewright.interp import launch as interp_launch, values
from tilewright.ir import builtin_types
from tilewright.ir.attribute import Type
from tilewright.ir.builder import InsertionPoint
from tilewright.ir.builtin_attributes import ArrayAttr, DictionaryAttr, TypeAttr, dense
from tilewright.ir.diagnostic import Diagnostic, DiagnosticError
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.testing.drawing import edges, edges_in_memory
from tilewright.testing.tile_types import BUFFER_ELEMENTS

_Op = TypeVar("_Op", bound=Operation)
LARGEST_ELEMENT = 8
ONE_BLOCK = (1, 1, 1)
GUARD, GUARD_BYTES = 0xA5, 1 << 15
"""The guard byte before and after every buffer, and the number of guard bytes on each side."""
EDGE_IN = 4
"""One in `EDGE_IN` elements of buffers, and scalar arguments, is an edge value, on average."""
MAXIMUM_STEPS = 20_000
OPTIONS = values.InterpretOptions(memcheck=True, max_steps=MAXIMUM_STEPS)
"""The options of the interpreter: an access outside of a buffer is a diagnostic, and the number of steps is
limited.
"""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a launch: the contents of the buffers afterwards, the output, and the diagnostics, which
    comparisons ignore.
    """

    buffers: tuple[bytes, ...]
    printed: str
    found: tuple[Diagnostic, ...] = field(default=(), compare=False)

    @property
    def problem(self) -> str | None:
        """Return the messages of the diagnostics; None if there are none."""
        return "\n".join(diagnostic.message for diagnostic in self.found) or None


class Launchpad:
    """Runs a kernel with random arguments that `seed` determines; every run starts from the same contents at
    the same addresses.

    Buffers are surrounded by guard bytes. With ``overlap`` two of the buffers share memory; one of them is a
    buffer that the kernel loads from, if there is one.
    """

    def __init__(
        self,
        entry: control_ops.EntryOp,
        seed: str = "",
        *,
        grid: tuple[int, int, int] = ONE_BLOCK,
        overlap: bool = False,
    ) -> None:
        self.name = entry.sym_name
        self.grid = grid
        self.arguments: list[Any] = []
        self._initial: list[tuple[Any, bytes]] = []
        self._guards: list[Any] = []
        source = random.Random(seed)
        for parameter in entry.body.block.arguments:
            self.arguments.append(self._argument(parameter.type, source))
        if overlap:
            self._overlap(source, loaded_buffers(entry))

    def _argument(self, type: Any, source: random.Random) -> Any:
        if isinstance(type.element_type, PointerType):
            contents = _contents(type.element_type.pointee, source)
            buffer = self._guarded(len(contents))
            self._initial.append((buffer, contents))
            return buffer
        width: int = type.element_type.width
        is_edge = source.randrange(EDGE_IN) == 0
        pattern = source.choice(edges(type.element_type)) if is_edge else source.getrandbits(width)
        if isinstance(type.element_type, builtin_types.FloatType):
            return type.element_type.format.decode(pattern)
        return pattern

    def _guarded(self, size: int) -> Any:
        """Return an uninitialised buffer of `size` bytes between guard bytes."""
        memory = np.full(size + 2 * GUARD_BYTES, GUARD, dtype=np.uint8)
        self._guards += [memory[:GUARD_BYTES], memory[-GUARD_BYTES:]]
        return memory[GUARD_BYTES:-GUARD_BYTES]

    def _overlap(self, source: random.Random, loaded: Sequence[int]) -> None:
        """Let two buffers share memory, if there are two; `loaded` are the indices of buffers that the kernel
        loads from.
        """
        if len(self._initial) < 2:
            return
        one = source.choice(loaded or range(len(self._initial)))
        other = source.choice([number for number in range(len(self._initial)) if number != one])
        first, second = source.sample((one, other), 2)
        moved = LARGEST_ELEMENT * source.choice((0, 1, 2, 4, 8, 16, 33))
        size = len(self._initial[first][1])
        memory = self._guarded(size + moved)
        for number, start in ((first, 0), (second, moved)):
            old, contents = self._initial[number]
            buffer = memory[start : start + size]
            self.arguments = [buffer if argument is old else argument for argument in self.arguments]
            self._initial[number] = (buffer, contents)

    @property
    def is_guarded(self) -> bool:
        """Return whether all guard bytes are unchanged."""
        return all(bool((guard == GUARD).all()) for guard in self._guards)

    @property
    def addresses(self) -> tuple[int, ...]:
        """Return the address in memory of each buffer, in bytes; buffers that overlap show here."""
        return tuple(buffer.ctypes.data for buffer, _ in self._initial)

    def run(self, module: Operation) -> Outcome:
        """Launch the kernel of the same name in `module` in the interpreter, with the initial contents of all
        buffers, and return the outcome. Diagnostics of the launch are part of the outcome, and are not
        raised.
        """
        self.reset()
        printed = _Text()
        found: tuple[Diagnostic, ...] = ()
        try:
            interp_launch.interpret(module, self.name, self.grid, self.arguments, OPTIONS, printed)
        except DiagnosticError as error:
            found = tuple(error.diagnostics)
        return Outcome(self.contents(), "".join(printed.pieces), found)

    def reset(self) -> None:
        """Restore the first contents of all buffers."""
        for buffer, contents in self._initial:
            buffer[:] = np.frombuffer(contents, dtype=np.uint8)

    def contents(self) -> tuple[bytes, ...]:
        """Return the current bytes of each buffer, in the order of the pointer parameters."""
        return tuple(buffer.tobytes() for buffer, _ in self._initial)


def loaded_buffers(entry: control_ops.EntryOp) -> list[int]:
    """Return the numbers of the pointer parameters of `entry` from which the kernel loads, directly or
    through views. Only pointer parameters are counted, from 0.
    """
    pointers = [parameter for parameter in entry.body.block.arguments if not _is_numeric(parameter.type)]
    places = [_base(op.operands[0]) for op in entry.walk() if isinstance(op, LoadPtrTkoOp | LoadViewTkoOp)]
    return [number for number, parameter in enumerate(pointers) if parameter in places]


def _base(place: Value) -> Value:
    """Return the value that a pointer or view is derived from, following first operands."""
    while isinstance(place.owner, Operation) and place.owner.operands:
        place = place.owner.operands[0]
    return place


def _contents(element: Any, source: random.Random) -> bytes:
    """Return the initial contents of a buffer: random bits, and edge values for elements of at least a byte."""
    contents = source.randbytes(BUFFER_ELEMENTS * LARGEST_ELEMENT)
    if element.width < builtin_types.i8.width:
        return contents
    kept, edge = _edges_of_bytes(element)
    elements = np.frombuffer(contents, edge.dtype)
    drawn = np.frombuffer(source.randbytes(len(elements)), np.uint8)
    return (elements & np.take(kept, drawn) | np.take(edge, drawn)).tobytes()


@cache
def _edges_of_bytes(element: Any) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Return two arrays that are indexed by a random byte: a mask of the random bits of an element to keep
    (all or none), and the edge value that replaces them.
    """
    drawn = np.arange(1 << 8)
    held = edges_in_memory(element)
    is_edge = drawn % EDGE_IN == 0
    none = np.zeros_like(held, shape=len(drawn))
    return np.where(is_edge, none, ~none), np.where(is_edge, held[drawn // EDGE_IN % len(held)], none)


class _Text:
    def __init__(self) -> None:
        self.pieces: list[str] = []

    def write(self, text: str, /) -> None:
        self.pieces.append(text)


def entries(module: Operation) -> list[control_ops.EntryOp]:
    """Return the kernels of a module."""
    return [op for op in module.regions[0].block if isinstance(op, control_ops.EntryOp)]


def observe(op: Operation, *, on_grid: bool = False) -> list[StorePtrTkoOp]:
    """Store the numeric results of an operation into new pointer parameters of its kernel, and return the
    stores.

    On a grid each tile block stores to elements of its own. Operations outside of kernels or in the body of
    `reduce` or `scan`, and results that are not numbers, are not observed.
    """
    enclosing = list(op.ancestors())
    entry = next((outer for outer in enclosing if isinstance(outer, control_ops.EntryOp)), None)
    if entry is None or any(isinstance(outer, tile_ops.ReduceOp | tile_ops.ScanOp) for outer in enclosing):
        return []
    point = InsertionPoint.after(op)
    numeric = [result for result in op.results if _is_numeric(result.type)]
    stores = [_store(entry, point, result, on_grid=on_grid) for result in numeric]
    _update_signature(entry)
    return stores


def _is_numeric(type: Type) -> bool:
    return isinstance(type, TileType) and not isinstance(type.element_type, PointerType)


def _store(
    entry: control_ops.EntryOp, point: InsertionPoint, value: Value, *, on_grid: bool
) -> StorePtrTkoOp:
    value = _storable(point, value)
    tile = value.type
    assert isinstance(tile, TileType)
    base: Value = entry.body.block.add_argument(TileType((), PointerType(tile.element_type)))
    if on_grid:
        base = _insert(point, tile_ops.OffsetOp, base, _own_place(point, tile.element_count)).result
    addresses = base
    if tile.shape:
        addresses = _consecutive(point, base, tile.shape)
    return _insert(point, StorePtrTkoOp, MemoryOrderingSemantics.WEAK, destination=addresses, value=value)


def _own_place(point: InsertionPoint, count: int) -> Value:
    """Return the offset, in elements, of the ``count`` elements that this tile block stores to."""
    x, y, z = _insert(point, control_ops.GetTileBlockIdOp).results
    width, height, _ = _insert(point, control_ops.GetNumTileBlocksOp).results
    number = _insert(point, MulIOp, z, height).result
    number = _insert(point, MulIOp, _insert(point, AddIOp, number, y).result, width).result
    number = _insert(point, AddIOp, number, x).result
    scalar = TileType((), builtin_types.i32)
    held = _insert(point, tile_ops.ConstantOp, dense(scalar, [count]), result_types=[scalar]).result
    return _insert(point, MulIOp, number, held).result


def _storable(point: InsertionPoint, value: Value) -> Value:
    """Return a value converted so that it can be stored: 4-bit elements have no address, so i4 is extended
    and f4 packed.
    """
    tile = value.type
    assert isinstance(tile, TileType)
    if tile.element_type is builtin_types.i4:
        wide = tile.with_element_type(builtin_types.i8)
        return _insert(point, ExtIOp, value, signedness=Signedness.SIGNED, result_types=[wide]).to
    if tile.element_type is builtin_types.f4E2M1FN:
        flat = TileType((tile.element_count,), builtin_types.f4E2M1FN)
        listed = _insert(point, tile_ops.ReshapeOp, value, result_types=[flat]).result
        packed = TileType((tile.element_count // 2,), builtin_types.i8)
        return _insert(point, PackOp, listed, result_types=[packed]).result
    return value


def _consecutive(point: InsertionPoint, base: Value, shape: tuple[int, ...]) -> Value:
    """Insert operations that make a tile of pointers of the shape `shape` to consecutive elements, in
    row-major order, from the scalar pointer `base` on, and return the tile.
    """
    pointer: Any = base.type
    count = TileType(shape, builtin_types.i32).element_count
    ones = TileType((1,) * len(shape), pointer.element_type)
    thin = _insert(point, tile_ops.ReshapeOp, base, result_types=[ones]).result
    wide = _insert(
        point, tile_ops.BroadcastOp, thin, result_types=[TileType(shape, pointer.element_type)]
    ).result
    numbers = _insert(point, tile_ops.IotaOp, result_types=[TileType((count,), builtin_types.i32)]).result
    offsets = _insert(
        point, tile_ops.ReshapeOp, numbers, result_types=[TileType(shape, builtin_types.i32)]
    ).result
    return _insert(point, tile_ops.OffsetOp, wide, offsets, result_types=[wide.type]).result


def _insert(point: InsertionPoint, op_class: Callable[..., _Op], *arguments: Any, **named: Any) -> _Op:
    return point.insert(op_class(*arguments, **named))


def _update_signature(entry: control_ops.EntryOp) -> None:
    parameters = entry.body.block.arguments
    entry.attributes["function_type"] = TypeAttr(
        builtin_types.FunctionType(tuple(p.type for p in parameters), ())
    )
    described = entry.attributes.get("arg_attrs")
    if isinstance(described, ArrayAttr):
        missing = len(parameters) - len(described.elements)
        entry.attributes["arg_attrs"] = ArrayAttr((*described.elements, *([DictionaryAttr()] * missing)))


def first_entry(module: control_ops.ModuleOp) -> control_ops.EntryOp:
    """Return the first kernel of a module. Raises `IndexError` if there is none."""
    return entries(module)[0]
