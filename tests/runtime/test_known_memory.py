"""What checked kernels know of memory: the table of a launch, cells for each access, numbers of tile blocks and stores."""

from __future__ import annotations

import ctypes
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tilewright.interp.memory.allocation import Allocation
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.runtime import checked, codes, context
from tilewright.runtime.checked import (
    MAXIMUM_CLOCKS,
    MAXIMUM_STORES,
    ORIGIN_ALIGNMENT,
    CheckedFrame,
    CheckedKernel,
    KnownMemory,
)
from tilewright.runtime.context import CheckRequirements, KnownMemoryOffset
from tilewright.runtime.kernel import LoadedKernel
from tilewright.runtime.scratch import LINE

RACES = CheckRequirements(granule=4, cell_bytes=4, site_bits=20)
LAST = 1 << 12
"""The number behind the numbers that a cell can hold beside 20 bits of a site."""
MEMORY = [
    Allocation(0x1008, 100, "x"),
    Allocation(0x2000, 16, "y", writeable=False),
    Allocation(0x3000, 0, "z"),
]


def known(checks: CheckRequirements = RACES, allocations: list[Allocation] = MEMORY) -> KnownMemory:
    """Return the table of some memory."""
    space: Any = SimpleNamespace(allocations=allocations)
    return KnownMemory(checks, space)


