"""The plan of a kernel: one value, complete before any code is emitted, that determines what the emitter
does.

Planning derives it from the kernel and the processor alone, and the emitter executes it. A plan refers to
operations and values of its module, which must not change while the plan is used. Plans are immutable;
`dataclasses.replace` makes a changed copy.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Literal

from tilewright.ir import block as ir_block, builtin_types
from tilewright.ir.attribute import Type
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.access_facts import corners as access_facts_corners, whole_tiles
from tilewright.lowering.access_facts.pointers import RangeOfPointers, RowOfPointers
from tilewright.lowering.access_facts.positions import Position
from tilewright.lowering.access_facts.views import MemoryObject, RowsOfMemory, TileOfMemory
from tilewright.targets.cpu.facts.access_operations import AnyAccess, tile_of
from tilewright.targets.cpu.machine.target import CpuTarget
from tilewright.targets.elements.element_types import element_of, is_tile, shape_of, size_of

# --- memory of tiles


class Why(StrEnum):
    """The reason why a tile is in memory."""

    BUFFERIZED = "its operation produces the whole tile at once"
    TAKEN_IN_MEMORY = "an operation needs the whole tile at once"
    SHOWN = "an operation views it in another shape"
    LATER = "an operation reads its elements later, when memory may have changed"
    ELSEWHERE = "another block uses it"
    TRANSPOSED = "it is loaded by rows and used by columns"
    SHARED = "several operations use it, and recomputing it is not cheap"
    EARLY = "its load has to precede a write to the same memory"
    CARRIED = "it is carried into or out of a region"


class BufferOrigin(StrEnum):
    """The origin of a tile's memory."""

    OWN = "own memory"
    REPLACES = "reuses the memory of"
    SHOWS = "views the memory of"
    CONSTANT = "constant data"


@dataclass(frozen=True, slots=True)
class BufferSlot:
    """Memory of a tile block for ``count`` elements, for the lifetime of the kernel.

    It lies ``offset`` bytes after the start of the thread's scratch memory; None: on the stack, where LLVM
    may promote it to registers.
    """

    number: int
    count: int
    element: Type
    offset: int | None
    use: str = "tile"

    @property
    def bytes(self) -> int:
        """Return the size of all elements in bytes."""
        return self.count * size_of(self.element)


@dataclass(frozen=True, slots=True)
class PlannedTile:
    """A tile in memory: its buffer slot (None: constant data of the module), its strides in elements, and the
    reasons.

    ``why`` is the reason that the tile is in memory, ``origin`` how it got its memory. ``source`` is the tile
    whose memory it reuses or views.
    """

    value: Value
    slot: BufferSlot | None
    strides: tuple[int, ...]
    why: Why
    origin: BufferOrigin = BufferOrigin.OWN
    source: Value | None = None

    @property
    def element(self) -> Type:
        """Return the type of the elements."""
        return element_of(self.value.type)


def row_major(shape: Sequence[int]) -> tuple[int, ...]:
    """Return the strides of contiguous elements with the last dimension fastest; extents of 1 have stride 0.

    For example, the shape (2, 1, 4) has the strides (4, 0, 1).
    """
    strides: list[int] = []
    stride = 1
    for extent in reversed(shape):
        strides.append(stride if extent > 1 else 0)
        stride *= extent
    return tuple(reversed(strides))


# --- accesses to memory of the program


@dataclass(frozen=True, slots=True)
class TilePlan:
    """The address of the tile that an access moves, and which of its elements exist.

    For packed elements, ``has_bytes`` says that each row begins at a whole byte if all numbers in ``even``
    are even.
    """

    op: Operation
    tile: TileOfMemory
    has_bytes: bool = False
    even: tuple[Position, ...] = ()

    @property
    def is_conditional(self) -> bool:
        """Return whether the version without masks needs a test."""
        return bool(self.tile.edges or self.even)

    @property
    def strides(self) -> tuple[Position, ...]:
        """Return the stride along each dimension in elements."""
        return self.tile.strides

    @property
    def element(self) -> Type:
        """Return the type of the elements."""
        return self.tile.memory.element


@dataclass(frozen=True, slots=True)
class RowsPlan:
    """The addresses of the rows that an access gathers or scatters."""

    op: Operation
    rows: RowsOfMemory


@dataclass(frozen=True, slots=True)
class PointersPlan:
    """The stride of the rows of a tile of pointers.

    ``whole``: the tile of memory that the access moves in the version without masks, if its conditions hold.
    """

    op: Operation
    row: RowOfPointers
    whole: whole_tiles.WholeTile | None = None

    @property
    def conditions(self) -> tuple[access_facts_corners.Fit, ...]:
        """Return the conditions of the version without masks."""
        return self.row.conditions if self.whole is None else self.whole.conditions

    @property
    def is_conditional(self) -> bool:
        """Return whether the version that moves vectors needs a test."""
        return bool(self.conditions)

    @property
    def strides(self) -> tuple[Position, ...]:
        """Return the stride along each dimension of the tile of memory, in elements."""
        assert self.whole is not None, "the access moves a whole tile"
        return self.whole.strides

    @property
    def element(self) -> Type:
        """Return the type of the elements."""
        assert isinstance(self.op, AnyAccess), "the operation moves elements"
        return element_of(tile_of(self.op))


