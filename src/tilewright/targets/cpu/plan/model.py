"""The plan of a kernel: one value, complete before any code is written, that says all that the emitter does.

Planning makes it from the kernel and the processor alone, and the emitter executes it.  A plan names operations and
values of its module, which must not change as long as the plan is used.  Nothing in a plan changes; another plan is made
with `dataclasses.replace`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Literal

from tilewright.ir.attribute import Type
from tilewright.ir.block import Block
from tilewright.ir.builtin_types import FloatType
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.access_facts.corners import Fit
from tilewright.lowering.access_facts.pointers import RangeOfPointers, RowOfPointers
from tilewright.lowering.access_facts.positions import Position
from tilewright.lowering.access_facts.views import MemoryObject, RowsOfMemory, TileOfMemory
from tilewright.lowering.access_facts.whole_tiles import WholeTile
from tilewright.targets.cpu.machine.target import CpuTarget
from tilewright.targets.cpu.memory.operations import AnyAccess, tile_of
from tilewright.targets.elements.types import element_of, is_tile, shape_of, size_of

# --- memory of tiles


class Why(StrEnum):
    """Why a tile lies in memory."""

    BUFFERIZED = "its operation computes it as a whole"
    TAKEN_IN_MEMORY = "an operation takes it as a whole"
    SHOWN = "an operation shows it in another shape"
    LATER = "an operation takes its elements later, when memory may have changed"
    ELSEWHERE = "another block uses it"
    TRANSPOSED = "it is loaded by rows and used by columns"
    SHARED = "several operations use it, and it is not cheap to compute again"
    EARLY = "it is loaded before its memory is written"
    CARRIED = "it is carried into or out of a region"


class Origin(StrEnum):
    """Where the memory of a tile comes from."""

    OWN = "memory of its own"
    REPLACES = "in the place of"
    SHOWS = "the memory of"
    CONSTANT = "constant data"


@dataclass(frozen=True, slots=True)
class Room:
    """Memory of a tile block for ``count`` elements, for the life of the kernel.

    It lies ``offset`` bytes into the scratch memory of the thread; None: on the stack, where LLVM may turn it into
    registers.
    """

    number: int
    count: int
    element: Type
    offset: int | None
    use: str = "tile"

    @property
    def bytes(self) -> int:
        """The size of all elements."""
        return self.count * size_of(self.element)


@dataclass(frozen=True, slots=True)
class Tile:
    """A tile in memory: its room (None: constant data of the module), its strides in elements, and both reasons.

    ``source`` is the tile whose memory it replaces or shows.
    """

    value: Value
    room: Room | None
    strides: tuple[int, ...]
    why: Why
    origin: Origin = Origin.OWN
    source: Value | None = None

    @property
    def element(self) -> Type:
        """The type of the elements."""
        return element_of(self.value.type)


# --- accesses to memory of the program


@dataclass(frozen=True, slots=True)
class TilePlan:
    """Where the tile is that an access moves, and which of its elements exist.

    Of elements that share bytes, ``has_bytes`` says that each row begins with a byte if all numbers in ``even`` are even.
    """

    op: Operation
    tile: TileOfMemory
    has_bytes: bool = False
    even: tuple[Position, ...] = ()

    @property
    def is_conditional(self) -> bool:
        """Whether the version without masks needs a test."""
        return bool(self.tile.edges or self.even)

    @property
    def strides(self) -> tuple[Position, ...]:
        """How far elements are apart along each dimension."""
        return self.tile.strides

    @property
    def element(self) -> Type:
        """The type of the elements."""
        return self.tile.memory.element


@dataclass(frozen=True, slots=True)
class RowsPlan:
    """Where the rows are that an access gathers or scatters."""

    op: Operation
    rows: RowsOfMemory


@dataclass(frozen=True, slots=True)
class PointersPlan:
    """How far the elements of a row are apart that a tile of pointers leads to.

    ``whole``: the tile of memory that the access moves in the version without masks, where its conditions hold.
    """

    op: Operation
    row: RowOfPointers
    whole: WholeTile | None = None

    @property
    def conditions(self) -> tuple[Fit, ...]:
        """What the version without masks needs."""
        return self.row.conditions if self.whole is None else self.whole.conditions

    @property
    def is_conditional(self) -> bool:
        """Whether the version that moves vectors needs a test."""
        return bool(self.conditions)

    @property
    def strides(self) -> tuple[Position, ...]:
        """How far elements are apart along each dimension of the tile of memory."""
        assert self.whole is not None, "it is one"
        return self.whole.strides

    @property
    def element(self) -> Type:
        """The type of the elements."""
        assert isinstance(self.op, AnyAccess), "it moves elements"
        return element_of(tile_of(self.op))


@dataclass(frozen=True, slots=True)
class ObjectPlan:
    """The memory object that an operation names."""

    op: Operation
    memory: MemoryObject


AccessPlan = TilePlan | RowsPlan | PointersPlan | ObjectPlan
"""What was found out, once, about the memory that an operation touches."""


# --- passes


@dataclass(frozen=True, slots=True)
class Root:
    """A reason for a pass: ``value`` is put into memory, or ``op`` reduces, scans, writes or checks.

    ``accesses`` are the loads and stores that the pass makes for it.
    """

    kind: Literal["memory", "reduce", "scan", "write", "check"]
    op: Any
    value: Value | None = None
    accesses: tuple[Operation, ...] = ()

    @property
    def reads(self) -> Sequence[Value]:
        """The tiles whose elements the pass needs."""
        if self.kind == "memory":
            assert self.value is not None
            return (self.value,)
        return tiles_of(self.op)

    @property
    def shape(self) -> tuple[int, ...]:
        """Over which elements the pass goes."""
        return shape_of(self.reads[0].type)


def tiles_of(op: Operation) -> list[Value]:
    """The operands that are tiles."""
    return [operand for operand in op.operands if is_tile(operand.type)]


class Apart(StrEnum):
    """Why a root does not join the pass in front of it."""

    FIRST = "there is no pass in front that it may join"
    SHAPE = "it has another shape"
    FULL = "the pass has as many roots as it can keep vectors for"
    SCAN = "only users of a scan share its pass"
    AXIS = "it reduces along another dimension"
    LOADS = "it loads, and the pass stores"
    OVERTAKES = "it would store what is still to be loaded"
    WAITS = "it needs all of a tile that the pass computes"


@dataclass(frozen=True, slots=True)
class Vectors:
    """How an iteration of a pass covers a row: ``count`` vectors of ``lanes`` elements."""

    lanes: int
    count: int


@dataclass(frozen=True, slots=True)
class Form:
    """How a pass goes over its shape.

    Vectors cover the dimension ``along``: ``plain`` those of the version without masks, ``masked`` those of the one
    with.  A pass that transposes tiles handles ``square`` rows of the dimension ``transposed`` together.
    ``is_light``: it waits for memory, so vectors are half as long, and twice as many.  ``group``: a reduction combines so
    many iterations one after the other, then their results; 0: all of them.
    """

    along: int
    plain: Vectors
    masked: Vectors
    transposed: int = -1
    square: int = 1
    is_light: bool = False
    group: int = 0


class Order(StrEnum):
    """How elements are combined."""

    PARTIAL = "partial results in the lanes of vectors"
    NEIGHBOURS = "neighbours, left before right"


@dataclass(frozen=True, slots=True)
class Combining:
    """How a reduction or scan combines elements.

    ``own`` has for each input the operation that combines it, if each has one with an identity: then the order of
    elements does not count.  ``narrow`` has for each input the format that results are rounded to at the end, if partial
    results are kept in a wider one.
    """

    order: Order
    own: tuple[Operation, ...]
    narrow: tuple[FloatType | None, ...]


@dataclass(frozen=True, slots=True)
class Hazard:
    """A load and a store of one pass that may meet; ``same``: each element is only loaded where the pass stores it."""

    load: Operation
    store: Operation
    same: bool


@dataclass(frozen=True, slots=True)
class PointersRange:
    """The memory that an access through a tile of pointers spans."""

    op: Operation
    range: RangeOfPointers


class Overlap(StrEnum):
    """What a pass does about loads of elements that a store of it may overwrite before."""

    NONE = "no store can hit what is still to be loaded"
    STORE_LATE = "if the arrays overlap, tiles are stored in memory of the tile block and copied"
    LOAD_FIRST = "if the arrays overlap, tiles are loaded as a whole first"
    ALWAYS_LOAD_FIRST = "nobody knows where pointers lead: tiles are loaded as a whole first"


@dataclass(frozen=True, slots=True)
class Versions:
    """The versions of a pass, and the accesses that are the reason for each.

    - ``edges``: accesses that may reach beyond an edge, or whose rows begin within a byte: one version has masks.
    - ``contiguous``: accesses through pointers whose rows are contiguous if offsets do not wrap; else each element has an
      address of its own in the version with masks.
    - ``stride_two``: accesses whose rows may be two elements apart: one version shuffles vectors.
    - ``streamed``: stores that write past the caches if all rows begin cache lines.
    - ``overlap``: see `Overlap`; ``hazards`` are the accesses that may meet, ``ranges`` the memory of those through
      pointers, ``rooms`` the memory that tiles wait in.  ``keeps_edges``: where arrays do not overlap there are both
      versions, with masks and without.  ``late_form`` is the form of a pass over tiles that were loaded first.
    """

    edges: tuple[Operation, ...] = ()
    contiguous: tuple[Operation, ...] = ()
    stride_two: tuple[Operation, ...] = ()
    streamed: tuple[Operation, ...] = ()
    overlap: Overlap = Overlap.NONE
    hazards: tuple[Hazard, ...] = ()
    ranges: tuple[PointersRange, ...] = ()
    rooms: tuple[Room, ...] = ()
    keeps_edges: bool = True
    late_form: Form | None = None

    @property
    def is_masked(self) -> bool:
        """Whether there is a version with masks."""
        return bool(self.edges or self.contiguous)

    @property
    def late_loads(self) -> tuple[Operation, ...]:
        """The loads whose elements a store may overwrite."""
        return tuple(dict.fromkeys(hazard.load for hazard in self.hazards))


# --- steps


@dataclass(frozen=True, slots=True)
class CheckStep:
    """A look at the memory that an access will touch, or at what it was told when it acquired something (``after``).

    ``accesses`` are the loads that say where its elements are.  ``root``: the access as the root of a pass, if it goes
    through a tile of pointers; ``is_masked``: whether there is a version for pointers that are not contiguous.
    """

    op: AnyAccess
    after: bool = False
    accesses: tuple[Operation, ...] = ()
    root: Root | None = None
    is_masked: bool = False


@dataclass(frozen=True, slots=True)
class NestStep:
    """A pass over the elements of a shape; ``guards`` are the checks of stores in front of it.

    ``apart``: why the first root began a pass of its own.  ``combining`` is that of each root that reduces or scans.
    """

    roots: tuple[Root, ...]
    guards: tuple[CheckStep, ...]
    form: Form
    versions: Versions
    combining: tuple[Combining | None, ...]
    apart: Apart = Apart.FIRST

    @property
    def shape(self) -> tuple[int, ...]:
        """The extents of the pass."""
        return self.roots[0].shape


class When(StrEnum):
    """When an operation with regions copies tiles."""

    ENTER = "at the beginning"
    BETWEEN = "between the regions"
    ITERATION = "at the end of each iteration"
    LEAVE = "at the end of a region"


@dataclass(frozen=True, slots=True)
class Move:
    """Tiles that are copied from one room to another, all at once.

    ``through``: memory on the way, where one tile overwrites another that is still to be copied.
    """

    when: When
    copies: tuple[tuple[Value, Value], ...]
    through: tuple[Room, ...] = ()


class Detail:
    """What was decided for an operation that is executed as a whole."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Moves(Detail):
    """Copies of tiles that an operation with regions makes, in order: an ``if`` has one for each region."""

    moves: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class Rooms(Detail):
    """Memory that an operation needs for a while."""

    rooms: tuple[Room, ...]


@dataclass(frozen=True, slots=True)
class SingleStep:
    """An operation that is executed as a whole: on scalars, on tiles in memory, or with regions.

    ``detail`` is what was decided for it, if there was something to decide.
    """

    op: Operation
    detail: Detail | None = None


Step = NestStep | SingleStep | CheckStep


@dataclass(frozen=True, slots=True)
class BlockPlan:
    """The steps of a block, in order."""

    block: Block
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class KernelPlan:
    """The plan of one kernel for one processor.

    ``blocks`` are those of the function and of its regions, ``tiles`` the tiles in memory and ``rooms`` that memory,
    each in the order of the code.  ``accesses`` are those to memory of the program, in the order in which passes need
    them.
    """

    function: Operation
    target: CpuTarget
    blocks: tuple[BlockPlan, ...]
    tiles: tuple[Tile, ...]
    rooms: tuple[Room, ...]
    scratch_bytes: int
    accesses: tuple[AccessPlan, ...]