def rows(memory: KnownMemory) -> list[dict[str, int]]:
    """Return the rows of a table as a kernel reads them."""
    words = KnownMemoryOffset.BYTES // 8
    table = np.ctypeslib.as_array(
        (ctypes.c_uint64 * (max(memory.count, 1) * words)).from_address(memory.address)
    )
    names = ("START", "END", "WRITEABLE", "ORIGIN", "SHADOW", "PLANE")
    return [
        {name: int(row[getattr(KnownMemoryOffset, name) // 8]) for name in names}
        for row in table.reshape(-1, words)
    ]


def test_the_table_has_a_row_for_each_array() -> None:
    memory = known()
    assert memory.count == 3
    assert [(row["START"], row["END"], row["WRITEABLE"], row["ORIGIN"]) for row in rows(memory)] == [
        (0x1008, 0x1008 + 100, 1, 0x1000),
        (0x2000, 0x2010, 0, 0x2000),
        (0x3000, 0x3000, 1, 0x3000),
    ]
    assert [row["SHADOW"] for row in rows(memory)] == [0] * 3
    assert 0x1008 % ORIGIN_ALIGNMENT == 8
    assert known(allocations=[]).count == 0
    assert [set(row.values()) for row in rows(known(allocations=[]))] == [{0}]


@pytest.mark.parametrize(("granule", "cell"), [(4, 4), (1, 4), (4, 8), (16, 4)])
def test_every_granule_has_a_cell_for_each_kind_of_access(granule: int, cell: int) -> None:
    memory = known(CheckRequirements(granule=granule, cell_bytes=cell, site_bits=20))
    memory.begin(1, 0)
    for row, allocation in zip(rows(memory), MEMORY, strict=True):
        cells = (allocation.end - row["ORIGIN"]) // granule + 1
        assert row["PLANE"] % LINE == row["SHADOW"] % LINE == 0
        assert 0 <= row["PLANE"] - cells * cell < LINE
        shadow = (ctypes.c_uint8 * (context.PLANES * row["PLANE"])).from_address(row["SHADOW"])
        assert not any(shadow)
        shadow[-1] = 7
    shadows = [row["SHADOW"] for row in rows(memory)]
    memory._make_cells()  # pyright: ignore[reportPrivateUsage]
    for row in rows(memory):
        assert ctypes.c_uint8.from_address(row["SHADOW"] + context.PLANES * row["PLANE"] - 1).value == 0
    assert len(shadows) == len(memory._cells) == 3  # pyright: ignore[reportPrivateUsage]


def test_without_racecheck_there_are_no_cells() -> None:
    memory = known(CheckRequirements())
    assert memory.begin(1, 0) == 0
    assert [(row["SHADOW"], row["PLANE"]) for row in rows(memory)] == [(0, 0)] * 3


def test_numbers_go_on_until_they_are_used_up() -> None:
    memory = known()
    made: list[int] = []
    memory._make_cells = lambda: made.append(memory.first_number)  # type: ignore[method-assign]
    assert memory.begin(100, 55) == 0
    assert (memory.first_number, made) == (1, [1])
    memory.end(100)
    assert memory.begin(100, 55) == 55
    assert (memory.first_number, made) == (101, [1])
    memory.first_number = LAST - 100
    assert memory.begin(100, 55) == 55
    memory.first_number = LAST - 99
    assert memory.begin(100, 55) == 0
    assert (memory.first_number, made) == (1, [1, 1])
    memory.end(100)
    assert memory.begin(100, MAXIMUM_STORES) == MAXIMUM_STORES
    assert memory.begin(100, MAXIMUM_STORES + 1) == 0
    assert (memory.first_number, made) == (1, [1, 1, 1])


class Seen:
    """An observer."""

    address = 0x5000

    def __init__(self) -> None:
        self.begun: list[int] = []
        self.found: Any = None
        self.failure: BaseException | None = None

    def begin(self, first: int) -> None:
        self.begun.append(first)

    def raise_failure(self) -> None:
        if self.failure is not None:
            raise self.failure

    def finding(self) -> Any:
        return self.found

    def diagnosis(self, found: Any) -> Any:
        return "diagnosis", found


def framed(memory: KnownMemory) -> tuple[CheckedFrame, Seen]:
    """Return a frame and its observer."""
    seen: Any = Seen()
    return CheckedFrame(2, memory, 100, seen, None), seen


def test_a_frame_says_where_all_is() -> None:
    memory = known()
    frame, seen = framed(memory)
    words = (
        context.STORE_NUMBER,
        context.FIRST_NUMBER,
        context.ALLOCATIONS,
        context.ALLOCATION_COUNT,
        context.OBSERVER,
    )
    frame.words[context.STORE_NUMBER // 8] = 9
    frame.begin()
    assert [frame.words[at // 8] for at in words] == [0, 1, memory.address, 3, Seen.address]
    frame.words[context.STORE_NUMBER // 8] = 9
    memory.end(100)
    frame.begin()
    assert [frame.words[at // 8] for at in words[:2]] == [9, 101]
    assert seen.begun == [1, 101]


def checking(checks: CheckRequirements) -> CheckedKernel:
    """Return a checked kernel without code."""
    kernel = CheckedKernel.__new__(CheckedKernel)
    kernel.checks = checks
    kernel.image = SimpleNamespace(title="k", scratch_bytes=48, sites=[])  # pyright: ignore[reportAttributeAccessIssue]
    return kernel


def test_clocks_precede_the_scratch_memory() -> None:
    for clocks, count, front in ((False, 17, 0), (True, 16, 64), (True, 17, 128)):
        kernel, given = checking(CheckRequirements(clocks=clocks)), list[Any]()
        kernel.function = lambda *words, given=given: given.append(words)  # pyright: ignore[reportAttributeAccessIssue]
        memory: Any = SimpleNamespace(at_least=lambda size, given=given: given.append(size) or 4096)
        frame, _ = framed(known())
        kernel.call(frame, count, memory)
        assert given[0] == 48 + front + LINE
        assert given[1] == (frame.arguments, frame.grid, frame.context, count, 4096 + front)


@pytest.mark.parametrize("clocks", [True, False])
def test_only_so_many_tile_blocks_have_clocks(clocks: bool) -> None:
    kernel = checking(CheckRequirements(clocks=clocks))
    kernel._check_grid((MAXIMUM_CLOCKS // 2, 2, 1))  # pyright: ignore[reportPrivateUsage]
    if not clocks:
        kernel._check_grid((MAXIMUM_CLOCKS, 2, 3))  # pyright: ignore[reportPrivateUsage]
        return
    for grid in ((MAXIMUM_CLOCKS + 1, 1, 1), (1, MAXIMUM_CLOCKS + 1, 1), (MAXIMUM_CLOCKS // 2, 1, 3)):
        with pytest.raises(DiagnosticError, match=f"the order of {MAXIMUM_CLOCKS} tile blocks") as caught:
            kernel._check_grid(grid)  # pyright: ignore[reportPrivateUsage]
        assert caught.value.diagnostics[0].code is codes.TOO_MANY_CLOCKS
        assert f"launched with {grid[0] * grid[1] * grid[2]}" in caught.value.diagnostics[0].message


@pytest.mark.parametrize(
    ("found", "asserted", "wanted"),
    [
        (None, None, "report"),
        (5, None, "finding"),
        (5, 5, "finding"),
        (5, 6, "finding"),
        (5, 4, "report"),
        (None, 4, "report"),
    ],
)
def test_the_tile_block_with_the_lowest_number_is_reported(
    found: int | None, asserted: int | None, wanted: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel, reports = checking(RACES), list[Any]()
    frame, seen = framed(known())
    seen.found = None if found is None else SimpleNamespace(block=found)
    monkeypatch.setattr(checked, "report_findings", reports.append)
    monkeypatch.setattr(LoadedKernel, "look_at_report", lambda self, frame: reports.append("report"))
    monkeypatch.setattr(kernel, "reported_block", lambda frame: asserted, raising=False)
    kernel.look_at_report(frame)
    assert reports == ["report" if wanted == "report" else ("diagnosis", seen.found)]
    seen.failure = ValueError("of the observer")
    with pytest.raises(ValueError, match="of the observer"):
        kernel.look_at_report(frame)
    assert len(reports) == 1


def test_the_lines_of_a_kernel_are_those_of_its_sites() -> None:
    def site(kind: str, line: int | None) -> Any:
        source = None if line is None else ("k.py", line, 3)
        return SimpleNamespace(kind=kind, location=SimpleNamespace(source=source))

    for granule in (0, 4):
        kernel = checking(CheckRequirements(granule=granule))
        kernel.image.sites = [site("memcheck", 3), site("memcheck", 4), site("assert", None)]  # pyright: ignore[reportAttributeAccessIssue]
        lines = kernel._launched()  # pyright: ignore[reportPrivateUsage]
        assert lines.places == {("k.py", 3), ("k.py", 4)}
        names = {"memcheck", "assert", *(("racecheck",) if granule else ())}
        assert lines.codes == codes.found_by(names)
        assert kernel._launched() is lines  # pyright: ignore[reportPrivateUsage]
