"""The sites of checks that were inserted into kernels, for the launchers of all back ends."""

from __future__ import annotations

from tilewright.dialects.nv_tileaa.attributes import Signedness
from tilewright.dialects.nv_tileaa.ops.program import CheckOp
from tilewright.ir.builtin_types import FloatType
from tilewright.ir.value import Value
from tilewright.runtime.context import FLOAT_WORD, HINTS, SIGNED_WORD, UNSIGNED_WORD, ReportSite
from tilewright.targets.elements.element_types import element_of, shape_of


def site_of(op: CheckOp) -> ReportSite:
    """Return the site of a check: its hint, how the words of its values are read, and the extents of its
    condition.
    """
    words = [word_type(value, op.signedness) for value in op.values]
    return ReportSite(
        op.check, op.message, op.location, (*HINTS[op.check], *words), (shape_of(op.condition.type),)
    )


def word_type(value: Value, signedness: Signedness) -> str:
    """Return how a 64-bit word with an element of `value` is read: as ``f64`` for floats, otherwise as
    ``i64`` or ``ui64`` by `signedness`.
    """
    if isinstance(element_of(value.type), FloatType):
        return FLOAT_WORD
    return SIGNED_WORD if signedness is Signedness.SIGNED else UNSIGNED_WORD
