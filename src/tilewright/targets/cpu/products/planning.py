"""How a matrix product is computed: the factors, how they are packed, and the blocks in registers.

The decisions depend on the shapes, the element types, the processor, and the memory of the factors.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from tilewright.dialects.nv_tileas.ops_tile import DotOp
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import f32, f64
from tilewright.ir.operation import Operation
from tilewright.ir.value import OpResult, Value
from tilewright.lowering.access_facts.positions import Position
from tilewright.targets.cpu.machine.instructions import instructions_of
from tilewright.targets.cpu.machine.target import CpuTarget
from tilewright.targets.cpu.memory.buffer import LINE
from tilewright.targets.cpu.plan import operation_table
from tilewright.targets.cpu.plan.accesses import AccessPlanner
from tilewright.targets.cpu.plan.model import BufferSlot, OperationDetail, PlanRoot, PointersPlan, TilePlan
from tilewright.targets.cpu.products.factor import FactorTile, left_factor, right_factor, runs_along_depth
from tilewright.targets.cpu.products.kinds import MICRO_KERNELS, ProductKind, kind_of
from tilewright.targets.elements.element_types import element_of, register_type, shape_of, size_of

CROWDED = 2048
"""The row stride in bytes whose multiples map to the same sets of the first-level cache."""


class FactorSource(StrEnum):
    """The source from which the micro-kernel reads a factor."""

    TILE = "in place, from memory of the tile block"
    ARRAY = "in place, from memory of the program"
    ARRAY_INSIDE = "in place, but packed if the tile is partly out of bounds"
    PACKED = "packed"

    @property
    def is_packed(self) -> bool:
        """Return whether panels are packed, at least at edges."""
        return self in (FactorSource.PACKED, FactorSource.ARRAY_INSIDE)


class Packing(StrEnum):
    """The way a factor is packed."""

    ROWS = "by rows, in their order in memory"
    PANELS = "the same word of all columns contiguous"
    SQUARES = "the same word of all columns contiguous, transposed in squares"


class Obstacle(StrEnum):
    """The reason why a factor is not read in place."""

    NONE = ""
    COMPUTED = "its elements are computed"
    CONVERTED = "its elements are converted"
    SCALED = "its elements are scaled"
    REUSED = "its panels are read more than once"
    APART = "its words are not in the layout of the instruction"


@dataclass(frozen=True, slots=True)
class FactorPlan:
    """The way one factor of a product is read; ``roots`` are its tiles as the roots of the nest that packs
    them.

    - ``width``: rows of A or columns of B in a panel; ``lanes``: words of a vector; ``words``: words of the
    depth.

    - ``slot``: the memory of a packed panel, in which rows or columns are ``across`` elements apart and words
    ``depth`` elements.

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

    An iteration handles ``unroll`` of the ``words`` of the depth.
    """

    lanes: int
    height: int
    vectors: int
    words: int
    unroll: int


@dataclass(frozen=True, slots=True)
class ProductPlan(OperationDetail):
    """The plan of a product; ``is_transposed``: it is computed as the product of the transposed factors in
    swapped order.
    """

    left: FactorPlan
    right: FactorPlan
    kind: ProductKind
    block: BlockShape
    batches: int
    is_transposed: bool

    @property
    def rows(self) -> int:
        """Return the number of rows of the result."""
        return self.left.factor.width

    @property
    def panels(self) -> int:
        """Return the number of panels of B."""
        return self.right.factor.width // self.right.width

    @property
    def slots(self) -> tuple[BufferSlot, ...]:
        """Return the memory of packed panels."""
        return self.left.slot, self.right.slot


Allocate = Callable[[int, Type, str], BufferSlot]
"""Allocate memory, given the number of elements, their type, and the use."""


def plan_product(known: AccessPlanner, op: DotOp, target: CpuTarget, allocate: Allocate) -> ProductPlan:
    """Decide how a product is computed."""
    left, right = left_factor(known, op), right_factor(known, op)
    lanes = target.vector_bytes // 4
    is_transposed = right.width < lanes and right.width < left.width
    if is_transposed:
        left, right = right, left
    kind = _kind(op, target, left, right)
    shape = _block(kind, target, left, right)
    width = shape.lanes * shape.vectors
    panels = right.width // width
    word_lanes = target.vector_bytes // size_of(kind.word)
    rows = _Rows(known, kind, word_lanes, allocate).plan(left, left.width, left.width > shape.height)
    columns = _Panels(known, kind, word_lanes, allocate, left.width <= 2 * shape.height)
    result = shape_of(op.result.type)
    return ProductPlan(
        rows,
        columns.plan(right, width, panels > 1),
        kind,
        shape,
        result[0] if len(result) > 2 else 1,
        is_transposed,
    )


def _kind(op: DotOp, target: CpuTarget, left: FactorTile, right: FactorTile) -> ProductKind:
    """Return how the products of two factors are summed."""
    exact = left.scales is not None or f64 in (left.element, right.element)
    element = left.element if left.element is right.element else f32
    total = element_of(op.c.type)
    products = instructions_of(target).products
    return kind_of(element, total, products, right.width, left.length, exact=exact)


def _block(kind: ProductKind, target: CpuTarget, left: FactorTile, right: FactorTile) -> BlockShape:
    """Return the block of the result that is kept in registers."""
    kernel = MICRO_KERNELS[target.vector_bytes]
    lanes = min(target.vector_bytes // size_of(kind.word), right.width)
    height, words = kernel.height(left.width), left.length // kind.group
    vectors = kernel.width(height, right.width // lanes)
    return BlockShape(lanes, height, vectors, words, min(kernel.unroll, words))


class _FactorPlanner:
    """Decide how a factor is read, and how it is packed."""

    def __init__(self, known: AccessPlanner, kind: ProductKind, lanes: int, allocate: Allocate) -> None:
        self.known = known
        self.kind = kind
        self.lanes = lanes
        self.allocate = allocate

    def plan(self, factor: FactorTile, width: int, has_next: bool) -> FactorPlan:
        """Return the plan of a factor with panels of `width` rows or columns; ``has_next``: whether more
        panels follow.
        """
        roots = self.known.roots_of(factor.tiles, in_place=True)
        along_depth = runs_along_depth(self.known, factor)
        packing, count, across, depth = self.packing(factor, width, along_depth)
        slot = self.allocate(count, self.kind.held, "packed factor")
        source, obstacle = self._source(factor)
        is_masked = any(map(self.known.is_conditional, roots))
        asked = self.load(factor) is not None and has_next and self.may_ask(along_depth)
        lanes, words = min(self.lanes, width), factor.length // self.kind.group
        return FactorPlan(
            factor,
            roots,
            width,
            lanes,
            words,
            source,
            obstacle,
            packing,
            slot,
            across,
            depth,
            along_depth,
            is_masked,
            asked,
        )

    def packing(self, factor: FactorTile, width: int, along_depth: bool) -> tuple[Packing, int, int, int]:
        """Return how panels are packed, how many elements a panel has, and its distances across and along the
        depth.
        """
        raise NotImplementedError

    def may_ask(self, along_depth: bool) -> bool:
        """Return whether prefetching pays for rows or panels with this order of elements."""
        raise NotImplementedError

    def lies_well(self, factor: FactorTile, strides: Sequence[Position]) -> Obstacle:
        """Return why the micro-kernel cannot read elements in place."""
        raise NotImplementedError

    def load(self, factor: FactorTile) -> TilePlan | PointersPlan | None:
        """Return the tile of memory that a factor is loaded from; None if it is not loaded."""
        owner = factor.value.owner
        return self.known.strided(owner) if isinstance(owner, Operation) else None

    def _source(self, factor: FactorTile) -> tuple[FactorSource, Obstacle]:
        """Return how a factor is read, and why it is packed. A tile in memory is read there: its array may
        have changed.
        """
        tile, load = self.known.published.get(factor.value), self.load(factor)
        held = tile or load
        if held is None:
            return FactorSource.PACKED, Obstacle.COMPUTED
        obstacle = self._obstacle(factor, held.element, held.strides)
        if obstacle is not Obstacle.NONE:
            return FactorSource.PACKED, obstacle
        if tile is not None or load is None:
            return FactorSource.TILE, obstacle
        is_inside = load.tile.is_inside if isinstance(load, TilePlan) else not load.is_conditional
        return (FactorSource.ARRAY if is_inside else FactorSource.ARRAY_INSIDE), obstacle

    def _obstacle(self, factor: FactorTile, element: Type, strides: Sequence[Position]) -> Obstacle:
        """Return why elements are not in the form that the micro-kernel reads."""
        if register_type(element) is not self.kind.held:
            return Obstacle.CONVERTED
        return Obstacle.SCALED if factor.scales is not None else self.lies_well(factor, strides)


class _Panels(_FactorPlanner):
    """Columns of B: a few vectors of each row, one below the other."""

    def __init__(
        self, known: AccessPlanner, kind: ProductKind, lanes: int, allocate: Allocate, is_read_once: bool
    ) -> None:
        super().__init__(known, kind, lanes, allocate)
        self.is_read_once = is_read_once

    def packing(self, factor: FactorTile, width: int, along_depth: bool) -> tuple[Packing, int, int, int]:
        group, lanes = self.kind.group, min(self.lanes, width)
        is_square = along_depth and factor.length // group >= lanes > 1 and factor.scales is None
        packing = Packing.SQUARES if is_square else Packing.PANELS
        return packing, width * factor.length, group, width * group

    def may_ask(self, along_depth: bool) -> bool:
        return True

    def lies_well(self, factor: FactorTile, strides: Sequence[Position]) -> Obstacle:
        if not self.is_read_once:
            return Obstacle.REUSED
        is_row = self.kind.group == 1 and (strides[factor.across] == 1 or factor.width == 1)
        return Obstacle.NONE if is_row else Obstacle.APART


class _Rows(_FactorPlanner):
    """Rows of A: word after word or, if rows are strided in memory, the same word of all rows contiguous."""

    def packing(self, factor: FactorTile, width: int, along_depth: bool) -> tuple[Packing, int, int, int]:
        group, length = self.kind.group, factor.length
        if not along_depth:
            return Packing.PANELS, width * length, group, width * group
        if length * size_of(self.kind.held) % CROWDED == 0:
            length += LINE // size_of(self.kind.held)
        return Packing.ROWS, width * length, length, group

    def may_ask(self, along_depth: bool) -> bool:
        return along_depth

    def lies_well(self, factor: FactorTile, strides: Sequence[Position]) -> Obstacle:
        are_known = all(isinstance(stride, int) for stride in strides)
        may_stride = self.kind.group == 1 and (are_known or factor.length == 1)
        is_well = strides[factor.depth] == 1 or may_stride
        return Obstacle.NONE if is_well else Obstacle.APART


def replaced_tile(
    value: Value, user: Operation, known: AccessPlanner, may_overwrite: Callable[[Value, Operation], bool]
) -> Value | None:
    """Return the tile in memory whose last use is this product, at the element that the product then writes;
    None if none.
    """
    if value in known.published:
        mine = may_overwrite(value, user)
        return value if mine and value.type is user.results[0].type else None
    if (
        not isinstance(value, OpResult)
        or not value.has_one_use
        or not operation_table.keeps_place(value.owner)
    ):
        return None
    found = [replaced_tile(operand, value.owner, known, may_overwrite) for operand in value.owner.operands]
    return next((leaf for leaf in found if leaf is not None), None)
