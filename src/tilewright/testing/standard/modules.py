"""Valid modules of the standard dialects, one operation after the other: by seed, or as hypothesis strategies."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from tilewright.dialects.builtin.ops import ModuleOp
from tilewright.ir.attribute import Type
from tilewright.ir.operation import Operation
from tilewright.testing.drawing import Draw, HypothesisDrawing, SeededDrawing
from tilewright.testing.standard import control, pdl
from tilewright.testing.standard.scene import STANDARD_CANDIDATES, Sampler, draw_module

SAMPLERS: dict[type[Operation], Sampler] = {**control.SAMPLERS, **pdl.SAMPLERS}
"""Samplers of operations whose declaration is not enough; all others are drawn from it."""


def sample_module(
    op_class: type[Operation], seed: str = "", *, candidates: Sequence[Type] = STANDARD_CANDIDATES
) -> ModuleOp:
    """Return a valid module with an instance of an operation class; always the same for a seed.

    ``candidates`` are the types that constraints are tried with.  Raises `Unsupported` where the declaration does
    not say enough and there is no sampler.
    """
    drawing = SeededDrawing(f"{op_class.op_kind.name}/{seed}")
    return draw_module(drawing, op_class, SAMPLERS.get(op_class), candidates)


def modules_of(
    op_class: type[Operation], *, candidates: Sequence[Type] = STANDARD_CANDIDATES
) -> st.SearchStrategy[ModuleOp]:
    """Return a strategy for modules as `sample_module` makes them."""

    @st.composite
    def instances(draw: Draw) -> ModuleOp:
        return draw_module(HypothesisDrawing(draw), op_class, SAMPLERS.get(op_class), candidates)

    return instances()
