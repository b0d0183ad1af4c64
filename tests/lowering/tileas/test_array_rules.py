"""The rules that hold after large tiles are cut: faults in the slicing of tiles are found where they are made."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import tilewright
from tests.targets.nvptx.tileas_to_nvvm.test_gpu_sliced_tiles import CASES, SMALL, loop, program
from tilewright.driver.preparation import wrapped
from tilewright.driver.sources import load
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering import codes
from tilewright.lowering.tileas.layout_rules import is_in_arrays
from tilewright.lowering.tileas.slice_tiles import Slicer
from tilewright.lowering.tileas.slices import SliceBuilder

PASSES = (
    "convert-cuda-tile-to-tileaa{compute-capability=sm_80},convert-tileaa-to-tileas,"
    f"nv-tileas-lower-view-accesses,canonicalize,cse,{SMALL}"
)
STAYING = "a tile that a loop begins with and uses"
FILLED, ARRAY = Slicer.filled, Slicer.new_array


def left_alone(slicer: Slicer, op: Operation) -> None:
    """An access that stays as it is."""


def not_copied(slicer: Slicer, emit: SliceBuilder, value: Value, into: Value) -> Value:
    """The array of the next round instead of the loop's own with the same elements."""
    return value


def shared(slicer: Slicer, emit: SliceBuilder, value: Value) -> Value:
    """An array that is there already instead of a new one."""
    return value if is_in_arrays(value.type) else FILLED(slicer, emit, value)


def of_others(slicer: Slicer, emit: SliceBuilder, type: Any) -> Value:
    """An array for twice as many threads."""
    slicer.threads *= 2
    try:
        return ARRAY(slicer, emit, type)
    finally:
        slicer.threads //= 2


FAULTS: dict[str, tuple[str, Callable[..., Any], str, str]] = {
    "an access of a whole tile": (
        "_access",
        left_alone,
        "a tile that is used twice",
        "'nv_tileas.load' has a tile of more than 512 elements in registers",
    ),
    "an array of the next round": (
        "_copied",
        not_copied,
        "tiles that swap places",
        "a loop passes on another array than its own",
    ),
    "an array of two": (
        "filled",
        shared,
        STAYING,
        "'scf.for' overwrites an array that is still used",
    ),
    "an array of other threads": (
        "new_array",
        of_others,
        "a tile that is used twice",
        "an array is distributed to 256 threads, and the kernel has 128",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_in_the_slicing_of_tiles_is_found(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    method, replacement, kernel, message = FAULTS[fault]
    monkeypatch.setitem(CASES, STAYING, ((32, 32), (32, 32), loop("%u = addi %v, %a : T\n", "%w, %u")))
    module = tilewright.Module(wrapped(load(program(kernel))))
    monkeypatch.setattr(Slicer, method, replacement)
    with pytest.raises(DiagnosticError) as found:
        tilewright.PassManager.parse(f"builtin.module({PASSES})").run(module)
    assert {one.code for one in found.value.diagnostics} == {codes.BROKEN_SLICES}
    assert message in [one.message for one in found.value.diagnostics]
