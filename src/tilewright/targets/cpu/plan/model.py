"""The plan of a kernel: all decisions about its code, made before any code is emitted.

Planning computes a plan from the kernel and the processor alone, and the emitter follows it. A plan refers to
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


class BufferizationReason(StrEnum):
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
    """Memory of a tile block for ``count`` elements of type ``element``, reserved for the whole kernel.

    ``offset`` is its distance in bytes from the start of the thread's scratch memory. None means that it is
    on the stack, where LLVM may promote it to registers. ``use`` is a word for listings of the plan.
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
    """A tile in memory, and why it is there.

    ``slot`` is its memory, or None for constant data of the module; ``strides`` count elements. ``origin``
    says how it got this memory; ``source`` is the tile whose memory it reuses or views, if any.
    """

    value: Value
    slot: BufferSlot | None
    strides: tuple[int, ...]
    why: BufferizationReason
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
    """The addresses and bounds of a load or store of a tile through a view.

    For packed elements of 4 bits, ``has_bytes`` says that each row begins at a whole byte if all numbers in
    ``even`` are even.
    """

    op: Operation
    tile: TileOfMemory
    has_bytes: bool = False
    even: tuple[Position, ...] = ()

    @property
    def is_conditional(self) -> bool:
        """Return whether the version without masks runs only under a condition: all elements are in bounds,
        and rows of packed elements begin at whole bytes.
        """
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
    """The addresses of the rows that an operation gathers from, or scatters to, a memory object."""

    op: Operation
    rows: RowsOfMemory


@dataclass(frozen=True, slots=True)
class PointersPlan:
    """The addresses of a load or store through a tile of pointers.

    ``row`` is the distance of the pointers of a row, and the conditions under which it holds. ``whole`` is
    the strided tile of memory to which all pointers lead, if its conditions hold (None: there is none); the
    version without masks then moves this tile.
    """

    op: Operation
    row: RowOfPointers
    whole: whole_tiles.WholeTile | None = None

    @property
    def conditions(self) -> tuple[access_facts_corners.RangeCondition, ...]:
        """Return the conditions under which the version without masks may run; empty: always."""
        return self.row.conditions if self.whole is None else self.whole.conditions

    @property
    def is_conditional(self) -> bool:
        """Return whether the version without masks runs only under a condition, which is tested at run time."""
        return bool(self.conditions)

    @property
    def strides(self) -> tuple[Position, ...]:
        """Return the stride along each dimension of ``whole``, in elements."""
        assert self.whole is not None, "the access moves a whole tile"
        return self.whole.strides

    @property
    def element(self) -> Type:
        """Return the type of the elements."""
        assert isinstance(self.op, AnyAccess), "the operation moves elements"
        return element_of(tile_of(self.op))


@dataclass(frozen=True, slots=True)
class ObjectPlan:
    """The memory object that an operation names, for accesses by indices or for its extents."""

    op: Operation
    memory: MemoryObject


AccessPlan = TilePlan | RowsPlan | PointersPlan | ObjectPlan
"""The addresses of an access, computed once: for a tile, for rows, through pointers, or by indices."""


# --- nests


@dataclass(frozen=True, slots=True)
class PlanRoot:
    """A result or an effect that needs a nest of loops.

    ``value`` is a tile that the nest stores in memory; for another ``kind``, ``op`` reduces, scans, writes or
    checks. ``accesses`` are the loads and stores that the nest makes for this root.
    """

    kind: Literal["memory", "reduce", "scan", "write", "check"]
    op: Any
    value: Value | None = None
    accesses: tuple[Operation, ...] = ()

    @property
    def reads(self) -> Sequence[Value]:
        """Return the tiles whose elements the nest computes: ``value``, or the tile operands of ``op``."""
        if self.kind == "memory":
            assert self.value is not None
            return (self.value,)
        return tiles_of(self.op)

    @property
    def shape(self) -> tuple[int, ...]:
        """Return the extents of the loops: the shape of the first tile that is read."""
        return shape_of(self.reads[0].type)


def tiles_of(op: Operation) -> list[Value]:
    """Return the operands that are tiles."""
    return [operand for operand in op.operands if is_tile(operand.type)]


class FusionObstacle(StrEnum):
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
    """The elements of a row that one iteration of a nest handles: ``count`` vectors of ``lanes`` lanes."""

    lanes: int
    count: int


