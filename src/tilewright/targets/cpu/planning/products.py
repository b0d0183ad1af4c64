"""How a matrix product is computed: the factors, how they are packed, and the blocks in registers.

The decisions depend on the shapes, the element types, the processor, and the memory of the factors.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from tilewright.dialects.nv_tileaa.attributes import Signedness
from tilewright.dialects.nv_tileas.ops_tile import DotOp, ViewOp
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import f32, f64
from tilewright.ir.operation import Operation
from tilewright.ir.value import OpResult, Value
from tilewright.lowering.access_facts.positions import Position
from tilewright.targets.cpu.facts import operation_table, product_operands
from tilewright.targets.cpu.machine import costs as machine_costs, target as machine_target
from tilewright.targets.cpu.machine.product_kinds import ProductFacts, ProductKind, kind_of, tile_block
from tilewright.targets.cpu.plan import model as plan_model, products
from tilewright.targets.cpu.planning.accesses import AccessPlanner
from tilewright.targets.elements.element_types import element_of, register_type, shape_of, size_of

Allocate = Callable[[int, Type, str], plan_model.BufferSlot]
"""Allocate memory, given the number of elements, their type, and the use."""


def plan_product(
    known: AccessPlanner, op: DotOp, costs: machine_costs.PlanningCosts, allocate: Allocate
) -> products.ProductPlan:
    """Return the plan of the product `op`: its factors, the kind of instructions, and the block in registers;
    it is transposed if B is narrower than a vector and than A. Memory for packed panels is allocated by
    ``allocate``. ``known`` has the tiles in memory and the planned accesses.
    """
    left, right = left_factor(known, op), right_factor(known, op)
    lanes = costs.target.lanes
    is_transposed = right.width < lanes and right.width < left.width
    if is_transposed:
        left, right = right, left
    kind = _kind(op, costs, left, right)
    shape = _block(kind, costs, left, right)
    width = shape.lanes * shape.vectors
    panels = right.width // width
    rows = _Rows(known, kind, costs, allocate).plan(left, left.width, left.width > shape.height)
    columns = _Panels(known, kind, costs, allocate, left.width <= 2 * shape.height)
    result = shape_of(op.result.type)
    return products.ProductPlan(
        rows,
        columns.plan(right, width, panels > 1),
        kind,
        shape,
        result[0] if len(result) > 2 else 1,
        is_transposed,
    )


def _kind(
    op: DotOp, costs: machine_costs.PlanningCosts, left: products.FactorTile, right: products.FactorTile
) -> ProductKind:
    """Return the kind of product instruction for the product of two factors, by their element types and
    extents and the type of the sums.
    """
    exact = left.scales is not None or f64 in (left.element, right.element)
    element = left.element if left.element is right.element else f32
    total = element_of(op.c.type)
    signs = left.signed, right.signed
    facts = ProductFacts(element, total, left.width, right.width, left.length, signs)
    return kind_of(facts, costs.products, exact=exact)


def _block(
    kind: ProductKind,
    costs: machine_costs.PlanningCosts,
    left: products.FactorTile,
    right: products.FactorTile,
) -> products.BlockShape:
    """Return the shape of the block of the result that is kept in registers, and the words of the depth: for
    `kind` and the extents of the factors, by the costs of the processor.
    """
    if kind.is_tiled:
        words = left.length // kind.group
        height, vectors, lanes, unroll = tile_block(left.width, right.width, words)
        return products.BlockShape(lanes, height, vectors, words, unroll)
    kernel = costs.micro_kernel
    lanes = min(costs.target.vector_bytes // size_of(kind.word), right.width)
    height, words = kernel.height(left.width), left.length // kind.group
    vectors = kernel.width(height, right.width // lanes)
    return products.BlockShape(lanes, height, vectors, words, min(kernel.unroll, words))


class _FactorPlanner:
    """The base of the planners of the factors A and B of a product of the kind `kind`: `plan` decides how a
    factor is read, and how it is packed. `allocate` allocates memory for a packed panel.
    """

    def __init__(
        self, known: AccessPlanner, kind: ProductKind, costs: machine_costs.PlanningCosts, allocate: Allocate
    ) -> None:
        self.known = known
        self.kind = kind
        self.costs = costs
        self.lanes = costs.target.vector_bytes // size_of(kind.word)
        self.allocate = allocate

    def plan(self, factor: products.FactorTile, width: int, has_next: bool) -> products.FactorPlan:
        """Return the plan of a factor with panels of `width` rows or columns, and allocate memory for a
        packed panel, even if the factor is read in place. ``has_next``: whether more panels follow.
        """
        roots = self.known.roots_of(factor.tiles, in_place=True)
        along_depth = runs_along_depth(self.known, factor)
        packing, count, across, depth = self.packing(factor, width, along_depth)
        slot = self.allocate(count, self.kind.held, "packed factor")
        source, obstacle = self._source(factor)
        is_masked = any(map(self.known.is_conditional, roots))
        asked = self.load(factor) is not None and has_next and self.may_ask(along_depth)
        asked = asked and not self.kind.is_tiled
        lanes, words = min(self.lanes, width), factor.length // self.kind.group
        return products.FactorPlan(
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

    def packing(
        self, factor: products.FactorTile, width: int, along_depth: bool
    ) -> tuple[products.Packing, int, int, int]:
        """Return how panels of `width` rows or columns are packed, the number of elements of a panel, the
        distance of its rows or columns, and the distance of its words along the depth, both in elements.
        `along_depth` says that the depth is contiguous in memory. Subclasses implement this method.
        """
        raise NotImplementedError

    def may_ask(self, along_depth: bool) -> bool:
        """Return whether prefetching the next rows or panel pays, if the depth is contiguous in memory
        (`along_depth`) or not. Subclasses implement this method.
        """
        raise NotImplementedError

    def lies_well(self, factor: products.FactorTile, strides: Sequence[Position]) -> products.Obstacle:
        """Return why the micro-kernel cannot read the tile of `factor` at its address in memory, with these
        strides in elements; `Obstacle.NONE` if it can. Subclasses implement this method.
        """
        raise NotImplementedError

    def load(self, factor: products.FactorTile) -> plan_model.TilePlan | plan_model.PointersPlan | None:
        """Return the plan of the strided tile of memory that `factor` is loaded from; None if it is not the
        result of a load, or the load has no such tile.
        """
        owner = factor.value.owner
        return self.known.strided(owner) if isinstance(owner, Operation) else None

    def _source(self, factor: products.FactorTile) -> tuple[products.FactorSource, products.Obstacle]:
        """Return how a factor is read, and why it is packed. A tile in memory is read there: its array may
        have changed.
        """
        tile, load = self.known.published.get(factor.value), self.load(factor)
        held = tile or load
        if held is None:
            return products.FactorSource.PACKED, products.Obstacle.COMPUTED
        obstacle = self._obstacle(factor, held.element, held.strides)
        if obstacle is not products.Obstacle.NONE:
            return products.FactorSource.PACKED, obstacle
        if tile is not None or load is None:
            return products.FactorSource.TILE, obstacle
        is_inside = load.tile.is_inside if isinstance(load, plan_model.TilePlan) else not load.is_conditional
        return (products.FactorSource.ARRAY if is_inside else products.FactorSource.ARRAY_INSIDE), obstacle

    def _obstacle(
        self, factor: products.FactorTile, element: Type, strides: Sequence[Position]
    ) -> products.Obstacle:
        """Return why the micro-kernel cannot read a factor in place, as elements of type `element` with these
        strides in memory: they are converted, scaled, or not in its layout. `Obstacle.NONE` if it can.
        """
        if register_type(element) is not self.kind.held:
            return products.Obstacle.CONVERTED
        return products.Obstacle.SCALED if factor.scales is not None else self.lies_well(factor, strides)


class _Panels(_FactorPlanner):
    """Decide how B is read: panels of `width` columns, each word of the depth as a few vectors. With
    `is_read_once`, the panels are read so rarely that they may be read in place.
    """

    def __init__(
        self,
        known: AccessPlanner,
        kind: ProductKind,
        costs: machine_costs.PlanningCosts,
        allocate: Allocate,
        is_read_once: bool,
    ) -> None:
        super().__init__(known, kind, costs, allocate)
        self.is_read_once = is_read_once

    def packing(
        self, factor: products.FactorTile, width: int, along_depth: bool
    ) -> tuple[products.Packing, int, int, int]:
        group, lanes = self.kind.group, min(self.lanes, width)
        is_square = along_depth and factor.length // group >= lanes > 1 and factor.scales is None
        packing = products.Packing.SQUARES if is_square else products.Packing.PANELS
        return packing, width * factor.length, group, width * group

    def may_ask(self, along_depth: bool) -> bool:
        return True

    def lies_well(self, factor: products.FactorTile, strides: Sequence[Position]) -> products.Obstacle:
        if not self.is_read_once:
            return products.Obstacle.REUSED
        is_row = self.kind.group == 1 and (strides[factor.across] == 1 or factor.width == 1)
        return products.Obstacle.NONE if is_row else products.Obstacle.APART


class _Rows(_FactorPlanner):
    """Decide how A is read: row by row if the depth is contiguous in memory, else one word of all rows of a
    panel after the other.
    """

    def packing(
        self, factor: products.FactorTile, width: int, along_depth: bool
    ) -> tuple[products.Packing, int, int, int]:
        group, length = self.kind.group, factor.length
        if not along_depth and not self.kind.is_tiled:
            return products.Packing.PANELS, width * length, group, width * group
        if length * size_of(self.kind.held) % self.costs.crowded_bytes == 0:
            length += machine_target.LINE // size_of(self.kind.held)
        return products.Packing.ROWS, width * length, length, group

    def may_ask(self, along_depth: bool) -> bool:
        return along_depth

    def lies_well(self, factor: products.FactorTile, strides: Sequence[Position]) -> products.Obstacle:
        are_known = all(isinstance(stride, int) for stride in strides)
        may_stride = self.kind.group == 1 and (are_known or factor.length == 1)
        is_well = strides[factor.depth] == 1 or may_stride
        return products.Obstacle.NONE if is_well else products.Obstacle.APART


def replaced_tile(
    value: Value, user: Operation, known: AccessPlanner, may_overwrite: Callable[[Value, Operation], bool]
) -> Value | None:
    """Return the tile in memory that the result of the product `user` may overwrite: its accumulator `value`,
    or a tile from which it is computed at equal coordinates. The product is the last use of the tile.
    ``may_overwrite`` tells whether an operation may overwrite the memory of a tile. Return None if there is
    no such tile.
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


