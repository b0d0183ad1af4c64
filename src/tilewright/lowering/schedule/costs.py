"""Estimates how many clocks an operation on tiles keeps each unit of a multiprocessor busy, and after how
many clocks its result is available.

The numbers are for one block on a multiprocessor of its own: the instructions and bytes of all its threads,
divided by the rates of the units. Operations that move no data between threads and compute nothing, such as
views, are free.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import ceil, prod
from typing import NamedTuple

from tilewright.dialects.arith import (
    ops_conversion as conversions,
    ops_float as floats,
    ops_integer as integers,
)
from tilewright.dialects.math import dialect as functions
from tilewright.dialects.nv_tileaa.constraints import bits_in_memory, shape_of
from tilewright.dialects.nv_tileaa.ops import math as tile_math, pointer as tileaa_pointer
from tilewright.dialects.nv_tileaa.ops.memory import CreateMemTokenOp, JoinMemTokenOp
from tilewright.dialects.nv_tileaa.ops.shape import BroadcastOp
from tilewright.dialects.nv_tileaa.ops.structure import ConstantTensorOp, SplatOp
from tilewright.dialects.nv_tileas import attributes as tileas_attributes, ops_tile as tileas_tile
from tilewright.dialects.nv_tileas.ops_arith import of_both
from tilewright.dialects.nv_tileas.ops_memory import LoadOp, StoreOp
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import FloatType, RankedTensorType
from tilewright.ir.operation import Operation
from tilewright.lowering.access_facts.neighbours import VectorWidthAnalysis
from tilewright.lowering.schedule.units import LATENCIES, RELATIVE_PRODUCTS, ExecutionUnit, Rates

LANES = 32
SHUFFLES = 5
"""The number of shuffles that combine the 32 lanes of a warp."""
FREE = (
    integers.ConstantOp,
    ConstantTensorOp,
    SplatOp,
    tileaa_pointer.AssumeOp,
    BroadcastOp,
    CreateMemTokenOp,
    tileas_tile.ExpandDimsOp,
    JoinMemTokenOp,
    tileas_tile.ViewOp,
)
"""Operations that become no instructions of their own."""
SPECIAL = (
    *of_both(functions.ExpOp, functions.Exp2Op, functions.RsqrtOp, functions.SqrtOp, functions.TanhOp),
    functions.LogOp,
    functions.Log2Op,
    functions.SinOp,
    functions.CosOp,
    *of_both(floats.DivFOp),
    tile_math.DivFOp,
)
"""Operations that execute one instruction of the special function unit for each element."""
INTEGER = (
    *of_both(conversions.ExtFOp, conversions.TruncFOp, conversions.FPToSIOp, conversions.FPToUIOp),
    *of_both(conversions.SIToFPOp, conversions.UIToFPOp),
)
"""Conversions, which have about the rate of integer instructions on all chips."""


class OperationCost(NamedTuple):
    """The cost of an operation: ``busy`` has the number of busy clocks of each unit that it uses, and
    ``latency`` is the number of clocks from its start to its result.
    """

    busy: Mapping[ExecutionUnit, int]
    latency: int

    @property
    def clocks(self) -> int:
        """Return the number of busy clocks of the unit with the most work; 0 if the operation is free."""
        return max(self.busy.values(), default=0)


@dataclass(frozen=True)
class CostModel:
    """Computes the costs of operations in a block of `warps` warps, on a chip whose units have the rates
    `rates`. `neighbours` finds the vector widths of accesses.
    """

    rates: Rates
    warps: int
    neighbours: VectorWidthAnalysis = field(default_factory=VectorWidthAnalysis)

    def of(self, op: Operation) -> OperationCost:
        """Return the cost of an operation of a loop; the cost of an operation with regions includes its
        regions. A free operation is busy nowhere and has latency 0.
        """
        work = self._work(op)
        busy = {unit: ceil(clocks) for unit, clocks in work.items() if clocks > 0}
        if not busy:
            return OperationCost({}, 0)
        slowest = max(LATENCIES[unit] for unit in busy)
        return OperationCost(busy, max(busy.values()) + slowest)

    def _work(self, op: Operation) -> Mapping[ExecutionUnit, float]:
        if isinstance(op, FREE):
            return {}
        if isinstance(op, tileas_tile.DotOp):
            return self._product(op)
        if isinstance(op, LoadOp | StoreOp):
            return self._access(op)
        if isinstance(op, tileas_tile.ConvertLayoutOp):
            return self._conversion(op)
        if isinstance(op, tileas_tile.GenerateOp):
            return self._generated(op)
        if isinstance(op, tileas_tile.ReduceOp | tileas_tile.ScanOp):
            return self._reduction(op)
        if op.regions:
            return self._sum([self._work(inner) for region in op.regions for inner in region.block.ops])
        return self._element_wise(op)

    # --- by kind

    def _product(self, op: tileas_tile.DotOp) -> Mapping[ExecutionUnit, float]:
        """Return the clocks of a product: its multiply-adds divided by the rate of the matrix unit for the
        type of the factors. A product whose atom is no ``mma`` instruction takes the float units instead.
        """
        *rows, depth = shape_of(op.operands[0].type)
        multiplies = prod(rows) * depth * shape_of(op.operands[1].type)[-1]
        bits = bits_in_memory(op.operands[0].type)
        if op.atom is None or not op.atom.instruction.startswith("mma"):
            return self._instructions(ExecutionUnit.FLOAT, multiplies, self.rates.floats)
        share = RELATIVE_PRODUCTS.get(bits, 1.0)
        found = {ExecutionUnit.MATRIX: multiplies / (self.rates.products * share)}
        return found | {ExecutionUnit.ISSUE: found[ExecutionUnit.MATRIX] / 8}

    def _access(self, op: LoadOp | StoreOp) -> Mapping[ExecutionUnit, float]:
        """Return the clocks of a load or store: its bytes on the memory units, and one issued instruction for
        each vector of a thread.
        """
        tile = op.result if isinstance(op, LoadOp) else op.value
        size = bits_in_memory(tile.type) / 8 or 8
        elements = _elements(tile.type)
        requests = elements / LANES / self._vector(op, size)
        return {
            ExecutionUnit.GLOBAL: elements * size / self.rates.copied,
            ExecutionUnit.SHARED: elements * size / self.rates.shared,
            ExecutionUnit.ISSUE: requests / self.rates.issued,
        }

    def _vector(self, op: Operation, size: float) -> int:
        """Return the vector width of a load or store in elements of ``size`` bytes, at most 16 bytes
        together; 1 for any other operation.
        """
        if not isinstance(op, LoadOp | StoreOp):
            return 1
        return max(1, min(self.neighbours.moved_by(op), int(16 / size)))

    def _conversion(self, op: tileas_tile.ConvertLayoutOp) -> Mapping[ExecutionUnit, float]:
        """Return the clocks of a layout conversion, by unit: each byte is written to shared memory and read
        again, which is assumed for shuffles, too. A conversion within registers is free: the result is empty.
        """
        if op.transfer is tileas_attributes.Transfer.REGISTERS:
            return {}
        size = max(bits_in_memory(op.result.type) / 8, 1)
        moved = 2 * _elements(op.result.type) * size
        return {
            ExecutionUnit.SHARED: moved / self.rates.shared,
            ExecutionUnit.ISSUE: moved / 16 / LANES / self.rates.issued,
        }

    def _generated(self, op: tileas_tile.GenerateOp) -> Mapping[ExecutionUnit, float]:
        """Return the clocks of a `generate`: its body for each element. If its results are addresses of a
        vectorised access, the body runs once for each vector.
        """
        users = [user for result in op.results for user in result.uses]
        sizes = {user: bits_in_memory(_moved_type(user)) / 8 or 8 for user in users}
        width = max((self._vector(user, sizes[user]) for user in users), default=1)
        elements = max(map(_elements, op.result_types), default=1) / width
        inside = [inner for inner in op.walk() if inner is not op]
        return self._sum([self._instruction(inner, elements) for inner in inside])

    def _reduction(self, op: tileas_tile.ReduceOp | tileas_tile.ScanOp) -> Mapping[ExecutionUnit, float]:
        """Return the clocks of a reduction or scan: its body for each element, then shuffles between lanes."""
        elements = max(_elements(operand.type) for operand in op.operands)
        inside = [inner for inner in op.walk() if inner is not op]
        own = [self._instruction(inner, elements) for inner in inside]
        rows = max(map(_elements, op.result_types), default=1)
        exchanges = SHUFFLES * max(rows, self.warps) * len(op.results)
        return self._sum(
            [*own, {ExecutionUnit.SHARED: exchanges / LANES, ExecutionUnit.ISSUE: exchanges / LANES / 4}]
        )

    def _element_wise(self, op: Operation) -> Mapping[ExecutionUnit, float]:
        """Return the clocks of an elementwise operation; a scalar operation is executed by every lane of each
        warp.
        """
        types = [type for type in op.result_types if isinstance(type, RankedTensorType)]
        return self._instruction(op, max(map(_elements, types), default=self.warps * LANES))

    # --- instructions

    def _instruction(self, op: Operation, elements: float) -> Mapping[ExecutionUnit, float]:
        if isinstance(op, FREE) or not op.results:
            return {}
        if isinstance(op, SPECIAL):
            return self._instructions(ExecutionUnit.SPECIAL, elements, self.rates.special)
        if isinstance(op, INTEGER) or not _is_float(op.results[0].type):
            return self._instructions(ExecutionUnit.INTEGER, elements, self.rates.integers)
        return self._instructions(ExecutionUnit.FLOAT, elements, self.rates.floats)

    def _instructions(self, unit: ExecutionUnit, elements: float, rate: int) -> Mapping[ExecutionUnit, float]:
        return {unit: elements / rate, ExecutionUnit.ISSUE: elements / LANES / self.rates.issued}

    @staticmethod
    def _sum(parts: list[Mapping[ExecutionUnit, float]]) -> Mapping[ExecutionUnit, float]:
        return {unit: sum(part.get(unit, 0.0) for part in parts) for unit in ExecutionUnit}


def _elements(type: Type) -> int:
    """Return the number of elements of a tile; 1 of a scalar."""
    return prod(type.shape) if isinstance(type, RankedTensorType) else 1


def _moved_type(op: Operation) -> Type:
    """Return the type of the tile that a store writes; for another operation, of its first result, or else of
    its first operand.
    """
    if isinstance(op, StoreOp):
        return op.value.type
    return op.results[0].type if op.results else op.operands[0].type


def _is_float(type: Type) -> bool:
    element = type.element_type if isinstance(type, RankedTensorType) else type
    return isinstance(element, FloatType)
