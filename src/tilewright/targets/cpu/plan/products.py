"""The plan of a matrix product: its factors, how they are packed, and the block of the result in registers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from tilewright.ir.attribute import Type
from tilewright.ir.value import Value
from tilewright.targets.cpu.machine.product_kinds import ProductKind
from tilewright.targets.cpu.plan.model import BufferSlot, OperationDetail, PlanRoot
from tilewright.targets.elements.element_types import element_of, shape_of


@dataclass(frozen=True, slots=True)
class Scales:
    """The scales of a factor: ``value`` is a tile with one scale for each ``block`` elements along the depth."""

    value: Value
    block: int


@dataclass(frozen=True, slots=True)
class FactorTile:
    """A factor of a product: a tile and the meaning of its dimensions. ``across`` is the dimension of the
    rows of A or the columns of B, ``depth`` the dimension that is summed, and ``batch`` the dimension of the
    matrices of a batch (None: there is one matrix). All other dimensions have extent 1. ``signed`` says
    whether integers are signed; ``scales`` multiply the elements.
    """

    value: Value
    across: int
    depth: int
    batch: int | None = None
    signed: bool = True
    scales: Scales | None = None

    @property
    def width(self) -> int:
        """Return the number of rows of A or of columns of B."""
        return shape_of(self.value.type)[self.across]

    @property
    def length(self) -> int:
        """Return the extent of the dimension that is summed."""
        return shape_of(self.value.type)[self.depth]

    @property
    def tiles(self) -> Sequence[Value]:
        """Return the tiles from which the elements are computed."""
        return (self.value,) if self.scales is None else (self.value, self.scales.value)

    @property
    def element(self) -> Type:
        """Return the type of the elements."""
        return element_of(self.value.type)


class FactorSource(StrEnum):
    """How the micro-kernel reads a factor: in place, from memory of the tile block or of the program; packed;
    or in place unless the tile is partly out of bounds, when it is packed.
    """

    TILE = "in place, from memory of the tile block"
    ARRAY = "in place, from memory of the program"
    ARRAY_INSIDE = "in place, but packed if the tile is partly out of bounds"
    PACKED = "packed"

    @property
    def is_packed(self) -> bool:
        """Return whether panels are packed, at least at edges."""
        return self in (FactorSource.PACKED, FactorSource.ARRAY_INSIDE)


class Packing(StrEnum):
    """How a factor is packed: by rows, in their order in memory, or with the same word of all columns
    contiguous, which may need transposed squares.
    """

    ROWS = "by rows, in their order in memory"
    PANELS = "the same word of all columns contiguous"
    SQUARES = "the same word of all columns contiguous, transposed in squares"


class Obstacle(StrEnum):
    """Why a factor is not read in place: its elements are computed, converted or scaled, its panels are read
    more than once, or its words are not in the layout of the instruction. ``NONE`` if it can be read in
    place.
    """

    NONE = ""
    COMPUTED = "its elements are computed"
    CONVERTED = "its elements are converted"
    SCALED = "its elements are scaled"
    REUSED = "its panels are read more than once"
    APART = "its words are not in the layout of the instruction"


@dataclass(frozen=True, slots=True)
class FactorPlan:
    """How the micro-kernel reads one factor. ``roots`` are its tiles, as roots of the nest that packs them.

    - ``width``: rows of A or columns of B in a panel; ``lanes``: words of a vector; ``words``: the number of words along the depth.
    - ``source``, ``obstacle``: whether it is read in place, and why not.
    - ``slot``: the memory of a packed panel. In it the next row or column is ``across`` elements away, and the next word ``depth`` elements.
    - ``along_depth``: whether elements along the depth are contiguous in memory.
    - ``is_masked``: whether packing has a version with masks.
    - ``is_asked_ahead``: whether the next rows or panel are prefetched while products are computed.
    """

    factor: FactorTile
    roots: tuple[PlanRoot, ...]
    width: int
    lanes: int
    words: int
    source: FactorSource
    obstacle: Obstacle
    packing: Packing
    slot: BufferSlot
    across: int
    depth: int
    along_depth: bool
    is_masked: bool
    is_asked_ahead: bool


@dataclass(frozen=True, slots=True)
class BlockShape:
    """The block of the result that is kept in registers: ``height`` rows of ``vectors`` vectors of ``lanes``
    lanes.

    The depth has ``words`` words, and an iteration handles ``unroll`` of them.
    """

    lanes: int
    height: int
    vectors: int
    words: int
    unroll: int


@dataclass(frozen=True, slots=True)
class ProductPlan(OperationDetail):
    """How a product is computed: its factors ``left`` and ``right``, the kind of products, the block of the
    result in registers, and the number of matrices, ``batches``. With ``is_transposed`` it is computed as the
    transpose of (transposed B times transposed A), and ``left`` is B.
    """

    left: FactorPlan
    right: FactorPlan
    kind: ProductKind
    block: BlockShape
    batches: int
    is_transposed: bool

    @property
    def rows(self) -> int:
        """Return the number of rows of the computed matrix: of the result, or of its transpose if
        ``is_transposed``.
        """
        return self.left.factor.width

    @property
    def panels(self) -> int:
        """Return the number of panels of the right factor, ``right``."""
        return self.right.factor.width // self.right.width

    @property
    def slots(self) -> tuple[BufferSlot, ...]:
        """Return the memory for packed panels of ``left`` and ``right``. Factors that are read in place have
        a slot, too.
        """
        return self.left.slot, self.right.slot