# --- factors


def left_factor(known: AccessPlanner, op: DotOp) -> products.FactorTile:
    """Return the left factor A of a product, with the meaning of its dimensions. Views that only transpose
    it, or reshape it by extents of 1, are replaced by their sources.
    """
    return _factor(known, op.a, -2, op.signedness_a, op.sfa)


def right_factor(known: AccessPlanner, op: DotOp) -> products.FactorTile:
    """Return the right factor B of a product, with the meaning of its dimensions. Views that only transpose
    it, or reshape it by extents of 1, are replaced by their sources.
    """
    return _factor(known, op.b, -1, op.signedness_b, op.sfb)


def _factor(
    known: AccessPlanner, value: Value, across: int, sign: Signedness | None, scale: Value | None
) -> products.FactorTile:
    """Return the factor `value` of a product; `across` is the dimension of its rows of A or columns of B,
    counted from the end (-2 or -1). A transposed or reshaped factor without a scale is replaced by its
    source.
    """
    rank = len(shape_of(value.type))
    signed = sign is not Signedness.UNSIGNED
    found = products.FactorTile(value, rank + across, rank - 3 - across, 0 if rank > 2 else None, signed)
    if scale is not None:
        block = found.length // shape_of(scale.type)[found.depth]
        return replace(found, scales=products.Scales(scale, block))
    source = product_operands.transposed_source(value)
    if source is not None:
        found = replace(found, value=source, across=found.depth, depth=found.across)
    return _seen_through(known, found)


