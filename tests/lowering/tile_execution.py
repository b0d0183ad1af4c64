"""Runs modules of tile functions on the CPU, whatever tile dialect they are in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import tilewright
from tilewright.driver.artifact import Artifact
from tilewright.driver.startup import context
from tilewright.ir.context import Context
from tilewright.ir.operation import Operation
from tilewright.ir.text.parser import parse_module
from tilewright.ir.verifier import verify
from tilewright.lowering.tileaa_to_tileas.bodies import ConvertTileAABodies
from tilewright.passes.manager import PassManager


def parsed(text: str, known: Context | None = None) -> Operation:
    """The module of a text, which must be valid."""
    module = parse_module(known or context(), text, implicit_module=True)
    assert [str(error) for error in verify(module, all_errors=True)] == []
    return module


def tileas(text: str, capability: str = "") -> Operation:
    """The module after the body conversion, which must be valid and survive being printed and read."""
    known = context()
    module = parsed(text, known)
    PassManager(known).add(ConvertTileAABodies(capability)).run(module)
    printed = module.print()
    assert [str(error) for error in verify(module, all_errors=True)] == []
    assert parsed(printed, known).print() == printed
    return module


def compiled(module: Operation) -> Artifact:
    """A module of tile functions, compiled for this processor from the stage that it is of."""
    return tilewright.compile(tilewright.Module(module))


def same_on_both(
    text: str, grid: Sequence[int], inputs: Sequence[Any], outputs: Sequence[Any]
) -> tuple[Any, ...]:
    """Run a module as it is and after the body conversion; the bits must be the same.  Returns the outputs.

    The arguments of the kernel are the arrays of ``inputs``, then the outputs, then the numbers.
    """
    arrays = [value for value in inputs if isinstance(value, np.ndarray)]
    scalars = [value for value in inputs if not isinstance(value, np.ndarray)]
    results: list[tuple[Any, ...]] = []
    for module in (parsed(text), tileas(text)):
        own = tuple(np.array(output) for output in outputs)
        compiled(module).launch(grid, [*arrays, *own, *scalars])
        results.append(own)
    before, after = results
    for one, other in zip(before, after, strict=True):
        if one.tobytes() != other.tobytes():
            pytest.fail(f"nv_tileaa and nv_tileas differ:\n{one}\n{other}")
    return after
