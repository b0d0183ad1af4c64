"""`nv-tileas-widen-factors`: converts 8-bit float factors of products to f16 on chips whose matrix units do
not multiply them directly.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tilewright.dialects.arith.ops_conversion import ExtFOp
from tilewright.dialects.common.chips import Chip
from tilewright.dialects.nv_tileaa.constraints import element_of
from tilewright.dialects.nv_tileas import attributes as tileas_attributes, ops_arith as tileas_arith
from tilewright.dialects.nv_tileas.ops_tile import DotOp
from tilewright.ir.builtin_types import RankedTensorType, f8E4M3FN, f8E5M2, f16, f32
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering import inserting, target_facts
from tilewright.passes.pass_ import Pass, PassState

NARROW = frozenset({f8E4M3FN, f8E5M2})
"""Formats of eight bits whose values are all representable in f16."""
HALVES = tileas_attributes.AtomAttr("mma_f16_f16_f32")


def is_widened(op: DotOp, chip: Chip) -> bool:
    """Return whether `chip` multiplies the factors of a product, 8-bit floats, as f16. It is False for
    products with scales, with an ``accumulate`` flag, or with other sums than f32.
    """
    factors = {element_of(op.a.type), element_of(op.b.type)}
    plain = op.sfa is None and op.accumulate is None and element_of(op.result.type) is f32
    return plain and factors <= NARROW and not chip.multiplies_float_bytes


def widened(value: Value, op: DotOp) -> Value:
    """Insert a conversion of the factor `value` to f16 before `op`, and return the result, which has the
    encoding of `value`.
    """
    type = value.type
    assert isinstance(type, RankedTensorType), "products multiply tiles"
    return inserting.PointInserter.before(op)(
        tileas_arith.BY_SOURCE[ExtFOp], value, type=RankedTensorType(type.shape, f16, type.encoding)
    )


@dataclass(frozen=True)
class WidenFactors(Pass):
    """Converts factors of `f8E4M3FN` and `f8E5M2` to f16 on chips whose matrix units do not multiply them.

    sm_80 has no instruction for such factors; sm_90 and sm_100 have it for single warps, but the assembler
    replaces it by conversions of each fragment, products of f16 and sums of it. Each element is converted
    once here, by the thread that loads it, before it goes to shared memory. Products of two of these numbers
    are exact in f32 either way.
    """

    name: ClassVar[str] = "nv-tileas-widen-factors"

    def run(self, op: Operation, state: PassState) -> None:
        target = target_facts.target_of(op)
        chip = target.gpu if target is not None else None
        products = [one for one in op.walk() if isinstance(one, DotOp)]
        found = [one for one in products if chip is not None and is_widened(one, chip)]
        for one in found:
            factors = {value: widened(value, one) for value in dict.fromkeys((one.a, one.b))}
            for at, value in enumerate((one.a, one.b)):
                one.set_operand(at, factors[value])
            one.atom = HALVES
        state.report("num-changed", len(found))