def _seen_through(known: AccessPlanner, factor: products.FactorTile) -> products.FactorTile:
    """Return the factor in terms of the first tile that is in memory, or is not merely a transpose of another
    tile or a reshape by extents of 1.
    """
    found: products.FactorTile | None = factor
    while found is not None and found.value not in known.published:
        factor, found = found, _source(found)
    return found or factor


def _source(factor: products.FactorTile) -> products.FactorTile | None:
    """Look through a view: return the factor in terms of the view's source.

    Return None if the tile is no view, or if the view changes these dimensions.
    """
    op = factor.value.owner
    if not isinstance(op, ViewOp):
        return None
    place = {at: dimension for dimension, at in enumerate(operation_table.shown_dimensions(op) or ())}
    across, depth = place.get(factor.across), place.get(factor.depth)
    batch = None if factor.batch is None else place.get(factor.batch)
    if across is None or depth is None or (batch is None) != (factor.batch is None):
        return None
    found = replace(factor, value=op.source, across=across, depth=depth, batch=batch)
    return found if (found.width, found.length) == (factor.width, factor.length) else None


# --- strides in memory


def runs_along_depth(known: AccessPlanner, factor: products.FactorTile) -> bool:
    """Return whether elements along the depth are contiguous in memory, and elements across are not. If both
    or neither are, or the strides are not known, return whether the depth is the later dimension.
    """
    strides = _strides(known, factor.value)
    if strides is not None and strides[factor.across] != 1 and strides[factor.depth] == 1:
        return True
    if strides is not None and strides[factor.across] == 1 and strides[factor.depth] != 1:
        return False
    return factor.depth > factor.across


def _strides(known: AccessPlanner, value: Value) -> Sequence[Position] | None:
    """Return the strides in elements of a tile in memory, or of the tile from which it is computed by
    operations of one operand; None if there is no such tile.
    """
    while isinstance(value, OpResult):
        held = known.published.get(value) or known.strided(value.owner)
        if held is not None:
            return held.strides
        if not operation_table.keeps_place(value.owner) or len(value.owner.operands) != 1:
            return None
        value = value.owner.operands[0]
    held = known.published.get(value)
    return held.strides if held is not None else None