@dataclass(frozen=True, slots=True)
class ObjectPlan:
    """The memory object that an operation names."""

    op: Operation
    memory: MemoryObject


AccessPlan = TilePlan | RowsPlan | PointersPlan | ObjectPlan
"""The facts about the memory that an operation accesses; computed once."""


# --- nests


@dataclass(frozen=True, slots=True)
class PlanRoot:
    """A reason for a nest: ``value`` is stored in memory, or ``op`` reduces, scans, writes or checks.

    ``accesses`` are the loads and stores that the nest makes for this root.
    """

    kind: Literal["memory", "reduce", "scan", "write", "check"]
    op: Any
    value: Value | None = None
    accesses: tuple[Operation, ...] = ()

    @property
    def reads(self) -> Sequence[Value]:
        """Return the tiles whose elements the nest reads."""
        if self.kind == "memory":
            assert self.value is not None
            return (self.value,)
        return tiles_of(self.op)

    @property
    def shape(self) -> tuple[int, ...]:
        """Return the extents of the nest."""
        return shape_of(self.reads[0].type)


def tiles_of(op: Operation) -> list[Value]:
    """Return the operands that are tiles."""
    return [operand for operand in op.operands if is_tile(operand.type)]


class Apart(StrEnum):
    """The reason why a root does not join the preceding nest."""

    FIRST = "there is no earlier nest that it may join"
    SHAPE = "its shape differs"
    FULL = "the nest has the maximum number of roots"
    SCAN = "only users of a scan share its nest"
    AXIS = "it reduces along another dimension"
    LOADS = "it loads, and the nest stores"
    OVERTAKES = "it would overwrite elements that are still to be loaded"
    WAITS = "it needs a whole tile that the nest computes"


@dataclass(frozen=True, slots=True)
class Vectors:
    """The vectors that cover a row in an iteration of a nest: ``count`` vectors of ``lanes`` elements."""

    lanes: int
    count: int


@dataclass(frozen=True, slots=True)
class NestForm:
    """How a nest iterates over its shape.

    - ``along``: the dimension that vectors cover; ``plain`` and ``masked`` are the vectors of the versions
      without and with masks.
    - ``transposed``, ``square``: a nest that transposes tiles handles ``square`` rows of the dimension
      ``transposed`` at once.
    - ``is_light``: the nest is bound by memory, so it uses twice as many vectors of half the width.
    - ``group``: a reduction combines this many iterations sequentially, then the results of the groups; 0:
      all iterations.

    For example, the shape 8x128 with f32 and vectors of 64 bytes has ``along=1`` and ``plain=Vectors(16,
    2)``.
    """

    along: int
    plain: Vectors
    masked: Vectors
    transposed: int = -1
    square: int = 1
    is_light: bool = False
    group: int = 0


class CombinationOrder(StrEnum):
    """The order in which elements are combined."""

    PARTIAL = "partial results in the lanes of vectors"
    NEIGHBOURS = "neighbours, left before right"


@dataclass(frozen=True, slots=True)
class Combining:
    """How a reduction or scan combines elements.

    ``own`` has the combining operation of each input, if every input has an operation with an identity: then
    the order of elements does not matter. ``narrow`` has the format to which the result of each input is
    finally rounded, if partial results are kept in a wider format.
    """

    order: CombinationOrder
    own: tuple[Operation, ...]
    narrow: tuple[builtin_types.FloatType | None, ...]


@dataclass(frozen=True, slots=True)
class Hazard:
    """A load and a store of one nest that may overlap; ``same``: the nest loads each element only where it
    stores it.
    """

    load: Operation
    store: Operation
    same: bool


@dataclass(frozen=True, slots=True)
class PointersRange:
    """The range of memory of an access through a tile of pointers."""

    op: Operation
    range: RangeOfPointers


class OverlapPolicy(StrEnum):
    """The handling of loads of elements that a store of the same nest may overwrite earlier."""

    NONE = "no store overwrites elements that are still to be loaded"
    STORE_LATE = "if the arrays overlap, tiles are stored to memory of the tile block first"
    LOAD_FIRST = "if the arrays overlap, whole tiles are loaded first"
    ALWAYS_LOAD_FIRST = "the pointers cannot be analysed: whole tiles are loaded first"


