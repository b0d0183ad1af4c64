"""Maps of accesses are made without the values that no access depends on, and are the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.explorer.test_explored_programs import explored
from tilewright.driver.repeatable import LaunchedKernel
from tilewright.explorer import collect, places as explorer_places
from tilewright.interp import launch as interp_launch, values
from tilewright.ir.operation import Operation

HEAD = """
import cuda.tile as ct
import numpy as np

def launch(kernel, blocks, *arguments):
    ct.launch(None, (blocks,), kernel, arguments)

floats, out = np.linspace(-1, 1, 64, dtype=np.float32), np.zeros(64, np.float32)
numbers = np.arange(64, dtype=np.int32)[::-1].copy()

@ct.kernel
"""
ALL_ARE_NEEDED = {
    "gather": """
def kernel(a, at, out):
    chosen = ct.load(at, ct.bid(0), shape=(16,))
    ct.store(out, ct.bid(0), ct.gather(a, chosen) * 2)
launch(kernel, 4, floats, numbers, out)
""",
    "branch": """
def kernel(a, at, out):
    if ct.load(at, ct.bid(0), shape=(1,)).item() > 61:
        ct.store(out, ct.bid(0), ct.load(a, ct.bid(0), shape=(16,)) * 2)
launch(kernel, 4, floats, numbers, out)
""",
}
SOME_ARE_IDLE = {
    "elementwise": """
def kernel(a, out):
    t = ct.load(a, ct.bid(0), shape=(16,))
    ct.store(out, ct.bid(0), ct.exp(t * 0.5) + ct.sum(t))
launch(kernel, 4, floats, out)
""",
    "loop": """
def kernel(a, out):
    total, at = ct.full((16,), 0, ct.float32), ct.bid(0)
    for k in range(3):
        total = total + ct.load(a, at, shape=(16,)) * 2.0
        at = (at * 3 + k) % 4
        if at > 1:
            total = total * 0.5
        print("total", total)
    ct.store(out, at, total)
launch(kernel, 4, floats, out)
""",
    "division": """
def kernel(at, out):
    i = ct.bid(0)
    ct.store(out, (2 * i + 6) // 2 % 4, ct.load(at, i, shape=(16,)) // 3)
launch(kernel, 4, numbers, np.zeros(64, np.int32))
""",
}


def maps_of(program: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[list[Any], list[int]]:
    """Return the figures of a launch without unneeded values and with all; and how many operations were left out."""
    figures: list[Any] = []
    counts: list[int] = []
    of_launch, find = collect.interpreted, interp_launch.idle_operations

    def interpreted(
        launched: LaunchedKernel, places: explorer_places.SourcePositions
    ) -> collect.InterpretedFigures:
        figures.append(of_launch(launched, places))
        with monkeypatch.context() as patched:
            patched.setattr(values, "InterpretOptions", _Whole)
            figures.append(of_launch(launched, places))
        return figures[-1]

    def idle(entry: Operation) -> frozenset[Operation]:
        found = find(entry)
        counts.append(len(found))
        return found

    monkeypatch.setattr(interp_launch, "idle_operations", idle)
    monkeypatch.setattr(collect, "interpreted", interpreted)
    _, status = explored(folder, HEAD + program)
    assert status == 0
    return figures, counts


class _Whole(values.InterpretOptions):
    """Options that compute everything."""

    def __init__(self, *, accesses_only: bool, **options: Any) -> None:
        assert accesses_only
        super().__init__(**options)


@pytest.mark.parametrize("name", [*ALL_ARE_NEEDED, *SOME_ARE_IDLE])
def test_maps_are_those_of_a_whole_run(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = {**ALL_ARE_NEEDED, **SOME_ARE_IDLE}[name]
    (quick, whole), (count,) = maps_of(program, tmp_path, monkeypatch)
    assert quick == whole
    assert whole.arrays
    assert whole.is_whole
    assert (count > 0) == (name in SOME_ARE_IDLE)
