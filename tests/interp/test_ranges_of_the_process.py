"""The memory that the system has mapped for a process, from its table."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tilewright.interp.memory import address_space
from tilewright.interp.memory.address_space import ProcessMemory

TABLE = """1000-2000 r--p 00000000 08:01 1 /a
2000-3000 rw-p 00001000 08:01 1 /a
3000-4000 ---p 00002000 08:01 1 /a
5000-6000 rw-p 00000000 00:00 0
6000-7000 -w-p 00000000 00:00 0 [stack]
7fffffffffffe000-8000000000000000 r--p 00000000 00:00 0
ffffffffff600000-ffffffffff601000 r-xp 00000000 00:00 0 [vsyscall]
"""
READABLE, WRITABLE = [(0x1000, 0x3000), (0x5000, 0x6000)], [(0x2000, 0x3000), (0x5000, 0x7000)]


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "maps"
    path.write_text(TABLE)
    monkeypatch.setattr(address_space, "_MAPS", path)
    return path


@pytest.mark.parametrize(("permission", "ranges"), [("r", READABLE), ("w", WRITABLE)])
def test_neighbours_with_a_permission_are_one_range(
    permission: str, ranges: list[tuple[int, int]], table: Path
) -> None:
    starts, ends = address_space._mapped(permission)
    assert list(zip(starts.tolist(), ends.tolist(), strict=True)) == ranges


@pytest.mark.parametrize("size", [1, 8])
@pytest.mark.parametrize("write", [True, False])
def test_an_element_lies_within_one_range(write: bool, size: int, table: Path) -> None:
    ranges = WRITABLE if write else READABLE
    near = [edge + step for one in ranges for edge in one for step in (-size, 1 - size, -1, 0, 1)]
    addresses = np.array([0, *near, 0x3800, 0x9000], np.int64)
    wanted = [any(low <= one and one + size <= high for low, high in ranges) for one in addresses.tolist()]
    assert ProcessMemory().permits(addresses, size, write=write).tolist() == wanted


def test_the_table_is_read_again_if_something_is_not_in_it(table: Path) -> None:
    memory, address = ProcessMemory(), np.array([0x8000], np.int64)
    assert not memory.permits(address, 4, write=False).any()
    table.write_text(f"{TABLE}8000-9000 r--p 0 0 0\n")
    assert memory.permits(address, 4, write=False).all()
    table.write_text(TABLE)
    assert memory.permits(address, 4, write=False).all(), "what was known is not asked for"
    assert not memory.permits(address, 4, write=True).any()
    assert not memory.permits(address, 4, write=False).any()


def test_without_a_table_nothing_is_permitted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(address_space, "_MAPS", tmp_path / "none")
    for write in (True, False):
        assert not ProcessMemory().permits(np.array([0x1000, 0x2000]), 1, write=write).any()