@dataclass(frozen=True, slots=True)
class Versions:
    """The versions of a nest, and the accesses that are the reason for each.

    - ``edges``: accesses that may be out of bounds, or whose rows may begin inside of a byte: one version has
      masks.
    - ``contiguous``: accesses through pointers whose rows are contiguous if offsets do not wrap; otherwise
      the version with masks computes the address of each element.
    - ``stride_two``: accesses whose rows may have stride 2: one version shuffles vectors.
    - ``streamed``: stores that bypass the caches if all rows begin at cache lines.
    - ``overlap``: see `OverlapPolicy`. ``hazards`` are the pairs of accesses that may overlap, ``ranges`` the
      memory of accesses through pointers, ``slots`` the memory for delayed tiles.
    - ``keeps_edges``: if the arrays do not overlap, there are versions with and without masks.
    - ``late_form``: the form of a nest over tiles that were loaded first.
    """

    edges: tuple[Operation, ...] = ()
    contiguous: tuple[Operation, ...] = ()
    stride_two: tuple[Operation, ...] = ()
    streamed: tuple[Operation, ...] = ()
    overlap: OverlapPolicy = OverlapPolicy.NONE
    hazards: tuple[Hazard, ...] = ()
    ranges: tuple[PointersRange, ...] = ()
    slots: tuple[BufferSlot, ...] = ()
    keeps_edges: bool = True
    late_form: NestForm | None = None

    @property
    def is_masked(self) -> bool:
        """Return whether there is a version with masks."""
        return bool(self.edges or self.contiguous)

    @property
    def late_loads(self) -> tuple[Operation, ...]:
        """Return the loads whose elements a store may overwrite."""
        return tuple(dict.fromkeys(hazard.load for hazard in self.hazards))


# --- steps


@dataclass(frozen=True, slots=True)
class CheckStep:
    """A check of the memory that an access will touch or, with ``after``, the ordering effect of an acquiring
    access.

    ``accesses`` are the loads that determine the addresses of the elements. ``root``: the access as the root
    of a nest, if it goes through a tile of pointers; ``is_masked``: whether there is a version for pointers
    that are not contiguous.
    """

    op: AnyAccess
    after: bool = False
    accesses: tuple[Operation, ...] = ()
    root: PlanRoot | None = None
    is_masked: bool = False


@dataclass(frozen=True, slots=True)
class NestStep:
    """A nest over the elements of a shape; ``guards`` are the checks of its stores, which run first.

    ``apart``: why the first root began a new nest. ``combining`` has an entry for each root, None for roots
    that neither reduce nor scan.
    """

    roots: tuple[PlanRoot, ...]
    guards: tuple[CheckStep, ...]
    form: NestForm
    versions: Versions
    combining: tuple[Combining | None, ...]
    apart: Apart = Apart.FIRST

    @property
    def shape(self) -> tuple[int, ...]:
        """Return the extents of the nest."""
        return self.roots[0].shape


class When(StrEnum):
    """The time at which an operation with regions copies tiles."""

    ENTER = "at the beginning"
    BETWEEN = "between the regions"
    ITERATION = "at the end of each iteration"
    LEAVE = "at the end of a region"


@dataclass(frozen=True, slots=True)
class Move:
    """Copies of tiles from one buffer slot to another, which happen simultaneously.

    ``through``: temporary memory, if a copy overwrites the source of another copy.
    """

    when: When
    copies: tuple[tuple[Value, Value], ...]
    through: tuple[BufferSlot, ...] = ()


class OperationDetail:
    """The decisions for an operation that is executed as a whole."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Moves(OperationDetail):
    """Copies of tiles that an operation with regions makes, in order: an ``if`` has one for each region."""

    moves: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class Temporaries(OperationDetail):
    """Temporary memory of an operation."""

    slots: tuple[BufferSlot, ...]


@dataclass(frozen=True, slots=True)
class SingleStep:
    """An operation that is executed as a whole: on scalars, on tiles in memory, or with regions.

    ``detail`` holds the decisions for it; None if there are none.
    """

    op: Operation
    detail: OperationDetail | None = None


Step = NestStep | SingleStep | CheckStep


@dataclass(frozen=True, slots=True)
class BlockPlan:
    """The steps of a block, in order."""

    block: ir_block.Block
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class KernelPlan:
    """The plan of one kernel for one processor.

    ``blocks`` has the blocks of the function and of its regions, ``tiles`` the tiles in memory and
    ``slots`` their memory, each in code order. ``accesses`` has the accesses to memory of the program,
    in the order in which nests need them.
    """

    function: Operation
    target: CpuTarget
    blocks: tuple[BlockPlan, ...]
    tiles: tuple[PlannedTile, ...]
    slots: tuple[BufferSlot, ...]
    scratch_bytes: int
    accesses: tuple[AccessPlan, ...]