@dataclass(frozen=True, slots=True)
class NestForm:
    """How the loops of a nest cover its shape.

    - ``along``: the dimension that vectors cover; ``plain`` and ``masked`` are the vectors of an iteration in
      the versions without and with masks.
    - ``transposed``, ``square``: a nest that transposes tiles handles ``square`` rows of the dimension
      ``transposed`` at once; -1: it transposes none.
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
    """The order in which a reduction or scan combines elements: partial results in the lanes of vectors, or
    neighbours, left before right.
    """

    PARTIAL = "partial results in the lanes of vectors"
    NEIGHBOURS = "neighbours, left before right"


@dataclass(frozen=True, slots=True)
class Combining:
    """How a reduction or scan combines elements.

    - ``own``: for each input, the operation that combines its elements, if all of these operations have an identity element; the order of elements does not matter then. Otherwise it is empty.
    - ``narrow``: for each input, the float format to which its result is rounded at the end, if its partial results are kept in a wider format; otherwise None.
    """

    order: CombinationOrder
    own: tuple[Operation, ...]
    narrow: tuple[builtin_types.FloatType | None, ...]


@dataclass(frozen=True, slots=True)
class Hazard:
    """A load and a store of one nest that may overlap in memory. With `same`, the nest loads each element
    only in the iteration that stores the element at its coordinates, so they may be of the same array.
    """

    load: Operation
    store: Operation
    same: bool


@dataclass(frozen=True, slots=True)
class PointersRange:
    """The range of memory that an access through a tile of pointers may touch."""

    op: Operation
    range: RangeOfPointers


class OverlapPolicy(StrEnum):
    """How a nest is emitted if its stores may overwrite elements that its later iterations load: without
    precaution, since they do not; with late stores or early loads of whole tiles if the arrays overlap at run
    time; or with early loads in any case.
    """

    NONE = "no store overwrites elements that are still to be loaded"
    STORE_LATE = "if the arrays overlap, tiles are stored to memory of the tile block first"
    LOAD_FIRST = "if the arrays overlap, whole tiles are loaded first"
    ALWAYS_LOAD_FIRST = "the pointers cannot be analysed: whole tiles are loaded first"


@dataclass(frozen=True, slots=True)
class Versions:
    """The versions of the code of a nest, each with the accesses that need it.

    - ``edges``: accesses that may be out of bounds, or whose rows may begin inside of a byte. There is one
      version with masks and one without.
    - ``contiguous``: accesses through pointers whose rows are contiguous if offsets do not wrap around. If
      they do, the version with masks computes the address of each element.
    - ``stride_two``: accesses whose rows may have stride 2. One version shuffles whole vectors for them.
    - ``streamed``: stores that bypass the caches, in a version for rows that begin at cache lines.
    - ``overlap``: see `OverlapPolicy`. ``hazards`` are the loads and stores that may overlap, ``ranges`` the
      memory of accesses through pointers, ``slots`` the memory for tiles that are stored late or loaded
      first.
    - ``keeps_edges``: whether arrays without overlap still have versions with and without masks.
    - ``late_form``: the form of the version that loads whole tiles first; None if there is none.
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
        """Return the loads of ``hazards``, each once: a store may overwrite elements before they are loaded."""
        return tuple(dict.fromkeys(hazard.load for hazard in self.hazards))


# --- steps


@dataclass(frozen=True, slots=True)
class CheckStep:
    """A check of the addresses of an access (memcheck, racecheck), which runs before the access.

    With ``after``, it runs after an acquiring access and records its ordering effect. ``accesses`` are the
    loads that determine the addresses. ``root`` is the access as the root of a nest, if it goes through a
    tile of pointers. ``is_masked`` says that there is a version for pointers that are not contiguous.
    """

    op: AnyAccess
    after: bool = False
    accesses: tuple[Operation, ...] = ()
    root: PlanRoot | None = None
    is_masked: bool = False


@dataclass(frozen=True, slots=True)
class NestStep:
    """One nest of loops that computes all of its ``roots``. ``guards`` are the checks of its stores, which
    run first.

    ``apart`` is why the first root did not join the preceding nest. ``combining`` has an entry for each root,
    None for roots that neither reduce nor scan.
    """

    roots: tuple[PlanRoot, ...]
    guards: tuple[CheckStep, ...]
    form: NestForm
    versions: Versions
    combining: tuple[Combining | None, ...]
    apart: FusionObstacle = FusionObstacle.FIRST

    @property
    def shape(self) -> tuple[int, ...]:
        """Return the extents of the loops."""
        return self.roots[0].shape


class CopyPoint(StrEnum):
    """The time at which an operation with regions copies tiles: at its beginning, between its regions, at the
    end of each iteration, or at the end of a region.
    """

    ENTER = "at the beginning"
    BETWEEN = "between the regions"
    ITERATION = "at the end of each iteration"
    LEAVE = "at the end of a region"


@dataclass(frozen=True, slots=True)
class Move:
    """Copies of tiles, as (source, target), which happen simultaneously.

    ``through``: temporary memory for each copy, if a copy overwrites the source of another; else empty.
    """

    when: CopyPoint
    copies: tuple[tuple[Value, Value], ...]
    through: tuple[BufferSlot, ...] = ()


class OperationDetail:
    """The base of the data that a plan has for a `SingleStep` beyond its operation: `Moves`, `Temporaries` or
    `ProductPlan`.
    """

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Moves(OperationDetail):
    """The copies of tiles that an operation with regions makes, in order: an ``if`` has one `Move` for each
    region.
    """

    moves: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class Temporaries(OperationDetail):
    """Memory that an operation uses only while it runs."""

    slots: tuple[BufferSlot, ...]


@dataclass(frozen=True, slots=True)
class SingleStep:
    """An operation that is emitted by itself, outside of nests: on scalars, on tiles in memory, or with
    regions.

    ``detail`` holds the memory and copies that it needs; None if it needs none.
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

    ``blocks`` has the blocks of the function and of its regions, ``tiles`` the tiles in memory, and ``slots``
    their memory, each in code order. ``scratch_bytes`` is the scratch memory of a thread. ``accesses`` has
    the accesses to memory of the program, in the order in which nests need them.
    """

    function: Operation
    target: CpuTarget
    blocks: tuple[BlockPlan, ...]
    tiles: tuple[PlannedTile, ...]
    slots: tuple[BufferSlot, ...]
    scratch_bytes: int
    accesses: tuple[AccessPlan, ...]
